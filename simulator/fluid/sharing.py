"""Max-min fair rates, re-solved only where something changed.

All works grow at one level. A work stops at its bound (own cap, or what it could get alone), or when a resource that it
uses is saturated: sum over its users of cost * rate = capacity. The result is the only one in which each work is at its
bound, or uses a saturated resource on which nobody has a larger rate (all per unit of weight, see `state`).

So each saturated resource has a LEVEL, the largest rate on it; that of others is infinite, for they stop nobody. The
rate of a class is the least of its bound and the levels of what it uses. A level is right if it gives out the capacity
among users who take no more than they get elsewhere. Where a work comes or goes, the level is computed anew, and then
those of other resources with users whose rate that changes, the lowest first, until no level changes any more: the
lowest level of all depends on no other, the next one only on that, and so on, so there is an end to it. What is not
saturated is only looked at when its users take more than it has, once they have the rates that the levels leave them.

A class of many uses, as one that fetches from all drives, keeps for each block of them what no level is below, so that
its own least ones are found without a look at all. It is found anew when a look shows that all are higher; where it is
too high it is above the bound of the class, as all levels of the block then are.
Drives that are alike have one level: as long as another of them has it, a higher one of the next changes nothing.

Source: A. Charny, D. Clark, R. Jain, Congestion control with explicit rate indication, IEEE ICC 1995: the "advertised
rate" of a link, and that rates found so are max-min fair after as many rounds as there are levels.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.compiled import compiled, inlined, spliced
from simulator.fluid.recorder import record_resource
from simulator.fluid.state import ALONE, MANY, SEVERAL, UNSETTLED, WIDE, Tables

SLACK = 1e-12  # Assumption: of a capacity, what is rounding; the conservation check allows 1e-9
ABOVE_ALL = 1e300  # more than any rate
CLOSE = 1e-11  # Assumption: of a rate, the same; it comes from differences of sums over thousands of works
BLOCK = 16  # Assumption: uses in a block, the root of the drives from which 20 servers of 12 fetch

PATIENCE = 16
"""Times the square of the resources that were looked at: after so many levels, rounding goes round in a circle. As many
rounds as there are levels suffice, each of so many. Assumption: 16, for they are not computed in whole rounds."""


@spliced
def begin(t: Tables, now: float) -> None:
    """Let those resources wait whose level this instant could have changed."""
    s = t.state[0]
    s["solves"] += 1
    for at in range(s["fresh"]):
        take_up(t, t.fresh[at], now)
    for at in range(s["changed"]):
        i = t.resource_list[at]["changed"]
        t.resources[i]["is_changed"] = 0
        if is_open(t, i):
            wait(t, i)


@spliced
def share(t: Tables, now: float) -> None:
    """Compute the levels of all resources that wait; list those that were looked at in resource_list["todo"]."""
    s = t.state[0]
    s["mark"] += 1
    s["touched"] = 0
    before = s["levels"]
    while s["waiting"] > 0 and s["fault"] == 0:
        relax(t, next_waiting(t), now)
        if s["levels"] - before > PATIENCE * s["touched"] * s["touched"]:
            s["fault"] = UNSETTLED
            s["culprit"] = t.resource_list[s["touched"] - 1]["todo"]


@inlined
def is_open(t: Tables, i: int) -> bool:
    """Return whether the level of a resource may have to change."""
    r = t.resources[i]
    return bool(t.levels[i] < math.inf or r["usage"] > r["capacity"] * (1.0 + SLACK))


@inlined
def take_up(t: Tables, c: int, now: float) -> None:
    """Let a class that was opened in this instant use at once what is not saturated."""
    k, p = t.classes[c], t.terms[c]
    if k["uses"] > 2:
        for j in range(k["first"], k["first"] + k["uses"]):
            if t.levels[t.uses[j]["resource"]] < math.inf:
                add_near(t, k, p, j)
    if k["uses"] >= WIDE:
        for block in range((k["uses"] + BLOCK - 1) // BLOCK):
            find_minimum(t, k, block)
    look_up(t, k, p)
    k["rate"] = p["least"]
    spread(t, c, k["rate"], now)


@inlined
def look_up(t: Tables, k: Any, p: Any) -> None:
    """Find the least levels of what a class uses."""
    p["least"] = p["second"] = p["bound"]
    p["lowest"] = -1
    p["ties"] = 0
    if k["uses"] >= WIDE:
        look_through(t, k, p)
    else:
        first = k["first"]
        many = p["near"] if k["uses"] > 2 else k["uses"]
        for j in range(first, first + many):
            look_at(t, p, t.near[j] if k["uses"] > 2 else t.uses[j]["resource"])


@inlined
def look_at(t: Tables, p: Any, i: int) -> None:
    """Take the level of a resource into the least ones."""
    level = t.levels[i]
    if level < p["least"]:
        lower(p, i, level)
    elif level < p["second"]:
        p["second"] = level
        p["ties"] = 1
    elif level == p["second"]:
        p["ties"] += 1


@inlined
def lower(p: Any, i: int, level: float) -> None:
    """Take a level below the least one; who had that has the second one now, beside those who had both."""
    has_one = int(p["lowest"] >= 0)
    p["ties"] = has_one + (p["ties"] if p["second"] == p["least"] else 0)
    p["second"] = p["least"]
    p["least"] = level
    p["lowest"] = i


@compiled
def look_through(t: Tables, k: Any, p: Any) -> None:
    """Find the least levels of what a class of many uses uses, in those blocks that can have them.

    Of equal ones the first that the class is near is the lowest, as where there are few.
    """
    first, last = k["first"], k["first"] + k["uses"]
    for block in range((k["uses"] + BLOCK - 1) // BLOCK):
        if t.minima[first + block] < p["second"]:
            start, least = first + block * BLOCK, math.inf
            for j in range(start, min(start + BLOCK, last)):
                look_at(t, p, t.uses[j]["resource"])
                least = min(least, t.levels[t.uses[j]["resource"]])
            t.minima[first + block] = least
    if p["lowest"] >= 0 and p["second"] == p["least"]:
        at = k["first"]
        while t.levels[t.near[at]] > p["least"]:
            at += 1
        p["lowest"] = t.near[at]


@compiled
def find_minimum(t: Tables, k: Any, block: int) -> None:
    """Find the least level in a block of uses."""
    start, least = k["first"] + block * BLOCK, math.inf
    for j in range(start, min(start + BLOCK, k["first"] + k["uses"])):
        least = min(least, t.levels[t.uses[j]["resource"]])
    t.minima[k["first"] + block] = least


@inlined
def limit_of(t: Tables, e: Any, i: int) -> float:
    """Return what a user of a resource can get elsewhere."""
    if e["other"] >= 0:
        return float(min(e["bound"], t.levels[e["other"]]))
    if e["other"] == ALONE:
        return float(e["bound"])
    return without(t.terms[e["owner"]], i)


@inlined
def without(p: Any, i: int) -> float:
    """Return what a class can get of all that it uses but one resource."""
    return float(p["second"] if p["lowest"] == i else p["least"])


@spliced
def relax(t: Tables, i: int, now: float) -> None:
    """Compute the level of a resource for what its users get elsewhere now, and see whom that concerns."""
    s, r = t.state[0], t.resources[i]
    old = t.levels[i]
    if r["mark"] != s["mark"]:
        r["mark"] = s["mark"]
        r["was"] = old
        t.resource_list[s["touched"]]["todo"] = i
        s["touched"] += 1
        record_resource(t, i, now)
    level = level_of(t, i, r)
    if level == old or abs(level - old) <= CLOSE * min(level, old):
        level = old
    t.levels[i] = level
    t.settled[i] = level if level < math.inf else -math.inf
    if level != old:
        tell(t, i, old, level)


@inlined
def level_of(t: Tables, i: int, r: Any) -> float:
    """Return the rate up to which the users of a resource share it, infinite if they do not need all of it.

    Those who can get less elsewhere take that, the others share the rest, which gives a level that is too low unless
    the same ones get less than that elsewhere: then it is tried as a guess. So the guesses rise, after the first. One
    that does not is rounding over a tiny pull, any number: the last one gives out the capacity as well as sums can.
    """
    s = t.state[0]
    s["levels"] += 1
    guess = t.levels[i] if t.levels[i] < math.inf else 0.0
    first, last = r["head"], r["head"] + r["links"]
    before = -math.inf
    while True:
        taken, pull, below, above = 0.0, 0.0, 0.0, math.inf
        for at in range(first, last):
            e = t.users[at]
            limit = limit_of(t, e, i)
            is_less = float(int(limit < guess))  # which the processor could only guess, so there is no branch
            taken += e["weight"] * limit * is_less
            pull += e["weight"] * (1.0 - is_less)
            below = max(below, limit * is_less)
            above = min(above, limit + is_less * ABOVE_ALL)
        if pull > 0.0:
            level = (r["capacity"] - taken) / pull
            if below < level <= above:
                return float(level)
            if not level > before:
                return float(before)
            before = guess = level
        elif taken <= r["capacity"] * (1.0 + SLACK):
            return math.inf
        else:
            guess = 0.0


@inlined
def tell(t: Tables, i: int, old: float, level: float) -> None:
    """Let those resources wait whose level may be another, for users of theirs get more or less of this one.

    Most of them wait already, so whether they do is asked first: that the processor can guess.
    """
    r = t.resources[i]
    least = min(old, level)
    if max(old, level) == math.inf:
        draw_near(t, r, i, level < math.inf)
    for at in range(r["head"], r["head"] + r["links"]):
        e = t.users[at]
        if e["other"] >= 0:
            if t.settled[e["other"]] > least and e["bound"] > least:
                wait(t, e["other"])
        elif e["other"] <= SEVERAL and e["bound"] > least:
            if e["other"] == MANY:
                first = t.classes[e["owner"]]["first"]
                block = first + (e["use"] - first) // BLOCK
                t.minima[block] = min(t.minima[block], level)
            tell_several(t, i, e["owner"], old, level)


@compiled
def draw_near(t: Tables, r: Any, i: int, is_saturated: bool) -> None:
    """Note with the users of a resource that it is saturated now, or that it is no more."""
    for at in range(r["head"], r["head"] + r["links"]):
        e = t.users[at]
        if e["other"] <= SEVERAL:
            k, p = t.classes[e["owner"]], t.terms[e["owner"]]
            if is_saturated:
                add_near(t, k, p, e["use"])
            else:
                p["near"] -= 1
                place, last = t.uses[e["use"]]["place"], k["first"] + p["near"]
                t.near[place] = t.near[last]
                t.near_uses[place] = t.near_uses[last]
                t.uses[t.near_uses[place]]["place"] = place


@inlined
def add_near(t: Tables, k: Any, p: Any, j: int) -> None:
    """Note with a class that a resource which it uses is saturated."""
    place = k["first"] + p["near"]
    t.near[place] = t.uses[j]["resource"]
    t.near_uses[place] = j
    t.uses[j]["place"] = place
    p["near"] += 1


@inlined
def tell_several(t: Tables, i: int, c: int, old: float, level: float) -> None:
    """Note what a class gets now that the level of one resource is another, and tell all else that it uses."""
    p, least = t.terms[c], min(old, level)
    is_lowest = p["lowest"] == i
    if not is_lowest and least > p["second"]:
        return
    if not is_lowest and level < p["least"]:
        p["ties"] -= int(old == p["second"])
        lower(p, i, level)
    elif is_lowest and level <= p["second"]:
        p["least"] = level
    elif not is_lowest and old <= p["second"] < level and p["ties"] > 1:
        p["ties"] -= 1
    elif is_lowest or old <= p["second"] < level:
        look_up(t, t.classes[c], p)
    else:
        p["ties"] = 1 + (p["ties"] if level == p["second"] else 0)
        p["second"] = level
    if is_lowest or p["lowest"] == i:
        tell_all(t, c, i, least)


@spliced
def tell_all(t: Tables, c: int, i: int, least: float) -> None:
    """Let all else that a class uses wait whose level is above what one resource left it, or leaves it now."""
    first = t.classes[c]["first"]
    for j in range(first, first + t.terms[c]["near"]):
        other = t.near[j]
        level = t.levels[other]
        if least < level and other != i:
            wait(t, other)


@compiled
def spread(t: Tables, c: int, more: float, now: float) -> None:
    """Let the members of a class take so much more of what is not saturated, and see whether that is saturated now."""
    k = t.classes[c]
    for j in range(k["first"], k["first"] + k["uses"]):
        i = t.uses[j]["resource"]
        if t.levels[i] == math.inf:
            r = t.resources[i]
            record_resource(t, i, now)
            r["usage"] += k["count"] * t.uses[j]["cost"] * more
            r["updates"] += 1
            if r["usage"] > r["capacity"] * (1.0 + SLACK):
                wait(t, i)


@inlined
def wait(t: Tables, i: int) -> None:
    """Put a resource into the queue of those whose level may be another, unless it is there."""
    if not t.resources[i]["is_waiting"]:
        put_off(t, i, t.levels[i])


@spliced
def put_off(t: Tables, i: int, key: float) -> None:
    """Put a resource into the queue behind those with a lower key."""
    s = t.state[0]
    t.resources[i]["is_waiting"] = 1
    t.settled[i] = -math.inf
    at = s["waiting"]
    s["waiting"] += 1
    while at > 0:
        above = (at - 1) // 2
        if t.resource_list[above]["key"] <= key:
            break
        t.resource_list[at]["queue"] = t.resource_list[above]["queue"]
        t.resource_list[at]["key"] = t.resource_list[above]["key"]
        at = above
    t.resource_list[at]["queue"] = i
    t.resource_list[at]["key"] = key


@spliced
def next_waiting(t: Tables) -> int:
    """Take the resource with the lowest key out of the queue."""
    s = t.state[0]
    i = t.resource_list[0]["queue"]
    t.resources[i]["is_waiting"] = 0
    s["waiting"] -= 1
    size = s["waiting"]
    moved, key = t.resource_list[size]["queue"], t.resource_list[size]["key"]
    at, child = 0, 1
    while child < size:
        if t.resource_list[min(child + 1, size - 1)]["key"] < t.resource_list[child]["key"]:
            child += 1
        if t.resource_list[child]["key"] >= key:
            break
        t.resource_list[at]["queue"] = t.resource_list[child]["queue"]
        t.resource_list[at]["key"] = t.resource_list[child]["key"]
        at = child
        child = 2 * at + 1
    t.resource_list[at]["queue"] = moved
    t.resource_list[at]["key"] = key
    return int(i)
