"""The request loop: tokens that run their programs over stations, in the order of time.

A token takes a slot of a station, stays, gives the slot back. One that fans out waits for tokens of its own, its lanes,
each of which runs the same part of the program on its share of the bytes; the lanes of a pipeline wait for each other
(`simulator.requests.pipelines`). One that is impatient has one timer in the
heap, which moves on with its deadline; when the deadline has come, the token and all its lanes leave what they wait for
and give back what they hold.
"""

from __future__ import annotations

import numpy as np

from simulator.compiled import called, compiled, inlined, spliced
from simulator.requests.arrivals import arrive, choose, next_request
from simulator.requests.chance import drawn, scrambled, value
from simulator.requests.connections import release, take_idle
from simulator.requests.lanes import detach, fan_out, join, pieces, put_away
from simulator.requests.pipelines import begin_pipeline, pass_on, reach_gate
from simulator.requests.queues import (
    close_gap,
    give,
    join_shared,
    leave_queue,
    leave_shared,
    make_ready,
    pop,
    push,
    serve_shared,
    take,
    withdraw,
)
from simulator.requests.state import (
    ADMIT,
    AGAIN,
    ATTEMPT,
    CHOOSE,
    CONNECT,
    DEPTH,
    DETACH,
    END,
    FAIL,
    FAN,
    FIRST,
    GATE,
    GIVE,
    JOIN,
    LEVELS,
    NEXT,
    NONE,
    PASS,
    PIPE,
    RELEASE,
    SHARING,
    START,
    STAY,
    TAKE,
    TOKEN_MASK,
    TURN,
    Loop,
)

DONE, MOVED, WAITS = range(3)
"""What becomes of a token after an operation: it goes on behind it, goes on elsewhere, or waits."""


@inlined
def count_under_way(v: Loop, change: int) -> None:
    """Bring the integral of the requests under way forward, and change their number."""
    c = v.clock[0]
    c["area"] += c["under_way"] * (c["now"] - c["since"])
    c["since"] = c["now"]
    c["under_way"] += change


@spliced
def stay(v: Loop, i: int) -> bool:
    """Let a token stay for its service time; return False if there is none, so that it goes on at once."""
    token = v.tokens[i]
    op = v.ops[token["pc"]]
    seconds = token["size"] * op["share"] * op["per_byte"]
    if op["table"] >= 0:
        seconds += value(v, op["table"], drawn(v, i))
    if op["depth"] >= 0:
        station = v.stations[v.tokens[i]["held"][op["depth"]]]
        if op["sorting"] > 0.0 and station["waiting"] > 0:
            seconds *= min(station["waiting"] + 1.0, float(op["sorted"])) ** -op["sorting"]
        station["served"] += seconds * token["weight"]
        if op["per_byte"] > 0.0:
            station["bytes"] += token["size"] * op["share"]
    token["pc"] += 1
    if seconds <= 0.0:
        return False
    if op["depth"] >= 0:
        station = v.stations[v.tokens[i]["held"][op["depth"]]]
        if station["streams"] > 0.0 or station["paces"] != NONE:
            join_shared(v, v.tokens[i]["held"][op["depth"]], i, seconds)
            return True
    push(v, v.clock[0]["now"] + seconds, i)
    return True


@spliced
def admit(v: Loop, i: int) -> bool:
    """Let a request pass a limit; return False if it has to come back later.

    A request refused too often goes to its end; a lane comes back until it passes.
    """
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
    if token["attempt"] >= op["attempts"] and token["root"] == NONE:
        token["pc"] = op["unwind"]
        return True
    spread = 0.5 + drawn(v, i) / 4294967296.0
    push(v, c["now"] + op["wait"] * 2.0 ** float(min(token["attempt"], op["attempts"]) - 1) * spread, i)
    return False


@spliced
def finish(v: Loop, i: int) -> None:
    """Note the latency of a request that has its last byte."""
    c, token = v.clock[0], v.tokens[i]
    count_under_way(v, -1)
    token["is_under_way"] = 0
    at = c["done"]
    v.ended[at] = c["now"]
    if v.area.shape[0] > 0:
        v.area[at] = c["area"]
    v.latency[at] = c["now"] - token["start"]
    if v.first.shape[0] > 0:
        v.first[at] = token["first"] - token["start"]
    v.which[at] = token["kind"]
    v.moved[at] = token["size"]
    c["done"] += 1
    token["deadline"] = np.inf


