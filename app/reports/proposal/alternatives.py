"""What else was looked at, and why it is not proposed."""

from __future__ import annotations

from collections.abc import Iterator

from app.reports.document import Bars, Block, Paragraph, Section
from app.reports.plan import plan_answer_document as answers, plan_curves
from app.reports.plan.plan_answer import Judged, PlanAnswer
from app.reports.plan.plan_words import aim
from app.reports.scales import axis_of
from models.target import plain
from simulator.studies.measures import Measure, by_plain_name


def section(answer: PlanAnswer) -> Section:
    """Return the candidates beside each other, and what would mend those that miss something."""
    return Section("alternatives", "Alternatives, and why not", list(_blocks(answer)))


def _blocks(answer: PlanAnswer) -> Iterator[Block]:
    yield answers.candidates(answer)
    if (costs := _costs(answer)) is not None:
        yield costs
    yield answers.requirements(answer)
    yield from plan_curves.drawn(answer)
    yield from map(Paragraph, answers.mends(answer))
    others = (judged for judged in answer.judged if judged is not answer.ranked[0])  # what is proposed has its own
    yield from (Paragraph(f"{judged.name}: {warning}") for judged in others for warning in judged.warnings)


def _costs(answer: PlanAnswer) -> Bars | None:
    """Return what each candidate costs where it meets all but the limits, beside what may be paid."""
    costs = [(judged.name, measure) for judged in answer.ranked if (measure := _objective(answer, judged)) is not None]
    if len(costs) < 2:
        return None
    unit = costs[0][1].unit
    labels, values = [name for name, _ in costs], [(measure.value,) for _, measure in costs]
    for required in answer.plan.requirements.required():
        if plain(required.target.measure) == plain(answer.objective):
            labels.append(f"the limit: {required.words}")
            values.append((required.target.value(unit),))
    title = f"{aim(answer).capitalize()} of what meets {answer.plan.requirements.all_but_limits}"
    return Bars(title, axis_of(aim(answer), unit), labels, ("candidates",), values)


def _objective(answer: PlanAnswer, judged: Judged) -> Measure | None:
    option = judged.meeting
    return by_plain_name(option.measures).get(plain(answer.objective)) if option is not None else None
