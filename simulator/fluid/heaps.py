"""The two heaps of the kernel: places of classes by the time at which their first member ends, members by progress.

Equal keys leave in the order in which the works were started, so that a run has one order of events.
"""

from __future__ import annotations

from typing import Any

from simulator.compiled import compiled, inlined
from simulator.fluid.state import Tables


@inlined
def is_before(t: Tables, ends: float, c: int, at: int) -> bool:
    """Return whether the first member of a class, which ends at `ends`, comes before that of the class at a place."""
    other = t.places[at]
    if ends != other["ends"]:
        return bool(ends < other["ends"])
    first, second = t.classes[c]["top"], t.classes[other["owner"]]["top"]
    return bool(t.members[first]["sequence"] < t.members[second]["sequence"])


@inlined
def put(t: Tables, at: int, ends: float, c: int) -> None:
    """Write a class into a place."""
    place = t.places[at]
    place["ends"] = ends
    place["owner"] = c
    t.classes[c]["place"] = at


@compiled
def rise(t: Tables, at: int, ends: float, c: int) -> int:
    """Find where a class belongs at or above a place, moving others down; return that place."""
    while at > 0:
        above = (at - 1) // 2
        if not is_before(t, ends, c, above):
            break
        put(t, at, t.places[above]["ends"], t.places[above]["owner"])
        at = above
    return at


@compiled
def sink(t: Tables, at: int, ends: float, c: int) -> None:
    """Put a class where it belongs at or below a place, moving others up."""
    size = t.state[0]["queued"]
    child = 2 * at + 1
    while child < size:
        if child + 1 < size and is_before(t, t.places[child + 1]["ends"], t.places[child + 1]["owner"], child):
            child += 1
        if is_before(t, ends, c, child):
            break
        put(t, at, t.places[child]["ends"], t.places[child]["owner"])
        at = child
        child = 2 * at + 1
    put(t, at, ends, c)


@inlined
def enqueue(t: Tables, c: int, ends: float) -> None:
    """Put a class where its end belongs, whether or not it has a place."""
    s, k = t.state[0], t.classes[c]
    is_new = k["place"] < 0
    if is_new:
        k["place"] = s["queued"]
        s["queued"] += 1
    if s["is_ordered"]:
        sink(t, rise(t, k["place"], ends, c), ends, c)
    elif is_new:
        put(t, k["place"], ends, c)
    else:
        t.places[k["place"]]["ends"] = ends


@compiled
def order(t: Tables) -> None:
    """Make a heap of the places, in whatever order they are."""
    for at in range(t.state[0]["queued"] // 2 - 1, -1, -1):
        sink(t, at, t.places[at]["ends"], t.places[at]["owner"])
    t.state[0]["is_ordered"] = 1


@compiled
def first(t: Tables) -> int:
    """Return the place of the class whose first member ends first."""
    least, soonest = 0, t.places[0]["ends"]
    if not t.state[0]["is_ordered"]:
        for at in range(1, t.state[0]["queued"]):
            ends = t.places[at]["ends"]
            if ends <= soonest and is_before(t, ends, t.places[at]["owner"], least):
                least, soonest = at, ends
    return least


@compiled
def dequeue(t: Tables, c: int) -> None:
    """Take the place of a class away."""
    s = t.state[0]
    at = t.classes[c]["place"]
    t.classes[c]["place"] = -1
    s["queued"] -= 1
    last = t.places[s["queued"]]
    ends, owner = last["ends"], last["owner"]
    if owner == c:
        return
    if s["is_ordered"]:
        sink(t, rise(t, at, ends, owner), ends, owner)
    else:
        put(t, at, ends, owner)


@compiled
def meld(a: int, b: int, members: Any) -> int:
    """Join two pairing heaps of members; return the root."""
    if a < 0 or b < 0:
        return max(a, b)
    first, second = members[a], members[b]
    if second["target"] < first["target"] or (
        second["target"] == first["target"] and second["sequence"] < first["sequence"]
    ):
        a, b = b, a
        first, second = second, first
    second["sibling"] = first["child"]
    first["child"] = b
    return a


@compiled
def without_top(top: int, members: Any) -> int:
    """Return the root of a pairing heap whose root is taken away: siblings melded in pairs, then from the right."""
    pairs = -1
    at = members[top]["child"]
    while at >= 0:
        other = members[at]["sibling"]
        members[at]["sibling"] = -1
        following = -1
        if other >= 0:
            following = members[other]["sibling"]
            members[other]["sibling"] = -1
        pair = meld(at, other, members)
        members[pair]["sibling"] = pairs
        pairs = pair
        at = following
    root = -1
    while pairs >= 0:
        following = members[pairs]["sibling"]
        members[pairs]["sibling"] = -1
        root = meld(root, pairs, members)
        pairs = following
    return root
