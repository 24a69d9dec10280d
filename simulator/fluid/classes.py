"""Classes of works with equal demands and tags: opened by the first, found by those that follow, closed by the last."""

from __future__ import annotations

from typing import Any

from simulator.compiled import compiled, inlined, spliced
from simulator.fluid.rows import forget, new_block, new_class
from simulator.fluid.state import Tables


@inlined
def is_of(t: Tables, c: int, work: Any, demand: Any, needs: Any, at: int, tag: int) -> bool:
    """Return whether the members of a class have the demand and the tag of a work."""
    k, p = t.classes[c], t.paces[c]
    if p["code"] != demand["code"] or p["tag"] != tag or p["cap"] != work["object"] or k["uses"] != work["many"]:
        return False
    if p["own"] != demand["bound"] or p["weight"] != demand["weight"]:
        return False
    for j in range(k["first"], k["first"] + k["uses"]):
        u, need = t.uses[j], needs[at + (j - k["first"])]
        if u["resource"] != need["resource"] or u["cost"] != need["cost"] or t.moved[j] != need["bytes"]:
            return False
    return True


@spliced
def open_class(t: Tables, work: Any, demand: Any, needs: Any, at: int, tag: int, now: float) -> int:
    """Set up a class without members for the demand of a work and a tag; return it."""
    s, head = t.state[0], demand["code"] & (t.heads.shape[0] - 1)
    c = new_class(t)
    k, p = t.classes[c], t.paces[c]
    k["uses"] = work["many"]
    k["first"] = new_block(t, work["many"])
    k["bound"] = demand["bound"]
    k["rate"] = 0.0
    k["count"] = 0
    k["held"] = -1
    k["bound_by"] = -1
    k["place"] = -1
    p["progress"] = 0.0
    p["since"] = now
    p["own"] = demand["bound"]
    p["weight"] = demand["weight"]
    p["top"] = -1
    p["tag"] = tag
    p["cap"] = work["object"]
    p["limit"] = work["object"]
    p["code"] = demand["code"]
    p["like"] = t.heads[head]
    t.heads[head] = c
    for n in range(work["many"]):
        open_use(t, c, k["first"] + n, needs[at + n])
    t.class_list[s["fresh"]]["fresh"] = c
    s["fresh"] += 1
    return c


@inlined
def open_use(t: Tables, c: int, j: int, need: Any) -> None:
    """Set up a use of a class at the head of the list of its resource."""
    i, cost = need["resource"], need["cost"]
    k, u, r = t.classes[c], t.uses[j], t.resources[i]
    t.moved[j] = need["bytes"]
    u["owner"] = c
    u["resource"] = i
    u["cost"] = cost
    u["previous"] = -1
    u["next"] = r["head"]
    if r["head"] >= 0:
        t.uses[r["head"]]["previous"] = j
    r["head"] = j
    r["links"] += 1
    alone = r["most"] / cost
    if alone < k["bound"]:
        k["bound"] = alone
        k["bound_by"] = i


@compiled
def close_class(t: Tables, c: int) -> None:
    """Take the uses of an empty class out of the lists of their resources; what nobody uses is exactly idle."""
    s, k = t.state[0], t.classes[c]
    t.class_list[c]["rate"] = -1.0
    if k["held"] >= 0:
        t.resources[k["held"]]["holds"] -= 1
    for j in range(k["first"], k["first"] + k["uses"]):
        u = t.uses[j]
        r = t.resources[u["resource"]]
        if u["previous"] >= 0:
            t.uses[u["previous"]]["next"] = u["next"]
        else:
            r["head"] = u["next"]
        if u["next"] >= 0:
            t.uses[u["next"]]["previous"] = u["previous"]
        u["owner"] = -1
        r["links"] -= 1
        if r["links"] == 0:
            r["usage"] = 0.0
            r["load"] = 0.0
            r["updates"] = 0
    if k["uses"] > 0:
        t.uses[k["first"]]["next"] = t.blocks[k["uses"]]
        t.blocks[k["uses"]] = k["first"]
    forget(t, c)
    t.paces[c]["like"] = s["free_class"]
    s["free_class"] = c
    s["busy_classes"] -= 1
