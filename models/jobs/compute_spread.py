"""How unequally tasks with equal inputs compute: log-normal about the mean, in a few steps of equal share.

Tasks that all take exactly as long keep step for a whole job, as no real ones do: a container more or less on one
server then decides a wave.
"""

from __future__ import annotations

import math
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING, Any

from models.quantity import setting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STEPS = 8
"""Steps between which the tasks of a stage are dealt. Assumption: detail of the model only, so few that works of one
kind are few for the engine."""


def compute_spread() -> Any:
    """Return the field of how unequally tasks compute, of whatever runs them."""
    return setting(
        "Standard deviation of the logarithm of the processor time of tasks of a stage with equal inputs, on top of "
        "what waits and queues make of it; 0: all alike.",
        default=0.031,
        source="prior: processor times of tasks of one stage with equal inputs, quartiles, median of three clusters: a "
        "workstation (0.028 and 0.035) and two workers on Azure (0.151, within either 0.03) of logs in "
        "NVIDIA/spark-rapids-tools, four executors on EKS (0.011) of one in kubeflow/mcp-apache-spark-history-server; "
        "durations, with waits in them, have 0.05 to 0.14 in traces of Hadoop and Shark",
        between=(0.011, 0.15),
        ge=0,
        le=1,
    )


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
