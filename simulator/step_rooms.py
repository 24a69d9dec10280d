"""Lines in which frames wait: for room in a pool, first come first served, and for a milestone."""

from __future__ import annotations

from typing import Any

from simulator.compiled import compiled, inlined, spliced
from simulator.step_frames import push, release
from simulator.step_state import BEHIND, DRAIN, GO_ON, GRANT, RESUME, WRITER, Steps


@inlined
def drain_behind(f: Any) -> None:
    """Turn a writer into what drains behind it, which goes on whatever becomes of the attempt.

    What drains behind a drain has the same tag: there is no row for another.
    """
    f["kind"] = DRAIN
    f["tag"] |= BEHIND
    f["attempt"] = -1


@inlined
def take(room: Any, amount: float) -> None:
    """Take an amount of what is free."""
    room["free"] -= amount
    room["holders"] += 1


@compiled
def give_back(q: Steps, room: int, amount: float) -> None:
    """Give an amount back; those at the head of the line who now find room go on next."""
    r = q.rooms[room]
    r["holders"] -= 1
    r["free"] = r["free"] + amount if r["holders"] > 0 else r["capacity"]  # no rounding is left in an empty pool
    if r["head"] >= 0 and not r["is_granting"]:
        r["is_granting"] = 1
        push(q, GRANT, room, 0)


@spliced
def grant(q: Steps, room: int) -> None:
    """Let in who is at the head of the line, if there is room."""
    r = q.rooms[room]
    frame = r["head"]
    if frame < 0 or q.frames[frame]["amount"] > r["free"]:
        r["is_granting"] = 0
        return
    f = q.frames[frame]
    r["head"] = f["next"]
    take(r, f["amount"])
    push(q, GRANT, room, 0)
    q.waited[f["tag"]] += q.loop[0]["now"] - f["since"]
    if f["kind"] == WRITER:
        push(q, GO_ON, f["parent"], 0)
        drain_behind(f)
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
