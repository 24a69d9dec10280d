"""A pool of RADOS as CRUSH sees it: its OSDs, the pieces of an object, and what these may not share.

An object belongs to a placement group by the hash of its name, and the group to OSDs by CRUSH. Below `min_size` OSDs a
group serves nobody.

Source: Ceph documentation, erasure-code, crush-map, placement-groups; ceph/ceph, src/common/options.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from models.advice import Advice
from models.hardware.bays import BayBatch
from models.hardware.cluster import Cluster
from models.hardware.places import check_bay
from models.problem import refusal
from models.quantity import Model, Quantity, group, quantity, setting
from models.storage.domains import Racks, Scattered
from models.storage.owned import OwnedStorage
from models.storage.protection import Protection
from models.storage.redundancy import ErasureCode, Redundancy, Replicas

FailureDomain = Literal["host", "rack", "osd"]
PGS_PER_OSD = 100
"""Placement groups, counted with each of their pieces, that an OSD should have. Source: mon_target_pg_per_osd."""
MOST_PGS_PER_OSD = 250
"""Pieces of placement groups an OSD beyond which a pool is refused. Source: mon_max_pg_per_osd."""
LEAST_PGS = 32
"""Placement groups that a pool has at least. Source: ceph/ceph, src/pybind/mgr/pg_autoscaler/module.py, PG_NUM_MIN."""


class ErasureProfile(Model):
    """An erasure code profile."""

    k: int = setting("Data shards of an object.", ge=2)
    m: int = setting("Coding shards of an object.", ge=1)


class PlacedPool(OwnedStorage):
    """A pool whose groups lie on the OSDs of a server group."""

    usual = MappingProxyType({"planning": "ceph-usual"})
    protected_by: ClassVar[str] = "storage.replication"
    rebalances: ClassVar[bool] = True
    servers: str = group("Server group of the OSDs.")
    bay: str = setting("Drives of the OSDs.", default="data")
    db_bay: str | None = setting(
        "Drives that hold the databases and journals of the OSDs (block.db); default: each OSD on its own drive.",
        default=None,
    )
    osds_per_drive: int = setting(
        "OSDs of a drive (ceph-volume --osds-per-device), each of which does one operation after the other.",
        default=1,
        ge=1,
        le=16,
    )
    replication: int = setting("Replicas of an object (osd_pool_default_size).", default=3, ge=1)
    erasure_code: ErasureProfile | None = setting(
        "Erasure code profile of the pool, in place of replicas.", default=None
    )
    min_size: int | None = setting(
        "OSDs of a placement group without which it serves nobody; default: 2 of 3 replicas, k + 1 shards.",
        default=None,
        ge=1,
    )
    failure_domain: FailureDomain = setting(
        "What the pieces of an object may not share; with `osd` a server may have several of them, or all.",
        default="host",
    )
    pg_num: int | None = setting(
        "Placement groups; default: the power of two that gives an OSD about 100 pieces.", default=None, ge=1
    )
    balancer: bool = setting(
        "Whether the balancer moves pieces until no OSD has more than five over its share or under it (ceph balancer, "
        "on since Octopus); without it groups lie as CRUSH draws them.",
        default=True,
    )
    object_size: Quantity = quantity(
        "B", "Largest RADOS object (rgw_obj_stripe_size, rbd_default_order).", default="4 MiB", gt=0
    )

    def moved_onto(self, old: float, new: float, held: float) -> float:
        """Return the raw bytes that move: CRUSH gives new OSDs their share of the placement groups by their size."""
        return held * new / (old + new)

    @classmethod
    def protected(cls, protection: Protection) -> dict[str, Any]:
        """Return the keys that choose a protection, None for those that must not be stated.

        Raises:
            RefusalError: the system has no such protection.
        """
        if protection.is_copies:
            return {"replication": protection.copies, "erasure_code": None}
        k, m = protection.code()
        return {"erasure_code": {"k": k, "m": m}}

    def fits(self, cluster: Cluster) -> None:
        """Refuse a cluster without the bays, or with fewer hosts, or racks, than pieces of an object.

        Raises:
            RefusalError: with what is missing, or a min_size that no group reaches or that would lose data.
        """
        for bay in filter(None, (self.bay, self.db_bay)):
            check_bay(cluster, self.servers, bay)
        code = self.code
        hosts = cluster.groups[self.servers].count
        most = {"host": hosts, "rack": min(cluster.network.racks, hosts), "osd": self.osds(cluster)}
        if code.pieces > (domains := most[self.failure_domain]):
            text = f"{code} needs {code.pieces} {self.failure_domain}s, group {self.servers!r} has {domains}"
            raise refusal("storage.failure_domain", text, "add some, or store fewer pieces", value=self.failure_domain)
        if not code.data <= self.least <= code.pieces:
            text = f"expected {code.data} to {code.pieces}, the pieces that {code} needs and has"
            raise refusal("storage.min_size", text, "leave it out for the default", value=self.least)

    @property
    def code(self) -> Redundancy:
        """The redundancy of the pool."""
        if self.erasure_code:
            return ErasureCode(self.erasure_code.k, self.erasure_code.m)
        return Replicas(self.replication)

    @property
    def least(self) -> int:
        """OSDs of a placement group without which it serves nobody.

        Source: osd_pool_default_min_size: size - size // 2; of a code k + 1, but k with one coding shard.
        """
        if self.min_size is not None:
            return self.min_size
        code = self.code
        return code.data + min(1, code.pieces - code.data - 1) if self.erasure_code else code.pieces - code.pieces // 2

    def groups(self, cluster: Cluster) -> int:
        """Return the placement groups of the pool.

        By default those of the autoscaler for a pool that has all of the OSDs: the power of two that is nearest.
        Source: ceph/ceph, src/pybind/mgr/pg_autoscaler/module.py, nearest_power_of_two.
        """
        if self.pg_num is not None:
            return self.pg_num
        wanted = max(self.osds(cluster) * PGS_PER_OSD // self.code.pieces, LEAST_PGS)
        above = 1 << (wanted - 1).bit_length()
        return above // 2 if 2 * wanted < above + above // 2 else above

    def osds(self, cluster: Cluster) -> int:
        """Return the OSDs of all servers."""
        return self.osds_per_drive * sum(batch.drives for batch in self.batches(cluster))

    def osds_of_a_server(self, cluster: Cluster) -> int:
        """Return the OSDs of the server that has most."""
        return max(self.osds_of(batch) for batch in self.batches(cluster))

    def osds_of(self, batch: BayBatch) -> int:
        """Return the OSDs of a server of some that are alike."""
        return self.osds_per_drive * batch.bay.count

    def redundancy(self, cluster: Cluster) -> Redundancy:
        """Return how its bytes outlive a failure."""
        return self.code

    def placement(self, cluster: Cluster) -> Scattered:
        """Return its failure domains: placement groups, on hosts, in racks or on OSDs that differ."""
        racks: Racks = "distinct" if self.failure_domain == "rack" else "any"
        by_osd = self.failure_domain == "osd"
        held = (self.osds_per_drive, self.osds_of_a_server(cluster)) if by_osd else (1, 1)
        groups = float(self.groups(cluster))
        return Scattered(self.code, self.object_size, self.least, racks, groups, on_drive=held[0], on_server=held[1])

    def pieces_an_osd(self, cluster: Cluster) -> float:
        """Return the pieces of placement groups that an OSD has in the mean."""
        return self.groups(cluster) * self.code.pieces / self.osds(cluster)

    def set_up(self, cluster: Cluster) -> Iterator[tuple[str, str]]:
        """Yield the placement groups of the pool."""
        groups, pieces = self.groups(cluster), self.pieces_an_osd(cluster)
        yield "Placement groups (pg_num)", f"{groups:,}: {pieces:.0f} pieces on each of {self.osds(cluster):,} OSDs"

    def advice(self, cluster: Cluster) -> Iterator[Advice]:
        """Yield what is allowed but unwise: a min_size that risks data, no host to rebuild onto, no flash."""
        code, drive = self.code, cluster.groups[self.servers].server.bays[self.bay].drive
        if self.least == code.data and code.pieces > code.data + 1:
            text = f"{self.least}: what is written while so few are left is lost with one more; take {code.data + 1}"
            yield Advice("min-size", "warning", "storage.min_size", text, "Ceph documentation, Pools")
        if code.pieces == code.data + 1:
            text = f"{code}: while a lost piece is rebuilt, none can be spared; take 3 replicas, or two coding shards"
            yield Advice("one-spare-piece", "warning", self.protected_by, text, "Ceph documentation, Pools")
        if self.pieces_an_osd(cluster) > MOST_PGS_PER_OSD:
            text = f"{self.groups(cluster):,}: more than {MOST_PGS_PER_OSD} pieces an OSD; the monitors refuse the pool"
            yield Advice("too-many-groups", "warning", "storage.pg_num", text, "Ceph documentation, Placement groups")
        if self.failure_domain == "host" and cluster.groups[self.servers].count == code.pieces:
            text = f"as many hosts as pieces ({code.pieces}): after the loss of one there is no other to rebuild onto"
            yield Advice(
                "no-spare-host", "hint", "storage.servers", text, "Ceph documentation, Hardware recommendations"
            )
        on_server = min(self.osds_of_a_server(cluster), code.pieces)
        if self.failure_domain == "osd" and on_server > code.pieces - code.data:
            text = f"{on_server} of {code.pieces} pieces may lie on one server: with it data is gone; take host"
            yield Advice(
                "pieces-share-server", "warning", "storage.failure_domain", text, "Ceph documentation, CRUSH Maps"
            )
        if drive.technology == "hdd" and self.db_bay is None:
            text = "databases on hard drives: each operation seeks for its metadata; name drives of flash in db_bay"
            yield Advice("db-on-hdd", "hint", "storage.db_bay", text, "Ceph documentation, BlueStore configuration")
