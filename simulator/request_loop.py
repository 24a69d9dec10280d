"""The request loop: a heap of tokens by the time at which each goes on, and stations with queues, over plain arrays.

A TOKEN is a client of a closed loop or a request under way in an open one. It runs a program of OPS: take a slot of a
station, stay, give the slot back. Whoever waits for a slot lies in the linked list of its station, whoever got one in
this instant in the ring of the ready. Indices of -1 mean none.

Chance is a hash of seed, request and number of the draw, so a request meets the same luck whatever happens before it.
Source of the hash: lowbias32 (C. Wellons, Prospecting for Hash Functions, 2018, public domain), applied twice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from simulator.compiled import compiled, inlined

NEXT, START, TAKE, STAY, GIVE, FIRST, ADMIT, END, FAIL, ARRIVE = range(10)
NONE = -1
DEPTH = 8
"""Slots that a request may hold at once. Assumption: routes are shallower."""
TOKEN_BITS = 24
"""Bits of a token in the key of an event; the rest numbers the events, so that equal times keep their order."""
TOKEN_MASK = (1 << TOKEN_BITS) - 1
DRAWS = 64
"""Numbers of draws that a request has before they meet those of the next. Assumption: routes are shorter."""
MASK = 0xFFFFFFFF

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
        ("ready", "i8"),  # first in the ring
        ("ready_count", "i8"),
        ("free", "i8"),  # list of tokens without a request (open loop)
        ("count", "i8"),
        ("stride", "i8"),  # of a client's requests in a trace; 0: the next request goes to whoever asks
        ("is_open", "i8"),
        ("overflow", "i8"),
        ("lost", "f8"),  # time (s) of requests that failed
        ("seed", "i8"),
    ],
    align=True,
)
OP = np.dtype(
    [
        ("per_byte", "f8"),
        ("wait", "f8"),  # back-off (s)
        ("code", "i4"),
        ("at", "i4"),  # first copy of the station, or first limit
        ("copies", "i4"),
        ("depth", "i4"),
        ("table", "i4"),  # of times; -1: none
        ("attempts", "i4"),
        ("unwind", "i4"),  # where a request that has failed goes on
    ],
    align=True,
)
KIND = np.dtype([("edge", "f8"), ("entry", "i4"), ("table", "i4")], align=True)
TOKEN = np.dtype(
    [
        ("size", "f8"),
        ("start", "f8"),
        ("asked", "f8"),  # when it came to the station at which it waits
        ("first", "f8"),
        ("request", "i8"),
        ("pc", "i4"),
        ("next", "i4"),
        ("draws", "i4"),
        ("kind", "i4"),
        ("attempt", "i4"),
        ("is_under_way", "i4"),
    ],
    align=True,
)
STATION = np.dtype(
    [
        ("busy", "f8"),  # integral of the slots in use
        ("since", "f8"),
        ("waited", "f8"),
        ("served", "f8"),
        ("visits", "i8"),
        ("slots", "i4"),
        ("free", "i4"),
        ("head", "i4"),
        ("tail", "i4"),
    ],
    align=True,
)
LIMIT = np.dtype([("rate", "f8"), ("burst", "f8"), ("tokens", "f8"), ("since", "f8")], align=True)


class Loop(NamedTuple):
    """All state of a run. `tables` is (tables, TABLE); latencies, first bytes and kinds are by order of completion."""

    clock: Any
    ops: Any
    kinds: Any
    tables: Any
    tokens: Any
    held: Any
    stations: Any
    limits: Any
    times: Any
    keys: Any
    ring: Any
    latency: Any
    first: Any
    which: Any
    trace_kinds: Any
    trace_sizes: Any


@inlined
def scrambled(x: int) -> int:
    """Return 32 well-mixed bits; products wrap at 64 bits, of which the low 32 are the same as without wrapping."""
    x ^= x >> 16
    x = (x * 0x7FEB352D) & MASK
    x ^= x >> 15
    x = (x * 0x846CA68B) & MASK
    return x ^ (x >> 16)


@inlined
def drawn(v: Loop, i: int) -> int:
    """Return the next 32 random bits of a token's request."""
    token = v.tokens[i]
    place = (int(token["request"]) * DRAWS + int(token["draws"])) & MASK
    token["draws"] += 1
    return scrambled(scrambled(place) ^ int(v.clock[0]["seed"]))


@inlined
def value(v: Loop, table: int, bits: int) -> float:
    """Return the value of a table that 32 random bits choose."""
    return float(v.tables[table, (bits * v.tables.shape[1]) >> 32])


