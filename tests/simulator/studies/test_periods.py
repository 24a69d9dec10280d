"""One period for all: the end of a long copy beside a job that comes again and again, against the whole run."""

from __future__ import annotations

from functools import partial

import pytest

from models.jobs.copy import Copy, Tool
from models.jobs.schedule import scheduled
from models.scenario import Scenario
from models.work import LOOSEST
from simulator.result import Result
from simulator.run import simulate
from simulator.studies.periods import Periods, by_periods
from simulator.studies.points import Answer, Point, answer
from tests.models.machines import GB
from tests.simulator.together.test_together import S3, entry, many

SORT = {"cpu": 20e-9, "input": 12 * GB, "map_output": 1.0, "reduces": 8}


def copied(size: float, finish_by: float = 60.0, every: float = 200.0, file: float = GB) -> Scenario:
    """Return a copy of files of 1 GB beside a sort that comes every 200 s, and is to be done in 60."""
    long = scheduled(Copy)(
        kind="copy",
        name="import",
        origin=S3,
        tool=Tool(servers=("workers",), processes=2, threads=2),
        files=round(size / file),
        size=size,
    )
    return many(entry("sort", every=every, until=10 * every, finish_by=finish_by, **SORT), long)


def test_the_copy_and_the_job_end_as_in_the_whole_run() -> None:
    scenario = copied(400 * GB)
    whole, result = simulate(scenario), by_periods(scenario, partial(simulate, is_compared=False))
    assert whole.metrics["import.duration"][0] > 600  # several periods
    for name in ("import.duration", "sort.worst duration"):
        assert result.metrics[name][0] == pytest.approx(whole.metrics[name][0], rel=0.05)
    assert any("one period" in warning for warning in result.warnings)


def test_what_is_copied_in_a_night_and_between_two_adds_up() -> None:
    periods = Periods.of(copied(400 * GB))
    assert periods is not None
    # 100 s a night in which a tenth is copied, and 100 s at the pace of 500 s in all: three tenths a period
    assert periods.end(alone=500.0, busy=100.0, moved=0.1) == pytest.approx(3 * 200.0 + 100.0)
    assert periods.end(alone=500.0, busy=100.0, moved=0.25) == pytest.approx(2 * 200.0 + 100.0 * 0.1 / 0.25)


def test_a_point_that_need_not_be_exact_is_told_by_one_period() -> None:
    whole = answer(Point(scenario=copied(400 * GB), tolerance=LOOSEST))
    assert isinstance(whole, Answer)
    assert any("one period" in warning for warning in whole.warnings)
    assert "import.slowdown" not in whole.metrics


def test_a_copy_shorter_than_a_night_is_simulated_whole() -> None:
    scenario = copied(8 * GB)
    result = by_periods(scenario, partial(simulate, is_compared=False))
    assert result.metrics["sort.runs"] == (10.0, "1")


@pytest.mark.parametrize("file", [GB, pytest.param(0.1 * GB, marks=pytest.mark.slow)])
def test_beside_a_job_that_is_late_as_much_of_the_copy_is_simulated_as_the_job_meets(file: float) -> None:
    """A job begins otherwise than it goes on: by its first seconds a copy of 742 s was told to take 867."""
    scenario = copied(400 * GB, finish_by=10.0, file=file)
    asked: list[Scenario] = []

    def run(part: Scenario) -> Result:
        asked.append(part)
        return simulate(part, is_compared=False)

    whole, result = simulate(scenario), by_periods(scenario, run)
    assert len(asked) == 3  # the copy alone, and one period with what is due of it, and with enough of it
    assert result.metrics["sort.worst duration"][0] > 10.0
    assert result.duration == pytest.approx(whole.metrics["import.duration"][0], rel=0.05)


def test_a_job_that_is_late_for_its_next_time_is_not_simulated_again_and_again() -> None:
    scenario = copied(400 * GB, finish_by=10.0, every=20.0)
    result = by_periods(scenario, partial(simulate, is_compared=False))
    assert result.metrics["sort.worst duration"][0] > 20.0
    assert any("one period" in warning for warning in result.warnings)
    alone = simulate(scenario.alone("import")).duration
    assert alone < result.duration < 10 * alone
