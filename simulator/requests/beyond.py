"""Limits on the rate of requests that a load which goes on for ever exceeds: what they have saved up is long gone."""

from __future__ import annotations

from models.requests import Admission, Open, RequestRun

CLOSE = 0.01
"""Part by which more requests come than a limit lets pass before it counts. Assumption: as that of a growing queue."""


def beyond(run: RequestRun) -> dict[str, float]:
    """Return the prefixes that an open loop without end needs by each limit that it exceeds."""
    if not isinstance(run.loop, Open) or not run.goes_on:
        return {}
    needed, has = dict[str, float](), dict[str, int]()
    for kind in run.kinds:
        rate = run.loop.rate * kind.weight / sum(other.weight for other in run.kinds)
        for limit in kind.route:
            if isinstance(limit, Admission):
                needed[limit.name] = needed.get(limit.name, 0.0) + rate / limit.rate
                has[limit.name] = limit.prefixes
    return {name: many for name, many in needed.items() if many > has[name] * (1 + CLOSE)}
