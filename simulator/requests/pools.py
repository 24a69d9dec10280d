"""Several closed loops in one: which clients send which kinds of requests, and when all of them have had answers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.distributions import PARTS
from models.requests import Closed, Kind, RequestRun
from simulator.requests.state import CLIENT, TOKEN_BITS, Loop


def pools_of(run: RequestRun) -> tuple[tuple[int, int], ...]:
    """Return the clients of a closed loop, or the requests that an open one may have, with their kinds, by pools."""
    if isinstance(run.loop, Closed):
        return run.loop.pools or ((run.loop.clients, len(run.kinds)),)
    return ((run.loop.in_flight + 1, len(run.kinds)),)


def edges(run: RequestRun) -> Iterator[float]:
    """Yield where each kind ends on a line on which each pool has the kinds of its clients between two whole numbers.

    The last one has no end, so that rounding leaves nothing beyond it.
    """
    first = 0
    pools = pools_of(run)
    for number, (_, count) in enumerate(pools):
        kinds, edge = run.kinds[first : first + count], float(number)
        total = sum(kind.weight for kind in kinds)
        for kind in kinds[:-1]:
            edge += kind.weight / total
            yield edge
        yield math.inf if number == len(pools) - 1 else number + 1.0
        first += count


def clients_of(run: RequestRun) -> Any:
    """Return the pool of each client, and what is left of its first request: clients of a pool are spread evenly."""
    sizes = [clients for clients, _ in pools_of(run)]
    made = np.zeros(sum(sizes), CLIENT)
    made["pool"] = np.repeat(np.arange(len(sizes)), sizes)
    made["left"] = np.concatenate([(np.arange(size) + 1.0) / size for size in sizes])
    return made


def think_first(run: RequestRun) -> NDArray[np.float64]:
    """Return how long each client of a closed loop still thinks when the run begins (s), spread as in the long run.

    Else all that think equally long would send at the same times for ever, and others more at first than later.
    """
    left, waits, begin, first = clients_of(run)["left"], [np.zeros(0)], 0, 0
    for clients, count in pools_of(run):
        waits.append(_still(left[begin : begin + clients], run.kinds[first : first + count]))
        begin, first = begin + clients, first + count
    return np.concatenate(waits)


def _still(parts: NDArray[np.float64], kinds: Sequence[Kind]) -> NDArray[np.float64]:
    """Return what is left of the times that clients think of some kinds, of which so many parts have less (s).

    In a renewal process that has gone on for long, it is at most x with the chance (integral to x of 1 - F) / mean.
    """
    times = np.concatenate([kind.think.values for kind in kinds])
    order = np.argsort(times, kind="stable")
    shares = np.concatenate([PARTS * kind.weight for kind in kinds])[order]
    times, longer = times[order], np.cumsum(shares[::-1])[::-1]
    passed = np.cumsum(longer * np.diff(times, prepend=0.0))
    if passed[-1] == 0:
        return np.zeros(len(parts))
    return np.asarray(np.interp(parts, np.append(0.0, passed / passed[-1]), np.append(0.0, times)))


def let_wait(state: Loop, waits: NDArray[np.float64]) -> None:
    """Let the tokens that are to wait (s) at first do so: in order of time, which makes them a heap."""
    order = np.argsort(waits, kind="stable")
    order = order[waits[order] > 0]
    state.times[: len(order)] = waits[order]
    state.keys[: len(order)] = (np.arange(len(order)) << TOKEN_BITS) | order
    state.clock[0]["queued"] = state.clock[0]["events"] = len(order)


def answered(run: RequestRun, which: NDArray[np.uint8], rounds: int) -> int | None:
    """Return how many requests are done when each pool has so many of each of its clients; None before.

    `which` are the kinds of the requests that are done, in order.
    """
    first = latest = 0
    for clients, count in pools_of(run):
        own = np.flatnonzero((which >= first) & (which < first + count))
        if len(own) < rounds * clients:
            return None
        latest, first = max(latest, int(own[rounds * clients - 1]) + 1), first + count
    return latest


def kinds_answered(kinds: int, loop: Loop, rounds: int) -> int | None:
    """Return how many requests are done when each kind has so many for each that is under way now; None before.

    A load has lasted some times as long as a request of any kind then. What has failed may be of any of them. Of one
    kind alone, its clients tell.
    """
    clock, tokens = loop.clock[0], loop.tokens
    if kinds == 1:
        return 0
    under_way = np.bincount(tokens["kind"][tokens["is_under_way"] == 1], minlength=kinds)
    latest = 0
    for kind in np.flatnonzero(under_way):
        own = np.flatnonzero(loop.which[: clock["done"]] == kind)
        needed = rounds * under_way[kind]
        if len(own) + clock["failed"] < needed:
            return None
        if len(own):
            latest = max(latest, int(own[:needed][-1]) + 1)
    return latest
