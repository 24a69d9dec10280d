"""Everything that a report of one run says, before it is put into text, JSON, CSV or Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from app.reports import words
from models.outcome import Outcome, error, reading
from models.values import value
from simulator.result import Result

if TYPE_CHECKING:
    from app.reports.prediction_report import Prediction
    from models.planning.bounds import Nameplate
    from models.planning.cost import Cost
    from models.planning.power import Power


@value()
class SourceLine:
    """What the value at a dotted key of the profile rests on: its kind and the words of the profile."""

    key: str
    kind: str
    text: str
    value: str = ""


@value(slots=False, kw_only=True)
class RunReport:
    """A result beside what it was asked of.

    `settings` are the changes of `--set`. `outcomes` are what the profile reproduces, the main one first.
    `unsourced` are the keys of numbers without a source, `settled` the groups and places that were taken for names that
    the cluster does not have, `resolved` is the whole profile as TOML data, `printed` returns it as text,
    `options` those of the command that runs it again.
    `is_edited`: the profile says something else than its name and the settings give. `cost` is its bill, None without
    a price list, `power` what it draws. `nameplate` is what the drives of the storage system could do, None where they
    are not visible.
    `prediction` is how sure the answer is, None where that was not asked. `limiting` are sentences on settings that
    limit the run.
    """

    result: Result
    title: str
    outcomes: tuple[Outcome, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[SourceLine, ...] = ()
    unsourced: tuple[str, ...] = ()
    settled: Mapping[str, str] = field(default_factory=dict)
    resolved: Mapping[str, Any] = field(default_factory=dict)
    printed: Callable[[], str] = str
    options: str = ""
    is_edited: bool = False
    cost: Cost | None = None
    power: Power | None = None
    nameplate: Nameplate | None = None
    prediction: Prediction | None = None
    limiting: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """The profile's title, which may say otherwise than what was run where that was changed."""
        return words.titled(self.title, is_changed=self.is_changed)

    @property
    def is_changed(self) -> bool:
        """Whether it says otherwise than its name does."""
        return words.is_changed(self.settings, is_edited=self.is_edited)

    @property
    def again(self) -> str:
        """The options of the command that runs it again: at least the seed."""
        return self.options or f"--seed {self.result.seed}"

    @cached_property
    def toml(self) -> str:
        """The whole profile as text, printed when it is first asked for; "" where there is none."""
        return self.printed()

    def error(self, outcome: Outcome) -> float | None:
        """Return the error against a documented outcome, as a fraction.

        None where the profile was changed and no longer is what was documented, where the run has no such metric, or
        where the outcome is a ratio to another run.
        """
        if self.is_changed or outcome.over or outcome.metric not in self.result.metrics:
            return None
        return error(outcome.value, reading(self.result.metrics, outcome))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the run and the profile leave to be desired."""
        taken = [
            f"{key}: its part names what the cluster does not have; {name!r} was taken"
            for key, name in self.settled.items()
        ]
        return (*self.result.warnings, *taken, *([_bare(self.unsourced)] if self.unsourced else []))


def _bare(keys: tuple[str, ...]) -> str:
    """Return in words which numbers have no source: the first few, as the sources of a report have them all."""
    return f"numbers without a source: {words.first_of(keys)}"
