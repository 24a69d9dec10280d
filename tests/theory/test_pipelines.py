"""Works over several resources at once and one after the other, against closed forms."""

from __future__ import annotations

import math

import pytest

from models.work import Hold, Parallel, Pool, Resource, Resources, Sequence, Step, Use, Work, demand
from simulator.engine import Engine


def links(capacities: list[float]) -> tuple[Resources, list[Resource]]:
    resources = Resources()
    numbered = enumerate(capacities)
    return resources, [resources.add(f"l{i}", kind="link", group="l", unit="B", capacity=c) for i, c in numbered]


def time_of(resources: Resources, step: Step) -> float:
    engine = Engine(resources)
    engine.execute(step, lambda: None)
    engine.run()
    engine.close()
    return engine.now


@pytest.mark.parametrize("capacities", [[7.0], [5.0, 3.0], [9.0, 4.0, 6.0], [2.0] * 16])
def test_a_pipeline_goes_at_the_rate_of_its_narrowest_link(capacities: list[float]) -> None:
    resources, all_links = links(capacities)
    pipeline = demand([Use(link, 1.0, 1.0) for link in all_links])
    assert time_of(resources, Work(1e6, pipeline)) == pytest.approx(1e6 / min(capacities))


@pytest.mark.parametrize("capacities", [[7.0], [5.0, 3.0], [9.0, 4.0, 6.0]])
def test_store_and_forward_adds_the_times_of_the_links(capacities: list[float]) -> None:
    resources, all_links = links(capacities)
    hops = [Work(1e6, demand([Use(link, 1.0, 1.0)])) for link in all_links]
    assert time_of(resources, Sequence(hops)) == pytest.approx(sum(1e6 / c for c in capacities))


@pytest.mark.parametrize("chunks", [1, 2, 8])
@pytest.mark.parametrize("hops", [1, 2, 5])
def test_chunks_forwarded_over_equal_links_take_chunks_plus_hops_less_one_turns(chunks: int, hops: int) -> None:
    resources, all_links = links([10.0] * hops)
    engine = Engine(resources)
    works = [Work(100.0, demand([Use(link, 1.0, 1.0)])) for link in all_links]
    free = [True] * hops
    waiting = [0] * hops
    waiting[0] = chunks

    def forward(hop: int) -> None:
        if free[hop] and waiting[hop]:
            free[hop] = False
            waiting[hop] -= 1
            engine.execute(works[hop], lambda: arrive(hop))

    def arrive(hop: int) -> None:
        free[hop] = True
        if hop + 1 < hops:
            waiting[hop + 1] += 1
            forward(hop + 1)
        forward(hop)

    forward(0)
    engine.run()
    assert engine.now == pytest.approx(10.0 * (chunks + hops - 1))


@pytest.mark.parametrize(("nodes", "replicas", "writers"), [(4, 3, 1), (12, 3, 8), (7, 2, 5)])
def test_writers_of_replicas_share_the_drives_evenly(nodes: int, replicas: int, writers: int) -> None:
    """Node n writes to drives n, n+1, ... of a ring: each drive takes replicas * writers streams."""
    resources, drives = links([137e6] * nodes)
    pipelines = [demand([Use(drives[(n + r) % nodes], 1.0, 1.0) for r in range(replicas)]) for n in range(nodes)]
    steps = [Work(1e9, pipeline) for pipeline in pipelines for _ in range(writers)]
    assert time_of(resources, Parallel(steps)) == pytest.approx(1e9 * replicas * writers / 137e6)


def test_a_map_that_reads_while_it_computes_is_stopped_by_the_slower() -> None:
    resources = Resources()
    drive = resources.add("drive", kind="drive", group="drive", unit="B", capacity=200.0)
    cpu = resources.add("cpu", kind="cpu", group="cpu", unit="core-s", capacity=4.0)
    one_core = demand([Use(drive, 1.0, 1.0), Use(cpu, 0.02)], max_rate=1 / 0.02)
    # one task: its core does 50 a second; five tasks: 4 cores do 200 a second, as the drive does
    assert time_of(resources, Work(1000.0, one_core)) == pytest.approx(1000 / 50)
    assert time_of(resources, Parallel([Work(1000.0, one_core)] * 5)) == pytest.approx(5000 / 200)


def test_an_all_to_all_of_equal_flows_takes_what_one_port_needs() -> None:
    """Shuffle of n nodes: each port sends n-1 equal flows, so all end together after (n-1) * bytes / port."""
    nodes = 9
    resources, ports = links([50.0] * (2 * nodes))
    flows = [
        Work(100.0, demand([Use(ports[i], 1.0, 1.0), Use(ports[nodes + j], 1.0, 1.0)]))
        for i in range(nodes)
        for j in range(nodes)
        if i != j
    ]
    assert time_of(resources, Parallel(flows)) == pytest.approx((nodes - 1) * 100 / 50)


def test_stripes_over_k_data_and_m_parity_drives_take_the_bytes_of_a_shard() -> None:
    """An object of k shards of data with m of parity, one drive each: every drive takes 1/k of the object."""
    data, parity = 12, 4
    resources, drives = links([100.0] * (data + parity))
    put = demand([Use(drive, 1 / data, 1 / data) for drive in drives])
    assert time_of(resources, Work(6000.0, put)) == pytest.approx(6000 / data / 100)
    assert math.isclose(sum(use.bytes for use in put.uses), (data + parity) / data)


@pytest.mark.parametrize("tasks", [2, 5, 16])
def test_tasks_in_step_leave_each_link_idle_in_turn_and_tasks_in_a_row_do_not(tasks: int) -> None:
    """Why more of a resource can make a job slower: whoever nobody holds up is in step with all others.

    So many equal tasks that share a first link end there together, and the second stands idle until then: n + n turns.
    Where they are let in one after the other, the second link begins after one turn: 1 + n.
    """
    resources, (first, second) = links([1.0, 1.0])
    task = Sequence([Work(1.0, demand([Use(link, 1.0, 1.0)])) for link in (first, second)])
    assert time_of(resources, Parallel([task] * tasks)) == pytest.approx(tasks + tasks)
    turn = Pool("turn", 1.0)
    held = Sequence([Hold(turn, 1.0, task.steps[0]), task.steps[1]])
    assert time_of(resources, Parallel([held] * tasks)) == pytest.approx(1 + tasks)
