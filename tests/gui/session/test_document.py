"""The text of a profile: where a change begins."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from app.gui.session.document import common


@pytest.mark.parametrize(("one", "other", "alike"), [("", "", 0), ("", "a", 0), ("ab", "abc", 2), ("abc", "abd", 2)])
def test_two_texts_begin_alike_up_to_the_first_letter_that_differs(one: str, other: str, alike: int) -> None:
    assert common(one, other) == common(other, one) == alike


@given(st.text("ab", max_size=40), st.text("ab", max_size=40))
def test_where_texts_part_is_what_a_look_at_each_letter_finds(one: str, other: str) -> None:
    pairs = enumerate(zip(one, other, strict=False))
    assert common(one, other) == next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))
