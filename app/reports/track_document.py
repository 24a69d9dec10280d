"""Forecast beside reality as a document: the new days, which assumption broke, and data over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from app.reports import words
from app.reports.contracts import track as contracts
from app.reports.contracts.filling import filled
from app.reports.document import (
    Axis,
    Block,
    Column,
    Document,
    Facts,
    Lines,
    Paragraph,
    Section,
    Series,
    Table,
    quantity,
)
from models.planning.calibration import LEVEL
from models.planning.growth import DAYS_A_YEAR, GrowthPlan
from models.planning.tracking import Forecast
from models.problem import Problem

MONTH = DAYS_A_YEAR / 12
CLOSE = 0.05
"""Part by which a measured number may differ from a plan before it is broken. Assumption: 2 to 10 %."""


@dataclass(frozen=True, slots=True)
class Day:
    """Data (B) on a day as measured and as planned, and where it was measured."""

    day: date
    stored: float
    planned: float | None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A number of a profile beside the measured one; `low` and `high` are the ends of that, where they are known."""

    name: str
    key: str
    unit: str
    planned: float | None
    measured: float
    low: float | None = None
    high: float | None = None

    @property
    def is_broken(self) -> bool:
        """Whether the plan lies outside of what was measured, and not only by what no plan is exact to."""
        if self.planned is None or abs(self.measured - self.planned) <= CLOSE * self._scale:
            return False
        return not (self.low is not None and self.high is not None and self.low <= self.planned <= self.high)

    @property
    def _scale(self) -> float:
        """What a part of is close: one for a growth, which is a part itself, else the plan."""
        return 1.0 if self.unit == "change" else abs(self.planned or 0.0)


@dataclass(frozen=True, slots=True)
class Dates:
    """A day as planned, as forecast, and the early and the late end of that; None where it lies beyond the table."""

    planned: date | None
    forecast: date | None
    early: date | None
    late: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackReport:
    """What was measured beside a plan, and the forecast from there; `forecast` is None where no growth is known."""

    title: str
    profile: str
    seed: int
    version: str
    days: Sequence[Day]
    forecast: Forecast | None
    planned: GrowthPlan | None
    full: Dates | None
    missed: Dates | None
    targets: Sequence[str]
    checked: Sequence[Checked]
    utilization: Sequence[tuple[str, float, float | None]]
    notes: Sequence[str]
    problems: Sequence[Problem]

    @property
    def is_broken(self) -> bool:
        """Whether an assumption of the plan broke."""
        return any(checked.is_broken for checked in self.checked)


def document(report: TrackReport) -> Document:
    """Return the report."""
    sections = [Section("answer", "The answer", [*_verdict(report), *_notes(report)])]
    if report.checked:
        sections.append(Section("assumptions", "What was assumed, and what was measured", [_checked(report)]))
    if report.days:
        sections.append(Section("data", "Data over time", list(_data(report))))
    if report.utilization:
        sections.append(Section("utilization", "How busy it is", [_utilization(report)]))
    return Document(f"{report.title}: forecast beside reality", sections, contract(report))


def verdict(report: TrackReport) -> list[str]:
    """Return the answer in sentences: the new days, then what broke."""
    return [*_last(report), *_dates(report), *_broken(report)]


def _verdict(report: TrackReport) -> Iterator[Block]:
    for text in verdict(report):
        yield Paragraph(text, is_strong=True)


def _last(report: TrackReport) -> Iterator[str]:
    if not report.days:
        return
    last = report.days[-1]
    text = f"On {last.day} the store held {quantity(last.stored, 'B')}"
    if last.planned:
        change = words.signed_percent(last.stored / last.planned - 1)
        text += f", {change} against the {quantity(last.planned, 'B')} planned"
    yield f"{text}."


def _dates(report: TrackReport) -> Iterator[str]:
    if report.full is not None:
        yield f"Full {_on(report.full.forecast)}{_interval(report.full)}{_not(report.full)}."
    if report.missed is None:
        return
    targets = words.listed(report.targets)
    if report.missed.forecast is None:
        planned = f", planned was until {report.missed.planned}" if report.missed.planned else ""
        yield f"Meets {targets} for as long as it is not full{planned}."
    else:
        yield f"First misses {targets} {_on(report.missed.forecast)}{_interval(report.missed)}{_not(report.missed)}."


def _on(day: date | None) -> str:
    return f"on {day}" if day else "later than the forecast looks"


def _interval(dates: Dates) -> str:
    if dates.early == dates.late:
        return ""
    late = f"{dates.late}" if dates.late else "later than that"
    return f", between {dates.early or dates.forecast} and {late} ({words.percent(LEVEL)})"


