"""What S3A needs of an object store: flows of GET, PUT and COPY, and the seconds of requests that move no bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from models.hardware.cluster import Node
from models.hardware.drive import Access
from models.storage.flow import Flow

LIST_PAGE = 1000
"""Names, or uploads, that a page of a listing holds. Source: Amazon S3 API reference, ListObjectsV2, max-keys."""

Requests = Mapping[str, int]
"""How many requests of each kind: {"HEAD": 1, "LIST": 1}."""


class ObjectStore(Protocol):
    """A store of objects as a client sees it."""

    @property
    def request_time(self) -> float:
        """Seconds of a request without its bytes."""
        ...

    @property
    def listing_time(self) -> float:
        """Seconds of a page of a listing."""
        ...

    def completion_time(self, parts: int) -> float:
        """Return the seconds in which the store makes one object of uploaded parts."""
        ...

    def read(self, name: int, node: Node, access: Access = "direct", stream: int = 0, ahead: float = 0.0) -> Flow:
        """Return the flow of a GET of a range by a client on `node`; `stream` tells the ranges of an object apart.

        Before the range lie `ahead` times as many bytes of its object.
        """
        ...

    def write(self, name: int, node: Node, stream: int = 0) -> Flow:
        """Return the flow of a PUT of an object, or of the part `stream` of an upload."""
        ...

    def copy(self, name: int, node: Node) -> Flow:
        """Return the flow of a COPY inside the store."""
        ...


def wait(store: ObjectStore, requests: Requests) -> float:
    """Return the seconds of requests that are sent one after the other."""
    lists = requests.get("LIST", 0)
    return lists * store.listing_time + (sum(requests.values()) - lists) * store.request_time
