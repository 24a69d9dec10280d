"""By how much a load can grow with twice as many of what is busy: of several the one that it is limited by.

The bounds are those of operational analysis, read off one run: requests a second grow until the next group is full, and
in a closed loop until nobody waits. Who holds a slot while it asks another group holds it for as much less. Of stations
with few slots some are idle while others are waited for: n visitors keep one of a single slot busy for n / (n + c), so
twice as many for 2 u / (1 + u). Assumption: of s slots what that leaves is an s-th of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil

from models.requests import Closed, Connected, Fan, Pipeline, Repeat, RequestRun, Route, Visit
from models.values import value
from simulator.requests.run import RequestResult, StationUse


@value()
class _Spared:
    """Seconds that twice as many of a group spare: of the service of requests, of that of all lanes, and of waits."""

    served: float
    lanes: float
    waits: float


def gains(run: RequestRun, result: RequestResult, busy: Mapping[str, float]) -> dict[str, float]:
    """Return the part by which requests a second can grow with twice as many of each of what is busy so far, 0 to 1.

    `busy` has the utilization of groups of stations, 0 to 1, and of limited rates, for which no station waits.
    """
    groups = {name: list(uses) for name, uses in groupby(result.stations, key=lambda use: use.station.name)}
    waited, served = sum(use.waited for use in result.stations), sum(use.served for use in result.stations)
    all_spared = {name: _spared(uses, result.simulated) for name, uses in groups.items()}
    inside, can = _inside(run), dict[str, float]()
    for name in busy:
        spared = all_spared.get(name, _Spared(0.0, 0.0, 0.0))
        fullest = 0.5  # itself, of which there are twice as many
        for other in busy.keys() - {name}:
            slots, left = [use.station.slots for use in groups.get(other, ())], busy[other]
            if slots:
                part, times = inside.get((other, name), (0.0, 0.0))
                held = part * spared.lanes + times * spared.waits
                for pool, waits in all_spared.items():  # whose slots are free for others sooner
                    held += waits.waits * inside.get((other, pool), (0.0, 0.0))[1] if (pool, name) in inside else 0.0
                left = max(left - held / (sum(slots) * result.simulated), 0.0)
                left = max(left, 0.5) + min(left, 1 - left) / (2 * slots[0])
            fullest = max(fullest, left)
        can[name] = 1 / min(fullest, 1.0) - 1
        if isinstance(run.loop, Closed) and served > spared.served:
            can[name] = min(can[name], (waited + served) / (served - spared.served) - 1)
    return can


def _spared(uses: Sequence[StationUse], lasted: float) -> _Spared:
    """Return what twice as many of a group spare in a run of so many seconds: waits, and what threads on one core take.

    Those of lanes count in the time of a request as their mean, and each by itself where it holds a slot.
    """
    station = uses[0].station
    waited, served = sum(use.waited for use in uses), sum(use.served for use in uses)
    done = sum(use.utilization for use in uses) * station.slots * lasted  # as all of them, each by itself
    if not (station.paces and served > 0):
        return _Spared(0.0, 0.0, waited * max(done / served, 1.0) if served > 0 else waited)
    work = done / (lasted * len(uses))
    many = next(n for n, pace in enumerate(station.paces, 1) if n * pace >= work or n == station.slots)
    pace = min(station.paces[many - 1], done / served)
    part = 1 - pace / station.paces[ceil(many / 2) - 1]
    return _Spared(served * part, done / pace * part, waited)


def _inside(run: RequestRun) -> dict[tuple[str, str], tuple[float, float]]:
    """Return the parts of the service and of the visits at each group in which a slot of another is held, by names."""
    seconds, visits = defaultdict[tuple[str, str], float](float), defaultdict[tuple[str, str], float](float)
    for kind in run.kinds:
        for names, amount, times in _visits(kind.route + kind.after, kind.size.mean, kind.weight, ("",)):
            for outer in dict.fromkeys(names[:-1]):  # "" stands for all of it
                seconds[outer, names[-1]] += amount
                visits[outer, names[-1]] += times
    return {key: (seconds[key] / (seconds["", key[1]] or 1.0), visits[key] / visits["", key[1]]) for key in visits}


def _visits(
    route: Route, size: float, times: float, above: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], float, float]]:
    """Yield the visits of a route with so many bytes: who is held meanwhile and who is visited, seconds, and times."""
    for step in route:
        match step:
            case Visit(station, service, per_byte, inside, share):
                names = (*above, station.name)
                yield names, times * (service.mean + per_byte * share * size), times
                yield from _visits(inside, size, times, names)
            case Repeat(inside, chunk):
                turns = max(ceil(size / chunk - 1e-9), 1)
                yield from _visits(inside, size / turns, times * turns, above)
            case Fan(inside, lanes, share):
                yield from _visits(inside, size * share, times * lanes, above)
            case Pipeline(sections, chunk):
                turns = max(ceil(size / chunk - 1e-9), 1)
                for section in sections:
                    part = size / turns * section.share
                    yield from _visits(section.route, part, times * turns * section.lanes, above)
            case Connected():
                yield from _visits(step.inside, size, times, above)
