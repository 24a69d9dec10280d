"""How unequally tasks with equal inputs compute: log-normal about the mean, in a few steps of equal share.

Tasks that all take exactly as long keep step for a whole job, as no real ones do: a container more or less on one
server then decides a wave.
"""

from __future__ import annotations

import math
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STEPS = 8
"""Steps between which the tasks of a stage are dealt. Assumption: detail of the model only, so few that works of one
kind are few for the engine."""


def dealt(spread: float, drawn: NDArray[np.uint64]) -> list[float]:
    """Return what each task computes, over the mean of all, by a number drawn for each; 1 where nothing is spread."""
    import numpy as np

    tasks = len(drawn)
    steps = min(STEPS, tasks)
    if not spread or steps < 2:
        return [1.0] * tasks
    normal = NormalDist()
    middles = [normal.inv_cdf((step + 0.5) / steps) for step in range(steps)]
    deviation = math.sqrt(fmean(middle**2 for middle in middles))
    times = np.exp([spread / deviation * middle for middle in middles])
    places = np.empty(tasks, np.int64)
    places[np.argsort(drawn, kind="stable")] = np.arange(tasks) * steps // tasks
    scattered: list[float] = (times / times[places].mean())[places].tolist()
    return scattered
