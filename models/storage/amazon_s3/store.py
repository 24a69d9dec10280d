"""What Amazon S3 does beside a layout: GET, PUT and COPY as flows over one connection."""

from __future__ import annotations

import math
from typing import Literal

from models.hardware.cluster import Layout, Node
from models.hardware.drive import Access
from models.outage import Outage
from models.storage.amazon_s3.system import AmazonS3
from models.storage.flow import Flow
from models.work import Use


class AmazonS3Store:
    """Amazon S3 beside the servers of a layout."""

    def __init__(self, spec: AmazonS3, layout: Layout, salt: int = 0, outage: Outage | None = None) -> None:
        self.spec = spec
        self._flows: dict[tuple[str, int, float], Flow] = {}
        self._limits = {
            action: layout.once(
                f"amazon-s3/{action}-requests", "requests", f"amazon-s3/{action} requests", "1", rate * spec.prefixes
            )
            for action, rate in (("get", spec.get_rate), ("put", spec.put_rate))
        }

    @property
    def request_time(self) -> float:
        """Seconds of a request without its bytes."""
        return self.spec.first_byte

    @property
    def listing_time(self) -> float:
        """Seconds of a page of a listing."""
        return self.spec.first_byte + self.spec.list_time

    def completion_time(self, parts: int) -> float:
        """Return the seconds in which the store makes one object of uploaded parts: those of a request."""
        return self.spec.first_byte

    def places(self) -> int:
        """Return 1: nobody sees the drives of the service."""
        return 1

    def read(
        self,
        name: int,
        node: Node,
        access: Access = "direct",
        stream: int = 0,
        ahead: float = 0.0,
        size: float = math.inf,
    ) -> Flow:
        """Return the flow of a GET by a client on `node` over one connection."""
        return self._flow("get", node, size)

    def write(self, name: int, node: Node, stream: int = 0, size: float = math.inf) -> Flow:
        """Return the flow of a PUT by a client on `node` over one connection."""
        return self._flow("put", node, size)

    def copy(self, name: int, node: Node) -> Flow:
        """Return the flow of a COPY inside the store. Assumption: as fast as one connection moves bytes."""
        return Flow((), self.spec.connection_bandwidth, "one copy in S3", self.spec.first_byte)

    def _flow(self, action: Literal["get", "put"], node: Node, size: float) -> Flow:
        """Return the flow of requests of `size` bytes, made once for all that are alike."""
        key = (action, node.index, size)
        if key not in self._flows:
            card = node.nic_in if action == "get" else node.nic_out
            uses = [Use(card, 1.0, 1.0)]
            if math.isfinite(size):
                uses.append(Use(self._limits[action], 1 / size, 1.0))
            rate, latency = self.spec.connection_bandwidth, self.spec.first_byte
            self._flows[key] = Flow(tuple(uses), rate, "one connection to S3", latency)
        return self._flows[key]
