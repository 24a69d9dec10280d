"""A sizing as a report: the answer, the next best, and in one line why each other option is neither."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from app.reports import words
from app.reports.contracts import planning
from app.reports.contracts.filling import filled
from app.reports.document import Axis, Cell, Column, Document, Facts, Lines, Paragraph, Section, Series, Table, quantity
from app.reports.durability_report import nines
from app.reports.held_up import of_each, settings
from app.reports.lint_report import as_data
from app.reports.prediction_report import Prediction, prediction_json, rows as prediction_rows
from app.reports.rules import rules
from app.reports.run.findings import limit
from app.reports.scales import axis_of
from app.reports.size.size_curves import certainty
from app.reports.words import years
from models.planning.grid import Values
from models.planning.lint import lint
from models.target import Target, spelled
from simulator.studies.measures import Measure, by_plain_name
from simulator.studies.size import Option, Sizing, Wish, margin, named


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeReport:
    """A sizing beside what was asked; `settings` hold for all options.

    `usual` names, by the values of an option, the parts that it takes without naming them. `prediction` is how sure the
    answer for the best one is.
    """

    title: str
    sizing: Sizing
    wish: Wish
    profile: str
    seed: int
    version: str
    settings: Mapping[str, str] = field(default_factory=dict)
    usual: Mapping[Values, Mapping[str, str]] = field(default_factory=dict)
    prediction: Prediction | None = None


def document(report: SizeReport) -> Document:
    """Return the report of a sizing."""
    return Document(report.title, list(_sections(report)), contract(report))


def brief(report: SizeReport, most: int) -> Document:
    """Return the answer with the `most` rejected options that come nearest, for a terminal."""
    answer, options = (
        Section("answer", "The answer", [Facts(_answer(report)), Paragraph(_effort(report))]),
        _others(report),
    )
    title = f"The other options, {most} of {len(options)}" if len(options) > most else "The other options"
    return Document(report.title, [answer, Section("options", title, [_table(report, options[:most])])])


def _sections(report: SizeReport) -> Iterator[Section]:
    targets = [("Target", f"{target}") for target in report.wish.targets]
    sought = ("Least", spelled(report.wish.objective))
    changed = words.changes(report.settings)
    yield Section("question", "The question", [Facts([("Profile", report.profile), *changed, *targets, sought])])
    yield Section("answer", "The answer", [Facts(_answer(report)), Paragraph(_effort(report))])
    if len(_simulated(report)) > 1:
        yield Section("comparison", "What was simulated", [_chart(report), _measures(report)])
    if report.wish.confidence:
        yield Section("certainty", "The price of certainty", [_certainty(report), _certainty_table(report)])
    yield Section("options", "Why not the others", [_table(report, _others(report))])
    same = [("Seed", f"{report.seed}"), ("Version", f"headroom {report.version}")]
    yield Section("profile", "To run it again", [Facts(same)])


def _answer(report: SizeReport) -> list[tuple[str, str]]:
    best, following = report.sizing.best, report.sizing.next_best
    if best is None:
        none = "no option is known to meet every target: the search was stopped"
        none = none if report.sizing.was_stopped else "no option meets every target"
        return [("Answer", none), *(("Setting", text) for text in _limiting(report))]
    rows = [
        ("Best so far" if report.sizing.was_stopped else "Answer", named(best)),
        *_facts(report, best),
    ]
    if (prediction := report.prediction) is not None:
        rows += [("  likely", f"{prediction.measure} {prediction.likely}"), *prediction_rows(prediction)]
    if report.wish.confidence:
        rows.append(("  certain", f"targets for the run are met in {words.percent(best.chance)} of the cases"))
    if following is not None:
        rows += [("Next best", named(following)), *_facts(report, following)]
    return [*rows, *(("Setting", text) for text in _limiting(report))]


def _limiting(report: SizeReport) -> list[str]:
    """Return what limits those by a setting that were simulated and miss a target."""
    missing = [option for option in _simulated(report) if not option.is_feasible]
    return list(of_each((named(o), o.scenario, o.answer) for o in missing if o.scenario and o.answer))


def _facts(report: SizeReport, option: Option) -> Iterator[tuple[str, str]]:
    assert option.answer is not None  # only what was simulated is an answer
    assert option.scenario is not None
    targets = report.wish.targets
    rest = dict.fromkeys([report.wish.objective, "duration"]).keys() - {target.measure for target in targets}
    shown = [name for name in (report.wish.objective, "duration") if name in rest and name in option.measures]
    if shown:
        yield "  measures", ", ".join(dict.fromkeys(_measured(name, option.measures[name]) for name in shown))
    measures = by_plain_name(option.measures)
    for target in targets:
        measure = measures[target.measure]
        told = target.told(measure.value, "s") if measure.unit == "s" else quantity(measure.value, measure.unit)
        yield "  meets", f"{target}: {told}, {_spare(target, measure)}"
    yield "  limited by", limit(option.answer.bottleneck)
    if "durability" in measures:
        yield "  durability", _nines(measures["durability"], measures.get("mttdl"))
    limiting = settings(option.scenario, option.answer)
    yield from (("  setting", text) for text in limiting.values())
    yield "  rules", rules(option.scenario, report.usual.get(option.values, {}))
    for advice in (advice for advice in lint(option.scenario) if advice.key not in limiting):
        yield f"  {advice.severity}", f"{advice.key}: {advice.message}"


def _measured(name: str, measure: Measure) -> str:
    return f"{name.replace('_', ' ')} {quantity(measure.value, measure.unit)}"


def _spare(target: Target, measure: Measure) -> str:
    """Return by how much a target is met: by a number of what is counted, by a share of anything else."""
    if measure.unit == "1":
        return f"{abs(measure.value - target.value('1')):.3g} to spare"
    return f"{words.percent(margin(target, measure))} to spare"


def _nines(durability: Measure, mttdl: Measure | None) -> str:
    first_loss = "as its provider says" if mttdl is None else f"the first loss after {years(mttdl.value)} on average"
    return f"{nines(durability.value)} a year for an object; {first_loss}"


def _effort(report: SizeReport) -> str:
    options, ran = report.sizing.options, report.sizing.simulated
    left = sum(not option.is_decided for option in options)
    stopped = f", {left} not decided: the search was stopped" if report.sizing.was_stopped else ""
    return f"{len(options)} options, {ran} simulated, {len(options) - ran - left} decided without a run{stopped}."


def _others(report: SizeReport) -> list[Option]:
    """Return the options that are not the answer, nearest first by the objective; what cannot be run comes last."""
    kept = (report.sizing.best, report.sizing.next_best)
    others = [option for option in report.sizing.options if all(option is not shown for shown in kept)]
    goal = report.sizing.best.objective if report.sizing.best else 0.0
    return sorted(others, key=lambda option: abs(option.objective - goal))


def _simulated(report: SizeReport) -> list[Option]:
    return sorted((option for option in report.sizing.options if option.answer), key=lambda option: option.objective)


def _weighed(report: SizeReport) -> list[Option]:
    """Return the options of which it is known in how many cases they meet the targets, by that number."""
    options = [option for option in report.sizing.options if option.answer is not None and option.misses <= 0]
    return sorted(options, key=lambda option: (option.chance, option.objective))


def _certainty(report: SizeReport) -> Lines:
    weighed = [(option.chance, option.objective) for option in _weighed(report)]
    return certainty(weighed, report.wish.objective, _unit(report))


def _unit(report: SizeReport) -> str:
    """Return the unit of the objective, of which an option that cannot be run says nothing."""
    measured = (option.measures for option in report.sizing.options if option.measures)
    return next((measures[report.wish.objective].unit for measures in measured), "1")


def _certainty_table(report: SizeReport) -> Table:
    columns = (
        Column("option"),
        Column("meets the targets in", "share"),
        Column(spelled(report.wish.objective)),
    )
    rows = [(named(option), option.chance, f"{option.objective:,.6g}") for option in _weighed(report)]
    return Table("Certainty", columns, rows)


def _table(report: SizeReport, options: Sequence[Option]) -> Table:
    columns = (Column("option"), Column(spelled(report.wish.objective), _unit(report)), Column("why not"))
    rows: list[tuple[Cell, ...]] = [
        (named(option), option.objective if option.measures else None, option.reason or "meets every target, at more")
        for option in options
    ]
    return Table("Options", columns, rows)


def _chart(report: SizeReport) -> Lines:
    groups = {"meets every target": True, "misses one": False}
    series = []
    for name, is_feasible in groups.items():
        options = [option for option in _simulated(report) if option.is_feasible is is_feasible and option.answer]
        if options:
            durations = [option.answer.duration for option in options if option.answer]
            series.append(Series(name, [option.objective for option in options], durations, is_apart=True))
    unit = _simulated(report)[0].measures[report.wish.objective].unit
    axis = axis_of(spelled(report.wish.objective), None if unit == "1" else unit)
    return Lines("Duration of what was simulated", axis, Axis("duration", "s"), series)


def _measures(report: SizeReport) -> Table:
    options = _simulated(report)
    names = list(dict.fromkeys(name for option in options for name in option.measures))
    unit = {name: measure.unit for option in options for name, measure in option.measures.items()}
    columns = (Column("option"), *(Column(spelled(name), unit[name]) for name in names))
    rows = [
        (named(option), *(option.measures[name].value if name in option.measures else None for name in names))
        for option in options
    ]
    return Table("Measures", columns, rows, for_sheets=True)


def contract(report: SizeReport) -> planning.Size:
    """Return the sizing as JSON data, `headroom.size/1`."""
    sizing = report.sizing
    return filled(
        planning.Size,
        report,
        report.wish,
        sizing,
        minimize=report.wish.objective,
        prediction=prediction_json(report.prediction),
        best=_answered(report, sizing.best) if sizing.best else None,
        next_best=_answered(report, sizing.next_best) if sizing.next_best else None,
        options=[_option(option) for option in sizing.options],
        warnings=_limiting(report),
    )


def _answered(report: SizeReport, option: Option) -> planning.Answer:
    """Return an option that meets every target, with its margins, its rules and what is unwise in it."""
    assert option.scenario is not None
    measures = by_plain_name(option.measures)
    return {
        **_option(option),
        "targets": [
            {
                "target": f"{target}",
                "value": measures[target.measure].value,
                "unit": measures[target.measure].unit,
                "margin": margin(target, measures[target.measure]),
            }
            for target in report.wish.targets
        ],
        "rules": rules(option.scenario, report.usual.get(option.values, {})),
        "advice": list(map(as_data, lint(option.scenario))),
    }


def _option(option: Option) -> planning.Option:
    return filled(
        planning.Option,
        option,
        values=dict(option.values),
        was_simulated=option.answer is not None,
        chance=option.chance if option.answer else None,
        duration_s=option.answer.duration if option.answer else None,
        bottleneck=option.answer.bottleneck.resource if option.answer else None,
    )
