"""Operations of jobs: what the stages of a request take of the servers and drives that play its roles.

Requests of one operation differ in who plays the roles. What a stage takes is worked out once and kept in mind.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence as Series
from functools import cached_property
from typing import Any

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Drive
from models.hardware.drive_times import slowest
from models.hardware.memory_bus import MADE
from models.storage.leaves import NOTHING, InTurn, Leaf, Passed, SideBySide, Slowest, Taken
from models.storage.site import ACCESS, MISSING, Place, Seats, Site, ends, places
from models.storage.stages import (
    Behind,
    Compute,
    Decode,
    Either,
    Held,
    Lanes,
    Limit,
    Move,
    Process,
    Read,
    Seek,
    Service,
    Stage,
    Stream,
    Wait,
    Write,
)
from models.work import Delay, Demand, Parallel, Pool, Resource, Step, Use, Work


class Fluid:
    """What the stages of a request of `size` bytes (B) take on a layout; `is_missing`: a piece is to be computed."""

    def __init__(self, stages: Series[Stage], size: float, layout: Layout, *, is_missing: bool) -> None:
        self.size, self._layout, self._is_missing, self._stages = size, layout, is_missing, stages
        self.who, self.who_once = Seats(), Seats()
        self._known: dict[tuple[int, float, int], dict[object, Any]] = {}  # of bytes: by stage, share and lanes
        self._inside: dict[int, Fluid] = {}  # what passes while a thing is held that no server has, by stage
        self._lasting: dict[tuple[int, ...], float] = {}
        self.leaves_once = list(self._once(stages, 0, 1.0))
        self.leaves_of_bytes = list(self._per_byte(stages, 0, 1.0))

    def once(self, site: Site) -> tuple[list[Step], list[Pool]]:
        """Return the steps in which a request takes what it takes once, and the slots that it holds."""
        pools: list[Pool] = []
        return list(self._steps(self.leaves_once, self.who_once.players(site), pools)), pools

    @cached_property
    def holders(self) -> list[tuple[str, int]]:
        """The roles and lanes in which a request holds slots."""
        held = [leaf for leaf in self.leaves_once if isinstance(leaf, Leaf) and isinstance(leaf.stage, Held)]
        seated = [place for leaf in held for place in self.who_once.at(leaf.seats) if isinstance(place, tuple)]
        return [(role, lane) for role, _, lane in seated]

    def over_bytes(self, site: Site) -> tuple[list[Use], float, list[Pool]]:
        """Return what each byte uses of what a request takes once, the seconds of that alone, and the slots held."""
        uses: list[Use] = []
        pools: list[Pool] = []
        seconds = self._spread(self.leaves_over_bytes, self.who_once.players(site), uses, pools)
        return uses, sum(seconds), pools

    @cached_property
    def leaves_over_bytes(self) -> list[Leaf | SideBySide]:
        """The same leaves as of what is taken once, which keep in mind what a byte takes."""
        return list(self._once(self._stages, 0, 1.0))

    def per_byte(self, site: Site) -> tuple[list[Use], list[tuple[float, str]]]:
        """Return what bytes use, and what limits a lone request: rates (B/s) with their reasons."""
        uses: list[Use] = []
        caps: list[tuple[float, str]] = []
        self._collect(self.leaves_of_bytes, self.who.players(site), uses, caps)
        return uses, caps

    def _leaf(self, stage: Stage, lane: int, part: float, lanes: int = 1) -> Leaf:
        seats = self.who.of([*places(stage, lane), *(ends(stage) if lanes > 1 else ())])
        own = {Read: [ACCESS], Decode: [MISSING]}.get(type(stage), [])
        return Leaf(stage, part, [*seats, *own], lanes, self._known.setdefault((id(stage), part, lanes), {}))

    def _leaf_once(self, stage: Stage, lane: int, chance: float, lanes: int) -> Leaf:
        return Leaf(stage, chance, self.who_once.of(places(stage, lane)), lanes)

    def _once(self, stages: Series[Stage], lane: int, chance: float, lanes: int = 1) -> Iterator[Leaf | SideBySide]:
        """Yield the leaves of what a request that takes this way by `chance` takes once in stages of so many lanes."""
        for stage in stages:
            match stage:
                case Lanes(inside):
                    own = self._lanes(stage, lane)
                    yield SideBySide([leaf for i in own for leaf in self._once(inside, i, chance, lanes * len(own))])
                case Held(_, _, _, inside):
                    if not stage.is_brief:
                        yield self._leaf_once(stage, lane, chance, lanes)
                    yield from self._once(inside, lane, chance, lanes)
                case Behind(waited=inside) | Stream(inside):
                    yield from self._once(inside, lane, chance, lanes)
                case Either(_, options):
                    for option in options:
                        yield from self._once(option.stages, lane, chance * option.chance, lanes)
                case Compute(once=cost) if not cost > 0:
                    pass
                case Compute() | Service() | Wait() | Seek():
                    yield self._leaf_once(stage, lane, chance, lanes)

    def _per_byte(self, stages: Series[Stage], lane: int, share: float, chance: float = 1.0) -> Iterator[Leaf | InTurn]:
        """Yield the leaves of what `share` of the bytes take in stages that a request takes by `chance`."""
        for stage in stages:
            match stage:
                case Lanes(inside, _, part):
                    for i in self._lanes(stage, lane):
                        yield from self._per_byte(inside, i, share * part, chance)
                case Stream(in_turn=True):
                    yield from self._in_turn(stage, lane, share, chance)
                case Held(None) if self._has_bytes:
                    yield self._drawn(stage, share)
                    yield from self._per_byte(stage.stages, lane, share, chance)
                case Held(_, _, _, inside) | Behind(waited=inside) | Stream(inside):
                    yield from self._per_byte(inside, lane, share, chance)
                case Either(_, options):
                    for option in options:
                        yield from self._per_byte(option.stages, lane, share * option.chance, chance * option.chance)
                case Compute(per_byte=cost, coding=coding, touched=touched) if not cost + coding + touched > 0:
                    pass
                case Seek() if self._has_bytes:
                    yield self._leaf(stage, lane, chance)
                case Compute() | Decode() | Read() | Write() | Move() | Limit() | Process():
                    yield self._leaf(stage, lane, share)

    def _drawn(self, stage: Held, share: float) -> Leaf:
        """Return the leaf of things that no server has, of which a request holds one while it passes stages once.

        How long that is depends on who plays a role in its first lane: few players make few companies.
        """
        inside = self._inside[id(stage)] = Fluid(stage.stages, 0.0, self._layout, is_missing=self._is_missing)
        return Leaf(stage, share, self.who.of(inside.firsts), 1)

    @property
    def firsts(self) -> list[Place]:
        """The places in first lanes of those of whom something is taken once."""
        return list(dict.fromkeys((role, bay, 0) for role, bay, _ in self.who_once.places))

    def lasts(self, firsts: Series[Any]) -> float:
        """Return the seconds of what is taken once, when nobody is in its way, if lanes are like the first one."""
        kinds = tuple(id(first.drive if isinstance(first, Device) else first.server) for first in firsts)
        if kinds not in self._lasting:  # the same of servers and drives that are alike
            players = dict(zip(self.firsts, firsts, strict=True))
            who = [players[role, bay, 0] for role, bay, _ in self.who_once.places]
            self._lasting[kinds] = sum(map(seconds_of, self._steps(self.leaves_once, ["direct", 0.0, *who], [])))
        return self._lasting[kinds]

    def _in_turn(self, stream: Stream, lane: int, share: float, chance: float) -> Iterator[Leaf | InTurn]:
        """Yield the leaves of a stream that goes in turn between its buffers."""
        for stages, _ in stream.sections():
            if len(stages) > 1:
                yield InTurn(self._passed(stages, lane, share, 1), stream.cap)
            else:
                yield from self._per_byte(stages, lane, share, chance)

    def _passed(self, stages: Series[Stage], lane: int, share: float, lanes: int) -> Passed:
        """Return the leaves of stages that a lone stream passes one after the other, in one of so many lanes."""
        parts: list[Leaf | Passed | Slowest] = []
        for stage in stages:
            match stage:
                case Lanes(inside, _, part):
                    own = self._lanes(stage, lane)
                    parts.append(Slowest([self._passed(inside, i, share * part, len(own)) for i in own]))
                case Held(_, _, _, inside) | Behind(waited=inside) | Stream(inside):
                    parts.append(self._passed(inside, lane, share, lanes))
                case Either(_, options):
                    ways = [self._passed(way.stages, lane, share * way.chance, lanes) for way in options]
                    parts.append(Passed(ways))
                case Compute() | Decode() | Read() | Write() | Move() | Limit() | Process():
                    parts.append(self._leaf(stage, lane, share, lanes))
        return Passed(parts)

    def _lanes(self, stage: Lanes, lane: int) -> range:
        """Return the numbers of a stage's lanes in one lane of another: others, where a piece is missing."""
        count = stage.otherwise if stage.otherwise is not None and self._is_missing else stage.count
        return range(lane * count, (lane + 1) * count) if stage.counts_on else range(count)

    def _steps(self, leaves: Series[Leaf | SideBySide], players: Series[Any], pools: list[Pool]) -> Iterator[Step]:
        for leaf in leaves:
            if isinstance(leaf, SideBySide):
                lanes = list(self._steps(leaf.leaves, players, pools))
                waits = [lane.seconds for lane in lanes if isinstance(lane, Delay)]
                if lanes and len(waits) == len(lanes):
                    yield Delay(max(waits))
                elif lanes:
                    yield Parallel(tuple(lanes)) if len(lanes) > 1 else lanes[0]
                continue
            taken = leaf.taken(players, self.taken_once)
            if isinstance(taken, Pool):
                pools.append(taken)
            elif taken is not None:
                yield taken

    def _spread(
        self, leaves: Series[Leaf | SideBySide], players: Series[Any], uses: list[Use], pools: list[Pool]
    ) -> Iterator[float]:
        """Yield the seconds of leaves, each when nobody else is in its way; take note of what a byte uses."""
        for leaf in leaves:
            if isinstance(leaf, SideBySide):
                before = len(uses)
                longest = max(self._spread(leaf.leaves, players, uses, pools), default=0.0)
                yield max(longest, self.size * _together(uses[before:]))
                continue
            taken = leaf.taken(players, self._taken_of_a_byte)
            if isinstance(taken, Pool):
                pools.append(taken)
            else:
                uses += taken.uses
                yield taken.shared

    def _taken_of_a_byte(self, leaf: Leaf, place: Any) -> Taken | Pool:
        """Return what a byte uses of what a request takes once of a stage, and the seconds of that."""
        step = self.taken_once(leaf, place)
        if isinstance(step, Work):
            part = step.amount / self.size
            return Taken([Use(use.resource, use.cost * part) for use in step.demand.uses], shared=seconds_of(step))
        if isinstance(step, Pool):
            return step
        return Taken(shared=0.0 if step is None else seconds_of(step))

    def taken_once(self, leaf: Leaf, place: Any) -> Step | Pool | None:
        """Return the step in which a request takes what it takes once of a stage, or the slots that it holds."""
        stage, chance = leaf.stage, leaf.part
        match stage:
            case Held(_, name, slots):
                return Pool(f"{place.name}/{name}", slots)
            case Compute(_, once):
                cost = once * chance
                node = place[0] if isinstance(place, tuple) else place
                return _spend(node.cpu, cost, cost / node.server.cpu.speed, "one core a request")
            case Service(at, name, slots, cost, _, more) if cost + more > 0:
                host = None if at is None else place
                seconds = chance * (cost / (1.0 if host is None else host.server.cpu.speed) + more)
                service = self._layout.service(host, name, slots)
                return _spend(service, seconds, seconds, f"one {name} slot a request")
            case Wait(_, seconds) if seconds > 0:
                return Delay(seconds * chance)
            case Seek():
                return self._accessed(stage, place, leaf)
        return None

    def _accessed(self, stage: Seek, device: Device, leaf: Leaf) -> Step | None:
        """Return the step of accesses at random, which lasts as long as that of the slowest lane.

        What they take of flash beside bytes is spread over the bytes.
        """
        if not isinstance(device.drive, Drive):
            return None
        busy, beyond = stage.seconds(device.drive) * leaf.part, stage.delay(device.drive) * leaf.part
        longer, later = slowest(device.drive, stage.direction, leaf.lanes)
        alone = busy * longer + beyond * later
        if alone <= 0:
            return None
        if self._has_bytes and is_flash(device):
            return Delay(alone)
        return _spend(device.resource, busy, alone, "one access of a drive")

    @property
    def _has_bytes(self) -> bool:
        return 0 < self.size < math.inf

    def _collect(
        self,
        leaves: Series[Leaf | InTurn],
        players: Series[Any],
        uses: list[Use],
        caps: list[tuple[float, str]],
    ) -> None:
        for leaf in leaves:
            if isinstance(leaf, InTurn):
                pace = self._pace(leaf.passed, players, uses)
                caps.append((1 / pace if pace > 0 else math.inf, leaf.cap))
                continue
            taken, rate, cap, _ = leaf.taken(players, self.of_a_byte)
            uses += taken
            if cap:
                caps.append((rate, cap))

    def _pace(self, passed: Passed, players: Series[Any], uses: list[Use]) -> float:
        """Return the seconds that a lone stream spends on a byte; take note of what it uses."""
        seconds = 0.0
        for part in passed.parts:
            if isinstance(part, Leaf):
                taken, rate, _, shared = part.taken(players, self.of_a_byte)
                uses += taken
                seconds += max(1 / rate, shared)
            elif isinstance(part, Passed):
                seconds += self._pace(part, players, uses)
            else:
                seconds += max((self._pace(lane, players, uses) for lane in part.lanes), default=0.0)
        return seconds

    def of_a_byte(self, leaf: Leaf, place: Any) -> Taken:
        """Return what a byte uses in a stage of the servers and drives that were found."""
        stage, share = leaf.stage, leaf.part
        match stage:
            case Decode():
                node, missing = place
                return _computed(node, stage.of_a_byte(node.server.cpu) * missing, share, MADE * missing)
            case Compute(_, _, _, beside):
                node, other = (place, None) if beside is None else place
                if node is other:
                    return NOTHING
                return leaf.alone(node, lambda: _computed(node, stage.of_a_byte(node.server.cpu), share, stage.touched))
            case Read(_, _, amount, segment, passed) if amount > 0:
                device, access = place
                rate = device.read_rate() / amount / share
                return Taken(device.read(access, amount * share, segment, passed), rate, "one drive a request")
            case Write(_, _, amount, segment, access) if amount > 0:
                rate = place.write_rate() / amount / share
                return Taken(place.write(access, amount * share, segment), rate, "one drive a request")
            case Move():
                return _moved(self._layout, stage, leaf, place)
            case Held(_, name, slots, copies=copies):
                seconds = self._inside[id(stage)].lasts(place if isinstance(place, tuple) else (place,))
                held = self._layout.service(None, name, slots * copies)
                return Taken([Use(held, seconds * share / self.size, share)] if seconds > 0 else ())
            case Limit(name, _, rate, prefixes) if self._has_bytes:
                return Taken([Use(self._layout.rate(name, rate * prefixes), share / self.size, share)])
            case Process(_, name, bandwidth, times) if math.isfinite(bandwidth) and times > 0:
                return Taken([Use(self._layout.process(place, name, bandwidth), share * times, share * times)])
            case Seek() if is_flash(place) and (busy := stage.seconds(place.drive)) > 0:
                return Taken([Use(place.resource, busy * share / self.size)])
        return NOTHING


