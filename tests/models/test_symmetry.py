"""Servers that are alike: a part of them, each of which stands for several, against all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import models.symmetry
from models.failures import Failures, Fault
from models.footprint import footprint
from models.hardware.cluster import Layout
from models.hardware.network import Network
from models.jobs.copy import Copy, Line, Tool
from models.jobs.workload import WorkloadModel
from models.scenario import ProfileInfo, Scenario
from models.storage.clients.s3a import Fs, S3aClient, S3aSettings
from models.storage.hdfs.system import Hdfs
from models.storage.minio.system import Minio
from models.symmetry import WHOLE, Detail, layout_of, memory_of
from simulator.run import simulate
from tests.models.machines import GB, MB, cluster, server
from tests.simulator.small import framework, sort
from tests.simulator.together.test_together import S3

SERVERS, PART = 48, 12
SETTINGS = {"block": {"size": 100 * MB}, "buffer": {"dir": "root"}, "committer": {"name": "magic"}}
STAGED = S3aClient(connector="s3a", fs=Fs(s3a=S3aSettings.model_validate(SETTINGS)))


@pytest.fixture(autouse=True)
def _small_is_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a dozen servers for enough: the thousand of a run take long."""
    monkeypatch.setattr(models.symmetry, "USUAL", Detail(PART))


def many(workload: WorkloadModel, **changes: Any) -> Scenario:
    """Return a workload on HDFS of 48 servers in 12 racks."""
    machines = cluster(workers=(SERVERS, server())).model_copy(update={"network": Network(racks=12)})
    settings = {
        "profile": ProfileInfo(title="many"),
        "cluster": machines,
        "storage": Hdfs(system="hdfs", servers="workers", replication=2, block_size=100 * MB),
        "workload": workload,
    }
    return Scenario(**settings | changes)


def sorting(**changes: Any) -> WorkloadModel:
    """Return a sort whose containers all start at the same time, reduces after all maps."""
    frame = framework(container_spread=0.0, slowstart=1.0)
    return sort(**{"input": 8 * 4 * SERVERS * 100 * MB, "cpu": 50e-9} | changes).workload.model_copy(
        update={"framework": frame}
    )


def copying(files: int, **changes: Any) -> Copy:
    """Return a copy of files of 1 GB from S3 in one stage, over a line that limits it."""
    settings: dict[str, Any] = {
        "kind": "copy",
        "origin": S3,
        "tool": Tool(servers=("workers",), processes=2, threads=2),
        "line": Line(rate=2 * GB),
        "files": files,
        "size": files * GB,
    }
    return Copy(**settings | changes)


def test_a_sort_on_a_part_of_the_servers_takes_as_long_as_on_all() -> None:
    whole, part = (simulate(many(sorting()), tolerance=tolerance) for tolerance in (0.0, None))
    assert part.duration == pytest.approx(whole.duration, rel=0.005)
    assert part.metrics["throughput"][0] == pytest.approx(whole.metrics["throughput"][0], rel=0.005)
    assert [stage.tasks for stage in part.stages] == [stage.tasks for stage in whole.stages]
    assert any("12 of 48 servers were simulated" in warning for warning in part.warnings)
    groups = {group.group: group for group in whole.groups}
    for group in part.groups:
        assert group.count == groups[group.group].count
        assert group.bytes == pytest.approx(groups[group.group].bytes, rel=0.02)


