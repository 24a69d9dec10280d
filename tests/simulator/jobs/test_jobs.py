"""A job on its slots: stages in order, tasks in waves, and what it reports on the way."""

from __future__ import annotations

from collections.abc import Sequence as Series
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from models.work import Await, Delay, Job, Moment, Resources, Sequence, Stage, Step
from simulator.engine import Engine, StuckError
from simulator.events import Event, Progress, StageFinished, StageStarted
from simulator.jobs.run import UPDATES, JobRun

NOTHING = Delay(0.0)


class Bench:
    """Runs jobs of delays, and writes down on which node, when and at what moment each task started."""

    def __init__(self) -> None:
        self.engine = Engine(Resources())
        self.events: list[Event] = []
        self.starts: list[tuple[str, int, int, float]] = []
        self.parts: dict[str, list[float]] = {}

    def stage(
        self,
        name: str,
        seconds: Series[float],
        after: str | None = None,
        slowstart: float = 1.0,
        then: Step | None = None,
    ) -> Stage:
        def plan(task: int, node: int, moment: Moment) -> Step:
            self.starts.append((name, task, node, self.engine.now))
            self.parts.setdefault(name, []).append(moment.finished(after or name))
            return Delay(seconds[task]) if then is None else Sequence([Delay(seconds[task]), then])

        return Stage(name, len(seconds), plan, after=after, slowstart=slowstart)

    def run(
        self, *stages: Stage, slots: Series[int], setup: Step = NOTHING, commit: Step = NOTHING
    ) -> tuple[JobRun, float]:
        """Return the run of a job, and when it was done."""
        job = Job("job", stages, slots, [0] * len(slots), setup, commit)
        run = JobRun(self.engine, job, self.events.append)
        run.start()
        self.engine.run(run.done)
        return run, self.engine.now

    def times(self, stage: str) -> list[float]:
        return [time for name, _, _, time in self.starts if name == stage]

    def reported(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_tasks_run_in_waves_of_as_many_as_there_are_slots(bench: Bench) -> None:
    _, end = bench.run(bench.stage("map", [2.0] * 10), slots=[2, 2])
    assert end == 6.0
    assert bench.times("map") == [0.0] * 4 + [2.0] * 4 + [4.0] * 2


def test_a_slot_that_falls_free_takes_the_next_task_at_once(bench: Bench) -> None:
    _, end = bench.run(bench.stage("map", [5.0, 1.0, 1.0, 1.0]), slots=[1, 1])
    assert end == 5.0
    assert [(task, node, time) for _, task, node, time in bench.starts] == [
        (0, 0, 0.0), (1, 1, 0.0), (2, 1, 1.0), (3, 1, 2.0)
    ]  # fmt: skip


def test_the_first_wave_is_dealt_to_the_nodes_in_turn(bench: Bench) -> None:
    bench.run(bench.stage("map", [1.0] * 5), slots=[3, 0, 2])
    assert [node for _, _, node, _ in bench.starts] == [0, 2, 0, 2, 0]


def test_a_node_runs_no_more_tasks_of_a_stage_at_once_than_it_may_and_keeps_slots_for_others(bench: Bench) -> None:
    # slots of either kind, as TaskTrackers of Hadoop 1 had them: of 4 on each of 2 nodes maps take 2, reduces 2
    maps = replace(bench.stage("map", [2.0] * 8), at_once=[2, 2])
    reduces = replace(bench.stage("reduce", [10.0] * 4, after="map", slowstart=0.5), at_once=[2, 2])
    _, end = bench.run(maps, reduces, slots=[4, 4])
    assert bench.times("map") == [0.0] * 4 + [2.0] * 4
    assert bench.times("reduce") == [2.0] * 4
    assert end == 12.0


def test_each_node_runs_as_many_tasks_of_a_stage_at_once_as_it_may(bench: Bench) -> None:
    bench.run(replace(bench.stage("reduce", [1.0] * 8), at_once=[1, 3]), slots=[4, 4])
    assert sorted(node for _, _, node, time in bench.starts if time == 0) == [0, 1, 1, 1]


def test_setup_comes_first_and_commit_last(bench: Bench) -> None:
    _, end = bench.run(bench.stage("map", [1.0]), slots=[1], setup=Delay(3.0), commit=Delay(5.0))
    assert bench.times("map") == [3.0]
    assert end == 9.0


def test_a_stage_opens_when_the_part_of_the_one_before_has_ended(bench: Bench) -> None:
    maps = bench.stage("map", [1.0, 2.0, 3.0, 4.0])
    run, _ = bench.run(maps, bench.stage("reduce", [1.0], "map", slowstart=0.5), slots=[8])
    assert bench.times("reduce") == [2.0]
    assert run.stages[1].start == 2.0


def test_a_stage_without_slowstart_waits_for_all_of_the_one_before(bench: Bench) -> None:
    bench.run(bench.stage("map", [1.0, 4.0]), bench.stage("reduce", [1.0], "map"), slots=[8])
    assert bench.times("reduce") == [4.0]


def test_with_slowstart_zero_both_stages_start_together(bench: Bench) -> None:
    bench.run(bench.stage("map", [1.0]), bench.stage("reduce", [1.0], "map", slowstart=0.0), slots=[8])
    assert bench.times("reduce") == [0.0]


def test_waiting_tasks_of_an_earlier_stage_have_the_first_claim_on_slots(bench: Bench) -> None:
    maps, reduces = bench.stage("map", [1.0] * 4), bench.stage("reduce", [1.0] * 2, "map", slowstart=0.25)
    bench.run(maps, reduces, slots=[2])
    assert bench.times("map") == [0.0, 0.0, 1.0, 1.0]
    assert bench.times("reduce") == [2.0, 2.0]


def test_a_task_that_awaits_a_stage_goes_on_when_its_last_task_has_ended(bench: Bench) -> None:
    maps = bench.stage("map", [1.0, 7.0])
    _, end = bench.run(maps, bench.stage("reduce", [0.5], "map", 0.5, then=Await("map")), slots=[4])
    assert end == 7.0


def test_a_plan_is_told_what_part_of_a_stage_has_ended_when_its_task_starts(bench: Bench) -> None:
    maps = bench.stage("map", [1.0, 2.0, 3.0, 4.0])
    bench.run(maps, bench.stage("reduce", [3.0, 3.0, 3.0], "map", 0.25), slots=[5])
    assert bench.parts["reduce"] == [0.25, 0.25, 0.5]


def test_a_job_without_tasks_is_done_after_setup_and_commit(bench: Bench) -> None:
    _, end = bench.run(bench.stage("map", []), slots=[1], setup=Delay(1.0), commit=Delay(2.0))
    assert end == 3.0


def test_a_job_without_slots_is_stuck(bench: Bench) -> None:
    with pytest.raises(StuckError):
        bench.run(bench.stage("map", [1.0]), slots=[0, 0])


def test_a_run_reports_the_start_and_end_of_every_stage_in_order_of_time(bench: Bench) -> None:
    maps = bench.stage("map", [1.0, 2.0])
    bench.run(maps, bench.stage("reduce", [1.0], "map", 0.5), slots=[4], setup=Delay(1.0))
    told = [event for event in bench.events if not isinstance(event, Progress)]
    assert told == [
        StageStarted("map", 2, 1.0),
        StageStarted("reduce", 1, 2.0),
        StageFinished("map", 3.0),
        StageFinished("reduce", 3.0),
    ]


def test_progress_counts_the_tasks_of_all_stages_up_to_one(bench: Bench) -> None:
    bench.run(bench.stage("map", [1.0, 2.0]), bench.stage("reduce", [1.0, 1.0], "map"), slots=[4])
    told = [(event.fraction, event.time) for event in bench.reported(Progress) if isinstance(event, Progress)]
    assert told == [(0.25, 1.0), (0.5, 2.0), (0.75, 3.0), (1.0, 3.0)]


def test_progress_tells_what_part_is_in_stages_of_which_a_tenth_has_ended(bench: Bench) -> None:
    maps, reduces = bench.stage("map", [1.0] * 30), bench.stage("reduce", [float(n) for n in range(1, 21)], "map")
    bench.run(maps, reduces, slots=[100])
    shown = {event.fraction: event.shown for event in bench.reported(Progress) if isinstance(event, Progress)}
    assert shown[1 / 50] == shown[2 / 50] == 0.0
    assert shown[3 / 50] == shown[31 / 50] == 30 / 50
    assert shown[32 / 50] == shown[1.0] == 1.0


@pytest.mark.parametrize("tasks", [1, 199, 201, 399, 1000, 12_345])
def test_progress_is_reported_a_limited_number_of_times_and_ends_at_one(bench: Bench, tasks: int) -> None:
    bench.run(bench.stage("map", [1.0] * tasks), slots=[100])
    fractions = [event.fraction for event in bench.reported(Progress) if isinstance(event, Progress)]
    assert len(fractions) <= UPDATES
    assert all(before < after for before, after in pairwise(fractions))
    assert fractions[-1] == 1.0


@given(
    seconds=st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.5, 7.0]), min_size=1, max_size=40),
    later=st.lists(st.sampled_from([0.0, 1.0, 2.5]), max_size=20),
    slots=st.lists(st.integers(0, 3), min_size=1, max_size=4).filter(any),
    slowstart=st.sampled_from([0.0, 0.05, 0.5, 0.99, 1.0]),
)
def test_every_task_runs_once_on_a_free_slot_and_no_slot_is_idle_while_one_waits(
    seconds: list[float], later: list[float], slots: list[int], slowstart: float
) -> None:
    bench = Bench()
    maps = bench.stage("map", seconds)
    _, end = bench.run(maps, bench.stage("reduce", later, "map", slowstart), slots=slots)
    lasting = {"map": seconds, "reduce": later}
    assert sorted((stage, task) for stage, task, _, _ in bench.starts) == [
        (stage, task) for stage in ("map", "reduce") for task in range(len(lasting[stage]))
    ]
    spans = [(node, start, start + lasting[stage][task]) for stage, task, node, start in bench.starts]
    assert end == max(stop for _, _, stop in spans)
    for _, now, _ in spans:
        for node, room in enumerate(slots):
            assert sum(start <= now < stop for on, start, stop in spans if on == node) <= room
    for late in set(bench.times("map")) - {0.0}:  # whoever started late had no slot before
        before = late - 0.25
        running = sum(start <= before < stop for _, start, stop in spans)
        assert running == sum(slots)


@given(seconds=st.lists(st.integers(1, 9), min_size=1, max_size=30), slots=st.integers(1, 8))
def test_a_stage_ends_within_the_bounds_of_list_scheduling(seconds: list[int], slots: int) -> None:
    """Graham, "Bounds for certain multiprocessing anomalies", 1966: at most 2 - 1/m of the best that m slots allow."""
    bench = Bench()
    _, end = bench.run(bench.stage("map", [float(length) for length in seconds]), slots=[slots])
    total, longest = sum(seconds), max(seconds)
    assert max(total / slots, longest) <= end <= total / slots + longest * (1 - 1 / slots) + 1e-9


def test_tasks_of_no_length_all_run_at_once_and_each_of_them_once(bench: Bench) -> None:
    _, end = bench.run(bench.stage("map", [0.0] * 1000), slots=[3, 1])
    assert end == 0.0
    assert sorted(task for _, task, _, _ in bench.starts) == list(range(1000))
