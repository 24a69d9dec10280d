"""A project as it is opened: read and checked here where it is small, else in a child process.

What is packed in a small file may open into much, so that the window reads only what opens into little. A child process
tells the runs one by one, ready to be taken. Knows no Qt.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from app.gui.jobs.run import Reporter
from app.gui.jobs.series import opens_within
from app.gui.session.project_file import DamagedError, KeptRun, Project, read, run_of
from app.gui.session.project_paths import confined
from app.gui.session.project_words import BACKUP, first_mistake
from app.gui.session.runs import Run
from models.problem import Problem, ProblemError

SMALL = 300_000
"""Bytes of a file that the window reads. Assumption: they take it below 50 ms; six runs on 40 servers have 245,000."""
LITTLE = 150_000
"""Bytes that the packed series of a run may open into there: three times those of 40 servers, some milliseconds."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A project with no path that leads away, its runs apart; `named` is where it would have its profile saved."""

    project: Project
    runs: tuple[Run, ...]
    named: str | None


def read_here(path: Path) -> Opened | None:
    """Return a project that is small, None for another.

    Raises:
        ProblemError: it cannot be read.
    """
    if path.is_file() and path.stat().st_size > SMALL:
        return None
    asked = read(path)
    return _opened(asked, path) if all(map(_is_little, asked.runs)) else None


def read_all(path: Path) -> Opened:
    """Return a project of any size.

    Raises:
        ProblemError: it cannot be read.
    """
    return _opened(read(path), path)


def read_apart(report: Reporter, path: Path) -> Opened:
    """Read a project for another process: tell its runs one by one, and return the rest.

    Raises:
        ProblemError: it cannot be read.
    """
    asked = read(path)
    project = confined(asked, path)
    for number, run in enumerate(runs_of(project, str(path)), 1):
        report(number / len(project.runs))
        report.tell(run)
    return _without_runs(project, asked, ())


def runs_of(project: Project, file: str) -> Iterator[Run]:
    """Yield the runs of a project.

    Raises:
        ProblemError: this program refuses one of its scenarios.
    """
    for i, entry in enumerate(project.runs):
        try:
            yield run_of(entry)
        except ValueError as error:
            place, text = _refused(error)
            raise ProblemError([Problem(file, None, f"runs.{i}{place}", text)]) from None


def _refused(error: ValueError) -> tuple[str, str]:
    """Return what of a run is refused, as the end of its key, and why."""
    if isinstance(error, DamagedError):
        return f".{error}", f"is damaged; {BACKUP}"
    if not isinstance(error, ValidationError):
        return "", f"its scenario is refused by this Headroom: {error}"
    key, why = first_mistake(error)
    return ".".join((".scenario", key)).rstrip("."), f"is refused by this Headroom: {why}"


def _opened(asked: Project, path: Path) -> Opened:
    project = confined(asked, path)
    return _without_runs(project, asked, tuple(runs_of(project, str(path))))


def _without_runs(project: Project, asked: Project, runs: tuple[Run, ...]) -> Opened:
    return Opened(project.model_copy(update={"runs": ()}), runs, asked.profiles[0].path if asked.profiles else None)


def _is_little(run: KeptRun) -> bool:
    try:
        return opens_within(b64decode(run.playback, validate=True), LITTLE)
    except ValueError:  # which is told by who reads it
        return True