@compiled
def push(v: Loop, time: float, i: int) -> None:
    """Let a token go on at a time."""
    c = v.clock[0]
    key = (int(c["events"]) << TOKEN_BITS) | i
    at = int(c["queued"])
    c["events"] += 1
    c["queued"] += 1
    while at > 0:
        above = (at - 1) >> 1
        if v.times[above] <= time:
            break
        v.times[at] = v.times[above]
        v.keys[at] = v.keys[above]
        at = above
    v.times[at] = time
    v.keys[at] = key


@compiled
def pop(v: Loop) -> int:
    """Take the token out that goes on first; equal times go by the order of their events."""
    c = v.clock[0]
    first = int(v.keys[0]) & TOKEN_MASK
    c["queued"] -= 1
    size = int(c["queued"])
    time, key = v.times[size], v.keys[size]
    at, child = 0, 1
    while child < size:
        right = child + 1
        if right < size and (
            v.times[right] < v.times[child] or (v.times[right] == v.times[child] and v.keys[right] < v.keys[child])
        ):
            child = right
        if time < v.times[child] or (time == v.times[child] and key < v.keys[child]):
            break
        v.times[at] = v.times[child]
        v.keys[at] = v.keys[child]
        at = child
        child = 2 * at + 1
    v.times[at] = time
    v.keys[at] = key
    return first


@inlined
def make_ready(v: Loop, i: int) -> None:
    """Let a token go on in this instant, after those that are ready already."""
    c = v.clock[0]
    v.ring[(c["ready"] + c["ready_count"]) % v.ring.shape[0]] = i
    c["ready_count"] += 1


@inlined
def count_under_way(v: Loop, change: int) -> None:
    """Bring the integral of the requests under way forward, and change their number."""
    c = v.clock[0]
    c["area"] += c["under_way"] * (c["now"] - c["since"])
    c["since"] = c["now"]
    c["under_way"] += change


@inlined
def occupy(v: Loop, s: int, change: int) -> None:
    """Bring the integral of a station's busy slots forward, and change the number of its free ones."""
    station = v.stations[s]
    now = v.clock[0]["now"]
    station["busy"] += (station["slots"] - station["free"]) * (now - station["since"])
    station["since"] = now
    station["free"] += change


@inlined
def give_request(v: Loop, i: int, request: int) -> None:
    """Let a token carry a request: choose its kind and size, and the start of its program."""
    token = v.tokens[i]
    token["request"] = request
    token["draws"] = 0
    token["attempt"] = 0
    if v.trace_kinds.shape[0] > 0:
        k = int(v.trace_kinds[request])
        token["size"] = v.trace_sizes[request]
    else:
        at = drawn(v, i) / 4294967296.0
        k = 0
        while at >= v.kinds[k]["edge"]:
            k += 1
        token["size"] = value(v, v.kinds[k]["table"], drawn(v, i)) if v.kinds[k]["table"] >= 0 else 0.0
    token["kind"] = k
    token["pc"] = v.kinds[k]["entry"]


@compiled
def next_request(v: Loop, i: int) -> bool:
    """Give a client its next request, or an open loop its token back; False if there is nothing for it to do."""
    c, token = v.clock[0], v.tokens[i]
    if c["is_open"] == 1:
        token["next"] = c["free"]
        c["free"] = i
        return False
    request = int(c["issued"])
    if c["stride"] > 0:
        request = int(token["request"] + c["stride"]) if token["request"] >= 0 else i
    if request >= c["count"]:
        return False
    c["issued"] += 1
    give_request(v, i, request)
    return True


@compiled
def arrive(v: Loop, i: int) -> None:
    """Send a request of an open loop with a free token, and come back for the one after it."""
    c, token = v.clock[0], v.tokens[i]
    if c["issued"] >= c["count"]:
        return
    chosen = int(c["free"])
    if chosen == NONE:
        c["overflow"] = 1
        return
    c["free"] = v.tokens[chosen]["next"]
    give_request(v, chosen, int(c["issued"]))
    make_ready(v, chosen)
    c["issued"] += 1
    token["request"] = c["issued"] + c["count"]  # its own luck
    token["draws"] = 0
    push(v, c["now"] + value(v, v.ops[1]["table"], drawn(v, i)), i)


@compiled
def take(v: Loop, i: int) -> bool:
    """Take a slot of a station, or wait for it; return whether the token has it."""
    token = v.tokens[i]
    op = v.ops[token["pc"]]
    s = int(op["at"])
    if op["copies"] > 1:
        s += (drawn(v, i) * int(op["copies"])) >> 32
    v.held[i, op["depth"]] = s
    station = v.stations[s]
    station["visits"] += 1
    if station["free"] > 0:
        occupy(v, s, -1)
        return True
    token["asked"] = v.clock[0]["now"]
    token["next"] = NONE
    if station["head"] == NONE:
        station["head"] = i
    else:
        v.tokens[station["tail"]]["next"] = i
    station["tail"] = i
    return False


