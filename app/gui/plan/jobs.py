"""The search over all candidates of a plan in the child process; its answer is plain data. Knows no Qt."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.gui.jobs.counting import counted
from app.gui.jobs.run import Report, Reporter
from app.gui.session.plan_answer import ShownCandidate, ShownLimit, ShownMap, ShownMet, ShownPlan, ShownPoint
from app.gui.studies.paper import readable
from app.gui.studies.points import Place
from models.target import spelled

if TYPE_CHECKING:
    from app.reports.plan.plan_answer import Judged, Met, PlanAnswer
    from app.reports.plan.plan_decision import FlipMap
    from app.reports.proposal.found import Proposal
    from models.planning.study import Plan
    from simulator.studies.size import Option


COUNTED = "survives"  # what measures begin with that count failures


@dataclass(frozen=True, slots=True)
class Planned:
    """What a plan came to as it is shown, and its proposal, for the child process alone."""

    shown: ShownPlan
    proposal: bytes


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of a candidate that were simulated."""

    candidate: str
    points: tuple[ShownPoint, ...]


@dataclass(frozen=True, slots=True)
class Curves:
    """All curves have been told, of so many points."""

    count: int


@dataclass(frozen=True, slots=True)
class Redrawn:
    """The page of a plan's report, with another cover."""

    page: str


