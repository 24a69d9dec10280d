"""Contracts are filled with what the things computed call by the names of their keys."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal, NotRequired

import pytest
from typing_extensions import TypedDict

from app.reports.contracts.common import Measure
from app.reports.contracts.filling import filled


class Shown(TypedDict):
    schema: Literal["headroom.shown/1"]
    day: str
    length_s: float | None
    measures: dict[str, Measure]
    many: list[Measure]
    notes: list[str]
    later: NotRequired[int]


@dataclass
class Amount:
    unit: str
    value: float
    other: str = "is no key of the contract"


@dataclass
class Run:
    length: float | None
    measures: dict[str, Amount]
    many: tuple[Amount, ...] = ()


@dataclass
class Told:
    day: date
    length: float
    notes: tuple[object, ...]


TOLD = Told(date(2027, 1, 31), 9.0, (1, "two"))


def test_a_contract_takes_each_key_from_the_first_source_that_has_it_in_its_own_order() -> None:
    data = filled(Shown, Run(None, {"rate": Amount("B/s", 2.0)}, (Amount("s", 1.0),)), TOLD)
    assert list(data.items()) == [
        ("schema", "headroom.shown/1"),
        ("day", "2027-01-31"),
        ("length_s", None),
        ("measures", {"rate": {"value": 2.0, "unit": "B/s"}}),
        ("many", [{"value": 1.0, "unit": "s"}]),
        ("notes", ["1", "two"]),
    ]


def test_what_is_stated_stands_as_it_is() -> None:
    data = filled(Shown, Run(1.0, {}), TOLD, length_s=3.0, later=4)
    assert (data["length_s"], data["later"]) == (3.0, 4)


def test_a_key_that_no_source_has_is_named() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'notes'"):
        filled(Shown, Run(1.0, {}), day="")
