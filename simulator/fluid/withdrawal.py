"""Works that end before they are done, because a resource of theirs is lost or because nobody wants them any more.

This happens rarely, so it may look through all works; what it leaves is as if the work had only been so large.
"""

from __future__ import annotations

from simulator.compiled import called, compiled
from simulator.fluid.classes import close_class
from simulator.fluid.heaps import dequeue, enqueue, meld
from simulator.fluid.kernel import end_of, settle
from simulator.fluid.membership import tell_noted, tell_resources, weigh
from simulator.fluid.recorder import record_class
from simulator.fluid.rows import release_member
from simulator.fluid.state import Tables


@called
def withdraw(t: Tables, member: int, now: float) -> float:
    """Take a member out of its class at `now`; return what is left of its amount."""
    tell_noted(t, now)
    if t.state[0]["fresh"] > 0:
        settle(t, now)  # which lists the classes opened in this instant, and this may empty one of them
    m = t.members[member]
    c = m["owner"]
    k = t.classes[c]
    record_class(t, c, now)
    left = min(max(m["target"] - k["progress"], 0.0), m["amount"])
    t.kinds[c]["done"] += m["amount"] - left
    t.kinds[c]["ended"] += m["amount"] - left
    t.shares[c] -= m["share"]
    release_member(t, member)
    weigh(t, c, -1)
    tell_resources(t, c, now)
    if k["count"] > 0:
        meld_anew(t, c)
        k["target"] = t.members[k["top"]]["target"]
        enqueue(t, c, end_of(k, now))
    else:
        dequeue(t, c)
        close_class(t, c)
    return float(left)


@compiled
def meld_anew(t: Tables, c: int) -> None:
    """Rebuild the heap of the members of a class."""
    top = -1
    for member in range(t.members.shape[0]):
        if t.members[member]["owner"] == c:
            t.members[member]["child"] = -1
            t.members[member]["sibling"] = -1
            top = meld(top, member, t.members)
    t.classes[c]["top"] = top
