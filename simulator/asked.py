"""What one run is asked, beside its scenario."""

from __future__ import annotations

from collections.abc import Callable

from models.symmetry import WHOLE, Detail
from models.values import value
from simulator.events import OnEvent


@value()
class Asked:
    """The chances, who hears of it and may stop it, how exact it is, and under which name it is told.

    Where it `is_compared`, each of many workloads is simulated alone as well.
    """

    seed: int
    on_event: OnEvent
    should_stop: Callable[[], bool] | None
    tolerance: float
    detail: Detail = WHOLE
    profile: str = ""
    is_compared: bool = True
