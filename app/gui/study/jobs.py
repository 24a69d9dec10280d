"""Studies whose answer is a report, in the child process: what an answer depends on, until when a cluster suffices."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from app.gui.jobs.counting import counted
from app.gui.jobs.run import Report
from app.gui.studies.paper import readable
from app.planning.studies import study_of_text
from models.planning.study import Growth, Sensitivity
from models.planning.uncertain import uncertain
from models.problem import Problem, ProblemError, RefusalError
from models.target import target
from models.units import either

if TYPE_CHECKING:
    from app.planning.progress import Counted
    from app.reports.document import Document

T = TypeVar("T")
KINDS = ("sensitivity", "growth")
"""The kinds of studies that are carried out here; others have pages of their own."""


@dataclass(frozen=True, slots=True)
class Studied:
    """A study that was carried out: its report, for the child process alone, and the page that is shown."""

    report: bytes
    page: str


def checked(text: str, path: Path) -> Sensitivity | Growth:
    """Return the study that a text states, as if it stood in the file `path`.

    Raises:
        ProblemError: with all that is wrong with it; its profile is not looked at.
    """
    study = study_of_text(text, path)
    if isinstance(study, Sensitivity):
        _read(uncertain, study.inputs.items(), path, "inputs")
    elif isinstance(study, Growth):
        _read(target, ((limit,) for limit in study.targets), path, "targets")
    else:
        message = f"expected {either(KINDS)}: the other kinds have pages of their own"
        raise ProblemError([Problem(path.name, None, "kind", message)])
    return study


def carry_out(report: Report, text: str, path: Path, workers: int) -> Studied:
    """Carry out the study that a text states.

    Raises:
        ProblemError: with what is wrong with it, or with its profile.
    """
    from app.reports.forms.documents import render

    study, line = checked(text, path), counted(report)
    made = _sensitivity(study, workers, line) if isinstance(study, Sensitivity) else _growth(study, workers, line)
    report(1.0, "Drawing")
    return Studied(pickle.dumps(made), readable(render(made, ".html").decode()))


def draw_study(report: Report, studied: Studied, suffix: str) -> bytes:
    """Return a study's report in the form of a suffix, the bytes that the command writes."""
    from app.reports.forms.documents import render

    report(0.0, f"Writing {suffix}")
    document: Document = pickle.loads(studied.report)
    return render(document, suffix)


def _sensitivity(study: Sensitivity, workers: int, line: Counted) -> Document:
    from app.planning.loading import choose
    from app.planning.sensitivity import Plan, study as answer
    from app.reports.sensitivity_document import document

    plan = Plan(
        title=study.title,
        chosen=choose(study.profile, study.set),
        inputs=[uncertain(key, text) for key, text in study.inputs.items()],
        choices=study.choices,
        measure=study.measure,
        samples=study.samples,
        sobol=study.sobol,
        seed=study.seed,
    )
    return document(answer(plan, workers, line))


def _growth(study: Growth, workers: int, line: Counted) -> Document:
    from app.planning.capacity import held, study as answer
    from app.planning.effort import asked
    from app.planning.loading import choose
    from app.reports.capacity_report import document

    report = replace(answer(choose(study.profile, study.set), study.seed, asked()), title=study.title)
    targets = [target(text) for text in study.targets]
    return document(replace(report, held=held(study, targets, workers, line, asked())) if targets else report)


def _read(read: Callable[..., T], texts: Iterable[Sequence[str]], path: Path, key: str) -> None:
    """Read texts of a study.

    Raises:
        ProblemError: with all that is wrong with them.
    """
    problems = []
    for text in texts:
        try:
            read(*text)
        except RefusalError as error:
            problems.append(Problem(path.name, None, ".".join([key, *text[:-1]]), str(error)))
    if problems:
        raise ProblemError(problems)
