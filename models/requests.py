"""Requests as pure data: stations with slots, kinds of requests that visit them, and the loops that send them.

A `Kind` is a route: visits to stations one after the other, or one inside another (a server's worker slot is held
while its drive is asked). A visit takes a slot, first come first served, stays for a service time, and gives it back.
A `Closed` loop has a fixed number of clients, each of which sends its next request when it is done with the last; an
`Open` loop sends at a given rate, whatever becomes of the requests. A `Fan` lets lanes of a request go on in parallel
(parts of an upload, shards of a stripe), a `Repeat` takes its bytes turn by turn, a `Pipeline` with several turns under
way, and `Patience` is how long a client waits before it sends a request again. `Background` work goes on beside them.
Service times are tables (`models.distributions`). Not covered: a server that goes on with what its client has given up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from models.distributions import NOTHING, Distribution
from models.values import value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OLDEST = 0.25
"""Chance that a station that sorts takes who waits longest; else it takes any of those that it sorts, as places on a
drive are random. Assumption, 0.15 to 0.5: of random reads of a hard drive 99 % end within 146 ms with 8 and 355 ms with
32 of them under way; told are 120 and 450 ms, an order of magnitude. First come, first served: 71 and 175 ms."""
LEAST = 1000
"""Requests of a load that goes on at least. Assumption: the median of fewer is not known to 10 %."""
ENDLESS = 1 << 40
"""Requests of a run that does not end by their number. Assumption: no run has as many."""


@value()
class Station:
    """Where requests wait for one of `slots`; `copies` equal stations share the visitors at random.

    `kind` and `group` name it in a report. Infinitely many slots make it a mere delay. Where n slots are busy, each
    gives `paces[n - 1]` seconds of service a second (n = 1 ... slots); without paces it is 1 for any n.
    """

    name: str
    slots: int = 1
    copies: int = 1
    kind: str = "station"
    paces: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if min(self.slots, self.copies) < 1 or (self.paces and (len(self.paces) != self.slots or min(self.paces) <= 0)):
            raise ValueError(f"station {self.name!r}: slots, copies >= 1, a pace > 0 for each number of busy slots")


@value()
class Draw:
    """A choice of one of `count` that holds for a whole request; `by_client`: clients have one each, in turn."""

    name: str
    count: int
    by_client: bool = False


@value(eq=False)
class Places:
    """Where the parts of groups lie: part i of group g at copy `copies[g, i]` of a station."""

    copies: NDArray[np.int64]


@value()
class Pick:
    """Which copy of a station a request visits: number `draw * stride + (start + lane) mod span`, modulo the copies.

    `draw` chooses a run of `span` neighbours, `start` the first of them; lane 1 of a fan takes the next one, and so on.
    Runs begin `stride` copies apart, by default where the one before ends; lanes beyond a run go on in the next one.
    Only the `among` copies (default: all that are left) from number `first` on are counted. `server` picks the server
    on which a drive stands, by default by the same numbers.

    With `places` the draw chooses a group, and where its parts lie tells the copies: each `span` lanes take one group,
    the next of them the next one; a lane takes the part of its number there, or the first one with a `stride` of 0.
    """

    draw: Draw
    span: int = 1
    start: Draw | None = None
    stride: int | None = None
    first: int = 0
    among: int | None = None
    server: Pick | None = None
    places: Places | None = None


@value()
class Visit:
    """A stay at a station: `service` seconds and `per_byte` seconds for each byte of the request, then `inside`.

    Visits `inside` happen while the slot is held. `share` is the part of the bytes that goes this way; `pick` says to
    which copy, by default to any. Where `sorting` is above 0, the station takes those that wait in the order that suits
    it, not that in which they came: the service of one of n, at most `sorted` of them, takes n^-sorting times as long.
    With `behind`, its bytes in the mean, it goes on when it has the slot, which what is `inside` keeps, behind it, once
    `gathered` of them have come; all stations there that are picked as the slot is are beside it.
    """

    station: Station
    service: Distribution = NOTHING
    per_byte: float = 0.0
    inside: Route = ()
    share: float = 1.0
    pick: Pick | None = None
    sorting: float = 0.0
    sorted: int = 1
    behind: float | None = None
    gathered: int = 1


@value()
class Repeat:
    """A route that the bytes of a request take in equal turns of at most `chunk` bytes, one after the other."""

    route: Route
    chunk: float

    def __post_init__(self) -> None:
        if not self.chunk > 0:
            raise ValueError(f"a repeat needs a chunk > 0 (got {self.chunk})")


@value()
class Fan:
    """A route that `lanes` of a request take at the same time; the request goes on when the last is done.

    Each lane has `share` of the bytes. Where it `counts_on`, lanes within a lane are numbered behind those of the lanes
    before it, which picks others of their kind for them. With a `chunk` the bytes are cut into parts of that size,
    the last of which is what is left, dealt to the lanes in turn: a lane has several of them, which a `Repeat` of the
    same chunk takes one by one, or none.
    """

    route: Route
    lanes: int
    share: float = 1.0
    chunk: float | None = None
    counts_on: bool = False

    def __post_init__(self) -> None:
        if self.lanes < 1 or not self.share > 0 or (self.chunk is not None and not self.chunk > 0):
            raise ValueError(f"a fan needs lanes >= 1, share and chunk > 0 ({self.lanes}, {self.share}, {self.chunk})")


@value()
class Section:
    """A part of a pipeline, which takes one turn after the other in each of its `lanes`, with `share` of the bytes.

    It begins a turn once all lanes of the section before have ended it, and those of the section behind the one `ahead`
    turns before it: with 1 the two never work at the same time, with 2 each works on a turn of its own.
    """

    route: Route
    lanes: int = 1
    share: float = 1.0
    ahead: int = 1

    def __post_init__(self) -> None:
        if min(self.lanes, self.ahead) < 1 or not self.share > 0:
            raise ValueError(f"a section needs lanes, ahead >= 1, share > 0 ({self.lanes}, {self.ahead}, {self.share})")


@value()
class Pipeline:
    """Sections that the bytes of a request pass in turns of `chunk` bytes, at last what is left; then it goes on."""

    sections: tuple[Section, ...]
    chunk: float

    def __post_init__(self) -> None:
        if not (self.sections and self.chunk > 0):
            raise ValueError(f"a pipeline needs sections and a chunk > 0 ({self.chunk})")


@value()
class Connected:
    """A route that a request goes `inside` a connection of its client, to one of `pools` that `pick` tells.

    It takes a connection that is idle there. Without one it goes the way `opening` first, and when it is through, what
    a connection that is new takes longer, `warming`. Then the pool keeps it, if it has fewer than `kept` idle ones.
    """

    name: str
    pools: int
    kept: int
    pick: Pick
    inside: Route
    opening: Route = ()
    warming: Route = ()

    def __post_init__(self) -> None:
        if self.pools < 1 or self.kept < 0:
            raise ValueError(f"connections {self.name!r}: pools >= 1, kept >= 0 (got {self.pools}, {self.kept})")


@value()
class FirstByte:
    """The moment at which the client has the first byte."""


@value()
class Admission:
    """A limit on the rate of requests, one for each of `prefixes` (each request has one at random).

    `burst` requests may come at once. What comes too fast is refused (503) and tried again after `back_off` seconds,
    doubled with each attempt and spread from half to one and a half; after `attempts` it has failed.
    """

    name: str
    rate: float
    burst: float = 1.0
    prefixes: int = 1
    back_off: float = 0.1
    attempts: int = 10

    def __post_init__(self) -> None:
        if not (self.rate > 0 and self.burst >= 1 and self.prefixes >= 1 and self.attempts >= 1):
            raise ValueError(f"admission {self.name!r}: rate must be > 0, burst, prefixes and attempts >= 1")


Step = Visit | FirstByte | Admission | Repeat | Fan | Pipeline | Connected
Route = tuple[Step, ...]


def parts_of(step: Step) -> tuple[Route, ...]:
    """Return the routes within a step of a route."""
    if isinstance(step, Connected):
        return step.opening, step.inside, step.warming
    sections = step.sections if isinstance(step, Pipeline) else (step,) if isinstance(step, (Repeat, Fan)) else ()
    return (step.inside,) if isinstance(step, Visit) else tuple(section.route for section in sections)


@value()
class Kind:
    """Requests of one kind: `weight` relative to the others, the visits of their `route`, and their `size` (B).

    The client visits `after` once it has the last byte, and a closed one that will `think` does so before it sends one
    of these, the first of all excepted: neither is a part of the latency.
    """

    name: str
    route: Route
    weight: float = 1.0
    size: Distribution = NOTHING
    after: Route = ()
    think: Distribution = NOTHING


@value(eq=False)
class Trace:
    """Given requests in their order, of shape (count,): client c of n in a closed loop sends c, c + n and so on."""

    kinds: NDArray[np.uint8]
    sizes: NDArray[np.float64]


@value()
class Closed:
    """A loop of `clients`, each of which thinks where its next request says so, sends that, and waits for its end.

    `pools` are several loops in one: clients and kinds of each, so that the first clients send the first kinds only,
    the next ones the next, and so on. Without pools all clients send all kinds. `slots` says of what a program has so
    many, where a design may have more of them: they limit what a request takes for itself.
    """

    clients: int
    pools: tuple[tuple[int, int], ...] = ()
    slots: str = ""


@value()
class Open:
    """Requests that come at random at `rate` a second (Poisson); at most `in_flight` may be under way."""

    rate: float
    in_flight: int = 65536


@value()
class Patience:
    """How long clients wait: an attempt is given up after `timeout` seconds, wherever it is, and leaves at once.

    The request is sent again after `back_off` seconds, doubled with each attempt and spread from half to one and a
    half; after `attempts` it has failed.
    """

    timeout: float
    attempts: int = 1
    back_off: float = 0.1

    def __post_init__(self) -> None:
        if not (self.timeout > 0 and self.attempts >= 1 and self.back_off > 0):
            raise ValueError("patience: timeout and back_off must be > 0, attempts >= 1")


@value()
class Background:
    """Work beside the requests: each of `workers` takes the `route` with `size` bytes again and again.

    It is no request: it has no latency, and neither ends the run nor counts as under way.
    """

    route: Route
    workers: int
    size: float

    def __post_init__(self) -> None:
        if self.workers < 1 or not self.size > 0:
            raise ValueError(f"background work needs workers >= 1 and size > 0 (got {self.workers}, {self.size})")


@value(eq=False)
class Flows:
    """Flows that go on all the time at the copies of a station, beside the requests: processor sharing.

    Where n requests meet `streams` k of flows, each gets a (n + k)-th of the station, and of what the flows cannot use
    the requests get the rest: flows take at most the part `most` of a copy. Both are of shape (copies,); with k = 0 a
    copy serves requests one after the other, as ever.
    """

    station: str
    streams: NDArray[np.float64]
    most: NDArray[np.float64]


@value()
class RequestRun:
    """`count` requests of some kinds, sent by a loop, or as many as there are in `duration` seconds.

    The first `warm_up` (fraction) is left out of latencies and throughput. The run stops early once the 95 % interval
    of the throughput is narrower than plus or minus `precision` (fraction); 0 runs all requests. Kinds of the same name
    are the same to whoever asks how they fared. A load that `goes_on` is a part of one without end: clients send until
    it is over, and it lasts longer than it is asked to where that is too short to reach a steady state.
    """

    name: str
    kinds: tuple[Kind, ...]
    loop: Closed | Open
    count: int
    warm_up: float = 0.0
    precision: float = 0.0
    trace: Trace | None = field(default=None)
    patience: Patience | None = None
    duration: float = math.inf
    background: tuple[Background, ...] = ()
    goes_on: bool = False
    flows: tuple[Flows, ...] = ()
    caution: tuple[str, ...] = ()

    @property
    def has_pauses(self) -> bool:
        """Whether clients of a closed loop do something between their requests, so that fewer are under way."""
        return isinstance(self.loop, Closed) and any(kind.after or kind.think.mean > 0 for kind in self.kinds)

    def __post_init__(self) -> None:
        if self.count < 1 or not 0 <= self.warm_up < 1 or self.precision < 0:
            raise ValueError(f"{self.name}: count must be >= 1, warm_up in [0, 1), precision >= 0")
        if self.trace is not None and len(self.trace.kinds) != self.count:
            raise ValueError(f"{self.name}: the trace has {len(self.trace.kinds)} requests, count = {self.count}")
        check_order(
            [*(kind.route + kind.after for kind in self.kinds), *(background.route for background in self.background)]
        )


def check_order(routes: Sequence[Route]) -> None:
    """Refuse routes that hold one station while they ask for another, and the other way round: they may wait forever.

    Raises:
        ValueError: with the names of two such stations.
    """
    held: dict[str, set[str]] = {}
    for route in routes:
        for outer, inner in _nested(route, ()):
            held.setdefault(outer, set()).add(inner)
    for outer in held:
        if outer in (reached := _reach(outer, held)):
            other = min(reached - {outer}, default=outer)
            raise ValueError(f"stations {outer!r} and {other!r}: each is asked for while the other is held")


def _nested(route: Route, above: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for step in route:
        own = (step.station.name,) if isinstance(step, Visit) else ()
        yield from ((outer, name) for outer in above for name in own)
        for part in parts_of(step):
            yield from _nested(part, above + own)


def _reach(start: str, held: dict[str, set[str]]) -> set[str]:
    reached, front = set[str](), [start]
    while front:
        front += (new := held.get(front.pop(), set()) - reached)
        reached |= new
    return reached
