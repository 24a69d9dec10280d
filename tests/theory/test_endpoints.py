"""Clients that ask some of a store's servers only, against what the cards of these carry."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from models.hardware.server import Cpu
from models.jobs.object_load import ObjectLoad
from models.scenario import ProfileInfo, Scenario
from models.storage.ceph.system import Ceph
from models.storage.minio.system import Minio
from simulator.run import simulate
from tests.models.machines import GB, MB, card, cluster, nvme, server

SERVERS = 4
CARD = 1 * GB  # B/s of a server of the store, each way
OTHERS = 1 - 1 / SERVERS
ALONE = CARD / (1 + OTHERS / SERVERS)
"""Bytes a second through one server: shards come from each as often, from itself as from the others in the mean."""


def carried(storage: Any, **changes: Any) -> float:
    """Return the bytes a second of GETs from four servers whose cards alone limit."""
    core = Cpu(cores=1000, threads=1000, speed=1.0)
    store = server(4, nvme(read_bandwidth=100 * GB), cpu=core, nic=card(bandwidth=CARD))
    machines = cluster(storage=(SERVERS, store), clients=(4, server(cpu=core, nic=card(bandwidth=100 * GB))))
    settings = {"kind": "requests", "clients": "clients", "threads": 64, "count": 4000, "request_cpu": 0.0}
    load = ObjectLoad.model_validate(settings | {"mix": {"GET": {"action": "get", "size": 4 * MB}}} | changes)
    scenario = Scenario(profile=ProfileInfo(title="endpoints"), cluster=machines, storage=storage, workload=load)
    return simulate(scenario).metrics["throughput"][0]


def minio(**changes: Any) -> float:
    free = dict.fromkeys(("request_cpu", "call_cpu", "drive_cpu", "open_cpu", "note_cpu"), 0.0)
    spec = {"system": "minio", "servers": "storage", "parity": 4, **free}
    return carried(Minio.model_validate(spec), **changes)


def test_one_endpoint_of_minio_sends_all_bytes_through_its_card() -> None:
    assert minio(endpoints=1) == pytest.approx(ALONE, rel=0.03)


def test_of_all_endpoints_each_also_sends_shards_to_the_others() -> None:
    whole = SERVERS * CARD / (1 + OTHERS)
    assert minio() == pytest.approx(whole, rel=0.08)
    assert minio(endpoints=SERVERS) == minio() == minio(endpoints=SERVERS + 1)


def test_one_gateway_of_ceph_takes_in_and_sends_all_bytes() -> None:
    ceph = Ceph(system="ceph", servers="storage", gateways="storage", messenger_cpu=1e-15, osd_cpu=0.0, get_cpu=0.0)
    assert carried(ceph, endpoints=1) == pytest.approx(ALONE, rel=0.03)


def test_an_own_server_is_no_endpoint_of_several() -> None:
    with pytest.raises(ValidationError, match="own_server"):
        minio(endpoints=1, own_server=True)
