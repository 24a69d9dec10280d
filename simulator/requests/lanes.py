"""Lanes of the request loop: tokens that run a part of another's program on shares of its bytes, side by side.

What goes on behind a request is a lane for which nobody waits. It has the slot that its request took for it, and gives
it back in the end: so those who wait for such a slot wait for what is behind others.
"""

from __future__ import annotations

import numpy as np

from models.requests import Connected, Fan, Pipeline, Repeat, Route, Visit
from simulator.compiled import compiled, inlined, spliced
from simulator.requests.chance import drawn
from simulator.requests.queues import make_ready
from simulator.requests.state import LUCK, MASK, NONE, Loop


@inlined
def pieces(size: float, most: float) -> float:
    """Return in how many pieces of at most so many bytes some bytes are cut: full ones, and what is left."""
    return float(max(np.ceil(size / most - 1e-9), 1.0))


@compiled
def blank(v: Loop, which: int | slice) -> None:
    """Let tokens that nothing has used yet hold nothing and wait nowhere."""
    tokens = v.tokens[which]
    tokens["request"] = NONE
    tokens["parent"] = NONE
    tokens["root"] = NONE
    tokens["held"][:] = NONE
    tokens["deadline"] = np.inf
    tokens["weight"] = 1.0
    v.services[which]["at"] = NONE


@inlined
def open_lane(v: Loop, i: int, pc: int, luck: int) -> int:
    """Make a spare token a lane of another, at a place of the program and with its choices; return its number.

    Which lane it is, its bytes and what its time counts are the caller's to say.
    """
    c, token = v.clock[0], v.tokens[i]
    chosen = int(c["spare"])
    lane = v.tokens[chosen]
    if chosen == c["fresh"]:
        blank(v, chosen)
        c["fresh"] += 1
        lane["next"] = c["fresh"]
    c["spare"] = lane["next"]
    lane["luck"] = luck
    lane["draws"] = 0
    lane["pc"] = pc
    lane["parent"] = i
    lane["root"] = token["root"] if token["root"] >= 0 else i
    for p in range(v.picks.shape[0]):
        v.picked[chosen, p] = v.picked[i, p]
    return chosen


@inlined
def put_away(v: Loop, i: int) -> None:
    """Make a lane a spare token again."""
    c, token = v.clock[0], v.tokens[i]
    token["root"] = NONE
    token["next"] = c["spare"]
    c["spare"] = i


@spliced
def fan_out(v: Loop, i: int) -> None:
    """Let lanes run what follows, each on its share of the bytes."""
    token = v.tokens[i]
    op = v.ops[token["pc"]]
    lanes, parts = int(op["lanes"]), 0.0
    if op["share"] == 0.0:
        parts = pieces(token["size"], op["chunk"])
        lanes = int(min(float(lanes), parts))
    base = drawn(v, i)
    first = int(token["lane"]) * lanes if op["level"] == 1 else 0
    token["open_lanes"] = lanes
    for lane in range(lanes):
        chosen = open_lane(v, i, token["pc"] + 1, (base + lane * LUCK) & MASK)
        other = v.tokens[chosen]
        size = token["size"] * op["share"]
        if parts > 0.0:
            size = np.floor((parts - lane + op["lanes"] - 1) / op["lanes"]) * op["chunk"]
            if lane == (parts - 1) % op["lanes"]:
                size += token["size"] - parts * op["chunk"]
        other["lane"], other["size"], other["weight"] = first + lane, size, token["weight"] / lanes
        make_ready(v, chosen)


@spliced
def join(v: Loop, i: int) -> None:
    """End a lane; the last lets its parent go on behind the fan, if there is one that waits."""
    other = int(v.tokens[i]["parent"])
    put_away(v, i)
    if other == NONE:
        return
    token = v.tokens[other]
    token["open_lanes"] -= 1
    if token["open_lanes"] == 0:
        token["pc"] = v.ops[token["pc"]]["jump"]
        make_ready(v, other)


@inlined
def gather(v: Loop, s: int, i: int, needed: int) -> None:
    """Let a token wait behind a station of slots until so many have come, then let all of them go on.

    No such station shares its service, so those who gather lie where those would that it serves.
    """
    station = v.stations[s]
    v.tokens[i]["next"] = NONE
    if station["present"] == 0:
        station["first"] = i
    else:
        v.tokens[station["last"]]["next"] = i
    station["last"] = i
    station["present"] += 1
    if station["present"] < needed:
        return
    station["present"] = 0
    at = int(station["first"])
    while at != NONE:
        following = int(v.tokens[at]["next"])
        make_ready(v, at)
        at = following


@spliced
def detach(v: Loop, i: int) -> None:
    """Let what follows go on behind a token, once enough have come, with the slot that it has taken, and it without.

    What takes time there is none of the request's, and nobody gives it up: it counts for nothing, and is its own root.
    """
    token = v.tokens[i]
    op = v.ops[token["pc"]]
    chosen = open_lane(v, i, token["pc"] + 1, drawn(v, i))
    other = v.tokens[chosen]
    other["root"], other["parent"] = chosen, NONE
    other["lane"], other["size"], other["weight"] = token["lane"], token["size"], 0.0
    v.tokens[chosen]["held"][op["depth"]] = v.tokens[i]["held"][op["depth"]]
    v.tokens[i]["held"][op["depth"]] = NONE
    token["pc"] = op["jump"]
    gather(v, int(other["held"][op["depth"]]), chosen, int(op["lanes"]))


def most_lanes(route: Route) -> int:
    """Return the most lanes that a request has open at once."""
    most = 0
    for step in route:
        if isinstance(step, Visit):
            most = max(most, most_lanes(step.inside) if step.behind is None else 0)
        elif isinstance(step, Repeat):
            most = max(most, most_lanes(step.route))
        elif isinstance(step, Fan):
            most = max(most, step.lanes * (1 + most_lanes(step.route)))
        elif isinstance(step, Pipeline):
            most = max(most, sum(section.lanes * (1 + most_lanes(section.route)) for section in step.sections))
        elif isinstance(step, Connected):
            most = max(most, *map(most_lanes, (step.opening, step.inside, step.warming)))
    return most
