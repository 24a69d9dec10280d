"""What a scenario can never exceed: rates that follow from its parts alone, without a clock."""

from __future__ import annotations

from dataclasses import dataclass

from models.scenario import Scenario
from models.storage.amazon_s3 import AmazonS3


@dataclass(frozen=True, slots=True)
class Nameplate:
    """The drives of a storage system as their data sheet has them: their `group` in results, and B/s of all."""

    group: str
    read_rate: float


def nameplate(scenario: Scenario) -> Nameplate | None:
    """Return the sequential read rate of all data drives together, None for a store whose drives nobody sees."""
    storage = scenario.storage
    if isinstance(storage, AmazonS3):
        return None
    group = scenario.cluster.groups[storage.servers]
    bay = group.server.bays[storage.bay]
    return Nameplate(f"{storage.servers}/{storage.bay} drives", group.count * bay.count * bay.drive.read_bandwidth)
