"""Rows of the tables: members, classes and blocks of uses are taken, and given back for others to take."""

from __future__ import annotations

from simulator.compiled import inlined
from simulator.fluid.state import Tables


@inlined
def new_member(t: Tables) -> int:
    """Take a free row for a member."""
    s = t.state[0]
    s["busy_members"] += 1
    member = s["free_member"]
    if member >= 0:
        s["free_member"] = t.members[member]["sibling"]
    else:
        member = s["member_rows"]
        s["member_rows"] += 1
    return int(member)


@inlined
def new_class(t: Tables) -> int:
    """Take a free row for a class."""
    s = t.state[0]
    s["busy_classes"] += 1
    c = s["free_class"]
    if c >= 0:
        s["free_class"] = t.paces[c]["like"]
    else:
        c = s["rows"]
        s["rows"] += 1
    return int(c)


@inlined
def new_block(t: Tables, many: int) -> int:
    """Take as many free rows for uses, side by side; return the first."""
    first = t.blocks[many]
    if first >= 0:
        t.blocks[many] = t.uses[first]["next"]
    else:
        first = t.state[0]["use_rows"]
        t.state[0]["use_rows"] += many
    return int(first)


@inlined
def forget(t: Tables, c: int) -> None:
    """Take a class out of the list of its head."""
    p = t.paces[c]
    head = p["code"] & (t.heads.shape[0] - 1)
    if t.heads[head] == c:
        t.heads[head] = p["like"]
        return
    other = t.heads[head]
    while t.paces[other]["like"] != c:
        other = t.paces[other]["like"]
    t.paces[other]["like"] = p["like"]


@inlined
def release_member(t: Tables, member: int) -> None:
    """Give the row of a member back."""
    s, m = t.state[0], t.members[member]
    m["owner"] = -1
    m["sibling"] = s["free_member"]
    s["free_member"] = member
    s["busy_members"] -= 1
