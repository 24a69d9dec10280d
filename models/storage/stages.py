"""The stages of which operations are made: what a request takes of whom, once and for each byte.

Whom is a role, a name such as "gateway", "node" or "source", which `models.storage.described` gives to servers. A stage
says nothing about time: `models.storage.operation` makes of it the fluid step of a job, and the visits of a load of
requests.
"""

from __future__ import annotations

import math
from dataclasses import replace

from models.distributions import EVEN, Spread
from models.hardware.drive import Access, Direction, Drive
from models.hardware.server import Cpu
from models.values import value

LIST_PAGE = 1000
"""Names, or uploads, that a page of a listing holds. Source: Amazon S3 API reference, ListObjectsV2, max-keys."""
TURN = 2.0**20
"""Bytes of a turn (B) where the store has no unit of its own. Assumption: socket buffers are of this order."""
SOCKETS = 10 * 2.0**20
"""Bytes (B) that a connection may hold between two servers: 4 MiB at the sender, 6 MiB at the receiver. Source: Linux,
Documentation/networking/ip-sysctl, the largest of tcp_wmem and tcp_rmem; of the latter half to all is window, and
PR #19605 of minio/minio counts 4 MB in all: range 4 to 10 MiB."""


@value()
class Compute:
    """A processor spends `once` and `per_byte` reference core-seconds, of one request on one core at a time.

    With `beside` it spends nothing where that role is on the same server. What it spends once is spread around that
    mean. Of a byte it spends `coding` besides on erasure coding, reference core-seconds with AVX2. For each byte so
    many are `touched` in memory, read or written: those that caches miss cross its bus. What passes in pieces that a
    core keeps in its own cache, such as 64 KiB, is not touched again.
    """

    at: str
    once: float = 0.0
    per_byte: float = 0.0
    beside: str | None = None
    spread: Spread = EVEN
    coding: float = 0.0
    touched: float = 0.0

    def of_a_byte(self, cpu: Cpu) -> float:
        """Return the reference core-seconds that a processor spends on a byte."""
        return self.per_byte + self.coding / cpu.coding


@value()
class Decode:
    """A processor spends `coding` reference core-seconds on each byte of a missing piece that it computes again.

    They are those of a processor with AVX2. In memory the piece is made anew.
    """

    at: str
    coding: float

    def of_a_byte(self, cpu: Cpu) -> float:
        """Return the reference core-seconds that a processor spends on a byte that is missing."""
        return self.coding / cpu.coding


@value()
class Service:
    """A service of a server works `cost` reference core-seconds and `seconds` more in one of its slots.

    The times are log-normal by `spread`. With `at` None it runs on a server of its own, which the cluster does not
    describe.
    """

    at: str | None
    name: str
    slots: int
    cost: float = 0.0
    spread: float = 0.0
    seconds: float = 0.0


@value()
class Wait:
    """Seconds pass for which nobody waits for another: a round trip, a commit; spread around that mean."""

    name: str
    seconds: float
    spread: Spread = EVEN


@value()
class Seek:
    """A drive of a bay is accessed at a random place so many times on average: flash serves an operation each.

    What it `reads` or `writes` there (B), `segment` of them together, contains a part of that: as much less is left.
    With `is_write` something small is written. Where it is not `waited` for, another stage says how long it takes until
    a write is safe. Who asks has `at_once` of them at the drive at most, if that is less than the drive sorts.
    """

    at: str
    bay: str
    times: float = 1.0
    reads: float = 0.0
    writes: float = 0.0
    is_write: bool = False
    waited: bool = True
    segment: float = math.inf
    at_once: int | None = None

    @property
    def direction(self) -> Direction:
        """Whether it reads or writes."""
        return "write" if self.is_write or self.writes > 0 else "read"

    def seconds(self, drive: Drive) -> float:
        """Return the device-seconds that an access takes of a drive beside what its bytes cost."""
        held = drive.contained(self.direction, max(self.reads, self.writes), self.segment)
        return self.times * max(drive.access_time(self.direction) - held, 0.0)

    def delay(self, drive: Drive) -> float:
        """Return the seconds that a lone access takes beyond."""
        return self.times * drive.access_delay(self.direction) if self.waited else 0.0


