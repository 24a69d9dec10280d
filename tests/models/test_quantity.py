"""A parameter, declared once: what the declaration makes of values, and what it tells."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import ValidationError

from models.problem import RefusalError
from models.quantity import UNITS_REQUIRED, Model, Parameter, Quantity, fields, part, pieces, quantity, setting


class Drive(Model):
    read_bandwidth: Quantity = quantity("B/s", "Sequential read rate.", gt=0)
    seek_time: Quantity = quantity("s", "Mean seek.", default="8 ms", ge=0)
    cache: Quantity | None = quantity("B", "Cache.", default=None, gt=0)
    levels: tuple[Annotated[Quantity, quantity("1", "Share.", le=1)], ...] = setting("Levels.", default=())
    technology: Literal["hdd", "ssd"] = setting("What moves.", default="hdd")
    heads: int = setting("Heads.", default=2, ge=1)
    is_sealed: bool = setting("Filled with helium.", default=False)
    fill: float = setting("Part in use.", default=0.0)


class Server(Model):
    drive: Drive = part("hardware/drives", "The drive.")


def test_a_quantity_is_read_with_the_unit_of_its_field() -> None:
    drive = Drive(read_bandwidth="205 MB/s", cache="256 MiB", levels=("30 %", 0.5))  # type: ignore[arg-type]
    assert (drive.read_bandwidth, drive.seek_time, drive.cache) == (2.05e8, 8e-3, 2**28)
    assert drive.levels == (0.3, 0.5)


def test_in_python_a_number_is_in_the_unit_already() -> None:
    assert Drive(read_bandwidth=205).read_bandwidth == 205.0


def test_what_a_user_wrote_needs_its_unit() -> None:
    with pytest.raises(ValidationError, match=r"\(got 205\): the unit is missing"):
        Drive.model_validate({"read_bandwidth": 205}, context=UNITS_REQUIRED)
    drive = Drive.model_validate({"read_bandwidth": "1 B/s", "levels": (0.5,)}, context=UNITS_REQUIRED)
    assert drive.levels == (0.5,)


@pytest.mark.parametrize(
    "wrong",
    [
        {"read_bandwidth": "205 MB"},
        {"read_bandwidth": True},
        {"read_bandwidth": 0},
        {"read_bandwidth": "-1 B/s"},
        {"read_bandwidth": float("inf")},
        {"cache": "0 B"},
        {"levels": ("130 %",)},
        {"technology": "tape"},
        {"heads": "2"},
        {"heads": 2.0},
        {"heads": 2.5},
        {"heads": True},
        {"heads": 0},
        {"is_sealed": 1},
        {"fill": "0.5"},
        {"colour": "red"},
    ],
)
def test_nothing_is_coerced_and_nothing_unknown_is_taken(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Drive(**{"read_bandwidth": 1.0, **wrong})


def test_a_model_does_not_change() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Drive(read_bandwidth=1.0).heads = 3  # type: ignore[misc]


def test_a_default_that_is_no_quantity_of_the_unit_is_refused_where_it_is_declared() -> None:
    with pytest.raises(ValueError, match="expected a time"):
        quantity("s", "Mean seek.", default="8 MB")
    with pytest.raises(ValueError, match="unknown unit 'sek'"):
        quantity("sek", "Mean seek.")


def test_the_declarations_of_a_model_can_be_listed() -> None:
    listed = {parameter.key: parameter for parameter in fields(Drive)}
    assert list(listed)[:3] == ["read_bandwidth", "seek_time", "cache"]
    assert listed["read_bandwidth"] == Parameter("read_bandwidth", "B/s", "Sequential read rate.", None, True, None)
    assert listed["seek_time"] == Parameter("seek_time", "s", "Mean seek.", 8e-3, False, None)
    assert listed["heads"] == Parameter("heads", None, "Heads.", 2, False, None)
    assert next(fields(Server)) == Parameter("drive", None, "The drive.", None, True, "hardware/drives")


def test_ten_million_pieces_are_simulated_at_most_each_of_which_may_stand_for_several() -> None:
    assert pieces(1e8, 1.0, "workload.input", alike=10) == 100_000_000
    with pytest.raises(RefusalError, match="makes 1e\\+08 pieces, at most 50,000,000 are simulated"):
        pieces(1e8, 1.0, "workload.input", alike=5)
