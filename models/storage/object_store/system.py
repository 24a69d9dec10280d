"""An object store without gateways: the server that has an object answers its clients.

A client finds the target of an object by its name, or is sent there by whom it asks first (`redirect_time`). The
target reads an object of `replication` copies from a drive of its own; of one that is coded it collects k pieces from
servers that differ. A PUT goes to the target, which codes it, keeps a piece and sends the others on, and is
acknowledged when all are written. So a byte crosses one card less than in a store behind gateways.

Not covered: caches, lists that many servers merge, names that move when servers come.

Source: NVIDIA AIStore, documentation, Overview (redirect, HRW, erasure coding). CPU costs are assumptions from those of
their parts.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from models.hardware.cluster import Cluster
from models.quantity import Model, Quantity, quantity, setting
from models.storage.contract import Interface
from models.storage.domains import Scattered
from models.storage.owned import OwnedStorage
from models.storage.redundancy import ErasureCode, Redundancy, Replicas


class Coded(Model):
    """An erasure code of objects."""

    data: int = setting("Pieces that hold the bytes of an object once.", ge=2)
    parity: int = setting("Further pieces.", ge=1)


class DirectStore(OwnedStorage):
    """The object store."""

    interface: ClassVar[Interface] = "objects"
    protected_by: ClassVar[str] = "storage.replication"
    system: Literal["object-store"] = setting("Storage system.")
    replication: int = setting("Copies of an object.", default=3, ge=1)
    erasure_code: Coded | None = setting("Erasure code of objects, in place of copies.", default=None)
    redirect_time: Quantity = quantity(
        "s", "Until a client knows the target: a round trip to whom it asks first.", default=0.0, ge=0
    )
    metadata_seeks: float = setting(
        "Seeks of a drive to find or note an object; 0 where memory holds all names.", default=1.0, ge=0
    )
    request_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of the target per request.",
        default="200 us",
        ge=0,
        source="prior: a request like S3's, with signature and metadata",
        between=("80 us", "600 us"),
    )
    list_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds per page of a listing.",
        default="5 ms",
        ge=0,
        source="assumed: 1,000 names",
        between=("1 ms", "30 ms"),
    )
    get_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds of the target per byte of a GET.",
        default="0.5 ns/B",
        source="prior: TCP and copies",
        between=("0.3 ns/B", "1 ns/B"),
    )
    put_cpu: Quantity = quantity(
        "s/B",
        "The same of a PUT.",
        default="2 ns/B",
        ge=0,
        source="prior: with MD5 for the ETag; 0.4 with CRC32C instead",
        between=("1.6 ns/B", "3 ns/B"),
    )
    piece_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds per byte of a piece, of the server that holds it.",
        default="0.5 ns/B",
        ge=0,
        source="prior: TCP, checksums and copies",
        between=("0.3 ns/B", "1 ns/B"),
    )
    encode_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds per byte that is coded.",
        default="0.35 ns/B",
        ge=0,
        source="prior: ISA-L 0.15, pieces 0.2",
        between=("0.1 ns/B", "0.7 ns/B"),
    )
    rebuild_delay: Quantity = quantity(
        "s",
        "From a failure until its objects are rebuilt on others.",
        default="1 min",
        ge=0,
        source="assumed: detection, as stores wait for what comes back",
        between=("20 s", "10 min"),
    )
    rebuild_streams: int = setting(
        "Objects that a server makes whole at a time.",
        default=4,
        ge=1,
        source="assumed: as stores throttle what is not urgent",
        between=(1, 16),
    )

    @property
    def code(self) -> Redundancy:
        """The redundancy of objects."""
        if self.erasure_code is None:
            return Replicas(self.replication)
        return ErasureCode(self.erasure_code.data, self.erasure_code.parity)

    def redundancy(self, cluster: Cluster) -> Redundancy:
        """Return how its bytes outlive a failure."""
        return self.code

    def placement(self, cluster: Cluster) -> Scattered:
        """Return its failure domains: each object on servers of its own, new ones on those that are up."""
        return Scattered(self.code, OBJECT, self.code.data, "any", chooses=True)

    @property
    def rebuilds_into_free_space(self) -> bool:
        """Whether lost pieces are rebuilt on the servers that are left: others take the place of a lost one."""
        return True


OBJECT = 67108864.0
"""Bytes of an object where durability asks for them. Assumption: 64 MiB."""
