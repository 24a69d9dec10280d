"""Rows of the tables: members, classes and blocks of uses and users are taken, and given back for others to take."""

from __future__ import annotations

from typing import Any

from simulator.compiled import compiled, inlined
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
        s["free_class"] = t.kinds[c]["like"]
    else:
        c = s["rows"]
        s["rows"] += 1
    return int(c)


@inlined
def new_block(t: Tables, many: int) -> int:
    """Take as many free rows for uses, side by side; return the first."""
    first = t.blocks[many]
    if first >= 0:
        t.blocks[many] = t.uses[first]["place"]
    else:
        first = t.state[0]["use_rows"]
        t.state[0]["use_rows"] += many
    return int(first)


@inlined
def users_within_reach(s: Any) -> int:
    """Return how many rows of users there may be once another class is open.

    Each resource that it uses may get twice as many rows. These have no more of them than there are, nor each more than
    the one that has most.
    """
    return int(s["user_rows"] + 2 * min(s["most_space"] * s["most_needs"], s["user_rows"] + s["most_needs"]))


@compiled
def make_space(t: Tables, r: Any) -> None:
    """Give a resource twice as many rows for its users, and move them there."""
    s, power = t.state[0], 0
    while 1 << power <= r["space"]:
        power += 1
    head = t.spaces[power]
    if head >= 0:
        t.spaces[power] = t.users[head]["next"]
    else:
        head = s["user_rows"]
        s["user_rows"] += 1 << power
    for at in range(r["links"]):
        move_user(t, r["head"] + at, head + at)
    if power > 0:
        t.users[r["head"]]["next"] = t.spaces[power - 1]
        t.spaces[power - 1] = r["head"]
    r["head"] = head
    r["space"] = 1 << power
    s["most_space"] = max(s["most_space"], 1 << power)


@inlined
def move_user(t: Tables, old: int, new: int) -> None:
    """Write a user into another row."""
    source, target = t.users[old], t.users[new]
    target["weight"] = source["weight"]
    target["bound"] = source["bound"]
    target["other"] = source["other"]
    target["owner"] = source["owner"]
    target["use"] = source["use"]
    t.uses[source["use"]]["at"] = new


@inlined
def forget(t: Tables, c: int) -> None:
    """Take a class out of the list of its head."""
    kind = t.kinds[c]
    head = kind["code"] & (t.heads.shape[0] - 1)
    if t.heads[head] == c:
        t.heads[head] = kind["like"]
        return
    other = t.heads[head]
    while t.kinds[other]["like"] != c:
        other = t.kinds[other]["like"]
    t.kinds[other]["like"] = kind["like"]


@inlined
def release_member(t: Tables, member: int) -> None:
    """Give the row of a member back."""
    s, m = t.state[0], t.members[member]
    m["owner"] = -1
    m["sibling"] = s["free_member"]
    s["free_member"] = member
    s["busy_members"] -= 1
