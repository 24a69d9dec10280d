"""What breaks: components that fail at given times in a run, and the rates at which they fail in a year.

A drive is named as its resource is ("workers-3/data-2"), a server ("workers-3") and a rack ("rack-2") likewise. What
fails is gone with all that it holds; a replacement comes empty. Failures are independent and exponential: no infant
mortality, no wear, no bad batches.
"""

from __future__ import annotations

from itertools import islice

from models.hardware import parts
from models.hardware.cluster import Cluster
from models.problem import did_you_mean, refusal
from models.quantity import Model, Quantity, quantity, setting


class Fault(Model):
    """Something that fails in a run."""

    at: Quantity = quantity("s", "When it fails, after the start of the run.", ge=0)
    component: str = setting(
        "What fails: a drive such as 'workers-3/data-2', a server such as 'workers-3', a rack such as 'rack-2'."
    )


class Failures(Model):
    """What fails during a run, and how often components fail in a year."""

    faults: tuple[Fault, ...] = setting("Components that fail in the run.", default=())
    drive_failures_per_year: Quantity = quantity(
        "1/y", "Failures of a drive in a year (AFR).", default=0.0, ge=0, examples=["1.4 %/y"]
    )
    server_failures_per_year: Quantity = quantity(
        "1/y", "Losses of a server with all its drives in a year.", default=0.0, ge=0, examples=["1 %/y"]
    )
    replacement_time: Quantity = quantity(
        "s", "Until a failed drive or server has been replaced; 0: a spare is in place.", default=0.0, ge=0
    )
    fill: float | None = setting(
        "Part of the drives that is full when one fails; default: all, but for jobs what they keep themselves.",
        default=None,
        gt=0,
        le=1,
    )
    bit_error_rate: float = setting(
        "Unrecoverable errors per bit read; 0 leaves latent sector errors out.", default=0.0, ge=0, lt=1e-9
    )
    acceleration: float = setting(
        "Drives and servers also fail in the run, drawn at this multiple of their rates; 0: only the faults do.",
        default=0.0,
        ge=0,
    )

    moments: int = setting(
        "Moments of a repair at which a load of requests is measured, evenly from its begin to its end; 1: its begin.",
        default=1,
        ge=1,
        le=100,
    )

    @property
    def is_in_run(self) -> bool:
        """Whether anything can fail in the run."""
        return bool(self.faults) or self.acceleration > 0

    @property
    def full(self) -> float:
        """The part of the drives that is full when one fails, where more than the data of jobs is asked for."""
        return 1.0 if self.fill is None else self.fill

    def before(self, time: float) -> Failures:
        """Return the same failures without the faults that come at a time (s) or later."""
        return self.model_copy(update={"faults": tuple(fault for fault in self.faults if fault.at < time)})

    def fits(self, cluster: Cluster) -> None:
        """Refuse faults of what the cluster does not have.

        Raises:
            RefusalError: with the key, and the nearest name.
        """
        for i, fault in enumerate(self.faults):
            if not parts.exists(cluster, fault.component):
                known = tuple(islice(parts.names(cluster), SUGGESTED))
                near = did_you_mean(fault.component, known) or f"; the first of each kind are {_first_of_each(known)}"
                raise refusal(f"failures.faults.{i}.component", f"nothing has that name{near}", value=fault.component)


SUGGESTED = 5000
"""Names among which the nearest to a misspelt one is looked for. Assumption: enough for all of a small cluster."""


def _first_of_each(names: tuple[str, ...]) -> str:
    rack, server = names[0], names[1]
    drive = next((name for name in names if "/" in name), None)
    return ", ".join(filter(None, (rack, server, drive)))
