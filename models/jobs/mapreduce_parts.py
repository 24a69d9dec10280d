"""How much of a job's data each reduce has, and what it does with that.

A total order needs boundaries between reduces, which a sample of the keys places: every so many sampled keys one. What
lies between two boundaries is then drawn, not equal: with `n` sampled keys a reduce, parts differ by one over the root
of n. 100,000 keys for 1,800 reduces are 56 each: 13 %, the largest part is half as large again as the mean. With two
keys each some have seven times the mean. Keys that are hashed, or cut evenly, give all reduces as much.

Source: Apache Hadoop, TeraInputFormat.writePartitionFile (100,000 keys, TeraSortConfigKeys.SAMPLE_SIZE, in equal parts
from the heads of 10 splits) and createPartitions, which takes the key next to each multiple of keys over reduces, and
refuses more reduces than keys: as many keys as reduces are told of then. Its package page tells of 1,800 reduces with
337 to 872 MB of 1 TB. Order statistics: what lies between a key and the n-th one after it, of all that is uniform, is
beta distributed. Not covered: a few keys that most records have.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from models.jobs.mapreduce import MapReduce
from models.jobs.mapreduce_merge import Merge, reduce_merge
from models.storage.placement import mixed
from models.values import value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STEP = 0.02
"""What parts are rounded to, as a part of the mean: few reduces differ then. Assumption: detail of the model only."""

CELLS = 32
"""Cells of a step, or of the spread of parts where that is less, by which their distribution is summed up. Assumption:
detail of the model only; twice as many move no part by a tenth of a step."""

TAIL = 40.0
"""Within so many times the mean all parts of one gap lie, those of many gaps within a third as many spreads.
Assumption: detail of the model only; one in exp(40) is larger."""

ALIKE = 1.5
"""What the largest reduce has over the mean where nothing is said against it. Source: the terabyte of 2008, as told in
Hadoop's package page, with 872 of 556 MB."""

MOVED = (0.02, 0.07)
"""Part by which times moved at most on a part of the servers, where containers run one reduce at most, and where they
run several. Measured: sorts on 240 servers and 60 of them, five seeds, two and ten sampled keys a reduce: up to 1.7 %,
0.2 to 0.4 % in the mean, and up to 7 %, where one seed differs from another by as much."""

SAMPLE = "mapreduce.terasort.partitions.sample"


def shares(tasks: int, reduces: int, sampled: int, salt: int) -> list[float]:
    """Return what each of so many tasks takes in, over the mean, where a sample of keys placed `reduces` boundaries.

    The tasks have the quantiles of the distribution, dealt by chance; where each stands for several reduces one has
    what the largest of all has, for which a job may wait, and its turn when that has it. Without a sample all have 1.
    """
    if not sampled or reduces <= 1:
        return [1.0] * tasks
    drawn, order = _drawn(tasks, reduces, sampled), mixed(salt, tasks, tasks).argsort()
    in_turn, most = drawn / drawn.mean(), float(drawn[-1])
    if tasks < reduces and most < tasks:
        in_turn = drawn * ((tasks - most) / float(drawn[:-1].sum()))  # the others have what the largest leaves
        in_turn[-1] = most
        in_all = mixed(salt, reduces, reduces)
        turn, own = int((in_all < in_all[-1]).sum()) * tasks // reduces, int((order == tasks - 1).argmax())
        order[own], order[turn] = order[turn], order[own]
    dealt: list[float] = in_turn[order].tolist()
    return dealt


def _drawn(tasks: int, reduces: int, sampled: int) -> NDArray[np.float64]:
    """Return what so many tasks take in, the least first and what the largest of all reduces has last, in no unit."""
    import numpy as np

    smaller = (np.arange(tasks) + 0.5) / tasks
    smaller[-1] = 1 - 0.5 / reduces
    drawn: NDArray[np.float64] = STEP * np.maximum(np.rint(_quantiles(smaller, reduces, sampled) / STEP), 1.0)
    return drawn


def largest(reduces: int, sampled: int) -> float:
    """Return what the largest of so many reduces takes in, over the mean, as a sample of keys bounds them."""
    import numpy as np

    return float(_quantiles(np.array([1 - 0.5 / reduces]), reduces, sampled)[0])


def unequal(reduces: int, containers: int, sampled: int) -> str:
    """Return in words that the largest reduce takes longer than all others of its container, and what helps.

    "" where that is not so, or where the reduces of a job are equal.
    """
    if not sampled or reduces <= 1:
        return ""
    most, keys = largest(reduces, sampled), max(sampled, reduces)
    if sampled >= reduces and most <= 1 + max(reduces / containers, 1.0):
        return ""
    while largest(reduces, keys) > ALIKE:
        keys *= 2
    advice = f"the largest of {reduces:,} reduces has {most:.1f} times the mean, as {sampled:,} sampled keys bound them"
    if sampled < reduces:
        advice = (
            f"Hadoop refuses {reduces:,} reduces on {sampled:,} sampled keys; with as many keys the largest would have"
            f" {most:.1f} times the mean"
        )
    return f"{advice}: sample {keys:,} keys ({SAMPLE}), or take fewer reduces"


def moved(reduces: int, containers: int, sampled: int) -> str:
    """Return in words how far the time of a sort moves where a part of its servers stands for all.

    "" where its reduces are equal: then nothing more is to be told.
    """
    if not sampled or reduces <= 1:
        return ""
    most = MOVED[reduces > containers]
    return f"its reduces are unequal, and the largest decide: on a part such sorts moved by up to {most:.0%}"


def _quantiles(smaller: NDArray[np.float64], reduces: int, sampled: int) -> NDArray[np.float64]:
    """Return what reduces take in, over the mean, of which some parts of all, 0 to 1, are smaller.

    Some have the keys of a whole number of gaps between sampled ones, the others those of one more.
    """
    import numpy as np

    keys = max(sampled, reduces)
    gaps, more = divmod(keys, reduces)
    spread = math.sqrt(reduces / keys)
    cell = min(STEP, spread) / CELLS
    most = min(1 + TAIL * spread * max(spread, 1 / 3), reduces)
    middles = (np.arange(int(most / cell)) + 0.5) * cell / reduces  # as parts of all keys
    below = np.zeros(len(middles))
    for number, part in ((gaps, 1 - more / reduces), (gaps + 1, more / reduces)):
        log = (number - 1) * np.log(middles) + (keys - number) * np.log1p(-middles)
        density = np.exp(log - log.max())
        below += part * np.cumsum(density) / density.sum()
    upper = np.minimum(np.searchsorted(below, smaller), len(middles) - 1)
    return cell * (upper + 1.0)


@value()
class Part:
    """What a reduce does that takes in `share` times the mean: bytes fetched and written, merges, core-seconds a byte.

    `cpu` counts per byte that it writes, and so does `back`, the bytes of its files that it reads for that. Neither
    depends on the share but by what stays in memory: what reduces of all sizes do is then the same, to the last digit.
    """

    share: float
    fetched: float
    written: float
    merge: Merge
    cpu: float
    back: float


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
    in_files = 1 - merge.kept / fetched
    taken_in = job.input * job.map_output / max(job.output_bytes, 1.0)  # bytes per byte that is written
    cpu = job.reduce_cpu + job.repacking_cpu(in_files)
    return Part(share, fetched, share * job.output_bytes / reduces, merge, cpu * taken_in, in_files * taken_in)
