"""What a suite hands on between its tasks: over the cards, and through local drives where its engine keeps it there.

A task behind an exchange fetches an equal part from every worker. Where exchanges lie on drives, each byte is written
once, and read once as far as page caches do not hold it any more, a block at a time: what one task has for another.
What a task cannot keep in its memory is spilled, written once and read once. The exchanges of a query are of many
sizes: what a task takes up is taken as exponential around the mean of its query, so that of each byte the part
exp(-memory / mean) is spilled.

All goes on beside the work on rows, as a task computes on what it has fetched while more comes: a query lasts as long
as the slowest of processors, cards and drives. Not covered: exchanges in memory that do not fit, of which most engines
let the query fail; tasks that get more than others.

Source: Apache Spark, BlockManager, ShuffleBlockFetcherIterator, IndexShuffleBlockResolver, ExternalSorter,
UnifiedMemoryManager. Assumption: the exponential, and that exchanges are made by as many tasks as take them up, or by
an equal part of those that read if these are more.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from models.hardware.cluster import Device, Node
from models.hardware.page_cache import PAGE
from models.jobs.lakehouse import Lakehouse
from models.jobs.lakehouse_queries import Part
from models.jobs.spark import Executors


def handed_on(job: Lakehouse, part: Part, nodes: Sequence[Node], rate: float) -> Mapping[str, float]:
    """Return the seconds for which exchanges of some queries keep each group of cards and drives of the workers busy.

    `rate` (B/s) is what all cards carry in each direction; a group is named by its resources.
    """
    amount = job.handed_on * part.handed_on
    if amount <= 0:
        return {}
    carried = amount * (1 - 1 / len(nodes))
    seconds = {f"{job.servers}/network {way}": carried / rate for way in ("in", "out")} if carried else {}
    if job.engine.exchanges == "drives":
        seconds |= _drives(job, part, nodes, amount / len(nodes))
    return seconds


def rate_of_cards(nodes: Sequence[Node]) -> float:
    """Return the bytes (B) a second that the cards of nodes carry together, in each direction."""
    return sum(node.server.nic.reaching(math.inf) for node in nodes)


def spilled(job: Lakehouse, part: Part, node: Node, slots: int) -> float:
    """Return the part of what some queries hand on that a task on a node cannot keep, of tasks in `slots` of all."""
    executor = Executors(servers=job.servers).on(node.server)
    tasks = job.engine.tasks(node.server.cpu.threads)
    memory = job.task_memory or executor.task_memory(tasks, job.engine.heap_offered)
    mean = _exchange(job, part) / executor.compression / (job.engine.exchange_tasks or slots)
    return math.exp(-memory / mean) if mean > 0 else 0.0


def block(job: Lakehouse, part: Part, slots: int) -> float:
    """Return the bytes of an exchange of some queries that one task has for another, by tasks in `slots` of all."""
    behind = job.engine.exchange_tasks or slots
    makers = max(behind, job.readers(slots) / job.exchanges)
    return _exchange(job, part) / (makers * behind)


def _exchange(job: Lakehouse, part: Part) -> float:
    """Return the packed bytes of the mean exchange of some queries."""
    return job.handed_on * part.handed_on / (part.queries * job.exchanges)


def _drives(job: Lakehouse, part: Part, nodes: Sequence[Node], amount: float) -> Mapping[str, float]:
    """Return the seconds for which the slowest drives of each group are busy with `amount` bytes (B) of each node."""
    slowest: dict[str, float] = defaultdict(float)
    slots = sum(job.engine.tasks(node.server.cpu.threads) for node in nodes)
    together = max(block(job, part, slots), PAGE)
    for node in {node.batch: node for node in nodes}.values():  # nodes of a batch are alike
        devices = _devices(job, node)
        held = Executors(servers=job.servers).on(node.server).memory
        missing = 1 - node.page_cache(held).kept(amount / part.queries)
        again = spilled(job, part, node, slots)
        written, fetched, back = (share * amount / len(devices) for share in (1 + again, missing, again))
        busy: dict[str, float] = defaultdict(float)
        for device in devices:
            uses = [
                *device.write("buffered", written),
                *(device.read("buffered", fetched, segment=together) if fetched > 0 else ()),
                *(device.read("buffered", back) if back > 0 else ()),
            ]
            for use in uses:
                busy[use.resource.name] += use.cost / use.resource.capacity[-1]
                slowest[use.resource.group] = max(slowest[use.resource.group], busy[use.resource.name])
    return slowest


def _devices(job: Lakehouse, node: Node) -> Sequence[Device]:
    """Return the drives on which a worker keeps its exchanges: those that are named, or all that it has."""
    if job.local_dirs is not None:
        return node.devices(job.local_dirs)
    drives = [device for bay in node.bays.values() for device in bay]
    return drives or list(node.volumes.values())
