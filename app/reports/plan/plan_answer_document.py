"""The answer to a plan as a report: the verdict, each requirement of each candidate, what would mend or flip it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from app.reports import words
from app.reports.contracts import common, plan as contracts
from app.reports.contracts.filling import filled
from app.reports.document import Column, Document, Facts, Paragraph, Section, Table
from app.reports.plan import plan_dates, plan_decision
from app.reports.plan.plan_answer import Judged, Met, PlanAnswer
from app.reports.plan.plan_mending import held_by_settings, mend, misses
from app.reports.plan.plan_words import (
    SPARED,
    UNSURE,
    aim,
    by,
    designed,
    doubt,
    is_overloaded,
    limited,
    missing,
    probability,
    shown,
    side,
    sign,
    to_spare,
)
from models.planning.sheet import MOMENTS
from models.target import spelled
from simulator.studies.size import Option

HOW_NOT = {
    "beyond its range": " with the servers that it may have",
    "not as surely as asked": " as surely as asked",
}
"""How no candidate meets all where one does otherwise, by what the nearest has against it."""
MORE_SURE = f"State a confidence, such as {words.percent(UNSURE)}, to have one that is sure."
KEY = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b")


def document(answer: PlanAnswer) -> Document:
    """Return the whole report."""
    return Document(answer.plan.title, [*_main(answer), *_rest(answer)], contract(answer))


def brief(answer: PlanAnswer) -> Document:
    """Return what a terminal shows: the verdict, the requirements and the candidates."""
    return Document(answer.plan.title, list(_main(answer)))


def _main(answer: PlanAnswer) -> Iterator[Section]:
    yield Section("answer", "The answer", [Paragraph(sentence) for sentence in verdict(answer)])
    yield Section("requirements", "Each requirement", [requirements(answer), plan_dates.table(answer)])
    yield Section(
        "candidates", "The candidates", [candidates(answer), *map(Paragraph, (*mends(answer), *unwise(answer)))]
    )
    if answer.flips:
        yield Section("flips", "What would change the decision", [Paragraph(flip) for flip in answer.flips])
    yield from plan_decision.map_sections(answer.maps)
    yield from plan_decision.regret_sections(answer.regret)
    yield Section("effort", "How this was found", [Paragraph(_effort(answer))])


def _rest(answer: PlanAnswer) -> Iterator[Section]:
    yield Section("options", "All options", [_options(answer)])
    about = [("Plan", answer.path), ("Customer", answer.plan.customer), ("Author", answer.plan.author)]
    about += [("Offer", answer.plan.offer), ("Seed", f"{answer.plan.seed}"), ("Version", f"headroom {answer.version}")]
    yield Section("profile", "To run it again", [Facts([(label, text) for label, text in about if text])])


def verdict(answer: PlanAnswer) -> list[str]:
    """Return the answer in two sentences."""
    best, ranked = answer.best, answer.ranked
    so_far = "As far as the search went before it was stopped: " if answer.sizing.was_stopped else ""
    if best is None or best.option is None:
        near = ranked[0]
        none = f"No candidate meets every requirement{HOW_NOT.get(near.but, '')}."
        if answer.sizing.was_stopped:
            none = "No candidate is known to meet every requirement: the search was stopped."
        return [none, nearest(answer, near)] if near.option is not None else [none]
    asked = answer.plan.requirements.confidence
    unsure = doubt(best, asked)
    how, sure = (" as calculated", f", but is {unsure}") if unsure else ("", _least_chance(best))
    text = f"{so_far}{best.name} with {designed(best.option)} meets every requirement{how}"
    costs = [] if answer.unit == "1" else [f" for {_cost(answer, best.option)}"]  # the design tells of servers
    first = [f"{text}{''.join(costs)}{sure}.", *([MORE_SURE] if unsure else [])]
    others = [judged for judged in ranked if judged is not best]
    if not others:
        return [*first, f"It is limited by {_limited(best)}."] if answer.plan.requirements.workloads else first
    follower = others[0]
    if follower.is_feasible and follower.option is not None:
        more = follower.option.objective / best.option.objective - 1
        beyond = f", for {words.more(more)}" if costs else ""
        unsure = doubt(follower, asked)
        beyond += f", but is {unsure}" if unsure else ""
        return [*first, f"{follower.name} with {designed(follower.option)} does, too{beyond}."]
    why = "; ".join(follower.reasons) or "cannot be set up"
    return [*first, nearest(answer, follower) if follower.option is not None else f"{follower.name}: {why}."]


def nearest(answer: PlanAnswer, judged: Judged) -> str:
    """Return in a sentence how near a candidate comes, and by what it misses."""
    assert judged.option is not None  # only those come near
    missed = judged.missed
    if not missed:
        if untold := [met.required.words for met in judged.met if met.is_met is None]:
            told = "what closed forms tell" if judged.option.answer is None else "all that is known"
            text = f"{'; '.join(untold)}{judged.refusal and f' ({judged.refusal})'}"
            return f"{judged.name} meets with {designed(judged.option)} {told}; not known: {text}."
        how = _unsure(answer, judged) if judged.option.is_decided else ", as far as that is known"
        how = f", which is {judged.but}" if judged.is_beyond else how
        return f"{judged.name} meets all with {designed(judged.option)}{how}."
    text = "; ".join(missing(met.required, met.measure, met.margin or 0.0) for met in missed)
    limit = f" It is limited by {_limited(judged)}." if any(is_overloaded(met) for met in missed) else ""
    settings = held_by_settings(answer, judged)
    return f"{judged.name} comes nearest with {designed(judged.option)} and misses: {text}.{limit}{settings}"


def _unsure(answer: PlanAnswer, judged: Judged) -> str:
    """Return what is met in the likely case, but not in as many cases as are asked for."""
    asked = answer.plan.requirements.confidence
    unsure = [met for met in judged.met if met.chance is not None and met.chance < asked and not met.required.is_limit]
    told = [f"{met.required.words} in {probability(met.chance or 0.0)} of the cases" for met in unsure]
    return f" in the likely case, but not as surely as asked: {'; '.join(told)}; asked for are {words.percent(asked)}"


def mends(answer: PlanAnswer) -> Iterator[str]:
    """Yield in a sentence what would mend each candidate that meets not all, with its price."""
    for judged in answer.judged:
        if judged.wanting is not None:
            yield f"{judged.name}: {mend(answer, judged.wanting)}"


def unwise(answer: PlanAnswer) -> Iterator[str]:
    """Yield in a sentence each setting that limits a candidate that was simulated, and what is unwise in it."""
    for judged in answer.judged:
        yield from (f"{judged.name}: {warning}" for warning in judged.warnings)


def _cost(answer: PlanAnswer, option: Option) -> str:
    return f"{shown(option.measures[answer.objective])} in {aim(answer).removeprefix('cost over ')}"


def _least_chance(judged: Judged) -> str:
    chances = [met.chance for met in judged.met if met.chance is not None]
    return f", with a probability of {probability(min(chances))}" if chances else ""


def _limited(judged: Judged) -> str:
    answer = judged.option.answer if judged.option else None
    if answer is None and any(met.required.workload for met in judged.met):
        return "not simulated"
    if answer is None or not answer.bottleneck.share:
        return "nothing that runs"
    return f"{words.placed(answer.bottleneck.resource)}, for {words.percent(answer.bottleneck.share)} of the time"


def _cell(met: Met | None) -> str:
    if met is None:
        return "–"
    if met.margin is None:
        return met.untold
    if met.is_spared:
        return SPARED
    if math.isinf(met.margin) and met.margin > 0:
        return f"✓ {shown(met.measure)}"
    if met.margin >= 0:
        chance = f", in {probability(met.chance)} of the cases" if met.chance is not None else ""
        return f"{sign(met)} {shown(met.measure)} ({to_spare(met)}{chance})"
    if is_overloaded(met):
        return f"✗ {shown(met.measure)}"
    chance = f", met in {probability(met.chance)} of the cases" if met.chance is not None else ""
    return f"✗ {shown(met.measure, met.required.target)} ({by(met)}{side(met)}{chance})"


def requirements(answer: PlanAnswer) -> Table:
    """Return each requirement beside what each candidate comes to."""
    columns = (Column("requirement"), Column("asked for"), *(Column(judged.name) for judged in answer.judged))
    rows = []
    for i, required in enumerate(answer.plan.requirements.required()):
        known = next((judged.met[i].measure for judged in answer.judged if judged.met), None)
        asked = limited(required, known)
        cells = [_cell(judged.met[i] if judged.met else None) for judged in answer.judged]
        rows.append((required.words, asked, *cells))
    return Table("Requirements", columns, rows)


def candidates(answer: PlanAnswer) -> Table:
    """Return the candidates, the best first."""
    columns = (
        Column("candidate"),
        Column("design"),
        Column(aim(answer), answer.unit),
        Column("meets"),
        Column("limited by"),
    )
    rows = []
    for judged in answer.ranked:
        met = sum(one.is_met is True for one in judged.met)
        objective = judged.option.measures.get(answer.objective) if judged.option else None
        unsure = doubt(judged, answer.plan.requirements.confidence).partition(":")[0]
        but = judged.but or (f"but {unsure}" if unsure else "")
        rows.append(
            (
                judged.name,
                designed(judged.option) if judged.option else "; ".join(judged.reasons),
                objective.value if objective else None,
                f"{met} of {len(judged.met)}{but and f', {but}'}",
                _limited(judged),
            )
        )
    return Table("Candidates", columns, rows)


def _options(answer: PlanAnswer) -> Table:
    columns = (
        Column("candidate"),
        Column("design"),
        Column(aim(answer), answer.unit),
        Column("why not"),
    )
    rows = []
    for option in answer.sizing.options:
        objective = option.measures.get(answer.objective)
        rows.append(
            (option.candidate, designed(option), objective.value if objective else None, why_not(answer, option))
        )
    return Table("Options", columns, rows)


def why_not(answer: PlanAnswer, option: Option) -> str:
    """Return why an option is not the answer in words: what it misses, as far as that is known, else what was said."""
    if missed := [missing(*miss) for miss in misses(answer, option)]:
        return "; ".join(missed)
    return KEY.sub(lambda key: spelled(key.group(0)), option.reason) or "meets all"


def _effort(answer: PlanAnswer) -> str:
    total, ran = len(answer.sizing.options), answer.sizing.simulated
    left = sum(not option.is_decided for option in answer.sizing.options)
    stopped = ", the search was stopped" if answer.sizing.was_stopped else ""
    stopped = f", {left} not decided{stopped.replace(', ', ': ')}" if left else stopped
    noun = "run" if answer.runs == 1 else "runs"
    text = f"{total} options, {total - ran - left} decided without a run{stopped}; {answer.runs} {noun} in all."
    requirements = answer.plan.requirements
    if any(demand.beside for demand in requirements.workloads):
        text += " Of workloads that come again beside a long one, one period was simulated and stands for the others."
    if requirements.workloads:
        text += (
            " Jobs were simulated roughly: servers that are alike stand for each other, and a step of a task counts as"
            " done with 0.1 % of it left; times may be 5 % off by that."
        )
    if requirements.while_degraded:
        moments = f"{MOMENTS} moments of the repair from its begin to its end"
        state = f"the store with {requirements.while_degraded} down"
        text += f" Requests are judged by the worst of these: the whole store, {state}, and {moments}."
    return text


def contract(answer: PlanAnswer) -> contracts.Plan:
    """Return the answer as JSON data, `headroom.plan/1`."""
    return filled(
        contracts.Plan,
        answer.plan,
        answer,
        answer.sizing,
        plan=answer.path,
        minimize=answer.objective,
        verdict=verdict(answer),
        best=answer.best.name if answer.best else None,
        requirements=[filled(contracts.PlanRequirement, one) for one in answer.plan.requirements.required()],
        candidates=[_candidate(answer, judged) for judged in answer.judged],
        maps=[plan_decision.map_contract(flip_map) for flip_map in answer.maps],
        regret=plan_decision.regret_contract(answer.regret),
        options=[_option(option) for option in answer.sizing.options],
        simulated=answer.runs,
    )


def _candidate(answer: PlanAnswer, judged: Judged) -> contracts.Candidate:
    mending = judged.wanting.mending if judged.wanting else None
    return {
        "name": judged.name,
        "is_feasible": judged.is_feasible,
        "option": _option(judged.option) if judged.option else None,
        "bottleneck": judged.option.answer.bottleneck.resource if judged.option and judged.option.answer else None,
        "requirements": [_met(met) for met in judged.met],
        "mending": _option(mending) if mending else None,
        "mend": mend(answer, judged.wanting) if judged.wanting else None,
        "warnings": list(judged.warnings),
    }


def _met(met: Met) -> contracts.Met:
    return filled(
        contracts.Met,
        met,
        met.required,
        value=met.measure.value if met.measure else None,
        unit=met.measure.unit if met.measure else None,
        is_least=met.measure is not None and met.measure.is_least,
        interval=filled(common.Likely, met.prediction) if met.prediction else None,
    )


def _option(option: Option) -> contracts.PlanOption:
    return filled(contracts.PlanOption, option, values=dict(option.values), was_simulated=option.answer is not None)
