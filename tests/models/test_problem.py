"""Problems as data and as text."""

from __future__ import annotations

import pytest

from models.problem import Problem, ProblemError, brief, did_you_mean


def test_a_problem_says_only_what_is_known() -> None:
    assert str(Problem("bad.toml", 13, "disk.1.seek", "wrong")) == "bad.toml:13: disk.1.seek: wrong"
    assert str(Problem("bad.toml", None, "disk", "wrong")) == "bad.toml: disk: wrong"
    assert str(Problem("bad.toml", 13, "", "wrong")) == "bad.toml:13: wrong"
    assert str(Problem("", None, "", "wrong")) == "wrong"


def test_all_problems_are_told_once_in_the_order_of_the_file() -> None:
    late, early, whole = Problem("b", 10, "x", "m"), Problem("b", 9, "y", "m"), Problem("b", None, "z", "m")
    error = ProblemError([late, early, whole, late, Problem("a", 11, "", "m")])
    assert str(error) == "a:11: m\nb: z: m\nb:9: y: m\nb:10: x: m"


@pytest.mark.parametrize(
    ("name", "offer"),
    [
        ("seq_wirte", "; did you mean 'seq_write'?"),
        ("SEQ_READ", "; did you mean 'seq_read'?"),
        ("colour", ""),
    ],
)
def test_the_nearest_right_name_is_offered_if_it_is_near(name: str, offer: str) -> None:
    assert did_you_mean(name, ["seq_read", "seq_write"]) == offer


@pytest.mark.parametrize("value", ["x" * 60_000, " " * 60_000, "1 " * 30_000])
def test_a_long_value_is_not_repeated_as_a_whole(value: str) -> None:
    text = brief(f"--date: expected a year (got '{value}')")
    assert len(text) < 300
    assert text.startswith(f"--date: expected a year (got '{value[:90]}")
    assert text.endswith(f"{value[-90:]}')")
