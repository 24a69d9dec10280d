"""S3A, Hadoop's client for object stores, with its settings under Hadoop's names.

`s3a_writer` says how a task's file reaches the store, `s3a_requests` which requests that takes, `s3a_releases` what
a release ships. Uploads that interrupted jobs never complete keep their parts in the store until S3A purges them, or
the store itself does.

Source: Hadoop 3.3.5, core-default.xml, and hadoop-aws, "Maximizing Performance when working with the S3A Connector";
limits of an upload: NetApp, How to enable StorageGRID in your environment, 22 April 2024, Multipart upload.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import model_validator

from models.problem import refusal
from models.quantity import Model, Quantity, place, quantity, setting
from models.storage.clients.reading import SHIPPED, Algorithm, Columns, Fetched, Policy
from models.storage.clients.s3a_reads import Experimental, Readahead, Vectored, fetched
from models.storage.clients.s3a_releases import CURRENT, knows_vectors, shipped
from models.storage.contract import Interface
from models.units import format

MOST_PARTS = 10_000
LARGEST_PART = 5368709120.0
"""Parts of an upload, and bytes of a part, at most. Source: as above."""

RECORDS = 4096.0
"""Bytes that who reads records asks for at a time. Source: core-default.xml of Hadoop 3.3.4, io.file.buffer.size."""

CommitterName = Literal["directory", "partitioned", "magic", "file"]
STAGING: tuple[CommitterName, ...] = ("directory", "partitioned")


class Block(Model):
    """fs.s3a.block."""

    size: Quantity = quantity("B", "Split size reported to jobs (fs.s3a.block.size).", default=33554432.0, gt=0)


class Purge(Model):
    """fs.s3a.multipart.purge."""

    age: Quantity | None = quantity(
        "s",
        "Purges uploads older than this (fs.s3a.multipart.purge = true, fs.s3a.multipart.purge.age); default: none.",
        default=None,
        gt=0,
    )


class Multipart(Model):
    """fs.s3a.multipart."""

    size: Quantity = quantity(
        "B",
        "Size of a part (fs.s3a.multipart.size); default: of `release`.",
        default=67108864.0,
        ge=5242880,
        le=LARGEST_PART,
    )
    threshold: Quantity = quantity(
        "B",
        "Renamed files up to this size are copied by one request (fs.s3a.multipart.threshold); default: of `release`.",
        default=134217728.0,
        ge=5242880,
        le=LARGEST_PART,
    )
    purge: Purge = setting("Purge of uploads that were never completed.", default=Purge())


class Threads(Model):
    """fs.s3a.threads."""

    max: int = setting("Upload threads of a process (fs.s3a.threads.max); default: of `release`.", default=64, ge=1)


class Connection(Model):
    """fs.s3a.connection."""

    maximum: int = setting(
        "Connections of a process (fs.s3a.connection.maximum); default: of `release`.", default=96, ge=1
    )


class Active(Model):
    """fs.s3a.fast.upload.active."""

    blocks: int = setting(
        "Parts a stream may have in upload or in queue (fs.s3a.fast.upload.active.blocks).", default=4, ge=1
    )


class Upload(Model):
    """fs.s3a.fast.upload."""

    buffer: Literal["disk", "array", "bytebuffer"] = setting(
        "Where parts wait for upload (fs.s3a.fast.upload.buffer): on buffer.dir, in the heap, or beside it.",
        default="disk",
    )
    active: Active = setting("Parts in flight.", default=Active())


class Fast(Model):
    """fs.s3a.fast."""

    upload: Upload = setting("Streaming upload.", default=Upload())


class Committer(Model):
    """fs.s3a.committer."""

    name: CommitterName = setting("How output reaches its place (fs.s3a.committer.name).", default="file")
    threads: int = setting("Threads of job commit (fs.s3a.committer.threads).", default=8, ge=1)
    algorithm: Algorithm | None = setting(
        "Version of the FileOutputCommitter (mapreduce.fileoutputcommitter.algorithm.version); default: what the "
        "engine of a job sets (committer_algorithm), else 2, as Hadoop ships.",
        default=None,
        source="published: Hadoop 3.2.0 to 3.4.1, mapred-default.xml; 1 before 3.0 (SPARK-32701)",
    )
    partitions: int = setting("Partition directories a task checks (partitioned committer).", default=1, ge=1)

    @property
    def version(self) -> Algorithm:
        """Version of the FileOutputCommitter: with 1 it renames each file once more when the job commits."""
        return self.algorithm or SHIPPED


class Buffer(Model):
    """fs.s3a.buffer."""

    dir: str = place("Bay or volume of the compute servers that buffers output (fs.s3a.buffer.dir).", default="root")


class S3aSettings(Model):
    """The settings of S3A that act in the model."""

    block: Block = setting("Splits.", default=Block())
    multipart: Multipart = setting("Multipart uploads.", default=Multipart())
    threads: Threads = setting("Threads.", default=Threads())
    connection: Connection = setting("Connections.", default=Connection())
    fast: Fast = setting("Streaming upload.", default=Fast())
    committer: Committer = setting("Output committer.", default=Committer())
    buffer: Buffer = setting("Local buffer.", default=Buffer())
    experimental: Experimental = setting("Input policy.", default=Experimental())
    readahead: Readahead = setting("Read-ahead.", default=Readahead())
    vectored: Vectored = setting("Vectored reads.", default=Vectored())

    @property
    def is_staging(self) -> bool:
        """Whether files are staged whole before they are uploaded."""
        return self.committer.name in STAGING

    def of_engine(self, algorithm: Algorithm | None) -> S3aSettings:
        """Return the settings of a job whose engine sets the version of the committer, unless they state it."""
        if algorithm is None or self.committer.algorithm is not None:
            return self
        return self.model_copy(update={"committer": self.committer.model_copy(update={"algorithm": algorithm})})

    @property
    def streams(self) -> int:
        """Parts of a file that are uploaded, or copied, at a time at most."""
        return min(self.threads.max, self.connection.maximum)

    def parts(self, size: float) -> int:
        """Return the parts in which a file of `size` bytes is uploaded."""
        return max(math.ceil(size / self.multipart.size - 1e-9), 1)

    def copied_parts(self, size: float) -> int:
        """Return the requests by which a file of `size` bytes is copied when it is renamed."""
        return self.parts(size) if size > self.multipart.threshold else 1

    def buffered(self, size: float) -> float:
        """Return the bytes of memory in which parts of a task's file of `size` bytes wait for upload."""
        upload = self.fast.upload
        if upload.buffer == "disk" or self.is_staging:
            return 0.0
        return min(upload.active.blocks, self.parts(size)) * self.multipart.size


