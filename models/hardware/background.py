"""What others use of a server already: a part of its processors, drives and cards, all day or by the hour.

What is in use goes before: the work that is simulated finds the rest. A thread, an access of a drive and a byte on a
card each take 1 / (1 - part) times as long. Not covered: peaks within an hour, memory and controllers that others use,
and others that give way.
"""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from models.problem import refusal
from models.quantity import Model, setting

HOURS = 24
Used = Literal["cpu", "drives", "network"]


class Background(Model):
    """Parts of a server that others use."""

    cpu: tuple[float, ...] = setting(
        "Part of the processors that others use, 0 to 1: one number, or one for each hour of the day.", default=()
    )
    drives: tuple[float, ...] = setting(
        "Part of the time of drives and volumes that others use, 0 to 1: one number, or one for each hour.", default=()
    )
    network: tuple[float, ...] = setting(
        "Part of the card that others use, each direction, 0 to 1: one number, or one for each hour.", default=()
    )
    hour: int | None = setting(
        "Hour of the day at which the work runs; default: the mean of the day.", default=None, ge=0, lt=HOURS
    )

    @model_validator(mode="after")
    def _parts_are_parts(self) -> Background:
        for key in ("cpu", "drives", "network"):
            stated: tuple[float, ...] = getattr(self, key)
            if len(stated) not in (0, 1, HOURS):
                raise refusal(key, "state one number, or one for each hour of the day", f"found {len(stated)} numbers")
            if wrong := [part for part in stated if not 0 <= part < 1]:
                raise refusal(key, "expected parts from 0 to below 1, such as [0.2]", value=wrong[0])
        return self

    def left(self, what: Used) -> float:
        """Return the part that is left of something."""
        stated: tuple[float, ...] = getattr(self, what)
        if not stated:
            return 1.0
        if self.hour is None:
            return 1 - sum(stated) / len(stated)
        return 1 - stated[self.hour % len(stated)]
