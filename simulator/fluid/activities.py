"""The works that are under way: the Python side of the fluid kernel.

Keeps its tables. Works with equal demands and tags are members of one class.
"""

from __future__ import annotations

import math
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.work import Resources
from simulator.compiled import entry
from simulator.fluid.kernel import close
from simulator.fluid.recorder import Books, utilization
from simulator.fluid.reservation import reserve
from simulator.fluid.rows import users_within_reach
from simulator.fluid.state import (
    BUCKET,
    CLASS,
    KIND,
    MEMBER,
    NONE,
    OVERLOAD,
    PLACE,
    RESOURCE,
    RESOURCE_LIST,
    STARVED,
    STATE,
    TERMS,
    UNSERVED,
    UNSETTLED,
    USE,
    USER,
    Tables,
    rows,
)
from simulator.fluid.withdrawal import withdraw

Floats = NDArray[np.float64]

BINS = 256  # of each utilization series
FIRST_WIDTH = 2.0**-10  # Assumption: bins start at about 1 ms; the width doubles as time goes on.
SERIES = 2**23  # Assumption: values in all series together (64 MiB); more resources than that allows get fewer bins.
SIZES = 32  # of blocks of users: powers of two
ROWS = 256  # Assumption: tables start with so many rows and double when full.
EXACT = 1e-6  # of the usage of a resource; what rounding may add to the books of a whole run
TICK = 1e-12  # Assumption: of the time of a run; what rounding of the clock may add to how long a resource was used


class ConservationError(RuntimeError):
    """A run broke a law that holds for every run: a fault of the program, not of its input."""


