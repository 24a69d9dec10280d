"""Connections of the clients of the request loop: which are idle, and which are opened."""

from __future__ import annotations

from simulator.compiled import spliced
from simulator.requests.chance import copy_of
from simulator.requests.state import Loop


@spliced
def take_idle(v: Loop, i: int) -> bool:
    """Let a token go on with an idle connection of its pool; return False if there is none, so that it opens one."""
    pool = v.connections[copy_of(v, i)]
    if pool["idle"] == 0:
        return False
    pool["idle"] -= 1
    token = v.tokens[i]
    token["pc"] = v.ops[token["pc"]]["jump"]
    return True


@spliced
def release(v: Loop, i: int) -> None:
    """End what a token had its connection for: its pool keeps it if it has room, or it is closed."""
    pool = v.connections[copy_of(v, i)]
    if pool["idle"] < pool["kept"]:
        pool["idle"] += 1
    token = v.tokens[i]
    token["pc"] = v.ops[token["pc"]]["jump"]
