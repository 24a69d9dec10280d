"""MinIO: the geometry of its sets, and bytes per resource of GET, PUT and COPY, counted by hand."""

from __future__ import annotations

from collections import Counter
from statistics import fmean
from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import ValidationError

from models.hardware.cluster import Batch, Cluster, Group, Layout, Node
from models.storage.clients.mount import Local, MountPoint
from models.storage.clients.s3 import S3Client
from models.storage.flow import Flow
from models.storage.minio.rules import CURRENT
from models.storage.minio.store import MinioStore
from models.storage.minio.system import Minio
from models.storage.systems import mount
from tests.models.machines import GB, MB, card, cluster, hdd, layout, server
from tests.models.steps import cost_per_byte, name, owner, per_byte

OBJECTS = 3000


def machines(servers: int = 12, drives: int = 8, **changes: Any) -> Layout:
    """Return storage servers and one client."""
    return layout(storage=(servers, server(drives=drives, **changes)), client=(1, server()))


def spec(**changes: Any) -> Minio:
    """Return EC:4 by the rules of 2019, under which sets of 16 may lie unevenly over twelve servers."""
    return Minio.model_validate(
        {"system": "minio", "servers": "storage", "parity": 4, "release": "2019-07-24"} | changes
    )


def store(made: Layout, **changes: Any) -> MinioStore:
    return MinioStore(spec(**changes), made, salt=1)


def drives_of(flow: Flow) -> dict[str, float]:
    """Return the bytes on each drive per byte of a flow."""
    return per_byte((use for use in flow.uses if use.resource.kind == "drive"), name)


def client_bytes(flow: Flow) -> dict[str, float]:
    """Return the bytes per byte of a flow on the client's card."""
    return {key: value for key, value in per_byte(flow.uses, name).items() if key.startswith("client-1")}


def coordinator(flow: Flow) -> str:
    """Return the storage server that sends most: the whole byte of a GET, all shards of a PUT."""
    sent = per_byte((use for use in flow.uses if use.resource.kind == "nic-out"), owner)
    return max(sent.keys() - {"client-1"}, key=lambda server: sent[server])


def internode(flow: Flow) -> float:
    """Return the bytes per byte of a flow that storage servers send to storage servers."""
    on_client = client_bytes(flow)
    received = per_byte(flow.uses).get("nic-in", 0.0)
    return received - on_client.get("client-1/nic-in", 0.0) - on_client.get("client-1/nic-out", 0.0)


# sets


def test_12_servers_of_8_drives_form_6_sets_of_16_in_which_4_servers_hold_two_shards() -> None:
    sets = store(machines(12, 8)).sets
    assert [len(drives) for drives in sets] == [16] * 6
    for drives in sets:
        assert sorted(Counter(node.name for node, _ in drives).values()) == [1] * 8 + [2] * 4


def test_8_servers_of_8_drives_form_4_sets_of_16_with_two_shards_a_server() -> None:
    sets = store(machines(8, 8)).sets
    assert [len(drives) for drives in sets] == [16] * 4
    for drives in sets:
        assert set(Counter(node.name for node, _ in drives).values()) == {2}


def test_4_servers_of_4_drives_form_one_set_with_four_shards_a_server() -> None:
    (drives,) = store(machines(4, 4)).sets
    assert Counter(node.name for node, _ in drives) == {f"storage-{i}": 4 for i in (1, 2, 3, 4)}


def test_later_servers_form_a_pool_with_sets_of_their_own() -> None:
    group = Group(server=server(drives=4), count=10, later=(Batch(server=server(drives=6), count=2),))
    made = Layout(Cluster(groups={"storage": group, "client": Group(server=server(), count=1)}))
    pools = store(made)
    assert [len(drives) for drives in pools.sets] == [16, 16, 12]
    assert {node.batch for node, _ in pools.sets[2]} == {1}
    reads = [drives_of(pools.read(name, made.groups["client"][0])) for name in range(60)]
    assert {len(drives) for drives in reads} == {12, 8}
    assert all(sum(drives.values()) == pytest.approx(1) for drives in reads)


def test_every_drive_is_in_one_set() -> None:
    drives = [device.resource.name for members in store(machines(12, 8)).sets for _, device in members]
    assert len(set(drives)) == len(drives) == 96


