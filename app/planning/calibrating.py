"""Measured rates of drives and networks as parts of profiles: an import of which only what is fitted is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.reports.calibration_document import CalibrationReport, Measured
from models import units
from models.hardware.calibration import Technology, fit
from models.hardware.measurement import Direction
from models.problem import Problem, ProblemError, RefusalError
from profiles.imports.part import Value, drive_part, drive_values, like, server_part
from profiles.imports.reading import read_files

if TYPE_CHECKING:
    from models.hardware.drive import Drive
    from profiles.imports.finding import Finding
    from profiles.loading.loader import Loaded


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for, as typed: `name` is that of the drive, `like` the drive that gives what is not measured."""

    files: tuple[str, ...]
    name: str = ""
    technology: Technology | None = None
    direction: Direction | None = None
    capacity: str | None = None
    seek_time: str | None = None
    like: str | None = None
    origin: str = ""


def calibrated(wanted: Wanted, problems: Iterable[Problem] = ()) -> CalibrationReport:
    """Return the parts that follow from measurements; `problems` are told with those of the files and numbers.

    Raises:
        ProblemError: with all that is wrong with what is asked for and with the files.
    """
    seek_time, readings = _prepared(wanted, list(problems))
    warnings = [warning for reading in readings for warning in reading.warnings]
    try:
        fitted = fit([run for reading in readings for run in reading.runs], wanted.technology, seek_time)
    except ProblemError as error:
        raise ProblemError([*error.problems, *warnings]) from None
    values: Mapping[str, Value] = {}
    if fitted.kind:
        values = drive_values(fitted, _like(wanted.like or fitted.kind.technology), wanted.capacity, wanted.origin)
    return CalibrationReport(
        name=wanted.name,
        measured=[
            Measured(reading.file, reading.formats, [(run, fitted.predict(run)) for run in reading.runs])
            for reading in readings
        ],
        kind=f"{fitted.kind.technology} ({fitted.kind.reason})" if fitted.kind else "",
        numbers=[[key, value.text, value.brief] for key, value in values.items()],
        drive=drive_part(wanted.name, fitted, values, wanted.origin) if fitted.kind else "",
        server=server_part(fitted, wanted.origin),
        notes=[*warnings, *fitted.notes, *_unstated(wanted, values)],
    )


def _prepared(wanted: Wanted, problems: list[Problem]) -> tuple[float | None, Sequence[Finding]]:
    """Return the stated seek time (s) and what the files say.

    Raises:
        ProblemError: with the problems, every number that is none and every file that cannot be read.
    """
    seek_time = _quantity("--seek-time", wanted.seek_time, "s", problems)
    _quantity("--capacity", wanted.capacity, "B", problems)
    readings: Sequence[Finding] = ()
    try:
        readings = read_files(wanted.files, wanted.direction)
    except ProblemError as error:
        problems += error.problems
    if problems:
        raise ProblemError(problems)
    return seek_time, readings


def _quantity(option: str, text: str | None, unit: str, problems: list[Problem]) -> float | None:
    """Return a positive quantity, None if it is not given or added to the problems."""
    if text is None:
        return None
    try:
        value = units.parse(text, unit)
    except RefusalError as error:
        problems.append(Problem("", None, option, str(error)))
        return None
    if value <= 0:
        problems.append(Problem("", None, option, f"must be greater than 0 (got '{text}')"))
    return value


def _like(name: str) -> Loaded[Drive]:
    """Return the drive part of a name or path.

    Raises:
        ProblemError: there is none, or it is wrong.
    """
    try:
        return like(name)
    except ProblemError as error:
        raise ProblemError(replace(problem, key=problem.key or "--like") for problem in error.problems) from None


def _unstated(wanted: Wanted, values: Mapping[str, Value]) -> Iterator[Problem]:
    """Yield a note if the size of the drive was taken from another drive without being asked to."""
    if "capacity" in values and not (wanted.capacity or wanted.like):
        message = f"{values['capacity'].text} is the size of another drive; state --capacity '2 TB', or --like NAME"
        yield Problem("", None, "capacity", message)
