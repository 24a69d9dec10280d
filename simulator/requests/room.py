"""Room for the outcome of requests, made as they come."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.requests.state import Loop

COLUMNS = ("ended", "area", "latency", "first", "which", "moved")
"""What is noted of each request, in the order of completion."""


def with_room(state: Loop, requests: int) -> Loop:
    """Return the state with room for the outcome of so many requests."""
    if requests <= len(state.latency):
        return state
    room, done = max(requests, 2 * len(state.latency)), int(state.clock[0]["done"])
    return state._replace(**{name: _longer(getattr(state, name), room, done) for name in COLUMNS})


def _longer(column: Any, room: int, used: int) -> Any:
    """Return a column of so many rows that holds what is used; memory that no row uses yet is not touched.

    A column that a run has no use for stays without rows.
    """
    if not len(column):
        return column
    made = np.empty(room, column.dtype)
    made[:used] = column[:used]
    return made
