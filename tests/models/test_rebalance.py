"""Servers that have just come: what is refused, and which of a group hold data."""

from __future__ import annotations

import pytest

from models.hardware.cluster import Layout
from models.problem import ProblemError
from models.rebalance import before, holding
from models.scenario import Scenario
from profiles.loading.loader import load


def refused(name: str, **changes: str) -> str:
    stated = {key.replace("__", "."): value for key, value in changes.items()}
    with pytest.raises(ProblemError) as error:
        load(name, Scenario, stated)
    return str(error.value)


def test_a_store_whose_data_does_not_move_is_refused() -> None:
    assert refused("sizing-minio-servers", rebalance__servers="2") == (
        "--set: rebalance: data of such a store does not move onto servers that come: they fill as data comes"
        " (system 'minio'); leave it out"
    )


def test_some_servers_must_have_held_the_data() -> None:
    assert refused("growth-hdfs", rebalance__servers="12") == (
        "--set: rebalance.servers: must be fewer than the 12 servers of group 'workers'; some held the data before"
        " (got 12)"
    )
    assert refused("terasort-ceph", rebalance__servers="11") == (
        "--set: rebalance.servers: without them: 3 replicas needs 3 hosts, group 'storage' has 1"
    )


def test_faults_of_a_run_are_not_modelled_during_a_rebalance() -> None:
    assert refused("terasort-server-failure", rebalance__servers="1") == (
        "--set: rebalance: failures of a run during a rebalance are not modelled; leave out one of [rebalance] and the"
        " faults of [failures]"
    )


def test_the_last_servers_of_a_group_are_those_that_have_just_come() -> None:
    cluster = load("growth-hdfs", Scenario, {}).scenario.cluster
    cluster = cluster.model_copy(update={"groups": {"workers": cluster.groups["workers"].with_more(3)}})
    assert before(cluster, "workers", 5).groups["workers"].count == 10
    assert not before(cluster, "workers", 3).groups["workers"].later
    layout = Layout(cluster)
    assert holding(layout, "workers") == layout.groups["workers"]
    layout.fresh = {"workers": 5}
    assert holding(layout, "workers") == layout.groups["workers"][:10]