def is_flash(device: Device) -> bool:
    """Tell whether a device is a drive that does operations instead of seeks."""
    return isinstance(device.drive, Drive) and device.drive.flash is not None


def _computed(node: Node, cost: float, share: float, touched: float) -> Taken:
    """Return what a byte uses that costs a server so many reference core-seconds (s/B), and touches so many bytes."""
    crossing = node.crossing(touched * node.server.memory_bus.misses * share)
    if not cost > 0:
        return Taken(crossing) if crossing else NOTHING
    return Taken(node.compute(cost * share) + crossing, node.server.cpu.speed / cost / share, "one core a request")


def _moved(layout: Layout, stage: Move, leaf: Leaf, place: Any) -> Taken:
    """Return what a byte uses that moves between two servers, or to or from the world outside.

    What all lanes move passes one card: that of the server where they begin, or else where they end.
    """
    share = leaf.part
    match stage:
        case Move(str(), str(), rate, cap):
            source, target, *ends = place
            slowest = min(rate, layout.stream_rate(source, target))
            shared = shared_card(leaf, ends) if ends else 0.0
            return Taken(layout.transfer(source, target, share, stage.touched), slowest / share, cap, shared)
        case Move(source, target, rate, cap) if source or target:
            card, nic = (place.nic_out if source else place.nic_in), place.server.nic
            taken = Use(card, share * nic.sustained / nic.reaching(stage.mtu), share)
            crossing = place.crossing(share * place.server.end_crossings(stage.touched if source else None))
            return Taken([taken, *crossing], min(rate, layout.connection_rate(place)) / share, cap)
    return Taken((), stage.rate / share, stage.cap)


