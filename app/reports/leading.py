"""How what leads a run is said: "takes 16 min 45 s (1,005.2 s)", "carries 2,908 requests/s, GET p99 488 ms"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.reports import words
from models.units import format
from simulator.studies.measures import Measure

P99 = "latency p99"
DURATION = ".duration"


@dataclass(frozen=True, slots=True)
class Phrases:
    """What is said of scenarios by the measure that they are ranked by: `unit` is its unit in words."""

    verb: str
    alike: str
    best: str
    unit: str


PHRASES = {
    "duration": Phrases("takes", "as long as", "the shortest duration", "s"),
    "run time": Phrases("runs jobs for", "as long as", "the shortest run time", "s"),
    "request rate": Phrases("carries", "as many as", "the highest request rate", "requests/s"),
}
"""By the names of the measures that can lead."""


def said(names: Sequence[str], measures: Mapping[str, Measure], interval: tuple[float, float] | None = None) -> str:
    """Return leading measures in words, one after the other; `interval` is that of the first."""
    first, *rest = (_said(name, measures[name]) for name in names)
    if interval is not None:
        low, high = (amount(names[0], abs(end)) for end in interval)
        first = f"{first}, 95 % interval {low} to {high}"
    return ", ".join([first, *rest])


def amount(name: str, value: float) -> str:
    """Return a value of what scenarios are ranked by, in its unit: "12.3 s", "2,908 requests/s"."""
    unit = PHRASES[name].unit
    return words.seconds(value) if unit == "s" else f"{words.amount(value)} {unit}"


def _said(name: str, measure: Measure) -> str:
    if name in PHRASES:
        return words.duration(measure.value) if PHRASES[name].unit == "s" else amount(name, measure.value)
    if name.endswith(DURATION):
        return f"{name.removesuffix(DURATION)} {words.duration(measure.value)}"
    if name.endswith(P99):
        return f"{name.removesuffix(P99).strip(' .')} p99 {format(measure.value, 's', 3)}"
    return format(measure.value, measure.unit, 3)
