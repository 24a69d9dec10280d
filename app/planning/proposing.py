"""The proposal that answers a plan: what is known of its best candidate, or of the one that comes nearest."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from app.planning import capacity, durability, purchasing, upkeep
from app.planning.assumptions import knobs
from app.planning.drawing import NO_DRAWS
from app.planning.loading import Chosen, rated
from app.planning.logo import picture
from app.planning.materials import materials
from app.planning.plans.plan_profiles import file_of, profiles
from app.planning.predicting import alike, assumption, basis, prediction
from app.planning.progress import uncounted
from app.planning.running import source_lines
from app.reports import words
from app.reports.durability_report import DurabilityReport
from app.reports.library.meanings import first_sentence, meaning
from app.reports.plan.plan_answer import Judged, PlanAnswer, Ran
from app.reports.proposal.found import PLAN, Assumed, Design, Proposal, Trust
from app.reports.purchase_document import PurchaseReport
from app.reports.upkeep_document import UpkeepReport
from models.planning.bill import bill
from models.planning.lint import lint
from models.planning.survival import MEASURES as SURVIVAL
from models.problem import ProblemError
from models.scenario import Scenario
from models.target import Target
from models.units import format
from profiles.loading.loader import Loaded
from profiles.loading.reach import real
from profiles.plans.sheet import COUNT, Sheet
from profiles.text.dump import dump
from profiles.text.toml import text_of
from simulator.studies.measures import is_durable, servers
from simulator.studies.purchase import survives_as_asked
from simulator.studies.purchase_plan import TOO_LATE
from simulator.studies.size import Option

NOT_ASSUMED = ("profile", "growth")
"""Parts of a profile that the customer states."""
OF_ANSWER = "found by the search of this plan"
"""What a number rests on that the plan varies."""


def proposed(sheet: Sheet, answer: PlanAnswer) -> Proposal:
    """Return the proposal that answers a plan.

    Raises:
        ProblemError: the logo cannot be used.
    """
    logo = picture(sheet.plan.logo, sheet.path)
    first = answer.ranked[0]
    parts = {**_parts(sheet, answer), **_plan(sheet, logo)}
    files = {**parts, **profiles(sheet, answer, parts)}
    design = _design(sheet, answer, first, first.option, parts) if first.option and first.option.scenario else None
    return Proposal(answer=answer, design=design, logo=logo, files=files)


def covered(proposal: Proposal, sheet: Sheet) -> Proposal:
    """Return a proposal with the cover of a sheet that differs from its own in nothing else.

    Raises:
        ProblemError: the logo cannot be used.
    """
    logo = picture(sheet.plan.logo, sheet.path)
    files = {**proposal.files, **_plan(sheet, logo)}
    return replace(proposal, answer=replace(proposal.answer, plan=sheet.plan), logo=logo, files=files)


def _plan(sheet: Sheet, logo: bytes) -> dict[str, str | bytes]:
    """Return the plan with its logo."""
    resolved = sheet.loaded.resolved
    kept = {
        name: resolved["candidates"][name] | ({"set": dict(candidate.set)} if candidate.set else {})
        for name, candidate in sheet.plan.candidates.items()
    }
    text = dump({**resolved, "candidates": kept})
    return {PLAN: text} | ({sheet.plan.logo: logo} if logo else {})


def _parts(sheet: Sheet, answer: PlanAnswer) -> dict[str, str | bytes]:
    """Return the files of the plan's folder and below that it took parts from; others that it names are nobody's."""
    folder = real(sheet.path.parent)
    read = {file for name in sheet.plan.candidates for file in sheet.whole(name).files}
    for judged in answer.judged:
        if judged.option is not None:
            origin = sheet.loaded_at(judged.name, judged.option.values).origin
            read |= {file for file, _ in origin.values()}
    paths = {real(Path(file)) for file in read} - {real(sheet.path)}
    below = sorted(path for path in paths if path.is_relative_to(folder) and os.path.isfile(path))
    return {path.relative_to(folder).as_posix(): text_of(path) for path in below}


def _design(sheet: Sheet, answer: PlanAnswer, judged: Judged, option: Option, taken: Collection[str]) -> Design:
    """Return what is known of an option; nothing is simulated for it once the search was stopped."""
    was_stopped = answer.sizing.was_stopped
    chosen = _chosen(sheet, judged.name, option)
    scenario = chosen.scenario
    metrics, varied = option.answer.metrics if option.answer is not None else None, dict(option.values)
    whole = rated(sheet.loaded_at(judged.name, option.values).scenario)  # its workloads have the names of the metrics
    return Design(
        judged=judged,
        scenario=scenario,
        capacity=capacity.study(chosen),
        cost=bill(whole, metrics, sheet.plan.requirements.grown(sheet.plan.requirements.fullest)),
        prices=scenario.prices.told() if scenario.prices is not None else None,
        materials=materials(rated(scenario)) if scenario.prices is not None and servers(scenario.cluster) else None,
        durability=None if was_stopped else _durability(chosen, sheet.plan.seed),
        advice=lint(scenario),
        assumed=sorted(_assumed(chosen.loaded), key=lambda number: -number.spread),
        sources=[replace(line, text=OF_ANSWER) if line.key in varied else line for line in source_lines(chosen.loaded)],
        trust=tuple(filter(None, map(_trust, judged.runs))),
        purchases=_purchases(sheet, answer, judged.name),
        upkeep=None if was_stopped else _upkeep(chosen, sheet.plan.seed),
        file=next(file_of(name, taken) for name, at in sheet.candidate_runs().items() if at.candidate == judged.name),
        toml=dump(chosen.loaded.resolved),
    )


def _chosen(sheet: Sheet, name: str, option: Option) -> Chosen:
    """Return an option of a candidate as a profile, with all workloads of the plan."""
    runs = sheet.runs(name)
    return Chosen(name, {}, sheet.loaded_at(name, option.values, runs[0] if len(runs) == 1 else None))


def _durability(chosen: Chosen, seed: int) -> DurabilityReport | None:
    if not is_durable(rated(chosen.scenario)):
        return None
    try:
        return durability.study(chosen, seed=seed)
    except ProblemError:  # nothing is known of its failures
        return None


def _upkeep(chosen: Chosen, seed: int) -> UpkeepReport | None:
    if not is_durable(rated(chosen.scenario)):
        return None
    try:
        return upkeep.study(upkeep.usual(chosen, seed), 1, uncounted)
    except ProblemError:  # nothing is known of where its bytes lie
        return None


def _assumed(loaded: Loaded[Scenario]) -> Iterator[Assumed]:
    """Yield the assumed numbers, those of one statement once; a price list holds many that do not matter here."""
    for knob in knobs(loaded, NOT_ASSUMED):
        first = knob.numbers[0]
        if first.key.startswith("prices.servers."):
            continue
        what, of = meaning(loaded.scenario, first.key)
        told = assumption(knob)
        yield Assumed(
            what=first_sentence(what),
            of=of,
            key=first.key,
            likely=_said(first.likely, first.unit),
            range=told.range if first.unit != "s" else f"{_said(first.low, 's')} to {_said(first.high, 's')}",
            kind=knob.kind,
            source=knob.source,
            measurement=told.measurement,
            spread=math.log(first.high / first.low) if first.low > 0 else math.inf,
        )


def _said(value: float, unit: str | None) -> str:
    if unit == "s":
        return words.stated(value)
    return format(value, unit) if unit else words.number(value)


def _trust(ran: Ran) -> Trust | None:
    about = basis(ran.scenario, ran.answer)
    if about is None:
        return None
    return Trust(
        workload=" and ".join(ran.workloads),
        kind=about.kinds[0],
        why=prediction(about, NO_DRAWS).why,
        is_inside=about.is_inside,
        benchmarks=alike(about) if about.is_inside else (),
    )


def _purchases(sheet: Sheet, answer: PlanAnswer, name: str) -> PurchaseReport | None:
    """Return what could be bought when, by room alone, from the fewest servers of the plan that are enough for a start.

    They hold the data until what is ordered then has come. None where nothing grows, or where no purchases can be told.
    """
    requirements = sheet.plan.requirements
    if requirements.growth() is None or requirements.stored_at(requirements.end) <= (requirements.stored or 0.0):
        return None
    targets = [need.target for need in requirements.required() if need.target.measure in SURVIVAL]
    for small in _smallest(answer.sizing.options, name, requirements.stored or 0.0, targets):
        try:
            return purchasing.study(purchasing.Plan(chosen=_chosen(sheet, name, small), targets=targets), 1, uncounted)
        except ProblemError as error:
            if any(problem.key != TOO_LATE for problem in error.problems):
                return None  # something has no price, or cannot be added
    return None


def _smallest(options: Sequence[Option], name: str, stored: float, targets: Sequence[Target]) -> list[Option]:
    """Return the options of a candidate that hold the data of the start and survive as asked, the smallest first."""
    fitting = [
        option
        for option in options
        if option.candidate == name
        and option.scenario is not None
        and option.scenario.storage.home is not None
        and _holds(option) >= stored
        and survives_as_asked(option.scenario, targets)
    ]
    return sorted(fitting, key=lambda option: float(dict(option.values)[COUNT]))


def _holds(option: Option) -> float:
    return option.measures["effective"].value if "effective" in option.measures else 0.0
