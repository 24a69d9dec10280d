"""Network cards against closed forms: payload of frames, bonds of links, what one connection gets, both directions."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from models.hardware.cluster import Cluster, Group, Layout, Node
from models.hardware.network import Network
from models.hardware.server import Cpu, Nic
from models.work import Demand, Work, demand
from simulator.engine import Engine
from tests.models.machines import GB, card, server

AMOUNT = 10 * GB


def seconds(nic: Nic, flows: int, round_trip: float = 0.0) -> float:
    """Return how long `flows` connections together take to move `AMOUNT` from one server to another."""
    servers = Group(server=server(nic=nic), count=2)
    made = Layout(Cluster(groups={"servers": servers}, network=Network(round_trip=round_trip)))
    source, target = made.groups["servers"]
    engine = Engine(made.resources)
    for _ in range(flows):
        engine.execute(Work(AMOUNT / flows, one_connection(made, source, target)), lambda: None)
    engine.run()
    return engine.now


def one_connection(made: Layout, source: Node, target: Node) -> Demand:
    return demand(made.transfer(source, target), max_rate=made.stream_rate(source, target))


@pytest.mark.parametrize(("mtu", "part"), [(1500, 1448 / 1538), (9000, 8948 / 9038), (9001, 8949 / 9039)])
def test_a_card_carries_the_payload_of_its_frames(mtu: float, part: float) -> None:
    nic = Nic(bandwidth=1 * GB, mtu=mtu)
    assert seconds(nic, flows=1) == pytest.approx(AMOUNT / (part * GB))
    assert seconds(nic, flows=7) == pytest.approx(AMOUNT / (part * GB))


def test_a_frame_of_1500_bytes_carries_94_percent() -> None:
    assert Nic(bandwidth=1 * GB).rate == pytest.approx(0.9415 * GB, rel=1e-4)
    assert Nic(bandwidth=1 * GB, mtu=9000.0).rate == pytest.approx(0.9900 * GB, rel=1e-4)


def test_a_measured_rate_is_one_of_payload() -> None:
    assert seconds(card(bandwidth=1 * GB), flows=3) == pytest.approx(AMOUNT / GB)


@pytest.mark.parametrize("flows", [1, 2, 3, 4, 9])
def test_connections_share_the_links_of_a_bond_and_one_stays_on_one(flows: int) -> None:
    bond = card(bandwidth=1 * GB, links=3)
    assert seconds(bond, flows) == pytest.approx(AMOUNT / (min(flows, 3) * GB))


def test_a_cap_of_a_connection_holds_within_a_link() -> None:
    capped = card(bandwidth=1 * GB, links=2, flow_bandwidth=0.25 * GB)
    assert [capped.flow_rate, capped.rate] == [0.25 * GB, 2 * GB]
    assert seconds(capped, flows=4) == pytest.approx(AMOUNT / GB)


def test_a_packet_holds_more_than_its_headers() -> None:
    with pytest.raises(ValidationError, match="greater than 52"):
        Nic(bandwidth=1 * GB, mtu=52.0)


@pytest.mark.parametrize("round_trip", [0.001, 0.010, 0.070])
@pytest.mark.parametrize("flows", [1, 5, 400])
def test_a_connection_carries_a_window_a_round_trip_and_many_fill_the_card(round_trip: float, flows: int) -> None:
    """3 MiB in 10 ms are 315 MB/s."""
    window = 3 * 2**20 / round_trip
    nic = card(bandwidth=1 * GB, window="3 MiB")
    assert seconds(nic, flows, round_trip) == pytest.approx(AMOUNT / min(flows * window, 1 * GB))


@pytest.mark.parametrize("flows", [1, 2, 50])
def test_a_connection_keeps_at_most_one_core_busy(flows: int) -> None:
    """Each of a core of the reference and 0.25 ns/B."""
    nic = card(bandwidth=12 * GB, connection_cpu="0.25 ns/B")
    assert seconds(nic, flows) == pytest.approx(AMOUNT / min(flows * 4 * GB, 12 * GB))


@pytest.mark.parametrize(("mtu", "part"), [(1500.0, 1448 / 1538), (8500.0, 8448 / 8538), (65535.0, 8949 / 9039)])
def test_what_leaves_the_network_of_a_card_has_the_packets_of_its_way(mtu: float, part: float) -> None:
    assert Nic(bandwidth=1 * GB, mtu=9001.0).reaching(mtu) == pytest.approx(part * GB)


def test_a_measured_rate_is_one_with_the_packets_of_the_card() -> None:
    assert card(bandwidth=1 * GB).reaching(1500.0) == 1 * GB
    assert card(bandwidth=1 * GB, mtu=9001.0).reaching(1500.0) == pytest.approx(1448 / 1538 / (8949 / 9039) * GB)


def exchange(ways: int, byte_cpu: float = 0.0) -> float:
    """Return how long a server of one core takes to send `AMOUNT` to another, which sends as much with two ways."""
    servers = Group(server=server(nic=card(bandwidth=1 * GB), cpu=Cpu(cores=1, threads=1, speed=1.0)), count=2)
    made = Layout(Cluster(groups={"servers": servers}))
    one, other = made.groups["servers"]
    engine = Engine(made.resources)
    for source, target in ((one, other), (other, one))[:ways]:
        ends = source.compute(byte_cpu) + target.compute(byte_cpu)
        engine.execute(Work(AMOUNT, demand([*made.transfer(source, target), *ends])), lambda: None)
    engine.run()
    return engine.now


def test_a_card_receives_as_fast_while_it_sends() -> None:
    assert [exchange(ways=1), exchange(ways=2)] == pytest.approx([AMOUNT / GB, AMOUNT / GB])


@pytest.mark.parametrize("byte_cpu", [0.2e-9, 0.4e-9, 0.6e-9, 4e-9])
def test_what_is_sent_and_what_is_received_share_the_processor(byte_cpu: float) -> None:
    """A core has 1 / c bytes a second of one direction and 1 / 2c of each of two: 0.83 GB/s with c = 0.6 ns/B."""
    assert exchange(ways=1, byte_cpu=byte_cpu) == pytest.approx(AMOUNT * max(1 / GB, byte_cpu))
    assert exchange(ways=2, byte_cpu=byte_cpu) == pytest.approx(AMOUNT * max(1 / GB, 2 * byte_cpu))
