"""Pipelines of the request loop: sections that the bytes of a request pass turn by turn, each one turn at a time.

Each lane of a section is a token that runs the section's part of the program again and again. It begins a turn once all
lanes of the section before have ended it, and all lanes of the one behind have ended those that are too far back. The
first lane of a section keeps account of it. All turns are full but the last, which is what is left.
"""

from __future__ import annotations

from simulator.compiled import compiled, spliced
from simulator.requests.chance import drawn
from simulator.requests.lanes import open_lane, pieces, put_away
from simulator.requests.queues import make_ready
from simulator.requests.state import GATED, LUCK, MASK, NONE, Loop


@spliced
def begin_pipeline(v: Loop, i: int) -> None:
    """Let lanes run each section on their share of the bytes, as many turns as there are."""
    c, token = v.clock[0], v.tokens[i]
    op, at = v.ops[token["pc"]], int(token["pc"]) + 1
    turns = pieces(token["size"], op["chunk"])
    base, opened = drawn(v, i), 0
    before = last = NONE
    while at != op["jump"]:
        section, head = v.ops[at], int(c["spare"])
        size = min(token["size"], op["chunk"]) * section["share"]
        weight = token["weight"] / op["lanes"] / section["lanes"]
        for lane in range(section["lanes"]):
            chosen = open_lane(v, i, at, (base + opened * LUCK) & MASK)
            other = v.tokens[chosen]
            other["lane"], other["size"], other["weight"] = lane, size, weight
            other["turns"], other["passed"] = turns, 0
            other["head"], other["sibling"] = head, NONE
            if last == NONE:
                token["child"] = chosen
            else:
                v.tokens[last]["sibling"] = chosen
            if before == NONE:
                make_ready(v, chosen)
            else:
                other["is_queued"] = GATED
            last = chosen
            opened += 1
        first = v.tokens[head]
        first["before"], first["after"] = before, NONE
        first["all_passed"], first["behind"] = 0, section["lanes"]
        if before != NONE:
            v.tokens[before]["after"] = head
        before, at = head, int(section["jump"])
    token["open_lanes"] = opened


@compiled
def may_begin(v: Loop, i: int) -> bool:
    """Tell whether a lane may begin its next turn: it is there, and there is room behind."""
    token = v.tokens[i]
    head = v.tokens[token["head"]]
    if head["before"] != NONE and v.tokens[head["before"]]["all_passed"] <= token["passed"]:
        return False
    ahead = v.ops[token["pc"]]["ahead"]
    return bool(head["after"] == NONE or v.tokens[head["after"]]["all_passed"] > token["passed"] - ahead)


@spliced
def reach_gate(v: Loop, i: int) -> bool:
    """Let a lane begin its next turn, or wait before the gate; return whether it has begun."""
    if may_begin(v, i):
        return True
    v.tokens[i]["is_queued"] = GATED
    return False


@spliced
def pass_on(v: Loop, i: int) -> bool:
    """End a turn of a lane; return False where it was the last.

    Once all lanes of the section have ended it, lanes of the sections beside it may have waited for that. The last lane
    that ends lets its parent go on behind the pipeline.
    """
    token = v.tokens[i]
    token["passed"] += 1
    head = v.tokens[token["head"]]
    parent = v.tokens[token["parent"]]
    if token["passed"] == head["all_passed"] + 1:
        head["behind"] -= 1
        if head["behind"] == 0:
            head["all_passed"] += 1
            open_gates(v, int(token["head"]))
    if token["passed"] < token["turns"]:
        token["pc"] = v.ops[token["pc"]]["jump"]
        if token["passed"] == token["turns"] - 1:
            whole = (token["turns"] - 1) * v.ops[parent["pc"]]["chunk"]
            token["size"] = (parent["size"] - whole) * v.ops[token["pc"]]["share"]
        return True
    parent["open_lanes"] -= 1
    if parent["open_lanes"] == 0:
        at = int(parent["child"])
        while at != NONE:
            put_away(v, at)
            at = int(v.tokens[at]["sibling"])
        parent["pc"] = v.ops[parent["pc"]]["jump"]
        make_ready(v, int(token["parent"]))
    return False


@compiled
def open_gates(v: Loop, own: int) -> None:
    """Let lanes begin a turn that waited for a section, and count those of it that are behind.

    Those of the section before it, of itself, and of the one behind stand side by side; no others wait for it.
    """
    head = v.tokens[own]
    at = int(head["before"]) if head["before"] != NONE else own
    end = NONE if head["after"] == NONE else int(v.tokens[head["after"]]["after"])
    while at != end:
        lane = v.tokens[at]
        if lane["head"] == own:
            if lane["passed"] == head["all_passed"]:
                head["behind"] += 1
        elif lane["is_queued"] == GATED and may_begin(v, at):
            lane["is_queued"] = 0
            lane["pc"] += 1
            make_ready(v, at)
        at = int(lane["sibling"])
