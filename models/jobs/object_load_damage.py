"""What failures do to a load of requests: the components of the store that are down, and the routes that are left.

All faults count as down together, whatever their times: the load is measured while they are gone, and while what they
held is rebuilt. Only drives and servers of the store fail, not clients and gateways.
"""

from __future__ import annotations

from dataclasses import replace

from models.failures import Failures
from models.hardware.cluster import Cluster, Layout
from models.hardware.parts import Down, down as down_of, servers_of
from models.problem import refusal
from models.storage.contract import Home, Loss
from models.storage.object_routes import Ends, Part
from models.storage.systems import StorageSystem, runtime_of
from models.values import value


@value()
class Damage:
    """What failures do to a store: its routes while what failed is gone, and while what it held is rebuilt.

    `lost` are the bytes (B) that each component held, in the order of `failures.faults`; the repair begins `wait` s
    after the failure. All components count as down together. The repair is looked at in so many `moments`, from its
    begin to its end.
    """

    degraded: tuple[Part, ...]
    repair: tuple[Part, ...]
    lost: tuple[float, ...]
    wait: float
    moments: int = 1


def damage(spec: StorageSystem, failures: Failures, layout: Layout, ends: Ends) -> Damage:
    """Return what the faults do to a store.

    Raises:
        RefusalError: they lose data, or nothing is known of such a loss.
    """
    down = _down(_home(spec), failures, layout.cluster)
    loss = _loss(spec, layout.cluster, down, writes=False)
    wait = loss.wait(layout)
    return Damage(
        degraded=loss.parts(layout, ends, is_replaced=False),
        repair=loss.parts(layout, replace(ends, is_alone=False), is_replaced=True),  # beside what rebuilds
        lost=tuple(failures.full * taken for taken in down.taken),
        wait=failures.replacement_time if wait is None else wait,
        moments=failures.moments,
    )


def check_faults(spec: StorageSystem, failures: Failures, cluster: Cluster, clients: str, *, writes: bool) -> None:
    """Refuse failures with which a load that `clients` send cannot be measured.

    Raises:
        RefusalError: they are drawn, take something else than the store's servers and drives, lose data, or leave too
            few drives for a write.
    """
    home = _home(spec)
    if failures.acceleration:
        raise refusal("failures.acceleration", "a load of requests is measured under stated faults", "remove it")
    down = _down(home, failures, cluster)
    _check_components(home, failures, cluster, clients)
    _loss(spec, cluster, down, writes=writes)


def _home(spec: StorageSystem) -> Home:
    """Return the servers and the drives of a store.

    Raises:
        RefusalError: nobody sees them.
    """
    if spec.home is None:
        raise refusal("failures", "a rented store has no drive to lose", "remove failures.faults", value=spec.system)
    return spec.home


def _loss(spec: StorageSystem, cluster: Cluster, down: Down, *, writes: bool) -> Loss:
    """Return what is lost of a store.

    Raises:
        RefusalError: data, or more than a write can do without, or nothing is known of such a loss.
    """
    loss = runtime_of(spec).loss
    if loss is None:
        raise refusal(
            "failures",
            "its servers rebuild drives by themselves, and of a lost server requests wait until it is back",
            "ask with a workload that is a job, or remove failures.faults",
            value=spec.system,
        )
    return loss(spec, cluster, down, writes=writes)


def _check_components(home: Home, failures: Failures, cluster: Cluster, clients: str) -> None:
    servers, bay = home
    for i, fault in enumerate(failures.faults):
        key = f"failures.faults.{i}.component = {fault.component!r}"
        hit = {group for group in cluster.groups if servers_of(cluster, group, fault.component)}
        others = sorted(hit - {servers})
        if others or (hit and clients == servers):
            raise refusal(
                key,
                f"takes servers of {', '.join(others) or clients!r} along, which send the requests",
                f"name a drive, or a server of {servers!r} that sends none",
            )
    for i, taken in enumerate(_down(home, failures, cluster).taken):
        if not taken:
            name = failures.faults[i].component
            raise refusal(
                f"failures.faults.{i}.component", f"takes no further drive of storage.bay = {bay!r}", value=name
            )


def _down(home: Home, failures: Failures, cluster: Cluster) -> Down:
    """Return what the faults take of the store."""
    return down_of(cluster, *home, (fault.component for fault in failures.faults))
