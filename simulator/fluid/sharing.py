"""Max-min fair rates, re-solved only where something changed.

All works grow at one level. A work stops at its bound (own cap, or what it could get alone), or when a resource that it
uses is saturated: sum over its users of cost * rate = capacity. The result is the only one in which each work is at its
bound, or uses a saturated resource on which nobody has a larger rate (all per unit of weight, see `state`).

A resource whose users could not fill it even at their bounds is not TIGHT: it stops nobody, takes no part and connects
nobody. Some classes are freed and filled, the others keep their rates: first those that what changed held back
(`share_nearby`), and then those for which the condition above no longer holds, until it holds for all. When these grow
many, all that the change can reach is freed at once (`share_widely`). Both are exact up to rounding.

With a tolerance, rates are fair only roughly between two solves of all: where works came or went, what is there is
shared, and nobody else is asked to give or take more unless it has more than twice as much as another, or a good part
of a resource would lie idle. Once a small part of all works has come or gone, all is shared exactly again. No resource
gives more than it has at any time.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.compiled import compiled, inlined, prefetch, spliced
from simulator.fluid.filling import AHEAD, CLOSE, fill
from simulator.fluid.state import GAIN, NO_CHANGE, Tables

SLACK = 1e-12  # Assumption: of a capacity, what is rounding; the conservation check allows 1e-9
ROUNDS = 8  # Assumption: so often the freed set may grow before all that can change is freed; chosen by measurement
PART = 0.2  # Assumption: once more than this part of all classes was freed at once, it is cheaper to look at all ...
WIDE = 16  # ... and in so many further solves not to try what is nearby; both chosen by measurement

# Assumptions, with a tolerance; chosen by measurement: five times fewer rates, ends that lie 1 % off
AGAIN = 0.05  # once this part of all works has come or gone, all rates are shared anew
UNFAIR = 1.0  # until then nobody is asked who has no more than so much more than another, as a part of that
UNUSED = 0.1  # or while no more than this part of a resource lies idle


@spliced
def share(t: Tables) -> None:
    """Compute `next_rate` and `next_held` of all classes that this instant could have changed.

    They are listed in class_list["todo"], the tight resources that they use in resource_list["todo"].
    """
    s = t.state[0]
    s["solves"] += 1
    find_tight(t)
    if s["tolerance"] > 0.0:
        if s["moves"] > AGAIN * s["busy_members"] or not share_nearby(t):
            share_all(t)
    elif s["wide"] > 0:
        s["wide"] -= 1
        share_widely(t)
    elif share_nearby(t):
        s["is_wide"] = 0
    else:
        share_widely(t)
        s["is_wide"] = 1 if s["many"] > PART * s["rows"] else 0
        s["wide"] = WIDE * s["is_wide"]
    for at in range(s["changed"]):
        t.resources[t.resource_list[at]["changed"]]["change"] = NO_CHANGE
    s["changed"] = 0
    s["fresh"] = 0


@spliced
def find_tight(t: Tables) -> None:
    """Note which of the changed resources are tight now."""
    for at in range(t.state[0]["changed"]):
        r = t.resources[t.resource_list[at]["changed"]]
        r["is_tight"] = 1 if r["load"] > r["capacity"] * (1.0 + SLACK) else 0


@compiled
def start(t: Tables) -> None:
    """Begin a solve in which nobody takes part but the classes opened in this instant."""
    s = t.state[0]
    s["mark"] += 1
    s["many"] = 0
    s["tight"] = 0
    s["growers"] = 0
    for at in range(s["fresh"]):
        enter(t, t.class_list[at]["fresh"])


@inlined
def enter(t: Tables, c: int) -> None:
    """Free a class: take back what it has from the tight resources that it uses, and let these take part."""
    s, k = t.state[0], t.classes[c]
    mark = s["mark"]
    if k["mark"] == mark:
        return
    k["mark"] = mark
    k["loose"] = 0
    k["next_rate"] = k["bound"]
    k["next_held"] = -1
    t.class_list[s["many"]]["todo"] = c
    s["many"] += 1
    for j in range(k["first"], k["first"] + k["uses"]):
        u = t.uses[j]
        i = u["resource"]
        r = t.resources[i]
        if not r["is_tight"]:
            k["loose"] += 1
            continue
        if r["mark"] != mark:
            enlist(t, i, r)
        cost = k["count"] * u["cost"]
        r["first_room"] += cost * k["rate"]
        r["first_pull"] += cost
        r["least_bound"] = min(r["least_bound"], k["bound"])
        g = t.growers[r["start"] + r["chained"]]
        g["owner"] = c
        g["use"] = j
        r["chained"] += 1
        if k["held"] == i:
            r["freed"] += 1


@compiled
def enlist(t: Tables, i: int, r: Any) -> None:
    """Let a tight resource take part, none of whose users is freed so far."""
    s = t.state[0]
    r["mark"] = s["mark"]
    r["first_room"] = r["capacity"] - r["usage"]
    r["first_pull"] = 0.0
    r["least_bound"] = math.inf
    r["start"] = s["growers"]
    s["growers"] += r["links"]
    r["chained"] = 0
    r["freed"] = 0
    t.resource_list[s["tight"]]["todo"] = i
    s["tight"] += 1


@inlined
def enter_users(t: Tables, i: int, least: float) -> None:
    """Free the users of a resource that have at least a rate."""
    j = t.resources[i]["head"]
    while j >= 0:
        c = t.uses[j]["owner"]
        if t.classes[c]["rate"] >= least:
            enter(t, c)
        j = t.uses[j]["next"]


@inlined
def enter_held(t: Tables, i: int) -> None:
    """Free the classes whose rate a resource sets."""
    j = t.resources[i]["head"]
    while j >= 0:
        c = t.uses[j]["owner"]
        if t.classes[c]["held"] == i:
            enter(t, c)
        j = t.uses[j]["next"]


@spliced
def share_nearby(t: Tables) -> bool:
    """Solve for what the changed resources held back, and grow; return False when that became too many."""
    s = t.state[0]
    start(t)
    for at in range(s["changed"]):
        i = t.resource_list[at]["changed"]
        r = t.resources[i]
        if r["is_tight"] and r["usage"] > r["capacity"] * (1.0 + SLACK):
            enter_users(t, i, 0.0)
        elif r["holds"] > 0:
            enter_held(t, i)
    for _ in range(ROUNDS):
        if s["many"] > s["nearby"]:
            return False
        fill(t)
        if not grow(t):
            return True
    return False


@spliced
def grow(t: Tables) -> bool:
    """Free the classes that what the present ones got leaves without a limit; return whether there are any."""
    s = t.state[0]
    before = s["many"]
    for at in range(s["tight"]):
        i = t.resource_list[at]["todo"]
        r = t.resources[i]
        if r["links"] > r["chained"] and (r["is_full"] or r["holds"] > r["freed"]):
            enter_wronged(t, i, r)
    return bool(s["many"] > before)


@compiled
def enter_wronged(t: Tables, i: int, r: Any) -> None:
    """Free the classes that a resource gives more than those it stops, or that it no longer stops."""
    s = t.state[0]
    is_rough = s["tolerance"] > 0.0
    most = r["level"] * (1.0 + (UNFAIR if is_rough else CLOSE)) if r["is_full"] else math.inf
    least = math.inf
    if r["is_full"] or r["room"] <= (UNUSED if is_rough else SLACK) * r["capacity"]:
        least = largest_rate(t, r) * (1.0 / (1.0 + UNFAIR) if is_rough else 1.0 - CLOSE)
    mark = s["mark"]
    j = r["head"]
    while j >= 0:
        c = t.uses[j]["owner"]
        k = t.classes[c]
        if k["mark"] != mark and (k["rate"] > most or (k["held"] == i and k["rate"] < least)):
            enter(t, c)
        j = t.uses[j]["next"]


@compiled
def largest_rate(t: Tables, r: Any) -> float:
    """Return the largest new rate of the freed classes on a resource."""
    largest = 0.0
    for at in range(r["start"], r["start"] + r["chained"]):
        largest = max(largest, t.classes[t.growers[at]["owner"]]["next_rate"])
    return largest


@compiled
def share_widely(t: Tables) -> None:
    """Solve for all that the change can reach.

    While the level rises to the first at which a changed resource is saturated, before or after the change, all goes
    as it went before. So whoever has a smaller rate keeps it, and connects nobody.
    """
    s = t.state[0]
    least = math.inf
    for at in range(s["changed"]):
        least = min(least, first_level(t, t.resource_list[at]["changed"]))
    least *= 1.0 - CLOSE
    start(t)
    if s["is_wide"]:
        enter_all(t, least)
    else:
        enter_reached(t, least)
    fill(t)


@compiled
def share_all(t: Tables) -> None:
    """Solve for all classes, whatever their rates were."""
    t.state[0]["moves"] = 0
    start(t)
    enter_all(t, 0.0)
    fill(t)


@compiled
def enter_all(t: Tables, least: float) -> None:
    """Free all classes that have at least a rate, in the order in which they lie in memory.

    They are found first, without a branch that the processor could only guess, so that it is known whose turn is soon.
    """
    count = 0
    for c in range(t.state[0]["rows"]):
        t.class_list[count]["fresh"] = c
        count += t.class_list[c]["rate"] >= least
    for at in range(count):
        prefetch(t.classes, t.class_list[min(at + AHEAD, count - 1)]["fresh"])
        prefetch(t.uses, t.classes[t.class_list[min(at + AHEAD // 2, count - 1)]["fresh"]]["first"])
        enter(t, t.class_list[at]["fresh"])


@compiled
def enter_reached(t: Tables, least: float) -> None:
    """Free the classes that have at least a rate and are connected with what changed."""
    s = t.state[0]
    for at in range(s["changed"]):
        i = t.resource_list[at]["changed"]
        if t.resources[i]["is_tight"] or t.resources[i]["holds"] > 0:
            enter_users(t, i, least)
    at = 0
    while at < s["tight"]:
        enter_users(t, t.resource_list[at]["todo"], least)
        at += 1


@compiled
def first_level(t: Tables, i: int) -> float:
    """Return a level up to which a changed resource is saturated neither before nor after the change."""
    r = t.resources[i]
    pull = 0.0
    level = math.inf
    j = r["head"]
    while j >= 0:
        k = t.classes[t.uses[j]["owner"]]
        pull += k["count"] * t.uses[j]["cost"]
        if k["held"] == i:
            level = min(level, k["rate"])
        j = t.uses[j]["next"]
    if r["change"] == GAIN and r["is_tight"]:
        level = min(level, r["capacity"] / pull)
    return level
