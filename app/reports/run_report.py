"""Everything that a report of one run says, before it is put into text, JSON, CSV or Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from models import units
from models.outcome import Outcome
from simulator.result import Result
from simulator.studies.validate import error


@dataclass(frozen=True, slots=True)
class SourceLine:
    """What the value at a dotted key of the profile rests on: its kind and the words of the profile."""

    key: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """A result beside what it was asked of.

    `settings` are the changes of `--set`. `outcome` is what the profile reproduces, None if nothing is documented.
    `unsourced` are the keys of numbers without a source, `resolved` is the whole profile as TOML data.
    """

    result: Result
    title: str
    outcome: Outcome | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[SourceLine, ...] = ()
    unsourced: tuple[str, ...] = ()
    resolved: Mapping[str, Any] = field(default_factory=dict)

    @property
    def duration(self) -> float:
        """The mean duration of all replications (s)."""
        return fmean(self.result.durations or (self.result.duration,))

    @property
    def error(self) -> float | None:
        """The error against the documented outcome, as a fraction.

        None where nothing is documented, where the profile was changed and no longer is what was documented, or where
        the run has no such metric.
        """
        if self.outcome is None or self.settings:
            return None
        simulated = self._simulated(self.outcome)
        return None if simulated is None else error(self.outcome.value, simulated)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the run and the profile leave to be desired."""
        if not self.unsourced:
            return self.result.warnings
        return (*self.result.warnings, f"numbers without a source: {', '.join(self.unsourced)}")

    def _simulated(self, outcome: Outcome) -> float | None:
        """Return the metric of an outcome in its unit, None if the run has none."""
        metrics = self.result.metrics | {"duration": (self.duration, "s")}
        if outcome.metric not in metrics:
            return None
        value, unit = metrics[outcome.metric]
        return value * float(units.unit(unit).scale / units.unit(outcome.unit).scale)
