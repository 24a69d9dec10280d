"""What holds a run up, by its name: a group of resources, a queue at some of them, or what one request needs.

A group is a limit only while it is busy, so that more of it would help. While most of it is idle, what holds a run up
is a queue at some of its members. The time that a request itself takes on one of them is serial: more members would
change nothing.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from simulator.fluid.recorder import HeldUp
from simulator.result import BUSY, Bottleneck

SINGLE = {
    "cpu": "core",
    "drive": "drive",
    "controller": "controller",
    "nic-in": "network card",
    "nic-out": "network card",
    "memory": "memory bus",
    "index": "index slot",
}
"""What one request takes of a group, by the kind of the group."""


def queue_at(group: str) -> str:
    """Return the name of the limit of works that wait for some of a group while others of it are idle."""
    return f"queue at {group}"


def queued_at(limit: str) -> str:
    """Return the group of a limit, whether it is busy or works queue at some of it."""
    return limit.removeprefix(queue_at(""))


def one_a_request(kind: str, group: str) -> str:
    """Return the name of the limit of requests that take their own time on one member of a group of a kind."""
    if kind == "delay":
        return group  # nobody waits for it, and it is no resource
    return f"one {SINGLE.get(kind, f'of {group}')} a request"


THINKING = "clients that think"
"""The limit of requests that come no sooner, as clients wait before they send them; and what is said of these."""
NOTHING = HeldUp({})
"""What has held works up before they began."""


def limits(until: HeldUp, since: HeldUp = NOTHING) -> dict[str, float]:
    """Return the seconds, summed over works, in which each limit held works up from one moment to another.

    Those that waited for room in page caches were held up by what the drains of these were held up by; those that
    waited for other pools, or for the last of what drains from them, by what held those drains up. What drains while
    nobody waits for it has held up nobody.
    """
    works = _less(until.works, since.works)
    for side, before in ((until.cached, since.cached), (until.sent, since.sent)):
        behind = _less(side.held, before.held)
        share = (side.waited - before.waited) / (sum(behind.values()) or 1.0)
        for limit, seconds in behind.items():
            works[limit] = works.get(limit, 0.0) + seconds * share
    return works


def _less(until: Mapping[str, float], since: Mapping[str, float]) -> dict[str, float]:
    return {limit: max(seconds - since.get(limit, 0.0), 0.0) for limit, seconds in until.items()}


def named(held: Mapping[str, float], busy: Mapping[str, float], shared: Container[str]) -> dict[str, float]:
    """Return the seconds of each limit of a stretch of time under the name that it deserves.

    `busy` has the utilization of each group in that time, 0 to 1, of which those that are `shared` have several
    members. Of a group that limits a part of the working time the same part of the time counts: if it is busy for less
    than `BUSY` of that, works queue at some of its members.
    """
    total, names = sum(held.values()), dict[str, float]()
    for limit, seconds in held.items():
        is_queue = limit in shared and busy.get(limit, 0.0) * total < BUSY * seconds
        name = queue_at(limit) if is_queue else limit
        names[name] = names.get(name, 0.0) + seconds
    return names


def spared(held: Mapping[str, float], busy: Mapping[str, float]) -> dict[str, float]:
    """Return the seconds of each limit of a stretch of time, those of groups as the time that more of each would spare.

    `busy` has the utilization of each group in that time, 0 to 1. However much there were of one group, the busiest of
    the others would need what it is busy for: more of a group spares no more than that leaves. All groups keep what
    they have together; where none can spare anything, each keeps its own.
    """
    groups, spare = [limit for limit in held if limit in busy], dict[str, float]()
    for limit in groups:
        other = max((busy[group] for group in groups if group != limit), default=0.0)
        spare[limit] = min(held[limit], (1 - other) * sum(held.values()))
    if not any(spare.values()):
        return dict(held)
    scale = sum(held[limit] for limit in groups) / sum(spare.values())
    return {limit: scale * spare[limit] if limit in spare else seconds for limit, seconds in held.items()}


def worst(held: Mapping[str, float]) -> Bottleneck | None:
    """Return the limit with the most seconds and its share of them all, None if there are none."""
    total = sum(held.values())
    if not total:
        return None
    limit = max(held, key=lambda name: held[name])
    return Bottleneck(limit, held[limit] / total)


def within(held: Mapping[str, float], lasts: float) -> dict[str, float]:
    """Return so many seconds of a clock, divided among limits as the seconds that are summed over works."""
    total = sum(held.values())
    return {limit: lasts * seconds / total for limit, seconds in held.items()} if total else {}


def added(tables: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the seconds of each limit in all tables together."""
    return {limit: sum(table.get(limit, 0.0) for table in tables) for table in tables for limit in table}
