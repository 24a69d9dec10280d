"""Lines in which frames wait: for room in a pool, first come first served, and for a milestone.

A room that others have in common lends what is left of it: to whoever comes, and to those that wait in the lines of
these rooms in turn, one frame of each.
"""

from __future__ import annotations

from typing import Any

from simulator.compiled import compiled, inlined, spliced
from simulator.steps.frames import push, release
from simulator.steps.state import CACHED, DRAIN, GO_ON, GRANT, LEND, RESUME, SENT, SIDES, WRITER, Steps


@inlined
def drain_behind(f: Any, side: int) -> None:
    """Turn a writer into what drains behind it on a side, which goes on whatever becomes of the attempt."""
    f["kind"] = DRAIN
    f["tag"] |= side
    f["attempt"] = -1


@inlined
def fits(q: Steps, room: Any, amount: float) -> bool:
    """Return whether a room has an amount, or gets it lent."""
    return bool(amount <= room["free"] or (room["common"] >= 0 and amount <= q.rooms[room["common"]]["free"]))


@inlined
def take(q: Steps, room: Any, amount: float) -> None:
    """Take an amount of what is free, or lent: then less than nothing may be free."""
    room["free"] -= amount
    room["holders"] += 1
    if room["common"] >= 0:
        common = q.rooms[room["common"]]
        common["free"] -= amount
        common["holders"] += 1


@inlined
def put_back(room: Any, amount: float) -> None:
    """Put an amount back; no rounding is left in an empty room."""
    room["holders"] -= 1
    room["free"] = room["free"] + amount if room["holders"] > 0 else room["capacity"]


@compiled
def give_back(q: Steps, room: int, amount: float) -> None:
    """Give an amount back; those at the head of the line who now find room go on next."""
    r = q.rooms[room]
    put_back(r, amount)
    if r["common"] >= 0:
        common = q.rooms[r["common"]]
        put_back(common, amount)
        if common["waiting"] > 0 and common["free"] > 0.0 and not common["is_granting"]:
            common["is_granting"] = 1
            push(q, LEND, r["common"], 0)
    if r["head"] >= 0 and not r["is_granting"]:
        r["is_granting"] = 1
        push(q, GRANT, room, 0)


@spliced
def grant(q: Steps, room: int) -> None:
    """Let in who is at the head of the line, if there is room of its own."""
    r = q.rooms[room]
    if r["head"] < 0 or q.frames[r["head"]]["amount"] > r["free"]:  # what is lent goes to all lines in turn
        r["is_granting"] = 0
        return
    push(q, GRANT, room, 0)
    let_in(q, r)


@spliced
def lend(q: Steps, common: int) -> None:
    """Let in the head of the first line, from the one whose turn it is, for which the common room has enough."""
    c = q.rooms[common]
    first = room = c["next"]
    while True:
        r = q.rooms[room]
        room = r["next"]
        if r["head"] >= 0 and fits(q, r, q.frames[r["head"]]["amount"]):
            c["next"] = room
            push(q, LEND, common, 0)
            let_in(q, r)
            return
        if room == first:
            c["is_granting"] = 0
            return


@inlined
def let_in(q: Steps, room: Any) -> None:
    """Let the head of a line take what it waits for."""
    frame = room["head"]
    f = q.frames[frame]
    room["head"] = f["next"]
    if room["common"] >= 0:
        q.rooms[room["common"]]["waiting"] -= 1
    take(q, room, f["amount"])
    side = room["side"] if f["tag"] % SIDES == 0 else CACHED | SENT  # whoever drains holds up nobody by that
    q.waited[f["tag"] | side] += (q.loop[0]["now"] - f["since"]) * f["share"]
    if f["kind"] == WRITER:
        push(q, GO_ON, f["parent"], 0)
        drain_behind(f, room["side"])
    q.loop[0]["frame"] = frame


@inlined
def line_up(q: Steps, line: Any, frame: int) -> None:
    """Put a frame at the end of the line for a room or a milestone."""
    if line["head"] < 0:
        line["head"] = frame
    else:
        q.frames[line["tail"]]["next"] = frame
    line["tail"] = frame


@spliced
def resume(q: Steps, frame: int) -> None:
    """Let who waits first for a milestone go on, and the others after it."""
    f = q.frames[frame]
    if f["next"] >= 0:
        push(q, RESUME, f["next"], 0)
    q.loop[0]["frame"] = f["parent"]
    release(q, frame)