def _not(dates: Dates) -> str:
    if dates.planned == dates.forecast:
        return ", as planned"
    return f", not {_on(dates.planned)} as planned" if dates.planned else ", which the plan did not foresee"


def _broken(report: TrackReport) -> Iterator[str]:
    for checked in report.checked:
        if checked.is_broken and checked.planned is not None:
            measured, planned = (_shown(value, checked.unit) for value in (checked.measured, checked.planned))
            yield f"The assumed {checked.name} broke: {measured}{_ends(checked)}, not {planned}."
    if report.checked and not report.is_broken:
        yield "No assumption broke of those that were measured."


def _ends(checked: Checked) -> str:
    if checked.low is None or checked.high is None:
        return ""
    low, high = (_shown(end, checked.unit).partition(" ") for end in (checked.low, checked.high))
    return f" ({low[0]}{'' if low[2] == high[2] else f' {low[2]}'} to {''.join(high)})"


def _notes(report: TrackReport) -> Iterator[Block]:
    rows = [("Not used", f"{problem}") for problem in report.problems] + [("Note", note) for note in report.notes]
    if rows:
        yield Facts(rows)


def _checked(report: TrackReport) -> Table:
    columns = [Column("what"), Column("key"), Column("planned"), Column("measured"), Column("between"), Column("broke")]
    rows = [
        (
            checked.name,
            checked.key,
            None if checked.planned is None else _shown(checked.planned, checked.unit),
            _shown(checked.measured, checked.unit),
            _ends(checked).strip(" ()") or None,
            "yes" if checked.is_broken else "no",
        )
        for checked in report.checked
    ]
    return Table("Assumptions", columns, rows)


def _data(report: TrackReport) -> Iterator[Block]:
    yield Lines(
        "Data and room", Axis("months from the start", "1", is_whole=True), Axis("data", "B"), list(_curves(report))
    )
    columns = (Column("day"), Column("stored", "B"), Column("planned", "B"), Column("against it", "change"))
    rows = [
        (f"{day.day}", day.stored, day.planned, day.stored / day.planned - 1 if day.planned else None, day.source)
        for day in report.days
    ]
    yield Table("Measured days", (*columns, Column("source")), rows)


def _curves(report: TrackReport) -> Iterator[Series]:
    first = report.planned.months[0].day if report.planned else report.days[0].day

    def after(days: Sequence[date]) -> list[float]:
        return [(day - min(first, report.days[0].day)).days / MONTH for day in days]

    yield Series("measured", after([day.day for day in report.days]), [day.stored for day in report.days])
    until = _until(report)
    if report.planned:
        months = [month for month in report.planned.months if month.day <= until]
        yield Series("planned", after([month.day for month in months]), [month.stored for month in months])
    if report.forecast:
        months = [month for month in report.forecast.likely.plan.months if month.day <= until]
        likely, slow, fast = (
            [month.stored for month in filling.plan.months[: len(months)]]
            for filling in (report.forecast.likely, report.forecast.slow, report.forecast.fast)
        )
        places = after([month.day for month in months])
        yield Series("forecast", places, likely, slow, fast)
        yield Series("room", places, [month.effective for month in months])


def _until(report: TrackReport) -> date:
    """Return the day to which the chart goes: a year beyond that on which the cluster is full, else the plan's last."""
    full = [day for day in (report.full.forecast, report.full.planned) if day] if report.full else []
    if full:
        return max(full) + timedelta(days=DAYS_A_YEAR)
    return report.planned.months[-1].day if report.planned else date.max


def _utilization(report: TrackReport) -> Table:
    columns = [Column("of"), Column("measured", "share"), Column("simulated", "share"), Column("difference", "change")]
    rows = [
        (of, measured, simulated, None if simulated is None else simulated - measured)
        for of, measured, simulated in report.utilization
    ]
    return Table("Utilization", columns, rows)


def _shown(value: float, unit: str) -> str:
    if unit == "change":
        return f"{words.signed_percent(value)} a year"
    return f"{value:.3g}" if unit == "1" else quantity(float(f"{value:.4g}"), unit)


def contract(report: TrackReport) -> contracts.Track:
    """Return the report as JSON data, `headroom.track/1`."""
    return filled(
        contracts.Track,
        report,
        verdict=verdict(report),
        level=LEVEL,
        days=[filled(contracts.TrackDay, day, date=f"{day.day}") for day in report.days],
        assumptions=[
            filled(contracts.TrackAssumption, checked, unit="1" if checked.unit == "change" else checked.unit)
            for checked in report.checked
        ],
        utilization=[
            {"of": of, "measured": measured, "simulated": simulated} for of, measured, simulated in report.utilization
        ],
    )