class Activities:
    """All works under way on the resources of a scenario.

    When a work ends, those of which no more than the part `tolerance` is left end with it: fewer instants to solve.
    """

    def __init__(self, resources: Resources, tolerance: float = 0.0) -> None:
        self.known = resources
        self.limits = list(dict.fromkeys(resource.group for resource in resources))
        table, capacities = _resource_rows(resources, self.limits)
        self.tables = Tables(
            state=rows(1, STATE),
            classes=rows(ROWS, CLASS),
            terms=rows(ROWS, TERMS),
            kinds=rows(ROWS, KIND),
            shares=np.zeros(ROWS),
            places=rows(ROWS, PLACE),
            uses=rows(ROWS, USE),
            moved=np.zeros(ROWS),
            near=np.zeros(ROWS, np.uint32),
            near_uses=np.zeros(ROWS, np.uint32),
            minima=np.zeros(ROWS),
            users=rows(ROWS, USER),
            spaces=np.full(SIZES, NONE, np.int32),
            levels=np.full(len(table), math.inf),
            settled=np.full(len(table), -math.inf),
            members=rows(ROWS, MEMBER),
            heads=np.full(ROWS, NONE, np.int32),
            blocks=np.full(ROWS, NONE, np.int32),
            resources=table,
            buckets=_bucket_rows(resources),
            fresh=np.zeros(ROWS, np.uint32),
            noted=np.zeros(ROWS, np.uint32),
            resource_list=rows(len(resources), RESOURCE_LIST),
            concerned=np.zeros(ROWS, np.uint32),
            capacities=capacities,
            bins=np.zeros((_bins(len(resources)), len(table))),
            blame=np.zeros((1, len(self.limits))),
        )
        state = self.tables.state
        state["width"] = FIRST_WIDTH
        state["next_turn"] = math.inf
        state["tolerance"] = tolerance
        state["most_space"] = 1
        state["free_class"] = state["free_member"] = NONE
        self._caps: dict[str, int] = {}
        self._reserved = np.zeros(len(resources))
        self._reserve, self._withdraw = entry(reserve), entry(withdraw)

    def __len__(self) -> int:
        return int(self.tables.state["busy_members"][0])

    @property
    def ended(self) -> int:
        """Works that have ended."""
        return int(self.tables.state["sequence"][0]) - len(self)

    @property
    def merged(self) -> int:
        """Works that ended before they were done, within the tolerance."""
        return int(self.tables.state["merged"][0])

    def using(self, resources: set[int]) -> list[int]:
        """Return the works under way that use any of some resources, in the order in which they began."""
        uses, members = self.tables.uses, self.tables.members
        hit = (uses["owner"] >= 0) & np.isin(uses["resource"], sorted(resources))
        return self.in_order(np.isin(members["owner"], uses["owner"][hit]))

    def in_order(self, chosen: NDArray[np.bool_]) -> list[int]:
        """Return those works of a choice that are under way, in the order in which they began."""
        members = self.tables.members
        chosen_works = np.flatnonzero(chosen & (members["owner"] >= 0))
        order: list[int] = chosen_works[np.argsort(members["sequence"][chosen_works])].tolist()
        return order

    def withdraw(self, member: int, now: float) -> float:
        """End a work before it is done; return what is left of its amount."""
        weight = float(self.tables.kinds["weight"][self.tables.members["owner"][member]])
        return self._withdraw(self.tables, member, now) * weight

    def reserve(self, parts: Floats, now: float) -> None:
        """Leave to works what others do not have of each resource, of which they have some part, 0 to below 1.

        The books are then of what is left: `Books.beside` adds what others have.
        """
        for i in np.flatnonzero(parts != self._reserved).tolist():
            self._reserve(self.tables, i, float((1 - parts[i]) / (1 - self._reserved[i])), now)
        self._reserved = parts.copy()

    def close(self, now: float) -> Books:
        """Return what has been used up to `now`.

        Raises:
            ConservationError: what a resource gave is not what its works took.
        """
        close(self.tables, now)
        resources = self.tables.resources
        used, taken = resources["used"], self.taken("cost") + resources["done"]
        slack = EXACT * np.maximum(used, taken) + TICK * now * resources["most"]
        wrong = np.flatnonzero(~(np.abs(used - taken) <= slack))
        if len(wrong):
            lines = [f"{self.known[i].name}: gave {used[i]}, its works took {taken[i]}" for i in wrong[:5]]
            raise ConservationError("; ".join(lines))
        width = float(self.tables.state["width"][0])
        return Books(
            time=now,
            used=used.copy(),
            busy=resources["busy"].copy(),
            bytes=resources["bytes"] + self.taken("bytes"),
            bin_width=width,
            utilization=utilization(self.tables.bins, width, now),
            blame=self._blame(),
        )

    def taken(self, column: str) -> Floats:
        """Return what the works under way have taken of each resource so far, in its unit ("cost") or in "bytes"."""
        members, uses = self.tables.members[self.tables.members["owner"] >= 0], self.tables.uses
        served = members["amount"] - (members["target"] - self.tables.classes["progress"][members["owner"]])
        of_class = np.bincount(members["owner"], served, minlength=len(self.tables.classes))
        busy = np.flatnonzero(uses["owner"] >= 0)
        rate = uses["cost"] if column == "cost" else self.tables.moved
        taken = of_class[uses["owner"][busy]] * rate[busy]
        return np.bincount(uses["resource"][busy], taken, minlength=len(self.tables.resources)).astype(np.float64)

    def _blame(self) -> dict[tuple[int, str], float]:
        """Return the seconds of works by tag and limit."""
        blame = self.tables.blame
        blamed = [(int(tag), self._by_name(blame[tag])) for tag in np.flatnonzero((blame > 0).any(axis=1))]
        return {(tag, limit): seconds for tag, named in blamed for limit, seconds in named.items()}

    def blamed(self, tag: int, now: float) -> dict[str, float]:
        """Return the seconds (summed over works) in which each limit held works of a tag up until `now`.

        Nothing is brought forward: a run goes the same way, be it asked or not.
        """
        if tag >= len(self.tables.blame):
            return {}
        classes = self.tables.classes
        seconds = self.tables.blame[tag].copy()
        under_way = np.flatnonzero((classes["tag"] == tag) & (classes["count"] > 0))
        since = self.tables.shares[under_way] * (now - classes["since"][under_way])
        np.add.at(seconds, classes["limit"][under_way], since)
        return self._by_name(seconds)

    def _by_name(self, seconds: Floats) -> dict[str, float]:
        """Return the seconds of limits by name; a cap may have the name of a group."""
        by_name: dict[str, float] = {}
        for limit in np.flatnonzero(seconds > 0).tolist():
            by_name[self.limits[limit]] = by_name.get(self.limits[limit], 0.0) + float(seconds[limit])
        return by_name

    def cap(self, text: str) -> int:
        """Return the number among the limits of a cap, or of what a delay stands for."""
        number = self._caps.get(text)
        if number is None:
            number = self._caps[text] = len(self.limits)
            self.limits.append(text)
            self._widen_blame(len(self.tables.blame), len(self.limits))
        return number

    def reach_tag(self, tag: int) -> None:
        """Let works have tags up to this one."""
        if tag >= len(self.tables.blame):
            self._widen_blame(tag + 1, self.tables.blame.shape[1])

    def _widen_blame(self, tags: int, limits: int) -> None:
        old = self.tables.blame
        new = np.zeros((tags, limits))
        new[: old.shape[0], : old.shape[1]] = old
        self.tables = self.tables._replace(blame=new)

    def reach_needs(self, many: int) -> None:
        """Let demands have up to so many needs."""
        self.tables.state["most_needs"] = many
        if many >= len(self.tables.blocks):
            self.grow(many, "blocks")

    def make_room(self, spare: int) -> None:
        """Double those tables that the kernel fills and in which less than some rows are free."""
        state = self.tables.state[0]
        if state["busy_members"] + spare > len(self.tables.members):
            self.grow(len(self.tables.members), "members")
        if state["busy_classes"] + spare > len(self.tables.classes):
            names = "classes", "terms", "kinds", "shares", "places", "fresh", "noted", "heads"
            self.grow(len(self.tables.classes), *names)
            self._line_up()
        if state["use_rows"] + state["most_needs"] > len(self.tables.uses):
            self.grow(int(state["use_rows"]) + int(state["most_needs"]), "uses", "moved", "near", "near_uses", "minima")
        if (needed := users_within_reach(state)) > len(self.tables.users):
            self.grow(needed, "users", "concerned")

    def grow(self, needed: int, *names: str) -> None:
        """Double tables until they have more rows than needed."""
        self.tables = self.tables._replace(**{name: grown(getattr(self.tables, name), needed) for name in names})

    def _line_up(self) -> None:
        """Set anew which classes each head leads to, since there are more heads."""
        kinds, heads = self.tables.kinds, self.tables.heads
        heads[:] = NONE
        for c in np.flatnonzero(self.tables.classes["count"]).tolist():
            head = int(kinds["code"][c]) & (len(heads) - 1)
            kinds["like"][c], heads[head] = heads[head], c

    def fault(self, now: float) -> str:
        """Return in words what the kernel found wrong."""
        state, resources, uses = self.tables.state[0], self.tables.resources, self.tables.uses
        fault, culprit = int(state["fault"]), int(state["culprit"])
        if fault == OVERLOAD:
            usage, capacity = float(resources["usage"][culprit]), float(resources["capacity"][culprit])
            return f"{self.known[culprit].name} gives {usage} at {now} s, above its capacity {capacity}"
        if fault == UNSETTLED:
            return f"the sharing of {self.known[culprit].name} at {now} s has no end"
        used = uses["resource"][uses["owner"] == culprit]
        work = f"a work on {', '.join(self.known[i].name for i in used) or 'no resource'}"
        if fault == STARVED:
            return f"{work} has rate 0 at {now} s"
        assert fault == UNSERVED
        return f"{work} ended at {float(state['next_end'])} s without having been served its amount"


