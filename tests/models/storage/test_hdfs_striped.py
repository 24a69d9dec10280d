"""HDFS with erasure coding: bytes per resource of a read, a write and a reconstruction, counted by hand."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, strategies as st

from models.hardware.cluster import Layout
from models.outage import Outage
from models.problem import RefusalError
from models.storage.flow import Flow, compute
from models.storage.hdfs.policy import POLICIES, Policy, policy_of
from models.storage.hdfs.reconstruction import Reconstruction
from models.storage.hdfs.runtime import RUNTIME
from models.storage.hdfs.striped import StripedStore
from models.storage.hdfs.system import Hdfs
from models.storage.room import Room
from models.work import Hold, Step, Work, WriteBehind
from tests.models.machines import GB, MB, cluster, hdd, layout, server
from tests.models.steps import all_of, cost_per_byte, moved, name, owner, per_byte, spent

MIB = 2.0**20
BLOCK = 128 * MIB
GROUP = 6 * BLOCK


def hdfs(**changes: Any) -> Hdfs:
    still = {"setup_time": 0.0, "late_reports": 0.0}
    return Hdfs(**{"system": "hdfs", "servers": "workers", "policy": "RS-6-3-1024k"} | still | changes)


def store(machines: Layout, outage: Outage | None = None, **changes: Any) -> StripedStore:
    made = RUNTIME.store(hdfs(**changes), machines, 1, outage or Outage())
    assert isinstance(made, StripedStore)
    return made


def write(files: StripedStore, machines: Layout, amount: float, node: int = 0) -> Step:
    return files.write(0, machines.nodes[node], amount, Flow(), "direct", lambda node: node.page_cache(0.0))


def twelve(**changes: Any) -> Layout:
    return layout(workers=(12, server(**changes)), clients=(1, server()))


@pytest.mark.parametrize("policy", POLICIES)
@given(size=st.floats(1.0, 3e9))
def test_data_blocks_hold_the_bytes_and_parity_blocks_are_as_long_as_the_first(policy: str, size: float) -> None:
    code = POLICIES[policy]
    lengths = code.lengths(size)
    assert sum(lengths[: code.data]) == pytest.approx(size)
    assert set(lengths[code.data :]) == {max(lengths)}
    assert max(lengths) - min(lengths) <= code.cell


@pytest.mark.parametrize(
    ("name", "policy"),
    [
        ("RS-6-3-1024k", Policy(6, 3, 1048576.0)),
        ("RS-6-3-64k", Policy(6, 3, 65536.0)),
        ("XOR-4-1-4096k", Policy(4, 1, 4194304.0)),
    ],
)
def test_a_policy_is_told_by_its_name_whether_it_ships_or_not(name: str, policy: Policy) -> None:
    assert policy_of(name) == policy


@pytest.mark.parametrize("name", ["RS-6-3", "RS-6-3-1024", "LRC-6-3-64k", "XOR-4-2-64k", "RS-6-3-8192k", "RS-0-3-64k"])
def test_what_no_codec_makes_is_refused_with_the_way_out(name: str) -> None:
    with pytest.raises(ValueError, match="own one such as 'RS-6-3-64k'"):
        hdfs(policy=name)


@pytest.mark.parametrize(("name", "pieces"), [("RS-6-3-1024k", 4), ("RS-6-3-64k", 7)])
def test_a_file_of_256_kib_lies_in_a_cell_and_three_of_parity_and_in_four_with_small_cells(
    name: str, pieces: int
) -> None:
    lengths = policy_of(name).lengths(262144.0)
    assert len([length for length in lengths if length]) == pieces
    cell = min(policy_of(name).cell, 262144.0)
    assert hdfs(policy=name).object_bytes(cluster(workers=(12, server())), 262144.0) >= pieces * cell


def test_a_client_sends_k_plus_m_kths_and_as_much_is_written_to_the_drives() -> None:
    machines = twelve()
    step = write(store(machines), machines, GROUP, node=12)  # from outside
    assert moved(step) == pytest.approx({"nic-out": 1.5 * GROUP, "nic-in": 1.5 * GROUP, "drive": 1.5 * GROUP})
    assert moved(step, name)["clients-1/nic-out"] == pytest.approx(1.5 * GROUP)  # there is no pipeline


def test_the_blocks_of_a_group_lie_on_servers_that_differ_and_none_on_purpose_on_the_writers() -> None:
    machines = twelve()
    files, local = store(machines), 0
    for file in range(200):
        step = files.write(file, machines.nodes[0], GROUP, Flow(), "direct", lambda node: node.page_cache(0.0))
        held = {owner(use.resource) for drain in all_of(step, WriteBehind) for use in _uses(drain)}
        assert len(held) == 9
        local += "workers-1" in held
    assert local / 200 == pytest.approx(9 / 12, abs=0.1)


def _uses(drain: WriteBehind) -> list[Any]:
    return [use for work in all_of(drain, Work) for use in work.demand.uses if use.resource.kind == "drive"]


def test_groups_lie_in_as_many_racks_as_there_are() -> None:
    machines = layout(racks=5, workers=(15, server()))
    files = store(machines)
    for row in files.preferred(60).tolist():
        racks = Counter(machines.nodes[index].rack for index in row)
        assert sorted(racks.values()) == [1, 2, 2, 2, 2]


def test_a_reader_takes_a_sixth_from_each_of_six_drives_of_which_one_at_most_is_its_own() -> None:
    machines = twelve()
    files, local = store(machines), []
    for split in range(0, 720, 6):
        uses = files.read(split, 720, machines.nodes[3], "direct").uses
        drives = {use.resource.name: use.bytes for use in uses if use.resource.kind == "drive"}
        assert drives == pytest.approx(dict.fromkeys(drives, 1 / 6))
        assert len(drives) == 6
        local.append(1 - per_byte(uses)["nic-in"])
    assert sum(local) / len(local) == pytest.approx(1 / 12, abs=0.03)  # a cell is local as often as chance has it


def test_splits_of_a_group_lie_at_the_same_servers_and_all_blocks_evenly_on_the_drives() -> None:
    machines = twelve(drives=4)
    files = store(machines)
    places = files.preferred(720)
    assert (places[0] == places[5]).all()
    assert places.shape == (720, 9)
    drives = Counter(
        use.resource.name
        for split in range(0, 720, 6)
        for use in files.read(split, 720, machines.nodes[12], "direct").uses
        if use.resource.kind == "drive"
    )
    assert len(drives) == 48
    assert sum(drives.values()) == 720


def test_a_read_streams_from_six_drives_at_once_and_is_bound_by_their_connections() -> None:
    machines = layout(workers=(9, server(drive=hdd())), clients=(1, server()))
    assert store(machines).read(0, 6, machines.nodes[9], "direct").max_rate == pytest.approx(6 * 200 * MB)


def test_a_small_file_takes_its_block_and_parity_blocks_as_long() -> None:
    machines = twelve()
    step = write(store(machines), machines, 0.5 * MIB, node=12)
    assert moved(step)["drive"] == pytest.approx(4 * 0.5 * MIB)  # one data block and three of parity
    servers = cluster(workers=(12, server()))
    coded, copied = hdfs(), hdfs(policy=None)
    assert coded.object_bytes(servers, 65536) == pytest.approx(4 / 3 * copied.object_bytes(servers, 65536))
    ratio = coded.object_bytes(servers, 600 * GROUP) / (600 * GROUP)
    assert ratio == pytest.approx(1.5 * (1 + 4 / 512), rel=1e-3)


def test_a_writer_computes_parity_and_checksums_of_all_blocks() -> None:
    machines = twelve()
    files = store(machines, stream_cpu=1e-9, encode_cpu=2e-10)
    assert files.write_cpu == pytest.approx(1.5e-9)
    assert spent(write(files, machines, GROUP, node=12), name)["clients-1/cpu"] == pytest.approx(2e-10 * GROUP)


def test_raw_bytes_and_room_follow_the_policy() -> None:
    servers = cluster(workers=(12, server(drives=2)))
    assert hdfs().raw_per_byte(servers, replicas=1) == pytest.approx(1.5)  # a policy leaves no choice
    assert hdfs().usable(servers, [Room(12, 300.0)]) == pytest.approx(12 * 300.0 / 1.5)
    assert hdfs(policy="RS-10-4-1024k").raw_per_byte(servers) == pytest.approx(1.4)


def test_fewer_servers_than_blocks_of_a_group_are_refused() -> None:
    with pytest.raises(RefusalError, match="needs 14 servers, group 'workers' has 12"):
        hdfs(policy="RS-10-4-1024k").fits(cluster(workers=(12, server())))


def lose(machines: Layout, outage: Outage, *nodes: int) -> set[int]:
    """Let servers fail, and return their resources."""
    names = tuple(f"{machines.nodes[node].name}/" for node in nodes)
    gone = {i for i in range(len(machines.resources)) if machines.resources[i].name.startswith(names)}
    outage.nodes |= {machines.nodes[node].index for node in nodes}
    outage.lost |= gone
    outage.epoch += 1
    return gone


def test_a_reader_takes_parity_in_the_place_of_what_is_missing_and_computes_it() -> None:
    machines, outage = layout(workers=(9, server()), clients=(1, server())), Outage(may_fail=True)
    files = store(machines, outage, encode_cpu=3e-10)
    files.hold(6, BLOCK)
    data = [node.index for node, _ in files.blocks[0].pieces[:2]]
    lose(machines, outage, *data)
    flow = files.read(0, 6, machines.nodes[9], "direct")
    drives = [use.resource.name for use in flow.uses if use.resource.kind == "drive"]
    assert len(drives) == 6
    assert not {f"workers-{index + 1}" for index in data} & {drive.partition("/")[0] for drive in drives}
    assert cost_per_byte(flow.uses, name)["clients-1/cpu"] == pytest.approx(3e-10 * 2 / 3)


def test_a_group_without_six_blocks_is_lost_and_nothing_of_it_is_read() -> None:
    machines, outage = layout(workers=(9, server())), Outage(may_fail=True)
    files = store(machines, outage)
    files.hold(6, BLOCK)
    repairs = Reconstruction(files)
    lose(machines, outage, 0, 1, 2)
    assert repairs.lost() == 0.0
    lose(machines, outage, 3)
    assert repairs.lost() == GROUP
    assert files.read(0, 6, machines.nodes[8], "direct").uses == ()


def test_a_lost_block_costs_six_reads_and_six_transfers_to_the_server_that_takes_it() -> None:
    machines, outage = layout(workers=(12, server())), Outage(may_fail=True)
    files = store(machines, outage)
    files.hold(60, BLOCK)
    repairs = Reconstruction(files)
    resources = lose(machines, outage, 0)
    hit = sum(any(node.index == 0 for node, _ in group.pieces) for group in files.blocks.values())
    pieces = list(repairs.repair(resources, is_server=True).pieces())
    assert len(pieces) == hit
    for piece in pieces:
        assert piece.bytes == BLOCK
        assert moved(piece.step) == pytest.approx({"drive": 7 * BLOCK, "nic-in": 6 * BLOCK, "nic-out": 6 * BLOCK})
        (hold,) = all_of(piece.step, Hold)
        assert (hold.pool.capacity, hold.amount) == (2.0, 1.0)
    assert all(len({node for node, _ in group.pieces}) == 9 for group in files.blocks.values())


def test_two_lost_blocks_of_a_group_are_computed_from_the_same_six_reads() -> None:
    machines, outage = layout(workers=(12, server())), Outage(may_fail=True)
    files = store(machines, outage)
    files.hold(6, BLOCK)
    resources = lose(machines, outage, *(node.index for node, _ in files.blocks[0].pieces[:2]))
    (piece,) = Reconstruction(files).repair(resources, is_server=True).pieces()
    assert piece.bytes == 2 * BLOCK
    assert moved(piece.step) == pytest.approx({"drive": 8 * BLOCK, "nic-in": 7 * BLOCK, "nic-out": 7 * BLOCK})


def test_a_writer_goes_on_with_six_servers_and_is_refused_with_five() -> None:
    machines, outage = layout(workers=(9, server()), clients=(1, server())), Outage()
    files = store(machines, outage)
    lose(machines, outage, 0, 1, 2)
    assert moved(write(files, machines, GROUP, node=9))["drive"] == pytest.approx(GROUP)
    lose(machines, outage, 3)
    assert moved(write(files, machines, GROUP, node=9)) == {}
    assert outage.refused == 1


def test_one_connection_for_each_block_carries_its_window() -> None:
    machines = layout(workers=(9, server()), clients=(1, server()))
    files = store(machines, write_window=5 * MIB, ack_time=0.05)
    (foreground, *_) = all_of(write(files, machines, GROUP, node=9), Work)
    assert foreground.demand.max_rate == pytest.approx(6 * 100 * MIB)  # six of nine connections carry data
    assert GB > 6 * 100 * MIB / 1.5


def test_one_thread_of_a_writer_computes_parity_and_what_its_task_does() -> None:
    machines = layout(workers=(9, server()), clients=(1, server()))
    files, client = store(machines, encode_cpu=1e-9), machines.nodes[9]
    for own, rate in ((3e-9, 250 * MB), (0.0, 1000 * MB)):
        step = files.write(0, client, GROUP, compute(client, own), "direct", lambda node: node.page_cache(0.0))
        demand = all_of(step, Work)[0].demand
        assert demand.cap == "one core a task"
        assert demand.max_rate == pytest.approx(rate)


def test_a_writer_waits_for_one_connection_a_group_as_all_are_made_side_by_side() -> None:
    machines = layout(workers=(9, server()), clients=(1, server()))
    files = store(machines, setup_time=0.5, encode_cpu=1e-9)
    step = write(files, machines, 2 * GROUP, node=9)
    groups = [work for work in all_of(step, Work) if work.demand.cap == "one core a task"]
    assert sum(work.amount / work.demand.max_rate for work in groups) == pytest.approx(2 * GROUP * 1e-9 + 2 * 0.5)


@pytest.mark.parametrize(("servers", "way_out"), [(8, "(RS-3-2-1024k, XOR-2-1-1024k) or add servers"), (2, "; add")])
def test_a_policy_for_more_servers_is_refused_with_those_that_fit(servers: int, way_out: str) -> None:
    with pytest.raises(ValueError, match=re.escape(way_out)):
        hdfs().fits(cluster(workers=(servers, server())))
