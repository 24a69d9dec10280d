"""Little's law, held against every run of requests."""

from __future__ import annotations

from simulator.requests.state import Loop

LITTLE = 0.01
"""Largest gap in Little's law, as a fraction, and in that of bytes beyond what the warm-up may add."""


def both_sides(name: str, loop: Loop) -> tuple[float, float]:
    """Return the mean number of requests under way by the clock, and by the requests' own times.

    Raises:
        RuntimeError: they differ.
    """
    clock = loop.clock[0]
    now = float(clock["now"])
    area = float(clock["area"] + clock["under_way"] * (now - clock["since"]))
    roots = loop.tokens[: clock["roots"]]
    under_way = roots[roots["is_under_way"] == 1]
    total = float(loop.latency[: clock["done"]].sum() + clock["lost"] + (now - under_way["start"]).sum())
    if abs(area - total) > LITTLE * max(area, total):
        raise RuntimeError(
            f"{name}: Little's law is broken: {area / now:g} requests under way, {total / now:g} expected"
        )
    return (area / now, total / now) if now > 0 else (0.0, 0.0)
