"""Progressive filling: the level rises, and works stop at their bounds, or where a resource is saturated.

The classes that are freed are filled together; `sharing` says which ones those are, and what the rates mean.
"""

from __future__ import annotations

from typing import Any

from simulator.compiled import compiled, inlined, prefetch
from simulator.fluid.state import Tables

CLOSE = 1e-11  # Assumption: of a rate, the same; it comes from differences of sums over thousands of works
THIN = 1e-3  # Assumption: below this part of its first value a running difference is summed again (3 of 16 digits lost)
AHEAD = 8  # Assumption: so many classes ahead memory is asked for what they need; chosen by measurement


@compiled
def fill(t: Tables) -> None:
    """Raise the level of the freed classes until each has met its limit."""
    size = prepare(t)
    level = 0.0
    while size > 0:
        i = t.resource_list[0]["queue"]
        r = t.resources[i]
        if r["free"] == 0:
            size -= 1
            t.resource_list[0]["queue"] = t.resource_list[size]["queue"]
            sink(t, 0, size)
            continue
        if r["pull"] < THIN * r["full"]:
            recount(t, r)
        reached = r["room"] / r["pull"]
        if reached > r["level"]:
            r["level"] = reached
            sink(t, 0, size)
            continue
        level = max(level, r["level"])
        if r["least_bound"] > level * (1.0 + CLOSE) or not freeze_bounded(t, r, level * (1.0 + CLOSE)):
            freeze_rest(t, i, r, level)


@inlined
def prepare(t: Tables) -> int:
    """Queue the resources that take part, with all that the freed classes had; return how many these are."""
    s = t.state[0]
    s["filling"] += 1
    s["rates"] += s["many"]
    size = int(s["tight"])
    for at in range(size):
        i = t.resource_list[at]["todo"]
        r = t.resources[i]
        r["room"] = r["capacity"] if r["chained"] == r["links"] else r["first_room"]  # with all freed: no rounding
        r["pull"] = r["full"] = r["first_pull"]
        r["level"] = r["room"] / r["pull"]
        r["free"] = r["chained"]
        r["is_full"] = 0
        t.resource_list[at]["queue"] = i
    for at in range(size // 2 - 1, -1, -1):
        sink(t, at, size)
    return size


@inlined
def freeze_bounded(t: Tables, r: Any, level: float) -> bool:
    """Stop those freed users of a resource that meet their bound below its level; return whether there were any."""
    filling = t.state[0]["filling"]
    some = False
    for at in range(r["start"] + r["chained"] - 1, r["start"] - 1, -1):
        k = t.classes[t.growers[at]["owner"]]
        if k["frozen"] != filling and k["bound"] <= level:
            freeze(t, k, -1, k["bound"])
            some = True
    return some


@inlined
def freeze_rest(t: Tables, i: int, r: Any, level: float) -> None:
    """Stop all freed users of a saturated resource that still grow.

    Of several resources saturated at the same level, the one that was added first stops a class. Otherwise rounding
    would choose, and what limits a run would be now one and now the other.

    About half of its users stopped elsewhere, which ones the processor could only guess: so those that still grow are
    listed first, without a branch.
    """
    filling = t.state[0]["filling"]
    room, start, many = r["room"], r["start"], 0
    r["is_full"] = 1
    r["level"] = level
    r["free"] = 0
    for at in range(start + r["chained"] - 1, start - 1, -1):
        t.growing[many] = at
        many += int(t.classes[t.growers[at]["owner"]]["frozen"] != filling)
    for at in range(many):
        g = t.growers[t.growing[at]]
        prefetch(t.uses, t.growers[t.growing[min(at + AHEAD, many - 1)]]["use"])
        k = t.classes[g["owner"]]
        freeze(t, k, i, level)
        room -= k["count"] * t.uses[g["use"]]["cost"] * level
    r["room"] = room


@inlined
def freeze(t: Tables, k: Any, i: int, rate: float) -> None:
    """Stop a class at a rate, for resource i is saturated or, at -1, it meets its bound; take its part from others."""
    s = t.state[0]
    most = rate * (1.0 + CLOSE)
    held = i
    for j in range(k["first"], k["first"] + k["uses"]):
        other = t.uses[j]["resource"]
        r = t.resources[other]
        if r["free"] > 0 and other != i:  # those that take no part count nobody who grows
            if other < held and r["room"] <= most * r["pull"]:
                held = other
            cost = k["count"] * t.uses[j]["cost"]
            r["room"] -= cost * rate
            r["pull"] -= cost
            r["free"] -= 1
    if held != i:
        t.resources[held]["is_full"] = 1
        t.resources[held]["level"] = rate
    k["frozen"] = s["filling"]
    k["next_rate"] = rate
    k["next_held"] = held


@compiled
def recount(t: Tables, r: Any) -> None:
    """Sum up again who still grows on a resource: the running difference has lost digits."""
    filling = t.state[0]["filling"]
    r["pull"] = 0.0
    for at in range(r["start"] + r["chained"] - 1, r["start"] - 1, -1):
        g = t.growers[at]
        k = t.classes[g["owner"]]
        if k["frozen"] != filling:
            r["pull"] += k["count"] * t.uses[g["use"]]["cost"]
    r["full"] = r["pull"]


@compiled
def sink(t: Tables, at: int, size: int) -> None:
    """Restore the heap of unsaturated resources below place `at`."""
    moved = t.resource_list[at]["queue"]
    level = t.resources[moved]["level"]
    child = 2 * at + 1
    while child < size:
        least = t.resource_list[child]["queue"]
        if child + 1 < size:
            other = t.resource_list[child + 1]["queue"]
            if t.resources[other]["level"] < t.resources[least]["level"]:
                child += 1
                least = other
        if t.resources[least]["level"] >= level:
            break
        t.resource_list[at]["queue"] = least
        at = child
        child = 2 * at + 1
    t.resource_list[at]["queue"] = moved
