"""What failed components take from the sets of MinIO: sets that miss as many drives are alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from models.hardware.cluster import Device, Layout
from models.problem import refusal
from models.storage.minio import Minio, MinioStore


@dataclass(frozen=True, slots=True)
class AlikeSets:
    """`sets` that miss `missing` drives each; `first` sets are counted before them, and `servers` hold what is left.

    Once what failed `is_replaced`, it takes writes again but holds nothing.
    """

    sets: int
    first: int
    missing: int
    servers: int
    is_replaced: bool = False


def alike_sets(spec: Minio, layout: Layout, down: Collection[Device], *, is_replaced: bool) -> list[AlikeSets]:
    """Return the sets of a MinIO of which drives are down, those that miss the fewest first.

    Raises:
        RefusalError: a set has lost data.
    """
    lost = {device.resource.index for device in down}
    store = MinioStore(spec, layout, 0)
    sets = store.sets
    counts = Counter(sum(device.resource.index in lost for _, device in each) for each in sets)
    spare = store.size - store.data - spec.failed_drives
    if max(counts) > spare:
        raise refusal("failures.faults", f"they take {max(counts)} drives of a set, which loses data beyond {spare}")
    nodes = layout.groups[spec.servers]
    servers = sum(not all(device.resource.index in lost for device in node.bays[spec.bay]) for node in nodes)
    found, first = [], 0
    for missing, number in sorted(counts.items()):
        found.append(AlikeSets(number, first, missing, servers, is_replaced))
        first += number
    return found
