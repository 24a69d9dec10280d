"""A part names server groups by the names of the library; the cluster of a profile has groups of its own."""

from __future__ import annotations

import pytest

from models.problem import ProblemError
from models.scenario import Scenario
from models.storage.minio.system import Minio
from profiles.loading.loader import Loaded, load, load_text
from profiles.text.dump import dump

ONE_GROUP = """\
[profile]
title = "a cluster of my own"

[cluster.groups.nodes]
server = "i3en.24xlarge"
count = 12
"""
TWO_GROUPS = ONE_GROUP + '[cluster.groups.engines]\nserver = "c5n.18xlarge"\ncount = 4\n'
SORT = '[workload]\nuse = "terasort"\ninput = "1 TB"\nframework = "yarn-h1"\n'
ON_NODES = '[storage]\nuse = "minio"\nservers = "nodes"\n'


def mine(text: str, **settings: str) -> Loaded[Scenario]:
    return load_text(text, Scenario, {key.replace("__", "."): value for key, value in settings.items()})


def test_a_storage_system_runs_on_the_only_servers_that_have_its_drives() -> None:
    loaded = load("hdfs-terasort", Scenario, {"storage": "ceph"})
    assert loaded.scenario.storage.server_groups() == {"storage.servers": "workers", "storage.gateways": "workers"}
    assert loaded.settled == loaded.scenario.storage.server_groups()


def test_names_that_the_cluster_has_stay() -> None:
    loaded = load("hdfs-terasort", Scenario)
    assert loaded.settled == {}
    assert mine(dump(loaded.resolved)).scenario == loaded.scenario


def test_a_workload_runs_on_the_only_group_besides_the_storage_and_spills_to_its_only_volume() -> None:
    loaded = mine(TWO_GROUPS + ON_NODES + SORT)
    assert loaded.settled == {"workload.framework.servers": "engines", "workload.framework.local_dirs": "root"}


def test_a_workload_runs_beside_the_drives_where_there_is_no_other_group() -> None:
    assert mine(ONE_GROUP + SORT, storage="minio").settled == {
        "storage.servers": "nodes",
        "workload.framework.servers": "nodes",
    }


def test_several_names_that_mean_one_group_name_it_once() -> None:
    loaded = mine(TWO_GROUPS + ON_NODES + '[workload]\nuse = "taxi-q2"\nengine = "presto-emr"\n')
    assert loaded.scenario.workload.server_groups() == {"workload.servers.0": "engines"}


def test_a_name_of_the_profile_that_chooses_the_cluster_is_not_replaced() -> None:
    with pytest.raises(
        ProblemError, match=r"storage.servers: the cluster has no such group \(it has: nodes\) \(got 'node'\)"
    ):
        mine(ONE_GROUP + ON_NODES.replace("nodes", "node") + SORT)


def test_a_storage_system_that_names_no_drives_has_those_of_the_only_bay() -> None:
    drives = '[cluster.groups.storage]\ncount = 4\n[cluster.groups.storage.server]\nuse = "c5n.18xlarge"\n'
    nvme = '[cluster.groups.storage.server.bays.nvme]\ndrive = "nvme"\ncount = 4\n'
    title = '[profile]\ntitle = "drives of my own name"\n[workload]\nuse = "teragen"\nframework = "yarn"\n'
    loaded = mine(title + drives + nvme + '[storage]\nuse = "minio"\n')
    assert isinstance(loaded.scenario.storage, Minio)
    assert loaded.scenario.storage.bay == "nvme"
    assert loaded.settled["storage.bay"] == "nvme"
    two = nvme + nvme.replace("nvme]", "ssd]")
    with pytest.raises(ProblemError, match=r"storage.bay: the servers have no such bay \(they have: nvme, ssd\)"):
        mine(title + drives + two + '[storage]\nuse = "minio"\n')


def test_where_several_groups_can_be_meant_none_is_taken() -> None:
    further = '[cluster.groups.others]\nserver = "i3en.24xlarge"\ncount = 12\n'
    with pytest.raises(ProblemError, match=r"storage.servers: the cluster has no such group \(it has: nodes, others\)"):
        mine(ONE_GROUP + further + SORT, storage="minio")


def test_names_of_a_profile_give_way_to_a_cluster_that_is_chosen_on_the_command_line() -> None:
    loaded = load("minio-terasort", Scenario, {"cluster": "12-h1"})
    assert loaded.settled == {
        "storage.servers": "workers",
        "workload.framework.servers": "workers",
        "workload.framework.local_dirs": "data",
    }


def test_what_is_buffered_on_the_usual_volume_goes_to_the_only_bay_of_servers_without_it() -> None:
    """S3A's buffer.dir is the root volume unless somebody says otherwise, and these servers have drives alone."""
    copy = '[workload]\nkind = "copy"\ntool = "distcp"\norigin = "hdfs"\nfiles = 20\nsize = "1 TB"\n'
    hadoop = '[cluster.groups.hadoop]\nserver = "hdd-25gbe"\ncount = 4\n'
    text = ONE_GROUP + hadoop + copy + ON_NODES + "[client]\n"
    loaded = mine(
        text.replace('origin = "hdfs"', 'origin = { use = "hdfs", servers = "hadoop" }') + 'use = "s3a-defaults"\n'
    )
    assert loaded.settled["client.fs.s3a.buffer.dir"] == "data"
    assert "client.fs.s3a.buffer.dir" not in mine(TWO_GROUPS + ON_NODES + SORT).settled
