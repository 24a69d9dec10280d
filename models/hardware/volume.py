"""Volumes that a server reaches over a link, such as those of Amazon EBS, and that link."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from pydantic import model_validator

from models.bucket import Bucket
from models.hardware.burst import bucket, check_burst, mean_rate
from models.quantity import Model, Quantity, quantity


class Volume(Model):
    """An attached block volume (EBS): one cap for reads and writes together."""

    size: Quantity = quantity("B", "Size of the volume.", gt=0)
    bandwidth: Quantity = quantity("B/s", "Throughput cap, reads and writes together.", gt=0)
    iops: Quantity = quantity("IOPS", "Cap on operations, reads and writes together.", default=math.inf, gt=0)
    io_size: Quantity = quantity("B", "Bytes that count as one operation.", default=262144.0, gt=0)

    def slowed(self, part: float) -> Volume:
        """Return the volume of which a part is left."""
        return self.model_copy(update={"bandwidth": self.bandwidth * part, "iops": self.iops * part})

    def rate(self) -> float:
        """Return the rate (B/s) that both caps allow to large transfers."""
        return min(self.bandwidth, self.iops * self.io_size)


class VolumeLink(Model):
    """What all attached volumes of a server share on their way to it (an EBS-optimized instance): reads and writes."""

    only_with: ClassVar[Mapping[str, str]] = {"burst_time": "baseline"}
    bandwidth: Quantity = quantity("B/s", "Most that all volumes together carry.", default=math.inf, gt=0)
    baseline: Quantity | None = quantity(
        "B/s",
        "Rate that the link has for ever where the above is a burst on credits; default: no burst.",
        default=None,
        gt=0,
    )
    burst_time: Quantity = quantity(
        "s",
        "How long all credits carry a burst.",
        default="30 min",
        source="published: EC2 User Guide, EBS-optimized instances: 30 minutes at least once a day",
        gt=0,
    )

    @model_validator(mode="after")
    def _bursts_above_its_baseline(self) -> VolumeLink:
        check_burst(self.baseline, self.bandwidth)
        return self

    @property
    def bucket(self) -> Bucket | None:
        """The credits of the link, None for one without."""
        return bucket(self.bandwidth, self.baseline, self.burst_time)

    @property
    def sustained(self) -> float:
        """What it carries (B/s) without credits."""
        return self.bandwidth if self.baseline is None else self.baseline

    def mean_rate(self, seconds: float) -> float:
        """Return what it carries (B/s) over so many seconds that begin with all credits."""
        return mean_rate(self.bandwidth, self.bucket, seconds)
