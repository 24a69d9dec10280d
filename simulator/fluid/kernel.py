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
from simulator.fluid.heaps import dequeue, enqueue, first, meld, order, without_top
from simulator.fluid.membership import tell_noted, tell_resources, weigh
from simulator.fluid.recorder import record_class, record_resource, widen
from simulator.fluid.rows import new_member, release_member
from simulator.fluid.sharing import CLOSE, PATIENCE, begin, limit_of, look_up, share, spread, wait
from simulator.fluid.state import OVERLOAD, SEVERAL, STARVED, UNSERVED, UNSETTLED, Tables

SAME_INSTANT = 1e-14  # Assumption: ends closer than this part of the time are one instant; rounding is 1e-16 a step
TOLERANCE = 1e-9  # of the capacity; what rounding may add to the usage of a resource
SERVED = 1e-6  # of the amount; what rounding may take from a work
AHEAD = 8  # Assumption: so many classes ahead memory is asked for what they need; chosen by measurement
MANY = 8  # Assumption: with more than one class in so many rescheduled it is cheaper to search the places; measured


@called
def close(t: Tables, now: float) -> None:
    """Bring all integrals forward to `now`."""
    reach(t, now)
    tell_noted(t, now)
    for at in range(t.state[0]["queued"]):
        record_class(t, t.places[at]["owner"], now)
    for i in range(t.resources.shape[0]):
        record_resource(t, i, now)


@compiled
def reach(t: Tables, now: float) -> None:
    """Let the time bins reach up to `now`."""
    if now >= t.state[0]["width"] * t.bins.shape[0]:
        widen(t, now)


@spliced
def join_class(
    t: Tables, work: Any, amount: float, demand: Any, needs: Any, at: int, tag: int, share: float, now: float
) -> int:
    """Let a work start: it joins the class of those with its demand and tag, opened if there is none; return it.

    It has so much to do for a unit of weight, and a `share` of each second counts. What its demand needs are the rows
    from `at` on.
    """
    c = t.heads[demand["code"] & (t.heads.shape[0] - 1)]
    while c >= 0 and not is_of(t, c, work, demand, needs, at, tag):
        c = t.kinds[c]["like"]
    if c < 0:
        c = open_class(t, work, demand, needs, at, tag, now)
    member = new_member(t)
    join(t, member, c, amount, share, now)
    return member


@spliced
def join(t: Tables, member: int, c: int, amount: float, share: float, now: float) -> None:
    """Let a member join its class."""
    s, k, m = t.state[0], t.classes[c], t.members[member]
    record_class(t, c, now)
    m["owner"] = c
    m["share"] = share
    t.shares[c] += m["share"]
    m["amount"] = amount
    m["target"] = k["progress"] + amount
    m["sequence"] = s["sequence"]
    m["child"] = -1
    m["sibling"] = -1
    s["sequence"] += 1
    k["top"] = meld(k["top"], member, t.members)
    weigh(t, c, 1)
    if k["top"] == member:
        k["target"] = m["target"]
        if k["rate"] > 0.0:
            enqueue(t, c, end_of(k, now))


@spliced
def look_ahead(t: Tables, now: float) -> float:
    """Share the resources as from `now`, and return when the next work ends: never if there is none."""
    s = t.state[0]
    if not s["is_settled"]:
        tell_noted(t, now)
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
    begin(t, now)
    rounds = 0
    while rounds == 0 or (s["waiting"] > 0 and s["fault"] == 0):
        share(t, now)
        if rounds == 0:
            prepare(t)
            for at in range(s["fresh"]):
                go_on(t, t.fresh[at], now)
        take_over(t, now)
        rounds += 1
        if rounds > PATIENCE * t.resources.shape[0]:
            s["fault"] = UNSETTLED
            s["culprit"] = t.resource_list[0]["todo"]
    s["changed"] = 0
    s["fresh"] = 0
    for at in range(changed):
        check(t, t.resource_list[at]["changed"])


@spliced
def prepare(t: Tables) -> None:
    """Bring the places in order, or leave them in none, by how many classes may have another end."""
    s = t.state[0]
    many = s["fresh"]
    for at in range(s["touched"]):
        many += t.resources[t.resource_list[at]["todo"]]["links"]
    if many * MANY > s["queued"]:
        s["is_ordered"] = 0
    elif not s["is_ordered"]:
        order(t)


@spliced
def take_over(t: Tables, now: float) -> None:
    """Let all go on as the new levels have it; what that saturates waits, for it needs a level, too."""
    s = t.state[0]
    for at in range(s["touched"]):
        i = t.resource_list[at]["todo"]
        if t.levels[i] != t.resources[i]["was"]:
            let_go_on(t, i, now)
    for at in range(s["touched"]):
        i = t.resource_list[at]["todo"]
        r = t.resources[i]
        if t.levels[i] < math.inf:
            r["usage"] = r["capacity"]
        else:
            if r["was"] < math.inf:
                sum_up(t, i)
            if r["usage"] > r["capacity"] * (1.0 + TOLERANCE):
                wait(t, i)


@inlined
def check(t: Tables, i: int) -> None:
    """Note a fault if a resource gives more than it has."""
    r = t.resources[i]
    if not r["usage"] <= r["capacity"] * (1.0 + TOLERANCE):
        t.state[0]["fault"] = OVERLOAD
        t.state[0]["culprit"] = i


