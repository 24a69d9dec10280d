"""When processes start that are asked for at once: not all at the same moment.

Processes that take equally long from equal starts would keep step for a whole job, as no real ones do.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

START_STEP = 0.1
"""Seconds between the moments at which processes start. Assumption: finer than the heartbeats that start them."""


def starts(mean: float, spread: float, drawn: NDArray[np.uint64]) -> list[float]:
    """Return the seconds in which processes start, evenly `spread` (s) around a mean, by a number drawn for each."""
    steps = math.floor(spread / START_STEP + 1e-9)
    known = [mean + turn * START_STEP for turn in range(-steps, steps + 1)]
    return [known[turn] for turn in (drawn % len(known)).tolist()]
