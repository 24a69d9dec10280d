"""The slowest tasks of a run: as many as may be, the slowest first, with their servers and what was busiest there."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from models.scenario import Scenario
from models.work import LOOSEST
from simulator.jobs.slowest import MOST, Slowest
from simulator.result import Result
from simulator.run import simulate
from tests.simulator.small import generation, sort


@given(st.lists(st.integers(0, 40), max_size=1500))
def test_those_that_ran_longest_are_kept_and_of_equal_ones_the_first(times: list[int]) -> None:
    slowest = Slowest()
    for number, lasted in enumerate(times):
        if lasted > slowest.least:
            slowest.add((float(lasted), "map", number, 0, 0.0, float(lasted)))
    wanted = sorted(enumerate(times), key=lambda pair: (-pair[1], pair[0]))[:MOST]
    assert [(number, lasted) for lasted, _, number, *_ in slowest.tasks] == wanted


@pytest.mark.parametrize("tolerance", [0.0, LOOSEST])
@pytest.mark.parametrize("scenario", [generation(), sort()])
def test_a_run_tells_its_slowest_tasks_stage_by_stage(scenario: Scenario, tolerance: float) -> None:
    result = simulate(scenario, seed=1, tolerance=tolerance)
    for stage in result.stages:
        own = [task for task in result.tasks if task.stage == stage.name]
        lasted = [task.end - task.start for task in own]
        assert lasted == sorted(lasted, reverse=True)
        assert all(stage.start <= task.start < task.end <= stage.end for task in own)
        assert len(own) == (min(stage.tasks, MOST) if stage.name != "job commit" else 0)
    assert all(task.busiest.startswith(f"{task.server}/") and 0 < task.utilization <= 1 for task in result.tasks)
    assert simulate(scenario, seed=1, tolerance=tolerance).tasks == result.tasks


def test_the_busiest_resource_is_that_of_its_server_while_the_task_ran() -> None:
    result = simulate(generation(), seed=2)
    task = result.tasks[0]
    assert task.utilization == pytest.approx(max(_busy(result, task.server, task.start, task.end).values()))
    assert _busy(result, task.server, task.start, task.end)[task.busiest] == pytest.approx(task.utilization)


def _busy(result: Result, server: str, start: float, end: float) -> dict[str, float]:
    """Return the mean utilization of each resource of a server in the bins between two times."""
    first, last = int(start / result.bin_width), -int(-end // result.bin_width)
    own = [resource for resource in result.resources if resource.name.startswith(f"{server}/")]
    return {resource_result.name: float(resource_result.utilization[first:last].mean()) for resource_result in own}
