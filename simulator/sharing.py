"""Weighted max-min fair rates, re-solved only where something changed.

All works grow at one level: rate = weight * level. A work stops at its bound (own cap, or what it could get alone), or
when a resource that it uses is saturated: sum over the works of cost * rate = capacity. The result is the only one in
which each work is at its bound, or uses a saturated resource on which nobody has a larger share (rate / weight).

A resource whose users could not fill it even at their bounds is not TIGHT: it stops nobody, takes no part and connects
nobody. Some classes are freed and filled, the others keep their rates: first those that what changed held back
(`share_nearby`), and then those for which the condition above no longer holds, until it holds for all. When these grow
many, all that the change can reach is freed at once (`share_widely`). Both are exact up to rounding.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.compiled import compiled
from simulator.state import Tables

SLACK = 1e-12  # Assumption: of a capacity, what is rounding; the conservation check allows 1e-9
CLOSE = 1e-11  # Assumption: of a share, the same; it comes from differences of sums over thousands of works
THIN = 1e-3  # Assumption: below this part of its first value a running difference is summed anew (3 of 16 digits lost)
ROUNDS = 8  # Assumption: so often the freed set may grow before all that can change is freed; chosen by measurement
NEARBY = 64  # Assumption: so many classes may be freed one after the other; chosen by measurement


@compiled
def share(t: Tables) -> None:
    """Compute `next_rate` and `next_held` of all classes that this instant could have changed.

    They are listed in classes["todo"], the tight resources that they use in resources["todo"].
    """
    s = t.state[0]
    s["solves"] += 1
    if not share_nearby(t):
        share_widely(t)
    for at in range(s["changed"]):
        r = t.resources[t.resources[at]["changed"]]
        r["is_changed"] = 0
        r["has_grown"] = 0
    s["changed"] = 0
    s["fresh"] = 0


@compiled
def start(t: Tables) -> None:
    """Begin a solve with nobody taking part but the classes opened in this instant."""
    s = t.state[0]
    s["mark"] += 1
    s["many"] = 0
    s["tight"] = 0
    for at in range(s["fresh"]):
        enter(t, t.classes[at]["fresh"])


@compiled
def enter(t: Tables, c: int) -> None:
    """Free a class, and let the tight resources that it uses take part."""
    s, k = t.state[0], t.classes[c]
    mark = s["mark"]
    if k["mark"] == mark:
        return
    k["mark"] = mark
    t.classes[s["many"]]["todo"] = c
    s["many"] += 1
    for j in range(k["first"], k["first"] + k["uses"]):
        i = t.uses[j]["resource"]
        r = t.resources[i]
        if r["is_tight"] and r["mark"] != mark:
            r["mark"] = mark
            t.resources[s["tight"]]["todo"] = i
            s["tight"] += 1


@compiled
def enter_users(t: Tables, i: int, share: float) -> None:
    """Free the users of a resource that have at least a share."""
    j = t.resources[i]["head"]
    while j >= 0:
        c = t.uses[j]["owner"]
        if t.classes[c]["share"] >= share:
            enter(t, c)
        j = t.uses[j]["next"]


@compiled
def share_nearby(t: Tables) -> bool:
    """Solve for what the changed resources held back, and grow; return False when that became too many."""
    s = t.state[0]
    for at in range(s["changed"]):
        r = t.resources[t.resources[at]["changed"]]
        r["is_tight"] = 1 if r["load"] > r["capacity"] * (1.0 + SLACK) else 0
    start(t)
    for at in range(s["changed"]):
        i = t.resources[at]["changed"]
        r = t.resources[i]
        if r["is_tight"] and r["usage"] > r["capacity"] * (1.0 + SLACK):
            enter_users(t, i, 0.0)
        elif r["holds"] > 0:
            enter_held(t, i)
    for _ in range(ROUNDS):
        if s["many"] > NEARBY:
            return False
        fill(t)
        if not grow(t):
            return True
    return False


@compiled
def enter_held(t: Tables, i: int) -> None:
    """Free the classes whose rate a resource sets."""
    j = t.resources[i]["head"]
    while j >= 0:
        c = t.uses[j]["owner"]
        if t.classes[c]["held"] == i:
            enter(t, c)
        j = t.uses[j]["next"]


@compiled
def grow(t: Tables) -> bool:
    """Free the classes that what the present ones got leaves without a limit; return whether there are any."""
    s = t.state[0]
    before = s["many"]
    for at in range(s["tight"]):
        i = t.resources[at]["todo"]
        r = t.resources[i]
        if r["links"] > r["chained"] and (r["is_full"] or r["holds"] > r["freed"]):
            enter_wronged(t, i, r)
    return bool(s["many"] > before)


@compiled
def enter_wronged(t: Tables, i: int, r: Any) -> None:
    """Free the classes that a resource gives more than those it stops, or that it no longer stops."""
    most = r["level"] * (1.0 + CLOSE) if r["is_full"] else math.inf
    least = math.inf
    if r["is_full"] or r["room"] <= SLACK * r["capacity"]:
        least = largest_share(t, r) * (1.0 - CLOSE)
    mark = t.state[0]["mark"]
    j = r["head"]
    while j >= 0:
        c = t.uses[j]["owner"]
        k = t.classes[c]
        if k["mark"] != mark and (k["share"] > most or (k["held"] == i and k["share"] < least)):
            enter(t, c)
        j = t.uses[j]["next"]


@compiled
def largest_share(t: Tables, r: Any) -> float:
    """Return the largest share of the freed classes on a resource."""
    largest = 0.0
    j = r["chain"]
    while j >= 0:
        k = t.classes[t.uses[j]["owner"]]
        largest = max(largest, k["next_rate"] / k["weight"])
        j = t.uses[j]["chain"]
    return largest


@compiled
def share_widely(t: Tables) -> None:
    """Solve for all that the change can reach.

    While the level rises to the first at which a changed resource is saturated, before or after the change, all goes
    as it went before. So whoever has a smaller share keeps it, and connects nobody.
    """
    s = t.state[0]
    least = math.inf
    for at in range(s["changed"]):
        least = min(least, first_level(t, t.resources[at]["changed"]))
    least *= 1.0 - CLOSE
    start(t)
    for at in range(s["changed"]):
        i = t.resources[at]["changed"]
        if t.resources[i]["is_tight"] or t.resources[i]["holds"] > 0:
            enter_users(t, i, least)
    at = 0
    while at < s["tight"]:
        enter_users(t, t.resources[at]["todo"], least)
        at += 1
    fill(t)


@compiled
def first_level(t: Tables, i: int) -> float:
    """Return a level up to which a changed resource is saturated neither before nor after the change."""
    r = t.resources[i]
    pull = 0.0
    level = math.inf
    j = r["head"]
    while j >= 0:
        k = t.classes[t.uses[j]["owner"]]
        pull += k["count"] * t.uses[j]["cost"] * k["weight"]
        if k["held"] == i:
            level = min(level, k["share"])
        j = t.uses[j]["next"]
    if r["has_grown"] and r["is_tight"]:
        level = min(level, r["capacity"] / pull)
    return level


@compiled
def fill(t: Tables) -> None:
    """Raise the level of the freed classes until each has met its limit."""
    size = prepare(t)
    level = 0.0
    while size > 0:
        i = t.resources[0]["queue"]
        r = t.resources[i]
        if r["free"] == 0:
            size -= 1
            t.resources[0]["queue"] = t.resources[size]["queue"]
            sink(t.resources, 0, size)
            continue
        if r["pull"] < THIN * r["full"]:
            recount(t, r)
        reached = r["room"] / r["pull"]
        if reached > r["level"]:
            r["level"] = reached
            sink(t.resources, 0, size)
            continue
        level = max(level, r["level"])
        if not freeze_bounded(t, r, level):
            freeze_rest(t, i, r, level)


@compiled
def prepare(t: Tables) -> int:
    """Take back what the freed classes have, and queue the resources that they use; return how many these are."""
    s = t.state[0]
    s["rates"] += s["many"]
    for at in range(s["tight"]):
        clear(t.resources[t.resources[at]["todo"]])
    for at in range(s["many"]):
        chain(t, t.classes[t.classes[at]["todo"]])
    for at in range(s["tight"]):
        i = t.resources[at]["todo"]
        r = t.resources[i]
        if r["chained"] == r["links"]:
            r["room"] = r["capacity"]  # free of rounding
        r["free"] = r["chained"]
        r["full"] = r["pull"]
        r["level"] = r["room"] / r["pull"]
        t.resources[at]["queue"] = i
    for at in range(s["tight"] // 2 - 1, -1, -1):
        sink(t.resources, at, s["tight"])
    return int(s["tight"])


@compiled
def clear(r: Any) -> None:
    """Prepare a resource for a solve, in which nobody takes part so far."""
    r["room"] = r["capacity"] - r["usage"]
    r["pull"] = 0.0
    r["chain"] = -1
    r["chained"] = 0
    r["freed"] = 0
    r["is_full"] = 0


@compiled
def chain(t: Tables, k: Any) -> None:
    """Take back what a freed class has; if it uses nothing tight it goes at its bound."""
    mark = t.state[0]["mark"]
    k["is_frozen"] = 1
    k["next_rate"] = k["bound"]
    k["next_held"] = -1
    for j in range(k["first"], k["first"] + k["uses"]):
        u = t.uses[j]
        r = t.resources[u["resource"]]
        if r["mark"] == mark:
            cost = k["count"] * u["cost"]
            k["is_frozen"] = 0
            r["room"] += cost * k["rate"]
            r["pull"] += cost * k["weight"]
            u["chain"] = r["chain"]
            r["chain"] = j
            r["chained"] += 1
            if k["held"] == u["resource"]:
                r["freed"] += 1


@compiled
def freeze_bounded(t: Tables, r: Any, level: float) -> bool:
    """Stop those freed users of a resource that meet their bound below its level; return whether there were any."""
    some = False
    j = r["chain"]
    while j >= 0:
        k = t.classes[t.uses[j]["owner"]]
        if not k["is_frozen"] and k["bound"] <= level * k["weight"]:
            freeze(t, k, k["bound"], -1)
            some = True
        j = t.uses[j]["chain"]
    return some


@compiled
def freeze_rest(t: Tables, i: int, r: Any, level: float) -> None:
    """Stop all freed users of a saturated resource that still grow."""
    r["is_full"] = 1
    r["level"] = level
    j = r["chain"]
    while j >= 0:
        k = t.classes[t.uses[j]["owner"]]
        if not k["is_frozen"]:
            freeze(t, k, level * k["weight"], i)
        j = t.uses[j]["chain"]


@compiled
def freeze(t: Tables, k: Any, rate: float, held: int) -> None:
    """Stop a class at a rate, and take its part from all tight resources that it uses."""
    mark = t.state[0]["mark"]
    k["is_frozen"] = 1
    k["next_rate"] = rate
    k["next_held"] = held
    for j in range(k["first"], k["first"] + k["uses"]):
        r = t.resources[t.uses[j]["resource"]]
        if r["mark"] == mark:
            cost = k["count"] * t.uses[j]["cost"]
            r["room"] -= cost * rate
            r["pull"] -= cost * k["weight"]
            r["free"] -= 1


@compiled
def recount(t: Tables, r: Any) -> None:
    """Sum up anew who still grows on a resource: the running difference has lost digits."""
    r["pull"] = 0.0
    j = r["chain"]
    while j >= 0:
        k = t.classes[t.uses[j]["owner"]]
        if not k["is_frozen"]:
            r["pull"] += k["count"] * t.uses[j]["cost"] * k["weight"]
        j = t.uses[j]["chain"]
    r["full"] = r["pull"]


@compiled
def sink(resources: Any, at: int, size: int) -> None:
    """Restore the heap of unsaturated resources below place `at`."""
    moved = resources[at]["queue"]
    level = resources[moved]["level"]
    child = 2 * at + 1
    while child < size:
        least = resources[child]["queue"]
        if child + 1 < size:
            other = resources[child + 1]["queue"]
            if resources[other]["level"] < resources[least]["level"]:
                child += 1
                least = other
        if resources[least]["level"] >= level:
            break
        resources[at]["queue"] = least
        at = child
        child = 2 * at + 1
    resources[at]["queue"] = moved
