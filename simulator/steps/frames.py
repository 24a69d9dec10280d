"""Rows of the step loop's tables: the stack of what is to go on, frames, and the steps that a frame alone has."""

from __future__ import annotations

from typing import Any

from simulator.compiled import compiled, inlined
from simulator.steps.state import ASKED, BEGINS, FREE, SERIES, Steps


@inlined
def push(q: Steps, kind: int, row: int, end: int) -> None:
    """Put something on the stack."""
    loop = q.loop[0]
    todo = q.todo[loop["depth"]]
    todo["kind"] = kind
    todo["row"] = row
    todo["end"] = end
    loop["depth"] += 1


@inlined
def ask(q: Steps, begin: int, end: int) -> None:
    """Put what is unread of the inbox on the stack."""
    push(q, ASKED, begin, end)
    q.loop[0]["unread"] += 1


@inlined
def new_frame(q: Steps) -> int:
    """Take a free row for a frame."""
    loop = q.loop[0]
    loop["busy"] += 1
    row = loop["free"]
    if row >= 0:
        loop["free"] = q.frames[row]["next"]
    else:
        row = loop["frames"]
        loop["frames"] += 1
    q.frames[row]["next"] = -1
    return int(row)


@inlined
def set_parts(f: Any, first: int, many: int) -> None:
    """Let a frame have some parts."""
    f["first"] = first
    f["at"] = first
    f["last"] = first + many


@inlined
def move_on(q: Steps, f: Any) -> None:
    """Let a frame begin its next part; that of a lane of a join counts as one of those under way, or about to begin."""
    f["at"] += 1
    if f["kind"] == SERIES and f["room"] >= 0:
        join = q.frames[f["room"]]
        lanes = join["left"] - int(join["phase"] == BEGINS)
        f["share"] = join["share"] / max(lanes, 1)


@inlined
def release(q: Steps, row: int) -> None:
    """Give the row of a frame back."""
    loop, f = q.loop[0], q.frames[row]
    f["kind"] = FREE
    f["next"] = loop["free"]
    loop["free"] = row
    loop["busy"] -= 1


@inlined
def release_steps(q: Steps, f: Any) -> None:
    """Give back the rows of steps that nobody but a frame has."""
    many = f["last"] - f["first"]
    if many > 0:  # the first row of none is somebody else's
        q.steps[f["first"]]["object"] = q.blocks[many]
        q.blocks[many] = f["first"]


@compiled
def is_on_lost(q: Steps, first: int, many: int) -> bool:
    """Return whether any of the needs of a demand is of a resource that is lost."""
    for at in range(first, first + many):  # noqa: SIM110 - kernels know no any()
        if q.is_lost[q.needs[at]["resource"]]:
            return True
    return False