@value()
class Limit:
    """A request counts against a rate (1/s) of each of some prefixes; so many may come at once (`burst`).

    Jobs share the rate of all prefixes as the resource `name`, of requests of a load the `refusal` names it.
    """

    name: str
    refusal: str
    rate: float
    prefixes: int = 1
    burst: float = 1.0

    def of_a_part(self, alike: int) -> Limit:
        """Return what one of so many parts of the requests has of it: some of the prefixes, or a part of each's rate.

        A prefix less takes its part of the requests with it, so as many divide as can; only what is left is taken off
        the rate and the burst of each, which smooth less the smaller they are.
        """
        shared = math.gcd(self.prefixes, alike)
        slower = alike // shared
        burst = max(self.burst / slower, 1.0)
        return replace(self, rate=self.rate / slower, prefixes=self.prefixes // shared, burst=burst)


@value()
class Process:
    """Each byte passes a process of a server that handles `bandwidth` (B/s) in all, so many `times`."""

    at: str
    name: str
    bandwidth: float
    times: float = 1.0


@value()
class Read:
    """A drive of a bay reads `share` bytes for each byte of the request, of which `segment` (B) lie together.

    For each byte so many have `passed` its heads.
    """

    at: str
    bay: str
    share: float = 1.0
    segment: float = math.inf
    passed: float = 1.0


@value()
class Write:
    """A drive of a bay writes `share` bytes for each byte of the request, of which `segment` (B) lie together."""

    at: str
    bay: str
    share: float = 1.0
    segment: float = math.inf
    access: Access = "direct"


@value()
class Move:
    """Each byte crosses the network over one connection of at most `rate` (B/s), where source and target differ.

    One of them is None where it stands outside of the cluster; `link` then names the connection to it, and `mtu` is
    the largest packet (B) that the way there carries. Who sends touches so many bytes in memory for each (`touched`),
    by default as its card says: none where it sends pages of files as they are (sendfile).
    """

    source: str | None
    target: str | None
    rate: float = math.inf
    cap: str = "one connection a request"
    link: str = "connection"
    mtu: float = math.inf
    touched: float | None = None


@value()
class Lanes:
    """The same `count` times side by side, each at a place of its own and with `share` of the bytes.

    Where one of the pieces that are to be read is missing, `otherwise` of them are. Where all lanes begin or end at the
    server that plays the role `together`, their bytes pass its card as one: it sends a stripe as a whole, or goes on
    when it has all of it. Where they are within a lane of others and it `counts_on`, their numbers, and so their
    places, go on behind those in the lanes before it. With a `part` (B) all lanes have that much, and the last what is
    left.
    """

    stages: tuple[Stage, ...]
    count: int
    share: float = 1.0
    otherwise: int | None = None
    together: str | None = None
    counts_on: bool = False
    part: float | None = None


@value()
class Held:
    """Stages that pass while the request holds one of the slots of a server.

    With `at` None it holds one of `copies` things that no server has, drawn by chance; jobs share the slots of all, for
    as long as the stages last when nobody is in their way. Of a server one that is held only for moments (`is_brief`),
    turn by turn of a stream, jobs do not hold: their bytes pass all stages at once.
    """

    at: str | None
    name: str
    slots: int
    stages: tuple[Stage, ...]
    is_brief: bool = False
    copies: int = 1


@value()
class Behind:
    """Stages of a drive of a bay that go on behind a request of a load, `size` bytes (B), which does not wait for them.

    There are at most `slots` of them, for the last of which a request waits. They begin once `gathered` have come. The
    drive has as many of them at a time as it sorts; the others wait before it, where who else asks it passes them.
    Requests of jobs wait: for the stages `waited`.
    """

    at: str
    bay: str
    name: str
    slots: int
    stages: tuple[Stage, ...]
    size: float
    gathered: int
    waited: tuple[Stage, ...]


@value()
class Buffer:
    """Where stages of a stream may be ahead of those behind it, by `size` bytes of the request (B)."""

    size: float


@value()
class Stream:
    """Stages that bytes pass turn by turn, `turn` bytes (B) at a time.

    Where all bytes of a turn must have passed one stage before they enter the next, and no turn overlaps another
    (`in_turn`), a lone stream is as slow as all stages together, otherwise as slow as the slowest. A `Buffer` that has
    room for a turn cuts a stream that goes in turn: each of its sections does so, and the slowest sets the pace.
    """

    stages: tuple[Stage, ...]
    turn: float = TURN
    in_turn: bool = False
    cap: str = "one stripe after the other"

    def sections(self) -> tuple[tuple[tuple[Stage, ...], float], ...]:
        """Return the stages of each section, and the bytes (B) by which it may be ahead of the next.

        Where the stream does not go in turn, there is a connection's buffer behind each stage.
        """
        sections, stages = list[tuple[tuple[Stage, ...], float]](), list[Stage]()
        size = 0.0 if self.in_turn else max(SOCKETS, self.turn)
        for stage in self.stages:
            if not isinstance(stage, Buffer):
                stages.append(stage)
            behind = stage.size if isinstance(stage, Buffer) else size
            if behind >= self.turn:
                sections.append((tuple(stages), behind))
                stages = []
        return (*sections, (tuple(stages), sections[-1][1] if sections else 0.0)) if stages else tuple(sections)


@value()
class FirstByte:
    """Where a client that counts the time to its first byte has it: stages before it count, those behind it do not."""


@value()
class Option:
    """One way of several, taken by `chance` (fraction) of the requests; `note` tells it apart in a report."""

    chance: float
    stages: tuple[Stage, ...]
    note: str = ""


@value()
class Either:
    """One of several ways, by chance; a request that comes to the same choice again takes the same option."""

    choice: str
    options: tuple[Option, ...]


Stage = (
    Compute
    | Decode
    | Service
    | Wait
    | Seek
    | Limit
    | Process
    | Read
    | Write
    | Move
    | Lanes
    | Held
    | Behind
    | Buffer
    | Stream
    | Either
    | FirstByte
)
