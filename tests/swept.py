"""A small sweep over servers and replicas, of which one point cannot be run."""

from __future__ import annotations

from app.reports.sweep.sweep_points import SweptPoint, VariedKey

COUNT = VariedKey("cluster.groups.workers.count", "count", ("4", "8", "16"), "", (4.0, 8.0, 16.0))
REPLICAS = VariedKey("storage.replication", "replication", ("2", "3"), "", (2.0, 3.0))


def point(index: int, count: str, replicas: str, duration: float | None, cost: float = 0.0) -> SweptPoint:
    measures = {"cost_over_3_years": (cost, "USD", False)} if cost else {}
    measures |= {"duration": (duration, "s", False)} if duration else {}
    return SweptPoint(
        index=index,
        values=((COUNT.key, count), (REPLICAS.key, replicas)),
        duration=duration,
        limit="workers/cpu (90 %)" if duration else "cannot be run",
        measures=measures,
        reason="" if duration else "does not fit",
    )


POINTS = (
    point(0, "4", "2", 100.0, 10),
    point(1, "8", "2", 9.0, 20),
    point(2, "16", "3", 20.0, 40),
    point(3, "16", "2", None),
)