@pytest.mark.parametrize(("servers", "part"), [(7, 7), (13, 13), (101, 12), (206, 12), (211, 12)])
def test_a_part_need_not_divide_the_servers_it_stands_for(servers: int, part: int) -> None:
    """Each of 12 stands for 17.2 of 206; primes below twice as many as needed are all simulated."""
    machines = cluster(workers=(servers, server())).model_copy(update={"network": Network(racks=max(servers // 4, 1))})
    job = sorting(input=8 * 4 * servers * 100 * MB)
    on_all, on_part = (simulate(many(job, cluster=machines), tolerance=tolerance) for tolerance in (0.0, None))
    assert any(f"{part} of {servers} servers were" in warning for warning in on_part.warnings) == (part < servers)
    assert on_part.duration == pytest.approx(on_all.duration, rel=0.005)
    assert on_part.metrics["throughput"][0] == pytest.approx(on_all.metrics["throughput"][0], rel=0.005)
    assert [stage.tasks for stage in on_part.stages] == [stage.tasks for stage in on_all.stages]
    for here, there in zip(on_part.groups, on_all.groups, strict=True):
        assert here.count == there.count
        assert here.bytes == pytest.approx(there.bytes, rel=0.02)


def test_a_copy_on_a_part_that_does_not_divide_the_servers_has_its_part_of_the_line() -> None:
    machines = cluster(workers=(47, server())).model_copy(update={"network": Network(racks=12)})
    on_all, on_part = (simulate(many(copying(960), cluster=machines), tolerance=tolerance) for tolerance in (0.0, None))
    assert any("12 of 47 servers were simulated" in warning for warning in on_part.warnings)
    assert on_part.duration == pytest.approx(on_all.duration, rel=0.005)


def test_groups_of_a_part_keep_their_ratio_and_images_ask_for_whole_numbers() -> None:
    """Of 62 and 31 servers 31 equal parts of whole servers can be cut; images of servers are as many of each."""
    groups = cluster(workers=(62, server()), others=(31, server()))
    part = layout_of(many(sorting(), cluster=groups), Detail(14))
    assert {name: len(nodes) for name, nodes in part.groups.items()} == {"workers": 14, "others": 7}
    assert part.alike == pytest.approx(31 / 7)
    machines = cluster(workers=(248, server()))
    assert layout_of(many(sorting(), cluster=machines), Detail(14)).alike == pytest.approx(248 / 14)
    assert layout_of(on_minio(sorting(), cluster=machines), Detail(14)).alike == 8


def heartbeats(**changes: Any) -> dict[str, Any]:
    """Return the changes of `sorting` whose containers come at heartbeats of servers."""
    return {"framework": framework(container_spread=0.0, slowstart=1.0, off_switch=1, **changes)}


def test_a_sort_whose_containers_come_at_heartbeats_takes_on_a_part_as_long_as_on_all() -> None:
    job = sorting().model_copy(update=heartbeats())
    whole, part = (simulate(many(job), tolerance=tolerance) for tolerance in (0.0, None))
    assert part.duration == pytest.approx(whole.duration, rel=0.005)


@pytest.mark.parametrize(("racks", "delay", "waves"), [(1, 0, 8), (1, 4, 8), (1, 40, 16), (12, 40, 8)])
def test_maps_that_read_a_store_come_on_a_part_as_fast_as_on_all(racks: int, delay: int, waves: int) -> None:
    """One of a part waits for as many heartbeats as one of all, so that the first is 2.6 s late with a delay of 40."""
    job = sorting(input=waves * 4 * SERVERS * 100 * MB).model_copy(update=heartbeats(locality_delay=delay))
    machines = cluster(workers=(SERVERS, server())).model_copy(update={"network": Network(racks=racks)})
    whole, part = (simulate(on_minio(job, cluster=machines), tolerance=tolerance) for tolerance in (0.0, None))
    assert part.duration == pytest.approx(whole.duration, rel=0.005)
    assert part.stages[0].end == pytest.approx(whole.stages[0].end, rel=0.005)


@pytest.mark.parametrize(("waves", "within"), [(0.5, 0.01), (1.0, 0.02), (2.0, 0.07)])
def test_a_sort_with_unequal_reduces_takes_on_a_part_as_long_as_on_all_but_for_chance(
    waves: float, within: float
) -> None:
    """The largest reduce decides: beside which others it runs is chance, and which are in the last wave."""
    reduces = int(waves * 4 * SERVERS)
    total_order = sorting().model_copy(update={"reduces": reduces, "sampled_keys": 10 * reduces})
    whole, part = (
        [simulate(many(total_order), seed=seed, tolerance=tolerance) for seed in range(3)] for tolerance in (0.0, None)
    )
    means = [np.mean([result.duration for result in results]) for results in (part, whole)]
    assert means[0] == pytest.approx(means[1], rel=within)
    told = "its reduces are unequal, and the largest decide"
    assert all(any(warning.startswith(told) for warning in result.warnings) for result in part)
    assert not any(warning.startswith(told) for result in whole for warning in result.warnings)


def test_a_copy_has_its_part_of_the_line() -> None:
    whole, part = (simulate(many(copying(960)), tolerance=tolerance) for tolerance in (0.0, None))
    assert whole.bottleneck.resource == "line between the sites"
    assert part.duration == pytest.approx(whole.duration, rel=0.005)
    (line,) = [group for group in part.groups if group.group == whole.bottleneck.resource]
    assert line.count == 1
    assert line.bytes == pytest.approx(960 * GB)


def on_minio(workload: WorkloadModel, **changes: Any) -> Scenario:
    """Return a workload on MinIO of 48 servers in sets of 16 drives."""
    return many(workload, storage=Minio(system="minio", servers="workers", parity=4), client=STAGED, **changes)


@pytest.mark.parametrize(("cpu", "within"), [(50e-9, 0.005), (5e-9, 0.05)], ids=["processors", "drives"])
def test_a_sort_on_minio_takes_as_long_on_servers_with_images_of_the_others(cpu: float, within: float) -> None:
    whole, part = (simulate(on_minio(sorting(cpu=cpu)), tolerance=tolerance) for tolerance in (0.0, None))
    assert any("12 of 48 servers were simulated" in warning for warning in part.warnings)
    assert part.duration == pytest.approx(whole.duration, rel=within)


def test_a_few_servers_are_enough_where_the_store_has_images_of_the_others() -> None:
    detail = Detail(PART, few=4)
    assert layout_of(on_minio(sorting()), detail).alike == SERVERS // 4
    assert layout_of(many(sorting()), detail).alike == SERVERS // PART


def test_what_goes_to_an_image_leaves_by_the_card_and_comes_in_by_it() -> None:
    made = Layout(cluster(workers=(2, server())), alike=3)
    images = made.standing("workers")
    assert [image.name for image in images] == ["workers-1", "workers-2"] * 3
    sent = made.transfer(images[0], images[2])
    assert [use.resource.name for use in sent] == ["workers-1/nic-out", "workers-1/nic-in"]
    assert made.transfer(images[0], images[0]) == []


def test_what_is_few_is_simulated_as_it_is() -> None:
    assert layout_of(many(sorting()), Detail(SERVERS)).alike == 1
    assert layout_of(many(sorting()), WHOLE).alike == 1
    assert layout_of(many(sorting()), Detail(PART)).alike == SERVERS // PART
    assert layout_of(many(sorting()), Detail(PART, many=SERVERS)).alike == SERVERS // PART
    assert layout_of(many(sorting()), Detail(PART, many=SERVERS + 1)).alike == 1


def test_the_memory_that_is_told_is_that_of_the_servers_that_are_laid_out() -> None:
    for detail in (WHOLE, Detail(PART)):
        laid_out = layout_of(many(sorting()), detail).cluster
        assert memory_of(many(sorting()), detail) == footprint(laid_out)


def test_servers_that_differ_or_may_fail_stand_for_themselves() -> None:
    fails = Failures(faults=(Fault(at=1.0, component="workers-1"),))
    assert layout_of(many(sorting(), failures=fails), Detail(PART)).alike == 1
    mixed = cluster(workers=(SERVERS, server()))
    mixed = mixed.model_copy(update={"groups": {"workers": mixed.groups["workers"].with_more(12, server(drives=3))}})
    assert layout_of(many(sorting(), cluster=mixed), Detail(PART)).alike == 1


def test_a_rack_keeps_some_servers_and_there_are_still_several() -> None:
    machines = layout_of(many(sorting()), Detail(PART))
    assert sorted({node.rack for node in machines.nodes}) == [0, 1, 2]
