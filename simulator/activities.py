"""The works that are under way: the Python side of the fluid kernel.

Keeps the arrays, gives out their rows, and knows which callback waits for which work. Works with equal demands and
tags are members of one class. What starts in an instant waits in the inbox until `advance` is called.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import chain
from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.work import Demand, Resources, Work
from simulator.compiled import entry
from simulator.fluid import advance, close
from simulator.recorder import Books, utilization
from simulator.state import (
    CLASS,
    CLASS_LIST,
    MEMBER,
    NONE,
    OVERLOAD,
    PACE,
    PLACE,
    RESOURCE,
    RESOURCE_LIST,
    STARVED,
    STATE,
    UNSERVED,
    USE,
    Tables,
    rows,
)
from simulator.withdrawal import withdraw

Done = Callable[[], object]
Floats = NDArray[np.float64]

BINS = 256  # of each utilisation series
FIRST_WIDTH = 2.0**-10  # Assumption: bins start at about 1 ms; the width doubles as time goes on.
SERIES = 2**23  # Assumption: values in all series together (64 MiB); more resources than that allows get fewer bins.
NEARBY = 128  # Assumption: so many classes may be freed one after the other in a solve; chosen by measurement
ROWS = 256  # Assumption: tables start with so many rows and double when full.
EXACT = 1e-6  # of the usage of a resource; what rounding may add to the books of a whole run
TICK = 1e-12  # Assumption: of the time of a run; what rounding of the clock may add to how long a resource was used

_KNOWN = Struct("4d")


class ConservationError(RuntimeError):
    """A run broke a law that holds for every run: a fault of the program, not of its input."""


class Activities:
    """All works under way on the resources of a scenario.

    When a work ends, those of which no more than the part `tolerance` is left end with it: fewer instants to solve.
    """

    def __init__(self, resources: Resources, tolerance: float = 0.0) -> None:
        self.known = resources
        self.limits = list(dict.fromkeys(resources[i].group for i in range(len(resources))))
        self.resources, self.capacities = _resource_rows(resources, self.limits)
        self.state = rows(1, STATE)
        self.state["width"] = FIRST_WIDTH
        self.state["nearby"] = NEARBY
        self.state["tolerance"] = tolerance
        self.classes = rows(ROWS, CLASS)
        self.paces = rows(ROWS, PACE)
        self.places = rows(ROWS, PLACE)
        self.class_list = rows(ROWS, CLASS_LIST)
        self.uses = rows(ROWS, USE)
        self.moved = np.zeros(ROWS)
        self.members = rows(ROWS, MEMBER)
        self.resource_list = rows(len(resources), RESOURCE_LIST)
        self.inbox = np.zeros(ROWS)
        self.bins = np.zeros((len(self.resources), _bins(len(resources))))
        self.blame = np.zeros((1, len(self.limits)))
        self.next_end = math.inf
        self.is_settled = True
        self._caps: dict[str, int] = {}
        self._class_of: dict[int, int] = {}  # by its tag and the hash of its demand
        self._names: list[int] = []  # that hash, of each class
        self._demands: list[tuple[Demand, int]] = []  # of each class: the demand of its first member, and its tag
        self._firsts: list[int] = []  # of each class: the first of its uses
        self._callbacks: list[Done] = []  # of each member
        self._free_classes: list[int] = []
        self._free_members: list[int] = []
        self._free_blocks: dict[int, list[int]] = {}
        self._uses_top = 0
        self._length = 0
        self._layouts: dict[int, Struct] = {}
        self._bind()
        self._kernel: Callable[..., tuple[float, int, int, int]] = entry(advance, (*self._arrays, 0, 0.0, 0.0))

    def __len__(self) -> int:
        return len(self._callbacks) - len(self._free_members)

    @property
    def ended(self) -> int:
        """Works that have ended."""
        return int(self.state["sequence"][0]) - len(self)

    @property
    def merged(self) -> int:
        """Works that ended before they were done, within the tolerance."""
        return int(self.state["merged"][0])

    def begin(self, work: Work, done: Done, tag: int) -> bool:
        """Let a work start at this instant; `done` is called when it has ended. Return True if it has no amount.

        Raises:
            ValueError: the amount is negative, infinite or not a number.
        """
        amount, demand = work.amount, work.demand
        if not 0.0 < amount < math.inf:
            return _is_nothing(amount)
        if demand.weight != 1.0:
            amount /= demand.weight
        if self._free_members:
            member = self._free_members.pop()
            self._callbacks[member] = done
        else:
            member = len(self._callbacks)
            self._callbacks.append(done)
            if member >= len(self.members):
                self._grow(member, "members")
        self.is_settled = False
        name = demand.code + tag
        known = self._class_of.get(name, NONE)
        if known >= 0:
            same, tag_of = self._demands[known]
            if tag_of == tag and (same is demand or same.key == demand.key):  # else they only happen to hash alike
                at = self._length
                self._length = at + 4
                if self._length > len(self.inbox):
                    self._grow(self._length, "inbox")
                _KNOWN.pack_into(self._buffer, 8 * at, member, known, amount, NONE)
                return False
        self._open(name, demand, tag, member, amount)
        return False

    def advance(self, now: float, horizon: float) -> tuple[float, Sequence[Done]]:
        """Share the resources as from `now`, and go on to the next end if it is not after the horizon.

        Returns the time of the next end, and the callbacks of what has ended then: none if it is after the horizon.

        Raises:
            ConservationError: a work, a resource or a rate broke a law.
        """
        length, self._length = self._length, 0
        self.next_end, many, member, emptied = self._kernel(*self._arrays, length, now, horizon)
        self.is_settled = many == 0
        if many == 1:
            self._free_members.append(member)
            if emptied >= 0:
                self._free_class(emptied)
            done, self._callbacks[member] = self._callbacks[member], _nobody
            return self.next_end, (done,)
        if many < 0:
            raise ConservationError(self._fault(now))
        return self.next_end, self._take_ended(many) if many else ()

    def using(self, resources: set[int], now: float) -> list[int]:
        """Return the works under way at `now` that use any of some resources, in the order in which they began."""
        self._admit(now)
        hit = (self.uses["owner"] >= 0) & np.isin(self.uses["resource"], sorted(resources))
        return self._in_order(np.isin(self.members["owner"], self.uses["owner"][hit]))

    def waiting(self, concerns: Callable[[Done], bool], now: float) -> list[int]:
        """Return the works under way at `now` whose callback concerns somebody, in the order in which they began."""
        self._admit(now)
        chosen = np.zeros(len(self.members), np.bool_)
        chosen[: len(self._callbacks)] = [concerns(done) for done in self._callbacks]
        return self._in_order(chosen & (self.members["owner"] >= 0))

    def withdraw(self, member: int, now: float) -> tuple[Done, float]:
        """End a work before it is done; return its callback, and what is left of its amount."""
        owner = int(self.members["owner"][member])
        left = withdraw(self._tables, member, now) * self._demands[owner][0].weight
        self._free_members.append(member)
        if not self.classes["count"][owner]:
            self._free_class(owner)
        self.is_settled = False
        return self._callbacks[member], left

    def _admit(self, now: float) -> None:
        """Let the works in the inbox start."""
        length, self._length = self._length, 0
        self.next_end, _, _, _ = self._kernel(*self._arrays, length, now, -math.inf)
        self.is_settled = True

    def _in_order(self, chosen: NDArray[np.bool_]) -> list[int]:
        found = np.flatnonzero(chosen)
        order: list[int] = found[np.argsort(self.members["sequence"][found])].tolist()
        return order

    def close(self, now: float) -> Books:
        """Return what has been used up to `now`.

        Raises:
            ConservationError: what a resource gave is not what its works took.
        """
        close(*self._tables, now)
        used, taken = self.resources["used"], self.taken("cost") + self.resources["done"]
        slack = EXACT * np.maximum(used, taken) + TICK * now * self.resources["most"]
        wrong = np.flatnonzero(~(np.abs(used - taken) <= slack))
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
            blame=self._blame(),
        )

    def taken(self, column: str) -> Floats:
        """Return what the works under way have taken of each resource so far, in its unit ("cost") or in "bytes"."""
        members = self.members[self.members["owner"] >= 0]
        served = members["amount"] - (members["target"] - self.paces["progress"][members["owner"]])
        of_class = np.bincount(members["owner"], served, minlength=len(self.classes))
        busy = np.flatnonzero(self.uses["owner"] >= 0)
        each = self.uses["cost"] if column == "cost" else self.moved
        taken = of_class[self.uses["owner"][busy]] * each[busy]
        return np.bincount(self.uses["resource"][busy], taken, minlength=len(self.resources)).astype(np.float64)

    def _blame(self) -> dict[tuple[int, str], float]:
        """Return the seconds of works by tag and limit; a cap may have the name of a group."""
        total: dict[tuple[int, str], float] = {}
        for tag, limit in np.argwhere(self.blame > 0):
            name = int(tag), self.limits[limit]
            total[name] = total.get(name, 0.0) + float(self.blame[tag, limit])
        return total

    def _open(self, name: int, demand: Demand, tag: int, member: int, amount: float) -> None:
        """Put a work into the inbox together with the class that it opens."""
        many = len(demand.uses)
        new, first = self._rows(name, demand, tag, many)
        at = self._length
        layout = self._layouts.get(many)
        if layout is None:
            layout = self._layouts[many] = Struct(f"{8 + 3 * many}d")
        self._length = at + 8 + 3 * many
        if self._length > len(self.inbox):
            self._grow(self._length, "inbox")
        cap = self._caps.get(demand.cap, NONE)
        if cap < 0:
            cap = self._new_cap(demand.cap)
        uses: Any = demand.key[3:]
        if demand.weight != 1.0:
            weighted = ((r.index, cost * demand.weight, moved * demand.weight) for r, cost, moved in demand.uses)
            uses = chain.from_iterable(weighted)
        head = (member, new, amount, many, first, demand.max_rate / demand.weight, tag, cap)
        layout.pack_into(self._buffer, 8 * at, *head, *uses)

    def _rows(self, name: int, demand: Demand, tag: int, many: int) -> tuple[int, int]:
        """Return a free row for a class, and the first of as many free rows for its uses."""
        blocks = self._free_blocks.get(many)
        if blocks:
            first = blocks.pop()
        else:
            first = self._uses_top
            self._uses_top += many
            if self._uses_top > len(self.uses):
                self._grow(self._uses_top, "uses", "moved")
        if self._free_classes:
            new = self._free_classes.pop()
            self._demands[new], self._names[new], self._firsts[new] = (demand, tag), name, first
        else:
            new = len(self._names)
            self._demands.append((demand, tag))
            self._names.append(name)
            self._firsts.append(first)
            if new >= len(self.classes):
                self._grow(new, "classes", "paces", "places", "class_list")
        self._class_of[name] = new
        if tag >= len(self.blame):
            self._grow_blame(tag + 1, self.blame.shape[1])
        return new, first

    def _new_cap(self, text: str) -> int:
        """Return the number that a cap gets among the limits."""
        number = self._caps[text] = len(self.limits)
        self.limits.append(text)
        self._grow_blame(len(self.blame), len(self.limits))
        return number

    def _take_ended(self, many: int) -> list[Done]:
        """Return the callbacks of the members that have ended, and free their rows."""
        ended = self._ended[:many].tolist()
        self._free_members += ended
        for emptied in self._emptied[:many].tolist():
            if emptied >= 0:
                self._free_class(emptied)
        callbacks = self._callbacks
        found = [callbacks[member] for member in ended]
        for member in ended:
            callbacks[member] = _nobody
        return found

    def _free_class(self, emptied: int) -> None:
        """Free the rows of a class without members."""
        name, (demand, _) = self._names[emptied], self._demands[emptied]
        if self._class_of.get(name) == emptied:
            del self._class_of[name]
        self._free_classes.append(emptied)
        self._free_blocks.setdefault(len(demand.uses), []).append(self._firsts[emptied])

    def _grow(self, needed: int, *names: str) -> None:
        """Double tables until they have more rows than needed."""
        for name in names:
            old = getattr(self, name)
            many = len(old)
            while many <= needed:
                many *= 2
            new = rows(many, old.dtype)
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
        tables = Tables(
            state=self.state,
            classes=self.classes,
            paces=self.paces,
            places=self.places,
            uses=self.uses,
            moved=self.moved,
            members=self.members,
            resources=self.resources,
            class_list=self.class_list,
            resource_list=self.resource_list,
            capacities=self.capacities,
            bins=self.bins,
            blame=self.blame,
        )
        self._tables = tables
        self._arrays = (*tables, self.inbox)
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


def _nobody() -> None:
    """Stand for the callback of a work that has ended, lest it keeps alive what waited for it."""


def _is_nothing(amount: float) -> bool:
    """Return True for a work without amount, and refuse any other that cannot be done."""
    if amount == 0.0:
        return True
    raise ValueError(f"amount of a work must be >= 0 and finite (got {amount})")


def _resource_rows(resources: Resources, groups: list[str]) -> tuple[NDArray[np.void], Floats]:
    """Return the kernel's table of resources, and their capacities one after the other."""
    number = {group: at for at, group in enumerate(groups)}
    known = [resources[i] for i in range(len(resources))]
    table = rows(len(known), RESOURCE)
    table["head"] = NONE
    table["group"] = [number[resource.group] for resource in known]
    table["capacity"] = [resource.capacity[0] for resource in known]
    table["most"] = [max(resource.capacity) for resource in known]
    table["steps"] = [len(resource.capacity) for resource in known]
    table["table"] = np.cumsum(table["steps"]) - table["steps"]
    return table, np.fromiter(chain.from_iterable(resource.capacity for resource in known), np.float64)


def _bins(resources: int) -> int:
    """Return how many bins each series has: a power of two, 16 at least, for any number of resources."""
    bins = BINS
    while bins > 16 and bins * resources > SERIES:
        bins //= 2
    return bins
