"""Keys of Hadoop's settings that parts of a profile have, and those of S3A that its model does not have.

Source: Apache Hadoop, core-default.xml, hdfs-default.xml, mapred-default.xml and yarn-default.xml; S3A's Constants.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from models import units

Read = Callable[[str], float | int | str | bool]
_MIB = 2.0**20


def size(text: str) -> float:
    """Return a size such as 134217728 or 128m in bytes."""
    power = "kmgtp".find(text[-1:].lower()) + 1
    return float(text[:-1] if power else text) * 1024.0**power


def seconds(text: str) -> float:
    """Return seconds such as 86400, or 24h, as later releases write them."""
    if text and text[-1] in "smhd":
        return float(text[:-1]) * units.parse(f"1 {text[-1].replace('m', 'min')}", "s")
    return float(text)


def _mib(text: str) -> float:
    return float(text) * _MIB


def _milliseconds(text: str) -> float:
    return float(text) / 1000


def _at_least(least: int) -> Read:
    """Return what reads a number of which YARN takes the least for all below: -1 waits as 0 does, for nothing."""
    return lambda text: max(int(text), least)


def _whether(text: str) -> bool:
    return text.lower() == "true"


def _of(words: Mapping[str, str]) -> Read:
    def known(text: str) -> str:
        if text.lower() not in words:
            raise ValueError(f"expected one of {', '.join(words)}")
        return words[text.lower()]

    return known


_POLICIES = {"normal": "normal", "default": "normal", "adaptive": "normal"} | {
    word: word for word in ("sequential", "random")
}
_COMMITTERS = {word: word for word in ("file", "directory", "partitioned", "magic")}
_BUFFERS = {word: word for word in ("disk", "array", "bytebuffer")}

Keys = Mapping[str, tuple[str, str, Read]]
"""By key of Hadoop: the key of a part, its unit, and what reads a value."""

S3A: Keys = MappingProxyType(
    {key: (key, "B", size) for key in ("fs.s3a.block.size", "fs.s3a.multipart.size", "fs.s3a.multipart.threshold")}
    | {key: (key, "", int) for key in ("fs.s3a.threads.max", "fs.s3a.connection.maximum", "fs.s3a.committer.threads")}
    | {
        "fs.s3a.fast.upload.buffer": ("fs.s3a.fast.upload.buffer", "", _of(_BUFFERS)),
        "fs.s3a.fast.upload.active.blocks": ("fs.s3a.fast.upload.active.blocks", "", int),
        "fs.s3a.committer.name": ("fs.s3a.committer.name", "", _of(_COMMITTERS)),
        "mapreduce.fileoutputcommitter.algorithm.version": ("fs.s3a.committer.algorithm", "", int),
        "fs.s3a.experimental.input.fadvise": ("fs.s3a.experimental.input.fadvise", "", _of(_POLICIES)),
        "fs.s3a.readahead.range": ("fs.s3a.readahead.range", "B", size),
        "fs.s3a.vectored.read.min.seek.size": ("fs.s3a.vectored.read.min.seek.size", "B", size),
        "fs.s3a.vectored.read.max.merged.size": ("fs.s3a.vectored.read.max.merged.size", "B", size),
        "fs.s3a.vectored.active.ranged.reads": ("fs.s3a.vectored.active.ranged.reads", "", int),
    }
)
PURGE, PURGE_AGE = "fs.s3a.multipart.purge", "fs.s3a.multipart.purge.age"

_REDUCE = "mapreduce.reduce.shuffle."
JOB: Keys = MappingProxyType(
    {
        "mapreduce.input.fileinputformat.split.minsize": ("split_minsize", "B", size),
        "mapreduce.map.memory.mb": ("framework.container_memory", "B", _mib),
        "mapreduce.reduce.memory.mb": ("framework.reduce_container_memory", "B", _mib),
        "yarn.app.mapreduce.am.resource.mb": ("framework.am_memory", "B", _mib),
        "yarn.scheduler.minimum-allocation-mb": ("framework.allocation", "B", _mib),
        "yarn.nodemanager.resource.memory-mb": ("framework.node_memory", "B", _mib),
        "mapreduce.task.io.sort.mb": ("framework.sort_memory", "B", _mib),
        "mapreduce.task.io.sort.factor": ("framework.sort_factor", "", int),
        "mapreduce.map.sort.spill.percent": ("framework.spill_percent", "", float),
        "mapreduce.job.reduce.slowstart.completedmaps": ("framework.slowstart", "", float),
        "mapreduce.reduce.input.buffer.percent": ("framework.reduce_memory", "", float),
        "mapreduce.shuffle.max.threads": ("framework.shuffle_threads", "", int),
        f"{_REDUCE}parallelcopies": ("framework.parallel_copies", "", int),
        f"{_REDUCE}input.buffer.percent": ("framework.shuffle_memory", "", float),
        f"{_REDUCE}merge.percent": ("framework.merge_percent", "", float),
        f"{_REDUCE}memory.limit.percent": ("framework.segment_limit", "", float),
        "yarn.app.mapreduce.am.job.reduce.rampup.limit": ("framework.reduce_ramp", "", float),
        "yarn.nm.liveness-monitor.expiry-interval-ms": ("framework.node_expiry", "s", _milliseconds),
        "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms": ("framework.node_heartbeat", "s", _milliseconds),
        "yarn.scheduler.capacity.node-locality-delay": ("framework.locality_delay", "", _at_least(0)),
        "yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments": (
            "framework.off_switch",
            "",
            _at_least(1),
        ),
        "yarn.scheduler.capacity.per-node-heartbeat.maximum-container-assignments": (
            "framework.heartbeat_containers",
            "",
            _at_least(1),
        ),
    }
)
"""Of jobs of MapReduce, whose tasks nobody counted."""
NOTHING = frozenset({"0", "1", "-1", ""})
"""Values by which settings of jobs ask for nothing: no least split, or memory of containers as it comes."""

HDFS: Keys = MappingProxyType(
    {
        "dfs.replication": ("replication", "", int),
        "dfs.blocksize": ("block_size", "B", size),
        "dfs.block.size": ("block_size", "B", size),
        "dfs.namenode.replication.min": ("replication_min", "", int),
        "dfs.client.read.shortcircuit": ("short_circuit", "", _whether),
    }
)

_UNMODELLED = """
attempts.maximum buffer.dir bulk.delete.page.size change.detection.mode change.detection.source committer.magic.enabled
committer.staging.conflict-mode committer.staging.unique-filenames connection.acquisition.timeout
connection.establish.timeout connection.idle.time connection.request.timeout connection.timeout connection.ttl
create.performance directory.marker.retention executor.capacity input.async.drain.threshold input.stream.type
list.version max.total.tasks multiobjectdelete.enable multipart.uploads.enabled optimized.copy.from.local.enabled
paging.maximum performance.flags prefetch.block.count prefetch.block.size prefetch.enabled retry.interval retry.limit
retry.throttle.interval retry.throttle.limit socket.recv.buffer socket.send.buffer threads.keepalivetime
"""
UNMODELLED = frozenset(f"fs.s3a.{key}" for key in _UNMODELLED.split())
"""Settings of S3A that say how fast it is, or how it asks, and that its model does not have."""
UNKNOWN = MappingProxyType({"fs.s3a.input.fadvise": "fs.s3a.experimental.input.fadvise"})
"""What many write, but S3A does not know, and what it knows."""
OF_A_BUCKET = "fs.s3a.bucket."
