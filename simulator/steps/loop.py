"""The step loop: what is under way goes on, instant after instant, until Python is needed.

In an instant, first all works that end then, then all calls of that time in the order in which they were asked for;
each lets a frame go on as far as it can before the next one's turn comes. An instant is over when nothing of its time
is left; only then are the rates of all works shared again. Python's own events come before calls of the same time.

To go on, a frame begins its next part or is done; what begins or is done next is a loop, not a recursion. Where two
things follow from one, the second waits on the stack.
"""

from __future__ import annotations

import math
from typing import Any

from simulator.compiled import called, inlined, prefetch, spliced
from simulator.fluid.credits import turn
from simulator.fluid.kernel import finish, join_class, look_ahead, reach
from simulator.fluid.rows import users_within_reach
from simulator.fluid.state import Tables
from simulator.steps.calls import call_at, drop_first
from simulator.steps.frames import ask, is_on_lost, move_on, new_frame, push, release, release_steps, set_parts
from simulator.steps.rooms import drain_behind, fits, give_back, grant, lend, line_up, resume, take
from simulator.steps.state import (
    ASKED,
    AWAIT,
    BEGIN,
    BEGINS,
    BEGUN,
    CALLBACK,
    DEFERRED,
    DELAY,
    DONE_AT_ONCE,
    DRAIN,
    EVENT,
    EXECUTE,
    FAULT,
    FINISH,
    GIVE_BACK,
    GO_ON,
    GOES_ON,
    GRANT,
    GROW,
    HELD,
    HOLD,
    JOIN,
    LEND,
    LOOK,
    NEXT_PART,
    NOTHING,
    PARALLEL,
    PIECES,
    PLAN,
    PLANNED,
    REACH,
    REPEAT,
    RESCUE,
    RESUME,
    ROOT,
    SEQUENCE,
    SERIES,
    TURNS,
    WAITER,
    WORDS,
    WORK,
    WRITER,
    Steps,
)

SPARE = 6  # rows of a table that going on with one frame takes at most
LOOKS = 512  # Assumption: things that happen between two looks at whether to stop; 1 ms, 0.3 s where all share all
GOES = -1  # nothing for Python to do
NO_FRAME = -1


@called
def go(t: Tables, q: Steps, begin: int, end: int, now: float, event: float) -> tuple[int, float, int, bool]:
    """Carry out what inbox[begin:end] asks for at `now`, and go on until Python is needed or its event comes first.

    Returns why Python is needed, the time at which it is, the callback that is due, and whether nothing of the inbox
    is left.
    """
    loop = q.loop[0]
    loop["now"] = now
    if end > begin:
        ask(q, begin, end)
    reach(t, now)
    why = GOES
    while why == GOES:
        if is_short(t, q):
            why = GROW
            break
        loop["frame"] = NO_FRAME
        if loop["depth"] > 0:
            resume_top(q)
        elif loop["ended_at"] < loop["ended"]:
            loop["frame"] = t.members[loop["ended_at"]]["ended"]
            loop["ended_at"] += 1
        else:
            why = next_instant(t, q, event)
        if loop["frame"] >= 0:
            why = carry_on(t, q)
    return why, float(loop["now"]), int(loop["callback"]), bool(loop["unread"] == 0)


@inlined
def is_short(t: Tables, q: Steps) -> bool:
    """Return whether a table may have too few rows for the next thing."""
    loop, s = q.loop[0], t.state[0]
    return bool(
        loop["busy"] + SPARE > q.frames.shape[0]
        or loop["calls"] + SPARE > q.calls.shape[0]
        or loop["depth"] + SPARE > q.todo.shape[0]
        or s["busy_members"] + SPARE > t.members.shape[0]
        or s["busy_classes"] + SPARE > t.classes.shape[0]
        or s["use_rows"] + s["most_needs"] > t.uses.shape[0]
        or users_within_reach(s) > t.users.shape[0]
    )


@spliced
def next_instant(t: Tables, q: Steps, event: float) -> int:
    """Go on to what comes next; return why Python is needed, or GOES."""
    loop, s = q.loop[0], t.state[0]
    if loop["look"] <= 0:
        loop["look"] = LOOKS
        return LOOK
    calls = q.calls[0]["time"] if loop["calls"] > 0 else math.inf
    horizon = min(calls, event)
    if horizon > loop["now"]:
        ends = look_ahead(t, loop["now"])
        if s["fault"] != 0:
            return FAULT
        if s["next_turn"] < min(ends, horizon):
            loop["now"] = s["next_turn"]
            reach(t, loop["now"])
            turn(t, loop["now"])
            return GOES
        if ends <= horizon and ends < math.inf:
            loop["ended"] = finish(t, q.frames)
            loop["ended_at"] = 0
            loop["now"] = ends
            loop["look"] -= 1
            return FAULT if s["fault"] != 0 else GOES
        if math.isinf(horizon):
            return NOTHING
    loop["look"] -= 1
    if event <= calls:
        return EVENT
    what = q.calls[0]["what"]
    loop["now"] = calls
    reach(t, calls)
    drop_first(q)
    if what >= 0:
        loop["frame"] = what
        return GOES
    loop["callback"] = -1 - what
    return CALLBACK


