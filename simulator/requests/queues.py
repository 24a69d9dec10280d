"""What the request loop is made of: the heap of events, and the queues of stations.

Whoever waits for a slot lies in the linked list of its station, whoever got one in this instant in the ring of the
ready.
"""

from __future__ import annotations

import numpy as np

from models.requests import OLDEST
from simulator.compiled import compiled, inlined, prefetch, spliced
from simulator.requests.chance import copy_of, drawn
from simulator.requests.state import MASK, NONE, SHARING, TOKEN_BITS, TOKEN_MASK, Loop

OLDEST_BITS = int(OLDEST * (1 << 32))
NEAR = 2048
"""Tokens that lie in a near cache, so that none is asked for ahead. Assumption: they take 300 bytes each, of 1 MB."""


@compiled
def push(v: Loop, time: float, i: int) -> None:
    """Let a token go on at a time.

    Mostly an event has just been taken out, and what came of it puts in the next: that goes into the gap.
    """
    c = v.clock[0]
    key = (int(c["events"]) << TOKEN_BITS) | int(i)
    at = int(c["queued"])
    c["events"] += 1
    c["queued"] += 1
    if c["has_gap"] == 1:
        c["has_gap"] = 0
        sink(v, 0, time, key)
        return
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
def sink(v: Loop, at: int, time: float, key: int) -> None:
    """Put an event into the gap at a place of the heap, below which it may belong.

    The mask says that a place is not negative, so that nobody looks whether it counts from the end.
    """
    size = int(v.clock[0]["queued"])
    v.times[size] = np.inf  # behind the last, so that none has to be asked whether there is one beside it
    child = (2 * at + 1) & MASK
    while child < size:
        left, right = v.times[child], v.times[child + 1]
        is_right = right < left
        if right == left:  # rare: keys are not looked at otherwise
            is_right = v.keys[child + 1] < v.keys[child]
        soonest = right if right < left else left
        child += int(is_right)  # no branch, since which of the two is first is chance
        if time < soonest or (time == soonest and key < v.keys[child]):
            break
        v.times[at] = v.times[child]
        v.keys[at] = v.keys[child]
        at = child
        child = (2 * at + 1) & MASK
    v.times[at] = time
    v.keys[at] = key


@spliced
def pop(v: Loop) -> int:
    """Take the token out that goes on first; equal times go by the order of their events. Leave a gap in its place."""
    c = v.clock[0]
    c["queued"] -= 1
    c["has_gap"] = 1
    if v.tokens.shape[0] > NEAR:
        expect(v, 1)
        expect(v, 2)
    return int(v.keys[0]) & TOKEN_MASK


@inlined
def expect(v: Loop, place: int) -> None:
    """Have fetched what the event at a place of the heap will need, while another one happens."""
    i = int(v.keys[place]) & TOKEN_MASK
    shared = i - 2 * v.tokens.shape[0]
    if shared >= 0:
        i = int(v.stations[shared]["first"])
    prefetch(v.tokens, i)
    prefetch(v.picked, i)


@inlined
def close_gap(v: Loop) -> None:
    """Move the last event into the gap that the first has left, if there still is one."""
    c = v.clock[0]
    if c["has_gap"] == 1:
        c["has_gap"] = 0
        last = int(c["queued"])
        sink(v, 0, v.times[last], int(v.keys[last]))


@compiled
def withdraw(v: Loop, i: int) -> float:
    """Take a token's event out of the heap and return its time (s), minus infinity if it has none."""
    c = v.clock[0]
    close_gap(v)
    for place in range(int(c["queued"])):
        if (int(v.keys[place]) & TOKEN_MASK) == i:
            at, due = place, float(v.times[place])
            c["queued"] -= 1
            size = int(c["queued"])
            time, key = v.times[size], int(v.keys[size])
            above = (at - 1) >> 1
            while at > 0 and (time < v.times[above] or (time == v.times[above] and key < v.keys[above])):
                v.times[at] = v.times[above]
                v.keys[at] = v.keys[above]
                at = above
                above = (at - 1) >> 1
            sink(v, at, time, key)
            return due
    return -np.inf