class Fs(Model):
    """The file system settings."""

    s3a: S3aSettings = setting("S3A.", default=S3aSettings())


class Abandoned(Model):
    """Uploads that interrupted, failed or aborted jobs leave behind in the bucket."""

    rate: Quantity = quantity("1/s", "Uploads that are never completed.", default=0.0, ge=0)
    size: Quantity = quantity("B", "Bytes uploaded of each.", default=0.0, ge=0)


class S3aClient(Model):
    """The client side of an object store: `fs.s3a.*` as in core-site.xml."""

    speaks: ClassVar[tuple[Interface, ...]] = ("objects",)
    shared_writes: ClassVar[tuple[Interface, ...]] = ()
    connector: Literal["s3a"] = setting("Client library.")
    release: str = setting(
        "Release of Hadoop, from 3.0 on, that says what is not stated: parts, threads, connections, vectored reads.",
        default=CURRENT,
    )
    fs: Fs = setting("Settings.", default=Fs())
    abandoned: Abandoned = setting("Uploads that were never completed.", default=Abandoned())

    @model_validator(mode="before")
    @classmethod
    def _ships(cls, stated: Any) -> Any:
        """Return what is stated, and beside it what the release that is named ships."""
        if not isinstance(stated, dict) or not isinstance(stated.get("release"), str):
            return stated
        return _beside(stated, {"fs": {"s3a": shipped(stated["release"])}})

    def policy(self, declared: Policy | None) -> Policy:
        """Return how an object is read that somebody opens who declares how, or None; releases of old do not listen."""
        listens = knows_vectors(self.release)  # both came with 3.3.5
        return declared if declared and listens else self.fs.s3a.experimental.input.fadvise

    def asked_in_order(self, declared: Policy | None) -> float:
        """Return the most bytes (B) that a GET asks for of an object that is read in order, by who declares so much."""
        is_random = self.policy(declared) == "random"
        return max(self.fs.s3a.readahead.range, RECORDS) if is_random else math.inf

    def fetched(self, columns: Columns) -> Fetched:
        """Return what it sends for the columns of a split."""
        settings, vectored = self.fs.s3a, self.fs.s3a.vectored if knows_vectors(self.release) else None
        return fetched(columns, self.policy(columns.declared), settings.readahead.range, vectored)

    def pending(self, expiry: float) -> float:
        """Return the number of uncompleted uploads in a store that removes them itself after `expiry` seconds."""
        age = self.fs.s3a.multipart.purge.age
        if not self.abandoned.rate:
            return 0.0
        return self.abandoned.rate * min(expiry, math.inf if age is None else age)

    def check_parts(self, size: float) -> None:
        """Refuse files of `size` bytes that have too many parts.

        Raises:
            RefusalError: with the way out.
        """
        settings = self.fs.s3a
        if (parts := settings.parts(size)) > MOST_PARTS:
            raise refusal(
                "client.fs.s3a.multipart.size",
                f"a file of {format(size, 'B')} has {parts} parts, an upload has at most {MOST_PARTS}",
                "raise it, or write more files",
                value=format(settings.multipart.size, "B"),
            )

    def check_memory(self, size: float, containers: int, heap: float, memory: float) -> None:
        """Refuse buffers that do not fit into the `heap` (B) of the containers of a server with `memory` (B).

        Off-heap buffers are limited to as much again as the heap has (-XX:MaxDirectMemorySize, default), and by what
        the heaps leave of the memory.

        Raises:
            RefusalError: with the way out.
        """
        need, buffer = self.fs.s3a.buffered(size), self.fs.s3a.fast.upload.buffer
        room, where = heap / containers, "heap of a container"
        left = max(memory - heap, 0.0) / containers
        if buffer == "bytebuffer" and left < room:
            room, where = left, "memory beside the heap of a container"
        if need > room:
            raise refusal(
                "client.fs.s3a.fast.upload.buffer",
                f"the parts that a task uploads at a time take {format(need, 'B')}, the {where} is {format(room, 'B')}",
                "lower fast.upload.active.blocks or multipart.size, give containers more memory, or buffer on disk",
                value=buffer,
            )


def _beside(stated: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings that are stated, in tables within tables, and others where none is."""
    both: dict[str, Any] = dict(stated)
    for key, value in other.items():
        if key not in both:
            both[key] = value
        elif isinstance(both[key], dict) and isinstance(value, Mapping):
            both[key] = _beside(both[key], value)
    return both