@spliced
def resume_top(q: Steps) -> None:
    """Go on with what lies on top of the stack: a frame, or what leads to one."""
    loop = q.loop[0]
    loop["depth"] -= 1
    todo = q.todo[loop["depth"]]
    kind, row, end = todo["kind"], todo["row"], todo["end"]
    if kind == GO_ON:
        loop["frame"] = row
    elif kind == ASKED:
        answer(q, row, end)
    elif kind == NEXT_PART:
        next_part(q, row)
    elif kind == GRANT:
        grant(q, row)
    elif kind == LEND:
        lend(q, row)
    elif kind == RESUME:
        resume(q, row)
    elif kind == GIVE_BACK:
        room, amount = q.frames[row]["room"], q.frames[row]["amount"]
        release(q, row)
        give_back(q, room, amount)
    else:
        has_begun(q, row)


@spliced
def answer(q: Steps, at: int, end: int) -> None:
    """Do the first thing that inbox[at:end] asks for."""
    loop = q.loop[0]
    loop["unread"] -= 1
    if at + WORDS < end:
        ask(q, at + WORDS, end)
    what, row = int(q.inbox[at]), int(q.inbox[at + 1])
    if what in (EXECUTE, BEGIN):
        frame = new_frame(q)
        f = q.frames[frame]
        f["parent"] = int(q.inbox[at + 3])
        set_parts(f, row, int(q.inbox[at + 2]))
        if what == BEGIN:
            f["kind"], f["phase"] = PLANNED, GOES_ON
            f["scale"] = q.frames[f["parent"]]["scale"]
            f["share"] = q.frames[f["parent"]]["share"]
            f["tag"] = q.frames[f["parent"]]["tag"]
            f["attempt"] = q.frames[f["parent"]]["attempt"]
        else:
            f["kind"] = ROOT
            f["scale"] = f["share"] = 1.0
            f["tag"] = int(q.inbox[at + 4])
            f["attempt"] = int(q.inbox[at + 5])
            f["phase"] = BEGINS
            push(q, BEGUN, frame, 0)
        loop["frame"] = frame
    elif what == FINISH:
        loop["frame"] = row
    elif what == REACH:
        milestone = q.milestones[row]
        milestone["is_reached"] = 1
        if milestone["head"] >= 0:
            push(q, RESUME, milestone["head"], 0)
        milestone["head"] = -1
    else:
        call_at(q, q.inbox[at + 1], -1 - int(q.inbox[at + 2]))


@spliced
def carry_on(t: Tables, q: Steps) -> int:  # noqa: PLR0912 - one branch a kind of frame or step
    """Let a frame go on after its present part, and what follows from that, until something takes time.

    Returns why Python is needed, or GOES.
    """
    loop = q.loop[0]
    frame = loop["frame"]
    while True:
        f = q.frames[frame]
        kind = f["kind"]
        if f["attempt"] >= 0 and not q.is_alive[f["attempt"]]:
            if kind == HELD:
                push(q, GIVE_BACK, frame, 0)
            return GOES
        if kind > DRAIN or f["at"] == f["last"]:
            if kind == JOIN:
                f["left"] -= 1
                if f["left"] > 0:
                    return GOES
            elif f["phase"] == BEGINS:  # a root or a hold
                f["phase"] = DONE_AT_ONCE
                return GOES
            elif kind == HELD:
                prefetch(q.frames, q.rooms[f["room"]]["head"])  # who is granted what is given back, after the parent
                push(q, GIVE_BACK, frame, 0)
                push(q, GO_ON, f["parent"], 0)
                return GOES
            elif kind <= PLANNED:
                release_steps(q, f)
            elif kind == TURNS:
                f["left"] -= 1
                if f["left"] > 0:
                    f["at"] = f["first"]
                    continue
            release(q, frame)
            if kind == DRAIN:
                give_back(q, f["room"], f["amount"])
                return GOES
            frame = f["parent"]
            if kind == ROOT:
                loop["callback"] = frame
                return CALLBACK
            continue
        move_on(q, f)
        e = q.steps[f["at"] - 1]
        kind = e["kind"]
        if kind == WORK:
            f["at"] += 1 + e["many"]
            if e["amount"] > 0.0:
                return begin_work(t, q, e, frame)
        elif kind == DELAY:
            if e["amount"] > 0.0:
                t.blame[f["tag"], e["object"]] += e["amount"] * f["share"]
                call_at(q, loop["now"] + e["amount"], frame)
                return GOES
        elif kind in (DEFERRED, REPEAT):
            if kind == REPEAT:  # its turn comes again, until Python moves on
                f["at"] -= 1
            loop["step"] = e["first"]
            loop["frame"] = frame
            return PLAN
        elif kind != AWAIT or not q.milestones[e["object"]]["is_reached"]:
            begin_within(q, e, frame)
            return GOES


