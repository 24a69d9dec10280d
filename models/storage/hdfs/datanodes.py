"""The DataNodes of a layout: which of them take blocks, and on which drive the next one goes."""

from __future__ import annotations

from collections.abc import Sequence as Series
from typing import Literal

from models.hardware.cluster import Device, Node
from models.outage import Outage
from models.storage.placement import mix

Replica = tuple[Node, Device]
"""A replica of a block, or a block of a striped group: the server and the drive that hold it."""


class DataNodes:
    """Servers with drives in a bay, of which `outage` tells those that are down."""

    def __init__(self, nodes: Series[Node], bay: str, salt: int, outage: Outage) -> None:
        self.nodes = nodes
        self._bay, self._salt, self._outage = bay, salt, outage
        self._turns: dict[tuple[int, str], int] = {}
        self._ups: tuple[int, list[Node]] = -1, []

    def up(self) -> list[Node]:
        """Return the servers with a drive that takes writes, looked up once for each change."""
        epoch, up = self._ups
        if epoch != self._outage.epoch:
            up = [node for node in self.nodes if self.drives(node)]
            self._ups = self._outage.epoch, up
        return up

    def drives(self, node: Node) -> Series[Device]:
        """Return the drives of a server that take writes."""
        return [device for device in node.bays[self._bay] if self._outage.takes_writes(node, device)]

    def readable(self, nodes: Series[Node]) -> Series[Replica]:
        """Return the drives of some servers, and in the place of each that holds no data another; none if none does."""
        held = [(node, device) for node in nodes for device in node.bays[self._bay]]
        if not self._outage.epoch:
            return held
        every = [(node, device) for node in self.nodes for device in node.bays[self._bay]]
        left = [drive for drive in every if self._outage.holds_data(*drive)]
        if not left:
            return []
        full = set(left)
        return [
            drive if drive in full else left[mix(self._salt, drive[1].resource.index, 17) % len(left)] for drive in held
        ]

    def instead(self, chosen: list[Node], name: int) -> list[Node]:
        """Return the servers chosen for a block, with others in the place of those that are down, if there are any.

        The client tells the NameNode which servers it could not reach, and is given others. Source: Apache Hadoop,
        DataStreamer, excludedNodes.
        """
        if not self._outage.epoch:
            return chosen
        up = self.up()
        servers = [server for server in chosen if server in up]
        for draw in range(min(len(chosen), len(up)) - len(servers)):
            servers.append(self.server(name, servers, draw))
        return servers

    def server(self, name: int, taken: Series[Node], draw: int = 0) -> Node:
        """Return a server that is up and not among those taken, if there is one: another one for each `draw`."""
        up, attempt = self.up(), draw * len(self.nodes)
        node = up[mix(self._salt, name, 13, self._outage.epoch, *([attempt] if attempt else [])) % len(up)]
        while node in taken and len(taken) < len(up):
            attempt += 1
            node = up[mix(self._salt, name, 13, self._outage.epoch, attempt) % len(up)]
        return node

    def next_drive(self, node: Node) -> Device:
        """Return the drive of a server on which the next block from elsewhere goes."""
        return self.drive(node, self.next_turn(node, "blocks"))

    def next_turn(self, node: Node, of: Literal["files", "blocks"]) -> int:
        """Return the turn of a server's next block on its drives, as RoundRobinVolumeChoosingPolicy takes them.

        Blocks from other servers take turns one by one. The files of its own tasks are written side by side, block
        after block, so that each file begins one turn after the one before.
        """
        turn = self._turns.get((node.index, of), 0)
        self._turns[node.index, of] = turn + 1
        return turn

    def drive(self, node: Node, turn: int) -> Device:
        """Return the drive of a server that a turn falls on."""
        devices: Series[Device] = node.bays[self._bay]
        if self._outage.epoch:
            devices = self.drives(node)
        return devices[turn % len(devices)]
