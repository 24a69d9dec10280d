"""Loads whose clients send at a rate: what a store carries of it, and how much more it could."""

from __future__ import annotations

import math

from models.work import Metrics
from simulator.studies.points import Answer

RATES = ("1/s", "B/s")
OFFERED, CARRIED, FAILED = "offered rate", "request rate", "failed"
"""Metrics of a load whose clients send at a rate."""


def headroom(answer: Answer, unit: str) -> float:
    """Return how many times as much of a rate that clients send a store could carry, until its busiest part is full.

    That is 1 for what is no such rate, and where the store does not keep up.
    """
    if unit not in RATES or not keeps_up(answer.metrics):
        return 1.0
    return 1 / max((group.utilization_mean for group in answer.groups if group.utilization_mean), default=1.0)


def keeps_up(metrics: Metrics) -> bool:
    """Tell whether a load is carried as it is sent: none of its requests fails, or waits for ever longer."""
    is_sent = OFFERED in metrics and metrics.get(CARRIED, (0.0, ""))[0] > 0
    return is_sent and not metrics.get(FAILED, (0.0, ""))[0] and all(value < math.inf for value, _ in metrics.values())


def as_sent(metrics: Metrics) -> Metrics:
    """Return the metrics of a load with the rates at which clients send where the store keeps up.

    What a sample comes to is off by chance, and the same of all rates: as many more came in it, or fewer.
    """
    if not keeps_up(metrics):
        return metrics
    off = metrics[OFFERED][0] / metrics[CARRIED][0]
    return {
        name: (value * off if unit in RATES and name != OFFERED else value, unit)
        for name, (value, unit) in metrics.items()
    }
