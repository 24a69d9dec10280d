"""Comparisons in the child process: kept runs as they are, and what has not been run yet. Knows no Qt."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.gui.jobs import Report
from app.gui.runs import Run
from models.planning.study import Compare
from models.scenario import Scenario
from profiles.catalog import PROFILES, SHIPPED
from profiles.loader import Loaded, load, load_text

if TYPE_CHECKING:
    from app.planning.progress import Counted
    from app.reports.document import Document
    from simulator.result import Result

SOME = 2  # scenarios that are run one after the other; more are worth the start of further processes


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One scenario: its name, the profile that it is made of, and the answer of its run as JSON, "" before it is run.

    `changes` are those of the profile by key; `colour` is the index of its series colour.
    """

    name: str
    profile: str
    loaded: Loaded[Scenario]
    changes: dict[str, str]
    answer: str = ""
    colour: int = 0


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

    def against(self, name: str) -> Comparison:
        """Return the same with another baseline."""
        sides = sorted(self.sides, key=lambda side: side.name != name)
        return replace(self, sides=tuple(sides), document=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRun:
    """A kept run as it is sent to be compared: its text stands in `base`."""

    name: str
    profile: str
    text: str
    base: Path
    changes: dict[str, str]
    result: Result
    seed: int
    replications: int
    colour: int

    @classmethod
    def of(cls, run: Run) -> KeptRun:
        """Return what is sent of a run."""
        asked = run.request
        is_shipped = SHIPPED.find(asked.name, PROFILES) == asked.base
        return cls(
            name=run.label,
            profile=asked.name if is_shipped else str(asked.base),
            text=asked.text,
            base=asked.base,
            changes=asked.changes,
            result=run.result,
            seed=asked.seed,
            replications=asked.replications,
            colour=run.colour,
        )


def compare_kept(report: Report, runs: tuple[KeptRun, ...]) -> Comparison:
    """Compare kept runs under the chances of the first; those that met others are run again."""
    from simulator.studies.points import Answer

    first = runs[0]
    sides = [
        Side(
            name=run.name,
            profile=run.profile,
            loaded=load_text(run.text, Scenario, path=run.base),
            changes=run.changes,
            answer=Answer.of(run.result).to_json() if _chances(run) == _chances(first) else "",
            colour=run.colour,
        )
        for run in runs
    ]
    title = " against ".join(side.name for side in sides)
    asked = Comparison(title=title, sides=tuple(sides), seed=first.seed, replications=first.replications)
    return compare_sides(report, asked)


def compare_study(report: Report, study: Compare) -> Comparison:
    """Run a study."""
    sides = [
        Side(
            name=each,
            profile=it.profile,
            loaded=load(it.profile, Scenario, {**study.set, **it.set}),
            changes={**study.set, **it.set},
            colour=index,
        )
        for index, (each, it) in enumerate(study.scenarios.items())
    ]
    asked = Comparison(title=study.title, sides=tuple(sides), seed=study.seed, replications=study.replications)
    return compare_sides(report, asked)


def compare_sides(report: Report, asked: Comparison) -> Comparison:
    """Run what has no answer yet and say what differs.

    Raises:
        ProblemError: a scenario cannot be run.
    """
    from app.planning.comparing import Plan, Side as Named, answers_of, reported
    from app.reports.compare_document import document
    from simulator.studies.points import Answer, Point
    from simulator.studies.runner import run_points

    missing = [side for side in asked.sides if not side.answer]
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
    sides = tuple(replace(side, answer=side.answer or new[side.name]) for side in asked.sides)
    answers = [Answer.from_json(side.answer) for side in sides]
    plan = Plan(asked.title, named, asked.seed, asked.replications)
    told = reported(plan, [side.loaded for side in sides], answers)
    return replace(asked, sides=sides, document=document(told))


def command(found: Comparison, study: str = "") -> str:
    """Return the command that compares the same: of a study as it ships, of profiles, or of a study written for it."""
    if study:
        return shlex.join(["simulate", "compare", "--study", study])
    if not any(side.changes for side in found.sides):
        words = ["--seed", f"{found.seed}", "--replications", f"{found.replications}"]
        return shlex.join(["simulate", "compare", *(side.profile for side in found.sides), *words])
    return f"cat > compare.toml <<'END'\n{study_toml(found)}END\nsimulate compare --study compare.toml"


def study_toml(found: Comparison) -> str:
    """Return a comparison as the file of a study."""
    lines = ['kind = "compare"', f"title = {_quoted(found.title)}", f"seed = {found.seed}"]
    lines.append(f"replications = {found.replications}")
    for side in found.sides:
        lines += ["", f"[scenarios.{_quoted(side.name)}]", f"profile = {_quoted(side.profile)}"]
        lines += [f"set.{_quoted(key)} = {_quoted(value)}" for key, value in side.changes.items()]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """Return a text as TOML writes it; JSON writes the same."""
    return json.dumps(text, ensure_ascii=False)


def _chances(run: KeptRun) -> tuple[int, int]:
    return run.seed, run.replications


def counted(report: Report) -> Counted:
    """Return what opens a line of progress: here the report of the job."""

    @contextmanager
    def opened(what: str) -> Iterator[Callable[[int, int], None]]:
        def on_done(done: int, total: int) -> None:
            report(done / total if total else 1.0, f"{what}: {done} of {total}")

        report(0.0, what)
        yield on_done

    return opened
