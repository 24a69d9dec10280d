"""MinIO: objects cut into stripes, each stripe into k data and m parity shards on the n = k + m drives of one set.

Drives are numbered so that neighbours stand in different servers, and cut into sets of equal size. An object
belongs to the set its name hashes to; the server that the client reached (the coordinator) moves its shards.

Per byte read: k drives give 1/k each, all shards not on the coordinator cross the network once, then the whole byte
goes to the client. Per byte written: the byte comes in, n drives take 1/k each. One thread of the coordinator encodes
stripe after stripe, while others come in and are written. Servers that came later form a pool with sets of their own.
Not covered: multipart metadata, the scanner, small objects inlined, that new objects prefer the pool with more free
space, that objects which were written with more parity while drives were offline are read with fewer shards.

How many drives form a set, the default parity, quorums and the bytes of a stripe follow from the release
(`models.storage.minio.rules`). Source: MinIO RELEASE.2019-07-24, cmd/erasure-encode.go, cmd/erasure-decode.go.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from pydantic import model_validator

from models.advice import Advice
from models.hardware.cluster import Cluster
from models.hardware.places import check_bay
from models.problem import RefusalError, refusal
from models.quantity import Quantity, group, quantity, setting
from models.storage.contract import Interface
from models.storage.domains import Sets
from models.storage.minio.calls import Calls, calls_of, cpu
from models.storage.minio.heal import Heal
from models.storage.minio.rules import CURRENT, Code, Rules, rules_of
from models.storage.minio.sets import PoolSets, pool_sets, set_kinds
from models.storage.owned import OwnedStorage
from models.storage.protection import Protection
from models.storage.redundancy import ErasureCode
from models.storage.room import Room, in_blocks
from models.storage.tls import ServesTls

BITROT_HASH = 32
"""Bytes of the hash in front of each piece of a shard (HighwayHash-256). Source: as above, cmd/bitrot.go."""


MEASURED = (
    "prior: MinIO 2019-07-24 and 2025-10-15, built and measured with 4 to 16 drives on one and four servers, other "
    "work beside (docs/storage.md)"
)
"""Where the CPU times of a request come from."""


class Minio(ServesTls, OwnedStorage):
    """The object store."""

    usual = MappingProxyType({"planning": "minio-usual"})
    interface: ClassVar[Interface] = "objects"
    has_images: ClassVar[bool] = True
    protected_by: ClassVar[str] = "storage.parity"
    system: Literal["minio"] = setting("Storage system.")
    servers: str = group("Server group of the object store.")
    bay: str = setting("Drives that hold the shards.", default="data")
    release: str = setting(
        "Release of MinIO, by its tag or its day: sets, quorums and the defaults of parity, stripe and small objects.",
        default=CURRENT,
        examples=["RELEASE.2019-07-24T02-02-23Z", "2019-07-24"],
    )
    parity: int | None = setting(
        "Parity shards a stripe: m of EC:m; default: the release's for a set of that size.", default=None, ge=0
    )
    set_size: int | None = setting(
        "Drives a set; default: the largest number that the release allows, divides all drives and suits the servers.",
        default=None,
    )
    failed_drives: int = setting("Drives of every set that are offline.", default=0, ge=0)
    cached_reads: float = setting("Part of the bytes read that the servers' page cache holds.", default=0.0, ge=0, le=1)
    encode_cpu: Quantity = quantity(
        "s/B", "Reference core-seconds per byte to encode or reconstruct.", default=0.0, ge=0
    )
    hash_cpu: Quantity = quantity(
        "s/B", "Reference core-seconds per byte for the ETag of an upload.", default=0.0, ge=0
    )
    bitrot_cpu: Quantity = quantity(
        "s/B", "Reference core-seconds per shard byte for bitrot checksums.", default=0.0, ge=0
    )
    request_time: Quantity = quantity(
        "s",
        "Time of a request without its bytes on an idle store, in jobs and rebuilds. Loads of requests take request_cpu"
        " and the accesses of drives, of which it is made.",
        default=0.0,
        ge=0,
    )
    request_spread: float = setting(
        "Standard deviation of the logarithm of the time that a request without its bytes takes, in jobs request_time,"
        " in loads of requests request_cpu.",
        default=0.4,
        source="prior: as most first bytes of Amazon S3, p50 15 ms and p90 25 ms",
        between=(0.2, 0.8),
        ge=0,
        le=2,
    )
    heal: Heal = setting("How the rebuild of a drive is throttled.", default=Heal())
    transfer_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds per byte at a server's end of each connection, to clients and to other servers.",
        default=0.0,
        ge=0,
    )
    stripe: Quantity | None = quantity(
        "B",
        "Bytes of an object that are coded together; default: 1 MiB since RELEASE.2021-03-10, 10 MiB before.",
        default=None,
        gt=0,
    )
    inline_size: Quantity | None = quantity(
        "B",
        "Shards up to this size lie within the metadata (requests only); default: 128 KiB since RELEASE.2021-04-18.",
        default=None,
        ge=0,
    )
    metadata_seeks: float = setting(
        "Accesses of each drive of a set to find an object (requests only); 0 where memory holds all metadata.",
        default=1.0,
        ge=0,
    )
    metadata_writes: float | None = setting(
        "Writes of each drive of a set, one after the other, to note an object (requests only); default: 2 since "
        "RELEASE.2020-07-02, which syncs (the metadata, then the journal; up to 4 are known), 1 before.",
        default=None,
        ge=0,
    )
    request_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of the server that a request comes to, without its calls to drives (requests only); "
        "default: the release's.",
        default=...,
        by=cpu("request"),
        ge=0,
        source=MEASURED,
        between=("0.5 x", "2 x"),
    )
    call_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of both servers together for a call, to a drive or for a lock (requests only); "
        "default: the release's.",
        default=...,
        by=cpu("call"),
        ge=0,
        source=MEASURED,
        between=("0.5 x", "1.5 x"),
    )
    drive_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of a drive's server in each call of the drive (requests only); default: the release's.",
        default=...,
        by=cpu("drive"),
        ge=0,
        source=MEASURED,
        between=("0.5 x", "1.5 x"),
    )
    open_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds for each shard that a GET opens apart from metadata (requests only); "
        "default: the release's.",
        default=...,
        by=cpu("open"),
        ge=0,
        source=MEASURED,
        between=("0.5 x", "1.5 x"),
    )
    note_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of a drive's server to note or remove an object, besides (requests only); "
        "default: the release's.",
        default=...,
        by=cpu("note"),
        ge=0,
        source=MEASURED,
        between=("0.3 x", "1.5 x"),
    )
    list_cpu: Quantity = quantity(
        "s", "Reference core-seconds per page of a listing (requests only).", default="1 ms", ge=0
    )
    pending_expiry: Quantity = quantity(
        "s", "Age at which the store removes uploads that were never completed.", default="14 d", gt=0
    )

    @model_validator(mode="after")
    def _quorum_holds(self) -> Minio:
        rules = rules_of(self.release)
        if self.set_size is not None:
            Code(self.set_size, self.parity or 0, rules).check()
        if self.parity is not None:
            self._check_failed(self.parity)
        return self

    @property
    def end_cpu(self) -> float:
        """Reference core-seconds per byte at the end of a connection: TCP, and TLS where servers speak it."""
        return self.transfer_cpu + self.encryption_cpu

    @property
    def rules(self) -> Rules:
        """What the release does."""
        return rules_of(self.release)

    @property
    def stripe_bytes(self) -> float:
        """Bytes of an object that are coded together."""
        return self.rules.stripe if self.stripe is None else self.stripe

    def read_ahead(self, size: float) -> float:
        """Return the bytes of an upload of `size` that the coordinator has received and hashed before it codes them."""
        return self.rules.stripes_ahead * self.stripe_bytes if size > self.rules.big_upload else 0.0

    @property
    def inline_bytes(self) -> float:
        """Largest shard that lies within the metadata of its object; 0: none does."""
        return self.rules.inline_shard if self.inline_size is None else self.inline_size

    @property
    def noted_writes(self) -> float:
        """Writes of each drive of a set to note an object."""
        return self.rules.metadata_writes if self.metadata_writes is None else self.metadata_writes

    @property
    def calls(self) -> Calls:
        """What the release calls for a request."""
        return calls_of(self.release)

    def codes(self, cluster: Cluster) -> list[Code]:
        """Return how objects are coded in the sets of each pool; the first pool decides on the default parity.

        Raises:
            RefusalError: the drives of a pool cannot form sets.
        """
        rules = self.rules
        sizes = [rules.set_size(batch.servers, batch.drives, self.set_size) for batch in self.batches(cluster)]
        parity = rules.default_parity[sizes[0]] if self.parity is None else self.parity
        return [Code(size, parity, rules) for size in sizes]

    @classmethod
    def protected(cls, protection: Protection) -> dict[str, Any]:
        """Return the keys that choose a protection, None for those that must not be stated.

        Raises:
            RefusalError: the system has no such protection.
        """
        if protection.is_copies:
            raise refusal("protection", "MinIO codes all objects: expected 'EC:4' or 'EC 8+4'", value=f"{protection}")
        width = {"set_size": protection.data + protection.parity} if protection.data else {}
        return {"parity": protection.parity, **width}

    def fits(self, cluster: Cluster) -> None:
        """Refuse a cluster whose drives cannot form the sets, or one that takes no writes.

        Raises:
            RefusalError: a bay is missing, the drives cannot be cut, or too many of a set are offline.
        """
        check_bay(cluster, self.servers, self.bay)
        try:
            for code in self.codes(cluster):
                code.check()
                self._check_failed(code.parity)
                self.check_writes(code, self.failed_drives)
        except RefusalError as error:
            raise error.below("storage") from None

    def is_alike(self, cluster: Cluster, part: Cluster) -> bool:
        """Tell that it does: its sets are always those of the whole cluster."""
        return True

    def _check_failed(self, parity: int) -> None:
        if self.failed_drives > parity:
            raise refusal(
                "failed_drives", f"data is lost beyond {parity} drives of a set (parity)", value=self.failed_drives
            )

    def check_writes(self, code: Code, offline: int) -> None:
        """Refuse sets that take no writes while so many of their drives are offline.

        Raises:
            RefusalError: they take none.
        """
        if not code.takes_writes(offline):
            needed = code.at_write(offline).write_quorum
            raise refusal(
                "failed_drives",
                f"a write needs {needed} of the {code.drives} drives of a set",
                "lower it or raise the parity",
                value=self.failed_drives,
            )

    @property
    def uploads_expire(self) -> float:
        """Age (s) at which the system removes uploads that were never completed."""
        return self.pending_expiry

    def raw_per_byte(self, cluster: Cluster, replicas: int | None = None) -> float:
        """Return raw bytes that a stored byte takes: n/k of a set of n drives with k data shards, over all pools."""
        codes = self.codes(cluster)
        if len(set(codes)) == 1:
            return codes[0].drives / codes[0].data
        rooms = [Room(1, batch.capacity, i) for i, batch in enumerate(self.batches(cluster))]
        return sum(room.total for room in rooms) / self.usable(cluster, rooms)

    def usable(self, cluster: Cluster, rooms: Sequence[Room]) -> float:
        """Return bytes of data that fit into rooms: k/n of each pool. New objects go where more is free."""
        codes = self.codes(cluster)
        return sum(room.total * codes[room.batch].data / codes[room.batch].drives for room in rooms)

    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return raw bytes of an object of `size` bytes in the first pool: shards with hashes, and a metadata file."""
        code = self.codes(cluster)[0]
        stripes, rest = divmod(size, self.stripe_bytes)
        pieces = stripes * (math.ceil(self.stripe_bytes / code.data) + BITROT_HASH)
        last = math.ceil(rest / code.data) + BITROT_HASH if rest else 0.0
        return code.drives * (in_blocks(pieces + last) + in_blocks(1))

    def redundancy(self, cluster: Cluster) -> ErasureCode:
        """Return how objects outlive a failure: the code of the first pool."""
        code = self.codes(cluster)[0]
        return ErasureCode(code.data, code.parity)

    def advice(self, cluster: Cluster) -> Iterator[Advice]:
        """Yield that a stated CPU time of a request has the release's calls on top, with which it may be measured."""
        known = self.calls
        is_own = self.request_cpu != known.request
        if is_own and (self.call_cpu, self.drive_cpu) == (known.call, known.drive):
            text = "calls to servers and drives take more on top; where it was measured with them, set call_cpu,"
            key, source = "storage.request_cpu", MEASURED.removeprefix("prior: ")
            yield Advice("calls-on-top", "hint", key, f"{text} drive_cpu, open_cpu and note_cpu to 0", source)

    def set_up(self, cluster: Cluster) -> Iterator[tuple[str, str]]:
        """Yield how its servers are started: each pool by names that count its servers and their drives.

        Source: MinIO documentation, expansion notation; minio/minio, cmd/endpoint-ellipses.go.
        """
        pools = self.pools(cluster)
        given = [f"MINIO_STORAGE_CLASS_STANDARD=EC:{pools[0].code.parity}"]
        given += [f"MINIO_ERASURE_SET_DRIVE_COUNT={self.set_size}"] if self.set_size is not None else []
        named = [
            f"http://{self.servers}-{{{pool.first + 1}...{pool.first + pool.batch.servers}}}"
            f"/{self.bay}-{{1...{pool.batch.bay.count}}}"
            for pool in pools
        ]
        yield "Start command", " ".join([*given, "minio server", *named])

    def placement(self, cluster: Cluster) -> Sets:
        """Return its failure domains: the sets of each pool."""
        return set_kinds(self.pools(cluster), self.failed_drives)

    def pools(self, cluster: Cluster) -> list[PoolSets]:
        """Return the sets of each pool."""
        return pool_sets(self.codes(cluster), self.batches(cluster))
