"""A problem says its way out; where that is a value, a name or a removal, a click takes it and the problem is gone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.gui.session.fixes import fixes
from app.gui.shell.window import MainWindow
from models.problem import ProblemError
from models.scenario import Scenario
from profiles.editing.plain import rewritten, tables_of
from profiles.loading.loader import load_text
from tests.gui.conftest import SMALL


@pytest.mark.parametrize(
    ("was", "wrong", "words"),
    [
        ("input =", "inptu =", "Call it input"),
        ('"yarn-h1"', '"yarn-h2"', "Use yarn-h1"),
        ('storage = "hdfs"', 'storage = { use = "hdfs", bay = "fast" }', "Use data"),
        ('storage = "hdfs"', 'storage = { use = "hdfs", servers = "wrkers" }', "Use workers"),
        ('storage = "hdfs"', 'storage = "hdfs"\nclient = "s3a-tuned"', "Remove client"),
    ],
)
def test_a_way_out_that_is_taken_solves_the_problem(was: str, wrong: str, words: str) -> None:
    text = SMALL.replace(was, wrong)
    with pytest.raises(ProblemError) as refused:
        load_text(text, Scenario, path=Path("small.toml"))
    (problem,) = refused.value.problems
    fix = fixes(problem, tables_of(text))[0]
    assert fix.words == words
    load_text(rewritten(text, fix.tables), Scenario, path=Path("small.toml"))


def test_an_example_of_a_value_is_no_way_out() -> None:
    text = SMALL.replace("5 GB", "5 pounds")
    with pytest.raises(ProblemError) as refused:
        load_text(text, Scenario, path=Path("small.toml"))
    assert fixes(refused.value.problems[0], tables_of(text)) == []


def test_a_click_beside_a_problem_puts_it_right_and_is_undone(window: MainWindow, qtbot: QtBot) -> None:
    wrong = SMALL.replace('"yarn-h1"', '"yarn-h2"')
    window.session.set_text(wrong)
    window.session.check()
    button = next(
        push_button for push_button in window.problems.findChildren(QPushButton) if push_button.text() == "Use yarn-h1"
    )
    qtbot.waitUntil(button.isVisible)  # problems are shown a moment later
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.session.document.text == SMALL
    window.undo_action.trigger()
    assert window.session.document.text == wrong
