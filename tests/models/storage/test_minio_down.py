"""What faults take from the sets of MinIO, against a look at every drive of the layout."""

from __future__ import annotations

from collections import Counter

from hypothesis import assume, given, strategies as st

from models.hardware.cluster import Batch, Cluster, Group, Layout
from models.hardware.network import Network
from models.hardware.parts import down
from models.storage.minio.down import alike_sets
from models.storage.minio.store import MinioStore
from models.storage.minio.system import Minio
from tests.models.machines import server

PARTS = st.one_of(
    st.builds("rack-{}".format, st.integers(1, 4)),
    st.builds("storage-{}".format, st.integers(1, 12)),
    st.builds("storage-{}/data-{}".format, st.integers(1, 12), st.integers(1, 4)),
)


@given(
    servers=st.integers(2, 12),
    more=st.integers(0, 4),
    drives=st.integers(1, 4),
    racks=st.integers(1, 4),
    parts=st.lists(PARTS, max_size=4),
)
def test_sets_that_miss_as_many_drives_are_counted_as_in_the_layout(
    servers: int, more: int, drives: int, racks: int, parts: list[str]
) -> None:
    later = (Batch(server=server(drives=drives + 1), count=more),) if more else ()
    group = Group(server=server(drives=drives), count=servers + more, later=later)
    made = Cluster(groups={"storage": group}, network=Network(racks=min(racks, group.count)))
    spec = Minio(system="minio", servers="storage")
    try:
        spec.fits(made)
    except ValueError:
        assume(False)
    lost, taken = _lost(Layout(made), parts)
    gone = down(made, "storage", "data", parts)
    assert list(gone.taken) == [len(names) * server().bays["data"].drive.capacity for names in taken]
    sets = MinioStore(spec, Layout(made), 0).sets
    expected = Counter(sum(device.resource.name in lost for _, device in members) for members in sets)
    (parity,) = {code.parity for code in spec.codes(made)}
    assume(max(expected) <= parity)
    alike = alike_sets(spec, made, gone, is_replaced=False)
    assert {kind.missing: kind.sets for kind in alike} == expected
    whole = sum(all(device.resource.name in lost for device in node.bays["data"]) for node in Layout(made).nodes)
    assert {kind.servers for kind in alike} == {group.count - whole}


def _lost(layout: Layout, parts: list[str]) -> tuple[set[str], list[set[str]]]:
    """Return the names of the drives that are down, and of those that each part takes."""
    lost, taken = set[str](), []
    for part in parts:
        hit = {
            device.resource.name
            for node in layout.nodes
            for device in node.bays["data"]
            if part in (device.resource.name, node.name, f"rack-{node.rack + 1}")
        }
        taken.append(hit - lost)
        lost |= hit
    return lost, taken
