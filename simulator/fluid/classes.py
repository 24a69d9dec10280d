"""Classes of works with equal demands and tags: opened by the first, found by those that follow, closed by the last."""

from __future__ import annotations

from typing import Any

from simulator.compiled import compiled, inlined, spliced
from simulator.fluid.rows import forget, make_space, move_user, new_block, new_class
from simulator.fluid.state import ALONE, KEPT, MANY, NEW, SEVERAL, WIDE, Tables


@inlined
def is_of(t: Tables, c: int, work: Any, demand: Any, needs: Any, at: int, tag: int) -> bool:
    """Return whether the members of a class have the demand and the tag of a work."""
    k, kind = t.classes[c], t.kinds[c]
    if kind["code"] != demand["code"] or k["tag"] != tag or kind["cap"] != work["object"] or k["uses"] != work["many"]:
        return False
    if kind["own"] != demand["bound"] or kind["weight"] != demand["weight"]:
        return False
    if demand["kind"] == KEPT and kind["asked"] == at:
        return True
    for j in range(k["first"], k["first"] + k["uses"]):
        u, need = t.uses[j], needs[at + (j - k["first"])]
        if u["resource"] != need["resource"] or u["cost"] != need["cost"] or t.moved[j] != need["bytes"]:
            return False
    if demand["kind"] == KEPT:
        kind["asked"] = at
    return True


@spliced
def open_class(t: Tables, work: Any, demand: Any, needs: Any, at: int, tag: int, now: float) -> int:
    """Set up a class without members for the demand of a work and a tag; return it."""
    s, head = t.state[0], demand["code"] & (t.heads.shape[0] - 1)
    c = new_class(t)
    k, p, kind = t.classes[c], t.terms[c], t.kinds[c]
    k["uses"] = work["many"]
    k["first"] = new_block(t, work["many"])
    k["rate"] = 0.0
    k["progress"] = 0.0
    k["since"] = now
    k["count"] = 0
    t.shares[c] = 0.0
    k["top"] = -1
    k["held"] = NEW
    k["place"] = -1
    k["tag"] = tag
    k["limit"] = work["object"]
    p["bound"] = demand["bound"]
    kind["own"] = demand["bound"]
    kind["weight"] = demand["weight"]
    p["bound_by"] = -1
    p["near"] = 0
    kind["done"] = kind["ended"] = 0.0
    kind["more"] = 0
    kind["cap"] = work["object"]
    kind["code"] = demand["code"]
    kind["asked"] = -1
    kind["like"] = t.heads[head]
    t.heads[head] = c
    for n in range(work["many"]):
        open_use(t, c, k["first"] + n, needs[at + n])
    for j in range(k["first"], k["first"] + k["uses"]):
        e = t.users[t.uses[j]["at"]]
        e["bound"] = p["bound"]
        e["other"] = SEVERAL if k["uses"] < WIDE else MANY
        if k["uses"] <= 2:
            e["other"] = t.uses[2 * k["first"] + 1 - j]["resource"] if k["uses"] == 2 else ALONE
    t.fresh[s["fresh"]] = c
    s["fresh"] += 1
    return c


@inlined
def open_use(t: Tables, c: int, j: int, need: Any) -> None:
    """Set up a use of a class, and the class as a user of its resource."""
    i, cost = need["resource"], need["cost"]
    p, u, r = t.terms[c], t.uses[j], t.resources[i]
    if r["links"] == r["space"]:
        make_space(t, r)
    t.moved[j] = need["bytes"]
    u["owner"] = c
    u["resource"] = i
    u["cost"] = cost
    u["at"] = r["head"] + r["links"]
    e = t.users[u["at"]]
    e["weight"] = 0.0
    e["owner"] = c
    e["use"] = j
    r["links"] += 1
    alone = r["most"] / cost
    if alone < p["bound"]:
        p["bound"] = alone
        p["bound_by"] = i


@compiled
def close_class(t: Tables, c: int) -> None:
    """Take an empty class off the users of its resources; what nobody uses is exactly idle."""
    s, k = t.state[0], t.classes[c]
    for j in range(k["first"], k["first"] + k["uses"]):
        u = t.uses[j]
        r = t.resources[u["resource"]]
        r["links"] -= 1
        move_user(t, r["head"] + r["links"], u["at"])
        u["owner"] = -1
        if r["links"] == 0:
            r["usage"] = 0.0
            r["updates"] = 0
    if k["uses"] > 0:
        t.uses[k["first"]]["place"] = t.blocks[k["uses"]]
        t.blocks[k["uses"]] = k["first"]
    forget(t, c)
    t.kinds[c]["like"] = s["free_class"]
    s["free_class"] = c
    s["busy_classes"] -= 1
