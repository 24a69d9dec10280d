"""How far off the simulation is of each documented outcome, and what its run was like: what predictions rest on."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from app.planning.assumptions import knobs
from app.planning.loading import load_profile
from app.planning.predicting import features
from app.planning.progress import Counted
from models.outcome import Outcome
from models.scenario import Scenario
from profiles.catalog import describe
from profiles.loader import Loaded
from profiles.validated import Validated
from simulator.studies.points import Answer, Point
from simulator.studies.runner import Runner
from simulator.studies.validate import error, reading


def found(families: Sequence[str], workers: int | None, counted: Counted) -> list[Validated]:
    """Run the profiles of some families and return their outcomes; what is arithmetic or said in words is left out."""
    names = [entry.name for entry in describe() if entry.family in families]
    known = {name: load_profile(name) for name in names}
    wanted = {outcome.over for _, outcomes in known.values() for outcome in outcomes}
    loaded = {name: known[name] for name in names if known[name][1] or name in wanted}
    points = [Point(scenario=profile.scenario, profile=name) for name, (profile, _) in loaded.items()]
    with counted("Simulating") as on_done, Runner(workers=workers) as runner:
        answers = dict(zip(loaded, runner.run(points, on_done), strict=True))
    done = {name: answer for name, answer in answers.items() if isinstance(answer, Answer)}
    return [row for name, answer in done.items() for row in _rows(*loaded[name], answer, done)]


def _rows(
    loaded: Loaded[Scenario], outcomes: Sequence[Outcome], answer: Answer, others: dict[str, Answer]
) -> Iterator[Validated]:
    about = features(loaded.scenario, answer)
    assumed = tuple(knob.name for knob in knobs(loaded))
    for outcome in outcomes:
        if outcome.role or (outcome.over and outcome.over not in others) or outcome.metric not in answer.metrics:
            continue
        simulated = reading(answer.metrics, outcome)
        if outcome.over:
            simulated /= reading(others[outcome.over].metrics, outcome)
        off = math.log1p(error(outcome.value, simulated))
        yield Validated(outcome.id, outcome.family, about.question, about.limit, off, about.numbers, assumed)
