"""A parallel file system: which drives, cards and processes a client's read passes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from models.hardware.cluster import Layout, Node
from models.hardware.drive_classes import QUEUE_GAIN
from models.outage import Outage
from models.problem import RefusalError
from models.storage.described import ByteRange
from models.storage.flow import Flow
from models.storage.parallel_fs.operations import ParallelFsOperations
from models.storage.parallel_fs.rebuild import RaidRebuild
from models.storage.parallel_fs.store import ANYWHERE, ParallelFsStore
from models.storage.parallel_fs.system import FileStream, Metadata, ParallelFs, Target
from models.storage.room import Room
from models.storage.stages import Lanes, Read, Stream
from models.work import Deferred, Hold, Step, Work
from profiles.loading.loader import load
from tests.models.machines import GB, MB, card, cluster, files, hdd, layout, nvme, server
from tests.models.steps import all_of, moved, name, per_byte


def store(**settings: Any) -> tuple[ParallelFsStore, Node]:
    """Return a file system on two servers of two drives, and one client."""
    machines = layout(servers=(2, server(drives=2)), workers=(1, server()))
    spec = files(**settings)
    return ParallelFsStore(spec, machines, salt=1), machines.nodes[2]


def test_a_read_passes_one_drive_the_card_of_its_server_and_that_of_the_client() -> None:
    made, client = store()
    used = per_byte(made.read(7, 8, client, "direct").uses)
    assert sorted(kind for kind in used) == sorted({"drive", "nic-out", "nic-in"})
    assert all(bytes_ == pytest.approx(1.0) for bytes_ in used.values())


def test_places_lie_evenly_on_all_drives_of_all_servers() -> None:
    made, client = store()
    flows = [made.read(place, 4000, client, "direct") for place in range(4000)]
    drives = [next(u.resource.name for u in flow.uses if u.resource.kind == "drive") for flow in flows]
    assert {drives.count(name) // 100 for name in set(drives)} <= {9, 10}
    assert len(set(drives)) == 4


def test_a_file_server_process_is_one_more_ceiling() -> None:
    made, client = store(process_bandwidth=100 * MB)
    flow = made.read(7, 8, client, "direct")
    assert [u.resource.capacity for u in flow.uses if u.resource.kind == "process"] == [(100 * MB,)]


def test_a_write_takes_the_way_back() -> None:
    made, client = store()
    step = made.write(7, client, GB, Flow((), 50 * MB), "buffered", lambda node: node.page_cache(0.0))
    assert isinstance(step, Work)
    assert (step.amount, step.demand.max_rate) == (GB, 50 * MB)
    assert sorted(use.resource.kind for use in step.demand.uses) == ["drive", "nic-in", "nic-out"]


def test_what_reads_from_everywhere_loads_all_drives_alike() -> None:
    made, client = store()
    drives = [use.bytes for use in made.average(client).uses if use.resource.kind == "drive"]
    assert drives == [0.25] * 4


def test_a_stored_byte_takes_one_raw_byte() -> None:
    two = cluster(servers=(2, server(drives=2)))
    spec = files()
    assert spec.raw_per_byte(two) == 1.0
    assert spec.raw_capacity(two) == 4 * 1000 * GB


# stripes and RAID groups

MIB = 2.0**20


def raid(**settings: Any) -> tuple[ParallelFsStore, Layout]:
    """Return a file system on three servers of two groups of 8 + 2 drives and a spare, and one client."""
    machines = layout(servers=(3, server(drives=21)), workers=(1, server()))
    target = Target(data=8, parity=2, **settings.pop("target", {}))
    spec = files(target=target, **settings)
    return ParallelFsStore(spec, machines, 1, settings.pop("outage", None)), machines


def written(made: ParallelFsStore, machines: Layout, amount: float) -> Step:
    return made.write(7, machines.nodes[3], amount, Flow(), "buffered", lambda node: node.page_cache(0.0))


def test_a_raid_group_reads_each_byte_once_and_writes_it_with_its_parity() -> None:
    made, machines = raid()
    flow = made.read(7, 8, machines.nodes[3], "direct")
    assert per_byte(flow.uses) == pytest.approx({"drive": 1.0, "nic-out": 1.0, "nic-in": 1.0})
    drives = {use.resource.name: use.bytes for use in flow.uses if use.resource.kind == "drive"}
    assert drives == pytest.approx(dict.fromkeys(drives, 0.1))
    assert len(drives) == 10
    assert moved(written(made, machines, GB)) == pytest.approx({"drive": 1.25 * GB, "nic-out": GB, "nic-in": GB})


def test_a_lone_stream_goes_as_fast_as_eight_data_drives_or_its_connection() -> None:
    machines = layout(servers=(1, server(drives=10, drive=hdd(), nic=card(bandwidth=10 * GB))), workers=(1, server()))
    spec = files(target=Target(data=8, parity=2))
    flow = ParallelFsStore(spec, machines, 1).read(7, 8, machines.nodes[0], "direct")
    assert flow.max_rate == pytest.approx(8 * 200 * MB)


@pytest.mark.parametrize(("count", "size", "targets"), [(1, 1e9, 1), (4, 1e9, 4), (4, 9 * MIB, 3), ("all", 1e9, 6)])
def test_a_file_lies_on_as_many_targets_as_it_has_stripes_for(count: Any, size: float, targets: int) -> None:
    made, machines = raid(stripe_count=count)
    used = moved(written(made, machines, size), name)
    drives = {key: value for key, value in used.items() if "/data-" in key}
    assert len(drives) == 10 * targets
    assert drives == pytest.approx(dict.fromkeys(drives, 1.25 * size / 10 / targets))
    servers = {key.partition("/")[0] for key in drives}
    assert len(servers) == min(targets, 3)  # a server after the other, then their second groups


@pytest.mark.parametrize(("way", "alike"), [("round-robin", True), ("random", False)])
@pytest.mark.parametrize("count", [1, 2])
def test_files_dealt_in_turn_give_each_target_as_many_and_files_dealt_by_chance_do_not(
    way: str, alike: bool, count: int
) -> None:
    made, machines = raid(new_files=way, stripe_count=count)
    used: list[str] = []
    for file in range(12):
        step = made.write(file, machines.nodes[3], GB, Flow(), "buffered", lambda node: node.page_cache(0.0))
        used += [use.resource.name for work in all_of(step, Work) for use in work.demand.uses]
    drives = Counter(key for key in used if "/data-" in key)
    assert (set(drives.values()) == {2 * count} and len(drives) == 60) is alike


def test_a_file_whose_turn_falls_on_a_lost_server_begins_on_a_later_one() -> None:
    made, machines = raid(new_files="round-robin")
    made.outage.epoch, made.outage.nodes = 1, {machines.nodes[0].index}
    for file in range(6):
        step = made.write(file, machines.nodes[3], GB, Flow(), "buffered", lambda node: node.page_cache(0.0))
        assert not any(key.startswith(f"{machines.nodes[0].name}/") for key in moved(step, name))
    assert not made.outage.refused


def test_a_declustered_group_lies_on_all_drives_but_for_its_spare_room() -> None:
    made, machines = raid(target={"declustered": True, "spares": 1})
    drives = [use.bytes for use in made.read(7, 8, machines.nodes[3], "direct").uses if use.resource.kind == "drive"]
    assert drives == pytest.approx([1 / 21] * 21)
    assert moved(written(made, machines, GB))["drive"] == pytest.approx(1.25 * GB)


def test_room_for_data_is_without_parity_and_without_drives_that_fill_no_group() -> None:
    three = cluster(servers=(3, server(drives=21)))
    spec = files(target=Target(data=8, parity=2))
    assert spec.raw_per_byte(three) == 1.25
    assert spec.usable(three, [Room(3, 2100.0)]) == pytest.approx(3 * 1600.0)
    loose = spec.model_copy(update={"target": Target(data=8, parity=2, declustered=True, spares=1)})
    assert loose.usable(three, [Room(3, 2100.0)]) == pytest.approx(3 * 2000.0 * 0.8)
    assert spec.object_bytes(three, 8 * 4096.0) == 10 * 4096.0


def test_processes_of_clients_and_servers_are_ceilings_for_all_that_passes_them() -> None:
    made, machines = raid(client_bandwidth=300 * MB, process_bandwidth=200 * MB, stripe_count=3)
    uses = [use for use in made.read(7, 8, machines.nodes[3], "direct").uses if use.resource.kind == "process"]
    shares = {"workers-1/file-client": 1.0} | {f"servers-{i}/file-server": 1 / 3 for i in (1, 2, 3)}
    assert {use.resource.name: use.bytes for use in uses} == pytest.approx(shares)
    assert {use.resource.capacity for use in uses} == {(300 * MB,), (200 * MB,)}


def test_rpcs_in_flight_limit_a_client_and_a_target() -> None:
    made, machines = raid(rpc_size=4 * MIB, rpcs_in_flight=8, rpc_time=0.1, stripe_count=2)
    assert made.read(7, 8, machines.nodes[3], "direct").max_rate == pytest.approx(2 * 8 * 4 * MIB / 0.1)


def lone(way: str, *, targets: int = 1, **changes: Any) -> float:
    """Return the rate of a lone stream on cards of 10 GB/s, whose calls are of 1 MiB and take 0.2 ms beside it."""
    costs = {"read_cpu": 0.4e-9, "write_cpu": 0.3e-9, "served_read_cpu": 0.35e-9, "served_write_cpu": 1e-9}
    settings: dict[str, Any] = {"reads_ahead": False} | costs | changes
    stream = FileStream(**settings)
    fast = server(drives=1, drive=nvme(read_bandwidth=100 * GB, write_bandwidth=100 * GB), nic=card(bandwidth=10 * GB))
    machines = layout(servers=(targets, fast), workers=(1, fast))
    made = ParallelFsStore(files(stream=stream, rpc_time=2e-4, stripe_count=targets, stripe_size=MIB), machines, 1)
    client = machines.nodes[-1]
    if way == "read":
        return made.read(7, 8, client, "direct").max_rate
    step = made.write(7, client, GB, Flow(), "direct", lambda node: node.page_cache(0.0))
    assert isinstance(step, Work)
    return step.demand.max_rate


def test_a_stream_that_does_not_read_ahead_pays_an_rpc_the_link_and_the_thread_that_takes_its_bytes() -> None:
    assert lone("read") == pytest.approx(1 / (2e-4 / MIB + 1 / (10 * GB) + 0.4e-9))
    assert lone("write") == pytest.approx(1 / (2e-4 / MIB + 1 / (10 * GB) + 1e-9))
    assert lone("read", request_size=MIB / 2) == pytest.approx(1 / (2e-4 / (MIB / 2) + 1 / (10 * GB) + 0.4e-9))


def test_one_that_does_is_as_fast_as_its_own_process() -> None:
    assert lone("read", reads_ahead=True) == pytest.approx(1 / 0.4e-9)
    assert lone("write", reads_ahead=True) == pytest.approx(1 / 0.3e-9)


def test_a_call_asks_each_target_for_a_stripe_and_waits_before_it_asks_for_the_next() -> None:
    assert lone("write", targets=2, request_size=2 * MIB) == pytest.approx(
        1 / (2e-4 / 2 / MIB + (1 / (10 * GB) + 1e-9) / 2)
    )
    assert lone("read", targets=2, request_size=2 * MIB) == pytest.approx(1 / 0.4e-9)
    for way in ("read", "write"):  # a stripe a call, or several of one target: as with one target, in as many rounds
        one = lone(way)
        assert lone(way, targets=2) == pytest.approx(one)
        assert lone(way, request_size=4 * MIB) == pytest.approx(one)
    assert lone("write", targets=2, request_size=8 * MIB) == pytest.approx(
        lone("write", targets=2, request_size=2 * MIB)
    )


def test_targets_of_a_file_are_drawn_from_equal_parts_of_all() -> None:
    made, machines = raid(new_files="drawn", stripe_count=3)
    begun: list[str] = []
    for file in range(300):
        step = made.write(file, machines.nodes[3], GB, Flow(), "buffered", lambda node: node.page_cache(0.0))
        drives = sorted(key for key in moved(step, name) if key.endswith(("/data-1", "/data-11")))
        assert len(drives) == 3
        begun += drives
    assert len(set(begun)) == 6  # two groups of each of three servers
    assert all(100 < count < 200 for count in Counter(begun).values())


@pytest.mark.parametrize("way", ["random", "round-robin", "drawn"])
@pytest.mark.parametrize("count", [1, 2])
def test_a_file_is_read_whole_from_where_it_was_written(way: str, count: int) -> None:
    made, machines = raid(new_files=way, stripe_count=count)
    client = machines.nodes[3]
    for file in range(12):
        step = made.write(file, client, GB, Flow(), "direct", lambda node: node.page_cache(0.0))
        where = {use.resource.name for use in made.read(file, 12, client, "direct", GB).uses}
        written_to = {key for key in moved(step, name) if "/data-" in key}
        assert written_to == {key for key in where if "/data-" in key}
    assert made.streamed(GB) == GB


def test_an_opened_file_is_one_operation_of_a_metadata_server_and_a_created_one_two() -> None:
    made, machines = raid(metadata=Metadata(rate=1000.0, time=0.002))
    opened = all_of(made.read(7, 8, machines.nodes[3], "direct").move(GB), Work)[0]
    created = all_of(written(made, machines, GB), Work)[0]
    assert [(work.amount, work.demand.max_rate) for work in (opened, created)] == [(1.0, 500.0), (2.0, 500.0)]
    assert {use.resource.group for use in opened.demand.uses} == {"servers/metadata operations"}
    assert len(all_of(made.read(7, ANYWHERE, machines.nodes[3], "direct").move(GB), Work)) == 1  # it is open


def lose(machines: Layout, outage: Outage, *drives: str) -> set[int]:
    gone = {i for i in range(len(machines.resources)) if machines.resources[i].name in drives}
    outage.lost |= gone
    outage.epoch += 1
    return gone


@pytest.mark.parametrize(("lost", "read"), [(1, 0.9 + 0.1 * 8), (2, 0.8 + 0.2 * 8)])
def test_a_group_without_drives_computes_their_bytes_from_eight_others(lost: int, read: float) -> None:
    machines, outage = layout(servers=(1, server(drives=10)), workers=(1, server())), Outage(may_fail=True)
    spec = files(target=Target(data=8, parity=2))
    made = ParallelFsStore(spec, machines, 1, outage)
    lose(machines, outage, *(f"servers-1/data-{i + 1}" for i in range(lost)))
    assert per_byte(made.read(7, 8, machines.nodes[1], "direct").uses)["drive"] == pytest.approx(read)


def test_what_lay_on_a_group_is_lost_with_its_third_drive() -> None:
    machines, outage = layout(servers=(2, server(drives=10)), workers=(1, server())), Outage(may_fail=True)
    spec = files(target=Target(data=8, parity=2))
    made = ParallelFsStore(spec, machines, 1, outage)
    made.hold(8, GB)
    rebuild = RaidRebuild(made)
    rebuild.repair(lose(machines, outage, "servers-1/data-1", "servers-1/data-2"), is_server=False)
    assert rebuild.lost() == 0.0
    repair = rebuild.repair(lose(machines, outage, "servers-1/data-3"), is_server=False)
    assert rebuild.lost() == 4 * GB  # half of the targets
    assert not list(repair.pieces())
    reads = [made.read(place, 8, machines.nodes[2], "direct").uses for place in range(40)]
    assert any(uses == () for uses in reads)
    assert any(uses for uses in reads)


def test_a_server_without_a_partner_takes_its_groups_with_it() -> None:
    machines, outage = layout(servers=(2, server(drives=10)), workers=(1, server())), Outage(may_fail=True)
    spec = files(target=Target(data=8, parity=2))
    made = ParallelFsStore(spec, machines, 1, outage)
    made.hold(8, GB)
    rebuild = RaidRebuild(made)
    outage.nodes.add(machines.nodes[0].index)
    gone = lose(machines, outage, *(f"servers-1/data-{i + 1}" for i in range(10)))
    assert not list(rebuild.repair(gone, is_server=True).pieces())
    assert rebuild.lost() == 4 * GB


@pytest.mark.parametrize("declustered", [False, True])
def test_a_drive_is_rebuilt_from_eight_others_at_the_rate_of_the_group(declustered: bool) -> None:
    machines, outage = layout(servers=(1, server(drives=11)), workers=(1, server())), Outage(may_fail=True)
    target = Target(data=8, parity=2, declustered=declustered, spares=1)
    made = ParallelFsStore(files(target=target), machines, 1, outage)
    repair = RaidRebuild(made).repair(gone := lose(machines, outage, "servers-1/data-1"), is_server=False)
    assert not repair.needs_replacement
    pieces = list(repair.pieces())
    assert sum(piece.bytes for piece in pieces) == pytest.approx(1000 * GB)
    (work,) = all_of(pieces[0].step, Work)
    assert work.demand.max_rate == (5.5e8 if declustered else 1e8)
    assert moved(pieces[0].step)["drive"] == pytest.approx(9 * work.amount)  # eight read for one written
    assert "servers-1/data-1" not in moved(pieces[0].step, name)
    (last,) = all_of(pieces[-1].step, Hold)
    assert isinstance(last.step, Deferred)
    last.step.plan()
    assert not any(drive.resource.index in gone for drive in made.targets[0][0].drives)
    assert per_byte(made.read(7, 8, machines.nodes[1], "direct").uses)["drive"] == pytest.approx(1.0)


@pytest.mark.parametrize(("drives", "rate"), [(11, 10 / 8 * 200e6), (60, 5.5e8)])
def test_a_declustered_array_reads_as_fast_as_its_drives_side_by_side(drives: int, rate: float) -> None:
    machines = layout(servers=(1, server(drives=drives, drive=STEADY)), workers=(1, server()))
    outage = Outage(may_fail=True)
    target = Target(data=8, parity=2, declustered=True, spares=1)
    made = ParallelFsStore(files(target=target), machines, 1, outage)
    pieces = RaidRebuild(made).repair(lose(machines, outage, "servers-1/data-1"), is_server=False).pieces()
    (work,) = all_of(next(iter(pieces)).step, Work)
    assert work.demand.max_rate == pytest.approx(rate)


def test_without_a_spare_drive_a_rebuild_waits_for_the_replacement() -> None:
    machines, outage = layout(servers=(1, server(drives=10)), workers=(1, server())), Outage(may_fail=True)
    spec = files(target=Target(data=8, parity=2))
    made = ParallelFsStore(spec, machines, 1, outage)
    assert RaidRebuild(made).repair(lose(machines, outage, "servers-1/data-1"), is_server=False).needs_replacement


def test_raid_groups_survive_two_drives_and_no_server() -> None:
    spec = files(target=Target(data=8, parity=2))
    placement = spec.placement(cluster(servers=(3, server(drives=21))))
    assert placement is not None
    (kind,) = placement.kinds
    assert (kind.count, kind.reading, kind.writing, len(kind.servers), len(set(kind.servers))) == (6, 2, 2, 10, 1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"target": Target(data=8, parity=2)}, "take 10 drives, bay 'data' has 4"),
        ({"stripe_count": 9}, "striped over 1 to 8 targets"),
        ({"stripe_count": 0}, "striped over 1 to 8 targets"),
    ],
)
def test_targets_and_stripes_that_the_drives_cannot_form_are_refused(settings: dict[str, Any], message: str) -> None:
    spec = files(**settings)
    with pytest.raises(RefusalError, match=message):
        spec.fits(cluster(servers=(2, server(drives=4))))


@pytest.mark.parametrize(
    ("way", "byte"), [("read", 1 / 200e6 + 8e-3 / 2**19), ("write", 1.25 * (1 / 200e6 + 8e-3 / 2**19))]
)
def test_a_block_at_a_random_place_costs_each_drive_of_its_group_a_seek(way: str, byte: float) -> None:
    drives = hdd(read_bandwidth=200 * MB, write_bandwidth=200 * MB, seek_time=8e-3)
    machines = layout(servers=(1, server(drives=10, drive=drives)), workers=(1, server()))
    spec = files(target=Target(data=8, parity=2), stripe_size=4 * MIB, blocks="scattered")
    made, client = ParallelFsStore(spec, machines, salt=1), machines.nodes[1]
    if way == "read":
        uses = made.read(7, 8, client, "direct").uses
    else:
        step = made.write(7, client, GB, Flow(), "buffered", lambda node: node.page_cache(0.0))
        assert isinstance(step, Work)
        uses = step.demand.uses
    assert sum(use.cost for use in uses if use.resource.kind == "drive") == pytest.approx(byte)


@pytest.mark.parametrize("way", ["read", "write"])
def test_a_scattered_block_takes_as_long_as_one_of_four_that_a_drive_sorts(way: str) -> None:
    """A lone access has half a turn beside its seek, 12.7 ms; n that wait take n^-0.276 of that each."""
    drive = hdd(rpm=7200, seek_time=8.5e-3)
    segment = files(target=Target(data=8, parity=2), stripe_size=4 * MIB, blocks="scattered").segment
    cost = drive.read_cost(segment=segment) if way == "read" else drive.write_cost("buffered", segment)
    block = (cost - 1 / (200 * MB)) * segment
    assert drive.access_time() == pytest.approx(8.5e-3 + 60 / 7200 / 2)
    assert block == pytest.approx(drive.access_time() * 4**-QUEUE_GAIN, rel=0.02)


STEADY = hdd(seek_time=0.0)
"""A hard drive of 200 MB/s that seeks in no time."""


@pytest.mark.parametrize(
    ("drives", "blocks", "busy"),
    [
        (STEADY, "together", 10 / 8 / 200e6),
        (STEADY, "scattered", 1 / 200e6),
        (nvme(), "together", 1 / nvme().read_bandwidth),
    ],
)
def test_hard_drives_that_read_a_group_in_a_row_pass_over_its_parity(drives: Any, blocks: str, busy: float) -> None:
    machines = layout(servers=(1, server(drives=10, drive=drives)), workers=(1, server()))
    spec = files(target=Target(data=8, parity=2), blocks=blocks)
    flow = ParallelFsStore(spec, machines, 1).read(7, 8, machines.nodes[1], "direct")
    assert sum(use.cost for use in flow.uses if use.resource.kind == "drive") == pytest.approx(busy)


def test_a_group_that_has_lost_a_drive_reads_all_that_passes() -> None:
    machines, outage = (
        layout(servers=(1, server(drives=10, drive=STEADY)), workers=(1, server())),
        Outage(may_fail=True),
    )
    made = ParallelFsStore(files(target=Target(data=8, parity=2)), machines, 1, outage)
    lose(machines, outage, "servers-1/data-1")
    drives = [use for use in made.read(7, 8, machines.nodes[1], "direct").uses if use.resource.kind == "drive"]
    assert sum(use.cost for use in drives) == pytest.approx(sum(use.bytes for use in drives) / 200e6)


def device_seconds(size: float, drives: Any) -> tuple[float, int]:
    """Return the device-seconds that the bytes of a GET take of a group of 8 + 2, and how many of its drives."""
    machines = layout(servers=(1, server(drives=10, drive=drives)), workers=(1, server()))
    get = ParallelFsOperations(files(target=Target(data=8, parity=2)), machines).get(ByteRange(size))
    lanes = next(stage for stage in get.stages if isinstance(stage, Stream)).stages[0]
    assert isinstance(lanes, Lanes)
    inner = lanes.stages[0]
    assert isinstance(inner, Lanes)
    read = inner.stages[0]
    assert isinstance(read, Read)
    return size * drives.read_cost(segment=read.segment, passed=read.passed), inner.count


@pytest.mark.parametrize(
    ("size", "drive", "busy", "drives"),
    [
        (MIB, STEADY, MIB / 200e6, 8),
        (64 * MIB, STEADY, 1.25 * 64 * MIB / 200e6, 10),
        (64 * MIB, nvme(), 64 * MIB / nvme().read_bandwidth, 8),
    ],
)
def test_a_request_of_a_row_passes_no_parity_and_a_long_one_all_of_it(
    size: float, drive: Any, busy: float, drives: int
) -> None:
    seconds, count = device_seconds(size, drive)
    assert seconds == pytest.approx(busy)
    assert count == drives


@pytest.mark.parametrize("part", ["lustre", "gpfs", "beegfs"])
def test_shipped_file_systems_load_with_their_sources(part: str) -> None:
    loaded = load(part, ParallelFs, folders=["storage"])
    assert loaded.unsourced == ()
    assert loaded.scenario.target.drives == 10
