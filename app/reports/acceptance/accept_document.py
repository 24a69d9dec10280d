"""The acceptance of a cluster as a document: the bands for the contract, and what was measured against them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.reports import words
from app.reports.acceptance.accept_blame import blame
from app.reports.contracts import accept as contracts
from app.reports.contracts.filling import filled
from app.reports.document import Block, Cell, Column, Document, Facts, Paragraph, Section, Table, quantity
from models.planning.verdicts import NARROW, WIDE, Judged
from models.problem import Problem
from models.units import format_duration


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptReport:
    """The tests of a cluster; `is_judged` where results were read, of which `problems` are what could not be used.

    `limiting` are sentences on settings, and not hardware, that limit work among the tests.
    """

    title: str
    profile: str
    kit: str
    seed: int
    version: str
    tests: Sequence[Judged]
    limiting: Sequence[str] = ()
    is_judged: bool = False
    notes: Sequence[Problem] = ()
    problems: Sequence[Problem] = ()

    @property
    def is_accepted(self) -> bool | None:
        """Whether all tests were measured and none fails; None before anything was read."""
        if not self.is_judged:
            return None
        return all(test.verdict in ("pass", "too good") for test in self.tests)

    def named(self, verdict: str) -> list[str]:
        """Return the names of the tests of a verdict."""
        return [test.expected.name for test in self.tests if test.verdict == verdict]


def document(report: AcceptReport) -> Document:
    """Return the report."""
    sections = [Section("bands", "Bands for the contract", list(_bands(report)))]
    if report.is_judged:
        sections.insert(0, Section("answer", "The answer", [*map(_strong, verdict(report)), *_said(report)]))
        sections.insert(1, Section("tests", "Measured", [_measured(report)]))
    sections.append(Section("why", "Why the bands are so wide", [_why(report)]))
    return Document(f"Acceptance of {report.title}", sections, contract(report))


def _strong(text: str) -> Paragraph:
    return Paragraph(text, is_strong=True)


def verdict(report: AcceptReport) -> list[str]:
    """Return the answer in sentences: accepted or not, then which part is to blame."""
    if not report.is_judged:
        return []
    failed, missing = report.named("fail"), report.named("not measured")
    count = f"{len(report.tests)} tests"
    if failed:
        text = f"Not accepted: {len(failed)} of {count} fail, {words.listed(failed)}."
    elif missing:
        text = f"Not yet accepted: of {count}, {len(missing)} were not measured."
    else:
        text = f"Accepted: all {count} pass."
    return [text, *blame(report.tests)]


def _said(report: AcceptReport) -> Iterator[Block]:
    rows = [("Missing", words.listed(names)) for names in [report.named("not measured")] if names]
    rows += [
        ("Weak", test.expected.name + ": passes, but outside of the narrow band")
        for test in report.tests
        if test.is_weak
    ]
    rows += [("Not used", f"{problem}") for problem in report.problems]
    rows += [("Note", f"{note}") for note in report.notes]
    if rows:
        yield Facts(rows)


def _measured(report: AcceptReport) -> Table:
    columns = [Column("test"), Column("what"), Column("measured"), Column("expected"), Column("against it", "change")]
    columns += [Column(f"{words.percent(WIDE)} band"), Column("verdict"), Column("source")]
    return Table("Measured", columns, [_row(test) for test in report.tests])


def _row(test: Judged) -> Sequence[Cell]:
    value, expected = test.measured, test.expected
    against = None if value is None else value / expected.value - 1
    shown = None if value is None else _shown(value, expected.unit)
    return (
        expected.name,
        expected.what,
        shown,
        _shown(expected.value, expected.unit),
        against,
        _band(test, WIDE),
        test.verdict,
        test.source or None,
    )


def _bands(report: AcceptReport) -> Iterator[Block]:
    columns = [
        Column("test"),
        Column("what"),
        Column("expected"),
        *(Column(f"{words.percent(level)} band") for level in (NARROW, WIDE)),
    ]
    rows = [
        (
            test.expected.name,
            test.expected.what,
            _shown(test.expected.value, test.expected.unit),
            _band(test, NARROW),
            _band(test, WIDE),
        )
        for test in report.tests
    ]
    yield Table("Bands", columns, rows)
    yield from map(Paragraph, report.limiting)
    yield Paragraph(
        f"A test passes within the {words.percent(WIDE)} band. What is better than that is told, and to be explained"
        f" before anybody signs. Kit {report.kit}, seed {report.seed}, version {report.version}."
    )


def _why(report: AcceptReport) -> Facts:
    return Facts([(test.expected.name, "; ".join(test.why)) for test in report.tests])


def _band(test: Judged, level: float) -> str:
    band = next(other for other in test.bands if other.level == level)
    unit = test.expected.unit
    return f"{_shown(band.low, unit)} to {_shown(band.high, unit)}"


def _shown(value: float, unit: str) -> str:
    if unit == "s":
        return format_duration(value)
    return quantity(float(f"{value:.3g}"), unit)


def contract(report: AcceptReport) -> contracts.Accept:
    """Return the report as JSON data, `headroom.accept/1`."""
    tests = [filled(contracts.AcceptTest, test, test.expected, expected=test.expected.value) for test in report.tests]
    return filled(contracts.Accept, report, verdict=verdict(report), tests=tests, warnings=list(report.limiting))
