"""Amazon S3 seen from a cluster: a store without servers or limits of its own size, reached request by request.

A GET waits for its first byte and then streams over one connection of limited speed; all GETs of the run share the
request rate of their prefixes, and so do all PUTs. What a client spends per byte on decryption and copying, and how
many ranges of an object it has under way, belongs to the client (`models.storage.clients.s3`).

Not covered: the slow growth of the request limits; but for a load of requests the spread of the first byte, retries
and writes.

Source: dvassallo/s3-benchmark; AWS, "Best practices design patterns: optimizing Amazon S3 performance".
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from models.quantity import Quantity, quantity, setting
from models.storage.contract import Interface
from models.storage.rented import RentedStorage


class AmazonS3(RentedStorage):
    """The object store as a service."""

    interface: ClassVar[Interface] = "objects"
    system: Literal["amazon-s3"] = setting("Storage system.")
    first_byte: Quantity = quantity("s", "Time from a request to its first byte.", gt=0)
    connection_bandwidth: Quantity = quantity("B/s", "Most that one connection carries.", gt=0)
    get_rate: Quantity = quantity("1/s", "GET and HEAD requests that one prefix serves.", gt=0)
    prefixes: int = setting("Prefixes over which the objects are partitioned.", default=1, ge=1)
    put_rate: Quantity = quantity("1/s", "PUT and DELETE requests that one prefix serves.", default="3500 1/s", gt=0)
    first_byte_spread: float = setting(
        "Standard deviation of the logarithm of first_byte, which is then its mean (requests only).",
        default=0.0,
        ge=0,
        le=2,
    )
    list_time: Quantity = quantity("s", "Time of a page of a listing beyond first_byte.", default="0.1 s", ge=0)
    pending_expiry: Quantity = quantity(
        "s",
        "Age at which a lifecycle rule removes uploads that were never completed; default: never.",
        default=math.inf,
        gt=0,
    )

    @property
    def uploads_expire(self) -> float:
        """Age (s) at which the system removes uploads that were never completed."""
        return self.pending_expiry