@spliced
def begin_work(t: Tables, q: Steps, work: Any, frame: int) -> int:
    """Begin a work, behind which its frame stands already; return why Python is needed, or GOES."""
    loop, f = q.loop[0], q.frames[frame]
    first, many = f["at"] - work["many"], work["many"]
    if loop["losses"] > 0 and is_on_lost(q, first, many):
        loop["step"] = work["first"]
        loop["frame"] = frame
        return RESCUE
    amount = work["amount"] * f["scale"] / q.demands[first - 1]["weight"]
    demand, now = q.demands[first - 1], loop["now"]
    m = t.members[join_class(t, work, amount, demand, q.needs, first, f["tag"], f["share"], now)]
    m["frame"] = frame
    m["step"] = work["first"]
    return GOES


@spliced
def begin_within(q: Steps, step: Any, parent: int) -> None:
    """Begin a step that consists of others or that waits, as a frame of its own."""
    frame = new_frame(q)
    f, kind = q.frames[frame], step["kind"]
    f["parent"] = parent
    f["scale"] = q.frames[parent]["scale"]
    f["share"] = q.frames[parent]["share"]
    f["tag"] = q.frames[parent]["tag"]
    f["attempt"] = q.frames[parent]["attempt"]
    f["phase"] = GOES_ON
    set_parts(f, step["first"], step["many"])
    if kind == SEQUENCE:
        f["kind"] = SERIES
        f["room"] = q.frames[parent]["room"] if q.frames[parent]["kind"] == SERIES else -1
        push(q, GO_ON, frame, 0)
    elif kind == PIECES:
        f["kind"] = TURNS
        f["left"] = step["object"]
        f["scale"] *= step["amount"]
        push(q, GO_ON, frame, 0)
    elif kind == PARALLEL:
        f["kind"], f["phase"] = JOIN, BEGINS
        f["left"] = int(step["amount"]) + 1  # one more, which keeps it open while its parts begin
        push(q, NEXT_PART, frame, 0)
    elif kind == AWAIT:
        f["kind"] = WAITER
        line_up(q, q.milestones[step["object"]], frame)
    else:
        room = q.rooms[step["object"]]
        f["kind"] = HELD if kind == HOLD else WRITER
        f["room"] = step["object"]
        f["amount"] = step["amount"] if kind == HOLD else min(step["amount"] * f["scale"], room["capacity"])
        f["since"] = q.loop[0]["now"]
        if room["head"] >= 0 or not fits(q, room, f["amount"]):
            line_up(q, room, frame)
            if room["common"] >= 0:
                q.rooms[room["common"]]["waiting"] += 1
            return
        take(q, room, f["amount"])
        if kind == HOLD:
            f["phase"] = BEGINS
            push(q, BEGUN, frame, 0)
        else:
            push(q, GO_ON, parent, 0)
            drain_behind(f, room["side"])
        push(q, GO_ON, frame, 0)


@spliced
def next_part(q: Steps, join: int) -> None:
    """Begin the next part of a parallel as a series of its own, or close the parallel if all have begun."""
    f = q.frames[join]
    if f["at"] == f["last"]:
        f["phase"], q.loop[0]["frame"] = GOES_ON, join
        return
    push(q, NEXT_PART, join, 0)
    frame = new_frame(q)
    part = q.frames[frame]
    part["kind"] = SERIES
    part["room"] = join
    part["parent"] = join
    part["scale"] = f["scale"]
    part["tag"] = f["tag"]
    part["attempt"] = f["attempt"]
    part["phase"] = GOES_ON
    step = q.steps[f["at"]]
    many = 2 + step["many"] if step["kind"] == WORK else 1
    set_parts(part, f["at"], many)
    f["at"] += many
    q.loop[0]["frame"] = frame


@spliced
def has_begun(q: Steps, frame: int) -> None:
    """Take notice that what a root or a hold contains has begun; if it is done at once, so are they."""
    f = q.frames[frame]
    is_done = f["phase"] == DONE_AT_ONCE
    f["phase"] = GOES_ON
    if not is_done:
        return
    is_root = f["kind"] == ROOT
    release(q, frame)
    if is_root:
        release_steps(q, f)
        call_at(q, q.loop[0]["now"], -1 - f["parent"])
    else:
        push(q, GO_ON, f["parent"], 0)
        give_back(q, f["room"], f["amount"])
