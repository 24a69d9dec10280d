"""A cluster turned into nodes and resources, and which of them a transfer uses."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from models.hardware.cluster import Batch, Cluster, Group, Layout
from models.hardware.network import Network
from models.hardware.server import Controller, Cpu
from tests.models.machines import GB, MB, card, cluster, hdd, layout, nvme, server
from tests.models.steps import cost_per_byte, name, per_byte


def test_every_server_brings_its_resources_under_its_own_name() -> None:
    made = layout(workers=(2, server(drives=2)))
    names = [made.resources[i].name for i in range(len(made.resources))]
    assert names == [
        *("workers-1/cpu", "workers-1/nic-in", "workers-1/nic-out", "workers-1/data-1", "workers-1/data-2"),
        "workers-1/root",
        *("workers-2/cpu", "workers-2/nic-in", "workers-2/nic-out", "workers-2/data-1", "workers-2/data-2"),
        "workers-2/root",
    ]


def test_like_resources_of_a_group_are_reported_together() -> None:
    made = layout(workers=(2, server(drives=2)), other=(1, server(drives=1)))
    groups = [made.resources[i].group for i in range(len(made.resources))]
    assert groups.count("workers/data drives") == 4
    assert groups.count("other/data drives") == 1
    assert groups.count("workers/root volume") == 2


def test_nodes_are_numbered_through_all_groups() -> None:
    made = layout(storage=(2, server()), compute=(3, server()))
    assert [node.index for node in made.nodes] == [0, 1, 2, 3, 4]
    assert [node.index for node in made.groups["compute"]] == [2, 3, 4]


def test_each_group_is_spread_over_the_racks_in_turn() -> None:
    made = layout(racks=2, storage=(3, server()), compute=(2, server()))
    assert [node.rack for node in made.nodes] == [0, 1, 0, 0, 1]


def test_resources_have_the_capacity_of_the_hardware() -> None:
    made = layout(workers=(1, server(drive=hdd(), cpu=Cpu(cores=2, threads=2, speed=0.5), nic=card(bandwidth=3 * GB))))
    capacity = {made.resources[i].name: made.resources[i].capacity for i in range(len(made.resources))}
    assert capacity["workers-1/cpu"] == (0.5, 1.0)
    assert capacity["workers-1/nic-in"] == capacity["workers-1/nic-out"] == (3 * GB,)
    alone, many = capacity["workers-1/data-1"]
    assert alone == pytest.approx(3.0)  # 15 ms a MB with its seek, 5 ms without
    assert many == 1.0
    assert capacity["workers-1/root"] == (1.0,)


def test_transfer_leaves_one_card_and_enters_another() -> None:
    made = layout(workers=(2, server()))
    uses = made.transfer(made.nodes[0], made.nodes[1], 0.5)
    assert per_byte(uses, name) == {"workers-1/nic-out": 0.5, "workers-2/nic-in": 0.5}


def test_transfer_within_a_server_uses_no_network() -> None:
    made = layout(workers=(2, server()))
    assert made.transfer(made.nodes[0], made.nodes[0]) == []


def test_transfer_between_racks_passes_both_uplinks_when_they_are_oversubscribed() -> None:
    made = layout(racks=2, oversubscription=4.0, workers=(4, server()))
    uses = made.transfer(made.nodes[0], made.nodes[1])
    assert per_byte(uses, name) == {
        "workers-1/nic-out": 1.0,
        "rack-1/uplink-out": 1.0,
        "rack-2/uplink-in": 1.0,
        "workers-2/nic-in": 1.0,
    }


def test_transfer_within_a_rack_uses_no_uplink() -> None:
    made = layout(racks=2, oversubscription=4.0, workers=(4, server()))
    assert set(per_byte(made.transfer(made.nodes[0], made.nodes[2]))) == {"nic-out", "nic-in"}


def test_racks_that_are_not_oversubscribed_have_no_uplink_to_wait_for() -> None:
    made = layout(racks=2, workers=(4, server()))
    assert set(per_byte(made.transfer(made.nodes[0], made.nodes[1]))) == {"nic-out", "nic-in"}


def test_uplink_is_the_cards_of_its_rack_over_the_oversubscription() -> None:
    # rack 1 holds workers 1 and 3 and the big one, rack 2 holds worker 2: 1 + 1 + 10 and 1 GB/s, over 4
    made = layout(racks=2, oversubscription=4.0, workers=(3, server()), big=(1, server(nic=card(bandwidth=10 * GB))))
    capacity = {made.resources[i].name: made.resources[i].capacity for i in range(len(made.resources))}
    assert capacity["rack-1/uplink-in"] == capacity["rack-1/uplink-out"] == (3 * GB,)
    assert capacity["rack-2/uplink-in"] == capacity["rack-2/uplink-out"] == (0.25 * GB,)


def test_drives_behind_a_controller_share_its_ceiling() -> None:
    ceiling = Controller(read_bandwidth=1.5 * GB, write_bandwidth=1 * GB)
    node = layout(workers=(1, server(controller=ceiling))).nodes[0]
    first, second = node.bays["data"]
    assert per_byte(first.read(), name) == {"workers-1/data-1": 1.0, "workers-1/controller-read": 1.0}
    assert per_byte(second.write(bytes=0.5), name) == {"workers-1/data-2": 0.5, "workers-1/controller-write": 0.5}


def test_drives_without_a_ceiling_use_themselves_only() -> None:
    node = layout(workers=(1, server())).nodes[0]
    assert per_byte(node.bays["data"][0].read(), name) == {"workers-1/data-1": 1.0}


def test_volume_takes_reads_and_writes_out_of_one_cap() -> None:
    root = layout(workers=(1, server())).nodes[0].volumes["root"]
    assert cost_per_byte(root.read(), name) == cost_per_byte(root.write(), name) == {"workers-1/root": 1 / (100 * MB)}
    assert root.read_rate() == root.write_rate() == 100 * MB


def test_drive_streams_are_capped_at_their_sequential_rate() -> None:
    device = layout(workers=(1, server(drive=nvme()))).nodes[0].bays["data"][0]
    assert device.read_demand().max_rate == device.read_rate() == 2 * GB
    assert device.write_rate() == 1 * GB


def test_place_is_a_bay_or_a_volume() -> None:
    node = layout(workers=(1, server(drives=3))).nodes[0]
    assert node.devices("data") == node.bays["data"]
    assert node.devices("root") == (node.volumes["root"],)


def test_place_that_does_not_exist_is_refused_with_those_that_do() -> None:
    node = layout(workers=(1, server())).nodes[0]
    with pytest.raises(
        ValueError, match=r"^servers of group 'workers' have no bay or volume 'nvme' \(they have: data, root\)$"
    ):
        node.devices("nvme")


def test_server_without_any_drive_has_no_place() -> None:
    node = layout(workers=(1, server(bays={}, volumes={}))).nodes[0]
    with pytest.raises(ValueError, match=r"no bay or volume 'data' \(they have: none\)$"):
        node.devices("data")


def test_compute_uses_the_processor_only_when_there_is_something_to_compute() -> None:
    node = layout(workers=(1, server())).nodes[0]
    assert cost_per_byte(node.compute(2e-9), name) == {"workers-1/cpu": 2e-9}
    assert node.compute(0.0) == []


def test_more_racks_than_servers_are_refused() -> None:
    with pytest.raises(ValidationError, match=r"network.racks = 5: no group has that many servers \(largest: 4\)"):
        cluster(racks=5, workers=(4, server()))


def test_a_group_has_no_slash_in_its_name_which_divides_a_server_from_its_parts() -> None:
    with pytest.raises(ValidationError, match="groups = 'a/b': expected no '/' in the name of a group"):
        Cluster(groups={"a/b": Group(server=server(), count=4)})


def test_later_servers_of_another_kind_are_nodes_of_their_group_after_the_first() -> None:
    group = Group(server=server(drives=2), count=5, later=(Batch(server=server(drives=6), count=2),))
    nodes = Layout(Cluster(groups={"workers": group}, network=Network(racks=2))).groups["workers"]
    assert [len(node.bays["data"]) for node in nodes] == [2, 2, 2, 6, 6]
    assert [(node.batch, node.rack) for node in nodes] == [(0, 0), (0, 1), (0, 0), (1, 1), (1, 0)]


def test_uplinks_count_the_cards_of_later_servers() -> None:
    fast = server(nic=card(bandwidth=5 * GB))
    group = Group(server=server(), count=4, later=(Batch(server=fast, count=1),))
    made = Layout(Cluster(groups={"workers": group}, network=Network(racks=2, oversubscription=2.0)))
    uplinks = {resource.name: resource.capacity for resource in made.resources if "uplink-in" in resource.name}
    assert uplinks == {"rack-1/uplink-in": (1 * GB,), "rack-2/uplink-in": (3 * GB,)}


def test_a_group_counts_its_later_servers_and_had_some_before_them() -> None:
    with pytest.raises(ValidationError, match="count = 3: counts all servers, of which 3 came later; raise it"):
        Group(server=server(), count=3, later=(Batch(server=server(), count=3),))
