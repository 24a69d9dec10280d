"""Amazon S3 from a cluster: what a GET passes, and how fast one client reads."""

from __future__ import annotations

import math
from typing import Any

import pytest
from pydantic import ValidationError

from models.hardware.cluster import Layout, Node
from models.hardware.server import Nic
from models.storage.amazon_s3.system import AmazonS3
from models.storage.clients.mount import Local, Mount, MountPoint
from models.storage.clients.s3 import S3Client
from models.storage.flow import Flow
from models.storage.systems import mount, usual_client
from profiles.loading.loader import load
from tests.models.machines import GB, MB, cluster, layout, server
from tests.models.steps import cost_per_byte, per_byte


class Store:
    """Amazon S3 beside one server, through a client that is named for each read."""

    def __init__(self, spec: AmazonS3, machines: Layout) -> None:
        self.spec, self.machines = spec, machines
        self.local = Local(lambda node: node.page_cache(0.0), 1, 1)
        self._mounts: dict[S3Client, Mount] = {}

    def read(self, node: Node, client: S3Client, size: float) -> Flow:
        return self.mount(client).fetch(0, 1, node, size)

    def mount(self, client: S3Client) -> Mount:
        if client not in self._mounts:
            self._mounts[client] = mount(self.spec, client, MountPoint(self.machines, 1, self.local))
        return self._mounts[client]


def store(**settings: Any) -> tuple[Store, Node]:
    """Return a store of 100 MB/s a connection, 10 ms to the first byte, 5000 GETs a second, and one client server."""
    stated = {"first_byte": 0.010, "connection_bandwidth": 100 * MB, "get_rate": 5000.0}
    machines = layout(workers=(1, server()))
    return Store(AmazonS3(system="amazon-s3", **stated | settings), machines), machines.nodes[0]


def client(**settings: Any) -> S3Client:
    return S3Client(connector="s3", **{"connections": 1} | settings)


def test_a_get_passes_the_network_card_of_its_client_and_nothing_of_the_cluster_besides() -> None:
    made, node = store()
    assert per_byte(made.read(node, client(), 1 * GB).uses) == {"nic-in": 1.0, "requests": 1.0}


def test_one_get_of_a_whole_object_goes_as_fast_as_one_connection() -> None:
    made, node = store()
    flow = made.read(node, client(), 1 * GB)
    assert (flow.max_rate, flow.cap) == (100 * MB, "one connection to S3")


def test_connection_waits_for_the_first_byte_of_each_of_its_ranges() -> None:
    # 10 MB take 100 ms and wait 10 ms: 90.9 MB/s on each of 4 connections
    made, node = store()
    flow = made.read(node, client(connections=4, part_size=10 * MB), 1 * GB)
    assert flow.max_rate == pytest.approx(4 * 10 * MB / 0.110)
    assert flow.weight == 4


def test_object_of_few_ranges_uses_as_many_connections() -> None:
    made, node = store()
    assert made.read(node, client(connections=100, part_size=10 * MB), 25 * MB).max_rate == pytest.approx(300 * MB)


def test_every_range_is_a_request_that_counts_against_all_prefixes_together() -> None:
    made, node = store(prefixes=3)
    flow = made.read(node, client(connections=2, part_size=8 * MB), 1 * GB)
    (requests,) = [use for use in flow.uses if use.resource.kind == "requests"]
    assert requests.cost == pytest.approx(1 / (8 * MB))
    assert requests.resource.capacity == (15000.0,)


def test_an_object_that_a_task_reads_in_one_range_is_a_request() -> None:
    made, node = store()
    files = made.mount(client())
    files.hold(10, 64 * MB)
    flow = files.read(0, 10, node, "direct")
    (requests,) = [use for use in flow.uses if use.resource.kind == "requests"]
    assert requests.cost == pytest.approx(1 / (64 * MB))


def test_decryption_takes_one_core_of_the_client() -> None:
    made, node = store()
    flow = made.read(node, client(stream_cpu=20e-9), 1 * GB)
    assert cost_per_byte(flow.uses)["cpu"] == pytest.approx(20e-9)
    assert flow.max_rate == pytest.approx(50 * MB)
    assert flow.cap == "one core a task"


