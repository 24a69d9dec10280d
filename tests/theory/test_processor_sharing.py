"""One server shared by all that are there, against closed forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
import pytest

from models.hardware.server import Cpu
from models.storage.flow import Flow, compute
from models.streams import Streams
from models.work import Resources, Use, Work, demand
from simulator.engine import Engine
from tests.models.machines import layout, server


def sojourns(arrivals: Iterable[float], sizes: Iterable[float]) -> list[float]:
    """Return how long each job stays on a server of rate 1, in the order in which they leave."""
    resources = Resources()
    server = resources.add("server", kind="cpu", group="server", unit="core-s", capacity=1.0)
    wanted = demand([Use(server, 1.0)])
    engine = Engine(resources)
    stays: list[float] = []

    def arrive(size: float) -> None:
        came = engine.now
        engine.execute(Work(size, wanted), lambda: stays.append(engine.now - came))

    for time, size in zip(arrivals, sizes, strict=True):
        engine.call_at(time, partial(arrive, size))
    engine.run()
    engine.close()
    return stays


def test_jobs_that_start_together_leave_by_size() -> None:
    assert sojourns([0, 0, 0], [3.0, 1.0, 2.0]) == [3.0, 5.0, 6.0]


def test_a_short_job_slows_a_long_one_only_while_it_is_there() -> None:
    # alone until 1, half rate until the short one has got its 1 (at 3), alone again for the last 2
    assert sojourns([0, 1.0], [4.0, 1.0]) == [2.0, 5.0]


def test_tasks_that_read_as_much_and_compute_unequally_leave_by_what_they_compute() -> None:
    """Cores share out time: tasks that compute 1, 2 and 3 s leave one core at 3, 5 and 6 s, though all read as much."""
    machines = layout(workers=(1, server(cpu=Cpu(cores=1, threads=1, speed=1.0))))
    flows = [compute(machines.nodes[0], 1.0, times) for times in (3.0, 1.0, 2.0)]
    engine = Engine(machines.resources)
    left: list[float] = []
    for flow in flows:
        engine.execute(Flow().joined(flow).move(1.0), lambda: left.append(engine.now))
    engine.run()
    engine.close()
    assert left == pytest.approx([3.0, 5.0, 6.0])


def test_a_late_small_job_may_leave_first() -> None:
    assert sojourns([0.0, 1.0, 2.0], [10.0, 4.0, 0.5]) == pytest.approx([1.5, 8.5, 14.5])


LOAD = 0.7
SIZES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "constant": lambda random, n: np.ones(n),
    "exponential": lambda random, n: random.exponential(1.0, n),
    "hyperexponential": lambda random, n: random.exponential(np.where(random.random(n) < 0.1, 5.5, 0.5), n),
}


@pytest.mark.parametrize("sizes", SIZES)
def test_mean_stay_depends_on_the_mean_size_only(sizes: str) -> None:
    """M/G/1-PS: E[T] = E[S] / (1 - load), whatever the distribution (Kleinrock, Queueing Systems II, 1976, chapter 4).

    20 batches; the interval is 4 standard errors of their mean, and it must be tighter than 25 %.
    """
    jobs = 60_000
    random = Streams(11).generator(f"processor-sharing/{sizes}")
    arrivals = np.cumsum(random.exponential(1.0 / LOAD, jobs))
    stays = np.array(sojourns(arrivals.tolist(), SIZES[sizes](random, jobs).tolist()))
    batches = stays.reshape(20, -1).mean(axis=1)
    error = 4.0 * batches.std(ddof=1) / np.sqrt(20)
    expected = 1.0 / (1.0 - LOAD)
    assert error < 0.25 * expected
    assert batches.mean() == pytest.approx(expected, abs=error)
