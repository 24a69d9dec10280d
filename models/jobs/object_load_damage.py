"""What failures do to a load of requests: the components of the store that are down, and the routes that are left.

All faults count as down together, whatever their times: the load is measured while they are gone, and while their
replacements are filled. Only drives and servers of the store fail, not clients and gateways, and of StorageGRID only
whole nodes: a drive is rebuilt by the array of its node, of which requests notice nothing here.
"""

from __future__ import annotations

from models.hardware.cluster import Cluster, Device, Layout
from models.jobs.object_load import ObjectLoad
from models.jobs.object_load_plan import Damage, Part
from models.planning.failures import Failures
from models.problem import refusal
from models.storage.minio import Minio
from models.storage.minio_down import alike_sets
from models.storage.minio_routes import MinioRoutes
from models.storage.object_routes import Ends
from models.storage.storagegrid import StorageGrid
from models.storage.storagegrid_routes import LostNodes, StorageGridRoutes

WRITES = ("put", "delete")


def damage(spec: Minio | StorageGrid, failures: Failures, layout: Layout, ends: Ends) -> Damage:
    """Return what the faults do to a store.

    Raises:
        RefusalError: a set of drives has lost data.
    """
    found = _down(spec, failures, layout)
    down = [device for devices in found for device in devices]

    def parts(*, is_replaced: bool) -> tuple[Part, ...]:
        if isinstance(spec, StorageGrid):
            lost = LostNodes(_lost_nodes(spec, layout, down), is_replaced)
            return ((1.0, StorageGridRoutes(spec, layout, ends, lost)),)
        alike = alike_sets(spec, layout, down, is_replaced=is_replaced)
        total = sum(each.sets for each in alike)
        return tuple((each.sets / total, MinioRoutes(spec, layout, ends, each)) for each in alike)

    return Damage(
        degraded=parts(is_replaced=False),
        repair=parts(is_replaced=True),
        lost=tuple(failures.fill * sum(getattr(each.drive, "capacity", 0.0) for each in devices) for devices in found),
        wait=failures.replacement_time,
    )


def check_faults(job: ObjectLoad, spec: Minio | StorageGrid, failures: Failures, cluster: Cluster) -> None:
    """Refuse failures with which a load cannot be measured.

    Raises:
        RefusalError: they are drawn, take something else than the store's servers and drives, lose data, or leave a
            set without the drives that a write needs.
    """
    if failures.acceleration:
        raise refusal("failures.acceleration", "a load of requests is measured under stated faults", "remove it")
    layout = Layout(cluster)
    _check_components(job, spec, failures, layout)
    down = [device for devices in _down(spec, failures, layout) for device in devices]
    writes = any(each.action in WRITES for each in job.mix.values())
    if isinstance(spec, StorageGrid):
        _check_nodes(spec, layout, down, writes=writes)
        return
    alike = alike_sets(spec, layout, down, is_replaced=False)
    offline = max(each.missing for each in alike) + spec.failed_drives
    for code in spec.codes(cluster):
        if writes and not code.takes_writes(offline):
            left, needed = code.drives - offline, code.at_write(offline).write_quorum
            raise refusal(
                "failures.faults",
                f"a set is left with {left} of its {code.drives} drives, and a write needs {needed}",
                "state fewer faults",
            )


def _check_nodes(spec: StorageGrid, layout: Layout, down: list[Device], *, writes: bool) -> None:
    lost, (pieces, data) = _lost_nodes(spec, layout, down), spec.pieces()
    if lost * len(layout.groups[spec.servers][0].bays[spec.bay]) != len(down):
        raise refusal("failures.faults", "a node's array rebuilds its drives by itself", "name a server of the store")
    if lost > pieces - data:
        raise refusal("failures.faults", f"they take {lost} storage nodes, and objects are lost beyond {pieces - data}")
    if writes and lost > 1:
        raise refusal("failures.faults", "with two storage nodes down requests to write fail", "state fewer faults")


def _lost_nodes(spec: StorageGrid, layout: Layout, down: list[Device]) -> int:
    """Return how many nodes have lost all their drives."""
    lost = {device.resource.index for device in down}
    nodes = layout.groups[spec.servers]
    return sum(all(device.resource.index in lost for device in node.bays[spec.bay]) for node in nodes)


def _check_components(job: ObjectLoad, spec: Minio | StorageGrid, failures: Failures, layout: Layout) -> None:
    for i, fault in enumerate(failures.faults):
        key = f"failures.faults.{i}.component = {fault.component!r}"
        hit = [node for node in layout.nodes if fault.component in (node.name, f"rack-{node.rack + 1}")]
        others = sorted({node.group for node in hit} - {spec.servers})
        if others or (hit and job.clients == spec.servers):
            raise refusal(
                key,
                f"takes servers of {', '.join(others) or job.clients!r} along, which send the requests",
                f"name a drive, or a server of {spec.servers!r} that sends none",
            )
    for i, devices in enumerate(_down(spec, failures, layout)):
        if not devices:
            name = failures.faults[i].component
            raise refusal(
                f"failures.faults.{i}.component", f"takes no further drive of storage.bay = {spec.bay!r}", found=name
            )


def _down(spec: Minio | StorageGrid, failures: Failures, layout: Layout) -> list[list[Device]]:
    """Return the drives of the store that each fault takes, but for those that are down already."""
    left = [(node, device) for node in layout.groups[spec.servers] for device in node.bays[spec.bay]]
    found = []
    for fault in failures.faults:
        name = fault.component
        hit = {
            device.resource.index
            for node, device in left
            if name in (device.resource.name, node.name, f"rack-{node.rack + 1}")
        }
        found.append([device for _, device in left if device.resource.index in hit])
        left = [each for each in left if each[1].resource.index not in hit]
    return found
