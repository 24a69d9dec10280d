"""Documented outcomes, and what was fitted to them or chosen by them: what a validation compares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from fnmatch import fnmatch
from typing import Any

from models import units
from models.quantity import stated
from models.scenario import Scenario
from models.values import value
from models.work import Metrics

IN_WORDS = "in words"
"""Role of an outcome that is documented in words only: its band is our reading, and its error counts nowhere."""

CONTRADICTED = "contradicted"
"""Role of a number that the hardware of its own source cannot reach, whatever runs on it: no model can be right about
both. It is shown, and counts nowhere."""

UNCOUNTED = frozenset({IN_WORDS, CONTRADICTED})

LEFT_OUT_ALLOWANCE = 2.0
"""Error allowed to what was left out of a fit, over the mean target of its family. Source: the protocol."""

MEMORY = "memory"
"""Confidence in an outcome that nobody could look up any more: it is shown, and counts nowhere."""


@value()
class Outcome:
    """One documented number. `value` is a number or a band (low, high) in `unit`.

    `over` names the shipped profile whose metric of the same name divides that of the profile that reproduces it: the
    outcome is then a ratio. `role` is empty for what a model must reproduce, `input` for what is given, `answer` for
    sizing arithmetic, `IN_WORDS` for words that we read as a band, `CONTRADICTED` for what the source itself makes
    impossible. `weight` is how many times as much as another its error counts in a fit: the mean target of its family
    over its own.

    `confidence` says where the number was read: in the `text` of its source, off an `image` or an `axis`, or from
    `memory`. `bottlenecks` are the published limit of the run, a part of the name of what is told as limit here each;
    none where none was published. `mean_of` are patterns of the ids of outcomes whose mean this one is by arithmetic:
    it tells each of them by the rest, so that none of them may be left out of a fit that hears it.
    """

    id: str
    family: str
    metric: str
    value: float | tuple[float, float]
    unit: str
    source: str
    role: str = ""
    note: str = ""
    over: str = ""
    weight: float = 1.0
    confidence: str = "text"
    bottlenecks: tuple[str, ...] = ()
    mean_of: tuple[str, ...] = ()

    def is_tied_to(self, other: Outcome) -> bool:
        """Return whether one of two outcomes is a mean that the other is part of, or both are the same."""
        pairs = ((self, other.id), (other, self.id))
        return self.id == other.id or any(_is_among(id, mean.mean_of) for mean, id in pairs)


@value()
class Parameter:
    """A number that a search fits to documented outcomes, and finds again.

    `key` is its place in a scenario, where `*` stands for any name; `file` and `file_key` its place in a part file.
    `used_by` names the outcomes whose scenarios contain it, `fitted_to` those it was chosen by.
    """

    name: str
    key: str
    file: str
    file_key: str
    unit: str
    family: str
    low: float
    high: float
    fitted_to: tuple[str, ...]
    used_by: tuple[str, ...]


@value()
class Choice:
    """A value, switch, reading or rule that was picked with outcomes in sight, by hand: no search finds it again.

    `reading` is what was picked, in words. It stands at `keys` of scenarios, in `file`; a rule without keys in code.
    None of the outcomes in `fitted_to`, those that it acts on, is predicted. `otherwise` is what the world ships or
    else could be read, as changes of a profile; the outcome `shown` then tells what it would come to.
    """

    name: str
    family: str
    reading: str
    file: str
    fitted_to: tuple[str, ...]
    keys: tuple[str, ...] = ()
    otherwise: Mapping[str, str] = field(default_factory=dict, hash=False)
    shown: str = ""


@value()
class Errors:
    """The mean and the worst absolute error of some outcomes, as fractions, and how many they are."""

    count: int
    mean: float
    worst: float


@value()
class LeftOut:
    """What outcomes come to, predicted by numbers that were fitted without them.

    `errors` are fractions by id, None for an outcome that is not testable. `together` has, by family and by what was
    left out as a whole (a system, a class of queries), the errors of all of it, None where nothing of it is testable.
    `version` is that of the program that found them. `ranges` has, for outcomes that are not testable, the least and
    the greatest value that fits come to which are as good, in the outcome's unit.
    """

    version: str
    errors: Mapping[str, float | None]
    together: Mapping[str, Mapping[str, Errors | None]]
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict, hash=False)


@value()
class Remark:
    """What is known of one subject of a family: why it is missed, or what was known when."""

    title: str
    text: str


@value()
class Chapter:
    """Remarks that belong together."""

    title: str
    note: str = ""
    remarks: tuple[Remark, ...] = ()


@value()
class Family:
    """One family of outcomes: targets as fractions, the budget of what is fitted or chosen, and what to know about it.

    `title` is what was measured, in a few words. `worst_target`, `median_target`, `near_target` (the part of the
    outcomes that is within 20 %) and `bottleneck_target` (the part of the published limits that is named) are None
    where there is no such target. `left_out_together` names patterns of ids that are also left out as a whole.
    """

    name: str
    mean_target: float
    budget: int
    note: str
    parameters: tuple[Parameter, ...]
    choices: tuple[Choice, ...] = ()
    worst_target: float | None = None
    median_target: float | None = None
    near_target: float | None = None
    bottleneck_target: float | None = None
    title: str = ""
    left_out_together: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    chapters: tuple[Chapter, ...] = ()

    @property
    def counted(self) -> int:
        """How many numbers, switches, readings and rules were fitted or chosen."""
        return len(self.parameters) + len(self.choices)

    @property
    def left_out_target(self) -> float:
        """The error allowed in the mean to outcomes that were left out of the fits, as a fraction."""
        return LEFT_OUT_ALLOWANCE * self.mean_target

    def left_out_with(self, group: str, ids: Iterable[str]) -> list[str]:
        """Return which of some ids are left out as a whole under a name."""
        return [id for id in ids if _is_among(id, self.left_out_together.get(group, ()))]


def _is_among(id: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(id, pattern) for pattern in patterns)


def reading(metrics: Metrics, outcome: Outcome) -> float:
    """Return the metric of an outcome in the unit in which it was documented.

    Raises:
        KeyError: the run has no such metric.
    """
    value, unit = metrics[outcome.metric]
    return value * float(units.unit(unit).scale / units.unit(outcome.unit).scale)


def error(documented: float | tuple[float, float], simulated: float) -> float:
    """Return the error as a fraction; 0 inside a documented band."""
    if not isinstance(documented, tuple):
        return (simulated - documented) / documented
    low, high = documented
    edge = min(max(simulated, low), high)
    return (simulated - edge) / edge


def value_at(scenario: Scenario, key: str) -> float:
    """Return the number at a key of a scenario.

    Raises:
        KeyError: nothing stands there, or numbers that differ.
    """
    values = set(_values(scenario.model_dump(), key.split(".")))
    if len(values) != 1:
        raise KeyError(f"{key}: expected one value, found {sorted(values)}")
    return float(values.pop())


def with_value(scenario: Scenario, key: str, value: float) -> Scenario:
    """Return the scenario with a number replaced wherever the key fits."""
    data = scenario.model_dump()
    _replace(data, key.split("."), value)
    return Scenario.model_validate(stated(data))


def _values(data: Any, path: list[str]) -> list[float]:
    if not path:
        return [data]
    if not isinstance(data, dict):
        return []
    names = list(data) if path[0] == "*" else [name for name in data if name == path[0]]
    return [value for name in names for value in _values(data[name], path[1:]) if value is not None]


def _replace(data: Any, path: list[str], value: float) -> None:
    if not isinstance(data, dict):
        return
    for name in list(data) if path[0] == "*" else [path[0]]:
        if name not in data:
            continue
        if len(path) == 1:
            data[name] = value
        else:
            _replace(data[name], path[1:], value)
