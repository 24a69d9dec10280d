"""Shipped hardware by itself: it loads and has its sources, whether or not a shipped profile uses it."""

from __future__ import annotations

from functools import cache

import pytest

from models.failures import Failures
from models.hardware.cluster import Cluster
from models.hardware.drive import Drive
from models.hardware.server import Cpu, Server
from models.planning.capacity import Planning
from models.planning.components import composition
from models.planning.prices import Prices
from models.quantity import Model
from models.storage.amazon_s3.system import AmazonS3
from profiles.loading.catalog import SHIPPED
from profiles.loading.loader import load

FOLDERS: dict[str, type[Model]] = {
    "hardware/drives": Drive,
    "hardware/processors": Cpu,
    "hardware/servers": Server,
    "clusters": Cluster,
    "failures": Failures,
    "planning": Planning,
    "prices": Prices,
}
PARTS = [(folder, name) for folder in FOLDERS for name in SHIPPED.names(folder)]


@pytest.mark.parametrize(("folder", "name"), PARTS, ids=[name for _, name in PARTS])
def test_a_shipped_part_loads_and_every_number_in_it_has_a_source(folder: str, name: str) -> None:
    assert load(name, FOLDERS[folder], folders=[folder]).unsourced == ()


@pytest.mark.parametrize("name", SHIPPED.names("hardware/drives"))
def test_a_shipped_drive_seeks_if_it_has_platters_and_only_then(name: str) -> None:
    drive = load(name, Drive, folders=["hardware/drives"]).scenario
    assert (drive.seek_time > 0) == (drive.technology == "hdd")


@pytest.mark.parametrize("name", SHIPPED.names("hardware/servers"))
def test_a_shipped_server_has_the_threads_a_core_and_the_vectors_of_the_processor_that_it_names(name: str) -> None:
    cpu = load(name, Server, folders=["hardware/servers"]).scenario.cpu
    own = cpu.threads / cpu.cores, cpu.vector
    assert own == shipped_processors().get(cpu.model, own)


@cache
def shipped_processors() -> dict[str, tuple[float, str | None]]:
    """Return (threads a core, vectors) of each processor that ships."""
    known = [load(name, Cpu, folders=["hardware/processors"]).scenario for name in SHIPPED.names("hardware/processors")]
    return {processor.model: (processor.threads / processor.cores, processor.vector) for processor in known}


def test_the_reference_core_is_that_of_a_c5() -> None:
    assert load("xeon-8124m", Cpu, folders=["hardware/processors"]).scenario.speed == 1.0


@pytest.mark.parametrize("name", SHIPPED.names("prices"))
def test_a_shipped_price_list_knows_its_servers_by_the_models_that_ship(name: str) -> None:
    prices = load(name, Prices, folders=["prices"]).scenario
    models = {
        load(server, Server, folders=["hardware/servers"]).scenario.model
        for server in SHIPPED.names("hardware/servers")
    }
    assert prices.servers or prices.is_by_parts
    assert prices.servers.keys() <= models


@pytest.mark.parametrize("name", [name for name in SHIPPED.names("hardware/servers") if name.endswith("gbe")])
def test_every_generic_server_has_a_price_that_follows_from_its_parts(name: str) -> None:
    made = composition(
        load(name, Server, folders=["hardware/servers"]).scenario,
        load("on-premises-2024", Prices, folders=["prices"]).scenario,
    )
    assert made.unpriced == ()
    without_drives = sum(part.count * part.capital for part in made.components if part.kind != "drive")
    assert 8_000 < without_drives < 12_000  # what was asked for such servers from 2020 to 2024


def test_a_get_from_amazon_s3_takes_as_long_in_all_as_the_benchmark_measured() -> None:
    s3 = load("amazon-s3", AmazonS3, folders=["storage"]).scenario
    size = 32 * 2**20
    assert size / (s3.first_byte + size / s3.connection_bandwidth) == pytest.approx(93 * 2**20, rel=0.01)


def test_the_nearline_drive_seeks_as_often_as_that_of_h1_but_takes_nothing_that_was_chosen_for_a_benchmark() -> None:
    own, chosen = (load(name, Drive, folders=["hardware/drives"]) for name in ("hdd", "h1-hdd"))
    assert own.scenario.mixed_chunk == chosen.scenario.mixed_chunk
    assert (own.sources["mixed_chunk"].kind, chosen.sources["mixed_chunk"].kind) == ("assumed", "chosen")
