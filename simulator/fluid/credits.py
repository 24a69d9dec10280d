"""Credits of resources that give more than their baseline for a time: a token bucket each.

What is not taken of the baseline fills the bucket, what is taken beyond it empties it. A resource whose bucket is empty
has its baseline until some of the credits are back. Nobody looks on: the rates of an instant say when the next bucket
is empty or back, and that is an instant of its own.
"""

from __future__ import annotations

import math

from simulator.compiled import compiled
from simulator.fluid.reservation import resize
from simulator.fluid.state import Tables

BACK = 0.01
"""Part of its credits with which a resource gives more than its baseline again. Assumption: it only says how often the
rate of a resource changes that is asked for hardly less than its baseline."""
SOON = 1e-12  # Assumption: turns closer than this part of the time are one instant


@compiled
def next_turn(t: Tables, now: float) -> float:
    """Bring all credits forward to `now`; return when the first are used up or back: never if none will be."""
    soonest = math.inf
    for at in range(t.buckets.shape[0]):
        b = t.buckets[at]
        r = t.resources[b["resource"]]
        used = r["used"] + r["usage"] * (now - r["since"])
        gained = b["baseline"] * (now - b["since"]) - (used - b["used"])
        b["credits"] = min(b["credits"] + gained, b["size"])
        b["since"] = now
        b["used"] = used
        loss = r["usage"] - b["baseline"]
        b["turn"] = math.inf
        if b["is_empty"] and loss < 0.0:
            b["turn"] = now + max(BACK * b["size"] - b["credits"], 0.0) / -loss
        elif not b["is_empty"] and loss > 0.0:
            b["turn"] = now + max(b["credits"], 0.0) / loss
        soonest = min(soonest, b["turn"])
    return soonest


@compiled
def turn(t: Tables, now: float) -> None:
    """Give the baseline to resources whose credits are used up at `now`, and all to those whose credits are back."""
    for at in range(t.buckets.shape[0]):
        b = t.buckets[at]
        if b["turn"] <= now * (1.0 + SOON):
            ratio = b["baseline"] / b["full"]
            if b["is_empty"]:
                b["is_empty"] = 0
                ratio = 1.0 / ratio
            else:
                b["is_empty"] = 1
            b["turn"] = math.inf
            resize(t, b["resource"], ratio, now)
