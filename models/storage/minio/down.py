"""What failed components take from the sets of MinIO: sets that miss as many drives are alike."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from models.hardware.cluster import Cluster
from models.hardware.parts import Down
from models.problem import refusal
from models.storage.minio.sets import PoolSets
from models.storage.minio.system import Minio
from models.values import value


@value()
class AlikeSets:
    """`sets` that miss `missing` drives each; `first` sets are counted before them, and `servers` hold what is left.

    Once what failed `is_replaced`, it takes writes again but holds nothing.
    """

    sets: int
    first: int
    missing: int
    servers: int
    is_replaced: bool = False


def alike_sets(spec: Minio, cluster: Cluster, down: Down, *, is_replaced: bool) -> list[AlikeSets]:
    """Return the sets of a MinIO of which drives are down, those that miss the fewest first.

    Raises:
        RefusalError: a set has lost data.
    """
    counts, pools = Counter[int](), spec.pools(cluster)
    for pool in pools:
        counts += _by_missing(pool, down)
    spare = pools[0].code.parity - spec.failed_drives
    if max(counts) > spare:
        raise refusal("failures.faults", f"they take {max(counts)} drives of a set, which loses data beyond {spare}")
    servers = cluster.groups[spec.servers].count - down.whole
    sets, first = [], 0
    for missing, number in sorted(counts.items()):
        sets.append(AlikeSets(number, first, missing, servers, is_replaced))
        first += number
    return sets


def _by_missing(pool: PoolSets, down: Down) -> Counter[int]:
    """Return how many sets of a pool miss how many drives.

    Set j begins at server j x n modulo S, so that after S / gcd(S, n) sets the servers come again as they came.
    """
    size, servers = pool.code.drives, pool.batch.servers
    sets, period = pool.batch.drives // size, servers // math.gcd(servers, size)
    gone = down.servers[pool.first : pool.first + servers]
    before = np.concatenate([[0], np.cumsum(np.tile(gone, size // servers + 2))])
    starts = np.arange(min(period, sets)) * size % servers
    missing = before[starts + size] - before[starts]
    often = sets // period + (np.arange(len(starts)) < sets % period)
    counts = Counter({number: int(often[missing == number].sum()) for number in map(int, np.unique(missing))})
    places = [(drive * servers + place - pool.first) // size for place, drive in down.drives if pool.holds(place)]
    for number, single in Counter(places).items():
        whole = int(missing[number % period])
        counts[whole] -= 1
        counts[whole + single] += 1
    return +counts
