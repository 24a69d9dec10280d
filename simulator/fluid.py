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
from simulator.heaps import dequeue, enqueue, meld, without_top
from simulator.recorder import record_class, record_resource, widen
from simulator.sharing import share
from simulator.state import OVERLOAD, STARVED, UNSERVED

SAME_INSTANT = 1e-14  # Assumption: ends closer than this part of the time are one instant; rounding is 1e-16 a step.
TOLERANCE = 1e-9  # of the capacity; what rounding may add to the usage of a resource
SERVED = 1e-6  # of the amount; what rounding may take from a work


@compiled
def advance(
    state: Any,
    classes: Any,
    uses: Any,
    members: Any,
    resources: Any,
    tables: Any,
    inbox: Any,
    bins: Any,
    blame: Any,
    now: float,
    horizon: float,
    length: int,
) -> tuple[float, int]:
    """Start the works in inbox[:length] at `now`, share, and go to the next end if it is not after the horizon.

    Returns:
        The time of the next end (infinite if there is none) and the number of works that ended then, listed in
        members["ended"]: 0 if it lies after the horizon, -1 if a law of conservation broke (state["fault"]).
    """
    s = state[0]
    if now >= s["width"] * bins.shape[1]:
        widen(state, bins, now)
    admit(state, classes, uses, members, resources, tables, inbox, bins, blame, now, length)
    if s["changed"] > 0 or s["fresh"] > 0:
        settle(state, classes, uses, members, resources, bins, blame, now)
    ends = classes[classes[0]["queue"]]["ends"] if s["queued"] > 0 else math.inf
    many = 0
    if ends <= horizon and s["fault"] == 0 and s["queued"] > 0:
        many = finish(state, classes, uses, members, resources, tables, bins, blame, ends)
    return float(ends), many if s["fault"] == 0 else -1


@compiled
def admit(
    state: Any,
    classes: Any,
    uses: Any,
    members: Any,
    resources: Any,
    tables: Any,
    inbox: Any,
    bins: Any,
    blame: Any,
    now: float,
    length: int,
) -> None:
    """Start the works that lie in the inbox: member, class, amount, and the class itself if it is new."""
    s = state[0]
    at = 0
    while at < length:
        member = int(inbox[at])
        c = int(inbox[at + 1])
        many = int(inbox[at + 3])
        if many >= 0:
            open_class(s, c, classes, uses, resources, inbox, at + 3, now)
        k = classes[c]
        record_class(k, resources, blame, now)
        m = members[member]
        m["amount"] = inbox[at + 2]
        m["target"] = k["progress"] + m["amount"]
        m["sequence"] = s["sequence"]
        m["owner"] = c
        m["child"] = -1
        m["sibling"] = -1
        s["sequence"] += 1
        k["top"] = meld(k["top"], member, members)
        k["count"] += 1
        weigh(s, k, 1, uses, resources, tables, bins, now)
        if k["rate"] > 0.0 and k["top"] == member:
            schedule(s, c, classes, members, now)
        at += 4 if many < 0 else 9 + 3 * many


@compiled
def open_class(s: Any, c: int, classes: Any, uses: Any, resources: Any, inbox: Any, at: int, now: float) -> None:
    """Set up a class: its number of uses, first use, weight, max_rate, tag, cap, then resource, cost, bytes of each."""
    k = classes[c]
    k["uses"] = int(inbox[at])
    k["first"] = int(inbox[at + 1])
    k["weight"] = inbox[at + 2]
    k["bound"] = inbox[at + 3]
    k["tag"] = int(inbox[at + 4])
    k["cap"] = int(inbox[at + 5])
    k["rate"] = 0.0
    k["progress"] = 0.0
    k["since"] = now
    k["count"] = 0
    k["top"] = -1
    k["place"] = -1
    k["limit"] = -1
    k["bound_limit"] = -1
    at += 6
    for j in range(k["first"], k["first"] + k["uses"]):
        link(c, j, int(inbox[at]), uses, resources)
        u = uses[j]
        u["cost"] = inbox[at + 1]
        u["bytes"] = inbox[at + 2]
        reach = resources[u["resource"]]["most"] / u["cost"]
        if reach < k["bound"]:
            k["bound"] = reach
            k["bound_limit"] = u["resource"]
        at += 3
    classes[s["fresh"]]["fresh"] = c
    s["fresh"] += 1


@compiled
def link(c: int, j: int, i: int, uses: Any, resources: Any) -> None:
    """Put a use of class c at the head of the list of resource i."""
    u = uses[j]
    r = resources[i]
    u["owner"] = c
    u["resource"] = i
    u["previous"] = -1
    u["next"] = r["head"]
    if r["head"] >= 0:
        uses[r["head"]]["previous"] = j
    r["head"] = j
    r["links"] += 1


@compiled
def unlink(j: int, uses: Any, resources: Any) -> None:
    """Take a use out of the list of its resource; what nobody uses is exactly idle."""
    u = uses[j]
    r = resources[u["resource"]]
    if u["previous"] >= 0:
        uses[u["previous"]]["next"] = u["next"]
    else:
        r["head"] = u["next"]
    if u["next"] >= 0:
        uses[u["next"]]["previous"] = u["previous"]
    u["owner"] = -1
    r["links"] -= 1
    if r["links"] == 0:
        r["usage"] = 0.0
        r["load"] = 0.0
        r["updates"] = 0


