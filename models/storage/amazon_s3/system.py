"""Amazon S3 seen from a cluster: a store without servers or limits of its own size, reached request by request.

A GET waits for its first byte and then streams over one connection of limited speed; all GETs of the run share the
request rate of their prefixes, and so do all PUTs. What a client spends per byte on decryption and copying, and how
many ranges of an object it has under way, belongs to the client (`models.storage.clients.s3`).

Its storage classes differ in the time to the first byte, in requests a second, in what is billed, and in whether a copy
lies in other zones; a price list has prices for each (`prices.storage_classes`). In the classes of infrequent access an
object is billed as 128 KB at the least, and for 30 or 90 days.

Not covered: the slow growth of the request limits; but for a load of requests the spread of the first byte, retries
and writes; the bill of objects that are deleted too early.

Source: dvassallo/s3-benchmark; AWS, "Best practices design patterns: optimizing Amazon S3 performance"; Amazon S3 User
Guide, "Understanding and managing Amazon S3 storage classes".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import ClassVar, Literal

from models.advice import Advice
from models.distributions import Spread
from models.hardware.cluster import Cluster
from models.hardware.server import PACKET_HEADERS
from models.quantity import Quantity, quantity, setting
from models.storage.contract import Interface
from models.storage.rented import RentedStorage
from models.units import DAY, format
from models.values import value

READS_LIMIT, WRITES_LIMIT = "reads of a prefix", "writes of a prefix"
"""What runs call its limits."""
BEST_PRACTICES = "AWS, Best practices design patterns: optimizing Amazon S3 performance"
READS = frozenset({"GET", "HEAD", "LIST"})
"""Requests that share the limit of reads; all others share that of writes."""
StorageClass = Literal["standard", "standard-ia", "one-zone-ia", "express-one-zone", "glacier-instant"]


@value()
class Terms:
    """What a storage class bills at the least, bytes of an object and seconds, and whether it is in one zone only."""

    least_size: float = 0.0
    least_duration: float = 0.0
    is_one_zone: bool = False


TERMS: Mapping[StorageClass, Terms] = MappingProxyType(
    {
        "standard": Terms(),
        "standard-ia": Terms(128e3, 30 * DAY),
        "one-zone-ia": Terms(128e3, 30 * DAY, is_one_zone=True),
        "express-one-zone": Terms(is_one_zone=True),
        "glacier-instant": Terms(128e3, 90 * DAY),
    }
)
"""The terms of each class. Source: Amazon S3 User Guide, "Comparing the Amazon S3 storage classes"."""


NINES = 11.0
"""Nines of an object's durability over a year, of every class; what lies in one zone is lost with it."""
NINES_SOURCE = "Amazon S3 User Guide, Data protection in Amazon S3: designed for 99.999999999 % of objects over a year"


