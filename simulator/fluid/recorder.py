"""What was used, when, and what held it up: integrals that the kernel keeps up to date, and their reading.

Every integral is brought forward only when its integrand changes, so an event costs nothing for what it leaves alone.
Utilization goes into a fixed number of equal time bins; when time outgrows them, pairs are merged: the width doubles.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.values import value
from simulator.compiled import compiled, inlined
from simulator.fluid.state import Tables


@inlined
def record_class(t: Tables, c: int, now: float) -> None:
    """Bring the progress of a class forward, and book the time of its members, by their shares, on what limits them."""
    k = t.classes[c]
    elapsed = now - k["since"]
    if elapsed > 0.0:
        k["progress"] += k["rate"] * elapsed
        t.blame[k["tag"], k["limit"]] += t.shares[c] * elapsed
    k["since"] = now


@inlined
def record_resource(t: Tables, i: int, now: float) -> None:
    """Bring the integrals of a resource forward."""
    r = t.resources[i]
    start = r["since"]
    if now > start and r["usage"] > 0.0:
        share = r["usage"] / whole(t, r)
        r["used"] += r["usage"] * (now - start)
        r["busy"] += share * (now - start)
        spread(t.bins, i, start, now, share, t.state[0]["width"])
    r["since"] = now


@inlined
def whole(t: Tables, r: Any) -> float:
    """Return what a resource gives a second when fully used: a processor with a few busy threads has more to give."""
    return float(max(r["capacity"], t.capacities[r["table"] + r["steps"] - 1]))


@compiled
def spread(bins: Any, row: int, start: float, end: float, share: float, width: float) -> None:
    """Add `share` times the seconds from `start` to `end` to the bins in which they fall."""
    last = min(int(end / width), bins.shape[0] - 1)
    at = min(int(start / width), last)
    while at < last:
        edge = (at + 1) * width
        bins[at, row] += share * (edge - start)
        start = edge
        at += 1
    bins[last, row] += share * (end - start)


@compiled
def widen(t: Tables, now: float) -> None:
    """Merge pairs of bins until they reach up to `now`."""
    s, bins = t.state[0], t.bins
    half = bins.shape[0] // 2
    while now >= s["width"] * bins.shape[0]:
        for at in range(half):
            for row in range(bins.shape[1]):
                bins[at, row] = bins[2 * at, row] + bins[2 * at + 1, row]
        for at in range(half, 2 * half):
            for row in range(bins.shape[1]):
                bins[at, row] = 0.0
        s["width"] *= 2.0


@value()
class Books:
    """What a run used, up to `time` (s). Arrays have one row a resource, in the order of `Resources`.

    `used` is in units of the resource, `busy` in seconds at full capacity (the capacity at the time, where more streams
    would lower it). `utilization` of shape (resources, bins) is 0 to 1 in bins of `bin_width` seconds.
    `blame[tag, limit]` is the time (s, summed over works) in which works with a tag were held up by a limit: a group of
    resources, a cap in the words of its demand, or what a delay stands for. What is done side by side shares the time.
    """

    time: float
    used: NDArray[np.float64]
    busy: NDArray[np.float64]
    bytes: NDArray[np.float64]
    bin_width: float
    utilization: NDArray[np.float64]
    blame: dict[tuple[int, str], float]

    def without(self, earlier: Mapping[int, float]) -> Books:
        """Return the books without so many bytes of some resources, which no work of the run is about.

        When they moved is not known: what is left of a resource is told evenly over the bins in which it was busy.
        """
        used, busy, moved, series = (rows.copy() for rows in (self.used, self.busy, self.bytes, self.utilization))
        within = np.diff(np.minimum(np.arange(series.shape[1] + 1) * self.bin_width, self.time))
        for row, amount in earlier.items():
            if not amount or not moved[row]:
                continue
            part, evenly = min(amount / moved[row], 1.0), within * (series[row] > 0)
            series[row] = (1 - part) * series[row].sum() * evenly / evenly.sum()
            for rows in (used, busy, moved):
                rows[row] *= 1 - part
        return replace(self, used=used, busy=busy, bytes=moved, utilization=series)

    def scaled(self, start: float, scale: float, steady: slice, moved: NDArray[np.bool_], tail: float) -> Books:
        """Return the books of a run that does `scale` times what comes after `start` (s).

        What comes on top is done as in the `steady` bins, of which the bytes on the resources that are `moved` tell
        what part they do; where that is nothing, as in all the time since `start`. The time that is lost behind these
        bins, as less is done there, grows by the power `tail` of the scale.
        """
        if scale == 1:
            return self
        whole = float(self.used[moved].sum())
        used = np.divide(self.used, self.busy, out=np.zeros_like(self.busy), where=self.busy > 0)[moved]
        busy, after = (
            self.utilization[:, bins].sum(axis=1) * self.bin_width for bins in (steady, slice(steady.stop, None))
        )
        part, left = (float(used @ seconds[moved]) / max(whole, 1.0) for seconds in (busy, after))
        took = (steady.stop - steady.start) * self.bin_width
        lost = self.time - steady.stop * self.bin_width
        if part > 0:
            lost -= left / part * took
        else:
            part, took, busy, lost = 1.0, self.time - start, self.busy, 0.0
        time = self.time + (scale - 1) / part * took + max(lost, 0.0) * (scale**tail - 1)
        longer = (time - start) / (self.time - start)
        return Books(
            time=time,
            used=self.used * scale,
            busy=self.busy + (scale - 1) / part * busy,
            bytes=self.bytes * scale,
            bin_width=self.bin_width * time / self.time,
            utilization=self.utilization,
            blame={limit: seconds * longer for limit, seconds in self.blame.items()},
        )

    def beside(self, parts: NDArray[np.float64], capacity: NDArray[np.float64]) -> Books:
        """Return the books with what others had beside the works: a part of each resource in each bin, 0 to 1.

        Both are of shape (resources, bins), and (resources,) in units per second.
        """
        whole = self.utilization * (1 - parts) + parts
        edges = np.minimum(np.arange(parts.shape[1] + 1) * self.bin_width, self.time)
        widths = np.diff(edges)
        return replace(self, utilization=whole, busy=whole @ widths, used=self.used + capacity * (parts @ widths))

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean utilization of each resource, 0 to 1."""
        return self.busy / self.time if self.time > 0 else self.busy

    @property
    def peak(self) -> NDArray[np.float64]:
        """Utilization of each resource in its busiest bin, 0 to 1."""
        return np.asarray(self.utilization.max(axis=1, initial=0.0))


@value()
class Behind:
    """The seconds, summed over works, in which each limit held up what drains, and in which others waited for it."""

    held: Mapping[str, float]
    waited: float


NOBODY = Behind({}, 0.0)


@value()
class HeldUp:
    """The seconds, summed over works, in which each limit held the works of a tag up until some moment.

    What drains behind them comes from page caches (`cached`) or from other pools (`sent`).
    """

    works: Mapping[str, float]
    cached: Behind = NOBODY
    sent: Behind = NOBODY


def utilization(bins: NDArray[np.float64], width: float, time: float) -> NDArray[np.float64]:
    """Return the busy share of each bin that has begun; the last counts only up to `time`."""
    begun = min(math.ceil(time / width), bins.shape[0])
    edges = np.minimum(np.arange(begun + 1) * width, time)
    return np.divide(np.ascontiguousarray(bins[:begun].T), np.diff(edges))
