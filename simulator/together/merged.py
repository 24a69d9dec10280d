"""How requests fared in all windows of a day together: rates, and percentiles with their 95 % intervals.

Each window counts with as many requests as came in it. The part of all requests below a percentile is then the mean of
those of the windows, weighted so, and its variance the sum of theirs: a window whose requests meet the same queues says
less than as many independent ones (`simulator/requests`). Between the percentiles to which the interval of that part
leads lies the interval of the percentile. That the bins of a window fare alike is a model, of which it says nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simulator.requests.estimates import Estimate, Series, merged_percentiles, sum_of
from simulator.requests.run import RequestResult
from simulator.together.loads import Load
from simulator.together.windows import Background, Window

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Merged:
    """How requests of a kind fared in all windows: percentiles of their times (s), requests and bytes a second."""

    latency: Mapping[str, Estimate]
    first_byte: Mapping[str, Estimate]
    rate: Estimate
    throughput: Estimate


@dataclass(slots=True)
class _Kind:
    """What the windows say of a kind: samples with the requests for which they stand, and rates by their weights."""

    latency: list[tuple[Series, float]]
    first_byte: list[tuple[Series, float]]
    rates: list[tuple[Estimate, float]]
    bandwidths: list[tuple[Estimate, float]]


def merged(windows: Sequence[Window], load: Load, ground: Background) -> dict[str, Merged]:
    """Return how each kind of a load fared, and under "" all of them together."""
    kinds: dict[str, _Kind] = {}
    lasted = sum(end - start for start, end in load.spans)
    for result, time in _times(windows, load, ground):
        for name, (times, first) in result.samples.items():
            owner, _, label = name.partition("/")
            if owner != load.entry.name:
                continue
            rate, bandwidth = result.rates[name], result.bandwidths[name]
            kind = kinds.setdefault(label, _Kind([], [], [], []))
            kind.latency.append((times, rate.value * time))
            kind.first_byte.append((first, rate.value * time))
            kind.rates.append((rate, time / lasted))
            kind.bandwidths.append((bandwidth, time / lasted))
    whole = _Kind([], [], [], [])
    for kind in kinds.values():
        whole.latency += kind.latency
        whole.first_byte += kind.first_byte
        whole.rates += kind.rates
        whole.bandwidths += kind.bandwidths
    return {
        label: Merged(
            merged_percentiles(kind.latency),
            merged_percentiles(kind.first_byte),
            sum_of(kind.rates),
            sum_of(kind.bandwidths),
        )
        for label, kind in {**kinds, "": whole}.items()
    }


def _times(windows: Sequence[Window], load: Load, ground: Background) -> list[tuple[RequestResult, float]]:
    """Return each sample with the seconds in which a load came so: windows may share one."""
    times: dict[int, tuple[RequestResult, float]] = {}
    for window in windows:
        pairs = zip(window.bins, window.seconds, strict=True)
        time = sum(float(seconds) for at, seconds in pairs if load.factor(ground.time[at]))
        if time:
            known = times.get(id(window.result), (window.result, 0.0))[1]
            times[id(window.result)] = window.result, known + time
    return list(times.values())
