"""How busy servers were by the hour, of all files together: what a profile may keep as their background."""

from __future__ import annotations

from collections.abc import Sequence

from profiles.imports.finding import Part, Value
from profiles.imports.sysstat import HOURS, USED


def background(parts: Sequence[Part]) -> dict[str, Value]:
    """Return the mean of all files for each hour, or one for the day, by what is in use; the first file is named."""
    values: dict[str, Value] = {}
    for what in USED.values():
        told = [part.values[what] for part in parts if part.kind == "background" and what in part.values]
        if told:
            values[what] = Value(_mean([_hours(value) for value in told]), "", told[0].file, told[0].line)
    return values


def _hours(value: Value) -> list[float]:
    assert isinstance(value.value, list)  # as a reader states it
    return [float(hour) for hour in value.value]


def _mean(days: Sequence[Sequence[float]]) -> list[float]:
    length = HOURS if any(len(day) > 1 for day in days) else 1
    return [round(sum(day[hour % len(day)] for day in days) / len(days), 4) for hour in range(length)]
