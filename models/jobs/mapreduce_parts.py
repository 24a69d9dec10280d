"""How much of a job's data each reduce has, and what it does with that.

A total order needs boundaries between reduces, which a sample of the keys places: every so many sampled keys one. What
lies between two boundaries is then drawn, not equal: with `n` sampled keys a reduce, parts follow a gamma distribution
of shape n, so that they differ by one over the root of n. 100,000 keys for 1,800 reduces are 56 each: 13 %, the largest
part is half as large again as the mean. Keys that are hashed, or cut evenly, give all reduces as much.

Source: Apache Hadoop, TeraInputFormat.writePartitionFile (100,000 keys, TeraSortConfigKeys.SAMPLE_SIZE) and
createPartitions; its package page tells of 1,800 reduces with 337 to 872 MB of 1 TB. Order statistics: gaps between
uniform keys are beta distributed. Quantiles of the gamma distribution: Wilson and Hilferty, 1931. Not covered: a few
keys that most records have.
"""

from __future__ import annotations

import math
from statistics import NormalDist

from models.jobs.mapreduce import MapReduce
from models.jobs.mapreduce_merge import Merge, reduce_merge
from models.storage.placement import mixed
from models.values import value

STEP = 0.02
"""What parts are rounded to, as a part of the mean: few reduces differ then. Assumption: detail of the model only."""


def shares(tasks: int, reduces: int, sampled: int, salt: int) -> list[float]:
    """Return what each of so many tasks takes in, over the mean, where a sample of keys placed `reduces` boundaries.

    The tasks have the quantiles of the distribution, dealt by chance. Without a sample all have 1.
    """
    if not sampled or reduces <= 1:
        return [1.0] * tasks
    shape = sampled / reduces / (1 - 1 / reduces)
    spread = 1 / (9 * shape)
    drawn = [
        STEP * max(round((1 - spread + NormalDist().inv_cdf((task + 0.5) / tasks) * math.sqrt(spread)) ** 3 / STEP), 1)
        for task in range(tasks)
    ]
    mean = sum(drawn) / tasks
    return [drawn[place] / mean for place in mixed(salt, tasks, tasks).argsort().tolist()]


@value()
class Part:
    """What a reduce does that takes in `share` times the mean: bytes fetched and written, merges, core-seconds a byte.

    `cpu` counts per byte that it writes.
    """

    share: float
    fetched: float
    written: float
    merge: Merge
    cpu: float


def part(job: MapReduce, maps: int, reduces: int, share: float) -> Part:
    """Return what a reduce does that takes in `share` times the mean of so many reduces, from so many maps."""
    framework = job.framework
    fetched = share * job.input * job.map_output / reduces
    merge = reduce_merge(
        fetched,
        maps,
        framework.reduce_heap * framework.shuffle_memory,
        merge_percent=framework.merge_percent,
        limit=framework.segment_limit,
        kept=framework.reduce_memory,
        factor=framework.sort_factor,
    )
    cpu = job.reduce_cpu + job.repacking_cpu(sum(merge.files) / fetched)
    written = share * job.output_bytes / reduces
    return Part(share, fetched, written, merge, cpu * (job.input * job.map_output) / max(job.output_bytes, 1.0))
