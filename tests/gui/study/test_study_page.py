"""Study: a question from Home, its text changed, carried out, exported; and what is wrong with it told."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.gui.shell.window import MainWindow
from app.gui.study.page import StudyPage

PATIENCE = 60_000  # milliseconds; a run takes a second, a busy machine makes it many
SMALL = """\
kind = "growth"
title = "Small"
profile = "growth-hdfs"

[set]
"workload.input" = "1 GB"
"""


@pytest.fixture
def page(window: MainWindow) -> StudyPage:
    shown = window.show_page("Study")
    assert isinstance(shown, StudyPage)
    return shown


def test_a_study_from_home_is_ready_to_run_and_its_profile_open(window: MainWindow) -> None:
    window.open_study("terasort-depends-on")
    page = window.pages["Study"]
    assert window.page == "Study"
    assert '"workload.input" = "0.8 TB..1 TB..1.6 TB"' in page.text.toPlainText()
    assert page.run_button.isEnabled()
    assert window.session.document.name == "hdfs-terasort"


def test_a_study_is_carried_out_and_exported(page: StudyPage, qtbot: QtBot, tmp_path: Path) -> None:
    page.text.setPlainText(SMALL)
    page.refresh()
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    assert "Small" in page.preview.toPlainText()
    assert page.export_button.isEnabled()
    path = tmp_path / "answer.md"
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.export(path)
    assert path.read_text(encoding="utf-8").startswith("# Small")
    page.refresh()  # as the check of the text does, which waits for a pause
    assert page.message.text() == f"Written: {path}"
    page.text.setPlainText(SMALL.replace("1 GB", "2 GB"))
    qtbot.waitUntil(lambda: page.message.text() == "The text has changed since: run the study again.")
    page.text.setPlainText(SMALL)
    qtbot.waitUntil(lambda: not page.message.isVisible())


def test_a_mistake_is_told_and_marked_and_nothing_can_be_run(page: StudyPage, qtbot: QtBot) -> None:
    page.text.setPlainText(SMALL.replace("growth-hdfs", "growth").replace('title = "Small"', "titel = 3"))
    qtbot.waitUntil(lambda: "did you mean" in page.message.text())
    assert page.text.extraSelections()[0].cursor.blockNumber() == 1
    assert not page.run_button.isEnabled()


@pytest.mark.parametrize(
    ("was", "is_now", "told", "line"),
    [
        ("growth-hdfs", "growth-hdf", "did you mean 'growth-hdfs'?", 3),
        ("1 GB", "1 GX", "expected a size such as '64 MiB' or '2 TB' (got '1 GX')", 6),
        ("workload.input", "workload.inptu", "unknown key; did you mean 'input'?", 6),
    ],
)
def test_what_does_not_suit_the_profile_is_told_and_marked_before_anything_runs(
    page: StudyPage, qtbot: QtBot, was: str, is_now: str, told: str, line: int
) -> None:
    page.text.setPlainText(SMALL.replace(was, is_now))
    qtbot.waitUntil(lambda: told in page.message.text())
    assert page.message.text().startswith(f"study.toml:{line}: ")
    assert page.text.extraSelections()[0].cursor.blockNumber() == line - 1
    assert not page.run_button.isEnabled()


CHOICES = """\
kind = "sensitivity"
title = "Small"
profile = "hdfs-terasort"

[inputs]
"workload.input" = "1 GB..2 GB"

[choices.none]
"cluster.groups.workers.count" = "0"

[choices.few]
"cluster.groups.workers.count" = "4"
"""


def test_a_choice_that_cannot_be_is_told_and_marked_and_what_is_mended_can_be_run(
    page: StudyPage, qtbot: QtBot
) -> None:
    page.text.setPlainText(CHOICES)
    qtbot.waitUntil(lambda: "must be at least 1" in page.message.text())
    assert page.text.extraSelections()[0].cursor.blockNumber() == 8
    page.text.setPlainText(CHOICES.replace('"0"', '"8"'))
    qtbot.waitUntil(page.run_button.isEnabled)
    assert not page.message.text()


def test_a_range_of_an_unknown_unit_is_marked(page: StudyPage) -> None:
    page.text.setPlainText(CHOICES.replace("2 GB", "2 GX"))
    page.refresh()
    assert "unknown unit 'GX'" in page.message.text()
    assert page.text.extraSelections()[0].cursor.blockNumber() == 5


def test_a_mistake_is_told_until_it_is_mended(page: StudyPage) -> None:
    page.text.setPlainText(SMALL.replace("title", "titel"))
    page.refresh()
    assert "did you mean" in page.message.text()
    page.text.setPlainText(SMALL)
    page.refresh()
    assert not page.message.text()


def test_a_study_of_another_page_is_refused_in_words(page: StudyPage, qtbot: QtBot) -> None:
    page.text.setPlainText('kind = "sweep"\ntitle = "x"\nprofile = "hdfs-terasort"\nvary = {}\n')
    qtbot.waitUntil(lambda: "pages of their own" in page.message.text())


def test_the_command_is_that_of_the_shipped_study_until_its_text_is_changed(window: MainWindow) -> None:
    window.open_study("hdfs-outgrown")
    page = window.pages["Study"]
    page.copy_command()
    assert QGuiApplication.clipboard().text() == "simulate capacity --study hdfs-outgrown"
    page.text.insertPlainText("# mine\n")
    page.copy_command()
    assert QGuiApplication.clipboard().text().startswith("cat > study.toml <<'END'\n# mine\n")