@pytest.mark.parametrize(("tls", "cost"), [("native", 0.25e-9), ("java-8", 12e-9), ("java-17", 0.45e-9)])
def test_tls_adds_what_the_runtime_of_the_client_spends_on_a_byte(tls: str, cost: float) -> None:
    made, node = store()
    flow = made.read(node, client(stream_cpu=2e-9, tls=tls), 1 * GB)
    assert cost_per_byte(flow.uses)["cpu"] == pytest.approx(2e-9 + cost)


def test_flow_is_made_once_for_a_node_a_client_and_a_size() -> None:
    made, node = store()
    assert made.read(node, client(), 1 * GB) is made.read(node, client(), 1 * GB)


def test_store_needs_nothing_of_a_cluster_and_is_never_full() -> None:
    made, _ = store()
    one = cluster(workers=(1, server()))
    made.spec.fits(one)
    assert made.spec.server_groups() == {}
    assert (made.spec.raw_capacity(one), made.spec.raw_per_byte(one)) == (math.inf, 1.0)


@pytest.mark.parametrize("wrong", [{"first_byte": 0.0}, {"connection_bandwidth": 0.0}, {"prefixes": 0}])
def test_limits_that_let_nothing_through_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        store(**wrong)


# storage classes


@pytest.mark.parametrize(
    ("storage_class", "billed", "rules"),
    [
        ("standard", 10e3, []),
        ("standard-ia", 128e3, ["least-billed"]),
        ("one-zone-ia", 128e3, ["one-zone", "least-billed"]),
        ("express-one-zone", 10e3, ["one-zone"]),
        ("glacier-instant", 128e3, ["least-billed"]),
    ],
)
def test_a_storage_class_has_terms_of_its_own(storage_class: Any, billed: float, rules: list[str]) -> None:
    spec = AmazonS3(
        system="amazon-s3", first_byte=0.02, connection_bandwidth=1e8, get_rate=5500.0, storage_class=storage_class
    )
    any_cluster = cluster(workers=(1, server()))
    assert spec.object_bytes(any_cluster, 10e3) == billed
    assert spec.object_bytes(any_cluster, 1e6) == 1e6
    assert [advice.rule for advice in spec.advice(any_cluster)] == rules
    assert spec.rented_as == storage_class


@pytest.mark.parametrize("part", ["standard-ia", "one-zone-ia", "express", "glacier-instant"])
def test_shipped_classes_load_with_their_sources(part: str) -> None:
    loaded = load(f"amazon-s3-{part}", AmazonS3, folders=["storage"])
    assert loaded.unsourced == ()
    assert loaded.scenario.storage_class.startswith(part)


def test_a_jumbo_card_reaches_s3_in_the_packets_of_the_way_there() -> None:
    machines = layout(workers=(1, server(nic=Nic(bandwidth=1 * GB, mtu=9001.0))))
    node = machines.nodes[0]
    for settings, carried in (({}, 1448 / 1538), ({"mtu": 8500.0}, 8448 / 8538)):
        stated = {"first_byte": 0.01, "connection_bandwidth": 100 * MB, "get_rate": 5000.0}
        spec = AmazonS3.model_validate({"system": "amazon-s3", **(stated | settings)})
        uses = Store(spec, machines).read(node, client(), 1 * GB).uses
        [card] = [use for use in uses if use.resource is node.nic_in]
        assert node.server.nic.rate / card.cost == pytest.approx(carried * GB)
        assert card.bytes == 1.0


def test_ranges_that_a_server_reads_through_s3a_are_alike_so_that_they_are_one_flow() -> None:
    made, node = store()
    through = mount(made.spec, usual_client(made.spec, "data"), MountPoint(made.machines, 1, made.local))
    first, other = (through.fetch(file, 1000, node, 1 * GB) for file in (0, 7))
    assert first is other
    assert (first.latency, first.max_rate) == (0.0, 100 * MB)
