"""Files of the user's own systems in the child process: read, simulated beside what was measured. Knows no Qt."""

from __future__ import annotations

import pickle
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.gui.jobs.counting import counted
from app.gui.jobs.run import Report

if TYPE_CHECKING:
    from app.reports.import_document import ImportReport

MEASURED = "measured"
FOLDER = "my-cluster"


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a profile: its key, its value as text, and what it rests on."""

    key: str
    value: str
    kind: str
    source: str


@dataclass(frozen=True, slots=True)
class Imported:
    """What files said: the report, the numbers of each profile, and for the child process alone what they rest on."""

    paths: tuple[str, ...]
    report: ImportReport
    numbers: Mapping[str, Sequence[Number]]
    made: bytes
    is_run: bool = False

    @property
    def command(self) -> str:
        """The command that does the same."""
        return shlex.join(["simulate", "import", *self.paths, "--output", FOLDER])


def read_files(report: Report, paths: tuple[str, ...]) -> Imported:
    """Read files and folders, and make profiles of what they say.

    Raises:
        ProblemError: a path is not there, or no file says anything.
    """
    from app.planning.importing import read
    from app.reports.import_document import grouped
    from models.problem import Problem, ProblemError

    try:
        import_report, made = read(paths, counted=counted(report))
    except ProblemError as error:
        raise ProblemError(Problem("", None, "", text) for text in grouped(error.problems)) from None
    numbers = {profile.file: _numbers(profile.text, profile.file) for profile in import_report.profiles}
    return Imported(paths, import_report, numbers, pickle.dumps(made))


def run_beside(report: Report, imported: Imported, seed: int) -> Imported:
    """Simulate each profile, and put what was measured beside it."""
    from app.planning.effort import asked
    from app.planning.importing import run

    made = pickle.loads(imported.made)
    import_report = run(imported.report, made, seed=seed, interval=asked(), counted=counted(report))
    return replace(imported, report=import_report, is_run=True)


def draw(report: Report, imported: Imported, suffix: str) -> bytes:
    """Return the answer in the form of a suffix, the bytes that `simulate import --report` writes."""
    from app.reports.forms.documents import render
    from app.reports.import_document import document

    report(0.0, f"Writing {suffix}")
    return render(document(imported.report), suffix)


def _numbers(text: str, file: str) -> tuple[Number, ...]:
    """Return the numbers of a profile, those that were measured first; none where it cannot be run as it is."""
    from app.planning.running import source_lines
    from models.problem import ProblemError
    from models.scenario import Scenario
    from profiles.loading.loader import load_text

    try:
        loaded = load_text(text, Scenario, path=Path.cwd() / file)
    except ProblemError:
        return ()
    numbers = (Number(line.key, line.value, line.kind, line.text) for line in source_lines(loaded))
    return tuple(sorted(numbers, key=lambda number: number.kind != MEASURED))
