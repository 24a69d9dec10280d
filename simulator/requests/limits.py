"""What limits a load of requests: what gains most, if anything is busy nearly all of the time, else what takes long."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.requests import Admission, Closed, RequestRun, Route, Visit, parts_of
from simulator.limits import THINKING, one_a_request, queue_at
from simulator.requests.relief import gains
from simulator.requests.run import RequestResult, StationUse
from simulator.result import BUSY

CARRIERS = ("drive", "controller", "nic-in", "nic-out", "memory")
"""Kinds of stations that the bytes of a request pass."""
SATURATED = 0.85
"""Mean utilization from which a group limits a run. Assumption: chance leaves few stations busier than that."""
ALIKE, CHANCE = 0.9, 0.01
"""Others gain as much as what gains most where they gain this part of it, or a hundredth of the rate less. Assumption:
utilizations are known to that."""


def held_up(run: RequestRun, result: RequestResult, alike: int = 1) -> dict[str, float]:
    """Return the seconds, or parts of the time, in which each limit held up the requests of one of so many parts."""
    slots = run.loop.slots if isinstance(run.loop, Closed) else ""
    return _saturated(run, result, alike) or _limits(result, slots) | _thought(run, result, alike)


def _saturated(run: RequestRun, result: RequestResult, alike: int) -> dict[str, float]:
    """Return what is busy nearly all of the time, with that share, and what is left; or nothing.

    It is a group of stations, or a limit on the rate of requests that refuses some of them. Requests may spend more
    time elsewhere, but there is no more throughput than this allows. Where objects belong to groups, and the copies of
    a station have more of them or fewer, all wait for the busiest. It is what gains most with twice as many of it; of
    those that gain as much what is busy so, what serves rather than what is held meanwhile, and where they are longest.
    Slots that all who want one have are no limit, however many of them are held.
    """
    uneven = {step.station.name for kind in run.kinds for step in _visits(kind.route) if step.pick and step.pick.places}
    busy: dict[str, list[float]] = {}
    for use in result.stations:
        if use.station.kind != "delay":
            busy.setdefault(use.station.name, []).append(use.utilization)
    means = {name: float(np.max(parts) if name in uneven else np.mean(parts)) for name, parts in busy.items()}
    spent = {name: _spent(result, name) for name in means}
    least = CHANCE * sum(seconds for _, seconds in spent.values())
    full = [
        name for name, (serves, seconds) in spent.items() if means[name] >= SATURATED and (serves or seconds >= least)
    ]
    admitted = _admitted(run, result, alike)
    full += [name for name, share in admitted.items() if share >= SATURATED]
    if not full:
        return {}
    means |= admitted
    can = gains(run, result, {name: min(share, 1.0) for name, share in means.items()})
    most = max(can.values())
    first = (name for name in means if can[name] >= min(ALIKE * most, most - CHANCE))
    name = max(first, key=lambda key: (key in full, *spent.get(key, (False, 0.0))))
    share = min(means[name], 1.0)
    return {name: share, "elsewhere": 1 - share} if share >= BUSY else {queue_at(name): 1.0}


def _spent(result: RequestResult, name: str) -> tuple[bool, float]:
    """Return whether a group serves requests, which may only hold it otherwise, and the seconds that they are there."""
    uses = [use for use in result.stations if use.station.name == name]
    return any(use.served > 0 for use in uses), sum(use.waited + use.served for use in uses)


def _visits(route: Route) -> Iterator[Visit]:
    """Yield all visits of a route."""
    for step in route:
        if isinstance(step, Visit):
            yield step
        for part in parts_of(step):
            yield from _visits(part)


def _admitted(run: RequestRun, result: RequestResult, alike: int) -> dict[str, float]:
    """Return the part of each limited rate that requests have, where some are refused, in one of so many parts."""
    used: dict[str, float] = {}
    routes = {kind.name: kind.route for kind in run.kinds} if result.refused else {}
    for name, route in routes.items():
        for limit in route:
            if isinstance(limit, Admission):
                rate = result.counts[name] / result.simulated / alike
                used[limit.name] = used.get(limit.name, 0.0) + rate / (limit.rate * limit.prefixes)
    return used


def _limits(result: RequestResult, slots: str = "") -> dict[str, float]:
    """Return the seconds, summed over requests, that each limit took.

    Those at a busy group are the group's. Elsewhere a request waits in a queue, though others of the group are idle, or
    it takes its own time there: more of the group would change nothing. More `slots` would, where clients are some, by
    as much of the time as the busiest group is idle.
    """
    groups: dict[str, list[StationUse]] = {}
    for use in result.stations:
        groups.setdefault(use.station.name, []).append(use)
    shares, serial, busiest = dict[str, float](), dict[str, float](), 0.0
    for name, uses in groups.items():
        waited, served = sum(use.waited for use in uses), sum(use.served for use in uses)
        busy = float(np.mean([use.utilization for use in uses]))
        kind = uses[0].station.kind
        busiest = max(busiest, busy) if kind in (*CARRIERS, "cpu") else busiest
        queue = name if busy >= BUSY else queue_at(name)
        table, own = (shares, name) if busy >= BUSY else (serial, one_a_request(kind, name))
        shares[queue] = shares.get(queue, 0.0) + waited
        table[own] = table.get(own, 0.0) + served
    alone = sum(serial.values())
    spare = min((1 - busiest) * (alone + sum(shares.values())), alone) if slots else 0.0
    for name, seconds in serial.items():
        shares[name] = shares.get(name, 0.0) + seconds * (1 - spare / alone if alone else 1.0)
    return shares | ({slots: spare} if slots else {})


def _thought(run: RequestRun, result: RequestResult, alike: int) -> dict[str, float]:
    """Return the seconds, summed over requests, that clients thought before them, in one of so many parts."""
    means: dict[str, float] = {}
    for name, count in result.counts.items():
        kinds = [kind for kind in run.kinds if kind.name == name]
        weight = sum(kind.weight for kind in kinds)
        means[name] = count / alike * sum(kind.think.mean * kind.weight for kind in kinds) / weight
    thought = sum(means.values())
    return {THINKING: thought} if thought > 0 else {}
