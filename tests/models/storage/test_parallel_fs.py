"""A parallel file system: which drives, cards and processes a client's read passes."""

from __future__ import annotations

from typing import Any

import pytest

from models.hardware.cluster import Node
from models.storage.flow import Flow
from models.storage.parallel_fs.store import ParallelFsStore
from models.storage.parallel_fs.system import ParallelFs
from models.work import Work
from tests.models.machines import GB, MB, cluster, layout, server
from tests.models.steps import per_byte


def store(**settings: Any) -> tuple[ParallelFsStore, Node]:
    """Return a file system on two servers of two drives, and one client."""
    machines = layout(servers=(2, server(drives=2)), workers=(1, server()))
    spec = ParallelFs(system="parallel-fs", servers="servers", **settings)
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
    step = made.write(7, client, GB, Flow((), 50 * MB), "buffered", lambda node: node.dirty_pool(0.0))
    assert isinstance(step, Work)
    assert (step.amount, step.demand.max_rate) == (GB, 50 * MB)
    assert sorted(use.resource.kind for use in step.demand.uses) == ["drive", "nic-in", "nic-out"]


def test_what_reads_from_everywhere_loads_all_drives_alike() -> None:
    made, client = store()
    drives = [use.bytes for use in made.average(client).uses if use.resource.kind == "drive"]
    assert drives == [0.25] * 4


def test_a_stored_byte_takes_one_raw_byte() -> None:
    two = cluster(servers=(2, server(drives=2)))
    spec = ParallelFs(system="parallel-fs", servers="servers")
    assert spec.raw_per_byte(two) == 1.0
    assert spec.raw_capacity(two) == 4 * 1000 * GB
