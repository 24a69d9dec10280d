"""The fluid kernel: works start, share what there is, and end.

Works start with `join_class`; once an instant is over, `look_ahead` re-solves the rates that it touched and finds the
next end of a work, and `finish` lets that come. With it end those of which hardly anything is left, if a tolerance
allows it. Nothing in it grows with the size of the cluster: only changed resources are looked at, progress and
integrals are brought forward when a rate changes, and the classes wait in a heap by the time at which their first
member ends.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.compiled import called, compiled, inlined, prefetch, spliced
from simulator.fluid.classes import close_class, is_of, open_class
from simulator.fluid.credits import next_turn
from simulator.fluid.filling import AHEAD
from simulator.fluid.heaps import dequeue, enqueue, first, meld, order, without_top
from simulator.fluid.recorder import record_class, record_resource, widen
from simulator.fluid.rows import new_member, release_member
from simulator.fluid.sharing import share
from simulator.fluid.state import GAIN, LOSS, NO_CHANGE, OVERLOAD, STARVED, UNSERVED, Tables

SAME_INSTANT = 1e-14  # Assumption: ends closer than this part of the time are one instant; rounding is 1e-16 a step
TOLERANCE = 1e-9  # of the capacity; what rounding may add to the usage of a resource
SERVED = 1e-6  # of the amount; what rounding may take from a work
MANY = 8  # Assumption: with more than one class in so many rescheduled it is cheaper to search the places; measured


@called
def close(t: Tables, now: float) -> None:
    """Bring all integrals forward to `now`."""
    reach(t, now)
    for at in range(t.state[0]["queued"]):
        record_class(t, t.places[at]["owner"], now)
    for i in range(t.resources.shape[0]):
        record_resource(t, i, now)


@compiled
def reach(t: Tables, now: float) -> None:
    """Let the time bins reach up to `now`."""
    if now >= t.state[0]["width"] * t.bins.shape[1]:
        widen(t, now)


@spliced
def join_class(t: Tables, work: Any, amount: float, demand: Any, needs: Any, at: int, tag: int, now: float) -> int:
    """Let a work start: it joins the class of those with its demand and tag, opened if there is none; return it.

    It has so much to do for a unit of weight. What its demand needs are the rows from `at` on.
    """
    c = t.heads[demand["code"] & (t.heads.shape[0] - 1)]
    while c >= 0 and not is_of(t, c, work, demand, needs, at, tag):
        c = t.paces[c]["like"]
    if c < 0:
        c = open_class(t, work, demand, needs, at, tag, now)
    member = new_member(t)
    join(t, member, c, amount, now)
    return member


@spliced
def join(t: Tables, member: int, c: int, amount: float, now: float) -> None:
    """Let a member join its class."""
    s, k, p, m = t.state[0], t.classes[c], t.paces[c], t.members[member]
    record_class(t, c, now)
    m["owner"] = c
    m["amount"] = amount
    m["target"] = p["progress"] + amount
    m["sequence"] = s["sequence"]
    m["child"] = -1
    m["sibling"] = -1
    s["sequence"] += 1
    p["top"] = meld(p["top"], member, t.members)
    k["count"] += 1
    weigh(t, k, 1.0, now)
    if p["top"] == member:
        p["target"] = m["target"]
        if k["rate"] > 0.0:
            enqueue(t, c, end_of(k, p, now))


@inlined
def weigh(t: Tables, k: Any, sign: float, now: float) -> None:
    """Add a member of a class to the resources that it uses, or take it away (sign -1.0)."""
    s = t.state[0]
    s["is_settled"] = 0
    s["moves"] += int(s["tolerance"] > 0.0)
    for j in range(k["first"], k["first"] + k["uses"]):
        u = t.uses[j]
        i = u["resource"]
        r = t.resources[i]
        record_resource(t, i, now)
        r["users"] += int(sign)
        r["load"] += sign * u["cost"] * k["bound"]
        r["usage"] += sign * u["cost"] * k["rate"]
        r["updates"] += 1
        if r["change"] == NO_CHANGE:
            r["change"] = LOSS
            t.resource_list[s["changed"]]["changed"] = i
            s["changed"] += 1
        if sign > 0.0 or r["steps"] > 1:
            r["change"] = GAIN
        if r["steps"] > 1:
            r["capacity"] = t.capacities[r["table"] + max(min(r["users"], r["steps"]) - 1, 0)]


@spliced
def look_ahead(t: Tables, now: float) -> float:
    """Share the resources as from `now`, and return when the next work ends: never if there is none."""
    s = t.state[0]
    if not s["is_settled"]:
        if s["changed"] > 0 or s["fresh"] > 0:
            settle(t, now)
        s["next_end"] = math.inf
        if s["queued"] > 0:
            s["next_at"] = first(t)
            s["next_end"] = t.places[s["next_at"]]["ends"]
        s["next_turn"] = next_turn(t, now) if t.buckets.shape[0] > 0 else math.inf
        s["is_settled"] = 1
    return float(s["next_end"])


@spliced
def settle(t: Tables, now: float) -> None:
    """Re-solve what this instant changed, and check that no resource gives more than it has."""
    s = t.state[0]
    changed = s["changed"]
    for at in range(changed):
        refresh(t, t.resource_list[at]["changed"])
    share(t)
    for at in range(s["tight"]):
        i = t.resource_list[at]["todo"]
        r = t.resources[i]
        record_resource(t, i, now)
        r["usage"] = r["capacity"] - r["room"]
        r["updates"] += 1
    if s["many"] * MANY > s["queued"]:
        s["is_ordered"] = 0
    elif not s["is_ordered"]:
        order(t)
    last = s["many"] - 1
    for at in range(s["many"]):
        prefetch(t.paces, t.class_list[min(at + AHEAD, last)]["todo"])
        apply(t, t.class_list[at]["todo"], now)
    for at in range(changed):
        check(t, t.resource_list[at]["changed"])
    for at in range(s["tight"]):
        check(t, t.resource_list[at]["todo"])


@inlined
def check(t: Tables, i: int) -> None:
    """Note a fault if a resource gives more than it has."""
    r = t.resources[i]
    if not r["usage"] <= r["capacity"] * (1.0 + TOLERANCE):
        t.state[0]["fault"] = OVERLOAD
        t.state[0]["culprit"] = i


@compiled
def refresh(t: Tables, i: int) -> None:
    """Sum up load and usage of a resource again after as many updates as it has classes: rounding must not add up."""
    r = t.resources[i]
    if r["updates"] <= 64 + r["links"]:
        return
    r["updates"] = 0
    r["load"] = 0.0
    r["usage"] = 0.0
    j = r["head"]
    while j >= 0:
        u = t.uses[j]
        k = t.classes[u["owner"]]
        r["load"] += k["count"] * u["cost"] * k["bound"]
        r["usage"] += k["count"] * u["cost"] * k["rate"]
        j = u["next"]


@inlined
def apply(t: Tables, c: int, now: float) -> None:
    """Let a class go on at its new rate; the tight resources that it uses know already."""
    s, k, p = t.state[0], t.classes[c], t.paces[c]
    if k["next_rate"] == k["rate"] and k["next_held"] == k["held"]:
        return
    record_class(t, c, now)
    if k["loose"] > 0:
        load_loose(t, k, now)
    if k["next_held"] != k["held"]:
        if k["held"] >= 0:
            t.resources[k["held"]]["holds"] -= 1
        if k["next_held"] >= 0:
            t.resources[k["next_held"]]["holds"] += 1
        k["held"] = k["next_held"]
    k["rate"] = k["next_rate"]
    t.class_list[c]["rate"] = k["rate"]
    limit = k["held"] if k["held"] >= 0 else k["bound_by"]
    is_shared = limit >= 0 and not has_units_left(t, t.resources[limit])
    p["limit"] = t.resources[limit]["group"] if is_shared else p["cap"]
    if not k["rate"] > 0.0:
        s["fault"] = STARVED
        s["culprit"] = c
    else:
        enqueue(t, c, end_of(k, p, now))


@inlined
def has_units_left(t: Tables, r: Any) -> bool:
    """Return whether each user of a resource has a unit of its own and others idle: a core, of a processor with more.

    What holds such a work up is that it has one unit only; more of the resource would not help it. Units that slow each
    other, as cores that share a cache, each take longer for what they give by as much with every further user.
    """
    if r["steps"] == 1:
        return False
    first, last = r["table"], r["table"] + r["steps"] - 1
    users, alone = r["users"], t.capacities[first]
    if r["capacity"] >= users * alone * (1.0 - TOLERANCE):
        return bool(alone < t.capacities[last])
    if users >= r["steps"] or alone >= t.capacities[last]:
        return False
    slower = 2.0 / t.capacities[first + 1] - 1.0 / alone
    return bool(abs(users / r["capacity"] - (1.0 / alone + (users - 1) * slower)) <= TOLERANCE / alone)


@compiled
def load_loose(t: Tables, k: Any, now: float) -> None:
    """Tell the resources that take no part in the solve what a class will use."""
    mark = t.state[0]["mark"]
    change = k["count"] * (k["next_rate"] - k["rate"])
    for j in range(k["first"], k["first"] + k["uses"]):
        i = t.uses[j]["resource"]
        r = t.resources[i]
        if r["mark"] != mark:
            record_resource(t, i, now)
            r["usage"] += t.uses[j]["cost"] * change
            r["updates"] += 1


@inlined
def end_of(k: Any, p: Any, now: float) -> float:
    """Return the time at which the first member of a class will end at the present rate."""
    return float(now + max(p["target"] - p["progress"], 0.0) / k["rate"])


@spliced
def finish(t: Tables, frames: Any) -> int:
    """End all members that are due at the next end, and list what goes on after them; return how many there are.

    While a member ends, memory is asked for the frame that goes on after it and for the parent of that.
    """
    s = t.state[0]
    at, now = int(s["next_at"]), float(s["next_end"])
    reach(t, now)
    until = now * (1.0 + SAME_INSTANT)
    many = 0
    while s["queued"] > 0:
        c = t.places[at]["owner"]
        if t.places[at]["ends"] > until and not is_nearly_done(t, c, now):
            break
        frame = t.members[t.paces[c]["top"]]["frame"]
        prefetch(frames, frames[frame]["parent"])
        if not leave(t, c, now):
            break
        t.members[many]["ended"] = frame
        many += 1
        if many == 2 and not s["is_ordered"]:
            order(t)  # there may be more of them
        at = first(t)
    s["is_settled"] = 0
    return many


@inlined
def is_nearly_done(t: Tables, c: int, now: float) -> bool:
    """Return whether the tolerance allows that the first member of a class ends now, though it is not done."""
    tolerance, p = t.state[0]["tolerance"], t.paces[c]
    if not tolerance > 0.0:
        return False
    left = p["target"] - p["progress"] - t.classes[c]["rate"] * (now - p["since"])
    return bool(left <= tolerance * t.members[p["top"]]["amount"])


@spliced
def leave(t: Tables, c: int, now: float) -> bool:
    """Let the member of a class that ends first leave it; return False if it was not served its amount."""
    s, k, p = t.state[0], t.classes[c], t.paces[c]
    member = p["top"]
    m = t.members[member]
    record_class(t, c, now)
    slack = SERVED * m["amount"] + SAME_INSTANT * (m["target"] + 2.0 * k["rate"] * now)
    left = m["target"] - p["progress"]
    if 0.0 < left <= s["tolerance"] * m["amount"]:
        s["merged"] += int(left > slack)
    elif abs(left) <= slack:
        p["progress"] = m["target"]
        left = 0.0
    else:
        s["fault"] = UNSERVED
        s["culprit"] = c
        return False
    p["top"] = without_top(p["top"], t.members)
    for j in range(k["first"], k["first"] + k["uses"]):
        r = t.resources[t.uses[j]["resource"]]
        r["done"] += (m["amount"] - left) * t.uses[j]["cost"]
        r["bytes"] += m["amount"] * t.moved[j]
    release_member(t, member)
    weigh(t, k, -1.0, now)
    k["count"] -= 1
    if k["count"] > 0:
        p["target"] = t.members[p["top"]]["target"]
        enqueue(t, c, end_of(k, p, now))
    else:
        dequeue(t, c)
        close_class(t, c)
    return True
