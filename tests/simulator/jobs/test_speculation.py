"""Copies of slow tasks: when they start, where, how many, and that nothing of two attempts is counted twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence as Series
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from models.hardware.cluster import Batch, Cluster, Group
from models.hardware.server import Cpu
from models.jobs.mapreduce import MapReduce
from models.jobs.schedule import Schedule
from models.jobs.scheduler import Scheduler
from models.jobs.spark import Spark
from models.jobs.speculation import HadoopSpeculation, SparkSpeculation
from models.scenario import Scenario
from models.speculation import Speculation
from models.work import Delay, Demand, Hold, Job, Moment, Pool, Resources, Sequence, Stage, Step, Use, Work
from simulator.engine import Attempt, Engine
from simulator.events import Event, Progress
from simulator.jobs.containers import Containers
from simulator.jobs.run import JobRun
from simulator.jobs.slots import Slots
from simulator.run import simulate
from tests.laws.miniatures import miniature
from tests.laws.random_profiles import scenario as random_scenario
from tests.laws.test_reproducibility import digest
from tests.models.machines import cluster, server
from tests.simulator.small import framework, generation, sort

SPARK = SparkSpeculation().rule
HADOOP = HadoopSpeculation().rule
TIME = 10.0
"""Seconds that a task takes on a node that is not slow."""

Seconds = Callable[[int, int], float]


class Bench:
    """Runs jobs of delays by task and node, and writes down each attempt: task, node, start, and who waited then."""

    def __init__(self, seconds: Seconds, engine: Engine | None = None) -> None:
        self.engine = engine or Engine(Resources())
        self.events: list[Event] = []
        self.starts: list[tuple[int, int, float]] = []
        self.waiting: list[int] = []
        self._seconds = seconds

    def job(
        self,
        tasks: int,
        slots: Series[int],
        rule: Speculation | None,
        *,
        may_fail: bool = False,
        shared: Slots[JobRun] | None = None,
    ) -> JobRun:
        """Return the run of one stage, which has begun."""

        def plan(task: int, node: int, moment: Moment) -> Step:
            assert isinstance(moment, JobRun)
            self.starts.append((task, node, self.engine.now))
            self.waiting.append(moment.waiting)
            return Delay(self._seconds(task, node))

        stage = Stage("map", tasks, plan, speculation=rule, output=lambda task, node: node, inputs=("map",))
        job = Job("job", [stage], slots, [0] * len(slots), expiry=1.0)
        return JobRun(self.engine, job, self.events.append, may_fail=may_fail, slots=shared)

    def run(self, tasks: int, slots: Series[int], rule: Speculation | None) -> float:
        """Return when a job was done that has its slots alone."""
        run = self.job(tasks, slots, rule)
        run.start()
        self.engine.run(run.done)
        return self.engine.now

    @property
    def copies(self) -> list[tuple[int, int, float]]:
        """The attempts at tasks that others had begun."""
        known = [task for task, _, _ in self.starts]
        return [start for number, start in enumerate(self.starts) if start[0] in known[:number]]


def slow_first(times: float) -> Seconds:
    """Return seconds of which the first node takes so many times as many as the others."""
    return lambda task, node: TIME * (times if node == 0 else 1.0)


@pytest.mark.parametrize("times", [1.0, 1.4, 2.0, 2.6, 4.0, 10.0])
def test_a_slow_server_holds_a_stage_up_until_copies_of_its_tasks_have_ended(times: float) -> None:
    assert Bench(slow_first(times)).run(8, [2] * 4, None) == pytest.approx(times * TIME)
    bench = Bench(slow_first(times))
    assert bench.run(8, [2] * 4, SPARK) == pytest.approx(min(times, 1.5 + 1) * TIME)
    assert [start for _, _, start in bench.copies] == pytest.approx([1.5 * TIME] * (2 if times > 1.5 else 0))


def test_copies_start_on_other_nodes_where_most_slots_are_free() -> None:
    bench = Bench(lambda task, node: 5 * TIME if task == 0 else TIME)
    bench.run(6, [1, 2, 3], replace(SPARK, quantile=0.5))
    assert [(task, node) for task, node, _ in bench.copies] == [(0, 2)]


def test_hadoop_starts_one_copy_at_a_look_and_pauses_after_it() -> None:
    bench = Bench(slow_first(10.0))
    end = bench.run(8, [2] * 4, HADOOP)
    assert [start for _, _, start in bench.copies] == [1.5 * TIME, 1.5 * TIME + HADOOP.pause]
    assert end == 2.5 * TIME + HADOOP.pause


def test_no_more_copies_run_at_once_than_the_limit_says() -> None:
    bench = Bench(slow_first(10.0))
    bench.run(16, [4] * 4, replace(SPARK, least=1.0, of_all=0.125, of_running=0.0))
    assert [start for _, _, start in bench.copies] == pytest.approx([15.0, 15.0, 25.0, 25.0])


def test_no_copy_starts_before_the_quantile_of_tasks_has_ended() -> None:
    late = Bench(lambda task, node: 1000.0 if task == 0 else TIME * task)
    late.run(8, [8, 8], SPARK)
    assert late.copies == [(0, 1, 60.0), (7, 0, 60.0)]  # the sixth of eight ends then; the median of six is 35 s


def test_where_all_tasks_are_alike_none_is_copied_and_all_start_as_without() -> None:
    plain, watched = Bench(slow_first(1.0)), Bench(slow_first(1.0))
    assert plain.run(50, [2] * 4, None) == watched.run(50, [2] * 4, SPARK)
    assert plain.starts == watched.starts
    assert plain.events == watched.events


@settings(max_examples=40, deadline=None)
@given(
    times=st.lists(st.sampled_from([1.0, 1.0, 1.2, 3.0, 8.0]), min_size=1, max_size=30),
    slots=st.lists(st.integers(0, 3), min_size=1, max_size=4).filter(any),
    rule=st.sampled_from([SPARK, HADOOP, replace(SPARK, quantile=0.1, multiplier=1.1)]),
)
def test_copies_take_no_slot_that_a_task_waits_for_and_each_task_counts_once(
    times: list[float], slots: list[int], rule: Speculation
) -> None:
    def seconds(task: int, node: int) -> float:
        return TIME * times[(task + node) % len(times)]

    bench = Bench(seconds)
    end = bench.run(len(times), slots, rule)
    known: dict[int, int] = {}
    for (task, node, _), waiting in zip(bench.starts, bench.waiting, strict=True):
        if task in known:
            assert waiting == 0
            assert node != known[task]
        known[task] = node
    assert len(known) == len(times)
    assert len(bench.starts) <= 2 * len(times)
    shares = [event.fraction for event in bench.events if isinstance(event, Progress)]
    assert shares[-1] == 1.0
    assert len(shares) == len(times)
    assert end <= Bench(seconds).run(len(times), slots, None)


def failing(
    nodes: set[int], at: float, rule: Speculation = SPARK, outputs: Series[int] = ()
) -> tuple[JobRun, float, Bench]:
    """Return a job on four nodes, the first slow, that loses nodes or what lies there; and when it is done."""
    bench = Bench(slow_first(10.0))
    run = bench.job(8, [2] * 4, rule, may_fail=True)
    run.start()
    bench.engine.call_at(at, lambda: run.lose(nodes, set(outputs)))
    bench.engine.run(run.done)
    return run, bench.engine.now, bench


def test_where_the_node_of_one_of_two_attempts_is_lost_the_other_goes_on() -> None:
    run, end, bench = failing({0}, 18.0)
    assert end == 25.0
    assert run.redone == 0
    assert len(bench.starts) == 10


def test_where_the_nodes_of_both_attempts_are_lost_the_task_is_redone_once() -> None:
    run, end, bench = failing({0, 1}, 18.0)
    assert [(task, start) for task, _, start in bench.starts[10:]] == [(0, 19.0)]  # after the expiry
    assert run.redone == 1
    assert end == 29.0


@pytest.mark.parametrize(("lost", "redone"), [(0, 0), (1, 3)])
def test_the_output_of_a_task_lies_where_the_first_of_two_attempts_has_ended(lost: int, redone: int) -> None:
    # the copy of task 0 ends on node 1 at 25 s, as tasks 1 and 5 did before; that of task 4 still runs at 30 s
    run, _, bench = failing(set(), 30.0, replace(SPARK, least=1.0), [lost])
    assert bench.copies[0] == (0, 1, 15.0)
    assert run.redone == redone


def shared() -> tuple[Bench, Bench, Containers]:
    """Return a job with a slow node and another one, on the containers of four nodes that both share."""
    first, engine = Bench(slow_first(10.0)), Engine(Resources())
    first.engine = engine
    second = Bench(lambda task, node: 3 * TIME, engine)
    return first, second, Containers(engine, Scheduler(), [[2] * 4, [2] * 4])


def test_a_copy_leaves_shared_containers_to_the_tasks_of_others() -> None:
    first, second, containers = shared()
    one, other = first.job(8, [2] * 4, SPARK, shared=containers), second.job(14, [2] * 4, None, shared=containers)
    containers.join(one, Schedule(name="one"))
    containers.join(other, Schedule(name="other"))
    one.start()
    first.engine.call_at(5.0, other.start)
    first.engine.run(one.done)
    # the other has six containers from 10 s to 40 s, and to 70 s, and its last two tasks then: four fall free
    assert [start for _, _, start in first.copies] == [70.0, 70.0]
    assert first.engine.now == 80.0


def test_an_attempt_that_is_stopped_gives_back_the_room_that_it_holds() -> None:
    resources = Resources()
    drive = resources.add("drive", kind="drive", group="drives", unit="B/s", capacity=1.0)
    engine, pool = Engine(resources), Pool("turns", 1.0)
    work = Work(100.0, Demand((Use(drive, 1.0),)))
    ends: list[float] = []

    def begin(number: int, step: Step) -> None:
        attempt = Attempt(engine, lambda attempt: None)
        begun = 10.0 * number
        engine.call_at(begun, lambda: attempt.execute(Hold(pool, 1.0, step), list, 0))
        engine.call_at(begun + 5.0, lambda: engine.end(attempt))
        next_one = Hold(pool, 1.0, Delay(0.5))
        engine.call_at(begun + 2.0, lambda: engine.execute(next_one, lambda: ends.append(engine.now)))

    held: tuple[Step, ...] = (work, Sequence((Delay(1.0), work)), Hold(Pool("inner", 1.0), 1.0, work), Delay(9.0))
    for number, step in enumerate(held):
        begin(number, step)
    engine.run()
    assert ends == [5.5, 15.5, 25.5, 39.5]  # a fixed time is waited for
    assert engine.now == 39.5


def speculating(scenario: Scenario) -> Scenario:
    """Return a scenario of MapReduce or Spark with copies of slow tasks, by the defaults."""
    work = scenario.workload
    assert isinstance(work, MapReduce | Spark)
    rule = SparkSpeculation() if isinstance(work, Spark) else HadoopSpeculation()
    frame = work.framework.model_copy(update={"speculation": rule})
    return scenario.model_copy(update={"workload": work.model_copy(update={"framework": frame})})


def uneven(speed: float, **changes: object) -> Scenario:
    """Return the generation of files on three servers, the last of which computes at so many times the speed."""
    scenario = generation(**changes)
    slow = server(cpu=Cpu(cores=4, threads=8, speed=speed, smt_yield=1.25))
    group = Group(server=server(), count=3, later=(Batch(server=slow, count=1),))
    machines = Cluster(groups={"workers": group}, network=cluster(workers=(3, server())).network)
    return scenario.model_copy(update={"cluster": machines})


def test_a_job_with_a_slow_server_is_faster_with_copies_and_says_how_many_there_were() -> None:
    copied = framework(speculation=HadoopSpeculation(quantile=0.5))
    without = simulate(uneven(0.1, cpu=200e-9))
    result = simulate(uneven(0.1, cpu=200e-9, framework=copied))
    assert result.duration < 0.75 * without.duration
    assert result.warnings == ("copies of slow tasks: 4 started, 4 of them ended first",)
    assert result.stages[0].tasks == without.stages[0].tasks == 12


@pytest.mark.parametrize("make", [generation, sort])
def test_a_job_of_which_no_task_is_copied_is_the_same_to_the_last_bit(make: Callable[..., Scenario]) -> None:
    patient = framework(speculation=HadoopSpeculation(multiplier=100.0))
    assert digest(simulate(make(framework=patient))) == digest(simulate(make()))


def test_queries_of_spark_with_a_slow_server_are_faster_with_copies() -> None:
    scenario = miniature("tpch-minio-nvme")
    assert isinstance(scenario.workload, Spark)
    name = scenario.workload.framework.servers
    group = scenario.cluster.groups[name]
    slow = group.server.model_copy(update={"cpu": group.server.cpu.model_copy(update={"speed": 0.1})})
    groups = {**scenario.cluster.groups, name: group.model_copy(update={"later": (Batch(server=slow, count=1),)})}
    uneven = scenario.model_copy(update={"cluster": scenario.cluster.model_copy(update={"groups": groups})})
    without, copied = simulate(uneven), simulate(speculating(uneven))
    assert copied.duration < 0.75 * without.duration
    assert copied.warnings[-1].startswith("copies of slow tasks: ")


@pytest.mark.parametrize("number", [5, 33, 55, 56])
def test_copies_never_make_a_lone_job_slower(number: int) -> None:
    scenario = random_scenario(number)
    assert simulate(speculating(scenario)).duration <= 1.02 * simulate(scenario).duration
