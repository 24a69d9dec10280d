"""Reads files of all formats into findings. What is wrong with one file stops no other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from models.hardware.measurement import Direction
from models.problem import Problem, ProblemError
from profiles.imports.finding import Finding
from profiles.imports.formats import Format, is_in_pieces, recognised
from profiles.imports.opening import Source, chained, sources
from profiles.imports.unlike import BROKEN, said_of

COLLECTOR = Path(__file__).with_name("headroom-collect.sh")
"""The script that gathers what servers say of themselves."""
EXPECTED = "expected what a program wrote that docs/import.md lists"


@dataclass(slots=True)
class _Record:
    """One file, or the files that are pieces of one record, and what formats they have."""

    formats: Sequence[Format]
    pieces: list[Source]
    problems: list[Problem] = field(default_factory=list)


def read_files(paths: Iterable[str], direction: Direction | None = None) -> tuple[Finding, ...]:
    """Return what files say that all have to be right; `direction` is that of dd runs without their command line.

    Raises:
        ProblemError: with every file that cannot be read and every run that cannot be understood.
    """
    gathered: list[Finding] = []
    problems: list[Problem] = []
    for path in dict.fromkeys(paths):
        try:
            with sources([path]) as files:
                gathered += findings(files, direction, is_named=True)
        except ProblemError as error:
            problems += error.problems
    problems += [problem for finding in gathered for problem in finding.problems]
    if problems:
        raise ProblemError(problems)
    return tuple(gathered)


def findings(files: Sequence[Source], direction: Direction | None = None, *, is_named: bool = False) -> list[Finding]:
    """Return what each file, or each folder of pieces of one record, says.

    What is measured names its file where `is_named`, else a label that tells nothing of the user's systems.
    """
    labels: Counter[str] = Counter()
    gathered = []
    for record in _records(files):
        name = record.formats[0].NAME if record.formats else "file"
        labels[name] += 1
        label = record.pieces[0].name if is_named else f"{name} {labels[name]}"
        gathered.append(_found(record, label, direction))
    return gathered


def _records(files: Sequence[Source]) -> list[_Record]:
    """Return the files with their formats; pieces of one record together, at the place of the first."""
    records: dict[tuple[str, str] | int, _Record] = {}
    numbers = count()
    for source in files:
        kinds, problems = _told(source)
        together = bool(source.folder and kinds and is_in_pieces(kinds[0]))
        key = (source.folder, kinds[0].NAME) if together else next(numbers)
        records.setdefault(key, _Record(kinds, [], problems)).pieces.append(source)
    return list(records.values())


def _told(source: Source) -> tuple[list[Format], list[Problem]]:
    """Return the formats of a file, and what keeps it from being read."""
    try:
        head = source.head()
    except ProblemError as error:
        return [], list(error.problems)
    if not head.strip():
        cut = f"the file is broken: {source.cut}" if source.cut else "the file is empty"
        return [], [Problem(source.name, None, "", f"{cut}: {EXPECTED}")]
    kinds = recognised(head)
    unknown = Problem(source.name, None, "", f"not known: {EXPECTED}")
    return kinds, [] if kinds else [unknown]


def _found(record: _Record, label: str, direction: Direction | None) -> Finding:
    source = chained(record.pieces)
    finding = Finding(source.name, label, source.folder, direction, problems=record.problems)
    for kind in record.formats:
        finding.formats.append(kind.NAME)
        try:
            kind.read(source, finding)
        except ProblemError as error:
            finding.problems += error.problems
        except RecursionError:
            finding.complain(None, "JSON nested too deeply")
        except BROKEN as error:
            text = f"not as {kind.NAME} writes it: {said_of(error, finding.key)}; run it again, or leave this out"
            finding.complain(finding.at or source.at or None, text)
    if record.formats and not (finding.problems or finding.warnings or any(finding.told())):
        finding.warn(None, "there is nothing in it that can be used")
    if source.cut:
        finding.warn(None, f"the file breaks off ({source.cut}): what stands before was read")
    return finding
