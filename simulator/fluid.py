"""The fluid kernel: works start, share what there is, and end.

One call of `advance` takes in the works that start at this instant, re-solves the rates that this touches, and goes on
to the next end of a work unless something else comes first. Nothing in it grows with the size of the cluster: only
changed resources are looked at, progress and integrals are brought forward when a rate changes, and the classes wait
in a heap by the time at which their first member ends.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.compiled import compiled
from simulator.heaps import append, dequeue, enqueue, meld, order, without_top
from simulator.recorder import record_class, record_resource, widen
from simulator.sharing import share
from simulator.state import OVERLOAD, STARVED, UNSERVED, Tables

SAME_INSTANT = 1e-14  # Assumption: ends closer than this part of the time are one instant; rounding is 1e-16 a step
TOLERANCE = 1e-9  # of the capacity; what rounding may add to the usage of a resource
SERVED = 1e-6  # of the amount; what rounding may take from a work
MANY = 8  # Assumption: with more than one class in so many rescheduled the queue is ordered as a whole; measured


@compiled
def advance(
    state: Any,
    classes: Any,
    uses: Any,
    members: Any,
    resources: Any,
    capacities: Any,
    bins: Any,
    blame: Any,
    inbox: Any,
    length: int,
    now: float,
    horizon: float,
) -> tuple[float, int]:
    """Start the works in inbox[:length] at `now`, share, and go to the next end if it is not after the horizon.

    Returns:
        The time of the next end (infinite if there is none) and the number of works that ended then, listed in
        members["ended"]: 0 if it lies after the horizon, -1 if a law of conservation broke (state["fault"]).
    """
    t = Tables(state, classes, uses, members, resources, capacities, bins, blame)
    s = state[0]
    reach(t, now)
    admit(t, inbox, length, now)
    if s["changed"] > 0 or s["fresh"] > 0:
        settle(t, now)
    ends = classes[classes[0]["queue"]]["ends"] if s["queued"] > 0 else math.inf
    many = 0
    if s["queued"] > 0 and ends <= horizon and s["fault"] == 0:
        many = finish(t, ends)
    return float(ends), many if s["fault"] == 0 else -1


@compiled
def close(
    state: Any,
    classes: Any,
    uses: Any,
    members: Any,
    resources: Any,
    capacities: Any,
    bins: Any,
    blame: Any,
    now: float,
) -> None:
    """Bring all integrals forward to `now`."""
    t = Tables(state, classes, uses, members, resources, capacities, bins, blame)
    reach(t, now)
    for at in range(state[0]["queued"]):
        record_class(t, classes[classes[at]["queue"]], now)
    for i in range(resources.shape[0]):
        record_resource(t, i, now)


@compiled
def reach(t: Tables, now: float) -> None:
    """Let the time bins reach up to `now`."""
    if now >= t.state[0]["width"] * t.bins.shape[1]:
        widen(t, now)


@compiled
def admit(t: Tables, inbox: Any, length: int, now: float) -> None:
    """Start the works that lie in the inbox: member, class, amount, and the class itself if it is new."""
    at = 0
    while at < length:
        many = int(inbox[at + 3])
        if many >= 0:
            open_class(t, int(inbox[at + 1]), inbox, at + 3, now)
        join(t, int(inbox[at]), int(inbox[at + 1]), inbox[at + 2], now)
        at += 4 if many < 0 else 9 + 3 * many


@compiled
def open_class(t: Tables, c: int, inbox: Any, at: int, now: float) -> None:
    """Set up a class: its number of uses, first use, weight, max_rate, tag, cap, then resource, cost, bytes of each."""
    s, k = t.state[0], t.classes[c]
    k["uses"] = int(inbox[at])
    k["first"] = int(inbox[at + 1])
    k["weight"] = inbox[at + 2]
    k["bound"] = inbox[at + 3]
    k["tag"] = int(inbox[at + 4])
    k["cap"] = int(inbox[at + 5])
    k["rate"] = 0.0
    k["share"] = 0.0
    k["progress"] = 0.0
    k["since"] = now
    k["count"] = 0
    k["top"] = -1
    k["place"] = -1
    k["held"] = -1
    k["bound_by"] = -1
    at += 6
    for j in range(k["first"], k["first"] + k["uses"]):
        open_use(t, k, c, j, inbox, at)
        at += 3
    t.classes[s["fresh"]]["fresh"] = c
    s["fresh"] += 1


@compiled
def open_use(t: Tables, k: Any, c: int, j: int, inbox: Any, at: int) -> None:
    """Set up a use of a class at the head of the list of its resource."""
    u = t.uses[j]
    i = int(inbox[at])
    r = t.resources[i]
    u["owner"] = c
    u["resource"] = i
    u["cost"] = inbox[at + 1]
    u["bytes"] = inbox[at + 2]
    u["previous"] = -1
    u["next"] = r["head"]
    if r["head"] >= 0:
        t.uses[r["head"]]["previous"] = j
    r["head"] = j
    r["links"] += 1
    alone = r["most"] / u["cost"]
    if alone < k["bound"]:
        k["bound"] = alone
        k["bound_by"] = i


@compiled
def close_class(t: Tables, k: Any) -> None:
    """Take the uses of an empty class out of the lists of their resources; what nobody uses is exactly idle."""
    if k["held"] >= 0:
        t.resources[k["held"]]["holds"] -= 1
    for j in range(k["first"], k["first"] + k["uses"]):
        u = t.uses[j]
        r = t.resources[u["resource"]]
        if u["previous"] >= 0:
            t.uses[u["previous"]]["next"] = u["next"]
        else:
            r["head"] = u["next"]
        if u["next"] >= 0:
            t.uses[u["next"]]["previous"] = u["previous"]
        u["owner"] = -1
        r["links"] -= 1
        if r["links"] == 0:
            r["usage"] = 0.0
            r["load"] = 0.0
            r["updates"] = 0


@compiled
def join(t: Tables, member: int, c: int, amount: float, now: float) -> None:
    """Let a member join its class."""
    s, k, m = t.state[0], t.classes[c], t.members[member]
    record_class(t, k, now)
    m["owner"] = c
    m["amount"] = amount
    m["target"] = k["progress"] + amount
    m["sequence"] = s["sequence"]
    m["child"] = -1
    m["sibling"] = -1
    s["sequence"] += 1
    k["top"] = meld(k["top"], member, t.members)
    k["count"] += 1
    weigh(t, k, 1, now)
    if k["rate"] > 0.0 and k["top"] == member:
        predict(t, k, now)
        enqueue(s, c, t.classes, t.members)


@compiled
def weigh(t: Tables, k: Any, sign: int, now: float) -> None:
    """Add a member of a class to the resources that it uses, or take it away (sign -1)."""
    s = t.state[0]
    for j in range(k["first"], k["first"] + k["uses"]):
        u = t.uses[j]
        i = u["resource"]
        r = t.resources[i]
        record_resource(t, i, now)
        r["users"] += sign
        r["load"] += sign * u["cost"] * k["bound"]
        r["usage"] += sign * u["cost"] * k["rate"]
        r["updates"] += 1
        if sign > 0:
            r["has_grown"] = 1
        if r["steps"] > 1:
            r["capacity"] = t.capacities[r["table"] + max(min(r["users"], r["steps"]) - 1, 0)]
            r["has_grown"] = 1
        if not r["is_changed"]:
            r["is_changed"] = 1
            t.resources[s["changed"]]["changed"] = i
            s["changed"] += 1


@compiled
def settle(t: Tables, now: float) -> None:
    """Re-solve what this instant changed, and check that no resource gives more than it has."""
    s = t.state[0]
    changed = s["changed"]
    for at in range(changed):
        refresh(t, t.resources[at]["changed"])
    share(t)
    for at in range(s["tight"]):
        i = t.resources[at]["todo"]
        r = t.resources[i]
        record_resource(t, i, now)
        r["usage"] = r["capacity"] - r["room"]
        r["updates"] += 1
    is_bulk = s["many"] * MANY > s["queued"]
    for at in range(s["many"]):
        apply(t, t.classes[at]["todo"], is_bulk, now)
    if is_bulk:
        order(s, t.classes, t.members)
    for at in range(changed):
        check(t, t.resources[at]["changed"])
    for at in range(s["tight"]):
        check(t, t.resources[at]["todo"])


@compiled
def check(t: Tables, i: int) -> None:
    """Note a fault if a resource gives more than it has."""
    r = t.resources[i]
    if not r["usage"] <= r["capacity"] * (1.0 + TOLERANCE):
        t.state[0]["fault"] = OVERLOAD
        t.state[0]["culprit"] = i


@compiled
def refresh(t: Tables, i: int) -> None:
    """Sum up load and usage of a resource anew after as many updates as it has classes, lest rounding adds up."""
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


@compiled
def apply(t: Tables, c: int, is_bulk: bool, now: float) -> None:
    """Let a class go on at its new rate; its tight resources know already."""
    s, k = t.state[0], t.classes[c]
    if k["next_rate"] == k["rate"] and k["next_held"] == k["held"]:
        return
    record_class(t, k, now)
    change = k["count"] * (k["next_rate"] - k["rate"])
    for j in range(k["first"], k["first"] + k["uses"]):
        i = t.uses[j]["resource"]
        r = t.resources[i]
        if r["mark"] != s["mark"]:
            record_resource(t, i, now)
            r["usage"] += t.uses[j]["cost"] * change
            r["updates"] += 1
    if k["held"] >= 0:
        t.resources[k["held"]]["holds"] -= 1
    if k["next_held"] >= 0:
        t.resources[k["next_held"]]["holds"] += 1
    k["held"] = k["next_held"]
    k["rate"] = k["next_rate"]
    k["share"] = k["rate"] / k["weight"]
    if not k["rate"] > 0.0:
        s["fault"] = STARVED
        s["culprit"] = c
        return
    predict(t, k, now)
    if is_bulk:
        append(s, c, t.classes)
    else:
        enqueue(s, c, t.classes, t.members)


@compiled
def predict(t: Tables, k: Any, now: float) -> None:
    """Set the time at which the first member of a class will end at the present rate."""
    k["ends"] = now + max(t.members[k["top"]]["target"] - k["progress"], 0.0) / k["rate"]


@compiled
def finish(t: Tables, now: float) -> int:
    """End all members that are due, and list them; return how many there are."""
    s = t.state[0]
    reach(t, now)
    until = now * (1.0 + SAME_INSTANT)
    many = 0
    while s["queued"] > 0 and t.classes[t.classes[0]["queue"]]["ends"] <= until:
        c = t.classes[0]["queue"]
        t.members[many]["ended"] = t.classes[c]["top"]
        if not leave(t, c, now):
            break
        t.members[many]["emptied"] = -1 if t.classes[c]["count"] > 0 else c
        many += 1
    return many


@compiled
def leave(t: Tables, c: int, now: float) -> bool:
    """Let the member of a class that ends first leave it; return False if it was not served its amount."""
    s, k = t.state[0], t.classes[c]
    m = t.members[k["top"]]
    record_class(t, k, now)
    slack = SERVED * m["amount"] + SAME_INSTANT * (m["target"] + 2.0 * k["rate"] * now)
    if not abs(k["progress"] - m["target"]) <= slack:
        s["fault"] = UNSERVED
        s["culprit"] = c
        return False
    k["progress"] = m["target"]
    k["top"] = without_top(k["top"], t.members)
    m["owner"] = -1
    for j in range(k["first"], k["first"] + k["uses"]):
        r = t.resources[t.uses[j]["resource"]]
        r["done"] += m["amount"] * t.uses[j]["cost"]
        r["bytes"] += m["amount"] * t.uses[j]["bytes"]
    weigh(t, k, -1, now)
    k["count"] -= 1
    if k["count"] > 0:
        predict(t, k, now)
        enqueue(s, c, t.classes, t.members)
    else:
        dequeue(s, c, t.classes, t.members)
        close_class(t, k)
    return True
