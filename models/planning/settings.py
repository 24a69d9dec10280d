"""Settings that hold a run up while its hardware waits: which they are, by the limit that a run names, and what helps.

Whoever takes such a limit for one of the hardware buys what does not help. Lint has those rules, too, that find a fault
in a design; the others are told only of a run that they limit.

Not covered, as no setting of the design makes them: fixed times (job setup, latencies), clients that think, containers
that other jobs hold, what one connection, or one request of a store, carries, and a throttle, which names itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from models.advice import Advice
from models.handout import HANDED, Handout
from models.jobs.copy import Copy
from models.jobs.lakehouse import Lakehouse
from models.jobs.mapreduce import MapReduce
from models.jobs.scheduler import Scheduler
from models.jobs.spark import Spark
from models.jobs.together import renamed
from models.planning.grid import numbered
from models.planning.shuffles import costly_shuffle
from models.scenario import Scenario
from models.storage.clients.s3 import S3Client
from models.storage.clients.s3a import S3aClient
from models.storage.clients.s3a_mount import RANDOM
from models.storage.flow import LISTING, ONE_CORE, SLOTS
from models.units import format, format_duration
from models.work import COMMIT, SILENT

IDLE, MOST_WAVES = 0.5, 4
"""A last wave of tasks is told that fills at most half of the slots, behind at most three others: it takes a quarter of
the time or more. Assumption of wording."""
HELD = 0.25
"""Part of the containers from which reduces that wait in them are told. Assumption: fewer cost maps little."""
Rule = Callable[[Scenario], Iterator[Advice]]
SMALL_PART = 256e6
"""Bytes of a part or split below which NetApp advises against (StorageGRID technical reports, April 2024: 256 MB)."""
LARGE_DATA = 1e12
"""Bytes from which data counts as large for that advice. Assumption."""


def behind(scenario: Scenario, limit: str, *, is_queue: bool = False) -> list[Advice]:
    """Return the settings that make a limit of a run, each with the way out; none where the hardware does.

    Where it is a queue, works wait for some of a group while others of it are idle.
    """
    told = []
    for name, alone in scenario.each().items():
        advices = [advice for rule in (*_rules(limit), *((few_copies,) if is_queue else ())) for advice in rule(alone)]
        for advice in (*advices, *alone.storage.behind(limit.rpartition("/")[2])):
            told.append(replace(advice, key=renamed(advice.key, name) if name else advice.key))
    return list(dict.fromkeys(told))


def _rules(limit: str) -> tuple[Rule, ...]:
    if limit.startswith(CONNECTION):
        return few_connections, few_copies
    if limit.endswith(DRIVES):
        return (partial(costly_shuffle, group=limit),)
    return (staging_on_root,) if limit.endswith(VOLUME) else BEHIND.get(limit, ())


def few_a_heartbeat(scenario: Scenario) -> Iterator[Advice]:
    """Heartbeats of servers bring containers, few of them at a time, to tasks that find no data there."""
    job, late = scenario.workload, list(late_containers(scenario))
    yield from late
    if late or not isinstance(job, MapReduce) or not (few := job.framework.off_switch):
        return
    beat = format_duration(job.framework.node_heartbeat)
    handout = _handout(scenario, job)
    if handout is not None and handout.most <= handout.off_switch:  # of a fair scheduler
        text = f"each server gets {handout.most:g} in {beat}, as it ships; state more if it assigns multiple"
        source = "Apache Hadoop, yarn.scheduler.fair.assignmultiple"
        yield Advice("few-a-heartbeat", "hint", "workload.framework.heartbeat_containers", text, source)
        return
    text = f"each server gets {few} without data there in {beat}; raise it, or let 0 hand out containers at once"
    source = "Apache Hadoop, per-node-heartbeat.maximum-offswitch-assignments; schedule-asynchronously.enable"
    yield Advice("few-a-heartbeat", "hint", "workload.framework.off_switch", text, source)


def _handout(scenario: Scenario, job: MapReduce) -> Handout | None:
    """Return how containers of a job are handed out to its servers."""
    group, scheduler = scenario.cluster.groups[job.framework.servers], scenario.scheduler or Scheduler()
    return job.on(group.server).framework.handout(group.count, scheduler.policy)


def late_expiry(scenario: Scenario) -> Iterator[Advice]:
    """Tasks of a dead server wait until it is given up."""
    job = scenario.workload
    key, of = ("tool", job.tool) if isinstance(job, Copy) else ("framework", getattr(job, "framework", None))
    if (expiry := getattr(of, "node_expiry", 0.0)) > 0:
        text = f"tasks of a server that is silent wait {format_duration(expiry)}; with less they start elsewhere sooner"
        source = "Apache Hadoop, nm.liveness-monitor.expiry-interval-ms; Apache Spark, spark.network.timeout"
        yield Advice("late-expiry", "hint", f"workload.{key}.node_expiry", text, source)


def small_splits(scenario: Scenario) -> Iterator[Advice]:
    """Each split starts a process: where there are more of them than slots, larger ones start fewer."""
    if (splits := _splits(scenario)) is None:
        return
    job, key, size, slots = splits
    if size < SMALL_PART and (maps := job.map_tasks(size)) > slots:
        text = f"{maps:,} splits of {format(size, 'B')}, each of which starts a container; 256 MB or more start fewer"
        source = "NetApp, StorageGRID technical reports, April 2024: 256 MB or above for large data; by arithmetic"
        yield Advice("small-splits", "hint", key, text, source)


def early_reduces(scenario: Scenario) -> Iterator[Advice]:
    """Reduces that begin before the maps have ended wait for them in containers that maps wait for."""
    if (splits := _splits(scenario)) is None:
        return
    job, _, size, slots = splits
    group = scenario.cluster.groups[job.framework.servers]
    framework = job.on(group.server).framework
    maps, reducing = job.map_tasks(size), group.count * framework.running[1]
    held = min(job.reduce_tasks(reducing, maps) / max(slots, 1), framework.ramp)
    are_apart, left = job.keeps_processes or framework.map_slots, (1 - framework.slowstart) * maps
    if not are_apart and held >= HELD and left > MOST_WAVES * slots:
        begin = f"reduces begin once {100 * framework.slowstart:.0f} % of the maps have ended"
        text = f"{begin}, and hold up to {100 * held:.0f} % of the containers while maps wait; begin them later"
        source = "Apache Hadoop, RMContainerAllocator.scheduleReduces: mapreduce.job.reduce.slowstart.completedmaps"
        yield Advice("early-reduces", "hint", "workload.framework.slowstart", text, source)


def _splits(scenario: Scenario) -> tuple[MapReduce, str, float, int] | None:
    """Return a job that reads splits, the key of their size and that (B), and maps at once; None of other work."""
    job = scenario.workload
    if not isinstance(job, MapReduce) or not job.input:
        return None
    group = scenario.cluster.groups[job.framework.servers]
    client, slots = scenario.client_of(scenario.storage), group.count * job.on(group.server).framework.running[0]
    key, block = "workload.split_minsize", scenario.storage.block
    if isinstance(client, S3aClient):
        key, block = "client.fs.s3a.block.size", client.fs.s3a.block.size
    if block is None:
        return None
    if job.object_size is not None and job.object_size < max(job.split_minsize, block):
        key = "workload.object_size"
    return job, key, job.split_of(block), slots


def idle_threads(scenario: Scenario) -> Iterator[Advice]:
    """A task computes on one core: servers that run fewer tasks than they have threads leave the others idle."""
    job = scenario.workload
    if isinstance(job, MapReduce):
        server = scenario.cluster.groups[job.framework.servers].server
        containers, key = job.framework_on(server).containers, "workload.framework.containers"
        threads, source = server.cpu.threads, "Apache Hadoop YARN: one a hardware thread, as memory holds them"
    elif isinstance(job, Copy):
        if copies := list(few_copies(scenario)):
            yield from copies
            return
        threads = min(scenario.cluster.groups[name].server.cpu.threads for name in job.tool.servers)
        containers, key = job.tool.processes * job.tool.threads, "workload.tool.processes"
        source = "Apache Hadoop, DistCp: -m; by arithmetic"
    else:
        return
    if containers < threads:
        text = f"{containers} at a time on a server with {threads} hardware threads: more of them use the others"
        yield Advice("idle-threads", "hint", key, text, source)


def few_copies(scenario: Scenario) -> Iterator[Advice]:
    """A tool that copies few files at a time goes as fast as these, however many drives and cards there are."""
    if not isinstance(job := scenario.workload, Copy):
        return
    tool, servers = job.tool, sum(scenario.cluster.groups[name].count for name in job.tool.servers)
    slots = tool.processes * servers - min(tool.master_places, tool.processes)
    tasks = min(slots, tool.tasks or slots)
    at_once = f"{tasks * tool.threads} files are copied at a time"
    cut = tool.tasks if tool.tasks and tool.deal != "queue" else slots
    even = cut - _last_wave(cut, slots)
    if even < cut and job.files // even > job.files // cut:
        text = f"{cut} tasks for {slots} places: one more wave, of {numbered(f'{cut - even}', 'tasks')}"
        text = f"{text}; of {even} only a rest of the files takes one"
        yield Advice("last-copy-wave", "hint", "workload.tool.tasks", text, "Apache Hadoop, DistCp: -m; by arithmetic")
    elif tasks < min(slots, job.files):
        text = f"{at_once}, in {tasks} tasks (distcp -m); its servers could run {slots}"
        yield Advice("few-copies", "hint", "workload.tool.tasks", text, "Apache Hadoop, DistCp: -m, default 20")
    elif slots * tool.threads < job.files:
        key, way_out = "workload.tool.processes", "; more processes on a server copy more of them"
        if tasks == tool.tasks:
            key, way_out = "workload.tool.tasks", f", in {tasks} tasks (distcp -m); more tasks and processes copy more"
        yield Advice("few-copies", "hint", key, at_once + way_out, "by arithmetic")


def slow_tool(scenario: Scenario) -> Iterator[Advice]:
    """A tool that is told how much to move moves no more."""
    if isinstance(job := scenario.workload, Copy) and math.isfinite(job.tool.bandwidth):
        text = f"a process moves {format(job.tool.bandwidth, 'B/s')} at most; raise it where nobody else is disturbed"
        yield Advice("slow-tool", "hint", "workload.tool.bandwidth", text, "Apache Hadoop, DistCp: -bandwidth")


def small_window(scenario: Scenario) -> Iterator[Advice]:
    """A tool that has few bytes under way waits for each of them."""
    if isinstance(job := scenario.workload, Copy) and job.tool.write_window is not None:
        text = f"{format(job.tool.write_window, 'B')} are under way to the target at most; a larger one waits less"
        yield Advice("small-window", "hint", "workload.tool.write_window", text, "bytes under way over a round trip")


def few_connections(scenario: Scenario) -> Iterator[Advice]:
    """A client that moves an object over few connections goes as fast as these; one part of it takes one of them."""
    job = scenario.workload
    for storage in (scenario.storage, *job.origins()):
        client = scenario.client_of(storage)
        if isinstance(client, S3Client):
            own = "workload.tool.client" if client is job.brought else "client"
            over = "few connections" if client.connections is None else numbered(f"{client.connections}", "connections")
            key, text = f"{own}.connections", f"an object goes over {over}; more carry more, until the card is full"
            if math.isinf(client.part_size):
                key = f"{own}.part_size"
                text = f"an object goes in one part; state a size, such as 16 MB, and several {own}.connections"
            source = "AWS SDK: multipart downloads of its transfer client, concurrency"
            yield Advice("few-connections", "hint", key, text, source)


def _by_s3a(scenario: Scenario) -> tuple[S3aClient, MapReduce] | None:
    """Return a MapReduce job and the S3A by which it reaches its store; None where it is no such job."""
    client, job = scenario.client_of(scenario.storage), scenario.workload
    return (client, job) if isinstance(client, S3aClient) and isinstance(job, MapReduce) else None


def staging_on_root(scenario: Scenario) -> Iterator[Advice]:
    """Output that waits for upload on a small attached volume makes that volume the limit of all writes."""
    if (pair := _by_s3a(scenario)) is None:
        return
    client, job = pair
    place, server = client.fs.s3a.buffer.dir, scenario.cluster.groups[job.framework.servers].server
    if place in server.volumes and server.volumes[place].rate() < server.nic.sustained / 4:
        others = " or ".join(f"'{bay}'" for bay in server.bays) or "a local drive"
        text = (
            f"'{place}' carries {format(server.volumes[place].rate(), 'B/s')} for a card of"
            f" {format(server.nic.sustained, 'B/s')}: all output waits for it; stage on {others}"
        )
        source = "both documented generation times on MinIO follow from a root volume of 128 MiB/s, see docs/models.md"
        yield Advice("staging-on-root", "warning", "client.fs.s3a.buffer.dir", text, source)


def small_parts(scenario: Scenario) -> Iterator[Advice]:
    """Small splits and parts of large data are many tasks and requests."""
    if (pair := _by_s3a(scenario)) is None:
        return
    client, job = pair
    s3a, amount = client.fs.s3a, job.input or job.generated
    source = "NetApp, StorageGRID technical reports, April 2024: 256 MB or above for large data"
    keys = {"block.size": ("splits", job.split_of(s3a.block.size)), "multipart.size": ("parts", s3a.multipart.size)}
    for key, (pieces, size) in keys.items():
        if amount >= LARGE_DATA and size < SMALL_PART:
            text = f"{pieces} of {format(size, 'B')} for {format(amount, 'B')} of data; 256 MB or more is advised"
            yield Advice("small-parts", "hint", f"client.fs.s3a.{key}", text, source)


def renaming_committer(scenario: Scenario) -> Iterator[Advice]:
    """The FileOutputCommitter renames; on an object store a rename is a copy of every byte."""
    if (pair := _by_s3a(scenario)) is not None and pair[0].fs.s3a.committer.name == "file":
        text = "'file' renames its output, which an object store does by copying it; take 'magic' or 'directory'"
        source = "Apache Hadoop, committer_architecture.md; NetApp, StorageGRID technical reports, April 2024"
        yield Advice("renaming-committer", "warning", "client.fs.s3a.committer.name", text, source)


def serial_commit(scenario: Scenario) -> Iterator[Advice]:
    """Version 1 of the FileOutputCommitter renames every file once more in one thread, on a file system, too."""
    job = scenario.workload
    if isinstance(job, MapReduce) and job.wishes.algorithm == 1 and _by_s3a(scenario) is None:
        text = (
            "version 1 renames every file in one thread in the end; 2 does so as each task ends, or write fewer files"
        )
        source = "Apache Hadoop, FileOutputCommitter; mapreduce.fileoutputcommitter.algorithm.version"
        yield Advice("serial-commit", "hint", "workload.engine.committer_algorithm", text, source)


def renaming_tool(scenario: Scenario) -> Iterator[Advice]:
    """A copy tool that renames what it has written; on an object store that is a copy of every byte."""
    job = scenario.workload
    if isinstance(job, Copy) and not job.tool.direct and scenario.storage.interface == "objects":
        text = "each file gets a temporary name and is renamed, which an object store does by copying it; take true"
        source = "Apache Hadoop, DistCp guide: -direct; FileSystem shell: -cp -d"
        yield Advice("renaming-tool", "warning", "workload.tool.direct", text, source)


def late_containers(scenario: Scenario) -> Iterator[Advice]:
    """YARN waits for a server that has the files of an object store, as shipped, and none ever comes."""
    if (pair := _by_s3a(scenario)) is None:
        return
    client, job = pair
    group = scenario.cluster.groups[job.framework.servers]
    handout = _handout(scenario, job)
    if job.input and handout is not None and handout.delay > 0:
        rate = group.count / (handout.delay + 1) / handout.interval
        maps = job.map_tasks(job.split_of(client.fs.s3a.block.size))
        waits = numbered(f"{handout.delay:g}", "heartbeats")
        text = (
            f"YARN lets a map wait {waits} for a server that has its input, which of an object store none has:"
            f" {numbered(f'{maps}', 'maps')} at {rate:.3g} a second take {format_duration(maps / rate)} to begin;"
            " yarn.scheduler.capacity.node-locality-delay = 0 lets free containers begin at once"
        )
        source = "Apache Hadoop, RegularContainerAllocator.canAssign: yarn.scheduler.capacity.node-locality-delay"
        yield Advice("late-containers", "warning", "workload.framework.locality_delay", text, source)


def idle_shuffle_slots(scenario: Scenario) -> Iterator[Advice]:
    """Fewer shuffle partitions than slots leave cores idle behind an exchange, and so does a last wave of a few."""
    if (exchanged := _exchanged(scenario)) is None:
        return
    key, partitions, slots = exchanged
    if partitions < slots:
        share = 100 * (1 - partitions / slots)
        text = f"{partitions} for {slots} slots: {share:.0f} % of the cores idle behind an exchange"
        source = "Apache Spark, spark.sql.shuffle.partitions; MinIO against Amazon S3 for Spark, July 2019"
        yield Advice("few-shuffle-partitions", "hint", key, text, source)
    elif rest := _last_wave(partitions, slots):
        last = numbered(f"{rest}", "tasks")
        text = f"{partitions} for {slots} slots: one more wave, of {last}; {partitions - rest} need none"
        yield Advice("last-shuffle-wave", "hint", key, text, "by arithmetic")


def _last_wave(tasks: int, slots: int) -> int:
    """Return the tasks of a last wave that is worth a word, as it leaves most slots idle behind few others; else 0."""
    rest = tasks % slots if 0 < slots < tasks < MOST_WAVES * slots else 0
    return rest if rest <= IDLE * slots else 0


def _exchanged(scenario: Scenario) -> tuple[str, int, int] | None:
    """Return the key of the tasks behind an exchange of SQL, how many they are, and slots; None of other work."""
    job = scenario.workload
    if isinstance(job, Spark):
        group = scenario.cluster.groups[job.framework.servers]
        slots = group.count * job.framework.on(group.server).slots
        return "workload.framework.shuffle_partitions", job.partitions(slots), slots
    if isinstance(job, Lakehouse) and (tasks := job.engine.exchange_tasks):
        group = scenario.cluster.groups[job.servers]
        slots = group.count * job.engine.tasks(group.server.cpu.threads)
        return "workload.engine.exchange_tasks", min(tasks, slots), slots  # tasks beyond the slots take no waves here
    return None


def few_slots(scenario: Scenario) -> Iterator[Advice]:
    """An engine that works on few tasks at a time leaves cores idle, or has few requests under way."""
    job = scenario.workload
    if isinstance(job, Lakehouse):
        threads = scenario.cluster.groups[job.servers].server.cpu.threads
        more = "more use the rest" if job.engine.slots < 1 else "more have more requests under way"
        text = f"{job.engine.tasks(threads)} tasks at a time on a worker of {threads} hardware threads; {more}"
        yield Advice("few-slots", "hint", "workload.engine.slots", text, "by arithmetic")


def random_reads(scenario: Scenario) -> Iterator[Advice]:
    """A client that expects reads at random asks for little of a split at a time, and waits for each."""
    if (pair := _by_s3a(scenario)) is None:
        return
    asked = pair[0].asked_in_order(pair[1].wishes.declared)
    if math.isinf(asked):
        return
    length = format(asked, "B")
    text = f"'random' asks for {length} of a split after the other; 'normal' asks once for what is read in order"
    source = "Apache Hadoop, S3AInputStream.calculateRequestLimit; performance.md, fadvise random"
    yield Advice("random-reads", "hint", "client.fs.s3a.experimental.input.fadvise", text, source)


def few_listers(scenario: Scenario) -> Iterator[Advice]:
    """An engine whose driver lists directories on few threads waits for the store, one listing after the other."""
    job = scenario.workload
    if isinstance(job, Lakehouse) and (threads := job.engine.listing(job.file_format)):
        own = job.file_format in job.engine.format_listing_threads
        key = f"workload.engine.{f'format_listing_threads.{job.file_format}' if own else 'listing_threads'}"
        text = f"the driver lists on {numbered(f'{threads}', 'threads')}; more have more requests under way"
        yield Advice("few-listers", "hint", key, text, "by arithmetic")


BEHIND: Mapping[str, tuple[Rule, ...]] = {
    HANDED: (few_a_heartbeat,),
    COMMIT: (renaming_committer, serial_commit),
    SILENT: (late_expiry,),
    "one copy stream": (renaming_committer, renaming_tool),
    "one copy in S3": (renaming_committer, renaming_tool),
    ONE_CORE: (idle_shuffle_slots, idle_threads, early_reduces),
    SLOTS: (few_slots,),
    LISTING: (few_listers,),
    "one download stream": (idle_threads,),
    "one drive a request": (few_copies,),
    "one drive stream": (few_copies,),
    "a window a round trip": (few_copies,),
    "container starts": (idle_threads, small_splits, early_reduces),
    "connections to the store": (few_connections,),
    "the tool's bandwidth": (slow_tool,),
    "write window": (small_window,),
    RANDOM: (random_reads,),
}
"""What speaks of the limits that runs name in these words."""
CONNECTION = "one connection"
"""What limits begin with of bytes that pass over one connection: to a store, of a request, to a server."""
VOLUME = " volume"
"""What the groups of attached volumes end in, which a setting chooses; all other groups are what somebody bought."""
DRIVES = " drives"
"""What the groups of drives end in, which settings of a shuffle may keep busy with more than its bytes."""
