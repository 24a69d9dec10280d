"""Parts of resources that others have: what requests take, works of the fluid engine cannot have.

Requests come before works: beside an open load of utilization rho a flow gets 1 - rho of a resource, whatever the
distribution of the requests' sizes (M/G/1 with processor sharing and a permanent customer).
"""

from __future__ import annotations

from simulator.compiled import called, compiled
from simulator.fluid.recorder import record_resource
from simulator.fluid.state import Tables


@called
def reserve(t: Tables, i: int, ratio: float, now: float) -> None:
    """Let the capacity of a resource be so many times what it is, from now on."""
    resize(t, i, ratio, now)


@compiled
def resize(t: Tables, i: int, ratio: float, now: float) -> None:
    """Let the capacity of a resource be so many times what it is, from now on: for other kernels."""
    s, r = t.state[0], t.resources[i]
    record_resource(t, i, now)
    for j in range(r["table"], r["table"] + r["steps"]):
        t.capacities[j] *= ratio
    r["capacity"] *= ratio
    if not r["is_changed"]:
        r["is_changed"] = 1
        t.resource_list[s["changed"]]["changed"] = i
        s["changed"] += 1
    s["is_settled"] = 0