@spliced
def fail(v: Loop, i: int) -> None:
    """Note that a request was refused or given up too often, and let its token have the next."""
    c, token = v.clock[0], v.tokens[i]
    count_under_way(v, -1)
    token["is_under_way"] = 0
    c["failed"] += 1
    c["lost"] += c["now"] - token["start"]
    token["deadline"] = np.inf
    token["pc"] = 0


@spliced
def attempt(v: Loop, i: int) -> None:
    """Let the patience of a client begin; its timer is set once and then moves on by itself."""
    c, token = v.clock[0], v.tokens[i]
    token["first"] = token["start"]
    if c["timeout"] == np.inf:
        return
    token["deadline"] = c["now"] + c["timeout"]
    if token["has_timer"] == 0:
        token["has_timer"] = 1
        push(v, token["deadline"], i + v.tokens.shape[0])


@compiled
def stop(v: Loop, i: int) -> None:
    """Let a token end its service, if it is served, and give back what it holds."""
    now, token = v.clock[0]["now"], v.tokens[i]
    stayed = v.ops[token["pc"] - 1]
    if token["is_queued"] == SHARING:
        s = v.tokens[i]["held"][stayed["depth"]]
        v.stations[s]["served"] -= leave_shared(v, s, i) * token["weight"]
    ends = withdraw(v, i)
    if ends > now and token["attempt"] == 0 and stayed["code"] == STAY and stayed["depth"] >= 0:
        v.stations[v.tokens[i]["held"][stayed["depth"]]]["served"] -= (ends - now) * token["weight"]
    for depth in range(DEPTH - 1, -1, -1):
        if v.tokens[i]["held"][depth] != NONE:
            give(v, i, depth)
    token["open_lanes"] = 0
    token["is_queued"] = 0


@compiled
def give_up(v: Loop, i: int) -> None:
    """End an attempt whose time is over: the request is tried again after a while, or has failed."""
    c, token = v.clock[0], v.tokens[i]
    c["timed_out"] += 1
    leave_queue(v, i)
    lanes = int(c["fresh"]) if token["open_lanes"] > 0 else 0
    for lane in range(int(c["roots"]), lanes):  # all leave their queues before one gives a slot to another
        if v.tokens[lane]["root"] == i:
            leave_queue(v, lane)
    for lane in range(int(c["roots"]), lanes):
        if v.tokens[lane]["root"] == i:
            stop(v, lane)
            put_away(v, lane)
    stop(v, i)
    token["size"] = v.sizes[i, LEVELS - 1]
    token["given_up"] += 1
    token["attempt"] = 0
    token["deadline"] = np.inf
    if token["given_up"] >= c["tries"]:
        token["pc"] = v.kinds[token["kind"]]["fail"]
        make_ready(v, i)
        return
    c["retries"] += 1
    token["pc"] = v.kinds[token["kind"]]["again"]
    spread = 0.5 + drawn(v, i) / 4294967296.0
    push(v, c["now"] + c["back_off"] * 2.0 ** float(token["given_up"] - 1) * spread, i)


@compiled
def ring_timer(v: Loop, i: int) -> None:
    """Look whether a token's time is over; if not, look again at its deadline."""
    token = v.tokens[i]
    if token["deadline"] > v.clock[0]["now"]:
        token["has_timer"] = 0
        if token["deadline"] < np.inf:
            token["has_timer"] = 1
            push(v, token["deadline"], i + v.tokens.shape[0])
        return
    token["has_timer"] = 0
    give_up(v, i)


@spliced
def turn(v: Loop, i: int) -> None:
    """Begin a repeat: cut the bytes of a token into equal turns."""
    token = v.tokens[i]
    op = v.ops[token["pc"]]
    turns = pieces(token["size"], op["chunk"])
    v.turns[i, op["level"]] = turns
    v.sizes[i, op["level"]] = token["size"]
    token["size"] /= turns


@spliced
def turn_again(v: Loop, i: int) -> None:
    """End a turn: go back for the next, or on with all bytes."""
    token = v.tokens[i]
    op = v.ops[token["pc"]]
    v.turns[i, op["level"]] -= 1
    if v.turns[i, op["level"]] > 0:
        token["pc"] = op["jump"]
    else:
        token["size"] = v.sizes[i, op["level"]]
        token["pc"] += 1


