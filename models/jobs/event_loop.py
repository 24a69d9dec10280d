"""Batch jobs that each read an event, compute on it, and go on to the next: a closed loop.

The jobs are spread evenly over the servers and run for a given time; what counts is how many events they finish and how
many bytes they read. CPU time per event varies exponentially around its mean, so that reads of different jobs meet by
chance; the loop is then the closed network of queueing theory, and slows before its ceilings are reached.

Source: for one read station and think times the exact answer is mean value analysis; tests hold it to that.
"""

from __future__ import annotations

from typing import Literal, Self

from models.hardware.cluster import Cluster
from models.jobs.workload import WorkloadModel
from models.quantity import Quantity, group, quantity, setting


class EventLoop(WorkloadModel):
    """Jobs that read and compute event by event."""

    kind: Literal["event-loop"] = setting("Kind of workload.")
    servers: str = group("Server group that runs the jobs.")
    jobs: int = setting("Jobs over all servers.", ge=1)
    run_time: Quantity = quantity("s", "Time for which the jobs run.", gt=0)
    sample: Quantity = quantity("s", "Part of the run time that is simulated at most; counts are scaled up.", gt=0)
    event_bytes: Quantity = quantity("B", "Bytes that a job asks for per event.", gt=0)
    event_cpu: Quantity = quantity("s", "Reference core-seconds per event.", gt=0)
    data: Quantity = quantity("B", "Size of the files that the jobs read.", gt=0)

    @property
    def simulated(self) -> float:
        """Simulated time (s) at which a run ends: the sample, of which the run time is the most."""
        return min(self.sample, self.run_time)

    def whole(self) -> Self:
        """Return the same jobs without a sample: beside others time cannot be scaled."""
        return self.model_copy(update={"sample": self.run_time})

    def stored(self, cluster: Cluster) -> tuple[float, float, int | None]:
        """Return bytes of input and of output that the storage system holds, and the replicas of the output."""
        return self.data, 0.0, None

    def grown(self, factor: float) -> Self:
        """Return the workload with its data multiplied."""
        return self.model_copy(update={"data": self.data * factor})
