"""What a workload says of itself: all that others may ask of it, whatever its kind."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Self

from models.hardware.cluster import Cluster
from models.problem import refusal
from models.quantity import GROUP, PLACE, Model, Quantity, named, quantity, setting

if TYPE_CHECKING:
    from models.failures import Failures
    from models.storage.systems import Client, StorageSystem


EVERY = quantity(
    "s",
    "Period in which it comes again, as a rented store bills it. Of a workload alone one run is simulated; one of many"
    " runs so often until `until`, which is then to be stated.",
    default=None,
    gt=0,
)


class WorkloadModel(Model):
    """The description of a workload in a profile.

    The module of the same name with `_plan` behind it has `plan(workload, ground)`, which answers what is executed: a
    `models.plan.Plan`, or the plan of a load of requests. It sees storage systems only as `Ground` mounts them, so that
    each workload runs on every system.
    """

    is_divided: ClassVar[bool] = False
    """Whether its plan gives servers that stand for several alike their part of the work alone."""
    is_divided_beside: ClassVar[bool] = False
    """Whether it does so beside other workloads only."""
    only_reads: ClassVar[bool] = False
    """Whether nothing is written through its client, whose places are then no matter."""
    taken: ClassVar[Mapping[str, frozenset[str]]] = {}
    """Of parts that kinds share, by their key, what this kind takes; all else that such a part states does nothing."""
    goes_on: ClassVar[bool] = False
    """Whether it goes on for as long as the cluster stands, of which a run is a part: alone it does not come again."""
    sizes: ClassVar[tuple[str, ...]] = ()
    """Keys that say how much there is to do, beside those that grow with its data."""
    kind: str = setting("Kind of workload.")
    every: Quantity | None = EVERY

    def mean_object(self) -> float:
        """Return the mean size (B) of the objects that a load of requests asks for, 0 for other kinds."""
        return 0.0

    @abstractmethod
    def stored(self, cluster: Cluster) -> tuple[float, float, int | None]:
        """Return bytes of input and of output that the storage system holds, and the replicas of the output."""

    def server_groups(self) -> dict[str, str]:
        """Return the server groups that the workload names, by key."""
        return named(self, "workload", GROUP)

    def place_groups(self) -> tuple[str, ...]:
        """Return the server groups whose servers have the bays and volumes that the workload and its client name."""
        return tuple(self.server_groups().values())

    def places(self) -> dict[str, str]:
        """Return the bays or volumes of its servers that the workload names, by key."""
        return named(self, "workload", PLACE)

    def fetched(self) -> list[tuple[StorageSystem, float]]:
        """Return the storage systems besides that of its scenario that a run reads from, and the bytes of each."""
        return []

    def under_way(self, cluster: Cluster) -> int:
        """Return the requests that its clients always have under way, 0 where that varies or each of them is asked for.

        Such a load alone may be simulated on a part of the servers.
        """
        return 0

    def origins(self) -> list[StorageSystem]:
        """Return the storage systems besides that of its scenario that the workload reads from."""
        return [origin for origin, _ in self.fetched()]

    def ignored(self, key: str) -> str:
        """Return why a key below the workload, such as "engine.slots", does nothing for it; "" where it does."""
        part, _, own = key.partition(".")
        taken = self.taken.get(part)
        if taken is None or not own or own.partition(".")[0] in taken:
            return ""
        return f"kind = {self.kind!r} takes of its {part} nothing but {', '.join(sorted(taken))}"

    @property
    def is_only_kept(self) -> bool:
        """Whether the data is kept without a job; it may then need more than the cluster has."""
        return False

    @property
    def is_even(self) -> bool:
        """Whether it does the same at any time, so that a part of its data takes that part of its time."""
        return False

    def grown(self, factor: float) -> Self:
        """Return the workload with its data multiplied.

        Raises:
            RefusalError: it states no single size.
        """
        raise refusal(
            "growth.workload_grows",
            f"the data of a {self.kind} workload is described table by table",
            "leave it out, and state a larger table",
        )

    def whole(self) -> Self:
        """Return the workload without samples that stand for more: beside others time cannot be scaled."""
        return self

    @property
    def stages_at(self) -> str | None:
        """The place of its servers where output waits for upload, of a Hadoop job; None for others."""
        return None

    @property
    def brought(self) -> Client | None:
        """The client that it brings, which is taken where the profile names none; most bring none."""
        return None

    def brought_places(self) -> dict[str, str]:
        """Return the bays or volumes of its servers that the client names which it brings, by key."""
        return {}

    def check_beside(self) -> None:
        """Refuse to run beside other workloads; most do.

        Raises:
            RefusalError: it cannot.
        """

    def check_faults(self, storage: StorageSystem, failures: Failures, cluster: Cluster) -> None:
        """Refuse faults in a run that the workload cannot meet; most meet all of them.

        Raises:
            RefusalError: it cannot.
        """

    def check_use(self, storage: StorageSystem, client: Client | None, cluster: Cluster) -> None:
        """Refuse a storage system, or a client with settings, that the workload cannot use.

        Raises:
            RefusalError: it cannot.
        """
