"""Data that is only kept, as a plan: nothing is executed, and all that is measured is known without a run."""

from __future__ import annotations

from models.jobs.storing import Storing
from models.plan import Ground, Plan
from models.work import Job, Metric


def plan(kept: Storing, ground: Ground) -> Plan:
    """Return a plan without tasks, measured by what planning says of the room."""
    nodes = ground.layout.nodes
    nothing = Job(kept.kind, (), [0] * len(nodes), [node.rack for node in nodes])
    metrics = {name: Metric.known(unit, value) for name, (value, unit) in ground.room().items()}
    return Plan(ground.layout, nothing, metrics)