class AmazonS3(RentedStorage):
    """The object store as a service."""

    interface: ClassVar[Interface] = "objects"
    system: Literal["amazon-s3"] = setting("Storage system.")
    storage_class: StorageClass = setting("Storage class of the objects.", default="standard")
    first_byte: Quantity = quantity("s", "Time from a request to its first byte.", gt=0)
    connection_bandwidth: Quantity = quantity("B/s", "Most that a connection carries from the store, and a COPY.", gt=0)
    put_bandwidth: Quantity = quantity(
        "B/s",
        "Most that one connection carries to the store.",
        default="45 MB/s",
        source="prior: a PUT of 8 MB and more from an instance in the region",
        between=("20 MB/s", "80 MB/s"),
        gt=0,
    )
    put_time: Quantity = quantity(
        "s",
        "Time of a PUT beyond its bytes, of a DELETE, and of what begins or completes a multipart upload.",
        default="40 ms",
        source="prior: small objects, median 35 ms (20 to 70), 2 % slow as first bytes are",
        between=("23 ms", "80 ms"),
        ge=0,
    )
    copy_time: Quantity = quantity(
        "s",
        "Time of a COPY beyond its bytes.",
        default="60 ms",
        source="prior: small objects",
        between=("30 ms", "150 ms"),
        ge=0,
    )
    mtu: Quantity = quantity(
        "B",
        "Largest packet on the way to the store: 8500 through an interface endpoint of the network.",
        default=1500.0,
        source="published: EC2 User Guide, Network MTU: 1500 bytes through an internet gateway, whatever the instance",
        gt=PACKET_HEADERS,
        le=65535,
    )
    get_rate: Quantity = quantity("1/s", "GET and HEAD requests that one prefix serves.", gt=0)
    prefixes: int = setting(
        "Prefixes over which the objects are partitioned: of a new bucket 1, more after steady load.", default=1, ge=1
    )
    put_rate: Quantity = quantity("1/s", "PUT and DELETE requests that one prefix serves.", default="3500 1/s", gt=0)
    first_byte_spread: float = setting(
        "Standard deviation of the logarithm of most first bytes; first_byte is the mean of all (requests only).",
        default=0.4,
        source="prior: within a region, warm prefix, connection reused: p50 15 ms (10 to 35), p90 25 ms (18 to 60)",
        between=(0.3, 0.6),
        ge=0,
        le=2,
    )
    first_byte_tail: float = setting(
        "Part of the first bytes that are slow (requests only).",
        default=0.02,
        source="prior: as first_byte_spread, p99 110 ms (40 to 300)",
        between=(0.005, 0.05),
        ge=0,
        lt=1,
    )
    first_byte_tail_times: float = setting(
        "Median of the slow first bytes over that of the others (requests only).",
        default=8.0,
        source="prior: as first_byte_spread, a median of 120 ms",
        between=(4.0, 16.0),
        ge=1,
    )
    first_byte_tail_spread: float = setting(
        "Standard deviation of the logarithm of the slow first bytes (requests only).",
        default=0.7,
        source="prior: as first_byte_spread, p99.9 500 ms (200 to 2,000)",
        between=(0.5, 1.0),
        gt=0,
        le=2,
    )
    list_time: Quantity = quantity(
        "s", "Time of a page of a listing with 1,000 names beyond first_byte.", default="0.1 s", ge=0
    )
    list_start: Quantity = quantity(
        "s",
        "Part of list_time that a page of one name takes, too; at most all of it.",
        default="28 ms",
        source="prior: apache/hudi, pull request 4226: listings of 100 and of 1,000 objects take 50 and 131 ms in the "
        "median, so 41 ms and 0.09 ms a name; less 13 ms of a first byte",
        between=("10 ms", "60 ms"),
        ge=0,
    )
    pending_expiry: Quantity = quantity(
        "s",
        "Age at which a lifecycle rule removes uploads that were never completed; default: never.",
        default=math.inf,
        gt=0,
    )

    @property
    def spread(self) -> Spread:
        """How first bytes lie around their mean."""
        return Spread(
            self.first_byte_spread, self.first_byte_tail, self.first_byte_tail_times, self.first_byte_tail_spread
        )

    @property
    def is_encrypted(self) -> bool:
        """Whether clients speak TLS to the system: SDKs do so unless told otherwise."""
        return True

    @property
    def rented_as(self) -> str:
        """The storage class, by which a price list tells it from others."""
        return self.storage_class

    @property
    def published_nines(self) -> float:
        """Nines of an object's durability over a year."""
        return NINES

    @property
    def nines_source(self) -> str:
        """Where Amazon says so."""
        return NINES_SOURCE

    def served(self, requests: Mapping[str, float]) -> float:
        """Return how many times so many requests a second, by their verbs, its prefixes serve."""
        reads = sum(rate for verb, rate in requests.items() if verb in READS)
        limits = (self.get_rate, reads), (self.put_rate, sum(requests.values()) - reads)
        return min((self.prefixes * limit / asked for limit, asked in limits if asked > 0), default=math.inf)

    def object_bytes(self, cluster: Cluster, size: float) -> float:
        """Return bytes of an object of `size` bytes, as it is billed."""
        return max(size, TERMS[self.storage_class].least_size)

    def advice(self, cluster: Cluster) -> Iterator[Advice]:
        """Yield what is allowed but unwise: objects in one zone, and small or short-lived ones where they cost more."""
        terms, source = TERMS[self.storage_class], "Amazon S3 User Guide, Comparing the Amazon S3 storage classes"
        if terms.is_one_zone:
            text = f"{self.storage_class}: lost with its zone; keep only what can be made again, or a copy elsewhere"
            yield Advice("one-zone", "warning", "storage.storage_class", text, source)
        if terms.least_duration:
            days, least = terms.least_duration / DAY, format(terms.least_size, "B")
            text = f"{self.storage_class}: each object is billed as {least} and for {days:.0f} days at the least"
            yield Advice("least-billed", "hint", "storage.storage_class", text, source)

    def behind(self, what: str) -> Iterator[Advice]:
        """Yield the setting that bounds the requests of a bucket."""
        if what in (READS_LIMIT, WRITES_LIMIT):
            served = f"{self.get_rate:,.0f} reads and {self.put_rate:,.0f} writes a second"
            text = f"each prefix serves {served}; spread the objects over more than {self.prefixes:,}"
            yield Advice("few-prefixes", "hint", "storage.prefixes", text, BEST_PRACTICES)

    @property
    def uploads_expire(self) -> float:
        """Age (s) at which the system removes uploads that were never completed."""
        return self.pending_expiry
