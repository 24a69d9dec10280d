"""Settings of a shuffle that cost drives more than its bytes: blocks that are read apart, and records that are spilled.

A reduce reads one block of the output of each map. The more maps and reduces there are, the smaller blocks are, until
drives do nothing but look for them; the fewer, the less of a reduce fits the memory of its task. Only what can be set
otherwise is told: more reduces than run at a time, and heaps of engines that keep what they sort in memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from models.advice import Advice
from models.build import build
from models.hardware.page_cache import PAGE
from models.jobs.mapreduce import MapReduce
from models.jobs.spark import Spark
from models.plan import Plan
from models.scenario import Scenario
from models.symmetry import ROUGH, layout_of
from models.units import format

APART = 2.0
"""Times the cost of a byte read in chunks that it has in small blocks, from which these are told. Assumption: below
that, drives are busy with bytes."""


def costly_shuffle(scenario: Scenario, group: str) -> Iterator[Advice]:
    """Yield what makes the drives of a group do more for a shuffle than it has bytes."""
    if isinstance(suite := scenario.workload, Spark):
        yield from _small_blocks_of(suite, scenario, group)
    if not isinstance(job := scenario.workload, MapReduce) or not job.has_reduces:
        return
    workers, place = scenario.cluster.groups[job.framework.servers], job.framework.local_dirs
    if place not in workers.server.bays or group != f"{job.framework.servers}/{place} drives":
        return
    job = job.on(workers.server)
    slots = sum(batch.count * job.framework_on(batch.server).running[1] for batch in workers.batches())
    if not job.keeps_processes and job.file_size is None and (job.reduces is None or job.reduces <= slots):
        return
    plan = build(scenario, 0, layout_of(scenario, ROUGH))
    if isinstance(plan, Plan):
        tasks = {stage.name: stage.stands_for or stage.tasks for stage in plan.job.stages}
        yield from _small_blocks(scenario, job, tasks["map"], tasks["reduce"], slots)
        yield from _spilled(job, tasks["reduce"])


def _small_blocks_of(suite: Spark, scenario: Scenario, group: str) -> Iterator[Advice]:
    """Yield what makes the largest exchange of a suite one of small blocks, where its tasks are more than slots."""
    framework = suite.framework
    workers, place = scenario.cluster.groups[framework.servers], framework.local_dirs
    if place not in suite.places().values() or group != f"{framework.servers}/{place} drives":
        return
    slots = sum(batch.count * framework.on(batch.server).slots for batch in workers.batches())
    partitions, grown = suite.partitions(slots), suite.at_scale()
    stages = [(query, stage) for query in grown.queries for stage in query.stages if stage.inputs]
    block = max((grown.segment(query, stage, slots) for query, stage in stages), default=math.inf)
    drive = workers.server.bays[place].drive
    larger = drive.read_cost(segment=max(block, PAGE) * partitions / slots)  # where all tasks run at once
    if drive.read_cost(segment=max(block, PAGE)) <= APART * larger:
        return
    text = (
        f"{partitions:,} tasks behind an exchange get blocks of {format(block, 'B')} at most, each read apart;"
        " fewer make larger ones, as far as the memory of a task holds them"
    )
    source = "Apache Spark, IndexShuffleBlockResolver; by arithmetic"
    yield Advice("small-blocks", "hint", "workload.framework.shuffle_partitions", text, source)


def _small_blocks(scenario: Scenario, job: MapReduce, maps: int, reduces: int, slots: int) -> Iterator[Advice]:
    drive = scenario.cluster.groups[job.framework.servers].server.bays[job.framework.local_dirs].drive
    block = job.input * job.packed / maps / reduces
    if reduces <= slots or drive.read_cost(segment=max(block, PAGE)) <= APART * drive.read_cost():
        return
    fewest = slots
    if job.keeps_processes:
        fewest = max(slots, math.ceil(job.input * job.map_output / _memory(job)))
    key = "workload.reduces" if fewest < reduces else "workload.split_minsize"
    way_out = f"{fewest:,} reduces are enough" if fewest < reduces else "larger splits make larger ones"
    text = f"{maps:,} maps and {reduces:,} reduces make blocks of {format(block, 'B')}, each read apart; {way_out}"
    if job.keeps_processes and fewest > slots:
        text += ", fewer reduces with more memory in a task (workload.framework.heap)"
    source = "Apache Spark, ShuffleBlockFetcherIterator; Apache Hadoop, ShuffleHandler; by arithmetic"
    yield Advice("small-blocks", "hint", key, text, source)


def _spilled(job: MapReduce, reduces: int) -> Iterator[Advice]:
    memory, part = _memory(job), job.input * job.map_output / reduces
    fills = math.floor(part / memory + 1e-9)
    if not job.keeps_processes or not fills:
        return
    enough = math.ceil(job.input * job.map_output / memory)
    text = (
        f"a reduce takes in {format(part, 'B')} and its memory holds {format(memory, 'B')}: {fills * memory / part:.0%}"
        f" is spilled; raise it (spark.executor.memory), or take {enough:,} reduces"
    )
    source = "Apache Spark, ExternalSorter, UnifiedMemoryManager"
    yield Advice("spilled-reduces", "hint", "workload.framework.heap", text, source)


def _memory(job: MapReduce) -> float:
    """Return the bytes of records that a reduce holds, on servers of a known kind."""
    return job.framework.reduce_heap * job.framework.shuffle_memory