def test_set_size_that_is_asked_for_is_taken() -> None:
    made = store(machines(12, 8), set_size=12)
    assert [len(drives) for drives in made.sets] == [12] * 8
    assert set(Counter(node.name for node, _ in made.sets[0]).values()) == {1}
    assert made.data == 8


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"set_size": 5, "parity": 1}, "set_size = 5: a set has 4, 6, 8, 10, 12, 14 or 16 drives"),
        (
            {"set_size": 8, "parity": 5},
            "parity = 5: a set of 8 drives has room for at most 4 parity shards",
        ),
        (
            {"parity": 2, "failed_drives": 3},
            "failed_drives = 3: data is lost beyond 2 drives of a set (parity)",
        ),
    ],
)
def test_impossible_codes_are_refused(changes: dict[str, int], message: str) -> None:
    with pytest.raises(ValidationError) as error:
        spec(**changes)
    assert error.value.errors()[0]["msg"] == f"Value error, {message}"


def test_parity_above_half_of_the_set_that_the_drives_form_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^parity = 9: a set of 16 drives has room for at most 8 parity shards$"):
        store(machines(12, 8), parity=9)


@pytest.mark.parametrize(("parity", "raw"), [(2, 16 / 14), (4, 16 / 12), (8, 16 / 8)])
def test_a_stored_byte_takes_all_shards_over_the_data_shards_of_a_stripe(parity: int, raw: float) -> None:
    twelve = cluster(storage=(12, server(drives=8)))
    assert spec(parity=parity).raw_per_byte(twelve) == raw


def test_objects_lie_evenly_on_all_drives() -> None:
    made = machines(12, 8)
    minio = store(made)
    loads = Counter(drive for i in range(OBJECTS) for drive in drives_of(minio.read(i, made.nodes[-1])))
    # each of 96 drives serves 12 of 16 of the objects of one set in six: 375, scattered by less than 20
    assert len(loads) == 96
    assert max(abs(count - 375) for count in loads.values()) < 5 * 20


# GET


def test_get_reads_an_equal_part_from_as_many_drives_as_there_are_data_shards() -> None:
    made = machines(12, 8)
    drives = drives_of(store(made).read(0, made.nodes[-1]))
    assert drives == {drive: pytest.approx(1 / 12) for drive in drives}
    assert len(drives) == 12


def test_get_reads_drives_of_one_set() -> None:
    made = machines(12, 8)
    minio = store(made)
    sets = [{device.resource.name for _, device in drives} for drives in minio.sets]
    for i in range(100):
        assert sum(set(drives_of(minio.read(i, made.nodes[-1]))) <= drives for drives in sets) == 1


def test_get_gathers_the_shards_on_one_server_which_sends_the_whole_byte_to_the_client() -> None:
    made = machines(12, 8)
    flow = store(made).read(0, made.nodes[-1])
    uses, server = per_byte(flow.uses, name), coordinator(flow)
    own = sum(value for key, value in drives_of(flow).items() if key.startswith(f"{server}/"))
    assert client_bytes(flow) == {"client-1/nic-in": 1.0}
    assert uses[f"{server}/nic-out"] == pytest.approx(1.0)
    assert uses[f"{server}/nic-in"] == pytest.approx(1.0 - own)


def test_get_moves_11_of_12_bytes_between_12_servers_on_average() -> None:
    made = machines(12, 8)
    minio = store(made)
    mean = fmean(internode(minio.read(i, made.nodes[-1])) for i in range(OBJECTS))
    assert mean == pytest.approx(11 / 12, abs=0.005)


def test_client_on_a_storage_server_is_spared_the_last_step_when_it_reaches_itself() -> None:
    made = layout(storage=(4, server(drives=4)))
    sums = {round(per_byte(store(made).read(i, made.nodes[0]).uses)["nic-in"], 6) for i in range(100)}
    # each server holds 3 of the 12 shards that are read: 9/12 reach the coordinator, and 1 the client if it is another
    assert sums == {0.75, 1.75}