def shared_card(leaf: Leaf, ends: Series[Node]) -> float:
    """Return the seconds of a byte on the card that all lanes pass, by where the first two begin and the first ends."""
    first, other, last = ends
    common = first if first is other else last
    return leaf.lanes * leaf.part / common.server.nic.rate


def _together(uses: Series[Use]) -> float:
    """Return the seconds of a byte of lanes of which several use the same resource, 0 where none do."""
    shared: dict[Resource, list[float]] = {}
    for use in uses:
        shared.setdefault(use.resource, []).append(use.cost)
    several = ((resource.capacity, costs) for resource, costs in shared.items() if len(costs) > 1)
    return max((sum(costs) / capacity[min(len(costs), len(capacity)) - 1] for capacity, costs in several), default=0.0)


def _spend(resource: Resource, cost: float, seconds: float, cap: str) -> Work:
    return Work(1.0, Demand((Use(resource, cost),), max_rate=1 / seconds, cap=cap))


def seconds_of(step: Step) -> float:
    """Return the seconds of a step of `Fluid.once`, when nobody is in its way."""
    match step:
        case Parallel(steps):
            return max(map(seconds_of, steps))
        case Delay(seconds):
            return seconds
        case Work(amount, demand):
            return amount / demand.max_rate
    return math.nan
