"""What failures do to a load of requests: the components of the store that are down, and the routes that are left.

All faults count as down together, whatever their times: the load is measured while they are gone, and while their
replacements are filled. Only drives and servers of the store fail, not clients and gateways, and of StorageGRID only
whole nodes: a drive is rebuilt by the array of its node, of which requests notice nothing here.
"""

from __future__ import annotations

from dataclasses import dataclass

from models.failures import Failures
from models.hardware.cluster import Cluster, Layout
from models.hardware.parts import Down, down as down_of, servers_of
from models.problem import refusal
from models.storage.described_chances import Lost
from models.storage.minio.down import alike_sets
from models.storage.minio.routes import MinioRoutes
from models.storage.minio.system import Minio
from models.storage.object_routes import Ends, FailingRoutes
from models.storage.storagegrid.routes import StorageGridRoutes
from models.storage.storagegrid.system import StorageGrid
from models.storage.systems import StorageSystem

Part = tuple[float, FailingRoutes]
"""Routes to a part of a store, and the share of the requests that take them."""


@dataclass(frozen=True, slots=True)
class Damage:
    """What failures do to a store: its routes while what failed is gone, and while its replacement is filled.

    `lost` are the bytes (B) that each component held, in the order of `failures.faults`; the repair begins `wait` s
    after the failure. All components count as down together.
    """

    degraded: tuple[Part, ...]
    repair: tuple[Part, ...]
    lost: tuple[float, ...]
    wait: float


def damage(spec: Minio | StorageGrid, failures: Failures, layout: Layout, ends: Ends) -> Damage:
    """Return what the faults do to a store.

    Raises:
        RefusalError: a set of drives has lost data.
    """
    down = _down(spec, failures, layout.cluster)

    def parts(*, is_replaced: bool) -> tuple[Part, ...]:
        if isinstance(spec, StorageGrid):
            lost = Lost(down.whole, is_replaced=is_replaced)
            return ((1.0, StorageGridRoutes(spec, layout, ends, lost)),)
        alike = alike_sets(spec, layout.cluster, down, is_replaced=is_replaced)
        total = sum(each.sets for each in alike)
        return tuple((each.sets / total, MinioRoutes(spec, layout, ends, each)) for each in alike)

    return Damage(
        degraded=parts(is_replaced=False),
        repair=parts(is_replaced=True),
        lost=tuple(failures.fill * taken for taken in down.taken),
        wait=failures.replacement_time,
    )


def check_faults(spec: StorageSystem, failures: Failures, cluster: Cluster, clients: str, *, writes: bool) -> None:
    """Refuse failures with which a load that `clients` send cannot be measured.

    Raises:
        RefusalError: they are drawn, take something else than the store's servers and drives, lose data, or leave a
            set without the drives that a write needs.
    """
    if not isinstance(spec, (Minio, StorageGrid)):
        raise refusal(
            "failures",
            "a load of requests meets faults on 'minio' or 'storagegrid'",
            "remove failures.faults and failures.acceleration",
            found=spec.system,
        )
    if failures.acceleration:
        raise refusal("failures.acceleration", "a load of requests is measured under stated faults", "remove it")
    down = _down(spec, failures, cluster)
    _check_components(spec, failures, cluster, clients)
    if isinstance(spec, StorageGrid):
        _check_nodes(spec, down, writes=writes)
        return
    alike = alike_sets(spec, cluster, down, is_replaced=False)
    offline = max(each.missing for each in alike) + spec.failed_drives
    for code in spec.codes(cluster):
        if writes and not code.takes_writes(offline):
            left, needed = code.drives - offline, code.at_write(offline).write_quorum
            raise refusal(
                "failures.faults",
                f"a set is left with {left} of its {code.drives} drives, and a write needs {needed}",
                "state fewer faults",
            )


def _check_nodes(spec: StorageGrid, down: Down, *, writes: bool) -> None:
    lost, (pieces, data) = down.whole, spec.pieces()
    if down.drives:
        raise refusal("failures.faults", "a node's array rebuilds its drives by itself", "name a server of the store")
    if lost > pieces - data:
        raise refusal("failures.faults", f"they take {lost} storage nodes, and objects are lost beyond {pieces - data}")
    if writes and lost > 1:
        raise refusal("failures.faults", "with two storage nodes down requests to write fail", "state fewer faults")


def _check_components(spec: Minio | StorageGrid, failures: Failures, cluster: Cluster, clients: str) -> None:
    for i, fault in enumerate(failures.faults):
        key = f"failures.faults.{i}.component = {fault.component!r}"
        hit = {group for group in cluster.groups if servers_of(cluster, group, fault.component)}
        others = sorted(hit - {spec.servers})
        if others or (hit and clients == spec.servers):
            raise refusal(
                key,
                f"takes servers of {', '.join(others) or clients!r} along, which send the requests",
                f"name a drive, or a server of {spec.servers!r} that sends none",
            )
    for i, taken in enumerate(_down(spec, failures, cluster).taken):
        if not taken:
            name = failures.faults[i].component
            raise refusal(
                f"failures.faults.{i}.component", f"takes no further drive of storage.bay = {spec.bay!r}", found=name
            )


def _down(spec: Minio | StorageGrid, failures: Failures, cluster: Cluster) -> Down:
    """Return what the faults take of the store."""
    return down_of(cluster, spec.servers, spec.bay, (fault.component for fault in failures.faults))
