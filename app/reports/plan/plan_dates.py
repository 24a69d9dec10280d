"""From which day on each candidate of a plan misses a requirement, as a table."""

from __future__ import annotations

from app.reports.document import Column, Table
from app.reports.plan.plan_answer import Judged, Met, PlanAnswer

NEVER = "not within the horizon"


def table(answer: PlanAnswer) -> Table:
    """Return the day of the first miss by requirement and candidate; limits such as a budget come on no day."""
    columns = (Column("first missed"), *(Column(judged.name) for judged in answer.judged))
    rows = [
        (required.words, *(_cell(answer, judged, i) for judged in answer.judged))
        for i, required in enumerate(answer.plan.requirements.required())
        if not required.is_limit
    ]
    return Table("First missed", columns, rows)


def _cell(answer: PlanAnswer, judged: Judged, number: int) -> str:
    return first_missed(answer, judged.met[number]) if judged.met else "–"


def first_missed(answer: PlanAnswer, met: Met) -> str:
    """Return in words from which day on a requirement is missed."""
    if met.is_met is None:
        return met.untold
    if met.is_met:
        return NEVER
    if met.first_missed is None:
        return "not known"
    return "from the start" if met.first_missed == answer.plan.requirements.start else f"{met.first_missed}"
