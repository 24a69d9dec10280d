"""The sets of MinIO by kind: which servers hold their drives, without a look at every set.

Drive d of server s of a pool with S servers is number d x S + s, and each set takes as many numbers in a row. So every
set lies on its servers in the same shares, and on its racks likewise, but for those that begin again at server 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from models.hardware.cluster import BayBatch, Cluster
from models.storage.minio.rules import Code
from models.storage.minio.system import Minio


@dataclass(frozen=True, slots=True)
class PoolSets:
    """The sets of a pool, coded by `code`; before its servers come `first` others of their group."""

    code: Code
    batch: BayBatch
    first: int

    def servers(self) -> Iterator[tuple[int, ...]]:
        """Yield the servers of the drives of one set of each kind, by their places in the group, counted from 0."""
        size, servers = self.code.drives, self.batch.servers
        for start in (0, *filter(self._begins, range(max(servers - size, 0) + 1, servers))):
            yield tuple(self.first + (start + i) % servers for i in range(size))

    def holds(self, server: int) -> bool:
        """Tell whether the server at a place of the group belongs to the pool."""
        return self.first <= server < self.first + self.batch.servers

    def _begins(self, server: int) -> bool:
        """Tell whether a set begins with a drive of that server."""
        size = self.code.drives
        rounds = min(self.batch.bay.count, size)
        return any((server + i * self.batch.servers) % size == 0 for i in range(rounds))


def pool_sets(spec: Minio, cluster: Cluster) -> list[PoolSets]:
    """Return the sets of each pool."""
    first, found = 0, []
    for code, batch in zip(spec.codes(cluster), spec.batches(cluster), strict=True):
        found.append(PoolSets(code, batch, first))
        first += batch.servers
    return found
