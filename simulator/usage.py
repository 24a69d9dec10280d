"""Who uses what, sampled while a run goes on: the part of each group of resources that each owner of works takes.

Once in each bin of the recorder, at a place in it that wanders, the works under way are looked at. Their sum over all
owners is known exactly from the books, so that only the shares rest on the samples.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from simulator.activities import FIRST_WIDTH
from simulator.engine import Engine

Floats = NDArray[np.float64]

LEAST = 1 / 64
"""Seconds between two samples at least. Assumption: nobody asks who took what in less."""
WANDER = (math.sqrt(5) - 1) / 2
"""Part of a bin by which the place of a sample moves on: the golden section, which meets no period."""


class Usage:
    """The samples of one run. Owners are numbered from 0; 0 are works of nobody, such as those of a rebuild."""

    def __init__(self, engine: Engine, owners: int) -> None:
        self._engine = engine
        tables = engine.activities.tables
        self._groups = tables.resources["group"].copy()
        self._many, self._bins = int(self._groups.max(initial=0)) + 1, tables.bins.shape[1]
        self._owners = np.zeros(1, np.int64)  # of each tag
        self._taken = np.zeros((owners, self._many, self._bins))
        self._streams = np.zeros((len(self._groups), self._bins))
        self._samples = np.zeros(self._bins)
        self._width, self._place, self._is_awake = FIRST_WIDTH, 0.0, False

    def own(self, tags: Iterable[int], owner: int) -> None:
        """Let works with some tags be those of an owner."""
        for tag in tags:
            if tag >= len(self._owners):
                self._owners = np.concatenate([self._owners, np.zeros(tag + 64 - len(self._owners), np.int64)])
            self._owners[tag] = owner

    def wake(self) -> None:
        """Sample from now on, as long as works are under way."""
        if not self._is_awake:
            self._is_awake = True
            self._engine.call_after(0.0, self._sample)

    def _sample(self) -> None:
        engine = self._engine
        if not len(engine.activities):
            self._is_awake = False
            return
        while engine.now >= self._width * self._bins:
            self._widen()
        at = min(int(engine.now / self._width), self._bins - 1)
        self._look(at)
        step = max(self._width, LEAST)
        self._place = (self._place + WANDER) % 1.0
        after = (math.floor(engine.now / step) + 1 + self._place) * step
        engine.call_at(after, self._sample)

    def _look(self, at: int) -> None:
        """Add the works under way to a bin."""
        tables = self._engine.activities.tables
        uses = tables.uses[tables.uses["owner"] >= 0]
        rows = uses["owner"]
        counts = tables.classes["count"][rows]
        taken = counts * tables.classes["rate"][rows] * uses["cost"]
        owners = self._owners[np.minimum(tables.paces["tag"][rows], len(self._owners) - 1)]
        resources = uses["resource"].astype(np.int64)
        cells = owners * self._many + self._groups[resources]
        found = np.bincount(cells, taken, len(self._taken) * self._many)
        self._taken[:, :, at] += found.reshape(len(self._taken), self._many)
        self._streams[:, at] += np.bincount(resources, counts, len(self._groups))
        self._samples[at] += 1

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
        """Return the part that each owner takes of what is used, of shape (owners, groups, bins); 0 where nobody is."""
        taken = self._taken[:, :, self._sampled(bins)]
        total = taken.sum(axis=0)
        return np.asarray(np.divide(taken, total, out=np.zeros_like(taken), where=total > 0))

    def streams(self, bins: int) -> Floats:
        """Return the mean number of works on each resource, of shape (resources, bins)."""
        bin_of = self._sampled(bins)
        return np.asarray(self._streams[:, bin_of] / np.maximum(self._samples[bin_of], 1.0))

    def _sampled(self, bins: int) -> NDArray[np.int64]:
        """Return for each bin the last one up to it in which there was a sample; the first one before there was any."""
        places = np.where(self._samples[:bins] > 0, np.arange(bins), -1)
        reached = np.maximum(np.maximum.accumulate(places), int(np.argmax(self._samples[:bins] > 0)))
        return np.asarray(reached, np.int64)
