"""Points on a Dask cluster of real processes: a scheduler and a worker of its own."""

from __future__ import annotations

import gc
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import dask
import pytest

from models.problem import ProblemError
from simulator.clock import Cancelled
from simulator.studies.dask_runner import Scheduler
from simulator.studies.points import Answer, Point, answer
from simulator.studies.runner import Runner, run_points
from simulator.studies.store import Store
from tests.models.machines import GB
from tests.simulator.small import refused, sort

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.filterwarnings("ignore")  # of the library's own


@dataclass(frozen=True)
class Cluster:
    """A scheduler that listens at an address, and its worker."""

    address: str
    scheduler: subprocess.Popen[bytes]
    worker: subprocess.Popen[bytes]


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def started(module: str, *words: str, **settings: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"distributed.cli.{module}", *words, "--no-dashboard"]
    environment, quiet = os.environ | settings, subprocess.DEVNULL
    return subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True, stdout=quiet, stderr=quiet)


@contextmanager
def cluster_of(*words: str, scheme: str = "tcp", **settings: str) -> Iterator[Cluster]:
    """Give a scheduler and a worker that is started with some words, both with some settings."""
    port = free_port()
    address = f"{scheme}://127.0.0.1:{port}"
    scheduler = started("dask_scheduler", "--host", address, **settings)
    worker = started("dask_worker", address, "--no-nanny", "--nthreads", "2", *words, **settings)
    until = time.monotonic() + 60
    while socket.socket().connect_ex(("127.0.0.1", port)) and time.monotonic() < until:
        time.sleep(0.1)
    try:
        yield Cluster(address, scheduler, worker)
    finally:
        for process in (worker, scheduler):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        gc.collect()  # what the library has not closed, as long as its warnings are not listened to


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with cluster_of() as running:
        yield running


def points(*sizes: float) -> list[Point]:
    return [Point(scenario=sort(input=size * GB)) for size in sizes]


def test_a_cluster_gives_the_answers_of_this_process_and_they_are_stored(cluster: Cluster, tmp_path: Path) -> None:
    wanted = [*points(3, 1, 2), Point(scenario=refused())]
    with Store(tmp_path / "points") as store:
        answers = run_points(wanted, store=store, scheduler=cluster.address)
        assert len(store) == 3
    assert answers == [answer(point) for point in wanted]


def test_cancelling_keeps_what_has_finished_and_leaves_the_cluster_free(cluster: Cluster, tmp_path: Path) -> None:
    finished = []
    with Store(tmp_path / "points") as store, Runner(store=store, scheduler=cluster.address) as runner:
        with pytest.raises(Cancelled):
            runner.run(points(*range(1, 60)), lambda done, total: finished.append(done), lambda: max(finished) >= 2)
        assert len(store) == finished[-1] < 59
        assert isinstance(runner.run(points(0.5))[0], Answer)


def test_the_workers_of_a_cluster_are_counted(cluster: Cluster) -> None:
    run_points(points(1), scheduler=cluster.address)  # waits for the worker
    scheduler = Scheduler(cluster.address)
    assert scheduler.count_workers() == 1
    scheduler.close()


@pytest.mark.parametrize("address", ["here", "tcp://127.0.0.1", "http://127.0.0.1:8786"])
def test_what_is_no_address_is_told_as_that(address: str) -> None:
    with pytest.raises(ProblemError, match="expected the address of a Dask scheduler such as tcp"):
        run_points(points(1), scheduler=address)


def test_an_absent_scheduler_is_told_with_the_way_out() -> None:
    with pytest.raises(ProblemError, match=r"no Dask scheduler answers within 3 s; start one with: dask scheduler"):
        run_points(points(1), scheduler=f"tcp://127.0.0.1:{free_port()}")


def test_a_scheduler_behind_tls_needs_certificates() -> None:
    with pytest.raises(ProblemError, match=r"tls://.*: needs certificates.*DASK_DISTRIBUTED__COMM__TLS__CA_FILE"):
        run_points(points(1), scheduler=f"tls://127.0.0.1:{free_port()}")


@pytest.fixture
def defaults() -> None:
    """Load Dask's own settings: those that come while another is changed go when it is changed back."""
    import_module("distributed")


@pytest.mark.usefixtures("defaults")
def test_settings_that_ask_for_encryption_want_another_address() -> None:
    with (
        dask.config.set({"distributed.comm.require-encryption": True}),
        pytest.raises(ProblemError, match=r"Dask refuses to connect: .*; name the scheduler's address as tls://"),
    ):
        run_points(points(1), scheduler=f"tcp://127.0.0.1:{free_port()}")


@pytest.mark.usefixtures("defaults")
def test_certificates_that_are_not_there_are_told(tmp_path: Path) -> None:
    settings = {f"distributed.comm.tls.{name}": f"{tmp_path / 'none.pem'}" for name in ("ca-file", "client.cert")}
    with dask.config.set(settings), pytest.raises(ProblemError, match="certificates cannot be used"):
        run_points(points(1), scheduler=f"tls://127.0.0.1:{free_port()}")


def test_a_store_that_has_all_points_needs_no_scheduler(tmp_path: Path) -> None:
    with Store(tmp_path / "points") as store:
        first = run_points(points(1), store=store, workers=1)
        assert run_points(points(1), store=store, scheduler=f"tcp://127.0.0.1:{free_port()}") == first


def test_a_scheduler_that_dies_is_told_and_finished_points_are_stored(cluster: Cluster, tmp_path: Path) -> None:
    finished = []

    def on_done(done: int, total: int) -> None:
        finished.append(done)
        if done == 3:
            cluster.scheduler.kill()

    with Store(tmp_path / "points") as store:
        with pytest.raises(ProblemError, match="the Dask scheduler is gone; what had finished is kept"):
            run_points(points(*range(1, 200)), store=store, scheduler=cluster.address, on_done=on_done)
        assert 3 <= len(store) == finished[-1] < 199
