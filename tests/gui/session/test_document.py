"""The text of a profile: where a change begins, and when it is checked."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from pytestqt.qtbot import QtBot

from app.gui.session.document import LONG, common
from app.gui.session.session import Session


@pytest.mark.parametrize(("one", "other", "alike"), [("", "", 0), ("", "a", 0), ("ab", "abc", 2), ("abc", "abd", 2)])
def test_two_texts_begin_alike_up_to_the_first_letter_that_differs(one: str, other: str, alike: int) -> None:
    assert common(one, other) == common(other, one) == alike


@given(st.text("ab", max_size=40), st.text("ab", max_size=40))
def test_where_texts_part_is_what_a_look_at_each_letter_finds(one: str, other: str) -> None:
    pairs = enumerate(zip(one, other, strict=False))
    assert common(one, other) == next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def test_a_long_text_is_checked_when_nobody_types(session: Session, qtbot: QtBot) -> None:
    long = f"{session.document.text}\n# {LONG * 'x'}"
    with qtbot.waitSignal(session.problems_changed):
        session.set_text(long)
        session.set_text(f"{long}\nno such key")
        qtbot.wait(10)
        assert not session.problems
        assert not session.is_valid
    assert session.problems


def test_what_is_run_was_checked_before(session: Session) -> None:
    session.set_text(f"{session.document.text}\nno such key\n# {LONG * 'x'}")
    session.run()
    assert session.problems
    assert not session.is_running