def test_same_request_reaches_the_same_server_and_others_reach_others() -> None:
    made = machines(12, 8)
    minio = store(made)
    streams = [minio.read(5, made.nodes[-1], stream=i) for i in range(1200)]
    assert minio.read(5, made.nodes[-1], stream=7).uses == streams[7].uses
    reached = Counter(map(coordinator, streams))
    assert len(reached) == 12
    assert max(abs(count - 100) for count in reached.values()) < 5 * 10  # five standard deviations


def test_get_of_one_stream_is_as_fast_as_the_slowest_of_drives_cards_and_one_core() -> None:
    made = machines(12, 8)
    # 12 drives of 2 GB/s, 1 GB/s in and out; so many ns a byte on a core of speed 1
    for checked, slowest in ((0.25e-9, 1 / 1e9), (1.5e-9, 1.5e-9)):
        flow = store(made, bitrot_cpu=checked, request_time=0.01).read(0, made.nodes[-1])
        assert 1 / flow.max_rate == pytest.approx(slowest)
        assert (flow.cap, flow.latency) == ("one download stream", 0.01)


def test_bytes_in_the_page_cache_of_the_servers_are_not_read_from_drives() -> None:
    made = machines(12, 8)
    cold, warm = (store(made, cached_reads=part).read(0, made.nodes[-1]) for part in (0.0, 0.75))
    assert sum(drives_of(warm).values()) == pytest.approx(0.25)
    assert per_byte(warm.uses)["nic-in"] == pytest.approx(per_byte(cold.uses)["nic-in"])


def test_objects_wholly_in_the_page_cache_need_no_drive() -> None:
    made = machines(12, 8)
    flow = store(made, cached_reads=1.0).read(0, made.nodes[-1])
    assert drives_of(flow) == {}
    assert flow.max_rate == pytest.approx(1 * GB)  # in and out of one server's card, both at the same time


def test_checksums_cost_the_coordinator_and_nobody_else() -> None:
    made = machines(12, 8)
    costs = cost_per_byte(store(made, bitrot_cpu=1e-10, encode_cpu=1e-9).read(0, made.nodes[-1]).uses, name)
    assert [value for key, value in costs.items() if key.endswith("cpu")] == [pytest.approx(1e-10)]


# PUT


def test_put_writes_all_shards_of_each_stripe() -> None:
    made = machines(12, 8)
    drives = drives_of(store(made).write(0, made.nodes[-1]))
    assert len(drives) == 16
    assert sum(drives.values()) == pytest.approx(16 / 12)


@pytest.mark.parametrize(("parity", "factor"), [(2, 16 / 14), (4, 16 / 12), (8, 2.0)])
def test_put_writes_more_with_more_parity(parity: int, factor: float) -> None:
    made = machines(12, 8)
    assert sum(drives_of(store(made, parity=parity).write(0, made.nodes[-1])).values()) == pytest.approx(factor)


def test_put_receives_the_byte_once_and_fans_its_shards_out() -> None:
    made = machines(12, 8)
    flow = store(made).write(0, made.nodes[-1])
    uses, server = per_byte(flow.uses, name), coordinator(flow)
    own = sum(value for key, value in drives_of(flow).items() if key.startswith(f"{server}/"))
    assert client_bytes(flow) == {"client-1/nic-out": 1.0}
    assert uses[f"{server}/nic-in"] == pytest.approx(1.0)
    assert uses[f"{server}/nic-out"] == pytest.approx(16 / 12 - own)


def test_put_moves_16_twelfths_times_11_twelfths_between_servers_on_average() -> None:
    made = machines(12, 8)
    minio = store(made)
    mean = fmean(internode(minio.write(i, made.nodes[-1])) for i in range(OBJECTS))
    assert mean == pytest.approx(16 / 12 * 11 / 12, abs=0.005)  # 1.22


@pytest.mark.parametrize(
    ("release", "size", "is_ahead"),
    [
        ("2019-07-24", 1 * GB, False),
        ("2022-01-24", 1 * GB, False),
        ("2022-01-25", 1 * GB, True),
        (CURRENT, 0.1 * GB, False),
    ],
)
def test_put_of_one_stream_hashes_and_codes_in_turn_unless_it_reads_ahead(
    release: str, size: float, is_ahead: bool
) -> None:
    made = machines(12, 8)
    minio = store(
        made, parity=4, hash_cpu=1.5e-9, encode_cpu=0.3e-9, bitrot_cpu=0.09e-9, request_time=0.01, release=release
    )
    flow = minio.write(0, made.nodes[-1], size=size)
    coded = 0.3e-9 + 0.09e-9 * minio.size / minio.data
    # 1 GB/s in and out and the drives of a set, of 1 GB/s each, are faster than a core that hashes
    assert 1 / flow.max_rate == pytest.approx(1.5e-9 if is_ahead else 1.5e-9 + coded)
    assert (flow.cap, flow.latency) == ("one upload stream", 0.01)
    assert cost_per_byte(flow.uses)["cpu"] == pytest.approx(1.5e-9 + coded)


