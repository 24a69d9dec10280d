"""What an import found, as rows of the tables of its page. Knows no widget."""

from __future__ import annotations

import os
from typing import Self

from app.gui.importing.jobs import MEASURED, Imported
from app.gui.tables.model import Column
from app.reports.document import quantity
from app.reports.import_document import Compared, File, ImportReport, Made, asides, shown_value

STATES = {"read": "✓ read", "part": "≈ read in part", "nothing": "– nothing to use", "refused": "✗ refused"}
"""How a file fared, with a sign besides the word."""
FILES = (
    Column("file", is_number=False),
    Column("label", meaning="What sources call it: no name goes into a profile.", is_number=False),
    Column("state", is_number=False),
    Column("what it is", is_number=False),
    Column("what it says", is_number=False),
)
ASIDES = (Column("kind", is_number=False), Column("what to know, and the way out", is_number=False))
NUMBERS = (
    Column("key", is_number=False),
    Column("value", is_number=False),
    Column("rests on", is_number=False),
    Column("where it stands", is_number=False),
)
BESIDE = (
    Column("of", is_number=False),
    Column("measure", is_number=False),
    Column("measured"),
    Column("simulated"),
    Column("error", lambda error: quantity(error, "change"), "of the simulated number, in parts of the measured one"),
    Column("where it stands", is_number=False),
)


class Amount(float):
    """A number with its unit: it sorts as a number and reads as words."""

    __slots__ = ("unit",)
    unit: str

    def __new__(cls, value: float, unit: str) -> Self:
        """Return the number with its unit."""
        made = super().__new__(cls, value)
        made.unit = unit
        return made

    def __str__(self) -> str:
        return shown_value(float(self), self.unit)


def files(report: ImportReport) -> list[tuple[str, ...]]:
    """Return a row for each file: name below the folder that all share, label, how it fared, what it is and says."""
    names = [file.name for file in report.files]
    shared = os.path.commonpath([os.path.dirname(name) for name in names]) if names else ""
    return [
        (
            os.path.relpath(file.name, shared) if shared else file.name,
            file.label,
            STATES[_state(file, report)],
            ", ".join(file.formats) or "not known",
            ", ".join(file.says) or "nothing to use",
        )
        for file in report.files
    ]


def said(report: ImportReport) -> list[tuple[str, str]]:
    """Return what is to be known of the files, and what to measure next."""
    next_ = [
        ("Measure next", f"{measure.measurement} ({measure.keys}, {measure.ranges})") for measure in report.to_measure
    ]
    return [*asides(report), *next_]


def numbers(imported: Imported, made: Made) -> list[tuple[str, ...]]:
    """Return the measured numbers of a profile, the parts that were taken from the library, then what they say."""
    rows = [(number.key, number.value, number.kind, number.source) for number in imported.numbers[made.file]]
    measured = [row for row in rows if row[2] == MEASURED]
    parts = [(key, name, "assumed", "a part of the library") for key, name in imported.report.assumed.items()]
    return [*measured, *parts, *(row for row in rows if row[2] != MEASURED)]


def beside(report: ImportReport, made: Made) -> list[tuple[object, ...]]:
    """Return what was measured beside what is simulated, and rates of drives and networks beside what fits them."""
    return [_beside(rate) for rate in (*made.compared, *report.rates)]


def before(report: ImportReport, made: Made) -> str:
    """Return between what the answer of a profile lay in an earlier run, of fewer files, to be said behind it."""
    earlier = next((profile.likely for profile in report.profiles if profile.file == made.file), "")
    return f"; without what was added last: {earlier}" if earlier and made.likely not in ("", earlier) else ""


def summary(imported: Imported) -> tuple[str, bool]:
    """Return in words how the files fared, and whether one of them is wrong."""
    states = [_state(file, imported.report) for file in imported.report.files]
    counted = ((states.count(state), STATES[state][2:]) for state in STATES)
    words = ", ".join(f"{count} {word}" for count, word in counted if count)
    is_wrong = bool(imported.report.problems) or any(made.problems for made in imported.report.profiles)
    more = "" if imported.is_run else " Run simulates the profile beside what was measured; Accept opens it."
    return f"Files: {words}.{more}", is_wrong


def _state(file: File, report: ImportReport) -> str:
    """Return how a file fared, as a key of `STATES`."""
    is_wrong = any(problem.file == file.name for problem in report.problems)
    if file.says:
        return "part" if is_wrong else "read"
    return "refused" if is_wrong else "nothing"


def _beside(compared: Compared) -> tuple[object, ...]:
    simulated = None if compared.simulated is None else Amount(compared.simulated, compared.unit)
    about = compared.about or "the whole"
    return about, compared.measure, Amount(compared.measured, compared.unit), simulated, compared.error, compared.source
