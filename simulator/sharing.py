"""Weighted max-min fair rates, re-solved only where something changed.

All works grow at one level: rate = weight * level. A work stops at its own bound, or when a resource that it uses is
saturated: sum over the works of cost * rate = capacity. So no work could be given more without taking from one with
no larger share. Exact up to rounding.

A resource whose users could not fill it even at their bounds never stops anyone: it takes no part and connects nobody.
"""

from __future__ import annotations

from typing import Any

from simulator.compiled import compiled

SLACK = 1e-12  # Assumption: loads above capacity by less than this are rounding; the conservation check allows 1e-9.
THIN = 1e-3  # Assumption: below this part of its first value a running difference is summed anew (loses 3 digits of 16)


@compiled
def share(state: Any, classes: Any, uses: Any, resources: Any) -> int:
    """Compute `next_rate` and `next_limit` of all classes that this instant could have changed, return their number.

    They are listed in classes["todo"].
    """
    found = collect(state, classes, uses, resources)
    if found[0] > 0:
        fill(state, classes, uses, resources, found[0], found[1])
    return found[0]


@compiled
def collect(state: Any, classes: Any, uses: Any, resources: Any) -> tuple[int, int]:
    """List the classes and tight resources connected to what changed; return how many there are of both."""
    s = state[0]
    s["mark"] += 1
    mark = s["mark"]
    many = 0
    tight = 0
    for at in range(s["changed"]):
        i = resources[at]["changed"]
        r = resources[i]
        was_tight = r["is_tight"]
        r["is_changed"] = 0
        r["is_tight"] = 1 if r["load"] > r["capacity"] * (1.0 + SLACK) else 0
        if was_tight or r["is_tight"]:
            r["mark"] = mark
            resources[tight]["todo"] = i
            tight += 1
    s["changed"] = 0
    for at in range(s["fresh"]):
        many, tight = enter(classes[at]["fresh"], mark, classes, uses, resources, many, tight)
    s["fresh"] = 0
    at = 0
    while at < tight:
        j = resources[resources[at]["todo"]]["head"]
        while j >= 0:
            many, tight = enter(uses[j]["owner"], mark, classes, uses, resources, many, tight)
            j = uses[j]["next"]
        at += 1
    return many, tight


@compiled
def enter(c: int, mark: int, classes: Any, uses: Any, resources: Any, many: int, tight: int) -> tuple[int, int]:
    """List a class, and the tight resources that it uses; return how many there are now of both."""
    k = classes[c]
    if k["mark"] != mark:
        k["mark"] = mark
        classes[many]["todo"] = c
        many += 1
        for j in range(k["first"], k["first"] + k["uses"]):
            i = uses[j]["resource"]
            r = resources[i]
            if r["is_tight"] and r["mark"] != mark:
                r["mark"] = mark
                resources[tight]["todo"] = i
                tight += 1
    return many, tight


@compiled
def fill(state: Any, classes: Any, uses: Any, resources: Any, many: int, tight: int) -> None:
    """Raise the level of the listed classes until each has met its limit."""
    mark = state[0]["mark"]
    size = prepare(mark, classes, uses, resources, many, tight)
    level = 0.0
    while size > 0:
        i = resources[0]["queue"]
        r = resources[i]
        if r["free"] == 0:
            size -= 1
            resources[0]["queue"] = resources[size]["queue"]
            sink(resources, 0, size)
            continue
        if r["pull"] < THIN * r["full"]:
            recount(i, mark, classes, uses, resources)
        reached = r["room"] / r["pull"]
        if reached > r["level"]:
            r["level"] = reached
            sink(resources, 0, size)
            continue
        level = max(level, r["level"])
        if not freeze_bounded(i, level, mark, classes, uses, resources):
            freeze_rest(i, level, mark, classes, uses, resources)


@compiled
def prepare(mark: int, classes: Any, uses: Any, resources: Any, many: int, tight: int) -> int:
    """Set the listed resources to nothing given out, and queue those with users; return how many are queued."""
    for at in range(tight):
        r = resources[resources[at]["todo"]]
        r["room"] = r["capacity"]
        r["pull"] = 0.0
        r["free"] = 0
    for at in range(many):
        k = classes[classes[at]["todo"]]
        k["is_frozen"] = 1
        k["next_rate"] = k["bound"]
        k["next_limit"] = k["bound_limit"]
        for j in range(k["first"], k["first"] + k["uses"]):
            r = resources[uses[j]["resource"]]
            if r["mark"] == mark:
                k["is_frozen"] = 0
                r["pull"] += k["count"] * uses[j]["cost"] * k["weight"]
                r["free"] += 1
    size = 0
    for at in range(tight):
        i = resources[at]["todo"]
        r = resources[i]
        if r["free"] > 0:
            r["full"] = r["pull"]
            r["level"] = r["room"] / r["pull"]
            resources[size]["queue"] = i
            size += 1
    for at in range(size // 2 - 1, -1, -1):
        sink(resources, at, size)
    return size


@compiled
def freeze_bounded(i: int, level: float, mark: int, classes: Any, uses: Any, resources: Any) -> bool:
    """Stop those users of a resource that meet their own bound below its level; return whether there were any."""
    some = False
    j = resources[i]["head"]
    while j >= 0:
        k = classes[uses[j]["owner"]]
        if k["mark"] == mark and not k["is_frozen"] and k["bound"] <= level * k["weight"]:
            freeze(k, k["bound"], k["bound_limit"], mark, uses, resources)
            some = True
        j = uses[j]["next"]
    return some


@compiled
def freeze_rest(i: int, level: float, mark: int, classes: Any, uses: Any, resources: Any) -> None:
    """Stop all users of a saturated resource that still grow."""
    j = resources[i]["head"]
    while j >= 0:
        k = classes[uses[j]["owner"]]
        if k["mark"] == mark and not k["is_frozen"]:
            freeze(k, level * k["weight"], i, mark, uses, resources)
        j = uses[j]["next"]


@compiled
def freeze(k: Any, rate: float, limit: int, mark: int, uses: Any, resources: Any) -> None:
    """Stop a class at a rate, and take its part from all resources that it uses."""
    k["is_frozen"] = 1
    k["next_rate"] = rate
    k["next_limit"] = limit
    for j in range(k["first"], k["first"] + k["uses"]):
        r = resources[uses[j]["resource"]]
        if r["mark"] == mark:
            cost = k["count"] * uses[j]["cost"]
            r["room"] -= cost * rate
            r["pull"] -= cost * k["weight"]
            r["free"] -= 1


@compiled
def recount(i: int, mark: int, classes: Any, uses: Any, resources: Any) -> None:
    """Sum up anew what is left of a resource and who still grows on it: the running differences have lost digits."""
    r = resources[i]
    r["room"] = r["capacity"]
    r["pull"] = 0.0
    j = r["head"]
    while j >= 0:
        k = classes[uses[j]["owner"]]
        cost = k["count"] * uses[j]["cost"]
        if k["is_frozen"]:
            r["room"] -= cost * k["next_rate"]
        else:
            r["pull"] += cost * k["weight"]
        j = uses[j]["next"]
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
