"""How many small writes an OSD on a hard drive leaves for later, and how many it sends to the drive at once.

Source: ceph/ceph, src/common/options/global.yaml.in: these are what Ceph ships, since Mimic.
"""

from __future__ import annotations

from models.quantity import Model, Quantity, quantity, setting


class DeferredWrites(Model):
    """Throttles and batches of deferred writes, under the names of `ceph config` after `bluestore_`."""

    batch_ops: int = setting(
        "Deferred writes that an OSD gathers before it sends them to the drive (bluestore_deferred_batch_ops_hdd); "
        "at most half of what the throttles hold.",
        default=64,
        ge=1,
    )
    throttle_bytes: Quantity = quantity(
        "B", "What writes under way count as at most (bluestore_throttle_bytes).", default="64 MiB", gt=0
    )
    throttle_deferred_bytes: Quantity = quantity(
        "B",
        "What deferred writes that are not on the drive count as at most, beyond throttle_bytes "
        "(bluestore_throttle_deferred_bytes).",
        default="128 MiB",
        ge=0,
    )
    throttle_cost_per_io: Quantity = quantity(
        "B",
        "As what a write counts beside its bytes (bluestore_throttle_cost_per_io_hdd).",
        default="670 kB",
        ge=0,
    )

    def counted(self, bytes: float) -> float:
        """Return what a write of so many bytes (B) counts as: one IO, that of its journal, and its bytes."""
        return self.throttle_cost_per_io + bytes

    def slots(self, counted: float) -> int:
        """Return how many writes that count as so much (B) an OSD has not on the drive, at most."""
        return max(int((self.throttle_bytes + self.throttle_deferred_bytes) / counted), 1)
