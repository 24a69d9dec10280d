"""Forecast beside reality: dated measurements of a running cluster against what its profile plans."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from importlib.metadata import version
from pathlib import PurePath
from statistics import fmean

from app.planning.importing import simulated_of
from app.planning.loading import Chosen, rated, refusals
from app.planning.progress import Counted, megabytes
from app.planning.running import run
from app.reports import words
from app.reports.track_document import Checked, Dates, Day, TrackReport
from models.jobs.object_load import ObjectLoad
from models.planning.capacity import Planning
from models.planning.growth import GrowthPlan, Missed, cluster_at, grow, stored_at_start
from models.planning.tracking import Forecast, Trend, forecast, planned_growth, trend
from models.problem import Problem, ProblemError
from models.scenario import Scenario
from models.target import Target
from profiles.imports.dates import day_in
from profiles.imports.finding import Finding, Outcome, Sample, Sampled
from profiles.imports.opening import sources
from profiles.imports.reading import findings
from simulator.studies.growth import hold
from simulator.studies.points import Point
from simulator.studies.runner import Runner

WAY_OUT = "tells no day: name the file after the day on which it was written, such as ceph-df-2026-11-02.json"
SHORT = 30
"""Days below which a trend says little of a year. Assumption: weeks and ends of months show in less."""


@dataclass(slots=True)
class _Measured:
    """What files say by day: the last sample of each measure, utilisations by what is busy, and what is wrong."""

    samples: dict[Sampled, dict[date, Sample]] = field(default_factory=lambda: defaultdict(dict))
    busy: dict[str, list[Outcome]] = field(default_factory=lambda: defaultdict(list))
    servers: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def latest(self, measure: Sampled) -> tuple[date, Sample] | None:
        """Return the last day on which something was measured."""
        known = self.samples[measure]
        return (max(known), known[max(known)]) if known else None


def tracked(
    chosen: Chosen,
    paths: Sequence[str],
    targets: Sequence[Target],
    *,
    seed: int,
    workers: int | None,
    counted: Counted,
) -> TrackReport:
    """Return what was measured beside what a profile plans, and the forecast from there.

    Raises:
        ProblemError: a path is not there, no file has anything dated, or a target names what nothing is measured by.
    """
    with megabytes(paths, counted) as on_bytes, sources(paths, on_bytes=on_bytes) as files:
        measured = _measured(findings(files, is_named=True))
    if not (any(measured.samples.values()) or measured.busy):
        nothing = (
            "no file says what the cluster held, was asked for or how busy it was; docs/track.md lists what is read"
        )
        raise ProblemError([*measured.problems, Problem("", None, "MEASUREMENTS", nothing)])
    scenario = chosen.scenario
    with refusals(chosen.profile):
        overhead = scenario.storage.raw_per_byte(scenario.cluster) / _rules(scenario).compression_ratio
        stored = _stored(measured, overhead)
        days = [Day(day, value, _planned_at(scenario, day), source) for day, (value, source) in sorted(stored.items())]
        line = trend([(day.day, day.stored) for day in days])
        ahead = _forecast(scenario, measured, days, line, overhead)
        planned = grow(scenario) if scenario.growth else None
        missed = _missed(chosen, ahead, targets, seed, workers, counted) if ahead and targets else None
    return TrackReport(
        title=chosen.title,
        profile=chosen.profile,
        seed=seed,
        version=version("headroom"),
        days=days,
        forecast=ahead,
        planned=planned,
        full=_full(planned, ahead) if ahead else None,
        missed=missed,
        targets=[f"{target}" for target in targets],
        checked=list(_checked(scenario, measured, days, line, overhead)),
        utilization=list(_utilization(chosen, measured, seed)),
        notes=[*_notes(days, line), *_another(scenario, measured.servers)],
        problems=measured.problems,
    )


def _measured(gathered: Sequence[Finding]) -> _Measured:
    measured = _Measured()
    for finding in gathered:
        listed = [part for part in finding.parts if part.kind == "server" and part.is_listed]
        measured.servers |= {PurePath(finding.file).name: len(listed)} if listed else {}
        measured.problems += finding.problems
        for sample in finding.samples:
            day = sample.day or day_in(PurePath(finding.file).name) or day_in(finding.file)
            if day is None:
                measured.problems.append(Problem(finding.file, sample.line, "", WAY_OUT))
                break
            measured.samples[sample.measure][day] = sample
        for outcome in (*finding.outcomes, *(own for work in finding.workloads for own in work.outcomes)):
            if outcome.measure == "utilisation":
                measured.busy[outcome.about].append(outcome)
    return measured


def _rules(scenario: Scenario) -> Planning:
    return scenario.planning or Planning()


def _stored(measured: _Measured, overhead: float) -> dict[date, tuple[float, str]]:
    """Return the data (B) by day, and where it stands; where only raw bytes are told they are taken as planned."""
    by_day = {day: (sample.value / overhead, _source(sample)) for day, sample in measured.samples["used"].items()}
    by_day |= {day: (sample.value, _source(sample)) for day, sample in measured.samples["stored"].items()}
    return {day: pair for day, pair in by_day.items() if pair[0] > 0}


def _source(sample: Sample) -> str:
    return f"{sample.file}:{sample.line}" if sample.line else sample.file


def _planned_at(scenario: Scenario, day: date) -> float | None:
    """Return the data (B) that is planned for a day, None where no growth is, or before it."""
    growth = scenario.growth
    if growth is None or day < growth.start:
        return None
    return growth.data_at(day, stored_at_start(scenario))


def _overhead(measured: _Measured) -> float | None:
    """Return the raw bytes that a byte of data takes, by the last day that tells both; None where none does."""
    used, stored = measured.samples["used"], measured.samples["stored"]
    both = [day for day in used if day in stored and used[day].value > 0 and stored[day].value > 0]
    return used[max(both)].value / stored[max(both)].value if both else None


def _forecast(
    scenario: Scenario, measured: _Measured, days: Sequence[Day], line: Trend | None, overhead: float
) -> Forecast | None:
    """Return the forecast from the last measured day; of a single day the growth is as planned, else there is none."""
    if not days:
        return None
    if (actual := _overhead(measured)) is not None:
        rules = _rules(scenario)
        ratio = rules.compression_ratio * overhead / actual
        scenario = scenario.model_copy(update={"planning": rules.model_copy(update={"compression_ratio": ratio})})
    last = days[-1]
    if line is not None:
        low, high = line.ends
        return forecast(scenario, last.day, line.stored, (line.growth, low, high))
    if scenario.growth is None:
        return None
    rate = planned_growth(scenario.growth, stored_at_start(scenario), last.day, last.day)
    if rate is None:
        return None
    return forecast(scenario, last.day, last.stored, (rate, rate, rate))


def _full(planned: GrowthPlan | None, ahead: Forecast) -> Dates:
    return Dates(
        planned=_day(planned.full) if planned else None,
        forecast=_day(ahead.likely.plan.full),
        early=_day(ahead.fast.plan.full),
        late=_day(ahead.slow.plan.full),
    )


def _day(missed: Missed | None) -> date | None:
    return missed.day if missed else None


def _missed(
    chosen: Chosen, ahead: Forecast, targets: Sequence[Target], seed: int, workers: int | None, counted: Counted
) -> Dates:
    """Return the first day on which a target is missed, as planned and as forecast."""

    def point(scenario: Scenario) -> Point:
        return Point(scenario=scenario, profile=chosen.profile, seed=seed)

    with counted("Simulating") as on_done, Runner(workers=workers) as runner:

        def first(scenario: Scenario) -> date | None:
            return _day(hold(rated(scenario), targets, point, lambda points: runner.run(points, on_done)).missed)

        likely, fast, slow = (first(filling.scenario) for filling in (ahead.likely, ahead.fast, ahead.slow))
        return Dates(first(chosen.scenario) if chosen.scenario.growth else None, likely, fast, slow)


def _checked(
    scenario: Scenario, measured: _Measured, days: Sequence[Day], line: Trend | None, overhead: float
) -> Iterator[Checked]:
    """Yield what of a plan was measured, each beside it."""
    growth = scenario.growth
    if days and (planned := days[-1].planned) is not None:
        yield Checked(name="data", key="growth", unit="B", planned=planned, measured=days[-1].stored)
    if line is not None:
        rate = planned_growth(growth, stored_at_start(scenario), line.first, line.last) if growth else None
        ends = {"low": line.low, "high": line.high}
        yield Checked(
            name="growth rate", key="growth.annual_growth", unit="change", planned=rate, measured=line.growth, **ends
        )
    if (actual := _overhead(measured)) is not None:
        name = "overhead in raw bytes a byte"
        yield Checked(name=name, key=scenario.storage.protected_by, unit="1", planned=overhead, measured=actual)
    if latest := measured.latest("replicas"):
        copies = scenario.storage.raw_per_byte(scenario.cluster)
        name, key = "replication factor", scenario.storage.protected_by
        yield Checked(name=name, key=key, unit="1", planned=copies, measured=latest[1].value)
    if measured.samples["rate"]:
        yield _rate(scenario, [sample.value for sample in measured.samples["rate"].values()])
    if latest := measured.latest("ingest"):
        mean = fmean(sample.value for sample in measured.samples["ingest"].values())
        planned = growth.ingest if growth and growth.ingest else None
        if mean > 0:
            yield Checked(name="ingest", key="growth.ingest", unit="B/s", planned=planned, measured=mean)


def _rate(scenario: Scenario, rates: Sequence[float]) -> Checked:
    loads = [part.workload for part in scenario.each().values() if isinstance(part.workload, ObjectLoad)]
    planned = sum(load.rate or 0.0 for load in loads) or None
    return Checked(name="request rate", key="workload.rate", unit="1/s", planned=planned, measured=fmean(rates))


def _utilization(chosen: Chosen, measured: _Measured, seed: int) -> Iterator[tuple[str, float, float | None]]:
    """Yield what was how busy on average, and is in a run of the profile; None where nothing runs."""
    if not measured.busy:
        return
    result = None
    if not chosen.scenario.workload.is_only_kept:
        result = run(chosen, seed=seed, replications=1, on_event=None).result
    for about, outcomes in measured.busy.items():
        simulated = simulated_of(result, outcomes[0]) if result else None
        yield about, fmean(outcome.value for outcome in outcomes), simulated


def _another(scenario: Scenario, told: Mapping[str, int]) -> Iterator[str]:
    """Yield a note for each list of servers with a number of them that the plan has on no day."""
    growth = scenario.growth
    days = [expansion.date for expansion in growth.expansions] if growth else []
    clusters = [scenario.cluster, *(cluster_at(scenario, day) for day in days)]
    planned = {sum(batch.servers for batch in scenario.storage.batches(cluster)) for cluster in clusters}
    text = words.listed([f"{count}" for count in sorted(planned)])
    for name, count in told.items():
        if count not in planned:
            yield f"{name} tells of {count} servers, the plan has {text}: is this the cluster of the profile?"


def _notes(days: Sequence[Day], line: Trend | None) -> Iterator[str]:
    if len(days) == 1:
        yield "one day was measured: the growth is taken as planned; measure another day to know it"
    elif days and line is None:
        yield "the days differ too much to tell a year by: the growth is taken as planned; measure days further apart"
    elif line is not None and line.low is None:
        yield "two days were measured: they tell a growth, and nothing of how sure it is; measure a third"
    if line is not None and (line.last - line.first) < timedelta(days=SHORT):
        yield f"the days span {(line.last - line.first).days} days: little to tell the growth of a year by"