@compiled
def weigh(s: Any, k: Any, sign: int, uses: Any, resources: Any, tables: Any, bins: Any, now: float) -> None:
    """Add a member of a class to the resources that it uses, or take it away (sign -1)."""
    for j in range(k["first"], k["first"] + k["uses"]):
        u = uses[j]
        i = u["resource"]
        r = resources[i]
        record_resource(i, r, bins, s["width"], now)
        r["users"] += sign
        r["load"] += sign * u["cost"] * k["bound"]
        r["usage"] += sign * u["cost"] * k["rate"]
        r["updates"] += 1
        if r["steps"] > 1:
            r["capacity"] = tables[r["table"] + max(min(r["users"], r["steps"]) - 1, 0)]
        if not r["is_changed"]:
            r["is_changed"] = 1
            resources[s["changed"]]["changed"] = i
            s["changed"] += 1


@compiled
def settle(
    state: Any, classes: Any, uses: Any, members: Any, resources: Any, bins: Any, blame: Any, now: float
) -> None:
    """Re-solve what this instant changed, and check that no resource gives more than it has and no class stands."""
    s = state[0]
    for at in range(s["changed"]):
        refresh(resources[at]["changed"], classes, uses, resources)
    changed = s["changed"]
    many = share(state, classes, uses, resources)
    s["solves"] += 1
    s["rates"] += many
    for at in range(many):
        apply(s, classes[at]["todo"], classes, uses, members, resources, bins, blame, now)
    for at in range(changed):
        r = resources[resources[at]["changed"]]
        if r["usage"] > r["capacity"] * (1.0 + TOLERANCE):
            s["fault"] = OVERLOAD
            s["culprit"] = resources[at]["changed"]


@compiled
def refresh(i: int, classes: Any, uses: Any, resources: Any) -> None:
    """Sum up load and usage of a resource anew after as many updates as it has classes, lest rounding adds up."""
    r = resources[i]
    if r["updates"] <= 64 + r["links"]:
        return
    r["updates"] = 0
    r["load"] = 0.0
    r["usage"] = 0.0
    j = r["head"]
    while j >= 0:
        u = uses[j]
        k = classes[u["owner"]]
        r["load"] += k["count"] * u["cost"] * k["bound"]
        r["usage"] += k["count"] * u["cost"] * k["rate"]
        j = u["next"]


@compiled
def apply(
    s: Any, c: int, classes: Any, uses: Any, members: Any, resources: Any, bins: Any, blame: Any, now: float
) -> None:
    """Let a class go on at its new rate."""
    k = classes[c]
    if k["next_rate"] == k["rate"] and k["next_limit"] == k["limit"]:
        return
    record_class(k, resources, blame, now)
    change = k["count"] * (k["next_rate"] - k["rate"])
    for j in range(k["first"], k["first"] + k["uses"]):
        i = uses[j]["resource"]
        r = resources[i]
        record_resource(i, r, bins, s["width"], now)
        r["usage"] += uses[j]["cost"] * change
        r["updates"] += 1
    k["rate"] = k["next_rate"]
    k["limit"] = k["next_limit"]
    if not k["rate"] > 0.0:
        s["fault"] = STARVED
        s["culprit"] = c
    else:
        schedule(s, c, classes, members, now)


@compiled
def schedule(s: Any, c: int, classes: Any, members: Any, now: float) -> None:
    """Put a class into the queue at the time at which its first member will end."""
    k = classes[c]
    k["ends"] = now + max(members[k["top"]]["target"] - k["progress"], 0.0) / k["rate"]
    enqueue(s, c, classes, members)


@compiled
def finish(
    state: Any,
    classes: Any,
    uses: Any,
    members: Any,
    resources: Any,
    tables: Any,
    bins: Any,
    blame: Any,
    now: float,
) -> int:
    """End all members that are due, and list them; return how many there are."""
    s = state[0]
    until = now * (1.0 + SAME_INSTANT)
    if now >= s["width"] * bins.shape[1]:
        widen(state, bins, now)
    many = 0
    while s["queued"] > 0 and classes[classes[0]["queue"]]["ends"] <= until:
        c = classes[0]["queue"]
        k = classes[c]
        record_class(k, resources, blame, now)
        member = k["top"]
        m = members[member]
        slack = SERVED * m["amount"] + SAME_INSTANT * (m["target"] + 2.0 * k["rate"] * now)
        if not abs(k["progress"] - m["target"]) <= slack:
            s["fault"] = UNSERVED
            s["culprit"] = c
        m["owner"] = -1
        k["progress"] = m["target"]
        k["top"] = without_top(member, members)
        for j in range(k["first"], k["first"] + k["uses"]):
            r = resources[uses[j]["resource"]]
            r["done"] += m["amount"] * uses[j]["cost"]
            r["bytes"] += m["amount"] * uses[j]["bytes"]
        weigh(s, k, -1, uses, resources, tables, bins, now)
        k["count"] -= 1
        members[many]["ended"] = member
        members[many]["emptied"] = -1 if k["count"] > 0 else c
        many += 1
        if k["count"] > 0:
            schedule(s, c, classes, members, now)
        else:
            dequeue(s, c, classes, members)
            for j in range(k["first"], k["first"] + k["uses"]):
                unlink(j, uses, resources)
    return many


@compiled
def close(state: Any, classes: Any, uses: Any, members: Any, resources: Any, bins: Any, blame: Any, now: float) -> None:
    """Bring all integrals forward to `now`."""
    if now >= state[0]["width"] * bins.shape[1]:
        widen(state, bins, now)
    for at in range(state[0]["queued"]):
        record_class(classes[classes[at]["queue"]], resources, blame, now)
    for i in range(resources.shape[0]):
        record_resource(i, resources[i], bins, state[0]["width"], now)