def test_tls_costs_a_core_at_both_ends_of_every_connection() -> None:
    made = machines(12, 8)
    plain, secret = (store(made, tls=tls) for tls in (False, True))
    for act, crossing in (("read", 11 / 12), ("write", 15 / 12)):  # one of the shards stays on the coordinator
        costs = [
            cost_per_byte(getattr(system, act)(0, made.nodes[-1]).uses).get("cpu", 0.0) for system in (plain, secret)
        ]
        assert costs[1] - costs[0] == pytest.approx(secret.spec.tls_cpu * (1 + 2 * crossing))


def test_tcp_costs_a_core_at_the_servers_ends_of_every_connection() -> None:
    made = machines(12, 8)
    grid = store(made, transfer_cpu=3e-10)
    for act, crossing in (("read", 11 / 12), ("write", 15 / 12)):
        cost = cost_per_byte(getattr(grid, act)(0, made.nodes[-1]).uses)["cpu"]
        assert cost == pytest.approx(3e-10 * (1 + 2 * crossing))


@pytest.mark.parametrize(("vector", "pace"), [("ssse3", 0.5), ("avx2", 1.0), ("gfni", 1.5)])
def test_vector_instructions_set_the_pace_of_coding_and_of_nothing_else(vector: str, pace: float) -> None:
    cpu = server().cpu.model_copy(update={"vector": vector})
    made = layout(storage=(12, server(drives=8).model_copy(update={"cpu": cpu})), client=(1, server()))
    costs = {"parity": 4, "hash_cpu": 1.5e-9, "encode_cpu": 0.3e-9, "bitrot_cpu": 0.09e-9}
    flow = store(made, **costs).write(0, made.nodes[-1])
    expected = 1.5e-9 + 0.09e-9 * 16 / 12 + 0.3e-9 / pace
    assert cost_per_byte(flow.uses)["cpu"] == pytest.approx(expected)
    assert 1 / flow.max_rate == pytest.approx(expected)


def test_put_goes_past_the_page_cache() -> None:
    made = machines(12, 8, drive=hdd(write_chunk=0.5 * MB))
    flow = store(made).write(0, made.nodes[-1])
    # 5 ms a MB and two seeks of 10 ms, 16/12 of the bytes
    drives = [use.cost for use in flow.uses if use.resource.kind == "drive"]
    assert sum(drives) * MB == pytest.approx(0.025 * 16 / 12)


def test_put_is_as_slow_as_its_coordinator() -> None:
    made = layout(storage=(12, server(drives=8, nic=card(bandwidth=0.1 * GB))), client=(1, server()))
    flow = store(made).write(0, made.nodes[-1])
    assert 1 / flow.max_rate == pytest.approx(1 / 0.1e9)
    costs = cost_per_byte(flow.uses, name)
    assert costs["storage-5/nic-out"] == pytest.approx(15 / 12)  # one of 16 shards stays


# offline drives


def test_degraded_get_reads_as_many_bytes_from_the_drives_that_are_left() -> None:
    made = machines(12, 8)
    minio = store(made, failed_drives=4)
    offline = {device.resource.name for drives in minio.sets for _, device in drives[:4]}
    for i in range(200):
        drives = drives_of(minio.read(i, made.nodes[-1]))
        assert len(drives) == 12
        assert sum(drives.values()) == pytest.approx(1.0)
        assert not offline & set(drives)


def test_missing_data_shards_are_reconstructed_by_the_coordinator() -> None:
    made = machines(12, 8)

    def cpu(failed: int) -> set[float]:
        minio = store(made, failed_drives=failed, encode_cpu=1e-9)
        return {cost_per_byte(minio.read(i, made.nodes[-1]).uses).get("cpu", 0.0) for i in range(200)}

    assert cpu(0) == {0.0}
    assert min(cpu(1)) == 0.0  # for a quarter of the objects the offline drive holds a parity shard
    assert 0.0 < max(cpu(1)) < max(cpu(4))


