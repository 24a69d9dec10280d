"""Ranges and distributions as text."""

from __future__ import annotations

import pytest

from models.planning.uncertain import uncertain


@pytest.mark.parametrize(
    ("text", "share", "value"),
    [
        ("180 MB/s..220 MB/s", 0.25, "190 MB/s"),
        ("180..220 MB/s", 0.5, "200 MB/s"),
        ("8..16", 0.3, "10"),
        ("0..10..20", 0.5, "10"),
        ("0 s..1 s..4 s", 0.25, "1 s"),
        ("0 s..0 s..1 s", 0.75, "0.5 s"),
        ("205 MB/s +- 5 %", 0.5, "205 MB/s"),
        ("200 MB/s ± 10 MB/s", 0.8413447460685429, "210 MB/s"),
        ("1 GB..2000 MB", 0.5, "1.5 GB"),
    ],
)
def test_a_quantile_is_told_in_the_unit_of_the_range(text: str, share: float, value: str) -> None:
    assert uncertain("key", text).quantile(share) == value


def test_the_ends_leave_out_a_twentieth_on_each_side() -> None:
    assert uncertain("key", "100 GB..200 GB").ends == ("105 GB", "195 GB")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("200", "expected a range such as '180 MB/s..220 MB/s', '8..12..16' or '205 MB/s +- 5 %' (got '200')"),
        (
            "fast..slow",
            "expected a range such as '180 MB/s..220 MB/s', '8..12..16' or '205 MB/s +- 5 %' (got 'fast..slow')",
        ),
        ("2..1", "a range goes from its low to its high end (got '2..1')"),
        ("1 s..2 MB", "'MB' and 's' measure different things (got '1 s..2 MB')"),
        ("5 +- 0", "a spread is above 0 (got '5 +- 0')"),
    ],
)
def test_what_is_no_range_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r"got") as error:
        uncertain("key", text)
    assert str(error.value) == message


def test_a_number_before_a_long_row_of_blanks_is_refused_like_any_other() -> None:
    with pytest.raises(ValueError, match="unknown unit"):
        uncertain("key", f"5 +- 5{' ' * 60_000}x\ny")
