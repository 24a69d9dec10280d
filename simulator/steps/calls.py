"""What happens at a time: a binary heap, those of one time in the order in which they were asked for."""

from __future__ import annotations

from simulator.compiled import compiled, inlined, spliced
from simulator.steps.state import Steps


@inlined
def is_earlier(q: Steps, time: float, number: int, at: int) -> bool:
    """Return whether a call comes before that at a place."""
    other = q.calls[at]
    return bool(time < other["time"] or (time == other["time"] and number < other["number"]))


@inlined
def move(q: Steps, source: int, target: int) -> None:
    """Move a call to another place."""
    a, b = q.calls[source], q.calls[target]
    b["time"] = a["time"]
    b["number"] = a["number"]
    b["what"] = a["what"]


@compiled
def call_at(q: Steps, time: float, what: int) -> None:
    """Let a frame go on at a time, or a callback be due."""
    loop = q.loop[0]
    number = loop["numbers"]
    loop["numbers"] += 1
    at = loop["calls"]
    loop["calls"] += 1
    while at > 0 and is_earlier(q, time, number, (at - 1) // 2):
        move(q, (at - 1) // 2, at)
        at = (at - 1) // 2
    call = q.calls[at]
    call["time"] = time
    call["number"] = number
    call["what"] = what


@spliced
def drop_first(q: Steps) -> None:
    """Take the first call away."""
    loop = q.loop[0]
    loop["calls"] -= 1
    size = int(loop["calls"])
    time, number = q.calls[size]["time"], q.calls[size]["number"]
    at, child = 0, 1
    while child < size:
        if child + 1 < size and is_earlier(q, q.calls[child + 1]["time"], q.calls[child + 1]["number"], child):
            child += 1
        if is_earlier(q, time, number, child):
            break
        move(q, child, at)
        at, child = child, 2 * child + 1
    move(q, size, at)
