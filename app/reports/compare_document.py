"""Scenarios side by side as a report: what differs between them first, then what comes of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.reports import explained as explaining, words
from app.reports.contracts import planning
from app.reports.contracts.filling import filled
from app.reports.differing import Inputs
from app.reports.document import (
    Axis,
    Bars,
    Block,
    Cell,
    Column,
    Document,
    Facts,
    Paragraph,
    Section,
    Table,
    Verbatim,
    quantity,
)
from app.reports.explained import Explained
from app.reports.held_up import of_each, settings
from app.reports.leading import PHRASES, amount, said
from app.reports.prediction_report import Prediction, prediction_json
from models.target import spelled
from simulator.studies.compare import Compared, Difference, difference
from simulator.studies.measures import Measure

SPANNED = "The line at the end of a bar spans the 95 % interval of its mean."


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareReport:
    """A comparison beside what was asked.

    `inputs` are the keys in which the profiles differ, each with one text a scenario, None where it has no such key;
    `summary` are the same in fewer lines.
    `profiles` are the names of the profiles, `tomls` their whole texts, `predictions` how sure their answers are;
    `explained` are the differences to the first, where these were asked for; some are missing where it `was_stopped`.
    """

    title: str
    scenarios: Sequence[Compared]
    inputs: Inputs
    summary: Inputs
    profiles: Sequence[str]
    tomls: Sequence[str]
    seed: int
    version: str
    predictions: Sequence[Prediction | None]
    explained: Sequence[Explained] = ()
    was_stopped: bool = False


def document(report: CompareReport) -> Document:
    """Return the report of a comparison."""
    return Document(report.title, list(_sections(report)), contract(report))


def brief(report: CompareReport, most: int) -> Document:
    """Return the answer and the tables that a terminal shows, with at most `most` lines of inputs that differ."""
    sections = [
        _answer(report),
        *_explained(report),
        Section("inputs", "What differs", [inputs(report, most)]),
        Section("comparison", "Results", [outcomes(report)]),
    ]
    return Document(report.title, sections)


def _sections(report: CompareReport) -> Iterator[Section]:
    yield _answer(report)
    yield from _explained(report)
    yield Section("inputs", "What differs", [inputs(report)])
    yield Section("comparison", "Results", list(_outcomes(report)))
    yield Section("profile", "The profiles", list(_again(report)))


def _explained(report: CompareReport) -> list[Section]:
    return (
        [explaining.section(report.explained, was_stopped=report.was_stopped)]
        if report.explained or report.was_stopped
        else []
    )


def _answer(report: CompareReport) -> Section:
    return Section("answer", "The answer", [*map(Paragraph, (*verdicts(report), *limiting(report)))])


def verdicts(report: CompareReport) -> list[str]:
    """Return one sentence for each scenario but the first, and one of the first where there are several."""
    (first, sure), *others = zip(report.scenarios, report.predictions, strict=True)
    return [f"{_comes_to(first, sure)}.", *(_verdict(compared, sure, first) for compared, sure in others)]


def limiting(report: CompareReport) -> list[str]:
    """Return in a sentence each setting that limits scenarios."""
    return list(of_each((compared.name, compared.scenario, compared.answer) for compared in report.scenarios))


def _comes_to(compared: Compared, sure: Prediction | None) -> str:
    if _only_keeps(compared):
        usable = compared.measures.get("usable")
        return f"{compared.name} has nothing to run" + (f"; {quantity(usable.value, 'B')} are usable" if usable else "")
    likely = f", likely {sure.likely}" if sure else ""
    return f"{compared.name} {PHRASES[compared.leading[0]].verb} {said(compared.leading, compared.measures)}{likely}"


def _only_keeps(compared: Compared) -> bool:
    """Tell whether a scenario only keeps data: nothing runs in it."""
    return compared.leading == ("duration",) and not compared.measures["duration"].value


def _verdict(compared: Compared, sure: Prediction | None, first: Compared) -> str:
    gap, name, text = compared.difference, compared.leading[0], _comes_to(compared, sure)
    assert gap is not None  # only the first has none
    if _only_keeps(compared) or _only_keeps(first):
        return f"{text}."
    if gap.is_noise:
        return f"{text}: no difference to {first.name} beyond noise{_noise(name, gap.interval)}."
    if gap.value == 0:
        return f"{text}, {PHRASES[name].alike} {first.name}."
    pace = "less" if gap.value < 0 else "more"
    text = f"{text}: {words.apart(gap.change)} {pace} than {first.name}"
    likely = f", likely {sure.likely_change}" if sure and sure.ratio else ""
    if gap.interval is None:
        return f"{text} (one run of each: the noise is not known){likely}."
    low, high = sorted(abs(end) for end in gap.interval)
    return f"{text}, a difference of {amount(name, low)} to {amount(name, high)} (95 % interval){likely}."


def _noise(name: str, interval: tuple[float, float] | None) -> str:
    if interval is None:
        return ""
    return f" (95 % interval of the difference {interval[0]:+z,.1f} to {interval[1]:+z,.1f} {PHRASES[name].unit})"


def inputs(report: CompareReport, most: int | None = None) -> Table:
    """Return what differs between the profiles; of more than `most` lines only the first."""
    columns = (Column("key"), *(Column(scenario.name) for scenario in report.scenarios))
    rows: list[tuple[Cell, ...]] = [(key, *values) for key, values in list(report.summary.items())[:most]]
    if most is not None and len(report.summary) > most:
        left = len(report.summary) - most
        rows.append((f"and {left} more: --format json", *[""] * len(report.scenarios)))
    return Table("Inputs that differ", columns, rows)


def outcomes(report: CompareReport) -> Table:
    """Return all measures as text, one row each, what leads on top.

    Beside every scenario but the first stands its change against the first, and below what leads how sure it is.
    """
    first = report.scenarios[0].measures
    names = dict.fromkeys([*report.scenarios[0].leading, *_names(report)])
    columns = (Column("measure"), *(Column(scenario.name) for scenario in report.scenarios))
    rows: list[tuple[Cell, ...]] = [
        (
            spelled(name),
            *(_beside(scenario.measures.get(name), first.get(name)) for scenario in report.scenarios),
        )
        for name in names
    ]
    if any(report.predictions):
        rows.insert(1, ("likely", *(prediction.likely if prediction else None for prediction in report.predictions)))
    rows += [("limited by", *_limits(report, is_next=False)), ("next limit", *_limits(report, is_next=True))]
    return Table("Side by side", columns, rows)


def numbers(report: CompareReport) -> Table:
    """Return all measures as numbers, one row a scenario."""
    names = _names(report)
    unit = {name: measure.unit for scenario in report.scenarios for name, measure in scenario.measures.items()}
    columns = (Column("scenario"), *(Column(spelled(name), unit[name]) for name in names))
    rows = [
        (scenario.name, *(scenario.measures[name].value if name in scenario.measures else None for name in names))
        for scenario in report.scenarios
    ]
    return Table("Measures", columns, rows, for_sheets=True)


def _names(report: CompareReport) -> list[str]:
    return list(dict.fromkeys(name for scenario in report.scenarios for name in scenario.measures))


def _beside(measure: Measure | None, base: Measure | None) -> str | None:
    """Return a measure with its change against the baseline, where it differs from it and that can be told."""
    if measure is None:
        return None
    value = quantity(measure.value, measure.unit)
    if base is None or base.value in (measure.value, 0.0) or not math.isfinite(measure.value / base.value):
        return value
    return f"{value} ({words.change(measure.value / base.value - 1)})"


def _limits(report: CompareReport, *, is_next: bool) -> Iterator[Cell]:
    for scenario in report.scenarios:
        bottleneck = scenario.answer.next_bottleneck if is_next else scenario.answer.bottleneck
        yield None if bottleneck is None else f"{bottleneck.resource} ({words.percent(bottleneck.share)})"


def _outcomes(report: CompareReport) -> Iterator[Block]:
    name = report.scenarios[0].leading[0]
    spans = [scenario.interval for scenario in report.scenarios]
    yield _bars(report, name.capitalize(), name, (name, name), spans)
    yield outcomes(report)
    yield numbers(report)
    if all("cost_per_job" in scenario.measures for scenario in report.scenarios):
        yield _bars(report, "Cost of a job", "cost_per_job", ("machines while the job runs", "cost"))


def _bars(
    report: CompareReport,
    title: str,
    name: str,
    named: tuple[str, str],
    spans: Sequence[tuple[float, float] | None] = (),
) -> Bars:
    """Return a measure as a bar a scenario, each in the colour of its place; `named` are the axis and the series."""
    measures = [scenario.measures[name] for scenario in report.scenarios]
    return Bars(
        title,
        Axis(named[0], measures[0].unit),
        [scenario.name for scenario in report.scenarios],
        [named[1]],
        [[measure.value] for measure in measures],
        hues=list(range(len(measures))),
        spans=spans if any(spans) else (),
        spanned=SPANNED if any(spans) else "",
    )


def sheet(report: CompareReport) -> Document:
    """Return the numbers alone, for forms that hold tables."""
    return Document(report.title, [Section("measures", "Measures", [numbers(report)])])


def _again(report: CompareReport) -> Iterator[Block]:
    runs = len(report.scenarios[0].answer.durations)
    same = f"replications {runs}, the same random numbers for all scenarios"
    yield Facts([("Seed", f"{report.seed}, {same}"), ("Version", f"headroom {report.version}")])
    for scenario, profile, text in zip(report.scenarios, report.profiles, report.tomls, strict=True):
        yield Paragraph(f"{scenario.name}: {profile}")
        yield Verbatim(text)


def contract(report: CompareReport) -> planning.Compare:
    """Return the comparison as JSON data, `headroom.compare/1`."""
    first = report.scenarios[0]
    durations = first.answer.durations
    return {
        "schema": "headroom.compare/1",
        "title": report.title,
        "seed": report.seed,
        "version": report.version,
        "inputs": {key: list(values) for key, values in report.inputs.items()},
        "scenarios": [
            _scenario(
                scenario,
                profile,
                prediction,
                None if scenario is first else difference(scenario.answer.durations, durations),
            )
            for scenario, profile, prediction in zip(report.scenarios, report.profiles, report.predictions, strict=True)
        ],
        "explained": [explaining.contract(explained) for explained in report.explained],
    }


def _scenario(
    compared: Compared, profile: str, sure: Prediction | None, longer: Difference | None
) -> planning.Scenario:
    return filled(
        planning.Scenario,
        compared,
        compared.answer,
        profile=profile,
        interval_s=_ends(compared.answer.interval),
        prediction=prediction_json(sure),
        ratio=_ends(sure.ratio if sure else None),
        difference={"seconds": longer.value, "interval_s": _ends(longer.interval), **_differs(longer)}
        if longer
        else None,
        leading=_leading(compared),
        warnings=[*compared.answer.warnings, *settings(compared.scenario, compared.answer).values()],
    )


def _leading(compared: Compared) -> planning.Leading:
    gap, (name, *beside) = compared.difference, compared.leading
    return filled(
        planning.Leading,
        compared,
        measure=name,
        unit=compared.measures[name].unit,
        difference={"value": gap.value, "interval": _ends(gap.interval), **_differs(gap)} if gap else None,
        beside=beside,
    )


def _differs(gap: Difference) -> planning.Differs:
    return {"change": gap.change, "is_noise": gap.is_noise}


def _ends(interval: tuple[float, float] | None) -> list[float] | None:
    return list(interval) if interval else None
