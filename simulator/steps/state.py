"""The arrays in which the step loop keeps what is planned and what is under way, one record a row.

A STEP is something that can be carried out: what `models.work` calls so. Behind a work lies its DEMAND, and behind that
its NEEDS, in the same table. The parts of a step lie side by side; so do those of what is executed, which are free
again once all are done. A FRAME is something under way that waits for a part of itself to be done: a sequence for its
present step, a hold for what it holds for. Frames name their parents; when one is done, its parent goes on. CALLS are a
binary heap of what happens at a time, a delay's end or a callback of Python.
The TODO is a stack: what goes on when all that is above it has gone as far as it can in this instant.

Python asks for things through the inbox, one after the other, each of WORDS numbers. Indices of -1 mean none.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from simulator.fluid.state import KEPT

CACHED, SENT, SIDES = 1, 2, 4
"""What drains behind a work with a tag is booked under so much more: from a page cache, or from another pool; behind a
drain of the other kind under both. Callers have tags that are multiples of `SIDES`."""

# Kinds of steps, and of the rows behind a work, where KEPT is another kind of ASKS
DELAY, WORK, SEQUENCE, PARALLEL, HOLD, WRITE_BEHIND, AWAIT, DEFERRED, REPEAT, PIECES, ASKS, NEEDS = range(KEPT)

STEP = np.dtype(
    [
        ("amount", "f8"),  # of a work, of a pool; seconds of a delay; parts of a parallel; size of pieces
        ("kind", "i4"),
        ("object", "i4"),  # row of room or milestone, cause of a delay, cap of a work, turns; of a free block: the next
        ("first", "i4"),  # row of its parts; a work or a plan that Python is asked about: by which number it knows it
        ("many", "i4"),  # rows of its parts; needs of a work
    ],
    align=True,
)

DEMAND = np.dtype(  # of the work in the row before
    [
        ("bound", "f8"),  # the most that it can get
        ("kind", "i4"),  # ASKS, or KEPT
        ("code", "i4"),  # the same for equal demands
        ("weight", "f8"),
    ],
    align=True,
)

NEED = np.dtype(  # what a unit of a work takes from one resource; a row each behind its demand
    [
        ("cost", "f8"),
        ("kind", "i4"),  # NEEDS
        ("resource", "i4"),
        ("bytes", "f8"),
    ],
    align=True,
)

# Kinds of frames; those up to DRAIN begin one part after the other
FREE, ROOT, PLANNED, SERIES, TURNS, HELD, DRAIN, JOIN, WRITER, WAITER = range(10)

# How far a root or a hold has come: its step begins, has begun and goes on, was done at once
BEGINS, GOES_ON, DONE_AT_ONCE = range(3)

FRAME = np.dtype(
    [
        ("amount", "f8"),  # that is held of a room
        ("since", "f8"),  # s; it waits for room
        ("scale", "f8"),  # of what its works do, and of what is written behind
        ("kind", "i2"),
        ("phase", "i2"),
        ("parent", "i4"),  # the frame that goes on after it; of a root: the number of a callback
        ("tag", "i4"),
        ("attempt", "i4"),  # the try at a task that it belongs to, -1 if none
        ("first", "i4"),  # of its parts
        ("at", "i4"),  # the next one to begin
        ("last", "i4"),  # behind the last one
        ("left", "i4"),  # of a join: parts that are not done; of pieces: turns
        ("room", "i4"),  # of a series: the join of which it is a lane, -1 if of none
        ("next", "i4"),  # in the line for a room or a milestone; of the free frames
        ("share", "f4"),  # of a second that counts for what it does: lanes of a join share that of the join
    ],
    align=True,
)

ROOM = np.dtype(
    [
        ("capacity", "f8"),
        ("free", "f8"),
        ("holders", "i4"),
        ("is_granting", "i4"),
        ("head", "i4"),  # of the line of frames that wait
        ("tail", "i4"),
        ("common", "i4"),  # the room that lends to it, NONE if none does
        ("next", "i4"),  # in the ring of those to which one room lends; of that one: whose turn it is
        ("waiting", "i4"),  # of a room that lends: frames that wait for those to which it does
        ("side", "i4"),  # under how much more what drains from it is booked
    ],
    align=True,
)

MILESTONE = np.dtype([("is_reached", "i4"), ("head", "i4"), ("tail", "i4")])

CALL = np.dtype(
    [
        ("time", "f8"),
        ("number", "i8"),  # of those of a time the first comes first
        ("what", "i8"),  # the frame that goes on then; -1 less the number of a callback that is due
    ],
    align=True,
)

# What is on the stack
ASKED, GO_ON, NEXT_PART, BEGUN, GIVE_BACK, GRANT, LEND, RESUME = range(8)

TODO = np.dtype([("kind", "i4"), ("row", "i4"), ("end", "i4")])

# What Python asks for, with the words that follow
EXECUTE = 0  # first of the steps, number of them, callback, tag, attempt
BEGIN = 1  # first of the steps, number of them, frame
FINISH = 2  # frame
REACH = 3  # milestone
CALL_AT = 4  # time, callback
WORDS = 6

# Why the loop returns
CALLBACK = 0  # a callback is due
PLAN = 1  # a step is to be planned
RESCUE = 2  # a work was to begin on a resource that is lost
EVENT = 3  # what Python waits for comes first
LOOK = 4  # it is time to look whether the run is to stop
GROW = 5  # a table is nearly full
FAULT = 6  # a law of conservation broke
NOTHING = 7  # nothing is left that could happen

LOOP = np.dtype(
    [
        ("now", "f8"),
        ("numbers", "i8"),  # calls made so far
        ("step", "i4"),  # number of what is to be planned or rescued
        ("frame", "i4"),  # that goes on next, or for which Python is to plan
        ("callback", "i4"),  # that is due
        ("depth", "i4"),  # of the stack
        ("unread", "i4"),  # of what lies on it: parts of the inbox
        ("calls", "i4"),  # in the heap
        ("frames", "i4"),  # rows that are or have been in use
        ("busy", "i4"),  # of these those in use
        ("free", "i4"),  # head of the list of the others
        ("ended_at", "i4"),  # of the works that ended in this instant: the next to go on
        ("ended", "i4"),  # their number
        ("losses", "i4"),  # resources that are lost
        ("look", "i4"),  # things that may happen before the next look
    ],
    align=True,
)


class Steps(NamedTuple):
    """The tables of the step loop."""

    loop: Any  # one row, of LOOP
    steps: Any
    demands: Any  # the same memory
    needs: Any  # the same memory
    blocks: Any  # of each number of rows of steps: the first of a free block of as many, side by side
    frames: Any
    rooms: Any
    milestones: Any
    calls: Any
    todo: Any
    waited: Any  # of each tag: seconds that its steps waited for room in pools, summed over them
    is_alive: Any  # of each attempt
    is_lost: Any  # of each resource
    inbox: Any
