"""Why two scenarios differ: each measure's difference, shared among the parts in which their profiles differ."""

from __future__ import annotations

from typing_extensions import TypedDict


class ExplainedPart(TypedDict):
    """What a part contributes; `keys` are those that differ, with the text of either profile, null for none."""

    name: str
    keys: dict[str, list[str | None]]
    value: float


class Explained(TypedDict):
    """The difference of a measure from `base` to `other`, which the parts add up to; means over so many orders."""

    base: str
    other: str
    measure: str
    unit: str
    before: float
    after: float
    parts: list[ExplainedPart]
    orders: int
    is_exact: bool
    runs: int