def answer_plan(report: Reporter, text: str, path: Path, place: Place, locale: str) -> Planned:
    """Search the options of all candidates of a plan; one that is stopped answers with the best so far.

    The decision is told before its report is written, which takes a while.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    from app.planning.logo import picture
    from app.planning.plans.plan_search import planned
    from app.planning.proposing import proposed
    from app.reports.locales import locale_of
    from profiles.plans.sheet import sheet_of_text
    from simulator.studies.store import Store

    locale_of(locale)  # a mistake is told before the search
    report(0.0, "Working out the options")
    sheet = sheet_of_text(text, path)
    picture(sheet.plan.logo, path)
    with Store(place.store) as store:
        answer = planned(sheet, place.workers, counted(report), store)

    def told() -> Planned:
        shown = _shown(answer, text)
        report.tell(shown)
        report(1.0, "Writing the report")
        made = proposed(sheet, answer)
        return Planned(shown.model_copy(update={"page": _page(made, locale)}), pickle.dumps(made))

    try:
        return told()
    except KeyboardInterrupt:  # the search has ended: what was to be stopped is done
        return told()


def simulate_curves(report: Reporter, text: str, path: Path, place: Place, objective: str) -> Curves:
    """Simulate some numbers of servers of each candidate, and tell of each candidate as soon as it is done.

    Raises:
        ProblemError: with all that is wrong with the plan.
    """
    from app.planning.plans.plan_search import curves
    from profiles.plans.sheet import sheet_of_text
    from simulator.studies.store import Store

    sheet, count = sheet_of_text(text, path), 0
    with Store(place.store) as store:
        for options in curves(sheet, place.workers, counted(report), store):
            if options:
                points = tuple(_points(options, sheet.plan, objective))
                report.tell(Curve(options[0].candidate, points))
                count += len(points)
    return Curves(count)


def draw_plan(report: Report, proposal: bytes, text: str, path: Path, locale: str, suffix: str) -> bytes:
    """Return the report of a plan in the form of a suffix, the bytes that the command writes.

    Raises:
        ProblemError: the logo cannot be used, or nothing is known of the locale.
    """
    from app.reports.forms.documents import render
    from app.reports.locales import locale_of
    from app.reports.proposal.document import document

    report(0.0, f"Writing {suffix}")
    return render(document(_covered(proposal, text, path)), suffix, locale_of(locale))


def redraw_plan(report: Report, proposal: bytes, text: str, path: Path, locale: str) -> Redrawn:
    """Return the page of a plan whose cover has changed.

    Raises:
        ProblemError: the logo cannot be used, or nothing is known of the locale.
    """
    report(0.0, "Writing the report")
    return Redrawn(_page(_covered(proposal, text, path), locale))


def _covered(kept: bytes, text: str, path: Path) -> Proposal:
    from app.planning.proposing import covered
    from profiles.plans.sheet import sheet_of_text

    made: Proposal = pickle.loads(kept)
    return covered(made, sheet_of_text(text, path))


def _page(made: Proposal, locale: str) -> str:
    from app.reports.forms.documents import render
    from app.reports.locales import locale_of
    from app.reports.proposal.document import document

    return readable(render(document(made), ".html", locale_of(locale)).decode())


def _shown(answer: PlanAnswer, text: str) -> ShownPlan:
    from app.reports.plan.plan_answer_document import verdict

    return ShownPlan(
        asked=text,
        verdict=" ".join(verdict(answer)),
        objective=spelled(answer.objective),
        unit=answer.unit,
        candidates=tuple(_candidate(answer, judged) for judged in answer.ranked),
        limits=tuple(_limits(answer)),
        maps=tuple(map(_map, answer.maps)),
    )


def _map(flip_map: FlipMap) -> ShownMap:
    from app.reports.plan.plan_decision import heat_map, map_sentence

    drawn = heat_map(flip_map)
    return ShownMap(
        name=drawn.name,
        said=map_sentence(flip_map),
        x=drawn.x,
        y=drawn.y,
        columns=tuple(drawn.columns),
        rows=tuple(drawn.rows),
        cells=tuple(map(tuple, drawn.cells)),
        names=tuple(drawn.names),
        asked=drawn.asked,
    )


def _candidate(answer: PlanAnswer, judged: Judged) -> ShownCandidate:
    from app.reports.plan.plan_words import designed, doubt

    option = judged.option
    return ShownCandidate(
        name=judged.name,
        number=list(answer.plan.candidates).index(judged.name),
        option=designed(option) if option else "",
        values=tuple(option.values) if option else (),
        is_feasible=judged.is_feasible,
        met=tuple(_met(met) for met in judged.met),
        facts=_facts(answer, judged, option) if option else {},
        mends=_mends(answer, judged),
        warnings=judged.warnings,
        points=tuple(_points(answer.known_of(judged), answer.plan, answer.objective)),
        but=judged.but,
        doubt=doubt(judged, answer.plan.requirements.confidence),
    )


def _met(met: Met) -> ShownMet:
    from app.reports.plan.plan_words import SPARED, by, probability, shown, side, to_spare

    text = shown(met.measure, met.required.target if met.is_met is False else None)
    if met.margin is None:
        text = met.untold
    elif met.is_spared:
        text = SPARED.partition(" ")[2]
    elif met.required.target.measure.startswith(COUNTED) and met.measure is not None:
        text = "any number may fail" if math.isinf(met.measure.value) else f"{text} may fail"
    elif met.margin is not None and math.isfinite(met.margin):
        text += f", {to_spare(met) if met.margin >= 0 else f'{by(met)}{side(met)}'}"
        text += f" from {met.first_missed} on" if met.margin < 0 and met.first_missed else ""
    if met.chance is not None:
        text += f", {'' if met.is_met else 'met '}in {probability(met.chance)} of the cases"
    return ShownMet(
        words=met.required.words,
        said=text,
        is_met=met.is_met,
        margin=met.margin,
        chance=met.chance,
        likely=met.prediction.likely if met.prediction is not None else "",
    )


def _facts(answer: PlanAnswer, judged: Judged, option: Option) -> dict[str, str]:
    """Return what the strip says of an option: of each measure that it has; of a run also between what it lies."""
    from app.reports.plan.plan_facts import facts
    from app.reports.plan.plan_words import shown
    from simulator.studies.measures import by_plain_name

    times = {}
    for met in [need for need in judged.met if need.required.workload and need.measure is not None][:1]:
        sure = f", {met.prediction.likely}" if met.prediction is not None else ""
        times[met.required.words.removesuffix(" is done in time")] = f"{shown(met.measure)}{sure}"
    return facts(by_plain_name(option.measures), answer.objective, times)


def _mends(answer: PlanAnswer, judged: Judged) -> str:
    """Return what would let a candidate meet all but the limits; "" if it meets all, be it beyond its range."""
    from app.reports.plan.plan_mending import mend

    if judged.is_beyond and judged.but:
        return ""
    return mend(answer, judged.wanting) if judged.wanting else "; ".join(judged.reasons)


def _points(options: Sequence[Option], plan: Plan, objective: str) -> Iterator[ShownPoint]:
    from app.reports.plan.plan_curves import points

    for point in points(options, plan, objective):
        yield ShownPoint(servers=point.servers, objective=point.objective, values=dict(point.values))


def _limits(answer: PlanAnswer) -> Iterator[ShownLimit]:
    from app.reports.plan.plan_curves import limits

    for limit in limits(answer):
        yield ShownLimit(words=limit.words, unit=limit.unit, limit=limit.at, is_simulated=limit.is_simulated)


def profile_text(report: Report, text: str, path: Path, candidate: str, values: Sequence[tuple[str, str]]) -> str:
    """Return an option of a plan as the text of a profile.

    Raises:
        ProblemError: with what is wrong with it.
    """
    from profiles.plans.sheet import sheet_of_text
    from profiles.text.dump import dump

    report(0.0, "Writing the profile")
    sheet = sheet_of_text(text, path)
    return dump(sheet.loaded_at(candidate, tuple(values), sheet.runs(candidate)[0]).resolved)
