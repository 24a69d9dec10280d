"""Loads of requests on servers that came at different times: alike they are as one group, others are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.problem import RefusalError
from models.scenario import Scenario
from profiles.loading.loader import load_text
from simulator.run import simulate

HEAD = """
[profile]
title = "GETs on eight servers"
[cluster.groups.storage]
server = "nvme-100gbe"
count = 8
{later}
[cluster.groups.clients]
server = "nvme-100gbe"
count = 2
[storage]
use = "{store}"
[workload]
kind = "requests"
clients = "clients"
rate = "500 1/s"
count = 1000
mix.GET = {{ action = "get", size = "64 KiB" }}
"""


def scenario(store: str, later: str = "") -> Scenario:
    stated = f'later = [{{ count = 3, server = "{later}" }}]' if later else ""
    return load_text(HEAD.format(store=store, later=stated), Scenario, path=Path("gets.toml")).scenario


def test_servers_of_the_same_kind_that_came_later_serve_as_those_that_came_first() -> None:
    assert simulate(scenario("ceph", "nvme-100gbe")).metrics == simulate(scenario("ceph")).metrics


@pytest.mark.parametrize(
    ("store", "later", "message"),
    [
        ("ceph", "hdd-25gbe", "needs servers of one kind; state later ones like the first, or leave them out"),
        ("minio-nvme", "nvme-100gbe", "needs one pool: .*count all servers as one pool, without later"),
    ],
)
def test_servers_that_serve_otherwise_are_refused_with_a_way_out_that_there_is(
    store: str, later: str, message: str
) -> None:
    with pytest.raises(RefusalError, match=f"^cluster.groups.storage.later: a load of requests {message}"):
        simulate(scenario(store, later))
