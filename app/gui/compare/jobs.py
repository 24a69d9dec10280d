"""Comparisons in the child process: kept runs as they are, and what has not been run yet. Knows no Qt."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.gui.jobs.counting import counted
from app.gui.jobs.run import Report
from app.gui.session.runs import Run
from models.planning.study import Compare
from models.scenario import Scenario
from profiles.loading.catalog import PROFILES, SHIPPED
from profiles.loading.loader import Loaded, load, load_text

if TYPE_CHECKING:
    from app.planning.effort import Effort
    from app.reports.document import Document
    from simulator.result import Result

RUN = "run/"  # what the keys of kept runs begin with
SOME = 2  # scenarios that are run one after the other; more are worth the start of further processes


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One scenario: its name, the profile that it is made of, and the answer of its run as JSON, "" before it is run.

    `key` tells it from all others; `changes` are those of the profile by key; `colour` is the index of its series
    colour; `result` is that of a kept run which met the chances of the comparison: the answer is taken from it.
    """

    key: str
    name: str
    profile: str
    loaded: Loaded[Scenario]
    changes: dict[str, str]
    answer: str = ""
    colour: int = 0
    result: Result | None = None

    @property
    def is_run(self) -> bool:
        """Whether there is an answer."""
        return bool(self.answer) or self.result is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Scenarios side by side, the first being the baseline; all meet the chances of one seed.

    `document` is what the report of the comparison says, None before there is one.
    """

    title: str
    sides: tuple[Side, ...]
    seed: int
    replications: int
    document: Document | None = None

    @property
    def missing(self) -> int:
        """How many scenarios have not been run yet."""
        return sum(not side.is_run for side in self.sides)

    @property
    def is_cheap(self) -> bool:
        """Whether all that is missing are runs which have been carried out once, under other chances."""
        return all(side.is_run or side.key.startswith(RUN) for side in self.sides)


def sides_of_study(study: Compare) -> list[Side]:
    """Return the scenarios of a study.

    Raises:
        ProblemError: a profile is wrong.
    """
    changes = {name: {**study.set, **it.set} for name, it in study.scenarios.items()}
    return [
        Side(
            key=f"study/{name}",
            name=name,
            profile=it.profile,
            loaded=load(it.profile, Scenario, changes[name]),
            changes=changes[name],
        )
        for name, it in study.scenarios.items()
    ]


def key_of(run: Run) -> str:
    """Return what tells a kept run from all other scenarios."""
    return f"{RUN}{run.number}"


def side_of_run(run: Run) -> Side:
    """Return a kept run as a scenario.

    Raises:
        ProblemError: its profile cannot be read any more.
    """
    asked = run.request
    is_shipped = SHIPPED.find(asked.name, PROFILES) == asked.base
    return Side(
        key=key_of(run),
        name=run.label,
        profile=asked.name if is_shipped else str(asked.base),
        loaded=load_text(asked.text, Scenario, path=asked.base),
        changes=asked.changes,
        colour=run.colour,
        result=run.result,
    )


def compare_sides(report: Report, asked: Comparison) -> Comparison:
    """Run what has no answer yet and say what differs.

    Raises:
        ProblemError: a scenario cannot be run.
    """
    from app.planning.comparing import Plan, Side as Named, answers_of, reported
    from app.reports.compare_document import document
    from simulator.studies.points import Answer, Point
    from simulator.studies.runner import run_points

    known = {side.name: Answer.of(side.result).to_json() for side in asked.sides if side.result is not None}
    missing = [side for side in asked.sides if not side.is_run]
    points = [
        Point(scenario=side.loaded.scenario, profile=side.profile, seed=asked.seed, replications=asked.replications)
        for side in missing
    ]
    with counted(report)("Simulating") as on_done:
        finished = run_points(points, workers=1 if len(points) <= SOME else None, on_done=on_done)
    named = [Named(side.name, side.profile) for side in asked.sides]
    new = {
        side.name: answer.to_json()
        for side, answer in zip(missing, answers_of([Named(s.name, s.profile) for s in missing], finished), strict=True)
    }
    by_name = known | new
    sides = tuple(replace(side, answer=side.answer or by_name[side.name], result=None) for side in asked.sides)
    answers = [Answer.from_json(side.answer) for side in sides]
    plan = Plan(asked.title, named, asked.seed, asked.replications)
    told = reported(plan, [side.loaded for side in sides], answers)
    return replace(asked, sides=sides, document=document(told))


def predict_sides(report: Report, comparison: Comparison, effort: Effort) -> Comparison:
    """Return a comparison that was run with how sure each scenario is, from runs that they share."""
    from app.planning.comparing import Plan, Side as Named, predicted, reported
    from app.reports.compare_document import document
    from simulator.studies.points import Answer
    from simulator.studies.runner import Runner

    named = [Named(side.name, side.profile, side.changes) for side in comparison.sides]
    loaded, answers = (
        [side.loaded for side in comparison.sides],
        [Answer.from_json(side.answer) for side in comparison.sides],
    )
    plan = Plan(comparison.title, named, comparison.seed, comparison.replications, effort)
    with Runner(workers=1) as runner, counted(report)("Drawing what is assumed") as on_done:
        predictions = predicted(plan, loaded, answers, lambda points: runner.run(points, on_done))
    return replace(comparison, document=document(reported(plan, loaded, answers, predictions)))


def draw_comparison(report: Report, document: Document, suffix: str) -> bytes:
    """Return the report of a comparison in the form of a suffix, the bytes that `simulate compare` writes."""
    from app.reports.forms.documents import render

    report(0.0, f"Writing {suffix}")
    return render(document, suffix)


def command(comparison: Comparison, study: str = "") -> str:
    """Return the command that compares the same: of a study as it ships, of profiles, or of a study written for it."""
    chances = ["--seed", f"{comparison.seed}", "--replications", f"{comparison.replications}"]
    if study:
        return shlex.join(["simulate", "compare", "--study", study, *chances])
    if not any(side.changes for side in comparison.sides):
        return shlex.join(["simulate", "compare", *(side.profile for side in comparison.sides), *chances])
    return f"cat > compare.toml <<'END'\n{study_toml(comparison)}END\nsimulate compare --study compare.toml"


def study_toml(comparison: Comparison) -> str:
    """Return a comparison as the file of a study."""
    lines = ['kind = "compare"', f"title = {_quoted(comparison.title)}", f"seed = {comparison.seed}"]
    lines.append(f"replications = {comparison.replications}")
    for side in comparison.sides:
        lines += ["", f"[scenarios.{_quoted(side.name)}]", f"profile = {_quoted(side.profile)}"]
        lines += [f"set.{_quoted(key)} = {_quoted(value)}" for key, value in side.changes.items()]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Return a text as TOML writes it; JSON writes the same."""
    return json.dumps(text, ensure_ascii=False)
