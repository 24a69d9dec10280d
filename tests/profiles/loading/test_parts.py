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


@cache
def servers() -> dict[str, Server]:
    """Return the servers that ship, by name."""
    folder = "hardware/servers"
    return {name: load(name, Server, folders=[folder]).scenario for name in SHIPPED.names(folder)}


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_shipped_parts_load_and_every_number_in_them_has_a_source(folder: str) -> None:
    parts = {name: load(name, FOLDERS[folder], folders=[folder]).unsourced for name in SHIPPED.names(folder)}
    assert {name: unsourced for name, unsourced in parts.items() if unsourced} == {}


@pytest.mark.parametrize("name", SHIPPED.names("hardware/drives"))
def test_a_shipped_drive_seeks_if_it_has_platters_and_only_then(name: str) -> None:
    drive = load(name, Drive, folders=["hardware/drives"]).scenario
    assert (drive.seek_time > 0) == (drive.technology == "hdd")


def cores(cpu: Cpu) -> tuple[float, str | None]:
    """Return threads a core, and vectors."""
    return cpu.threads / cpu.cores, cpu.vector


def test_a_shipped_server_has_the_threads_a_core_and_the_vectors_of_the_processor_that_it_names() -> None:
    folder = "hardware/processors"
    processors = [load(name, Cpu, folders=[folder]).scenario for name in SHIPPED.names(folder)]
    known = {processor.model: cores(processor) for processor in processors}
    own = {name: (server.cpu.model, cores(server.cpu)) for name, server in servers().items()}
    assert {name: had for name, (model, had) in own.items() if had != known.get(model, had)} == {}


def test_the_reference_core_is_that_of_a_c5() -> None:
    assert load("xeon-8124m", Cpu, folders=["hardware/processors"]).scenario.speed == 1.0


@pytest.mark.parametrize("name", SHIPPED.names("prices"))
def test_a_shipped_price_list_knows_its_servers_by_the_models_that_ship(name: str) -> None:
    prices = load(name, Prices, folders=["prices"]).scenario
    assert prices.servers or prices.is_by_parts
    assert prices.servers.keys() <= {server.model for server in servers().values()}


@pytest.mark.parametrize("name", [name for name in SHIPPED.names("hardware/servers") if name.endswith("gbe")])
def test_every_generic_server_has_a_price_that_follows_from_its_parts(name: str) -> None:
    made = composition(servers()[name], load("on-premises-2024", Prices, folders=["prices"]).scenario)
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
