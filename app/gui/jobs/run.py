"""What the window has done in its child process: a job is a function of this kind, (report, ...) -> answer.

The answers hold plain data, so that the window need not import what made them. Knows no Qt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from app.reports import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from app.planning.effort import Effort
    from app.reports.run.run_report import RunReport
    from models.outcome import Outcome
    from models.scenario import Scenario
    from simulator.result import Result

Report = Callable[[float, str], None]
"""Is told how much is done, 0 to 1, and what is being done."""


class Reporter(Protocol):
    """What a job whose answer comes in parts reports to."""

    def __call__(self, fraction: float, doing: str = "") -> None:
        """Take notice of how much is done, 0 to 1, and of what is being done."""

    def tell(self, part: object) -> None:
        """Take a part of the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """One profile to simulate; `text` is its TOML, `changes` are what differs from it as it was opened or saved.

    `is_edited`: the text says something else than it did then, be it that a key is left out. `base` is the file as
    whose content the text is read.
    """

    name: str
    title: str
    text: str
    scenario: Scenario
    seed: int = 0
    replications: int = 1
    changes: dict[str, str] = field(default_factory=dict)
    is_edited: bool = False
    base: Path = Path("profile.toml")

    @property
    def heading(self) -> str:
        """The profile's title, which says so where the profile was changed."""
        return words.titled(self.title, is_changed=words.is_changed(self.changes, is_edited=self.is_edited))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a run gave: the result, and what reports say of it.

    `headline` is the answer in a line, `answer` what is read first, as (label, words); `waterfall` are the steps from
    nameplate to delivered, B/s, or, if there are none, `no_waterfall` says why; `measures` are (value, unit, whether
    more is better) by name; `utilization` are the mean over each group of resources in bins of the result, 0 to 1.
    `playback` are the series of all resources, packed (`app.gui.jobs.series`): the result itself is without them.
    `requests` are rates and latencies in words, by kind and state, as `app.reports.run.findings.REQUESTS` heads them.
    """

    result: Result
    answer: tuple[tuple[str, str], ...]
    waterfall: tuple[tuple[str, float], ...]
    measures: dict[str, tuple[float, str, bool]]
    utilization: tuple[tuple[str, NDArray[np.float64]], ...] = ()
    headline: str = ""
    no_waterfall: str = ""
    playback: bytes = b""
    requests: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Certainty:
    """How sure a run is: its interval in words, what it rests on, as (label, words), and the ledger of what is assumed.

    A row of the ledger is (end of the key, part of the interval or None, low, likely, high, measurement, what that
    does, kind).
    """

    effort: Effort
    likely: str
    rows: tuple[tuple[str, str], ...]
    ledger: tuple[tuple[str | float | None, ...], ...] = ()


def predict_run(report: Report, request: RunRequest, result: Result, effort: Effort) -> Certainty:
    """Return how sure a run is, from further runs under other assumptions."""
    from app.planning.loading import Chosen
    from app.planning.predicting import predict
    from app.reports.prediction_report import rows
    from models.scenario import Scenario
    from profiles.loading.loader import load_text
    from simulator.studies.points import Answer
    from simulator.studies.runner import Runner

    chosen = Chosen(request.name, request.changes, load_text(request.text, Scenario, path=request.base))
    with Runner(workers=1) as runner:
        prediction = predict(chosen, Answer.of(result), seed=request.seed, effort=effort, run=runner.run)
    if prediction is None:
        return Certainty(effort, "", ())
    return Certainty(
        effort,
        prediction.likely,
        tuple(rows(prediction)),
        tuple(assumption.row for assumption in prediction.assumptions),
    )


def prepare(report: Report) -> None:
    """Import what a simulation needs, so that the first one starts at once."""
    import simulator.run
    import simulator.studies.measures  # noqa: F401


def run_profile(report: Report, request: RunRequest) -> Ran:
    """Simulate a profile."""
    from app.gui.jobs.series import Series
    from app.reports.held_up import settings
    from app.reports.run.findings import answer, requests_rows
    from app.reports.run.run_document import waterfall, why_no_waterfall
    from app.reports.run.run_report import RunReport
    from models.planning.bounds import nameplate
    from simulator.run import simulate
    from simulator.studies.measures import measures
    from simulator.studies.points import Answer

    result = simulate(
        request.scenario,
        profile=request.name,
        seed=request.seed,
        replications=request.replications,
        on_event=Fraction(report, request.replications),
    )
    run_report = RunReport(
        result=result,
        title=request.title,
        settings=request.changes,
        is_edited=request.is_edited,
        outcomes=_outcomes(request.scenario),
        nameplate=nameplate(request.scenario),
        limiting=tuple(settings(request.scenario, result).values()),
    )
    steps = waterfall(run_report)
    values = measures(request.scenario, Answer.of(result))
    return Ran(
        result=replace(result, resources=()),
        answer=tuple(answer(run_report)),
        waterfall=tuple(steps.steps) if steps else (),
        measures={name: (measure.value, measure.unit, measure.is_more_better) for name, measure in values.items()},
        utilization=tuple(_utilization(result)),
        headline=_headline(run_report),
        no_waterfall=why_no_waterfall(run_report),
        playback=Series.of(result.resources).packed(),
        requests=tuple(map(tuple, requests_rows(result))),
    )


def _headline(report: RunReport) -> str:
    """Return what was asked first: of a load of requests rates and latencies, of all else the first of the answer."""
    from app.reports.run.findings import answer, carried

    load = report.result.load
    if load is not None:
        (_, text), *kinds = carried(report, load)
        return "\n".join([text, *(f"{name} {latencies}" for name, latencies in kinds)])
    label, text = answer(report)[0]
    return text if label == "Duration" else f"{label}: {text}"


def _outcomes(scenario: Scenario) -> tuple[Outcome, ...]:
    """Return the documented outcomes that a profile reproduces, as far as they are known."""
    from profiles.shipped.outcomes import documented

    about, known = scenario.profile, documented()
    return tuple(known[id] for id in (about.outcome, *about.further_outcomes) if id in known)


def _utilization(result: Result) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """Yield each group that was used, with the mean utilization of its members over time."""
    import numpy as np

    for group in result.groups:
        if group.utilization_peak:
            members = [resource.utilization for resource in result.resources if resource.group == group.group]
            yield group.group, np.mean(members, axis=0)


class Fraction:
    """Reads the events of `replications` runs in a row and reports how much of all of them is done."""

    def __init__(self, report: Report, replications: int) -> None:
        self._report = report
        self._replications = replications
        self._finished = 0
        self._fraction = 0.0
        self._stage = ""

    def __call__(self, event: object) -> None:
        """Take notice of an event of a run."""
        self._stage = getattr(event, "stage", self._stage)
        fraction = getattr(event, "fraction", None)
        if fraction is None:
            return
        self._finished += self._fraction == 1.0  # by now the next replication has begun
        self._fraction = fraction
        self._report((self._finished + fraction) / self._replications, self._stage)
