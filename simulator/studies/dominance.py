"""Which of two scenarios is no better in any part: numbers of which more is better, and all else, which must be equal.

Parts are compared only where all else is equal.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from models.scenario import Scenario
from models.storage.redundancy import Redundancy, Replicas

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
    """The numbers of a scenario of which more is better, by their key, all else, and the code that its bytes are in."""

    more: dict[str, float]
    rest: Any
    code: Code


class Code(NamedTuple):
    """How bytes are kept, None where nobody sees that, and how many raw bytes one takes."""

    redundancy: Redundancy | None
    raw_per_byte: float


def parts(scenario: Scenario) -> Parts:
    """Return what a scenario is compared by; prices, growth and failure rates are no part of that."""
    data = scenario.model_dump(exclude=BESIDE)
    numbers: dict[str, float] = {}
    rest = _split(data.pop("cluster"), "", numbers)
    return Parts(numbers, (rest, data), _code(scenario))


def is_at_least(strong: Parts, weak: Parts) -> bool:
    """Tell whether all parts of one are as good as the other's, and all else but the code is equal."""
    if strong.rest != weak.rest or strong.more.keys() != weak.more.keys():
        return False
    return all(strong.more[key] >= weak.more[key] for key in weak.more)


def quicker(weak: Code, strong: Code) -> float:
    """Return how many times as fast as one code another may be at most: it moves as many times less, 1 where not less.

    What an access moves are pieces, those that a read needs, and raw bytes.
    """
    if weak.redundancy is None or strong.redundancy is None:
        return 1.0 if weak == strong else math.inf
    pairs = (
        (strong.redundancy.pieces, weak.redundancy.pieces),
        (strong.redundancy.data, weak.redundancy.data),
        (strong.raw_per_byte, weak.raw_per_byte),
    )
    return max([1.0, *(more / less for more, less in pairs if less)])


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


def _code(scenario: Scenario) -> Code:
    storage, cluster = scenario.storage, scenario.cluster
    redundancy = storage.redundancy(cluster)
    return Code(redundancy, 0.0 if isinstance(redundancy, Replicas) else storage.raw_per_byte(cluster))