def grown(old: NDArray[Any], needed: int) -> NDArray[Any]:
    """Return a table with the same rows, and more rows than needed."""
    many = len(old)
    while many <= needed:
        many *= 2
    new = rows(many, old.dtype) if old.dtype.names else np.full(many, NONE if old.dtype == np.int32 else 0, old.dtype)
    new.view(np.uint8)[: old.nbytes] = old.view(np.uint8)  # numpy copies records column by column
    return new


def _resource_rows(resources: Resources, groups: list[str]) -> tuple[NDArray[np.void], Floats]:
    """Return the kernel's table of resources, and their capacities one after the other."""
    number = {group: at for at, group in enumerate(groups)}
    known = list(resources)
    table = rows(len(known), RESOURCE)
    table["group"] = [number[resource.group] for resource in known]
    table["capacity"] = [resource.capacity[0] for resource in known]
    table["most"] = [max(resource.capacity) for resource in known]
    table["steps"] = [len(resource.capacity) for resource in known]
    table["table"] = np.cumsum(table["steps"]) - table["steps"]
    return table, np.fromiter(chain.from_iterable(resource.capacity for resource in known), np.float64)


def _bucket_rows(resources: Resources) -> NDArray[np.void]:
    """Return the kernel's table of the resources with credits, all of which they have at the start."""
    bounded = [(resource, resource.bucket) for resource in resources if resource.bucket is not None]
    table = rows(len(bounded), BUCKET)
    for row, (resource, bucket) in zip(table, bounded, strict=True):
        row["resource"], row["full"] = resource.index, resource.capacity[-1]
        row["baseline"], row["size"], row["credits"] = bucket.baseline, bucket.size, bucket.size
        row["turn"] = math.inf
    return table


def _bins(resources: int) -> int:
    """Return how many bins each series has: a power of two, 16 at least, for any number of resources."""
    bins = BINS
    while bins > 16 and bins * resources > SERIES:
        bins //= 2
    return bins