@compiled
def forget_stale(v: Loop) -> None:
    """Take all alarms of stations out of the heap but the one that each set last.

    Stale ones have a part of the heap, and no more: each token may have an event and a timer beside them.
    """
    close_gap(v)
    c, kept = v.clock[0], 0
    for place in range(int(c["queued"])):
        key = int(v.keys[place])
        s = (key & TOKEN_MASK) - 2 * v.tokens.shape[0]
        if s >= 0 and v.stations[s]["event"] != key >> TOKEN_BITS:
            c["alarms"] -= 1
        else:
            v.times[kept], v.keys[kept] = v.times[place], key
            kept += 1
    c["queued"] = kept
    for place in range(kept // 2 - 1, -1, -1):
        sink(v, place, float(v.times[place]), int(v.keys[place]))


@compiled
def settle(v: Loop, s: int) -> None:
    """Bring the service of a station forward whose pace depends on who is there."""
    station, now = v.stations[s], v.clock[0]["now"]
    station["level"] += station["pace"] * (now - station["since"])
    station["since"] = now


@compiled
def reschedule(v: Loop, s: int) -> None:
    """Let a station go on at the pace of its present visitors, and ring when the first of them is served.

    It is a thread's pace where so many are busy; flows occupy no more threads than their part of the station.
    """
    station = v.stations[s]
    n = float(station["present"])
    if n == 0.0:
        station["pace"] = 0.0
        return
    slots, k = float(station["slots"]), float(station["streams"])
    share = max(slots * (1.0 - station["most"]), slots * n / (n + k))
    station["pace"] = min(share / n, 1.0)
    if station["paces"] != NONE:
        busy = min(n + min(k, slots * station["most"]), slots)
        station["pace"] *= v.paces[station["paces"] + int(np.ceil(busy)) - 1]
    left = max(v.services[station["first"]]["target"] - station["level"], 0.0)
    time = v.clock[0]["now"] + left / station["pace"]
    if time < station["alarm"]:
        c = v.clock[0]
        if c["alarms"] >= v.times.shape[0] - 2 * v.tokens.shape[0] - 1:
            forget_stale(v)
        c["alarms"] += 1
        station["alarm"], station["event"] = time, c["events"]
        push(v, time, 2 * v.tokens.shape[0] + s)


@inlined
def place_of(v: Loop, s: int, near: int, target: float) -> tuple[int, int]:
    """Return between whom a station serves a token that is served at a target, sought from one that may be near.

    If that one is there no more, it is sought from both ends.
    """
    if v.services[near]["at"] == s:
        before, after = near, int(v.services[near]["after"])
        while before != NONE and v.services[before]["target"] > target:
            before, after = int(v.services[before]["before"]), before
        while after != NONE and v.services[after]["target"] <= target:
            before, after = after, int(v.services[after]["after"])
        return before, after
    before, after = int(v.stations[s]["last"]), int(v.stations[s]["first"])
    while before != NONE and v.services[before]["target"] > target:
        if v.services[after]["target"] > target:
            return int(v.services[after]["before"]), after
        before, after = int(v.services[before]["before"]), int(v.services[after]["after"])
    return before, int(v.stations[s]["first"] if before == NONE else v.services[before]["after"])


@compiled
def join_shared(v: Loop, s: int, i: int, seconds: float) -> None:
    """Let a token have the service of a station, whose pace depends on who is there, until it has had its seconds.

    Its place is sought from whoever came last for the same operation: these take about as long, and so end nearly in
    the order in which they came.
    """
    station, token, service = v.stations[s], v.tokens[i], v.services[i]
    settle(v, s)
    service["target"] = station["level"] + seconds
    token["asked"] = v.clock[0]["now"] + seconds  # what it takes longer is waited for, or served
    token["is_queued"] = SHARING
    station["busy"] += seconds
    station["present"] += 1
    before, after = place_of(v, s, int(v.latest[token["pc"], s]), service["target"])
    v.latest[token["pc"], s] = i
    service["before"], service["after"], service["at"] = before, after, s
    if before == NONE:
        station["first"] = i
    else:
        v.services[before]["after"] = i
    if after == NONE:
        station["last"] = i
    else:
        v.services[after]["before"] = i
    reschedule(v, s)


@compiled
def leave_shared(v: Loop, s: int, i: int) -> float:
    """Let a token leave the service of such a station; return what it has not had of it (s)."""
    station, service = v.stations[s], v.services[i]
    settle(v, s)
    before, after = int(service["before"]), int(service["after"])
    if before == NONE:
        station["first"] = after
    else:
        v.services[before]["after"] = after
    if after == NONE:
        station["last"] = before
    else:
        v.services[after]["before"] = before
    service["at"] = NONE
    left = float(max(service["target"] - station["level"], 0.0))
    v.tokens[i]["is_queued"] = 0
    station["present"] -= 1
    station["busy"] -= left
    reschedule(v, s)
    return left


@compiled
def serve_shared(v: Loop, s: int) -> int:
    """Return the token that such a station has served, which leaves it; none where its alarm was stale or early.

    What it took longer than its seconds it has waited where flows share the station, and was served otherwise.
    """
    station, now = v.stations[s], v.clock[0]["now"]
    if station["alarm"] != now:
        return NONE
    station["alarm"] = np.inf
    i = int(station["first"])
    settle(v, s)
    if i == NONE:
        return NONE
    if now + (v.services[i]["target"] - station["level"]) / station["pace"] > now:
        reschedule(v, s)
        if station["alarm"] > now:
            return NONE
        station["alarm"] = np.inf
    station["level"] = max(station["level"], v.services[i]["target"])
    leave_shared(v, s, i)
    longer = (now - v.tokens[i]["asked"]) * v.tokens[i]["weight"]
    if station["streams"] > 0.0:
        station["waited"] += longer
    else:
        station["served"] += longer
    return i


@inlined
def make_ready(v: Loop, i: int) -> None:
    """Let a token go on in this instant, after those that are ready already."""
    c = v.clock[0]
    prefetch(v.tokens, i)
    prefetch(v.picked, i)
    v.ring[(c["ready"] + c["ready_count"]) % v.ring.shape[0]] = i
    c["ready_count"] += 1


@inlined
def occupy(v: Loop, s: int, change: int) -> None:
    """Bring the integral of a station's busy slots forward, and change the number of its free ones.

    Where the pace depends on their number, it is as busy as it serves.
    """
    station = v.stations[s]
    if station["paces"] == NONE:
        now = v.clock[0]["now"]
        station["busy"] += (station["slots"] - station["free"]) * (now - station["since"])
        station["since"] = now
    station["free"] += change


@spliced
def take(v: Loop, i: int) -> bool:
    """Take a slot of a station, or wait for it; return whether the token has it."""
    token = v.tokens[i]
    op = v.ops[token["pc"]]
    s = copy_of(v, i)
    v.tokens[i]["held"][op["depth"]] = s
    station = v.stations[s]
    station["visits"] += 1
    if station["streams"] > 0.0:
        return True
    if station["free"] > 0:
        occupy(v, s, -1)
        return True
    token["is_queued"] = 1
    station["waiting"] += 1
    token["asked"] = v.clock[0]["now"]
    token["next"] = NONE
    if station["head"] == NONE:
        station["head"] = i
    else:
        v.tokens[station["tail"]]["next"] = i
    station["tail"] = i
    return False


@compiled
def dequeue(v: Loop, s: int, i: int) -> None:
    """Take a token out of those who wait for a station."""
    station, token = v.stations[s], v.tokens[i]
    station["waiting"] -= 1
    station["waited"] += (v.clock[0]["now"] - token["asked"]) * token["weight"]
    before, at = NONE, int(station["head"])
    while at != i:
        before, at = at, int(v.tokens[at]["next"])
    if before == NONE:
        station["head"] = token["next"]
        prefetch(v.tokens, token["next"])
    else:
        v.tokens[before]["next"] = token["next"]
    if station["tail"] == i:
        station["tail"] = before
    token["is_queued"] = 0


@inlined
def next_of(v: Loop, s: int) -> int:
    """Return who waits for a station and is served next: who came first.

    Where it takes those that wait in the order that suits it, that is so by chance alone, else it is any that it sorts.
    """
    station = v.stations[s]
    at = int(station["head"])
    op = v.ops[v.tokens[at]["pc"] + 1]
    among = min(int(station["waiting"]), int(op["sorted"]))
    if op["sorting"] <= 0.0 or among == 1:
        return at
    bits = drawn(v, at)
    if bits < OLDEST_BITS:
        return at
    for _ in range((bits - OLDEST_BITS) * among // ((1 << 32) - OLDEST_BITS)):
        at = int(v.tokens[at]["next"])
    return at


@compiled
def give(v: Loop, i: int, depth: int) -> None:
    """Give a slot back: to one who waits, if any."""
    s = int(v.tokens[i]["held"][depth])
    v.tokens[i]["held"][depth] = NONE
    station = v.stations[s]
    if station["streams"] > 0.0:
        return
    if station["head"] == NONE:
        occupy(v, s, 1)
        return
    chosen = next_of(v, s)
    dequeue(v, s, chosen)
    v.tokens[chosen]["pc"] += 1
    make_ready(v, chosen)


@compiled
def leave_queue(v: Loop, i: int) -> None:
    """Let a token leave the station at which it waits, if it waits."""
    token = v.tokens[i]
    if token["is_queued"] != 1:
        return
    depth = v.ops[token["pc"]]["depth"]
    dequeue(v, int(v.tokens[i]["held"][depth]), i)
    v.tokens[i]["held"][depth] = NONE
