"""Small writes that an OSD defers: the journal has them, then who asks has an answer, and the drive writes them later.

The journal is in the database, on flash or on the drive itself, where its bytes wait as others do. What is not yet on
the drive counts against a throttle, for which a write waits when it is full: so a burst goes at the pace of the
journal, and what goes on at that of drives. A transaction counts as its bytes and one IO: some 300 for each OSD.

What has gathered to a batch, or to half of the throttle, is sent to the drive at once. Ceph sorts and joins only what
belongs to one placement group, which of a batch is mostly one write, so each costs the drive an access; in what order,
its own queue decides, as of all accesses at random. What does not fit into that waits in the queue of Linux, whose
scheduler (mq-deadline) asks for reads first. Jobs write as much as drives do, so they find that queue full.

Assumption: each size of request has a throttle for itself. Not covered: what is written because it is three seconds old
or one of 32 of a placement group, before a batch is full; a write that replaces another one before that is on the
drive; neighbours that Linux joins; what the flush of a commit takes of a drive that has the journal, too.

Source: ceph/ceph, src/os/bluestore/BlueStore.cc (queue_transactions, _txc_calc_cost: no IO of a deferred write counts
but that of its journal; BlueStoreThrottle, _kv_finalize_thread, _deferred_queue, deferred_try_submit, which submits the
batches of all groups and waits for none, _deferred_submit_unlock), src/common/options/global.yaml.in.
"""

from __future__ import annotations

from models.hardware.drive_classes import QUEUE_GAIN
from models.storage.ceph.pool import RadosPool
from models.storage.stages import Behind, Seek, Write
from models.units import format


def deferred(spec: RadosPool, sorts: int, size: float, padded: float) -> Behind:
    """Return how a drive that `sorts` so many writes a piece of `size` bytes (B) later, `padded` bytes for each."""
    counted = spec.deferred_writes.counted(spec.allocated(size * spec.code.data))
    slots = spec.deferred_writes.slots(counted)
    bytes = Write("piece", spec.bay, padded)
    alone, waited = (
        Seek("piece", spec.bay, part, is_write=True, waited=False) for part in (1.0, min(slots, sorts) ** -QUEUE_GAIN)
    )
    return Behind(
        "piece",
        spec.bay,
        f"deferred writes, {format(counted, 'B')} each",
        slots * spec.osds_per_drive,
        (alone, bytes),
        size,
        min(spec.deferred_writes.batch_ops, max(slots // 2, 1)),
        (waited, bytes),
    )
