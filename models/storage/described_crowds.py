"""Who plays the roles of a described object store when a client asks for objects of all names."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence as Series
from typing import Any, Protocol

from models.hardware.cluster import Layout, Node
from models.outage import Outage
from models.storage.anywhere import Asked
from models.storage.crowd import Crowd, Drawn, dealt
from models.storage.described import Anyone, ByteRange, Description, First, Parts, Sources, Targets
from models.storage.flow import Flow
from models.storage.operation import Operation, OperationCache
from models.storage.site import Site


class Store(Protocol):
    """A described object store, as its crowds ask it."""

    what: Description
    layout: Layout
    outage: Outage
    described: OperationCache

    def names(self) -> Series[int]:
        """Return names that reach all drives evenly."""
        ...

    def up(self, group: str) -> Series[Node]:
        """Return the servers of a group that are up."""
        ...

    def cast(self, name: int, node: Node, drawn: Mapping[str, Node] | None = None, shared: Any = None) -> Site:
        """Return who plays the roles for a request of a client.

        It may be known who is `drawn`, and a `shared` one for the name knows the pieces, whoever is drawn.
        """
        ...

    def get(self, players: Any, part: ByteRange) -> Flow:
        """Return the flow of a GET."""
        ...


class Crowds:
    """The crowds of a store, made once for what is up: for all clients, where no role follows the client."""

    def __init__(self, store: Store) -> None:
        self._store = store
        roles = store.what.roles
        self._drawn = {role: whose.group for role, whose in roles.items() if isinstance(whose, Anyone)}
        self._by_client = any(self._follows(role, ["client"]) for role in roles)
        self._epoch = -1
        self._names: dict[bool, list[int]] = {}
        self._crowds: dict[int, dict[bool, Crowd]] = {}

    def asked(self, node: Node, operation: Operation) -> list[Asked]:
        """Return requests for objects of all names by a client, apart those that miss pieces."""
        store = self._store
        if self._epoch != store.outage.epoch:
            self._find_names(node, operation.size)
        key = node.index if self._by_client else 0
        if key not in self._crowds:
            self._crowds[key] = {is_missing: self._crowd(node, names) for is_missing, names in self._names.items()}
        crowds = self._crowds[key].items()
        ways = ((crowd, operation.fluid(store.layout, is_missing=is_missing)) for is_missing, crowd in crowds)
        return [Asked(crowd, node, way, way) for crowd, way in ways]

    def _find_names(self, node: Node, size: float) -> None:
        """Look which names can be read, and of which pieces are missing."""
        store, names = self._store, dict[bool, list[int]]()
        for name in store.names():
            cast = store.cast(name, node)
            if not store.outage.epoch or store.get(cast, ByteRange(size)).uses:
                names.setdefault(cast.missing > 0, []).append(name)
        self._epoch, self._names, self._crowds = store.outage.epoch, names, {}

    def _crowd(self, node: Node, names: Series[int]) -> Crowd:
        """Return who plays the roles in requests for some names, by a client if that plays a part."""
        import numpy as np  # keeps numpy out of commands that only read profiles

        store = self._store
        groups = [store.up(group) for group in self._drawn.values()]
        times, places = dealt(len(names), [len(servers) for servers in groups])
        by_name, by_request = np.repeat(np.arange(len(names)), times), np.arange(len(names) * times)
        drawn = {role: Drawn(up, at) for role, up, at in zip(self._drawn, groups, places, strict=True)}
        casts = [store.cast(name, node) for name in names]
        requests: list[Site] = []

        def find(role: str, bay: str | None, lane: int) -> Drawn:
            if role in drawn and bay is None:
                return drawn[role]
            if not self._follows(role, self._drawn):
                return Drawn(_played(casts, role, bay, lane), by_name)
            if not requests:
                met = [[servers[i] for i in at.tolist()] for servers, at in zip(groups, places, strict=True)]
                for at, *servers in zip(by_name.tolist(), *met, strict=True):
                    who = dict(zip(self._drawn, servers, strict=True))
                    requests.append(store.cast(names[at], node, who, casts[at]))
            return Drawn(_played(requests, role, bay, lane), by_request)

        return Crowd(times, find, "direct", [cast.missing for cast in casts])

    def _follows(self, role: str, of: Container[str]) -> bool:
        """Tell whether it is another role, one of some, that says who plays a role."""
        if role in of:
            return True
        match self._store.what.roles.get(role):
            case Parts(whose) | First(whose):
                return self._follows(whose, of)
            case Sources(near=str(near)):
                return self._store.what.pieces[1] == 1 and self._follows(near, of)
            case Targets(first=str(first)):
                return self._follows(first, of)
        return False


def _played(casts: Series[Site], role: str, bay: str | None, lane: int) -> list[Any]:
    if bay is None:
        return [cast.node(role, lane) for cast in casts]
    return [cast.device(role, bay, lane) for cast in casts]
