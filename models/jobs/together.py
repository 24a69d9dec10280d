"""Many workloads as one: what a scenario is asked of its workload, answered for all of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Self

from models.hardware.cluster import Cluster
from models.jobs.schedule import Scheduled
from models.jobs.workload import WorkloadModel
from models.problem import Reason, RefusalError
from models.quantity import setting

if TYPE_CHECKING:
    from models.storage.systems import StorageSystem


APART = "apart"
"""Key of the context of a validation: whether workloads may run apart from each other, as those of a plan do."""
MOST_WORKLOADS = 1_000
"""Workloads of a scenario. Assumption: nobody tells more of them apart; what is alike comes again as one of them."""


class Together(WorkloadModel):
    """Workloads that run beside each other on one cluster and one storage system."""

    kind: str = setting("Kind of workload.", default="together")
    entries: tuple[Scheduled, ...] = setting("The workloads.")
    are_beside: bool = setting("Whether all run at the same time; else some are chosen for each run.", default=True)

    def server_groups(self) -> dict[str, str]:
        """Return the server groups that the workloads name, by key."""
        groups = ((entry.name, key, group) for entry in self.entries for key, group in entry.server_groups().items())
        return {renamed(key, name): group for name, key, group in groups}

    def place_groups(self) -> tuple[str, ...]:
        """Return the server groups whose servers have the bays and volumes that the workloads name."""
        return tuple(group for entry in self.entries for group in entry.place_groups())

    def places(self) -> dict[str, str]:
        """Return the bays or volumes of their servers that the workloads name, by key."""
        places = ((entry.name, key, place) for entry in self.entries for key, place in entry.places().items())
        return {renamed(key, name): place for name, key, place in places}

    def fetched(self) -> list[tuple[StorageSystem, float]]:
        """Return the storage systems besides that of their scenario that runs of them read from, and the bytes."""
        return [taken for entry in self.entries for taken in entry.fetched()]

    def grown(self, factor: float) -> Self:
        """Return the workloads with the data of each multiplied."""
        return self.some_grown(factor, [entry.name for entry in self.entries])

    def some_grown(self, factor: float, names: Collection[str]) -> Self:
        """Return the workloads with the data of those of some names multiplied."""
        entries = tuple(entry.grown(factor) if entry.name in names else entry for entry in self.entries)
        return self.model_copy(update={"entries": entries})

    def stored(self, cluster: Cluster) -> tuple[float, float, int | None]:
        """Return bytes of input and of output of all, and the most replicas that the output of any has.

        What a workload writes again and again lies there once.
        """
        amounts = [entry.stored(cluster) for entry in self.entries]
        replicas = [count for _, _, count in amounts if count is not None]
        return sum(given for given, _, _ in amounts), sum(made for _, made, _ in amounts), max(replicas, default=None)


def renamed(key: str, name: str) -> str:
    """Return a key of a workload as that of an entry among many: "workload.input" as "workloads.night.input"."""
    return f"workloads.{name}{key.removeprefix('workload')}" if key.partition(".")[0] == "workload" else key


def seen_as(error: RefusalError, name: str) -> RefusalError:
    """Return the refusal of a workload as that of an entry among many."""
    return RefusalError(*(Reason(renamed(r.key, name), r.expected, r.way_out, r.found) for r in error.reasons))
