"""An object store without gateways: the server that has an object answers its clients.

A client asks any proxy, which computes the target of an object from its name and sends it there (HTTP 307), over
connections that both keep (`redirects`); or it finds the target itself. The target reads an object of `replication`
copies from a drive of its own; of one that is coded it collects k pieces from servers that differ. A PUT goes to the
target, which codes it, keeps a piece and sends the others on, and is acknowledged when all are written. So a byte
crosses one card less than in a store behind gateways.

Assumption: proxies run on the servers of the targets. Not covered: caches, lists that many servers merge, names that
move when servers come.

Source: NVIDIA AIStore, docs/traffic_patterns.md (a GET and a PUT are redirected), docs/overview.md (HRW, erasure
coding). CPU costs are assumptions from those of their parts.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from models.hardware.cluster import Cluster
from models.quantity import Model, Quantity, quantity, setting
from models.storage.contract import Interface
from models.storage.domains import Scattered
from models.storage.owned import OwnedStorage
from models.storage.protection import Protection
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
    redirects: bool = setting(
        "Whether a client asks a proxy first, a round trip, which sends it on to the target; as AIStore ships.",
        default=True,
    )
    redirect_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of a proxy per request that it sends on.",
        default="35 us",
        ge=0,
        source="prior: an answer of Go's net/http without a body, 15 to 50 us alone, 1.3 times that beside busy cores",
        between=("20 us", "65 us"),
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
        default="0.65 ns/B",
        source="prior: TCP and copies, 0.5 alone and 1.3 times as much beside busy cores",
        between=("0.4 ns/B", "1.3 ns/B"),
    )
    put_cpu: Quantity = quantity(
        "s/B",
        "The same of a PUT.",
        default="2.2 ns/B",
        ge=0,
        source="prior: the same, with MD5 for the ETag; 0.75 with CRC32C instead",
        between=("1.8 ns/B", "3.3 ns/B"),
    )
    piece_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds per byte of a piece, of the server that holds it.",
        default="0.65 ns/B",
        ge=0,
        source="prior: TCP, checksums and copies, 0.5 alone and 1.3 times as much beside busy cores",
        between=("0.4 ns/B", "1.3 ns/B"),
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

    @classmethod
    def protected(cls, protection: Protection) -> dict[str, Any]:
        """Return the keys that choose a protection, None for those that must not be stated.

        Raises:
            RefusalError: the system has no such protection.
        """
        if protection.is_copies:
            return {"replication": protection.copies, "erasure_code": None}
        data, parity = protection.code()
        return {"erasure_code": {"data": data, "parity": parity}}

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