@compiled
def give(v: Loop, i: int) -> None:
    """Give a slot back: to the first who waits, if any."""
    s = int(v.held[i, v.ops[v.tokens[i]["pc"]]["depth"]])
    station = v.stations[s]
    first = int(station["head"])
    if first == NONE:
        occupy(v, s, 1)
        return
    other = v.tokens[first]
    station["head"] = other["next"]
    station["waited"] += v.clock[0]["now"] - other["asked"]
    other["pc"] += 1
    make_ready(v, first)


@compiled
def stay(v: Loop, i: int) -> bool:
    """Let a token stay for its service time; return False if there is none, so that it goes on at once."""
    token = v.tokens[i]
    op = v.ops[token["pc"]]
    seconds = token["size"] * op["per_byte"]
    if op["table"] >= 0:
        seconds += value(v, op["table"], drawn(v, i))
    if op["depth"] >= 0:
        v.stations[v.held[i, op["depth"]]]["served"] += seconds
    token["pc"] += 1
    if seconds <= 0.0:
        return False
    push(v, v.clock[0]["now"] + seconds, i)
    return True


@compiled
def admit(v: Loop, i: int) -> bool:
    """Let a request pass a limit; return False if it has to come back later. One refused too often goes to its end."""
    c, token = v.clock[0], v.tokens[i]
    op = v.ops[token["pc"]]
    limit = v.limits[op["at"] + ((scrambled(int(token["request"])) * int(op["copies"])) >> 32)]
    limit["tokens"] = min(limit["burst"], limit["tokens"] + limit["rate"] * (c["now"] - limit["since"]))
    limit["since"] = c["now"]
    if limit["tokens"] >= 1.0:
        limit["tokens"] -= 1.0
        token["attempt"] = 0
        token["pc"] += 1
        return True
    c["refused"] += 1
    token["attempt"] += 1
    if token["attempt"] >= op["attempts"]:
        token["pc"] = op["unwind"]
        return True
    spread = 0.5 + drawn(v, i) / 4294967296.0
    push(v, c["now"] + op["wait"] * 2.0 ** float(token["attempt"] - 1) * spread, i)
    return False


@compiled
def finish(v: Loop, i: int) -> None:
    """Note the latency of a request that has its last byte."""
    c, token = v.clock[0], v.tokens[i]
    count_under_way(v, -1)
    token["is_under_way"] = 0
    at = c["done"]
    v.latency[at] = c["now"] - token["start"]
    v.first[at] = token["first"] - token["start"]
    v.which[at] = token["kind"]
    c["done"] += 1


@compiled
def fail(v: Loop, i: int) -> None:
    """Note that a request was refused too often, and let its token have the next."""
    c, token = v.clock[0], v.tokens[i]
    count_under_way(v, -1)
    token["is_under_way"] = 0
    c["failed"] += 1
    c["lost"] += c["now"] - token["start"]
    token["pc"] = 0


@compiled
def go_on(v: Loop, i: int) -> None:  # noqa: PLR0912 - one branch an operation
    """Run a token's program until it waits or has nothing more to do."""
    token = v.tokens[i]
    while True:
        code = v.ops[token["pc"]]["code"]
        if code == STAY:
            if stay(v, i):
                return
            continue
        if code == TAKE:
            if not take(v, i):
                return
        elif code == GIVE:
            give(v, i)
        elif code == NEXT:
            if not next_request(v, i):
                return
            continue
        elif code == START:
            count_under_way(v, 1)
            v.clock[0]["started"] += 1
            token["is_under_way"] = 1
            token["start"] = v.clock[0]["now"]
            token["first"] = token["start"]
        elif code == END:
            finish(v, i)
        elif code == FIRST:
            token["first"] = v.clock[0]["now"]
        elif code == ADMIT:
            if not admit(v, i):
                return
            continue
        elif code == FAIL:
            fail(v, i)
            continue
        else:
            arrive(v, i)
            return
        token["pc"] += 1


@compiled
def advance(v: Loop, target: int) -> bool:
    """Run until `target` requests have ended; return False once nothing is left to do."""
    c = v.clock[0]
    while c["done"] + c["failed"] < target and c["overflow"] == 0:
        if c["ready_count"] > 0:
            i = int(v.ring[c["ready"]])
            c["ready"] = (c["ready"] + 1) % v.ring.shape[0]
            c["ready_count"] -= 1
        elif c["queued"] > 0:
            c["now"] = v.times[0]
            i = pop(v)
        else:
            return False
        go_on(v, i)
    return True
