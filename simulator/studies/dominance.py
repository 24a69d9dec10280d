"""Which of two scenarios is no better in any part: numbers of which more is better, and all else, which must be equal.

Parts are compared only where all else is equal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from models.scenario import Scenario
from models.storage.redundancy import Replicas

MORE_IS_BETTER = (
    "count",
    "cores",
    "threads",
    "speed",
    "size",
    "bandwidth",
    "links",
    "flow_bandwidth",
    "iops",
    "capacity",
)
MORE_IS_BETTER_RATES = ("read_bandwidth", "write_bandwidth")
BESIDE = {"profile", "prices", "growth", "planning", "failures"}


class Parts(NamedTuple):
    """The numbers of a scenario of which more is better, by their key, and all else."""

    more: dict[str, float]
    rest: Any


def parts(scenario: Scenario) -> Parts:
    """Return what a scenario is compared by; prices, growth and failure rates are no part of that."""
    data = scenario.model_dump(exclude=BESIDE)
    numbers: dict[str, float] = {}
    rest = _split(data.pop("cluster"), "", numbers)
    return Parts(numbers, (rest, data, _geometry(scenario)))


def is_at_least(strong: Parts, weak: Parts) -> bool:
    """Tell whether all parts of one are as good as the other's, and all else is equal."""
    if strong.rest != weak.rest or strong.more.keys() != weak.more.keys():
        return False
    return all(strong.more[key] >= weak.more[key] for key in weak.more)


def _split(data: Any, path: str, numbers: dict[str, float]) -> Any:
    """Return the data without the numbers of which more is better; those go into `numbers`."""
    if not isinstance(data, dict):
        return data
    rest = {}
    for key, value in data.items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if is_number and key in (*MORE_IS_BETTER, *MORE_IS_BETTER_RATES):
            numbers[f"{path}.{key}"] = value
        elif is_number and key == "seek_time":
            numbers[f"{path}.{key}"] = -value
        elif key != "model":
            rest[key] = _split(value, f"{path}.{key}", numbers)
    return rest


def _geometry(scenario: Scenario) -> float:
    """Return the raw bytes that a byte takes: where codes are wider or narrower, more parts need not be faster."""
    storage, cluster = scenario.storage, scenario.cluster
    return 0.0 if isinstance(storage.redundancy(cluster), Replicas) else storage.raw_per_byte(cluster)
