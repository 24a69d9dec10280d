"""The sets of MinIO by kind: which servers hold their drives, without a look at every set.

Drive d of server s of a pool with S servers is number d x S + s, and each set takes as many numbers in a row. So every
set lies on its servers in the same shares, and on its racks likewise, but for those that begin again at server 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from models.hardware.bays import BayBatch
from models.storage.domains import SetKind, Sets
from models.storage.minio.rules import Code
from models.values import value


@value()
class PoolSets:
    """The sets of a pool, coded by `code`; before its servers come `first` others of their group."""

    code: Code
    batch: BayBatch
    first: int

    def servers(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the servers of the drives of one set of each kind, and how many sets are of that kind.

        Servers are told by their places in the group, counted from 0.
        """
        size, servers = self.code.drives, self.batch.servers
        often = Counter({0: self.batch.drives // size})
        often.update({start: self._begins(start) for start in range(max(servers - size, 0) + 1, servers)})
        often[0] = 2 * often[0] - often.total()
        for start, count in often.items():
            if count:
                yield tuple(self.first + (start + i) % servers for i in range(size)), count

    def holds(self, server: int) -> bool:
        """Tell whether the server at a place of the group belongs to the pool."""
        return self.first <= server < self.first + self.batch.servers

    def _begins(self, server: int) -> int:
        """Return how many sets begin with a drive of that server, counted from the first of the pool."""
        size = self.code.drives
        cycles, rest = divmod(self.batch.bay.count, size)
        begins = [(server + i * self.batch.servers) % size == 0 for i in range(size if cycles else rest)]
        return cycles * sum(begins) + sum(begins[:rest])


def pool_sets(codes: Sequence[Code], batches: Sequence[BayBatch]) -> list[PoolSets]:
    """Return the sets of each pool."""
    first, pools = 0, []
    for code, batch in zip(codes, batches, strict=True):
        pools.append(PoolSets(code, batch, first))
        first += batch.servers
    return pools


def set_kinds(pools: Sequence[PoolSets], missing: int) -> Sets:
    """Return the sets of all pools by kind, and what may be down of each, when `missing` drives are offline already."""
    kinds = []
    for pool in pools:
        code = pool.code
        capacity = getattr(pool.batch.bay.drive, "capacity", 0.0)
        writing = max(offline for offline in range(code.drives) if code.takes_writes(offline))
        for servers, count in pool.servers():
            kinds.append(SetKind(servers, count, code.parity - missing, writing - missing, capacity, missing))
    return Sets(tuple(kinds))
