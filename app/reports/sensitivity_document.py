"""What an answer depends on, as a report: what better parts would bring, bands, swings, Sobol indices, and regret."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from app.reports import cost_section, words
from app.reports.contracts import planning
from app.reports.contracts.filling import filled
from app.reports.document import (
    Axis,
    Bars,
    Block,
    Column,
    Document,
    Facts,
    Lines,
    Paragraph,
    Ranges,
    Section,
    Series,
    Table,
    quantity,
)
from models.planning.uncertain import Input
from models.target import spelled
from simulator.studies.uncertainty import Band, Influence, Regret, Swing

SHORT = ("answer", "marginal", "band", "swings", "influence", "regret")
"""The sections that a terminal shows."""


@dataclass(frozen=True, slots=True)
class Gain:
    """What one lever brings: the measure with it, and in money a year what that is worth at most and what it costs.

    `worth` is None without prices and for what is no time, `cost` where the price list has no such part.
    """

    name: str
    value: float
    change: float
    worth: float | None
    cost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SensitivityReport:
    """A study of one measure, lower being better, under `settings`; what was not asked for is empty.

    `limiting` are sentences on settings that limit the profile as it is; `missing` has no price in its list;
    `meanings` say in words what the keys of the inputs are.
    """

    title: str
    profile: str
    measure: str
    unit: str
    base: float
    currency: str = "USD"
    gains: Sequence[Gain] = ()
    limiting: Sequence[str] = ()
    inputs: Sequence[Input] = ()
    swings: Sequence[Swing] = ()
    band: Band | None = None
    sampled: Sequence[float] = ()
    influences: Sequence[Influence] = ()
    regrets: Sequence[Regret] = ()
    unpriced: Mapping[str, Sequence[str]] = field(default_factory=dict)
    missing: Sequence[str] = ()
    meanings: Mapping[str, str] = field(default_factory=dict)
    samples: int = 0
    seed: int = 0
    version: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)


def document(report: SensitivityReport) -> Document:
    """Return the report."""
    return Document(report.title, list(sections(report)), contract(report))


def sections(report: SensitivityReport) -> Iterator[Section]:
    """Yield the sections of what was asked for."""
    yield Section("answer", "The answer", [Facts(list(_answer(report)))])
    if report.gains:
        yield Section("marginal", "What better parts would bring", list(_gains(report)))
    if report.inputs:
        yield Section("inputs", "What is not known exactly", [_inputs(report)])
    if report.band is not None:
        yield Section("band", "What to expect", list(_band(report, report.band)))
    if report.swings:
        yield Section("swings", "What each input does alone", list(_swings(report)))
    if report.influences:
        yield Section("influence", "Which input moves it most", list(_influences(report)))
    if report.regrets or report.unpriced:
        yield Section("regret", "Which choice is regretted least", list(_regrets(report)))
    changed = words.changes(report.settings)
    again = [
        ("Profile", report.profile),
        *changed,
        ("Seed", f"{report.seed}"),
        ("Version", f"headroom {report.version}"),
    ]
    yield Section("profile", "To run it again", [Facts(again)])


def _answer(report: SensitivityReport) -> Iterator[tuple[str, str]]:
    name = spelled(report.measure)
    yield name.capitalize(), words.duration(report.base) if report.unit == "s" else _said(report, report.base)
    if report.gains:
        best = min(report.gains, key=lambda gain: gain.change)
        yield "Most gained by", f"{best.name}: {words.signed_percent(best.change)}"
    yield from (("Setting", text) for text in report.limiting)
    if report.band is not None:
        low, high = report.band.quantiles[0.05], report.band.quantiles[0.95]
        yield "To expect", f"{_said(report, low)} to {_said(report, high)} in nine of ten cases"
    if report.influences:
        first = report.influences[0]
        yield "Moved most by", f"{_named(report, first.key)}: {words.percent(max(first.total, 0.0))} of the variance"
    elif report.swings:
        first_swing = report.swings[0]
        ends = f"{_said(report, first_swing.low)} to {_said(report, first_swing.high)}"
        yield "Moved most by", f"{_named(report, first_swing.key)}: {ends}"
    if report.regrets:
        least = report.regrets[0]
        yield "Least regret", f"{least.choice}: at most {words.percent(least.worst)} worse than the best choice"


def _named(report: SensitivityReport, key: str) -> str:
    """Return an input in words, and its key by which it is changed."""
    return f"{report.meanings[key]} ({key})" if key in report.meanings else key


def _said(report: SensitivityReport, value: float) -> str:
    return quantity(value, report.unit)


def _gains(report: SensitivityReport) -> Iterator[Block]:
    gains = sorted(report.gains, key=lambda gain: gain.change)
    rows = [(gain.name, min(gain.value, report.base), max(gain.value, report.base)) for gain in gains]
    axis = Axis(spelled(report.measure), report.unit)
    yield Ranges("Each part alone, made better", axis, rows, base=report.base)
    columns = (Column("lever"), Column(spelled(report.measure), report.unit), Column("change", "change"))
    if all(gain.worth is None and gain.cost is None for gain in gains):
        yield Table("Levers", columns, [(gain.name, gain.value, gain.change) for gain in gains])
        if report.missing:
            yield Paragraph(f"What that is worth is not known, {cost_section.unknown(report.missing)}.")
        return
    money = (Column("worth a year, at most", report.currency), Column("costs a year", report.currency))
    cells = [(gain.name, gain.value, gain.change, gain.worth, gain.cost) for gain in gains]
    yield Table("Levers", (*columns, *money), cells)
    yield Paragraph(
        "Worth: the part of the yearly cost of all machines in which the job is no longer running. A part that costs"
        " less than it is worth pays for itself where the cluster is always busy."
    )


def _inputs(report: SensitivityReport) -> Table:
    columns = (Column("input"), Column("distribution"), Column("5 %"), Column("middle"), Column("95 %"))
    rows = [(_named(report, one.key), one.kind, one.ends[0], one.typical, one.ends[1]) for one in report.inputs]
    return Table("Inputs", columns, rows)


def _band(report: SensitivityReport, band: Band) -> Iterator[Block]:
    measured = Axis(spelled(report.measure), report.unit)
    ordered = sorted(report.sampled)
    shares = [(i + 0.5) / len(ordered) for i in range(len(ordered))]
    curve = Series("samples", ordered, shares)
    yield Lines("Share of the samples that stay below", measured, Axis("share of the samples", "share"), [curve])
    columns = (Column("part of the cases"), Column(f"{spelled(report.measure)} at most", report.unit))
    yield Table("Quantiles", columns, [(f"{100 * share:g} %", value) for share, value in band.quantiles.items()])
    yield Paragraph(f"{band.count} of {report.samples} samples could be run; their mean is {_said(report, band.mean)}.")


def _swings(report: SensitivityReport) -> Iterator[Block]:
    axis = Axis(spelled(report.measure), report.unit)
    rows = [(swing.key, swing.low, swing.high) for swing in report.swings]
    yield Ranges("From the 5 % to the 95 % quantile of each input", axis, rows, base=report.base)
    columns = (
        Column("input"),
        Column("low end"),
        Column("high end"),
        Column("at the low end", report.unit),
        Column("at the high end", report.unit),
    )
    cells = [(_named(report, one.key), *one.ends, one.low, one.high) for one in report.swings]
    yield Table("Swings", columns, cells)


def _influences(report: SensitivityReport) -> Iterator[Block]:
    labels = [influence.key for influence in report.influences]
    values = [[max(influence.first, 0.0), max(influence.total, 0.0)] for influence in report.influences]
    yield Bars("Share of the variance", Axis("Sobol index", "share"), labels, ("alone", "with others"), values)
    columns = (
        Column("input"),
        Column("alone", "share"),
        Column("±", "share"),
        Column("with others", "share"),
        Column("±", "share"),
    )
    rows = [
        (
            _named(report, influence.key),
            influence.first,
            influence.first_margin,
            influence.total,
            influence.total_margin,
        )
        for influence in report.influences
    ]
    yield Table("Sobol indices", columns, rows)


def _regrets(report: SensitivityReport) -> Iterator[Block]:
    columns = (
        Column("choice"),
        Column("worst regret", "share"),
        Column("mean regret", "share"),
        Column("is the best in", "share"),
    )
    yield Table(
        "Regret", columns, [(regret.choice, regret.worst, regret.mean, regret.best_in) for regret in report.regrets]
    )
    for choice, parts in report.unpriced.items():
        yield Paragraph(f"'{choice}' is not weighed, {cost_section.unknown(parts)}.")
    yield Paragraph(
        "Regret: how much worse a choice is than the best one for the same inputs, seen afterwards, over all samples."
    )


def contract(report: SensitivityReport) -> planning.Sensitivity:
    """Return the study as JSON data, `headroom.sensitivity/1`."""
    band = report.band
    quantiles = {f"{share:g}": value for share, value in band.quantiles.items()} if band else {}
    return filled(
        planning.Sensitivity,
        report,
        levers=[filled(planning.Lever, gain) for gain in report.gains],
        warnings=list(report.limiting),
        band=filled(planning.Band, band, quantiles=quantiles) if band else None,
    )
