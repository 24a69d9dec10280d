"""Who plays the roles of a described object store when a client reads objects of all names."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence as Series
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from models.hardware.cluster import Device, Layout, Node
from models.outage import Outage
from models.storage.anywhere import Asked, Crowd, Drawn
from models.storage.described import Anyone, ByteRange, Description, First, Parts, Sources, Targets
from models.storage.flow import Flow
from models.storage.operation import OperationCache
from models.storage.placement import mixed
from models.storage.site import MISSING

if TYPE_CHECKING:
    from numpy.typing import NDArray

Hash = TypeVar("Hash", int, "NDArray[Any]")

BITS = 20
"""Bits of a hash that choose the server of one role. Assumption: no group has more servers than they can tell apart."""


class Players(Protocol):
    """Who plays the roles for one request."""

    @property
    def missing(self) -> float:
        """The part of the object's bytes whose pieces are lost."""
        ...

    def node(self, role: str, lane: int) -> Node:
        """Return the server that plays a role in a lane."""
        ...

    def device(self, role: str, bay: str, lane: int) -> Device:
        """Return its drive in a bay."""
        ...


class Store(Protocol):
    """A described object store, as its crowds ask it."""

    what: Description
    layout: Layout
    salt: int
    outage: Outage
    described: OperationCache

    @property
    def draws(self) -> Mapping[str, int]:
        """The place of each role that is drawn among all those."""
        ...

    def names(self) -> Series[int]:
        """Return names that reach all drives evenly."""
        ...

    def up(self, group: str) -> Series[Node]:
        """Return the servers of a group that are up."""
        ...

    def cast(self, name: int, node: Node, shared: Any = None) -> Players:
        """Return who plays the roles for a request of a client; what it does not draw a `shared` one may know."""
        ...

    def get(self, players: Any, part: ByteRange) -> Flow:
        """Return the flow of a GET."""
        ...


class Crowds:
    """The crowds of a store for each client, made once for what is up."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._own = {"client", *(role for role in store.what.roles if self._is_drawn(role))}
        self._epoch = -1
        self._names: dict[bool, list[int]] = {}
        self._common: dict[bool, dict[Hashable, Any]] = {}
        self._crowds: dict[int, dict[bool, Crowd]] = {}

    def asked(self, node: Node, size: float) -> list[Asked]:
        """Return GETs of ranges of `size` bytes (B) of all names by a client, apart those that miss pieces."""
        store = self._store
        if self._epoch != store.outage.epoch:
            self._find_names(node, size)
        if node.index not in self._crowds:
            self._crowds[node.index] = {is_missing: self._crowd(node, is_missing) for is_missing in self._names}
        get = store.described.of(store.what.get, ByteRange(size))
        ways = ((crowd, get.fluid(store.layout, is_missing=key)) for key, crowd in self._crowds[node.index].items())
        return [Asked(crowd, way, way) for crowd, way in ways]

    def _find_names(self, node: Node, size: float) -> None:
        """Look which names can be read, and of which pieces are missing."""
        store, names = self._store, dict[bool, list[int]]()
        for name in store.names():
            cast = store.cast(name, node)
            if not store.outage.epoch or store.get(cast, ByteRange(size)).uses:
                names.setdefault(cast.missing > 0, []).append(name)
        self._epoch, self._names, self._crowds = store.outage.epoch, names, {}
        self._common = {is_missing: {} for is_missing in names}

    def _crowd(self, node: Node, is_missing: bool) -> Crowd:
        import numpy as np  # keeps numpy out of commands that only read profiles

        names, common = self._names[is_missing], self._common[is_missing]
        casts: list[Players] = []
        drawn: dict[str, Drawn] = {}

        def shared() -> Series[Players]:
            if "casts" not in common:
                common["casts"] = [self._store.cast(name, node) for name in names]
            casts: Series[Players] = common["casts"]
            return casts

        def find(role: str, bay: str | None, lane: int) -> Series[Any] | Drawn:
            if role == "client" and bay is None:
                return Drawn([node], np.zeros(len(names), np.int64))
            whose = self._store.what.roles.get(role)
            if isinstance(whose, Anyone) and bay is None:
                if role not in drawn:
                    drawn[role] = self._drawn(node, role, whose, names)
                return drawn[role]
            if role in self._own:
                casts[:] = casts or [self._store.cast(name, node, of) for name, of in zip(names, shared(), strict=True)]
                return _played(casts, role, bay, lane)
            return _played(shared(), role, bay, lane)

        if MISSING not in common:
            common[MISSING] = [self._store.cast(name, node).missing for name in names]
        return Crowd(len(names), find, self._own, common, "direct", common[MISSING])

    def _drawn(self, node: Node, role: str, whose: Anyone, names: Series[int]) -> Drawn:
        """Return the servers that a client draws for each name, as a cast does one by one."""
        import numpy as np

        store = self._store
        up, place = store.up(whose.group), store.draws[role]
        chosen = mixed(store.salt, max(names) + 1, node.index, 0)[list(names)]
        return Drawn(up, chosen_of(chosen, place, len(up)).astype(np.int64))

    def _is_drawn(self, role: str) -> bool:
        """Tell whether a client's draw says who plays a role."""
        match self._store.what.roles[role]:
            case Anyone():
                return True
            case Parts(of) | First(of):
                return self._is_drawn(of)
            case Sources(near=str(near)):
                return self._store.what.pieces[1] == 1 and self._is_drawn(near)
            case Targets(first=str(first)):
                return self._is_drawn(first)
        return False


def chosen_of(drawn: Hash, place: int, many: int) -> Hash:
    """Return which of so many a hash, or each of many, chooses for the role at a place among those that are drawn."""
    return (drawn >> BITS * place) % many


def _played(casts: Series[Players], role: str, bay: str | None, lane: int) -> list[Any]:
    if bay is None:
        return [cast.node(role, lane) for cast in casts]
    return [cast.device(role, bay, lane) for cast in casts]
