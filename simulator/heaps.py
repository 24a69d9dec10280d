"""The two heaps of the kernel: classes by the time at which their first member ends, members by their progress.

Equal keys leave in the order in which the works were started, so that a run has one order of events.
"""

from __future__ import annotations

from typing import Any

from simulator.compiled import compiled


@compiled
def is_before(a: int, b: int, classes: Any, members: Any) -> bool:
    """Return whether the first member of class a ends before that of class b."""
    first, second = classes[a], classes[b]
    if first["ends"] != second["ends"]:
        return bool(first["ends"] < second["ends"])
    return bool(members[first["top"]]["sequence"] < members[second["top"]]["sequence"])


@compiled
def rise(at: int, classes: Any, members: Any) -> int:
    """Move the class at a place of the queue up to where it belongs; return its place."""
    moved = classes[at]["queue"]
    while at > 0:
        above = (at - 1) // 2
        other = classes[above]["queue"]
        if not is_before(moved, other, classes, members):
            break
        classes[at]["queue"] = other
        classes[other]["place"] = at
        at = above
    classes[at]["queue"] = moved
    classes[moved]["place"] = at
    return at


@compiled
def sink(at: int, size: int, classes: Any, members: Any) -> None:
    """Move the class at a place of the queue down to where it belongs."""
    moved = classes[at]["queue"]
    child = 2 * at + 1
    while child < size:
        least = classes[child]["queue"]
        if child + 1 < size and is_before(classes[child + 1]["queue"], least, classes, members):
            child += 1
            least = classes[child]["queue"]
        if not is_before(least, moved, classes, members):
            break
        classes[at]["queue"] = least
        classes[least]["place"] = at
        at = child
        child = 2 * at + 1
    classes[at]["queue"] = moved
    classes[moved]["place"] = at


@compiled
def enqueue(s: Any, c: int, classes: Any, members: Any) -> None:
    """Put a class where its end belongs in the queue, whether or not it is already there."""
    append(s, c, classes)
    sink(rise(classes[c]["place"], classes, members), s["queued"], classes, members)


@compiled
def append(s: Any, c: int, classes: Any) -> None:
    """Put a class that is not yet in the queue at its end, wherever it belongs."""
    k = classes[c]
    if k["place"] < 0:
        k["place"] = s["queued"]
        classes[k["place"]]["queue"] = c
        s["queued"] += 1


@compiled
def order(s: Any, classes: Any, members: Any) -> None:
    """Make a heap of the queue, in whatever order it is."""
    for at in range(s["queued"] // 2 - 1, -1, -1):
        sink(at, s["queued"], classes, members)


@compiled
def dequeue(s: Any, c: int, classes: Any, members: Any) -> None:
    """Take a class out of the queue."""
    place = classes[c]["place"]
    s["queued"] -= 1
    last = classes[s["queued"]]["queue"]
    classes[c]["place"] = -1
    if last != c:
        classes[place]["queue"] = last
        sink(rise(place, classes, members), s["queued"], classes, members)


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