def test_degraded_put_writes_the_shards_of_the_drives_that_are_left() -> None:
    made = machines(12, 8)
    drives = drives_of(store(made, failed_drives=3).write(0, made.nodes[-1]))
    assert len(drives) == 13
    assert sum(drives.values()) == pytest.approx(13 / 12)


@pytest.mark.parametrize("way", ["write", "copy"])
def test_write_without_a_quorum_of_data_plus_one_is_refused(way: str) -> None:
    made = machines(12, 8)
    with pytest.raises(ValueError, match=r"^failed_drives = 4: a write needs 13 of the 16 drives of a set"):
        getattr(store(made, failed_drives=4), way)(0, made.nodes[-1])


# COPY


def test_copy_reads_and_writes_inside_the_store_and_sends_the_client_nothing() -> None:
    made = machines(12, 8)
    flow = store(made).copy(0, made.nodes[-1])
    assert client_bytes(flow) == {}
    assert sum(drives_of(flow).values()) == pytest.approx(1 + 16 / 12)


def test_copy_gathers_and_fans_out_on_one_server() -> None:
    made = machines(12, 8)
    minio = store(made, hash_cpu=1e-9)
    mean = fmean(internode(minio.copy(i, made.nodes[-1])) for i in range(OBJECTS))
    assert mean == pytest.approx((1 + 16 / 12) * 11 / 12, abs=0.01)  # 2.14
    assert len([key for key in cost_per_byte(minio.copy(0, made.nodes[-1]).uses, name) if key.endswith("/cpu")]) == 1


def test_copy_of_one_stream_reads_while_it_hashes_and_writes() -> None:
    made = machines(12, 8)
    flow = store(made, request_time=0.01, hash_cpu=1.5e-9, encode_cpu=0.3e-9).copy(0, made.nodes[-1])
    assert 1 / flow.max_rate == pytest.approx(1.5e-9 + 0.3e-9)
    assert (flow.cap, flow.latency) == ("one copy stream", 0.01)


@given(
    servers=st.sampled_from([4, 5, 8, 12, 16]),
    parity=st.integers(2, 5),
    failed=st.integers(0, 4),
    object_name=st.integers(0, 2**63),
)
def test_bytes_are_conserved_whatever_the_geometry(servers: int, parity: int, failed: int, object_name: int) -> None:
    made = machines(servers, 10 if servers == 5 else 4)
    minio = store(made, parity=parity, failed_drives=min(failed, parity - 1), bitrot_cpu=1e-10)
    get, put = minio.read(object_name, made.nodes[-1]), minio.write(object_name, made.nodes[-1])
    assert sum(drives_of(get).values()) == pytest.approx(1.0)
    assert sum(drives_of(put).values()) == pytest.approx((minio.size - min(failed, parity - 1)) / minio.data)
    assert client_bytes(get) == {"client-1/nic-in": pytest.approx(1.0)}
    assert client_bytes(put) == {"client-1/nic-out": pytest.approx(1.0)}
    for flow in (get, put):
        totals = per_byte(flow.uses)
        assert totals["nic-in"] == pytest.approx(totals["nic-out"])
        assert all(use.cost > 0 for use in flow.uses)
        assert flow.max_rate > 0


# servers that stand for others


def client_of(made: Layout) -> Node:
    return made.groups["client"][0]


def taken(system: MinioStore, client: Node) -> dict[str, float]:
    """Return what a byte of a GET and of a PUT takes on average, and the time of a lone one."""
    flows = [flow for i in range(OBJECTS) for flow in (system.read(i, client), system.write(i, client))]
    total = cost_per_byte(use for flow in flows for use in flow.uses)
    return {key: cost / OBJECTS for key, cost in total.items()} | {"alone": fmean(1 / flow.max_rate for flow in flows)}


