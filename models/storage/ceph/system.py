"""Ceph's object store: S3 requests through gateways (RGW) to a RADOS pool.

A gateway is a server with `daemons` radosgw, each of which serves at most `max_concurrent_requests` at a time; others
wait. Gateways may be servers of their own or those of the OSDs. Their threads never limit: a request that waits holds
none.

Source: ceph/ceph, src/common/options/rgw.yaml.in. CPU costs are assumptions from those of their parts: TCP 0.25 ns/B
each way, copies, MD5 1.5 ns/B for the ETag of a PUT, AES-GCM 0.25 ns/B.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from models.quantity import Quantity, group, quantity, setting
from models.storage.ceph.pool import RadosPool
from models.storage.contract import Interface


class Ceph(RadosPool):
    """The object store of Ceph."""

    interface: ClassVar[Interface] = "objects"
    system: Literal["ceph"] = setting("Storage system.")
    gateways: str = group("Server group of the gateways; that of the OSDs where they run beside them.")
    daemons: int = setting("Gateway daemons (radosgw) of a server.", default=1, ge=1)
    max_concurrent_requests: int = setting(
        "Requests of a daemon at a time (rgw_max_concurrent_requests).", default=1024, ge=1
    )
    index_shards: int = setting(
        "Shards of the index of a bucket (rgw_override_bucket_index_max_shards).", default=11, ge=1
    )
    tls: bool = setting("Whether clients speak TLS to gateways.", default=False)
    get_request_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of a gateway per GET, HEAD or LIST. Assumption: signature and metadata, 80 to 600 us.",
        default="200 us",
        ge=0,
    )
    put_request_cpu: Quantity = quantity(
        "s", "The same per PUT or DELETE. Assumption: 80 to 600 us.", default="200 us", ge=0
    )
    get_cpu: Quantity = quantity(
        "s/B",
        "Reference core-seconds of a gateway per byte of a GET. Assumption: in, out and a copy, 0.5 to 1.5 ns/B.",
        default="0.75 ns/B",
        ge=0,
    )
    put_cpu: Quantity = quantity(
        "s/B",
        "The same of a PUT. Assumption: with MD5, 1.8 to 3 ns/B; 2.3 more where clients sign the payload (SHA-256).",
        default="2.3 ns/B",
        ge=0,
    )
    tls_cpu: Quantity = quantity(
        "s/B", "Reference core-seconds per byte under TLS. Assumption: AES-GCM, 0.2 to 0.4 ns/B.", default="0.25 ns/B"
    )
    list_cpu: Quantity = quantity(
        "s",
        "Reference core-seconds of an OSD per shard of a page of a listing. Assumption: 1,000 entries, 0.5 to 3 ms.",
        default="1 ms",
        ge=0,
    )

    @property
    def encryption_cpu(self) -> float:
        """Reference core-seconds of a gateway per byte for encryption on the way to clients."""
        return self.tls_cpu if self.tls else 0.0
