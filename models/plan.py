"""What a workload comes to on a cluster: the job that is executed, and what is measured of its run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace

from models.failures import Failures
from models.hardware.cluster import Layout, Node
from models.jobs.scheduler import Policy
from models.outage import Outage, Repairs
from models.storage.clients.mount import Local, Mount, MountPoint
from models.storage.placement import mix
from models.storage.systems import Client, StorageSystem, has_choice, mount
from models.throttle import Throttled
from models.values import value
from models.work import Account, Job, Metric, Metrics, Resource


@value()
class Plan:
    """What a scenario comes to: the resources of its layout, the job, and what to measure of its run.

    A run ends with its job, or at `horizon` (s) if that comes first. `notes` say in words what a reader must know of
    how the run was made. Where a part of the work is simulated that stands for all, what follows the job's setup takes
    `scale` times as long. Where it has a `tail`, what is not simulated goes on as fast as the sample does while all
    slots have work, but for a part of that time at first (`settles`), and what is lost behind that grows by this power
    of the scale. What is down is told in `outage`, and `repairs` say how each storage system rebuilds it.
    """

    layout: Layout
    job: Job
    metrics: Mapping[str, Metric]
    horizon: float | None = None
    notes: Callable[[Account], tuple[str, ...]] = lambda account: ()
    scale: float = 1.0
    tail: float | None = None
    settles: float = 0.0
    outage: Outage = field(default_factory=Outage)
    repairs: Sequence[Repairs] = ()


@value()
class Ground:
    """What a workload is planned on: a layout, the storage system of its scenario, and what may fail there.

    `salt` chooses placements and start times. `client_of` answers the client through which a storage system is used,
    None for a file system's own; `room` what planning says of data that is only kept. `repairs` are those of the
    systems that have been mounted; `assumed` tells of clients that the profile does not name as its own `named` one;
    `brought` is what the workload brings. `throttle` carries the bytes a second that the workload reads and writes at
    most. A workload that `is_alone` meets no others on the layout. Containers are handed out by a `policy`.
    """

    layout: Layout
    storage: StorageSystem
    client_of: Callable[[StorageSystem], Client | None]
    failures: Failures | None
    salt: int
    outage: Outage
    room: Callable[[], Metrics]
    named: Client | None = None
    brought: Client | None = None
    throttle: Resource | None = None
    is_alone: bool = True
    policy: Policy = "capacity"
    repairs: list[Repairs] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)

    @property
    def client(self) -> Client | None:
        """The client through which the workload uses the storage system of its scenario."""
        return self.client_of(self.storage)

    def chance(self, number: int) -> int:
        """Return a salt for one of the choices of a plan."""
        return mix(self.salt, number)

    def mounted(self, point: MountPoint, *, storage: StorageSystem | None = None, is_throttled: bool = True) -> Mount:
        """Return a storage system, that of the scenario if none is given, as the workload sees it at a point.

        What is down there is what is down on the ground. What `is_throttled` counts against the workload's throttle.
        """
        system = storage or self.storage
        client = self.client_of(system)
        if client is not None and client is not self.named and has_choice(system):
            self.assumed.append(self._taken(client, system))
        mounted = mount(system, client, replace(point, outage=self.outage))
        if mounted.repairs is not None:
            self.repairs.append(mounted.repairs)
        return Throttled(mounted, self.throttle) if is_throttled and self.throttle is not None else mounted

    def _taken(self, client: Client, system: StorageSystem) -> str:
        """Return in words why a system is used through a client that the profile does not name for it."""
        usual = f"the usual one of {system.system!r}, {client.connector!r} with its defaults"
        if client is self.brought:
            usual = f"its tool's, {client.connector!r},"
        is_sdk = client.connector == "s3" and client is not self.brought
        other = "; what is of Hadoop, as DistCp, speaks 's3a-defaults'" if is_sdk else ""
        why = "the profile names none"
        if self.named is not None:
            why = f"{self.named.connector!r} speaks to no store of {system.interface}"
        return f"client: {why}, so that {usual} was taken{other}"


def by_node(layout: Layout, nodes: Sequence[Node], counts: Iterable[int]) -> list[int]:
    """Return a count of each of some nodes by its index, 0 for all others."""
    counted = [0] * len(layout.nodes)
    for node, count in zip(nodes, counts, strict=True):
        counted[node.index] = count
    return counted


def local(layout: Layout, held: Callable[[Node], float], writers: int, servers: int) -> Local:
    """Return what compute servers give to output while processes hold `held` bytes of their memory."""
    layout.hold(held, writers)
    return Local(layout.page, writers, servers, layout.job())


def reading(layout: Layout) -> Local:
    """Return what compute servers give to a workload that only reads: all of their memory."""
    return local(layout, lambda node: 0.0, 1, len(layout.nodes))
