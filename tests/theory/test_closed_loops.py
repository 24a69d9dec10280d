"""Closed loops against the exact answer of queueing theory: mean value analysis of one processor-sharing station."""

from __future__ import annotations

import pytest

from models.hardware.cluster import Cluster
from models.hardware.server import Cpu
from models.jobs.event_loop import EventLoop
from models.jobs.event_loop_plan import EVENTS
from models.scenario import ProfileInfo, Scenario
from models.storage.clients.posix import PosixClient
from simulator.run import simulate
from tests.models.machines import GB, MB, card, cluster, files, nvme, server

THINK = 1.0  # s of CPU an event
BYTES = 20 * MB  # an event: 0.2 s on the server's card
RATE = 100 * MB


def loop(jobs: int, *, rate: float = RATE, sample: float = 4000.0) -> Scenario:
    """Return `jobs` jobs on as many servers of one core, whose reads meet only on the card of one file server."""
    one_core = server(cpu=Cpu(cores=1, threads=1, speed=1.0), nic=card(bandwidth=100 * GB))
    machines: Cluster = cluster(
        servers=(1, server(drives=8, drive=nvme(read_bandwidth=100 * GB), nic=card(bandwidth=rate))),
        workers=(jobs, one_core),
    )
    return Scenario(
        profile=ProfileInfo(title="closed loop"),
        cluster=machines,
        storage=files(),
        client=PosixClient(connector="posix"),
        workload=EventLoop(
            kind="event-loop",
            servers="workers",
            jobs=jobs,
            run_time=sample,
            sample=sample,
            event_bytes=BYTES,
            event_cpu=THINK,
            data=GB,
        ),
    )


def mean_value_analysis(jobs: int, think: float, service: float) -> float:
    """Return events per second of a closed network: one station with processor sharing, and time to think."""
    queue = 0.0
    rate = 0.0
    for n in range(1, jobs + 1):
        response = service * (1 + queue)
        rate = n / (think + response)
        queue = rate * response
    return rate


@pytest.mark.parametrize("jobs", [1, 3, 6, 12])
def test_events_per_second_are_those_of_mean_value_analysis(jobs: int) -> None:
    measured = simulate(loop(jobs)).metrics["events"][0] / 4000.0
    assert measured == pytest.approx(mean_value_analysis(jobs, THINK, BYTES / RATE), rel=0.03)


def test_far_beyond_its_ceiling_a_loop_reads_at_the_rate_of_the_server() -> None:
    measured = simulate(loop(40, sample=500.0)).metrics["read rate"][0]
    assert measured == pytest.approx(RATE, rel=0.01)


def test_counts_are_scaled_from_the_sample_to_the_run_time() -> None:
    whole, part = loop(3), loop(3, sample=2000.0)
    half = part.model_copy(update={"workload": part.workload.model_copy(update={"run_time": 4000.0})})
    assert simulate(half).metrics["events"][0] == pytest.approx(simulate(whole).metrics["events"][0], rel=0.03)


def test_a_loop_that_its_sample_ends_reaches_to_the_end_of_the_run() -> None:
    (events,) = simulate(loop(3, sample=50.0)).stages
    assert (events.start, events.end) == (0.0, 50.0)


def test_the_pace_of_tiny_events_is_that_of_what_limits_them_however_many_fill_the_sample() -> None:
    part = loop(2, sample=1e6)
    tiny = part.workload.model_copy(update={"event_cpu": 1e-5, "event_bytes": 10 * MB})
    result = simulate(part.model_copy(update={"workload": tiny}))
    assert result.metrics["read rate"][0] == pytest.approx(RATE, rel=0.001)
    assert result.metrics["events"][0] == pytest.approx(1e6 * RATE / (10 * MB), rel=0.001)
    assert result.duration == pytest.approx(EVENTS * 10 * MB / RATE, rel=0.001)
    assert any(f"{EVENTS:,} events" in warning for warning in result.warnings)


def test_a_sample_is_at_most_the_run_time() -> None:
    part = loop(3, sample=400.0)
    short = part.model_copy(update={"workload": part.workload.model_copy(update={"run_time": 50.0})})
    assert simulate(short).duration == 50.0