@inlined
def note_first_byte(v: Loop, i: int) -> None:
    """Note when the first byte of a request is there; later ones change nothing."""
    token = v.tokens[i]
    whose = v.tokens[token["root"] if token["root"] >= 0 else i]
    if whose["first"] == whose["start"]:
        whose["first"] = v.clock[0]["now"]


@inlined
def start(v: Loop, i: int) -> None:
    """Let a request begin."""
    c, token = v.clock[0], v.tokens[i]
    count_under_way(v, 1)
    c["started"] += 1
    token["is_under_way"] = 1
    token["start"] = c["now"]
    token["first"] = token["start"]
    v.sizes[i, LEVELS - 1] = token["size"]


@inlined
def note(v: Loop, i: int, code: int) -> bool:
    """Run an operation that notes something about a request; return False if it is none of those.

    Every request has several of these, so they are no calls, which took two fifths of the loop.
    """
    if code == START:
        start(v, i)
    elif code == ATTEMPT:
        attempt(v, i)
    elif code == CHOOSE:
        choose(v, i)
    elif code == FIRST:
        note_first_byte(v, i)
    elif code == END:
        finish(v, i)
    else:
        return False
    return True


@compiled
def branch(v: Loop, i: int, code: int) -> int:
    """Run an operation that few requests have; return what becomes of the token."""
    became = WAITS
    if code == PASS:
        became = MOVED if pass_on(v, i) else WAITS
    elif code == JOIN:
        join(v, i)
    elif code == PIPE:
        begin_pipeline(v, i)
    elif code == FAN:
        fan_out(v, i)
    elif code == TURN:
        turn(v, i)
        became = DONE
    elif code == AGAIN:
        turn_again(v, i)
        became = MOVED
    elif code == ADMIT:
        became = MOVED if admit(v, i) else WAITS
    elif code == CONNECT:
        became = MOVED if take_idle(v, i) else DONE
    elif code == RELEASE:
        release(v, i)
        became = MOVED
    elif code == FAIL:
        fail(v, i)
        became = MOVED
    elif code == DETACH:
        detach(v, i)
        became = MOVED
    else:
        arrive(v, i)
    return became


@spliced
def go_on(v: Loop, i: int) -> None:
    """Run a token's program until it waits or has nothing more to do."""
    token = v.tokens[i]
    while True:
        code = v.ops[token["pc"]]["code"]
        became = DONE
        if code == STAY:
            became = WAITS if stay(v, i) else MOVED
        elif code == TAKE:
            became = DONE if take(v, i) else WAITS
        elif code == GIVE:
            give(v, i, v.ops[token["pc"]]["depth"])
        elif code == GATE:
            became = DONE if reach_gate(v, i) else WAITS
        elif code == NEXT:
            became = MOVED if next_request(v, i) else WAITS
        elif not note(v, i, code):
            became = branch(v, i, code)
        if became == WAITS:
            return
        if became == DONE:
            token["pc"] += 1


@called
def advance(v: Loop, target: int) -> bool:
    """Run until `target` requests have ended; return False once nothing is left to do, or the run's time is over.

    A pause comes first where it is due.
    """
    c = v.clock[0]
    while c["done"] + c["failed"] < target and c["events"] < c["pause"]:
        if c["ready_count"] > 0:
            i = int(v.ring[c["ready"]]) & TOKEN_MASK
            c["ready"] = (c["ready"] + 1) % v.ring.shape[0]
            c["ready_count"] -= 1
        elif c["queued"] > 0:
            close_gap(v)
            if v.times[0] > c["until"]:
                c["now"] = c["until"]
                count_under_way(v, 0)
                return False
            c["now"] = v.times[0]
            i = pop(v)
            if i >= 2 * v.tokens.shape[0]:
                c["alarms"] -= 1
                s = i - 2 * v.tokens.shape[0]
                i = serve_shared(v, s)
                if i == NONE:
                    continue
                go_on(v, i)
                continue
            if i >= v.tokens.shape[0]:
                ring_timer(v, i - v.tokens.shape[0])
                continue
        else:
            return False
        go_on(v, i)
    return True
