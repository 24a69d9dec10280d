"""Requests come: a closed loop gives its clients the next one, an open loop sends them on their own."""

from __future__ import annotations

from simulator.compiled import compiled, inlined, prefetch, spliced
from simulator.requests.chance import drawn, value
from simulator.requests.queues import make_ready, push
from simulator.requests.state import DRAWS, NONE, Loop


@inlined
def choose(v: Loop, i: int) -> None:
    """Let a token make the choices that hold for a whole request."""
    for p in range(v.picks.shape[0]):
        count = int(v.picks[p]["count"])
        v.picked[i, p] = i % count if v.picks[p]["by_client"] == 1 else (drawn(v, i) * count) >> 32


@inlined
def give_request(v: Loop, i: int, request: int) -> None:
    """Let a token carry a request: choose its kind and size, and the start of its program."""
    token = v.tokens[i]
    token["request"] = request
    token["luck"] = request
    token["draws"] = 0
    token["attempt"] = 0
    token["given_up"] = 0
    if v.trace_kinds.shape[0] > 0:
        k = int(v.trace_kinds[request])
        token["size"] = v.trace_sizes[request]
        prefetch(v.trace_kinds, request + int(v.clock[0]["stride"]))  # where this client reads next, far from others
        prefetch(v.trace_sizes, request + int(v.clock[0]["stride"]))
    else:
        at = v.clients[i]["pool"] + drawn(v, i) / 4294967296.0
        k = 0
        while at >= v.kinds[k]["edge"]:
            k += 1
        token["size"] = value(v, v.kinds[k]["table"], drawn(v, i)) if v.kinds[k]["table"] >= 0 else 0.0
    token["kind"] = k
    token["pc"] = v.kinds[k]["entry"]
    choose(v, i)


@spliced
def next_request(v: Loop, i: int) -> bool:
    """Give a client its next request, or an open loop its token back; False if there is nothing for it to do.

    The first requests of clients that are spread over a round have a part of their bytes left, and are thought of.
    """
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
    is_first = token["request"] == NONE
    give_request(v, i, request)
    if is_first and c["is_spread"] == 1:
        token["size"] *= v.clients[i]["left"]
        token["pc"] = v.kinds[token["kind"]]["again"] - 1
    return True


@compiled
def arrive(v: Loop, i: int) -> None:
    """Send a request of an open loop with a free token, turn it away without one, and come back for the next."""
    c, token = v.clock[0], v.tokens[i]
    if c["issued"] >= c["count"]:
        return
    chosen = int(c["free"])
    if chosen == NONE:
        c["overflow"] += 1
    else:
        c["free"] = v.tokens[chosen]["next"]
        give_request(v, chosen, int(c["issued"]))
        make_ready(v, chosen)
    c["issued"] += 1
    token["luck"] = c["issued"]
    token["draws"] = DRAWS - 1  # the last of the request, which no route comes to
    push(v, c["now"] + value(v, v.ops[1]["table"], drawn(v, i)), i)
