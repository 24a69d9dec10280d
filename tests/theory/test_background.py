"""What others use of a server: runs find the rest of it, jobs and requests alike."""

from __future__ import annotations

import pytest

from models.scenario import Scenario
from profiles.loading.loader import load_text
from simulator.result import Result
from simulator.run import simulate
from tests.narrow import some

READING = """
[profile]
title = "Two processes read from a drive"
[cluster.groups.servers]
count = 1
[cluster.groups.servers.server]
use = "hdd-25gbe"
bays.data.count = 1
background = { drives = [{drives}], network = [{network}] }
[storage]
use = "local"
servers = "servers"
[workload]
kind = "bulk-io"
servers = ["servers"]
processes = 2
direction = "read"
size = "10 GB"
"""
ASKING = """
[profile]
title = "One client asks a store for more than its card carries"
[cluster.groups.servers]
server = "nvme-100gbe"
count = 4
[cluster.groups.clients]
count = 1
[cluster.groups.clients.server]
use = "nvme-25gbe"
background = { drives = [{drives}], network = [{network}] }
[storage]
use = "minio-nvme"
servers = "servers"
[workload]
kind = "requests"
clients = "clients"
threads = 64
count = 2000
mix = { GET = { action = "get", size = "64 MiB" } }
"""


def result(text: str, *, drives: float = 0.0, network: float = 0.0) -> Result:
    filled = text.replace("{drives}", f"{drives}").replace("{network}", f"{network}")
    return simulate(load_text(filled, Scenario).scenario, seed=1)


def test_a_job_that_drives_hold_up_takes_as_much_longer_as_others_use_of_them() -> None:
    alone = result(READING).duration
    assert result(READING, drives=0.5).duration == pytest.approx(2 * alone, rel=0.01)
    assert result(READING, drives=0.2).duration == pytest.approx(alone / 0.8, rel=0.01)


def test_requests_that_a_card_holds_up_find_what_others_leave_of_it() -> None:
    alone = some(result(ASKING).load).throughput
    assert some(result(ASKING, network=0.5).load).throughput == pytest.approx(alone / 2, rel=0.01)


def test_what_does_not_hold_a_job_up_may_be_used_by_others() -> None:
    assert result(READING, network=0.5).duration == pytest.approx(result(READING).duration)
