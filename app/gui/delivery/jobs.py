"""Acceptance and forecast of the open profile in the child process, by the functions of the commands. Knows no Qt."""

from __future__ import annotations

import pickle
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from app.gui.jobs.chosen import chosen_of
from app.gui.jobs.counting import counted
from app.gui.jobs.run import Report
from app.gui.studies.paper import readable

if TYPE_CHECKING:
    from app.planning.acceptance.accept_work import Work
    from app.planning.loading import Chosen
    from app.reports.acceptance.accept_document import AcceptReport
    from app.reports.document import Document

Question = Literal["accept", "track"]
WORKERS = 1
"""Processes of a study: the runs are so few that more would take longer to begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A profile whose `text`, as if it stood in `base`, is what the window shows, and the files that were measured.

    `changes` are those since it was opened or saved: the text says the same after it is saved.
    """

    question: Question
    profile: str
    changes: Mapping[str, str] = field(compare=False)
    text: str
    base: Path
    seed: int = 0
    files: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """The command that does the same."""
        kit = ["--write", "kit"] if self.question == "accept" and not self.files else []
        changes = [word for key, value in self.changes.items() for word in ("--set", f"{key}={value}")]
        return shlex.join(["simulate", self.question, self.profile, *self.files, *changes, *kit])


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer: its report, for the child process alone, the page that is shown, and whether something is wrong."""

    asked: Asked
    report: bytes
    page: str
    is_wrong: bool


@dataclass(frozen=True, slots=True)
class Kit:
    """The files of a kit by name, to be written into a folder."""

    files: Mapping[str, bytes]


def answer(report: Report, asked: Asked) -> Answered:
    """Say what the cluster has to reach, and whether what was measured does, or how it went against the plan.

    Raises:
        ProblemError: the profile cannot be run, or no file has anything of it.
    """
    from app.reports.forms.documents import render

    made, is_wrong = _accepted(report, asked) if asked.question == "accept" else _tracked(report, asked)
    report(1.0, "Writing the report")
    return Answered(asked, pickle.dumps(made), readable(render(made, ".html").decode()), is_wrong)


def make_kit(report: Report, asked: Asked) -> Kit:
    """Return the kit of the cluster: job files, scripts and the contract.

    Raises:
        ProblemError: the profile cannot be run.
    """
    from app.planning.acceptance.accept_kit import kit

    return Kit(kit(*_expected(report, asked)))


def draw(report: Report, answered: Answered, suffix: str) -> bytes:
    """Return an answer in the form of a suffix, the bytes that the command writes."""
    from app.reports.forms.documents import render

    report(0.0, f"Writing {suffix}")
    document: Document = pickle.loads(answered.report)
    return render(document, suffix)


def _chosen(asked: Asked) -> Chosen:
    return chosen_of(asked.profile, asked.changes, asked.text, asked.base)


def _expected(report: Report, asked: Asked) -> tuple[AcceptReport, list[Work]]:
    from app.planning.acceptance.accepting import expected
    from app.planning.effort import asked as effort

    chosen, line = _chosen(asked), counted(report)
    return expected(chosen, None, seed=asked.seed, effort=effort(), workers=WORKERS, counted=line)


def _accepted(report: Report, asked: Asked) -> tuple[Document, bool]:
    from app.planning.acceptance.accept_results import judged
    from app.reports.acceptance.accept_document import document

    accept_report, works = _expected(report, asked)
    if asked.files:
        accept_report = judged(accept_report, works, asked.files, counted(report))
    return document(accept_report), accept_report.is_accepted is False or bool(accept_report.problems)


def _tracked(report: Report, asked: Asked) -> tuple[Document, bool]:
    from app.planning.tracking import tracked
    from app.reports.track_document import document

    line = counted(report)
    track_report = tracked(_chosen(asked), asked.files, (), seed=asked.seed, workers=WORKERS, counted=line)
    return document(track_report), track_report.is_broken or bool(track_report.problems)
