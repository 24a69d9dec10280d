"""The works that are under way: the Python side of the fluid kernel.

Keeps the arrays, gives out their rows, and knows which callback waits for which work. Works with equal demands and
tags are members of one class. What starts in an instant waits in the inbox until `advance` is called.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import chain
from struct import Struct

import numpy as np
from numpy.typing import NDArray

from models.work import Resources, Work
from simulator.compiled import entry
from simulator.fluid import advance, close
from simulator.recorder import Books, utilization
from simulator.state import CLASS, MEMBER, NONE, OVERLOAD, RESOURCE, STARVED, STATE, UNSERVED, USE

Done = Callable[[], object]
Key = tuple[int, tuple[object, ...]]
Floats = NDArray[np.float64]

BINS = 256  # of each utilisation series
FIRST_WIDTH = 2.0**-10  # Assumption: bins start at about 1 ms; the width doubles as time goes on.
SERIES = 2**23  # Assumption: values in all series together (64 MiB); more resources than that allows get fewer bins.
ROWS = 256  # Assumption: tables start with so many rows and double when full.
EXACT = 1e-6  # of the usage of a resource; what rounding may add to the books of a whole run

_KNOWN = Struct("4d")


class ConservationError(RuntimeError):
    """A run broke a law that holds for every run: a fault of the program, not of its input."""


class Activities:
    """All works under way on the resources of a scenario."""

    def __init__(self, resources: Resources) -> None:
        self.known = resources
        self.limits = list(dict.fromkeys(resources[i].group for i in range(len(resources))))
        self.resources, self.capacities = _resource_rows(resources, self.limits)
        self.state = np.zeros(1, STATE)
        self.state["width"] = FIRST_WIDTH
        self.classes = np.zeros(ROWS, CLASS)
        self.uses = np.zeros(ROWS, USE)
        self.uses["owner"] = NONE
        self.members = np.zeros(ROWS, MEMBER)
        self.members["owner"] = NONE
        self.inbox = np.zeros(ROWS)
        self.bins = np.zeros((len(self.resources), _bins(len(resources))))
        self.blame = np.zeros((1, len(self.limits)))
        self.next_end = math.inf
        self.is_settled = True
        self._caps: dict[str, int] = {}
        self._class_of: dict[Key, int] = {}
        self._keys: list[Key | None] = []
        self._blocks: list[tuple[int, int]] = []  # the uses of each class: first, number
        self._callbacks: list[Done | None] = []
        self._free_classes: list[int] = []
        self._free_members: list[int] = []
        self._free_blocks: dict[int, list[int]] = {}
        self._uses_top = 0
        self._length = 0
        self._layouts: dict[int, Struct] = {}
        self._bind()
        self._kernel = entry(advance, (*self._arrays, 0, 0.0, 0.0))

    def __len__(self) -> int:
        return len(self._callbacks) - len(self._free_members)

    def start(self, work: Work, tag: int, done: Done) -> None:
        """Let a work start at this instant; `done` is called when it has ended."""
        if self._free_members:
            member = self._free_members.pop()
            self._callbacks[member] = done
        else:
            member = len(self._callbacks)
            self._callbacks.append(done)
            if member >= len(self.members):
                self._grow("members", member)
        self.is_settled = False
        key = (tag, work.demand.key)
        known = self._class_of.get(key)
        if known is None:
            self._open(key, work, member)
            return
        if self._length + 4 > len(self.inbox):
            self._grow("inbox", self._length + 4)
        _KNOWN.pack_into(self._buffer, 8 * self._length, member, known, work.amount, NONE)
        self._length += 4

    def advance(self, now: float, horizon: float) -> tuple[float, list[Done]]:
        """Share the resources as from `now`, and go on to the next end if it is not after the horizon.

        Returns the time of the next end, and the callbacks of what has ended then: none if it is after the horizon.

        Raises:
            ConservationError: a work, a resource or a rate broke a law.
        """
        length, self._length = self._length, 0
        self.next_end, many = self._kernel(*self._arrays, length, now, horizon)
        self.is_settled = many == 0
        if many == 0:
            return self.next_end, []
        if many < 0:
            raise ConservationError(self._fault(now))
        return self.next_end, self._take_ended(many)

    def close(self, now: float) -> Books:
        """Return what has been used up to `now`.

        Raises:
            ConservationError: what a resource gave is not what its works took.
        """
        close(*self._tables, now)
        used, taken = self.resources["used"], self.taken("cost") + self.resources["done"]
        wrong = np.flatnonzero(~(np.abs(used - taken) <= EXACT * np.maximum(used, taken)))
        if len(wrong):
            lines = [f"{self.known[i].name}: gave {used[i]}, its works took {taken[i]}" for i in wrong[:5]]
            raise ConservationError("; ".join(lines))
        width = float(self.state["width"][0])
        return Books(
            time=now,
            used=used.copy(),
            busy=self.resources["busy"].copy(),
            bytes=self.resources["bytes"] + self.taken("bytes"),
            bin_width=width,
            utilization=utilization(self.bins, width, now),
            blame={
                (int(tag), self.limits[limit]): float(self.blame[tag, limit])
                for tag, limit in np.argwhere(self.blame > 0)
            },
        )

    def taken(self, column: str) -> Floats:
        """Return what the works under way have taken of each resource so far, in its unit ("cost") or in "bytes"."""
        members = self.members[self.members["owner"] >= 0]
        served = members["amount"] - (members["target"] - self.classes["progress"][members["owner"]])
        of_class = np.bincount(members["owner"], served, minlength=len(self.classes))
        uses = self.uses[self.uses["owner"] >= 0]
        taken = of_class[uses["owner"]] * uses[column]
        return np.bincount(uses["resource"], taken, minlength=len(self.resources)).astype(np.float64)

    def _open(self, key: Key, work: Work, member: int) -> None:
        """Put a work into the inbox together with the class that it opens."""
        demand = work.demand
        many = len(demand.uses)
        new, first = self._row(key, many)
        length = 9 + 3 * many
        if self._length + length > len(self.inbox):
            self._grow("inbox", self._length + length)
        layout = self._layouts.get(many)
        if layout is None:
            layout = self._layouts[many] = Struct(f"{length}d")
        layout.pack_into(
            self._buffer,
            8 * self._length,
            *(member, new, work.amount, many, first, demand.weight, demand.max_rate, key[0], self._cap(demand.cap)),
            *chain.from_iterable(demand.key[0]),  # type: ignore[arg-type]
        )
        self._length += length

    def _row(self, key: Key, many: int) -> tuple[int, int]:
        """Return a free row for a class, and the first of as many free rows for its uses."""
        blocks = self._free_blocks.setdefault(many, [])
        if blocks:
            first = blocks.pop()
        else:
            first = self._uses_top
            self._uses_top += many
            if self._uses_top > len(self.uses):
                self._grow("uses", self._uses_top)
        if self._free_classes:
            new = self._free_classes.pop()
            self._keys[new], self._blocks[new] = key, (first, many)
        else:
            new = len(self._keys)
            self._keys.append(key)
            self._blocks.append((first, many))
            if new >= len(self.classes):
                self._grow("classes", new)
        self._class_of[key] = new
        if key[0] >= len(self.blame):
            self._grow_blame(key[0] + 1, self.blame.shape[1])
        return new, first

    def _cap(self, text: str) -> int:
        """Return the number of a cap among the limits."""
        known = self._caps.get(text)
        if known is None:
            known = self._caps[text] = len(self.limits)
            self.limits.append(text)
            self._grow_blame(len(self.blame), len(self.limits))
        return known

    def _take_ended(self, many: int) -> list[Done]:
        """Return the callbacks of the members that have ended, and free their rows."""
        ended = self._ended[:many].tolist()
        callbacks = self._callbacks
        found = [callbacks[member] for member in ended]
        for member, emptied in zip(ended, self._emptied[:many].tolist(), strict=True):
            callbacks[member] = None
            if emptied >= 0:
                key = self._keys[emptied]
                first, uses = self._blocks[emptied]
                self._keys[emptied] = None
                del self._class_of[key]
                self._free_classes.append(emptied)
                self._free_blocks[uses].append(first)
        self._free_members.extend(ended)
        return found

    def _grow(self, name: str, needed: int) -> None:
        """Double a table until it has more rows than needed."""
        old = getattr(self, name)
        rows = len(old)
        while rows <= needed:
            rows *= 2
        new = np.zeros(rows, old.dtype)
        if old.dtype.names and "owner" in old.dtype.names:
            new["owner"] = NONE
        new[: len(old)] = old
        setattr(self, name, new)
        self._bind()

    def _grow_blame(self, tags: int, limits: int) -> None:
        old = self.blame
        self.blame = np.zeros((tags, limits))
        self.blame[: old.shape[0], : old.shape[1]] = old
        self._bind()

    def _bind(self) -> None:
        """Keep at hand what each call of the kernel needs."""
        rows = (self.state, self.classes, self.uses, self.members, self.resources)
        self._tables = (*rows, self.capacities, self.bins, self.blame)
        self._arrays = (*self._tables, self.inbox)
        self._buffer = memoryview(self.inbox)  # type: ignore[arg-type]
        self._ended = self.members["ended"]
        self._emptied = self.members["emptied"]

    def _fault(self, now: float) -> str:
        """Return in words what the kernel found wrong."""
        fault, culprit = int(self.state["fault"][0]), int(self.state["culprit"][0])
        if fault == OVERLOAD:
            usage, capacity = float(self.resources["usage"][culprit]), float(self.resources["capacity"][culprit])
            return f"{self.known[culprit].name} gives {usage} at {now} s, above its capacity {capacity}"
        used = self.uses["resource"][self.uses["owner"] == culprit]
        work = f"a work on {', '.join(self.known[i].name for i in used) or 'no resource'}"
        if fault == STARVED:
            return f"{work} has rate 0 at {now} s"
        assert fault == UNSERVED
        return f"{work} ended at {self.next_end} s without having been served its amount"


def _resource_rows(resources: Resources, groups: list[str]) -> tuple[NDArray[np.void], Floats]:
    """Return the kernel's table of resources, and their capacities one after the other."""
    number = {group: at for at, group in enumerate(groups)}
    rows = np.zeros(len(resources), RESOURCE)
    tables: list[float] = []
    for row, resource in zip(rows, map(resources.__getitem__, range(len(resources))), strict=True):
        row["table"], row["steps"], row["group"] = len(tables), len(resource.capacity), number[resource.group]
        row["capacity"], row["most"], row["head"] = resource.capacity[0], max(resource.capacity), NONE
        tables.extend(resource.capacity)
    return rows, np.array(tables)


def _bins(resources: int) -> int:
    """Return how many bins each series has: a power of two, 16 at least, for any number of resources."""
    bins = BINS
    while bins > 16 and bins * resources > SERIES:
        bins //= 2
    return bins
