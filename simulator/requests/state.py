"""The state of the request loop: plain arrays, and the numbers that stand for operations in them.

A TOKEN is a client of a closed loop, a request under way in an open one, or a lane of either; OPS are the program that
it runs. A worker in the background is a token, too, and so is what goes on behind a request. Indices of -1
mean none; those that always name a row are unsigned, which saves numba a look whether they count from the end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

NEXT, START, TAKE, STAY, GIVE, FIRST, ADMIT, END, FAIL, ARRIVE, ATTEMPT, TURN, AGAIN, FAN, JOIN, CHOOSE = range(16)
PIPE, GATE, PASS, CONNECT, RELEASE, DETACH = range(16, 22)
NONE = -1
BESIDE = -2  # a pick: the copy that stands beside the slot that a token holds behind its request
GATED = 3  # in a pipeline, until the sections beside its own are further
SHARING = 2  # in service at a station whose pace depends on who is there, not in its queue
DEPTH = 8
"""Slots that a request may hold at once. Assumption: routes are shallower."""
LEVELS = 4
"""Repeats inside each other. Assumption: routes are shallower."""
PICKS = 16
"""Choices that hold for a whole request. Assumption: routes make fewer."""
TOKEN_BITS = 24
"""Bits of a token in the key of an event; the rest numbers the events, so that equal times keep their order. Timers
are numbered behind the tokens, and behind those the stations that share their service."""
TOKEN_MASK = (1 << TOKEN_BITS) - 1
DRAWS = 64
"""Numbers of draws that a request has before they meet those of the next. Assumption: routes are shorter."""
MASK = 0xFFFFFFFF
"""The low 32 bits."""
LUCK = 0x9E3779B1
"""Distance of the luck of lanes. Source: 2^32 over the golden ratio (Knuth, The Art of Computer Programming 3, 6.4)."""

CLOCK = np.dtype(
    [
        ("now", "f8"),
        ("area", "f8"),  # integral of the requests under way
        ("since", "f8"),
        ("under_way", "i8"),
        ("issued", "i8"),
        ("started", "i8"),
        ("done", "i8"),
        ("failed", "i8"),
        ("refused", "i8"),
        ("events", "i8"),
        ("queued", "i8"),  # in the heap
        ("alarms", "i8"),  # of stations in the heap, with those that are stale
        ("has_gap", "i8"),  # the first of the heap is taken out, and nothing is in its place
        ("ready", "i8"),  # first in the ring
        ("ready_count", "i8"),
        ("free", "i8"),  # list of tokens without a request (open loop)
        ("roots", "i8"),  # tokens that are no lanes
        ("spare", "i8"),  # list of tokens that may become lanes, those that never were one at its end
        ("fresh", "i8"),  # first of these: they stand in a row, and their memory is not touched
        ("count", "i8"),
        ("stride", "i8"),  # of a client's requests in a trace; 0: the next request goes to whoever asks
        ("is_open", "i8"),
        ("is_spread", "i8"),  # clients begin as if the round had gone on, not in step
        ("overflow", "i8"),  # requests for which an open loop had no token
        ("lost", "f8"),  # time (s) of requests that failed
        ("timed_out", "i8"),  # attempts given up
        ("retries", "i8"),
        ("timeout", "f8"),  # patience of an attempt (s); infinite: none
        ("back_off", "f8"),
        ("tries", "i8"),  # attempts of a request at most
        ("until", "f8"),  # the run ends then (s)
        ("pause", "i8"),  # events after which the caller looks whether the run is to stop
        ("seed", "i8"),
    ],
    align=True,
)
OP = np.dtype(
    [
        ("per_byte", "f8"),
        ("wait", "f8"),  # back-off (s)
        ("sorting", "f8"),  # exponent by which a stay gets shorter with those that wait
        ("share", "f8"),  # part of the bytes that a stay, or a lane, takes; of a lane, 0: whole chunks
        ("chunk", "f8"),  # bytes (B) of a turn at most
        ("code", "i4"),
        ("at", "i4"),  # first copy of the station, or first limit
        ("copies", "i4"),
        ("depth", "i4"),
        ("table", "i4"),  # of times; -1: none
        ("attempts", "i4"),
        ("sorted", "i4"),  # most that a station sorts
        ("unwind", "i4"),  # where a request that has failed goes on
        ("level", "i4"),  # of a repeat; 1 of a fan whose lanes count on from those of the lanes before its own
        ("lanes", "i4"),  # of a fan, or of a section of a pipeline; sections of a pipeline; those that gather
        ("ahead", "i4"),  # turns by which a section of a pipeline may be ahead of the end of the next
        ("jump", "i4"),  # where a repeat begins, a fan, pipeline, connection or what goes on behind ends, the next
        # section of a pipeline begins, or what an idle connection is taken for
        ("pick", "i4"),  # choice whose number, times `stride`, leads to `span` copies of a station; -1: any copy
        ("stride", "i4"),  # with BESIDE: the first of the stations of that slot, and `span` its depth
        ("span", "i4"),
        ("from_pick", "i4"),  # choice of the first of the `span` copies; the lane counts on from there
        ("parts", "i4"),  # of a group whose number is the choice; 0: none
        ("places", "i4"),  # where the copies of the groups begin
    ],
    align=True,
)
KIND = np.dtype([("edge", "f8"), ("entry", "i4"), ("table", "i4"), ("again", "i4"), ("fail", "i4")], align=True)
CLIENT = np.dtype(
    [
        ("pool", "f8"),  # number of its pool, whose kinds end before the next number
        ("left", "f8"),  # part of its first request, where clients are spread over a round
    ],
    align=True,
)
PICK = np.dtype([("count", "i4"), ("by_client", "i4")], align=True)
TOKEN = np.dtype(
    [
        # a cache line for every operation
        ("size", "f8"),
        ("weight", "f8"),  # part of the request's time that its time stands for: a share of it in a lane
        ("asked", "f8"),  # when it came to the station at which it waits
        ("luck", "i8"),  # number that its draws depend on: the request, or a number of its own for a lane
        ("pc", "u4"),
        ("next", "i4"),
        ("draws", "i4"),
        ("is_queued", "i4"),  # at a station; or SHARING
        ("lane", "i4"),
        ("root", "i4"),
        ("head", "i4"),  # first lane of its section of a pipeline
        ("sibling", "i4"),  # lane of the same pipeline
        # one for slots and lanes
        ("held", "i4", (DEPTH,)),  # stations of which it has a slot, or for which it waits
        ("kind", "u4"),
        ("attempt", "i4"),
        ("parent", "i4"),
        ("open_lanes", "i4"),
        ("child", "i4"),  # first lane of its pipeline
        ("given_up", "i4"),  # attempts
        ("passed", "i4"),  # turns that a lane of a pipeline has ended
        ("turns", "i4"),  # of a pipeline in all
        # one for the whole of a request, and for a section of a pipeline, of which its first lane keeps account
        ("start", "f8"),
        ("first", "f8"),
        ("deadline", "f8"),
        ("request", "i8"),
        ("is_under_way", "i8"),
        ("has_timer", "i8"),
        ("before", "i4"),  # first lane of the section before
        ("after", "i4"),  # and of the one behind
        ("all_passed", "i4"),  # turns that all lanes of the section have ended
        ("behind", "i4"),  # lanes that have ended no more
    ],
    align=True,
)
SERVICE = np.dtype(
    [
        ("target", "f8"),  # service that its station has given each by then, at which the token has had its own
        ("before", "i4"),  # token that is served before it
        ("after", "i4"),
        ("at", "i4"),  # the station; -1: none
    ],
    align=True,
)
STATION = np.dtype(
    [
        ("busy", "f8"),  # integral of the slots in use
        ("since", "f8"),
        ("waited", "f8"),
        ("served", "f8"),
        ("bytes", "f8"),
        ("streams", "f8"),  # flows that share it all the time; 0: it serves one after the other
        ("most", "f8"),  # part of it that they take at most
        (
            "level",
            "f8",
        ),  # service (s) that each visitor has had since the start, where their number sets the pace
        ("pace", "f8"),  # at which it grows
        ("alarm", "f8"),  # when it rings to say that the first of them is served; later ones in the heap are stale
        ("event", "i8"),  # number of the event of its alarm
        ("visits", "i8"),
        ("present", "i4"),  # visitors in service, where their number sets the pace; those that gather behind it
        ("waiting", "i4"),  # in its queue
        ("slots", "i4"),
        ("free", "i4"),
        ("head", "i4"),  # of the queue
        ("tail", "i4"),
        ("first", "i4"),  # of those in service to be served, where their number sets the pace; of those that gather
        ("last", "i4"),
        ("paces", "i4"),  # where its paces begin; -1: each slot serves at the same pace, however many are busy
    ],
    align=True,
)
KEPT = np.dtype([("idle", "i4"), ("kept", "i4")], align=True)
LIMIT = np.dtype([("rate", "f8"), ("burst", "f8"), ("tokens", "f8"), ("since", "f8")], align=True)


class Loop(NamedTuple):
    """All state of a run.

    `tables` is (tables, TABLE), `paces` the service a second of each of 1, 2, ... busy slots, of one station after the
    other; ends, the integral of the requests under way until then, latencies, first bytes, kinds and sizes are by order
    of completion, and have no rows where a run has no use for them. `services` are those of the tokens that share a
    station with others, `latest` is who came last, (operations, stations). `clients` is (roots,), `turns` and `sizes`
    (tokens, LEVELS), `picked` (tokens, PICKS); `places` are copies of stations, of one group after the other.
    """

    clock: Any
    ops: Any
    kinds: Any
    clients: Any
    tables: Any
    paces: Any
    tokens: Any
    services: Any
    latest: Any
    turns: Any
    sizes: Any
    picks: Any
    picked: Any
    places: Any
    stations: Any
    limits: Any
    connections: Any
    times: Any
    keys: Any
    ring: Any
    ended: Any
    area: Any
    latency: Any
    first: Any
    which: Any
    moved: Any
    trace_kinds: Any
    trace_sizes: Any
