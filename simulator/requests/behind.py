"""What goes on behind requests: whether it grows all the time, and a start in which there is as much as will be.

Requests that leave work behind are answered fast until as much is left as may be, then as fast as that goes on. A load
of some thousand requests may be over before that, where one that goes on would be as slow for ever. So it is watched:
if somebody waits for a slot, or more work is left behind than goes away and all that do it have some, the load is begun
anew as it will be.

Not all slots are taken then. Requests go to all copies, and wait for those that have the most of them; at the others a
slot is free at once. What is behind copy i of so many slots is so a queue that gains r of what the fullest loses: n
with a chance of r^n, up to all slots (Gordon and Newell, Closed queuing systems, Operations Research 1967), which for
copies alike is any number. With all slots taken a load of few clients is up to a tenth too slow for long, until enough
copies have drained.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from simulator.requests.lanes import blank
from simulator.requests.program import Left, Program
from simulator.requests.start import FIRST_WORKER, WORKER_DRAWS
from simulator.requests.state import Loop

FEW = 256
"""Requests between two looks at what is behind. Assumption: a load has some thousand at least."""
GROWTH = 0.01
"""Part of what is left behind that does not go away, at which it grows. Assumption, as that of a load as a whole."""
DEVIATIONS = 3.0
"""Standard deviations by which it must, its variance being what there is. Assumption: chance reaches that rarely."""
SETTLED = 0.5
"""Part of a load begun anew that is warm-up: from then on as much is behind as in the end. Assumption."""
LEAST_GAIN, MOST_GAIN = 1e-9, 1 - 1e-9
"""Bounds of what a copy gains, between which the chances can be summed."""
GOLDEN = (math.sqrt(5) - 1) / 2
"""Step from one number between 0 and 1 to the next by which they lie evenly. Source: as of LUCK."""


class Watch:
    """Looks at what is behind the requests of a program, of one begun anew with as much as will be; or at nothing."""

    def __init__(self, program: Program | None = None, *, is_anew: bool = False) -> None:
        behind = tuple(program.behind.values()) if program else ()
        self._rows = [row for left in behind for row in _rows(left)]
        self._gather = np.array([left.visit.gathered for left in behind for _ in _rows(left)])
        self._noted: list[tuple[int, int]] = [(0, 0)]
        self._is_anew, self.fills = is_anew, False

    def reach(self, requests: int) -> int:
        """Return after how many of so many requests to look again."""
        return min(requests, FEW) if self._rows else requests

    def look(self, loop: Loop) -> bool:
        """Note what is behind; return whether it is as much as may be for the first time, so that somebody waits."""
        if self._rows:
            left = loop.stations[self._rows]
            self._noted.append((int(left["visits"].sum()), int((left["slots"] - left["free"]).sum())))
            self.fills = not self._is_anew and bool((left["waited"] > 0).any() or (left["waiting"] > 0).any())
        return self.fills

    def changes(self, loop: Loop) -> bool:
        """Tell whether what is behind has not been as much for long, so that answers are not as fast as what is there.

        Before it fills it may only have grown, by more than chance has it, since half of it came; if all copies have
        more than gathers then, that is for ever. Anew it may also have shrunk, and by chance.
        """
        came, now = self._noted[-1]
        before, held = next(noted for noted in self._noted if noted[0] >= SETTLED * came)
        if self._is_anew:
            return abs(now - held) > GROWTH * (came - before)
        is_growing = now - held > GROWTH * (came - before) + DEVIATIONS * math.sqrt(now)
        taken = (loop.stations["slots"] - loop.stations["free"])[self._rows]
        self.fills = is_growing and bool((taken >= np.maximum(self._gather, 1)).all())
        return is_growing and not self.fills


def all_behind(loop: Loop, program: Program) -> Loop:
    """Return a state before the first request with as much behind requests as there is where the fullest limits."""
    for left in program.behind.values():
        held = _held(left)
        rows = np.repeat(_rows(left), held)
        at, clock, tokens = int(loop.clock[0]["fresh"]), loop.clock[0], loop.tokens
        taken = np.arange(at, at + len(rows))
        clock["spare"] = clock["fresh"] = at + len(rows)
        blank(loop, slice(at, at + len(rows)))
        tokens["pc"][taken], tokens["size"][taken], tokens["root"][taken] = left.begin, left.visit.behind, taken
        tokens["weight"][taken], tokens["held"][taken, left.depth] = 0.0, rows
        tokens["luck"][taken] = FIRST_WORKER + WORKER_DRAWS * taken
        loop.picked[taken, : len(loop.picks)] = taken[:, None] % loop.picks["count"]
        loop.stations["free"][_rows(left)] -= held
        ready = int(clock["ready_count"])
        loop.ring[ready : ready + len(taken)] = taken
        clock["ready_count"] += len(taken)
    return loop


def _held(left: Left) -> Any:
    """Return how many slots are taken of each copy: all of those that most come to, of others as chance has it."""
    slots, copies, pick = left.visit.station.slots, left.visit.station.copies, left.visit.pick
    places = pick.places if pick else None
    coming = np.ones(copies) if places is None else np.bincount(places.copies.ravel(), minlength=copies)
    gains = np.clip(coming / coming.max(), LEAST_GAIN, MOST_GAIN)
    evenly = np.arange(1, copies + 1) * GOLDEN % 1
    held = np.minimum(np.log1p(-evenly * (1 - gains ** (slots + 1))) / np.log(gains), slots).astype(np.int64)
    held[np.argmax(coming)] = slots
    return held


def _rows(left: Left) -> range:
    """Return the stations of which what is behind has slots."""
    return range(left.at, left.at + left.visit.station.copies)
