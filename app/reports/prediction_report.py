"""The interval of an answer in words, and the ledger of what it assumes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from app.reports import words
from app.reports.document import Column, Table
from models.planning.prediction import chance_below
from models.target import Target
from models.values import value

if TYPE_CHECKING:
    from app.reports.contracts import common

TIMES = 2.0
"""Ratio from which one speaks of times, not of per cent more."""
SMALL = 0.02
"""Part of an interval below which a number is not told. Assumption."""
MEASUREMENTS = (
    ("drive.seek_time", "random reads of one drive with fio"),
    ("drive.", "measure one drive with fio (simulate calibrate reads it)"),
    ("volumes.", "measure the volume with fio (simulate calibrate reads it)"),
    ("nic.", "iperf3 between two servers (simulate calibrate reads it)"),
    ("network.", "iperf3 between two racks"),
    ("cpu.", "run one task of the job on an idle core of such a server, and on all its threads"),
    ("memory.", "look it up on one server"),
    ("_start", "read the first minutes of one job's log"),
    ("container", "read the first minutes of one job's log"),
    ("storage.request_time", "time single requests on an idle store"),
    ("storage.first_byte", "time single requests on an idle store"),
    ("_cpu", "perf of one busy server while it moves a known number of bytes"),
    ("storage.", "look it up in the settings of the store, or time single operations"),
    ("client.", "look it up in the settings of the client"),
    ("workload.", "run the job once on a few servers"),
)
"""The cheapest measurement of a number, by what its key holds; the first that fits."""


@value(kw_only=True)
class Assumption:
    """An assumed number, and its part of the interval: None where the errors found in validation hold it already."""

    key: str
    kind: str
    source: str
    unit: str | None
    low: float
    likely: float
    high: float
    share: float | None

    @property
    def measurement(self) -> str:
        """The cheapest measurement that would remove it."""
        return next((measurement for part, measurement in MEASUREMENTS if part in self.key), "ask who runs the cluster")

    @property
    def range(self) -> str:
        """Low and high in words."""
        return words.between(self.low, self.high, self.unit)

    @property
    def row(self) -> tuple[str | float | None, ...]:
        """All that is known of it, as the window shows it."""
        ends = (words.declared(end, self.unit) for end in (self.low, self.likely, self.high))
        name = ".".join(self.key.split(".")[-2:])
        return (name, self.share, *ends, self.measurement, self.gain, self.kind)

    @property
    def gain(self) -> str:
        """What of the interval its measurement takes away, in words; "" for next to nothing."""
        if self.share is None or self.share < SMALL:
            return ""
        left = math.sqrt(max(1 - self.share, 0.0))
        return "the interval halves" if left <= 0.5 else f"the interval shrinks by {words.percent(1 - left)}"


@value(kw_only=True)
class Prediction:
    """Between what a measure lies with a chance of `level`, why, and what it assumes, the most important first.

    `is_inside`: the design lies within what was validated. `shift` and `variance` are of the measure's logarithm.
    `ratio` is between what its ratio to the first of a comparison lies.
    """

    measure: str
    unit: str
    value: float
    level: float
    low: float
    high: float
    why: tuple[str, ...]
    is_inside: bool
    shift: float = 0.0
    variance: float = 0.0
    assumptions: tuple[Assumption, ...] = ()
    ratio: tuple[float, float] | None = None

    def chance(self, target: Target) -> float:
        """Return the chance that a target for this measure is met."""
        below = chance_below(target.value(self.unit), self.value, self.shift, self.variance)
        return below if target.sense == "<=" else 1.0 - below

    @property
    def likely(self) -> str:
        """The interval in words: "6 to 9 min (80 %)"."""
        return f"{words.likely(self.low, self.high, self.unit)} ({words.percent(self.level)})"

    @property
    def likely_change(self) -> str:
        """The interval of its ratio to the first of a comparison in words: "12 to 30 % less (80 %)"."""
        low, high = self.ratio or (1.0, 1.0)
        if high >= TIMES:
            return f"{low:.2g} to {high:.2g} times as much ({words.percent(self.level)})"
        low, high = low - 1, high - 1
        less, more = (words.percent(abs(end)) for end in (low, high))
        if low < 0 < high:
            return f"{less} less to {more} more ({words.percent(self.level)})"
        least, most = sorted((abs(low), abs(high)))
        ends = words.span(f"{100 * least:.{0 if most >= 0.1 else 1}f}", words.percent(most))
        return f"{ends} {'less' if high <= 0 else 'more'} ({words.percent(self.level)})"


def rows(prediction: Prediction) -> Iterator[tuple[str, str]]:
    """Yield what the interval rests on as (label, words): why, and the measurement that would help most."""
    yield "Sure", "; ".join(prediction.why)
    yield from measure_row(prediction.assumptions)


def measure_row(assumptions: Sequence[Assumption]) -> Iterator[tuple[str, str]]:
    """Yield the measurement that would help most as (label, words), if one of those assumptions has a part."""
    for assumption in assumptions[:1]:
        if assumption.gain:
            yield (
                "Measure",
                f"{assumption.measurement}: {assumption.key} is assumed ({assumption.range}), {assumption.gain}",
            )


def ledger(assumptions: Sequence[Assumption]) -> Table:
    """Return the assumed numbers with their parts of the interval and what would remove them."""
    columns = (
        Column("key"),
        Column("likely"),
        Column("range"),
        Column("kind"),
        Column("part of the interval", "share"),
        Column("measurement that removes it"),
        Column("then"),
    )
    listed = [
        (
            assumption.key,
            _value(assumption),
            assumption.range,
            assumption.kind,
            assumption.share,
            assumption.measurement,
            assumption.gain,
        )
        for assumption in assumptions
    ]
    return Table("Assumed numbers; without a part where the runs do not tell it", columns, listed)


def prediction_json(prediction: Prediction | None) -> common.Prediction | None:
    """Return a prediction as JSON data."""
    if prediction is None:
        return None
    return {
        "measure": prediction.measure,
        "unit": prediction.unit,
        "level": prediction.level,
        "low": prediction.low,
        "high": prediction.high,
        "why": list(prediction.why),
        "assumptions": assumptions_json(prediction.assumptions),
    }


def assumptions_json(assumptions: Sequence[Assumption]) -> list[common.Assumption]:
    """Return what is assumed as JSON data."""
    return [_assumption(assumption) for assumption in assumptions]


def _assumption(assumption: Assumption) -> common.Assumption:
    return {
        "key": assumption.key,
        "kind": assumption.kind,
        "low": assumption.low,
        "likely": assumption.likely,
        "high": assumption.high,
        "share": assumption.share,
        "measurement": assumption.measurement,
    }


def _value(assumption: Assumption) -> str:
    return words.declared(assumption.likely, assumption.unit)
