"""How many messages come to an OSD together, and what is left then of what it spends to wake up for each.

A thread that finds several messages on a connection reads them in one call, takes them in one wakeup and answers in one
call. A connection has one message after the other where few are under way on it: those of one who asks are spread over
all OSDs, those of a primary over all others. So a wakeup is shared by an operation and those that are under way beside
it on its connection, in the mean as many as there are for each OSD.

Assumptions: all that is under way waits for the OSD, as it does where OSDs are the limit; what a load writes is all
that it has under way. Not covered: connections of several loads, and what threads lose to each other's locks.

Source: `models.storage.ceph.wakeups`; ceph/ceph, src/msg/async/AsyncConnection.cc (process reads on while there is
something).
"""

from __future__ import annotations

from models.storage.ceph.pool import RadosPool
from models.values import value


@value()
class Company:
    """What operations of a pool take of its `osds` in company.

    So many `reads` or `writes` of each who asks are under way, and `in_all`; by default each comes alone.
    """

    spec: RadosPool
    osds: int
    reads: float = 0.0
    writes: float = 0.0
    in_all: float = 0.0

    def read_cpu(self, shards: int) -> float:
        """Return the reference core-seconds of a read on each of so many OSDs that it asks."""
        return self.spec.osd_read_cpu * (1 - self.spec.wakeups.read * self._spared(self.reads, shards))

    def write_cpu(self, pieces: int) -> float:
        """Return the same of a write of so many pieces."""
        return self.spec.osd_write_cpu * (1 - self.spec.wakeups.write * self._spared(self.writes, pieces))

    def shared(self, shards: int) -> tuple[float, float]:
        """Return the operations as which the read of one of so many shards counts, and what gathers all of them."""
        return (self.spec.shard_read, self.spec.gathered_read) if shards > 1 else (1.0, 0.0)

    def _spared(self, asked: float, pieces: int) -> float:
        """Return the part of the wakeups that others spare, as who asks has so many under way.

        It is the mean over the OSDs of so many pieces: the primary is asked by who asks, the others by primaries.
        """
        others = pieces - 1
        passed = self.in_all * others / (self.osds * max(self.osds - 1, 1))
        return 1 - (1 / (1 + asked / self.osds) + others / (1 + passed)) / pieces
