"""Studies whose answer is a report, in the child process: what an answer depends on, until when a cluster suffices."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.gui.jobs.counting import counted
from app.gui.jobs.run import Report
from app.gui.studies.paper import readable
from app.planning.asking import Asked, of_study
from app.planning.studies import study_of_text
from models.planning.study import Growth, Sensitivity
from models.problem import Problem, ProblemError
from models.units import either
from profiles.loading.overrides import canonical
from profiles.text.lines import locate

if TYPE_CHECKING:
    from app.planning.progress import Counted
    from app.reports.document import Document

KINDS = ("sensitivity", "growth")
"""The kinds of studies that are carried out here; others have pages of their own."""


@dataclass(frozen=True, slots=True)
class Studied:
    """A study that was carried out: its report, for the child process alone, and the page that is shown."""

    report: bytes
    page: str


def checked(text: str, path: Path) -> Asked[Sensitivity | Growth]:
    """Return what the study of a text asks, as if it stood in the file `path`.

    Raises:
        ProblemError: with all that is wrong with it; its profile is not looked at.
    """
    study = study_of_text(text, path)
    if not isinstance(study, (Sensitivity, Growth)):
        message = f"expected {either(KINDS)}: the other kinds have pages of their own"
        raise ProblemError([Problem(path.name, None, "kind", message)])
    return of_study(study)


def marked(problem: Problem, text: str, path: Path, choice: str) -> Problem:
    """Return a problem of a study, met in a choice or in none, at the line of its text that makes it, to be marked.

    That is the line of the key that is set, or that of the profile, in which all else is wrong.
    """
    if problem.file == path.name and problem.key != "profile":
        return problem
    stated = locate(text).items()
    lines = {canonical(f"{key[-1]}"): line for key, line in stated if key[0] != "choices" or key[1:2] == (choice,)}
    named = [key for key in lines if f"{problem.key}.".startswith(f"{key}.")]
    if named:
        return Problem(path.name, lines[max(named, key=len)], problem.key, problem.message)
    return Problem(path.name, lines.get("profile"), "profile", str(problem))


def carry_out(report: Report, text: str, path: Path, workers: int) -> Studied:
    """Carry out the study that a text states.

    Raises:
        ProblemError: with what is wrong with it, or with its profile.
    """
    from app.reports.forms.documents import render

    made = _page(checked(text, path), workers, counted(report))
    report(1.0, "Writing the report")
    return Studied(pickle.dumps(made), readable(render(made, ".html").decode()))


def _page(question: Asked[Any], workers: int, line: Counted) -> Document:
    if isinstance(question.study, Sensitivity):
        from app.planning import sensitivity
        from app.reports import sensitivity_document

        return sensitivity_document.document(sensitivity.study(sensitivity.plan_of(question), workers, line))
    from app.planning import capacity, effort
    from app.reports import capacity_report

    return capacity_report.document(capacity.answered(question, workers, line, effort.asked(), is_titled=True))


def draw_study(report: Report, studied: Studied, suffix: str) -> bytes:
    """Return a study's report in the form of a suffix, the bytes that the command writes."""
    from app.reports.forms.documents import render

    report(0.0, f"Writing {suffix}")
    document: Document = pickle.loads(studied.report)
    return render(document, suffix)
