"""Volumes in a bay against what their server's link carries: jobs, loads of requests, ceilings and advice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from models.hardware.bays import unlinked
from models.hardware.server import Controller, Server
from models.hardware.volume import Volume, VolumeLink
from models.planning.capacity import ceilings
from models.planning.levers import levers
from models.requests import Draw, Pick, Visit
from models.scenario import Scenario
from models.storage.stations import stations
from models.work import Work
from profiles.loading.loader import load_text
from simulator.engine import Engine
from tests.models.machines import GB, cluster, layout, nvme, server
from tests.simulator.small import generation

VOLUME = nvme(read_bandwidth=1 * GB, write_bandwidth=1 * GB, is_volume=True)
READS = {"ebs-st1": 1 / (1 / 83.9e6 + 0.004 / 2**20)}
PICK = Pick(Draw("drive", 4))
SHIPPED = ("ebs-gp2", "ebs-gp3", "ebs-st1")


def instance(link: float = 1 * GB, **changes: Any) -> Server:
    """Return a server of four volumes of 1 GB/s in a bay, behind a link."""
    usual: dict[str, Any] = {"drives": 4, "drive": VOLUME, "volume_link": VolumeLink(bandwidth=link), "volumes": {}}
    return server(**usual | changes)


def seconds(machine: Server, writers: int = 0) -> float:
    """Return how long all drives of the bay need for 1 GB each (s), of which so many write."""
    made = layout(servers=(1, machine))
    [node] = made.groups["servers"]
    engine = Engine(made.resources)
    for at, device in enumerate(node.bays["data"]):
        taken = replace(device.read_demand(), uses=tuple(device.write())) if at < writers else device.read_demand()
        engine.execute(Work(1 * GB, taken), lambda: None)
    engine.run()
    engine.close()
    return engine.now


@pytest.mark.parametrize("writers", [0, 2, 4])
def test_volumes_of_a_bay_read_and_write_over_one_link(writers: int) -> None:
    """4 GB over 1 GB/s."""
    assert seconds(instance(), writers) == pytest.approx(4.0)


def test_drives_of_the_server_itself_do_not_pass_its_link() -> None:
    assert seconds(instance(drive=nvme(read_bandwidth=1 * GB))) == pytest.approx(1.0)


@pytest.mark.parametrize(("controller", "link", "expected"), [(0.5, 1.0, 8.0), (1.0, 0.5, 8.0), (9.0, 9.0, 1.0)])
def test_the_narrower_of_controller_and_link_counts(controller: float, link: float, expected: float) -> None:
    both = instance(link * GB, controller=Controller(read_bandwidth=controller * GB, write_bandwidth=controller * GB))
    assert seconds(both) == pytest.approx(expected)


def test_volumes_in_a_bay_and_beside_it_share_a_link() -> None:
    """3 GB of two volumes of a bay and one beside them over 1 GB/s."""
    made = layout(servers=(1, instance(drives=2, volumes={"root": Volume(size=1 * GB, bandwidth=1 * GB)})))
    [node] = made.groups["servers"]
    engine = Engine(made.resources)
    for device in (*node.bays["data"], node.volumes["root"]):
        engine.execute(Work(1 * GB, device.read_demand()), lambda: None)
    engine.run()
    engine.close()
    assert engine.now == pytest.approx(3.0)


def test_requests_pass_the_link_at_its_mean_over_their_load() -> None:
    """Half a minute of 40 s has 1 GB/s, of 80 s the first half, of 0.1 GB/s later."""
    link = VolumeLink(bandwidth=1 * GB, baseline=0.1 * GB, burst_time=40.0)
    made = layout(servers=(1, instance(volume_link=link)))
    for lasts, rate in ((30.0, 1.0), (80.0, 0.55)):
        of_load = stations(made, "servers", seconds=lasts)
        for route in (of_load.read("data", PICK), of_load.write("data", PICK)):
            [crossed] = [v for v in route if isinstance(v, Visit) and v.station.name == "servers/volume link"]
            assert 1 / crossed.per_byte == pytest.approx(rate * GB)


def test_ceilings_are_those_of_the_link_for_ever() -> None:
    link = VolumeLink(bandwidth=1 * GB, baseline=0.2 * GB)
    small = generation(machine={"drives": 2, "drive": VOLUME, "volume_link": link})
    assert ceilings(small) == pytest.approx((3 * 0.2 * GB, 3 * 0.2 * GB / 2))


def test_a_better_link_is_a_lever_of_servers_that_have_volumes() -> None:
    small = generation(machine={"drives": 2, "drive": VOLUME, "volume_link": VolumeLink(bandwidth=1 * GB)})
    assert "workers: links to volumes 10 % faster" in {lever.name for lever in levers(small)}


@pytest.mark.parametrize("part", SHIPPED)
def test_volumes_that_ship_share_the_link_of_an_instance_that_ships(part: str) -> None:
    """Of an m5.2xlarge: 4.75 Gbit/s on credits, 2.3 Gbit/s for ever."""
    bay = f'server = {{ use = "m5.2xlarge", bays.data = {{ drive = "{part}", count = 4 }} }}'
    text = (
        f'[profile]\ntitle = "t"\n[cluster.groups.w]\ncount = 3\n{bay}\n[storage]\nuse = "hdfs"\n[workload]\n'
        'use = "wordcount"\nframework = "yarn"\ninput = "1 GB"\n'
    )
    held = load_text(text, Scenario).scenario
    assert ceilings(held)[0] == pytest.approx(min(4 * READS.get(part, 1e12), 2.3e9 / 8) * 3)
    assert not unlinked(held.cluster)


@pytest.mark.parametrize("link", [{}, {"controller": Controller(read_bandwidth=1 * GB)}])
def test_volumes_behind_a_link_that_nobody_states_are_told(link: dict[str, Any]) -> None:
    machine = server(drives=4, drive=VOLUME, **link)
    told = (
        "cluster.groups.workers.server.volume_link: not stated, so 4 volumes of a server move 4 GB/s together; state"
        " its bandwidth, on EC2 that of the instance to EBS",
    )
    assert unlinked(cluster(workers=(3, machine))) == (() if link else told)
