"""What resources are told of the members that classes gain and lose: once for all of an instant.

Tasks that are alike come and go together. A work that uses a thousand drives tells each of them of sixty-four at once.
"""

from __future__ import annotations

from simulator.compiled import compiled, inlined
from simulator.fluid.recorder import record_resource
from simulator.fluid.state import Tables


@inlined
def weigh(t: Tables, c: int, more: int) -> None:
    """Add a member of a class to it, or take it away (-1); its resources are told when the instant is over."""
    s, kind = t.state[0], t.kinds[c]
    s["is_settled"] = 0
    t.classes[c]["count"] += more
    kind["more"] += more
    if not kind["is_noted"]:
        kind["is_noted"] = 1
        t.noted[s["noted"]] = c
        s["noted"] += 1


@compiled
def tell_resources(t: Tables, c: int, now: float) -> None:
    """Tell the resources of a class how many members joined and left it, and what these have taken."""
    s, k, kind = t.state[0], t.classes[c], t.kinds[c]
    more, done, ended = kind["more"], kind["done"], kind["ended"]
    kind["more"] = 0
    kind["done"] = kind["ended"] = 0.0
    if more == 0 and ended == 0.0:
        return
    for j in range(k["first"], k["first"] + k["uses"]):
        u = t.uses[j]
        i = u["resource"]
        r = t.resources[i]
        record_resource(t, i, now)
        r["done"] += done * u["cost"]
        r["bytes"] += ended * t.moved[j]
        t.users[u["at"]]["weight"] = k["count"] * u["cost"]
        r["users"] += more
        r["usage"] += more * u["cost"] * k["rate"]
        r["updates"] += 1
        if not r["is_changed"]:
            r["is_changed"] = 1
            t.resource_list[s["changed"]]["changed"] = i
            s["changed"] += 1
        if r["steps"] > 1:
            r["capacity"] = t.capacities[r["table"] + max(min(r["users"], r["steps"]) - 1, 0)]


@compiled
def tell_noted(t: Tables, now: float) -> None:
    """Tell the resources of all classes that members joined or left in this instant."""
    s = t.state[0]
    for at in range(s["noted"]):
        c = t.noted[at]
        t.kinds[c]["is_noted"] = 0
        tell_resources(t, c, now)
    s["noted"] = 0
