"""Files of the user's own systems: what they say, the profiles made of it, and how far off their simulation is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from app.planning.loading import Chosen, outcomes_of
from app.planning.progress import Counted, megabytes, uncounted
from app.reports.import_document import Busy, Compared, File, ImportReport, Made
from models.hardware.measurement import Direction, NetworkRun, Run
from models.problem import Problem, ProblemError
from models.scenario import Scenario
from profiles.imports.finding import Finding, Outcome, Value
from profiles.imports.opening import sources
from profiles.imports.profile import Imported, imported
from profiles.imports.reading import findings
from profiles.imports.streams import ALONE
from profiles.imports.sysstat import USED
from profiles.loading.loader import load_text

if TYPE_CHECKING:
    from app.planning.effort import Effort
    from models.hardware.calibration import Fit
    from simulator.result import RequestsResult, Result

USING = {"cpu": "cpu", "drives": "drive", "network": "nic"}
"""What is in use, and how the kinds of resources begin that it is compared with."""


def read(
    paths: Sequence[str],
    direction: Direction | None = None,
    counted: Counted = uncounted,
    *,
    with_background: bool = False,
) -> tuple[ImportReport, Imported]:
    """Return what files say, and the profiles that it comes to; nothing is written or run.

    How busy servers were becomes their background where that is asked.

    Raises:
        ProblemError: a path is not there, or no file says anything.
    """
    with megabytes(paths, counted) as on_bytes, sources(paths, on_bytes=on_bytes) as files:
        gathered = findings(files, direction)
    problems = [problem for finding in gathered for problem in finding.problems]
    if not any(
        finding.parts or finding.workloads or finding.stream or finding.runs or finding.outcomes for finding in gathered
    ):
        nothing = "says nothing of a cluster or a workload, nor does another file; docs/import.md lists what is read"
        why = [*problems, *(note for finding in gathered for note in finding.warnings)]
        raise ProblemError(why or [Problem(paths[0], None, "", nothing)])
    made = imported(gathered, with_background=with_background)
    report = ImportReport(
        files=[File(finding.file, finding.label, finding.formats, list(finding.told())) for finding in gathered],
        profiles=[
            Made(name, _title(text), text, [_beside(outcome, None) for outcome in made.measured[name]])
            for name, text in made.texts.items()
        ],
        rates=list(_rates(gathered, made.fit)),
        assumed=made.assumed,
        clashes=[(clash.key, _said(clash.taken), _said(clash.other)) for clash in made.clashes],
        odd=made.odd,
        notes=[*(note for finding in gathered for note in finding.warnings), *made.notes],
        problems=problems,
        version=_version(),
    )
    return report, made


def run(
    report: ImportReport, made: Imported, *, seed: int, interval: Effort, counted: Counted = uncounted
) -> ImportReport:
    """Return a report with each of its profiles run, measured beside simulated; the first says how sure it is."""
    profiles: list[Made] = []
    with counted("Simulating") as on_done:
        for profile in report.profiles:
            path = Path(report.output or "") / profile.file
            profiles.append(_run(profile, made, path, seed, "none" if profiles else interval))
            on_done(len(profiles), len(report.profiles))
    return replace(report, profiles=profiles)


def _run(made: Made, content: Imported, path: Path, seed: int, interval: Effort) -> Made:
    """Return a profile, as if it stood in a file, with its run; one that is refused says why."""
    from app.planning.running import run as simulated

    try:
        loaded = load_text(made.text, Scenario, path=path)
        chosen = Chosen(str(path), {}, loaded, outcomes_of(loaded))
        if chosen.scenario.workload.is_only_kept:
            return made
        report = simulated(chosen, seed=seed, replications=1, on_event=None, interval=interval)
    except ProblemError as error:
        return replace(made, problems=error.problems)
    prediction = report.prediction
    return replace(
        made,
        duration=report.result.duration,
        compared=[_beside(outcome, simulated_of(report.result, outcome)) for outcome in content.measured[made.file]],
        busy=list(_busy(report.result, content)) if made.file == next(iter(content.texts)) else (),
        likely=f"{prediction.measure} {prediction.likely}" if prediction else "",
        assumptions=prediction.assumptions if prediction else (),
    )


def _busy(result: Result, content: Imported) -> Iterator[Busy]:
    """Yield how busy servers were by the hour, and are with the work: on top of what others use, or by itself."""
    for what, value in content.busy.items():
        shares = _shares(result, USING[what])
        if shares and isinstance(value.value, list):
            hours, own = [float(hour) for hour in value.value], fmean(shares)
            base = hours if content.is_background else [0.0] * len(hours)
            yield Busy(what, hours, [part + (1 - part) * own for part in base])


def _shares(result: Result, kind: str) -> list[float]:
    """Return how busy each resource of a kind is on average."""
    return [resource.utilization_mean for resource in result.resources if resource.kind.startswith(kind)]


def _beside(outcome: Outcome, simulated: float | None) -> Compared:
    source = Value(outcome.value, "", outcome.label, outcome.line).source
    return Compared(outcome.about, outcome.measure, outcome.unit, outcome.value, simulated, source)


def simulated_of(result: Result, outcome: Outcome) -> float | None:
    """Return what a run says of a measured number, None where it says nothing."""
    if outcome.measure == "utilisation":
        busy = _shares(result, USING.get(USED.get(outcome.about, ""), outcome.about))
        return fmean(busy) if busy else None
    if not outcome.about:
        return _of_all(result, outcome)
    for stage in result.stages:
        if stage.name == outcome.about and outcome.measure == "duration":
            return stage.end - stage.start
    if outcome.measure == "duration" and outcome.about in result.metrics:
        return result.metrics[outcome.about][0]
    for entry in result.workloads:
        if outcome.about == f"{entry.name}.{ALONE}" and outcome.measure in entry.alone:
            return entry.alone[outcome.measure][0]
    return next((_of_requests(request, outcome) for request in result.requests if request.name == outcome.about), None)


def _of_all(result: Result, outcome: Outcome) -> float | None:
    if outcome.measure == "duration":
        return result.duration
    if result.load is None or outcome.measure not in {"rate", "throughput"}:
        return None
    return result.load.rate.value if outcome.measure == "rate" else result.load.throughput


def _of_requests(requests: RequestsResult, outcome: Outcome) -> float | None:
    if outcome.measure == "rate":
        return requests.rate.value
    if outcome.measure == "throughput":
        return requests.throughput.value
    span = requests.latency.get(outcome.measure)
    return span.value if span else None


def _rates(gathered: Sequence[Finding], fit: Fit | None) -> Iterator[Compared]:
    for run in (run for finding in gathered for run in finding.runs):
        about = "network" if isinstance(run, NetworkRun) else "drive"
        yield Compared(about, f"{run}", "B/s", run.rate, _model(run, fit), Value(0, "", run.file, run.line).source)


def _model(run: Run, fit: Fit | None) -> float | None:
    if fit is None or (fit.kind is None and not isinstance(run, NetworkRun)):
        return None
    return fit.predict(run)


def _said(value: Value) -> str:
    return f"{value.text} ({value.source.removeprefix('measured: ')})"


def _title(text: str) -> str:
    import json
    import re

    match = re.search(r'^title = ("(?:[^"\\]|\\.)*")$', text, re.MULTILINE)
    return str(json.loads(match[1])) if match else ""


def _version() -> str:
    from importlib.metadata import version

    return version("headroom")