def test_servers_that_stand_for_others_have_the_sets_of_the_whole_and_do_their_part() -> None:
    whole = cluster(storage=(16, server(drives=3)), client=(16, server()))
    part = Layout(cluster(storage=(4, server(drives=3)), client=(4, server())), alike=4, whole=whole)
    lone = Layout(whole)
    image, real = store(part, set_size=16), store(lone, set_size=16)
    assert len(image.sets) == len(real.sets) == 3
    assert (image.size, image.data) == (real.size, real.data) == (16, 12)
    few, all_of_them = (taken(system, client) for system, client in ((image, client_of(part)), (real, client_of(lone))))
    assert few == pytest.approx(all_of_them, rel=0.01)
    assert list(drives_of(image.write(1, client_of(part))).values()) == pytest.approx([4 / 12] * 4)


@pytest.mark.parametrize("failed", [0, 1])
def test_images_share_the_flows_that_each_would_have_of_its_own(failed: int) -> None:
    made = Layout(cluster(storage=(4, server(drives=6)), client=(1, server())), alike=4)
    shared, client = store(made, set_size=8, failed_drives=failed), client_of(made)
    kept: set[Flow] = set()
    for i in range(300):
        lone = store(made, set_size=8, failed_drives=failed)
        for flow, own in (
            (shared.read(i, client), lone.read(i, client)),
            (shared.write(i, client), lone.write(i, client)),
        ):
            assert cost_per_byte(flow.uses) == pytest.approx(cost_per_byte(own.uses), rel=1e-12)
            assert (flow.max_rate, flow.cap) == (own.max_rate, own.cap)
            kept.add(flow)
    assert len(kept) < 300, "of 16 servers 4 are images of the same"


def test_who_sets_it_up_is_told_how_each_pool_is_started() -> None:
    group = Group(server=server(drives=4), count=10, later=(Batch(server=server(drives=6), count=2),))
    made = Cluster(groups={"storage": group, "client": Group(server=server(), count=1)})
    pools = "http://storage-{1...8}/data-{1...4} http://storage-{9...10}/data-{1...6}"
    assert dict(spec().set_up(made)) == {"Start command": f"MINIO_STORAGE_CLASS_STANDARD=EC:4 minio server {pools}"}
    (command,) = dict(spec(set_size=8).set_up(machines().cluster)).values()
    assert "MINIO_ERASURE_SET_DRIVE_COUNT=8" in command


@pytest.mark.parametrize("servers", [4, 12])
def test_names_reach_all_drives_evenly(servers: int) -> None:
    made = store(machines(servers))
    places = [made.place(one) for one in made.names()]
    assert len(set(places)) == len(places) == servers * 8


def test_a_range_of_an_object_that_is_read_seeks_once_on_each_drive_that_holds_a_part() -> None:
    """Of 12 hard drives each is accessed once, but for what its bytes contain; metadata lies in the page cache."""
    machine, drive = machines(drive=hdd()), hdd()
    made, client = store(machine), machine.groups["client"][0]
    size = 12 * 0.5 * MB
    busy = [
        sum(use.cost * size for use in made.average(client, size).uses if use.resource.kind == "drive")
        for size in (size, 2 * size)
    ]
    contained = drive.seek_time * 0.5 * MB / drive.read_chunk
    assert busy[0] == pytest.approx(12 * (drive.access_time() - contained) + size * drive.read_cost())
    assert busy[1] == pytest.approx(12 * (drive.access_time() - 2 * contained) + 2 * size * drive.read_cost())


@pytest.mark.parametrize("size", [1 * MB, 8 * MB])
def test_columns_of_objects_on_hard_drives_are_read_as_fast_as_these_seek(size: float) -> None:
    """The mean of all places uses each of 96 drives alike: a seek and a twelfth of the bytes on 12 of them."""
    machine = machines(drive=hdd())
    files = mount(
        spec(), S3Client(connector="s3"), MountPoint(machine, 1, Local(lambda node: node.page_cache(0.0), 1, 1))
    )
    uses = [use for use in files.average(machine.groups["client"][0], size).uses if use.resource.kind == "drive"]
    busy, drive, piece = cost_per_byte(uses, name), hdd(), size / 12
    expected = max(drive.access_time() - drive.contained("read", piece), 0.0) + piece * drive.read_cost()
    assert len(busy) == 96
    assert [cost * size for cost in busy.values()] == pytest.approx([expected * 12 / 96] * 96, rel=1e-6)
