"""The acceptance of a delivered cluster: what each test should come to, and between what it lies.

Parts follow by closed forms, worked out again while all that is assumed of the cluster is drawn; runs and drives of one
kind differ besides. Work on the whole cluster is simulated, with the interval of any such answer.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version

import numpy as np

from app.planning.acceptance.accept_work import Work, chosen_for, works
from app.planning.assumptions import knobs
from app.planning.drawing import NO_DRAWS, NOTHING, Asked, draw, scenario_drawn
from app.planning.effort import Effort
from app.planning.loading import Chosen, choose, profile_in
from app.planning.outlook import enough
from app.planning.plans.plan_search import planned
from app.planning.predicting import Basis, assumption, basis, prediction
from app.planning.progress import Counted
from app.planning.studies import study_model
from app.reports.acceptance.accept_document import AcceptReport
from app.reports.held_up import of_each
from app.reports.library.meanings import about
from app.reports.prediction_report import Prediction
from models.hardware.calibration import SCATTER
from models.jobs.mapreduce import MapReduce
from models.planning.acceptance import Expected, expected_of_parts
from models.planning.prediction import END, Knob, Spread, design, spread, student
from models.planning.study import Plan
from models.planning.verdicts import NARROW, WIDE, Band, Judged
from models.problem import Problem, ProblemError
from profiles.plans.sheet import sheet
from profiles.text.dump import dump
from simulator.studies.points import Answer, Point, PointFailure
from simulator.studies.runner import Runner

OF_PARTS = "cluster."
"""How the keys of numbers begin that tests of parts depend on."""
TOLD = 0.1
"""Part of a variance from which an assumed number is told. Assumption."""
DIFFERENT = f"runs, and parts of one kind, differ by up to {SCATTER:.0%}".replace("%", " %")


def decided(name: str, settings: Mapping[str, str], workers: int | None, counted: Counted) -> Chosen:
    """Return the profile of a name, a file or a folder of an import; of a plan the option that it decides for.

    Raises:
        ProblemError: with all that is wrong with it, or no candidate of the plan meets its requirements.
    """
    if study_model(name) is not Plan:
        return choose(profile_in(name), settings)
    plan_file = sheet(name).changed(settings)
    plan_file.check()
    best = planned(plan_file, workers, counted).best
    if best is None or best.option is None:
        way_out = "see: simulate plan; then name a profile that it writes: --write-profiles"
        raise ProblemError([Problem(name, None, "", f"no candidate of the plan meets its requirements; {way_out}")])
    return Chosen(name, settings, plan_file.loaded_at(best.name, best.option.values))


def expected(
    chosen: Chosen, data: float | None, *, seed: int, effort: Effort, workers: int | None, counted: Counted
) -> tuple[AcceptReport, list[Work]]:
    """Return the tests of a cluster with their bands, and the work among them; nothing is measured yet.

    Raises:
        ProblemError: the work cannot run on the cluster.
    """
    work = works(chosen, data)
    tests, limiting = _works(chosen, work, seed, effort, workers, counted)
    report = AcceptReport(
        title=chosen.title,
        profile=chosen.profile,
        kit=mark(chosen),
        seed=seed,
        version=version("headroom"),
        tests=[*_parts(chosen), *tests],
        limiting=limiting,
    )
    return report, work


def mark(chosen: Chosen) -> str:
    """Return what tells the kit of a cluster and its store from others."""
    resolved = chosen.loaded.resolved
    text = dump({key: resolved[key] for key in ("cluster", "storage") if key in resolved})
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _parts(chosen: Chosen) -> Iterator[Judged]:
    acting = [knob for knob in knobs(chosen.loaded) if any(number.key.startswith(OF_PARTS) for number in knob.numbers)]
    deviations = design(enough(acting), acting)
    drawn = [scenario_drawn(chosen.loaded, acting, row.tolist()) for row in deviations] if acting else []
    values = {
        i: {test.name: test.value for test in expected_of_parts(scenario)}
        for i, scenario in enumerate(drawn)
        if scenario is not None
    }
    for test in expected_of_parts(chosen.scenario):
        samples = [row[test.name] for row in values.values()] or [test.value]
        changes = [math.log(value / test.value) for value in samples]
        effect = spread(acting, deviations[list(values)], changes) if len(changes) > 1 else NOTHING
        narrow, wide = (_part_band(test.value, samples, level) for level in (NARROW, WIDE))
        yield Judged(test, (narrow, wide), tuple(_why(test, chosen, acting, effect)))


def _part_band(value: float, drawn: Sequence[float], level: float) -> Band:
    """Return the band of a part: the ends of what was drawn, and by how much runs and parts of one kind differ besides.

    Each side has its own width: nothing that is assumed lifts a rate above what the card or the bus carries.
    """
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    differ = math.log1p(SCATTER) * student(level, math.inf) / END
    below, above = (math.hypot(max(math.log(ratio), 0.0), differ) for ratio in (value / low, high / value))
    return Band(level, value * math.exp(-below), value * math.exp(above))


def _why(test: Expected, chosen: Chosen, acting: Sequence[Knob], effect: Spread) -> Iterator[str]:
    for key in test.keys:
        source = chosen.loaded.sources.get(key)
        yield f"{about(chosen.scenario, key)}: {source or 'as parts of its class usually have it'}"
    moved = sorted(zip(effect.shares, acting, strict=False), key=lambda pair: -pair[0])
    for share, knob in moved:
        if share >= TOLD and effect.variance > 0:
            yield f"{about(chosen.scenario, knob.numbers[0].key)} is assumed, {assumption(knob).range}"
    yield DIFFERENT


def _works(
    chosen: Chosen, work: Sequence[Work], seed: int, effort: Effort, workers: int | None, counted: Counted
) -> tuple[list[Judged], list[str]]:
    """Return the tests of work on the whole cluster, and in sentences what limits some of it by a setting."""
    variants = [chosen_for(job, chosen) for job in work]
    points = [Point(scenario=variant.scenario, profile=variant.profile, seed=seed) for variant in variants]
    with counted("Simulating") as on_done, Runner(workers=workers) as runner:
        answers = [_answer(*pair) for pair in zip(work, runner.run(points, on_done), strict=True)]
        all_bases = [_bases(*pair) for pair in zip(variants, answers, strict=True)]
        asked = [
            Asked(variant, narrow.lead, narrow.known, answer.works)
            for variant, answer, (narrow, _) in zip(variants, answers, all_bases, strict=True)
        ]
        drawn = draw(asked, seed=seed, effort=effort, run=runner.run) if effort != "none" else [NO_DRAWS] * len(asked)
    tests = []
    for job, answer, bases, draws in zip(work, answers, all_bases, drawn, strict=True):
        value = answer.duration if job.measure == "duration" else answer.metrics[job.measure][0]
        narrow, wide = (prediction(about, draws, level) for about, level in zip(bases, (NARROW, WIDE), strict=True))
        most = max(value, job.most * (1 + SCATTER))
        tests.append(Judged(job.expected(value), (_band(value, narrow, most), _band(value, wide, most)), narrow.why))
    names = [(job.name, variant.scenario) for job, variant in zip(work, variants, strict=True)]
    runs = ((*pair, answer) for pair, answer in zip(names, answers, strict=True))
    return tests, list(of_each(runs, str if isinstance(chosen.scenario.workload, MapReduce) else _of_a_sort))


def _of_a_sort(key: str) -> str:
    """Return where a key of the jobs is stated that a profile without such a job takes as they ship."""
    return f"{key} of a profile with a MapReduce job"


def _answer(work: Work, answer: Answer | PointFailure) -> Answer:
    if isinstance(answer, PointFailure):
        raise ProblemError([Problem("", None, work.name, answer.reason)])
    return answer


def _bases(variant: Chosen, answer: Answer) -> tuple[Basis, Basis]:
    """Return what is known of how sure an answer is, for the narrow and the wide band."""
    narrow, wide = (basis(variant.scenario, answer, level) for level in (NARROW, WIDE))
    assert narrow is not None  # as work that runs takes time and moves bytes
    assert wide is not None
    return narrow, wide


def _band(value: float, told: Prediction, most: float) -> Band:
    """Return the band of a value that goes with what leads an answer, and that nothing lifts above the `most`."""
    return Band(told.level, value * told.low / told.value, min(value * told.high / told.value, most))
