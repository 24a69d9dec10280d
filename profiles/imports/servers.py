"""From pieces of servers to groups of equal servers. The odd one out is told, and taken as the others are."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from models import units
from profiles.imports.finding import Part, Value

SAME = 0.03
"""Part by which sizes of equal things differ in what programs print of them. Assumption: usable memory, for one."""
MOST_ODD = 0.2
"""Part of all servers that may be odd ones out; more are a group of their own. Assumption."""
COMPARED = ("cpu.cores", "cpu.threads", "memory.size", "nic.bandwidth", "nic.links")


@dataclass(frozen=True, slots=True)
class Clash:
    """Two files that say different things of one number; the first was taken."""

    key: str
    taken: Value
    other: Value


@dataclass(slots=True)
class Host:
    """One server, from all that is said of it: its numbers by key, and drives by what a bay calls them."""

    values: dict[str, Value] = field(default_factory=dict)
    drives: dict[str, dict[str, Value]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def kinds(self) -> dict[tuple[str, float], list[str]]:
        """Return the bays with drives of each technology and size, sizes taken together that differ little."""
        kinds: dict[tuple[str, float], list[str]] = {}
        for bay, drive in self.drives.items():
            technology, size = _word(drive, "technology"), _number(drive, "capacity")
            near = (key for key in kinds if key[0] == technology and abs(key[1] - size) <= SAME * max(key[1], size))
            kinds.setdefault(next(near, (technology, size)), []).append(bay)
        return kinds

    def count(self, bays: Iterable[str]) -> int:
        """Return the number of drives of some bays."""
        return sum(self.counts[bay] for bay in bays)

    def likeness(self) -> dict[str, float]:
        """Return what makes servers equal."""
        sizes = {key: _number(self.values, key) for key in COMPARED if key in self.values}
        kinds = self.kinds()
        for (technology, size), bays in kinds.items():
            sizes[f"{technology} of {units.format(size, 'B', 2)}" if size else technology] = float(self.count(bays))
        return sizes


@dataclass(slots=True)
class Group:
    """Equal servers, and those taken for equal: `host` is the first."""

    host: Host
    count: int = 1


def hosts(parts: Sequence[Part]) -> tuple[dict[str, Host], list[Clash]]:
    """Return the servers that are told of, by what they are called, and what is told of them in two ways."""
    servers: dict[str, Host] = defaultdict(Host)
    clashes: list[Clash] = []
    for part in parts:
        if part.kind == "server" and (part.values or part.is_listed):
            clashes += _joined(servers[part.host].values, part.values)
        elif part.kind == "drive":
            host = servers[part.host]
            bay = part.bay or f"{len(host.drives) + 1}"
            if _is_another(host.drives.get(bay, {}), part):
                bay = f"{bay} of {part.label}"
            clashes += _joined(host.drives.setdefault(bay, {}), part.values)
            host.counts[bay] = max(part.count, host.counts.get(bay, 1))
    return dict(servers), clashes


def _is_another(known: Mapping[str, Value], part: Part) -> bool:
    """Tell whether a drive is not the one of its name: the same program told another size of that."""
    size, other = known.get("capacity"), part.values.get("capacity")
    if size is None or other is None or size.file.rpartition(" ")[0] != part.label.rpartition(" ")[0]:
        return False
    return not _agree(size.value, other.value)


def _joined(known: dict[str, Value], values: Mapping[str, Value]) -> Iterator[Clash]:
    for key, value in values.items():
        if key in known and not _agree(known[key].value, value.value):
            yield Clash(key, known[key], value)
        known.setdefault(key, value)


def _agree(one: object, other: object) -> bool:
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        try:
            return abs(one - other) <= SAME * max(abs(one), abs(other))
        except OverflowError:  # hundreds of digits, which the model refuses by their key
            return False
    return one == other or (isinstance(one, str) and isinstance(other, str) and (one in other or other in one))


def whole(collected: Sequence[Host], listed: Sequence[Host]) -> tuple[list[Group], list[str]]:
    """Return groups of equal servers from what each says itself, and from lists of the whole cluster.

    Details come from the servers themselves, their number and what they do not say from the lists.
    """
    if not collected or not listed:
        return groups(collected or listed)
    made, odd = groups(collected)
    rest, strange = groups(listed)
    made[0].count += max(len(listed) - len(collected), 0)
    first = made[0].host
    for key, value in rest[0].host.values.items():
        first.values.setdefault(key, value)
    if not first.drives:
        first.drives, first.counts = rest[0].host.drives, rest[0].host.counts
    return made, [*odd, *strange]


def groups(servers: Iterable[Host]) -> tuple[list[Group], list[str]]:
    """Return groups of equal servers, the largest first, and what is odd about those that were put to them."""
    alike: list[tuple[dict[str, float], list[Host]]] = []
    for host in servers:
        likeness = host.likeness()
        same = next((hosts for known, hosts in alike if _are_equal(known, likeness)), None)
        if same is None:
            alike.append((likeness, [host]))
        else:
            same.append(host)
    alike.sort(key=lambda entry: -len(entry[1]))
    total = sum(len(hosts) for _, hosts in alike)
    made: list[Group] = []
    odd: list[str] = []
    for likeness, members in alike:
        if made and len(members) <= MOST_ODD * total:
            made[0].count += len(members)
            odd.append(_odd(len(members), total, likeness, alike[0][0]))
        else:
            made.append(Group(members[0], len(members)))
    return made, odd


def _are_equal(one: Mapping[str, float], other: Mapping[str, float]) -> bool:
    return one.keys() == other.keys() and all(_agree(one[key], other[key]) for key in one)


def _odd(count: int, total: int, likeness: Mapping[str, float], usual: Mapping[str, float]) -> str:
    """Return what is odd about some servers, in words."""
    differing = [key for key in {**usual, **likeness} if not _agree(likeness.get(key, 0), usual.get(key, 0))]
    notes = (f"{key} {_shown(key, likeness.get(key))} instead of {_shown(key, usual.get(key))}" for key in differing)
    return (
        f"{count} of {total} servers {'differs' if count == 1 else 'differ'}: {', '.join(notes)}; taken as the others"
    )


def _shown(key: str, value: float | None) -> str:
    if value is None:
        return "none"
    unit = {"memory.size": "B", "nic.bandwidth": "B/s"}.get(key, "1")
    return f"{value * 8 / 1e9:g} Gbit/s" if unit == "B/s" else units.format(value, unit, 3)


def technologies(servers: Iterable[Host]) -> Counter[str]:
    """Return how many drives of each technology there are."""
    counted: Counter[str] = Counter()
    for host in servers:
        for (technology, _), bays in host.kinds().items():
            counted[technology] += host.count(bays)
    return counted


def _number(values: Mapping[str, Value], key: str) -> float:
    value = values[key].value if key in values else 0.0
    return float(min(value, sys.float_info.max)) if isinstance(value, (int, float)) else 0.0


def _word(values: Mapping[str, Value], key: str) -> str:
    return str(values[key].value) if key in values else ""
