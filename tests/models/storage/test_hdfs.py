"""HDFS: bytes per resource of every way to read and write, counted by hand."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pytest
from hypothesis import given, strategies as st

from models.hardware.cluster import Layout, Node
from models.hardware.page_cache import PageCache
from models.storage.clients.native import NativeMount
from models.storage.clients.reading import Algorithm
from models.storage.flow import Flow, compute
from models.storage.hdfs import store as hdfs_store
from models.storage.hdfs.store import HdfsStore
from models.storage.hdfs.system import Hdfs
from models.work import Delay, Sequence, Step, Work, WriteBehind
from tests.models.machines import GB, MB, cluster, hdd, layout, server
from tests.models.steps import all_of, cost_per_byte, delays, moved, name, owner, per_byte, spent
from tests.narrow import as_a

BLOCK = 100 * MB
SPLITS = 240
FREE = Flow()  # a writer that nothing holds up
AT_ONCE = {"setup_time": 0.0, "late_reports": 0.0}  # pipelines that stand at once, and reports that are never late


def store(machines: Layout, **changes: Any) -> HdfsStore:
    """Return HDFS with blocks of 100 MB on the group "workers"."""
    return HdfsStore(
        Hdfs.model_validate({"system": "hdfs", "servers": "workers", "block_size": BLOCK} | AT_ONCE | changes),
        machines,
        salt=1,
    )


def cache(node: Node) -> PageCache:
    return node.page_cache(0.0)


def write(hdfs: HdfsStore, node: Node, amount: float, own: Flow = FREE, replication: int | None = None) -> Step:
    return hdfs.write(0, node, amount, own, "buffered", cache, replication)


def source_of(flow: Flow) -> int:
    """Return the number of the worker whose drive a read uses, from 1."""
    (drive,) = (use.resource for use in flow.uses if use.resource.kind == "drive")
    return int(owner(drive).removeprefix("workers-"))


# reading


def test_local_read_takes_the_bytes_from_one_drive_and_none_from_the_network() -> None:
    machines = layout(workers=(4, server(drives=2)))
    flow = store(machines).read(0, SPLITS, machines.nodes[0], "direct")  # split 0 lies on server 1
    assert per_byte(flow.uses, name) == {"workers-1/data-1": 1.0}


def test_remote_read_crosses_two_network_cards() -> None:
    machines = layout(workers=(4, server(drives=2)))
    flow = store(machines, replication=1).read(0, SPLITS, machines.nodes[2], "direct")
    assert per_byte(flow.uses, name) == {"workers-1/data-1": 1.0, "workers-1/nic-out": 1.0, "workers-3/nic-in": 1.0}


def test_read_prefers_the_replica_in_its_rack() -> None:
    machines = layout(racks=2, oversubscription=4.0, workers=(4, server()))
    hdfs = store(machines, replication=2)
    for split in range(0, SPLITS, 4):  # on server 1 in rack 1, and on server 2 or 4 in rack 2
        flow = hdfs.read(split, SPLITS, machines.nodes[2], "direct")
        assert per_byte(flow.uses, owner) == {"workers-1": 2.0, "workers-3": 1.0}


def test_read_from_another_rack_passes_both_uplinks() -> None:
    machines = layout(racks=2, oversubscription=4.0, workers=(4, server()))
    flow = store(machines, replication=1).read(0, SPLITS, machines.nodes[1], "direct")
    assert per_byte(flow.uses) == {"drive": 1.0, "nic-out": 1.0, "nic-in": 1.0, "uplink-out": 1.0, "uplink-in": 1.0}


def test_reader_outside_the_storage_servers_reads_from_any_replica() -> None:
    machines = layout(workers=(4, server()), compute=(1, server()))
    hdfs = store(machines, replication=3)
    reader = machines.groups["compute"][0]
    sources = Counter(source_of(hdfs.read(split, SPLITS, reader, "direct")) for split in range(SPLITS))
    assert set(sources) == {1, 2, 3, 4}
    assert max(abs(count - 60) for count in sources.values()) < 20  # 3 standard deviations of 240 draws of 1 in 4


def test_reader_is_served_by_itself_or_by_another_server_that_holds_the_split() -> None:
    machines = layout(workers=(6, server()))
    hdfs = store(machines)
    for split in range(SPLITS):
        holders = hdfs.preferred(SPLITS)[split].tolist()
        for node in machines.nodes:
            source = source_of(hdfs.read(split, SPLITS, node, "direct"))
            assert source - 1 in ([node.index] if node.index in holders else holders)


def test_first_replicas_lie_evenly_on_all_drives() -> None:
    machines = layout(workers=(3, server(drives=4)))
    hdfs = store(machines, replication=1)
    drives = Counter(
        use.resource.name
        for split in range(SPLITS)
        for use in hdfs.read(split, SPLITS, machines.nodes[split % 3], "direct").uses
    )
    assert len(drives) == 12
    assert set(drives.values()) == {SPLITS // 12}


def test_read_is_as_fast_as_one_sequential_stream() -> None:
    machines = layout(workers=(1, server(drive=hdd())))
    flow = store(machines, replication=1).read(0, SPLITS, machines.nodes[0], "direct")
    assert (flow.max_rate, flow.cap) == (200 * MB, "one drive a request")


def test_read_that_meets_writes_costs_the_drive_more() -> None:
    machines = layout(workers=(1, server(drive=hdd(mixed_chunk=0.1 * MB))))
    hdfs = store(machines, replication=1)
    costs = [cost_per_byte(hdfs.read(0, SPLITS, machines.nodes[0], access).uses) for access in ("direct", "mixed")]
    # 5 ms a MB and 10 ms for a seek each MB, or for ten seeks each MB
    assert [cost["drive"] * MB for cost in costs] == [pytest.approx(0.015), pytest.approx(0.105)]


def test_bytes_that_pass_a_datanode_cost_its_processor() -> None:
    machines = layout(workers=(2, server()))
    flow = store(machines, replication=1, stream_cpu=1e-9).read(0, SPLITS, machines.nodes[1], "direct")
    assert cost_per_byte(flow.uses, name)["workers-1/cpu"] == 1e-9
    assert "workers-2/cpu" not in cost_per_byte(flow.uses, name)


@pytest.mark.parametrize(("short_circuit", "cost"), [(False, 1e-9), (True, 0.0)])
def test_short_circuit_reads_pass_the_datanode_by(short_circuit: bool, cost: float) -> None:
    machines = layout(workers=(1, server()))
    hdfs = store(machines, replication=1, stream_cpu=1e-9, short_circuit=short_circuit)
    flow = hdfs.read(0, SPLITS, machines.nodes[0], "direct")
    assert cost_per_byte(flow.uses).get("cpu", 0.0) == cost


def test_short_circuit_spares_nothing_on_remote_reads() -> None:
    machines = layout(workers=(2, server()))
    hdfs = store(machines, replication=1, stream_cpu=1e-9, short_circuit=True)
    assert cost_per_byte(hdfs.read(0, SPLITS, machines.nodes[1], "direct").uses)["cpu"] == 1e-9


def test_splits_prefer_the_servers_that_hold_them() -> None:
    machines = layout(first=(2, server()), workers=(4, server()))
    preferred = store(machines, replication=2).preferred(8)
    assert preferred.shape == (8, 2)
    assert preferred[:, 0].tolist() == [2, 3, 4, 5, 2, 3, 4, 5]  # numbered through all groups
    assert set(preferred[:, 1].tolist()) <= {2, 3, 4, 5}


# writing


@pytest.mark.parametrize("replicas", [1, 2, 3])
def test_writer_on_a_datanode_sends_all_replicas_but_the_first(replicas: int) -> None:
    machines = layout(workers=(4, server()))
    step = write(store(machines), machines.nodes[0], 1 * GB, replication=replicas)
    sent = {"nic-in": (replicas - 1) * GB, "nic-out": (replicas - 1) * GB} if replicas > 1 else {}
    assert moved(step) == {"drive": replicas * GB} | sent


@pytest.mark.parametrize("replicas", [1, 2, 3])
def test_writer_outside_sends_all_replicas(replicas: int) -> None:
    machines = layout(workers=(4, server()), compute=(1, server()))
    step = write(store(machines), machines.groups["compute"][0], 1 * GB, replication=replicas)
    assert moved(step) == {"drive": replicas * GB, "nic-in": replicas * GB, "nic-out": replicas * GB}
    assert moved(step, name)["compute-1/nic-out"] == 1 * GB  # the servers send the others on


def test_pipeline_passes_each_block_on_from_server_to_server() -> None:
    machines = layout(workers=(3, server(drives=1)))
    step = write(store(machines), machines.nodes[0], BLOCK)
    pipeline = all_of(step, Work)[0]
    by_server = per_byte(pipeline.demand.uses, name)
    assert by_server["workers-1/nic-out"] == 1.0
    assert sum(by_server.get(f"workers-{i}/nic-in", 0.0) for i in (2, 3)) == 2.0
    assert sum(by_server.get(f"workers-{i}/nic-out", 0.0) for i in (2, 3)) == 1.0  # one of them is the last


def test_replicas_in_two_racks_pass_the_uplinks_once() -> None:
    machines = layout(racks=2, oversubscription=2.0, workers=(6, server()))
    step = write(store(machines), machines.nodes[0], 1 * GB)
    # own server; second in the other rack; third in the second's
    assert moved(step) == {
        "drive": 3 * GB,
        "nic-out": 2 * GB,
        "nic-in": 2 * GB,
        "uplink-out": 1 * GB,
        "uplink-in": 1 * GB,
    }


def test_every_replica_costs_the_processor_of_its_server() -> None:
    machines = layout(workers=(3, server()))
    step = write(store(machines, stream_cpu=1e-9), machines.nodes[0], 1 * GB)
    used = {key: seconds for key, seconds in spent(step, name).items() if key.endswith("/cpu")}
    assert used == {f"workers-{i}/cpu": pytest.approx(1.0) for i in (1, 2, 3)}


@pytest.mark.parametrize(
    ("amount", "blocks"),
    [(1.0, 1), (BLOCK, 1), (BLOCK * 1.0001, 2), (3 * BLOCK, 3), (10 * BLOCK / 3, 4)],
)
def test_file_is_cut_into_blocks(amount: float, blocks: int) -> None:
    machines = layout(workers=(2, server()))
    step = write(store(machines, replication=1), machines.nodes[0], amount)
    drains = all_of(step, WriteBehind)
    assert len(drains) == blocks
    assert sum(drain.amount for drain in drains) == pytest.approx(amount)


def test_blocks_of_a_file_are_written_one_after_the_other() -> None:
    machines = layout(workers=(4, server()))
    step = write(store(machines), machines.nodes[0], 2 * BLOCK)
    assert isinstance(step, Sequence)
    written = [[moved(part).get("drive", 0.0) for part in as_a(Sequence, block).steps] for block in step.steps]
    assert written == [[0.0, 3 * BLOCK], [0.0, 3 * BLOCK]]


def test_blocks_of_a_file_lie_on_different_servers() -> None:
    machines = layout(workers=(20, server()))
    step = write(store(machines), machines.nodes[0], 30 * BLOCK)
    written = {server for server, amount in moved(step, owner).items() if amount}
    assert len(written) > 15


def pipelines(machines: Layout) -> list[Work]:
    """Return what carries 60 blocks of a file to three servers each."""
    works = all_of(write(store(machines), machines.nodes[0], 60 * BLOCK), Work)
    return [work for work in works if any(use.resource.kind == "nic-in" for use in work.demand.uses)]


def test_blocks_through_the_same_servers_share_what_they_use() -> None:
    machines = layout(workers=(4, server()))  # the writer's, and two of three others in either order
    assert len({id(work.demand) for work in pipelines(machines)}) == 6


def test_blocks_use_the_same_where_no_pipeline_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    machines = layout(workers=(4, server()))
    shared = pipelines(machines)
    monkeypatch.setattr(hdfs_store, "PIPELINES", 0)
    alone = pipelines(machines)
    assert [(work.amount, work.demand.uses) for work in alone] == [(work.amount, work.demand.uses) for work in shared]
    assert len({id(work.demand) for work in alone}) == len(alone)


def test_each_replica_takes_room_in_the_page_cache_of_its_server() -> None:
    machines = layout(workers=(3, server()))
    step = write(store(machines), machines.nodes[0], BLOCK)
    rooms: dict[str, float] = defaultdict(float)
    for drain in all_of(step, WriteBehind):
        rooms[drain.pool.name.partition("/")[0]] += drain.amount
    assert rooms == {f"workers-{i}": pytest.approx(BLOCK) for i in (1, 2, 3)}


def drives_of_blocks(step: Step) -> list[str]:
    """Return the drives to which the blocks are written behind, in order."""
    return [drive for drain in all_of(step, WriteBehind) for drive in moved(drain, name)]


def test_blocks_of_a_file_take_the_drives_of_its_server_in_turn() -> None:
    machines = layout(workers=(1, server(drives=3)))
    step = write(store(machines, replication=1), machines.nodes[0], 5 * BLOCK)
    assert drives_of_blocks(step) == [f"workers-1/data-{i}" for i in (1, 2, 3, 1, 2)]


def test_files_written_side_by_side_keep_all_drives_of_their_server_busy() -> None:
    machines = layout(workers=(1, server(drives=4)))
    hdfs = store(machines, replication=1)
    files = [drives_of_blocks(write(hdfs, machines.nodes[0], 4 * BLOCK)) for _ in range(4)]
    for blocks in zip(*files, strict=True):  # the first blocks of all files, the second ones ...
        assert len(set(blocks)) == 4


def test_blocks_from_other_servers_take_the_drives_in_turn() -> None:
    machines = layout(workers=(1, server(drives=3)), compute=(1, server()))
    hdfs = store(machines, replication=1)
    steps = Sequence([write(hdfs, machines.groups["compute"][0], 2 * BLOCK) for _ in range(3)])
    assert drives_of_blocks(steps) == [f"workers-1/data-{i}" for i in (1, 2, 3, 1, 2, 3)]


def test_lone_replica_of_an_unlimited_writer_is_held_up_by_the_page_cache_only() -> None:
    machines = layout(workers=(1, server()))
    step = write(store(machines, replication=1), machines.nodes[0], BLOCK)
    assert len(all_of(step, Work)) == len(all_of(step, WriteBehind)) == 1  # the drain is all
    assert delays(step) == 0.0


def test_writer_computes_while_it_writes() -> None:
    machines = layout(workers=(3, server()))
    step = write(store(machines), machines.nodes[0], BLOCK, compute(machines.nodes[0], 5e-9))
    pipeline = all_of(step, Work)[0].demand
    assert cost_per_byte(pipeline.uses, name)["workers-1/cpu"] == 5e-9
    assert pipeline.max_rate == pytest.approx(200 * MB)
    assert pipeline.cap == "one core a task"


def test_writer_has_no_more_than_a_window_in_flight() -> None:
    machines = layout(workers=(3, server()))
    hdfs = store(machines, write_window=5 * MB, ack_time=0.005)
    pipeline = all_of(write(hdfs, machines.nodes[0], BLOCK, compute(machines.nodes[0], 0.5e-9)), Work)[0].demand
    assert pipeline.max_rate == pytest.approx(1 * GB)
    assert pipeline.cap == "write window"


def test_a_pipeline_is_as_fast_as_the_thread_of_its_slowest_server() -> None:
    machines = layout(workers=(3, server()))
    for cost, rate in ((2e-9, 500 * MB), (4e-9, 250 * MB)):
        pipeline = all_of(write(store(machines, stream_cpu=cost), machines.nodes[0], BLOCK), Work)[0].demand
        assert pipeline.max_rate == pytest.approx(rate)
        assert pipeline.cap == "one thread of a DataNode"


@pytest.mark.parametrize(("minimum", "late"), [(3, 0.65), (2, 0.65 / 3), (1, 0.65 / 9)])
def test_a_writer_moves_nothing_while_pipelines_are_set_up_and_a_report_is_late(minimum: int, late: float) -> None:
    machines = layout(workers=(3, server()))
    hdfs = store(machines, stream_cpu=2e-9, setup_time=0.01, late_reports=0.65, replication_min=minimum)
    step = write(hdfs, machines.nodes[0], 4 * BLOCK)
    blocks = [work for work in all_of(step, Work) if work.demand.cap == "one thread of a DataNode"]
    seconds = sum(work.amount / work.demand.max_rate for work in blocks)
    assert seconds == pytest.approx(4 * BLOCK / (500 * MB) + 4 * 3 * 0.01 + late * 0.4)


@pytest.mark.parametrize(
    ("minimum", "replicas", "waits"),
    [(1, 3, 0), (2, 3, 3), (3, 3, 3), (3, 1, 0)],
)
def test_block_waits_for_the_report_of_further_replicas(minimum: int, replicas: int, waits: int) -> None:
    machines = layout(workers=(3, server()))
    hdfs = store(machines, replication_min=minimum, report_delay=0.1)
    step = write(hdfs, machines.nodes[0], 3 * BLOCK, replication=replicas)
    assert all_of(step, Delay).count(Delay(0.1)) == waits


def test_more_replicas_than_servers_are_refused() -> None:
    machines = layout(workers=(2, server()))
    with pytest.raises(ValueError, match=r"^replication = 3: there are only 2 servers"):
        write(store(machines), machines.nodes[0], BLOCK)


@given(
    servers=st.integers(1, 9),
    racks=st.integers(1, 3),
    replicas=st.integers(1, 4),
    amount=st.floats(1.0, 20 * BLOCK),
    writer=st.integers(0, 9),
)
def test_drives_take_every_replica_and_the_network_all_but_the_local_one(
    servers: int, racks: int, replicas: int, amount: float, writer: int
) -> None:
    machines = layout(racks=min(racks, servers), workers=(servers, server()), compute=(1, server()))
    node = machines.nodes[min(writer, servers)]  # the last is outside
    replicas = min(replicas, servers)
    total = moved(write(store(machines), node, amount, replication=replicas))
    sent = replicas - (node.group == "workers")
    assert total["drive"] == pytest.approx(amount * replicas)
    assert total.get("nic-in", 0.0) == pytest.approx(amount * sent)
    assert total.get("nic-out", 0.0) == pytest.approx(amount * sent)


def test_a_stored_byte_takes_one_raw_byte_a_replica() -> None:
    three = cluster(workers=(3, server()))
    assert Hdfs(system="hdfs", servers="workers", replication=3).raw_per_byte(three) == 3
    assert Hdfs(system="hdfs", servers="workers", replication=3).raw_per_byte(three, replicas=1) == 1


# the commit of a job


@pytest.mark.parametrize(("algorithm", "renamed"), [(None, 0), (2, 0), (1, 1000)])
def test_version_1_of_the_file_committer_renames_a_job_s_files_one_after_the_other(
    algorithm: Algorithm | None, renamed: int
) -> None:
    """Each looks up the folders of output and task and the target, then changes a name that the journal has in 2 ms."""
    machines = layout(workers=(4, server()))
    hdfs = store(machines)
    made = NativeMount(hdfs, cache, lambda group, place: True, None, algorithm)
    step, names = made.commit(1000, 1000 * GB, machines.nodes[0]), hdfs.spec.namenode
    assert delays(step) == pytest.approx(renamed * (4 * names.rpc_time + names.journal_time))
    served = sum(work.amount / work.demand.max_rate for work in all_of(step, Work))
    assert served == pytest.approx(renamed * (3 * names.lookup_time + names.update_time))