@compiled
def refresh(t: Tables, i: int) -> None:
    """Sum up the usage of a resource again after as many updates as it has classes: rounding must not add up."""
    if t.resources[i]["updates"] > 64 + t.resources[i]["links"]:
        sum_up(t, i)


@inlined
def sum_up(t: Tables, i: int) -> None:
    """Sum up the usage of a resource."""
    r = t.resources[i]
    r["updates"] = 0
    r["usage"] = 0.0
    for at in range(r["head"], r["head"] + r["links"]):
        r["usage"] += t.users[at]["weight"] * t.classes[t.users[at]["owner"]]["rate"]


@inlined
def let_go_on(t: Tables, i: int, now: float) -> None:
    """Let the users of a resource go on whose rate or whose limit its new level changes.

    Whom it concerns is chance: so each is written, and the next one over it unless it is concerned.
    """
    r = t.resources[i]
    level = t.levels[i]
    least = min(level, r["was"])
    many = 0
    for at in range(r["head"], r["head"] + r["links"]):
        t.concerned[many] = at
        many += int(limit_of(t, t.users[at], i) * (1.0 + 2.0 * CLOSE) >= least)
    for n in range(many):
        prefetch(t.classes, t.users[t.concerned[min(n + AHEAD, many - 1)]]["owner"])
        e = t.users[t.concerned[n]]
        c = e["owner"]
        if t.classes[c]["held"] == i and limit_of(t, e, i) > level * (1.0 + 2.0 * CLOSE) and r["steps"] == 1:
            if t.classes[c]["rate"] != level:
                record_class(t, c, now)
                if e["other"] <= SEVERAL or (e["other"] >= 0 and t.levels[e["other"]] == math.inf):
                    spread(t, c, level - t.classes[c]["rate"], now)
                set_rate(t, c, level, now)
        else:
            go_on(t, c, now)


@compiled
def go_on(t: Tables, c: int, now: float) -> None:
    """Let a class go on at the rate that its terms and the levels of what it uses leave it.

    Of several resources at the same level, the one that was added first stops a class. Otherwise rounding would choose,
    and what limits a run would be now one and now the other.
    """
    k, p = t.classes[c], t.terms[c]
    if p["mark"] == t.state[0]["mark"]:
        return
    p["mark"] = t.state[0]["mark"]
    if k["uses"] <= 2:
        look_up(t, k, p)
    rate = p["least"]
    held = -1
    if rate * (1.0 + CLOSE) >= p["bound"]:
        rate = p["bound"]
    else:
        first = k["first"]
        for j in range(first, first + (p["near"] if k["uses"] > 2 else k["uses"])):
            i = t.near[j] if k["uses"] > 2 else t.uses[j]["resource"]
            if t.levels[i] <= rate * (1.0 + CLOSE) and (held < 0 or i < held):
                held = i
    if rate == k["rate"] and held == k["held"]:
        return
    record_class(t, c, now)
    k["held"] = held
    limit = held if held >= 0 else p["bound_by"]
    is_shared = limit >= 0 and not has_units_left(t, t.resources[limit])
    k["limit"] = t.resources[limit]["group"] if is_shared else t.kinds[c]["cap"]
    spread(t, c, rate - k["rate"], now)
    set_rate(t, c, rate, now)


@inlined
def set_rate(t: Tables, c: int, rate: float, now: float) -> None:
    """Give a class its rate; the resources that it uses know already."""
    s, k = t.state[0], t.classes[c]
    s["rates"] += 1
    k["rate"] = rate
    if rate > 0.0:
        enqueue(t, c, end_of(k, now))
    else:
        s["fault"] = STARVED
        s["culprit"] = c


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


@inlined
def end_of(k: Any, now: float) -> float:
    """Return the time at which the first member of a class will end at the present rate."""
    return float(now + max(k["target"] - k["progress"], 0.0) / k["rate"])


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
        frame = t.members[t.classes[c]["top"]]["frame"]
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
    tolerance, k = t.state[0]["tolerance"], t.classes[c]
    if not tolerance > 0.0:
        return False
    left = k["target"] - k["progress"] - k["rate"] * (now - k["since"])
    return bool(left <= tolerance * t.members[k["top"]]["amount"])


@spliced
def leave(t: Tables, c: int, now: float) -> bool:
    """Let the member of a class that ends first leave it; return False if it was not served its amount."""
    s, k = t.state[0], t.classes[c]
    member = k["top"]
    m = t.members[member]
    record_class(t, c, now)
    slack = SERVED * m["amount"] + SAME_INSTANT * (m["target"] + 2.0 * k["rate"] * now)
    left = m["target"] - k["progress"]
    if 0.0 < left <= s["tolerance"] * m["amount"]:
        s["merged"] += int(left > slack)
    elif abs(left) <= slack:
        k["progress"] = m["target"]
        left = 0.0
    else:
        s["fault"] = UNSERVED
        s["culprit"] = c
        return False
    k["top"] = without_top(k["top"], t.members)
    t.kinds[c]["done"] += m["amount"] - left
    t.kinds[c]["ended"] += m["amount"]
    t.shares[c] -= m["share"]
    release_member(t, member)
    weigh(t, c, -1)
    if k["count"] > 0:
        k["target"] = t.members[k["top"]]["target"]
        enqueue(t, c, end_of(k, now))
    else:
        tell_resources(t, c, now)
        dequeue(t, c)
        close_class(t, c)
    return True
