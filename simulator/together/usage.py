"""Who uses what, sampled while a run goes on: the part of each group of resources that each owner of works takes.

Four times in each bin of the recorder, at places in it that wander, and when tasks begin in a bin without a sample,
the works under way are looked at. Their sum over all owners is known exactly from the books, so that only the shares
rest on the samples.

How many streams a resource has follows from the same samples. A stream is where its bytes are: one that reads from all
drives, one after the other, is at each for a part of its time, so that of many of them each drive has few at a time
(the mean number present is the sum of these parts). One whose bytes pass several side by side, as those of replicas
do, is at each all the time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from simulator.engine import Engine
from simulator.fluid.activities import FIRST_WIDTH

Floats = NDArray[np.float64]

LEAST = 1 / 64
"""Seconds between two samples at least. Assumption: nobody asks who took what in less."""
LOOKS = 4
"""Samples of a bin. Assumption: what goes on for a quarter of a bin is met."""
NEAR = 8
"""Bins from one in which no sample met the users of a group to one that says who they are. Assumption."""
WANDER = (math.sqrt(5) - 1) / 2
"""Part of a step by which the place of a sample moves on: the golden section, which meets no period."""


class Usage:
    """The samples of one run. Owners are numbered from 0; 0 are works of nobody, such as those of a rebuild."""

    def __init__(self, engine: Engine, owners: int) -> None:
        self._engine = engine
        tables = engine.activities.tables
        self._groups = tables.resources["group"].copy()
        self._many, self._bins = int(self._groups.max(initial=0)) + 1, tables.bins.shape[0]
        self._owners = np.zeros(1, np.int64)  # of each tag
        self._taken = np.zeros((owners, self._many, self._bins))
        self._streams = np.zeros((len(self._groups), self._bins))
        self._samples = np.zeros(self._bins)
        self._width, self._place, self._is_awake, self._in_vain = FIRST_WIDTH, 0.0, False, 0
        self._is_to_look = False

    def own(self, tags: Iterable[int], owner: int) -> None:
        """Let works with some tags be those of an owner."""
        for tag in tags:
            if tag >= len(self._owners):
                self._owners = np.concatenate([self._owners, np.zeros(tag + 64 - len(self._owners), np.int64)])
            self._owners[tag] = owner

    def wake(self) -> None:
        """Sample from now on, until for long nothing is under way; a bin without a sample gets one at once."""
        if not self._is_awake:
            self._is_awake, self._in_vain = True, 0
            self._engine.call_after(0.0, self._sample)
        elif not self._is_to_look and not self._samples[self._at()]:
            self._is_to_look = True
            self._engine.call_after(0.0, self._look)

    def _sample(self) -> None:
        """Look at the works, and again in the next step, unless nothing was under way for as long as the run takes.

        While nothing can happen any more, this ends, so that the engine tells.
        """
        engine = self._engine
        self._in_vain = 0 if len(engine.activities) else self._in_vain + 1
        if self._in_vain > LOOKS * self._bins:
            self._is_awake = False
            return
        self._look()
        step = max(self._width / LOOKS, LEAST)
        self._place = (self._place + WANDER) % 1.0
        after = (math.floor(engine.now / step) + 1 + self._place) * step
        engine.call_at(after, self._sample)

    def _at(self) -> int:
        """Return the bin of this instant, after making bins so wide that there is one."""
        while self._engine.now >= self._width * self._bins:
            self._widen()
        return int(min(self._engine.now // self._width, self._bins - 1))

    def _look(self) -> None:
        """Add the works under way, if there are any, to their bin."""
        self._is_to_look = False
        at, activities = self._at(), self._engine.activities
        if not len(activities):
            return
        tables = activities.tables
        is_used = tables.uses["owner"] >= 0
        uses, moved = tables.uses[is_used], tables.moved[is_used]
        rows = uses["owner"]
        counts = tables.classes["count"][rows]
        taken = counts * tables.classes["rate"][rows] * uses["cost"]
        owners = self._owners[np.minimum(tables.classes["tag"][rows], len(self._owners) - 1)]
        resources = uses["resource"].astype(np.int64)
        cells = owners * self._many + self._groups[resources]
        sums = np.bincount(cells, taken, len(self._taken) * self._many)
        self._taken[:, :, at] += sums.reshape(len(self._taken), self._many)
        parts = self._parts(rows, resources, uses["cost"], moved)
        self._streams[:, at] += np.bincount(resources, counts * parts, len(self._groups))
        self._samples[at] += 1

    def _parts(self, rows: NDArray[np.int64], resources: NDArray[np.int64], cost: Floats, moved: Floats) -> Floats:
        """Return for each use how many streams of its work are at the resource on average.

        Where bytes move these are the bytes of one, at most all of them, times the streams that the work stands for;
        elsewhere, as at processors, the part of what the work costs the group.
        """
        kinds = self._engine.activities.tables.kinds
        weight = np.asarray(kinds["weight"][rows])
        cells = rows * self._many + self._groups[resources]
        total = np.bincount(cells, cost, len(kinds) * self._many)[cells]
        spent = np.divide(cost, total, out=np.ones_like(cost), where=total > 0)
        return np.asarray(np.where(moved > 0, np.minimum(moved, weight), weight * spent))

    def _widen(self) -> None:
        """Merge pairs of bins."""
        half = self._bins // 2
        for table in (self._taken, self._streams, self._samples):
            pairs = table.reshape(*table.shape[:-1], half, 2).sum(axis=-1)
            table[..., :half], table[..., half:] = pairs, 0.0
        self._width *= 2

    def reach(self, width: float) -> None:
        """Let bins be as wide (s) as those of the books, which go on when no work does."""
        while self._width < width:
            self._widen()

    def shares(self, bins: int) -> Floats:
        """Return the part that each owner takes of what is used, of shape (owners, groups, bins); 0 where nobody is.

        A bin in which no sample met the users of a group has those of the nearest one that did, if it is `NEAR`.
        """
        total = self._taken[:, :, :bins].sum(axis=0)
        nearest = _nearest(total > 0)
        taken, total = (
            np.take_along_axis(counts[..., :bins], nearest[None], axis=-1) for counts in (self._taken, total[None])
        )
        return np.asarray(np.divide(taken, total, out=np.zeros_like(taken), where=total > 0))

    def streams(self, bins: int) -> Floats:
        """Return the mean number of streams at each resource, of shape (resources, bins)."""
        bin_of = self._sampled(bins)
        return np.asarray(self._streams[:, bin_of] / np.maximum(self._samples[bin_of], 1.0))

    def _sampled(self, bins: int) -> NDArray[np.int64]:
        """Return for each bin the last one up to it in which there was a sample; the first one before there was any."""
        places = np.where(self._samples[:bins] > 0, np.arange(bins), -1)
        reached = np.maximum(np.maximum.accumulate(places), int(np.argmax(self._samples[:bins] > 0)))
        return np.asarray(reached, np.int64)


def _nearest(is_met: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return for each bin of each row the nearest one that is met, of two as near the one before; itself if none is."""
    bins = np.arange(is_met.shape[1])
    before = np.maximum.accumulate(np.where(is_met, bins, -NEAR - 1), axis=1)
    after = np.minimum.accumulate(np.where(is_met, bins, len(bins) + NEAR)[:, ::-1], axis=1)[:, ::-1]
    nearest = np.where(bins - before <= after - bins, before, after)
    return np.where(np.abs(nearest - bins) <= NEAR, nearest, bins)
