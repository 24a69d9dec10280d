"""Storing: data is kept and no job runs. The question is how much room it takes, not how long anything lasts."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from models.hardware.cluster import Cluster
from models.jobs.workload import WorkloadModel
from models.problem import refusal
from models.quantity import Quantity, quantity, setting

if TYPE_CHECKING:
    from models.failures import Failures
    from models.storage.systems import StorageSystem


class Storing(WorkloadModel):
    """Data that is kept, without a job; it may need more than the cluster has."""

    goes_on: ClassVar[bool] = True
    kind: Literal["storing"] = setting("Kind of job.")
    data: Quantity = quantity("B", "Data that is kept, counted once and before compression.", gt=0)

    def stored(self, cluster: Cluster) -> tuple[float, float, int | None]:
        """Return bytes of input and of output that the storage system holds, and the replicas of the output."""
        return self.data, 0.0, None

    @property
    def is_only_kept(self) -> bool:
        """Whether the data is kept without a job: yes."""
        return True

    def check_faults(self, storage: StorageSystem, failures: Failures, cluster: Cluster) -> None:
        """Refuse faults: nothing runs that could meet them.

        Raises:
            RefusalError: always.
        """
        raise refusal(
            "failures", "nothing runs in which they would strike", "remove failures.faults and failures.acceleration"
        )
