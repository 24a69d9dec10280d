"""What came out of an acceptance kit: measured values to their tests, by the names that the kit gave them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from app.planning.acceptance.accept_work import Work
from app.planning.progress import Counted, megabytes
from app.reports.acceptance.accept_document import AcceptReport
from models.hardware.measurement import DriveRun, Run
from models.planning.acceptance import Expected
from models.planning.verdicts import Judged
from models.problem import Problem, ProblemError
from profiles.imports.finding import Finding, Workload
from profiles.imports.opening import sources
from profiles.imports.reading import findings
from profiles.imports.servers import SAME


@dataclass(frozen=True, slots=True)
class _Result:
    """A measured value, the test that it is of, the mark of its kit ("" where none stands), and where it stands."""

    test: str
    mark: str
    value: float
    file: str
    line: int | None
    what: str
    differs: str = ""

    @property
    def source(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


def judged(report: AcceptReport, work: Sequence[Work], paths: Sequence[str], counted: Counted) -> AcceptReport:
    """Return a report with what was measured, and what could not be used.

    Of several results of a test the worst counts: a contract holds for each drive.

    Raises:
        ProblemError: a path is not there, or no file has a result.
    """
    with megabytes(paths, counted) as on_bytes, sources(paths, on_bytes=on_bytes) as files:
        gathered = findings(files, is_named=True)
    tests = {test.expected.name: test.expected for test in report.tests}
    problems = [problem for finding in gathered for problem in finding.problems]
    results = [result for finding in gathered for result in _results(finding, tests, work)]
    if not results:
        expected = Problem(
            "", None, "RESULTS", "no file holds a result of a test; expected what the kit's scripts write"
        )
        raise ProblemError([*problems, expected])
    used: dict[str, list[_Result]] = {}
    for result in results:
        if reason := _unusable(result, report.kit, tests):
            problems.append(Problem(result.file, result.line, "", f"{result.what}: {reason}"))
        else:
            used.setdefault(result.test, []).append(result)
    return replace(
        report,
        tests=[_measured(test, used.get(test.expected.name, [])) for test in report.tests],
        is_judged=True,
        notes=[warning for finding in gathered for warning in finding.warnings],
        problems=problems,
    )


def _measured(test: Judged, results: Sequence[_Result]) -> Judged:
    if not results:
        return test
    pick = max if test.expected.is_time else min
    worst = pick(results, key=lambda result: result.value)
    more = f", the worst of {len(results)}" if len(results) > 1 else ""
    return replace(test, measured=worst.value, source=f"{worst.source}{more}")


def _unusable(result: _Result, kit: str, tests: dict[str, Expected]) -> str:
    """Return why a result cannot be held against its test; "" where it can."""
    if result.mark and result.mark != kit:
        return (
            f"measured with kit {result.mark}, and this is {kit}: results of another cluster, or the profile was"
            " changed since; use the profile that the kit was written with"
        )
    if result.test not in tests:
        return "no test of this kit has this name; expected results of its scripts"
    return result.differs


def _results(finding: Finding, tests: dict[str, Expected], work: Sequence[Work]) -> Iterator[_Result]:
    for run in finding.runs:
        name, _, mark = run.name.partition("@")
        test = tests.get(name)
        is_counted = test is not None and test.unit == "IOPS" and isinstance(run, DriveRun) and run.request
        value = run.rate / run.request if is_counted and isinstance(run, DriveRun) and run.request else run.rate
        differs = _differs(run, test) if test else ""
        yield _Result(name, mark, value, run.file, run.line, run.name or f"{run}", differs)
    for outcome in finding.outcomes:
        name, has_mark, mark = outcome.about.partition("@")
        if has_mark and outcome.measure == "duration":
            yield _Result(name, mark, outcome.value, finding.file, outcome.line, name)
    loads = [result for load in finding.workloads for result in _of_load(load, finding, work)]
    if loads and not finding.kit:
        finding.warn(loads[0].line, "tells no kit: taken for this one by its objects and threads alone")
    yield from loads


def _differs(run: Run, test: Expected) -> str:
    """Return how a run was another one than the test asks for; "" where it was not."""
    if isinstance(run, DriveRun):
        pairs: list[tuple[str, object, object]] = [
            ("drives", run.drives, test.drives),
            ("requests under way", run.depth, test.depth),
        ]
        pairs += [("direction", run.direction, test.direction or ""), ("random access", run.random, test.is_random)]
    else:
        pairs = [("connections", run.connections, test.connections)]
    return "; ".join(f"{what}: {actual}, expected {wanted}" for what, actual, wanted in pairs if actual != wanted)


def _of_load(load: Workload, finding: Finding, work: Sequence[Work]) -> Iterator[_Result]:
    threads, clients = load.values.get("threads"), load.clients or 1
    for outcome in load.outcomes:
        action = load.values.get(f"mix.{outcome.about}.action")
        size = load.values.get(f"mix.{outcome.about}.size")
        asked = next((job for job in work if action and job.action == action.value), None)
        if asked is None or outcome.measure != "throughput" or size is None or threads is None:
            continue
        pairs = [("bytes of an object", float(str(size.value)), asked.size)]
        pairs += [("threads", float(str(threads.value)) * clients, float(asked.threads * asked.clients))]
        wrong = [
            f"{what}: {actual:,.0f}, expected {wanted:,.0f}"
            for what, actual, wanted in pairs
            if not _same(actual, wanted)
        ]
        yield _Result(
            asked.name, finding.kit, outcome.value, finding.file, outcome.line, outcome.about, "; ".join(wrong)
        )


def _same(one: float, other: float) -> bool:
    return abs(one - other) <= SAME * max(one, other)
