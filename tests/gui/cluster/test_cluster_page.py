"""Profile: form and text are two views of one text, on one undo stack, with each mistake shown where it is."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

from app.gui.cluster.page import ClusterPage
from app.gui.keys.model import ENTRY, VALUE, ProfileModel
from app.gui.session.session import Session
from app.gui.shell.window import MainWindow
from models.problem import ProblemError
from profiles.loading.catalog import names

COUNT = "cluster.groups.workers.count"
INPUT = "workload.input"


def page_of(window: MainWindow) -> ClusterPage:
    page = window.show_page("Cluster")
    assert isinstance(page, ClusterPage)
    return page


def entry_of(page: ClusterPage, key: str) -> QModelIndex:
    return page.model.index_of(key, VALUE)


def changed_lines(old: str, new: str) -> list[str]:
    return [row for row in difflib.ndiff(old.splitlines(), new.splitlines()) if row[0] in "+-"]


def test_a_value_typed_into_the_form_changes_one_line_of_the_text(window: MainWindow, qtbot: QtBot) -> None:
    page = page_of(window)
    before = page.editor.toPlainText()
    page.tree.edit(INPUT)
    editor = page.tree.view.viewport().findChild(QLineEdit)
    editor.selectAll()
    qtbot.keyClicks(editor, "7 GB")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.editor.toPlainText() != before)
    assert changed_lines(before, page.editor.toPlainText()) == ['- input = "5 GB"', '+ input = "7 GB"']
    qtbot.waitUntil(lambda: entry_of(page, INPUT).data() == "7 GB")


def test_a_changed_key_is_bold_until_it_is_undone(window: MainWindow, qtbot: QtBot) -> None:
    page, session = page_of(window), window.session
    page.model.setData(entry_of(page, COUNT), "24")
    session.check()
    assert entry_of(page, COUNT).data(Qt.ItemDataRole.FontRole).bold()
    window.undo_action.trigger()
    session.check()
    assert entry_of(page, COUNT).data() == "12"
    assert entry_of(page, COUNT).data(Qt.ItemDataRole.FontRole) is None


def test_typing_and_a_value_of_the_form_are_undone_one_after_the_other(window: MainWindow, qtbot: QtBot) -> None:
    page = page_of(window)
    before = page.editor.toPlainText()
    page.model.setData(entry_of(page, COUNT), "24")
    page.editor.go_to(1)
    qtbot.keyClicks(page.editor, "# mine ")
    assert page.editor.toPlainText().startswith("# mine cluster = {")
    qtbot.keyClick(page.editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert page.editor.toPlainText().startswith("cluster = {")
    window.undo_action.trigger()
    assert page.editor.toPlainText() == before


def test_the_estimate_follows_the_text(window: MainWindow, qtbot: QtBot) -> None:
    page = page_of(window)
    text = page.estimate.text()
    with qtbot.waitSignal(window.session.estimate_changed):
        page.editor.setPlainText(page.editor.toPlainText().replace("5 GB", "500 GB"))
    assert text.startswith("Estimate: at least ")
    assert page.estimate.text() != text


def test_a_mistake_is_listed_underlined_and_reached_by_f8(window: MainWindow, qtbot: QtBot) -> None:
    page, session = page_of(window), window.session
    page.editor.setPlainText(page.editor.toPlainText().replace('"5 GB"', '"5 pounds"'))
    session.check()
    assert [(problem.key, problem.line) for problem in session.problems] == [(INPUT, 10)]
    assert page.editor.extraSelections()[0].cursor.blockNumber() == 9
    assert entry_of(page, INPUT).data(Qt.ItemDataRole.FontRole).underline()
    assert window.problems.model.rowCount() == 1
    qtbot.keyClick(window, Qt.Key.Key_F8)
    assert page.editor.textCursor().blockNumber() == 9
    assert session.selected_key == INPUT


def test_broken_toml_keeps_the_form_and_the_work(window: MainWindow) -> None:
    page, session = page_of(window), window.session
    page.editor.setPlainText("cluster = \n" + page.editor.toPlainText())
    session.check()
    assert session.problems[0].line == 1
    assert entry_of(page, INPUT).data() == "5 GB"
    assert page.editor.toPlainText().startswith("cluster = \n")
    window.undo_action.trigger()
    session.check()
    assert session.is_valid


def test_what_the_form_cannot_set_is_told_and_changes_nothing(window: MainWindow) -> None:
    page, session = page_of(window), window.session
    page.editor.setPlainText("cluster = ")
    with pytest.raises(ProblemError, match="write it into the text"):
        session.set_value(COUNT, "24")
    assert session.document.text == "cluster = "


def test_a_tool_tip_says_meaning_unit_limits_and_source(session: Session) -> None:
    model = ProfileModel.of(session)
    tip = model.index_of("cluster.groups.workers.server.nic.bandwidth", VALUE).data(Qt.ItemDataRole.ToolTipRole)
    assert "Unit: B/s" in tip
    assert "Allowed: > 0" in tip
    assert "Source: measured: iperf3" in tip
    assert "Stated in h1.16xlarge.toml:" in tip


def test_every_key_of_the_form_has_a_meaning(session: Session) -> None:
    model = ProfileModel.of(session)

    def keys(parent: QModelIndex) -> list[QModelIndex]:
        rows = [model.index(row, 0, parent) for row in range(model.rowCount(parent))]
        return [*rows, *(below for row in rows for below in keys(row))]

    indexes = keys(QModelIndex())
    assert len(indexes) > 60
    assert [index.data(ENTRY).key for index in indexes if not index.data(ENTRY).description] == []


def test_a_choice_offers_what_the_models_allow(session: Session) -> None:
    model = ProfileModel.of(session)
    assert model.index_of("storage.system", VALUE).data(ENTRY).choices == ("hdfs",)
    assert model.index_of("prices", VALUE).data(ENTRY).choices == names("prices")


def test_a_profile_is_saved_whole_and_is_then_unchanged(window: MainWindow, tmp_path: Path) -> None:
    session, path = window.session, tmp_path / "mine.toml"
    session.set_value(COUNT, "24")
    session.save(path)
    assert path.read_text(encoding="utf-8") == session.document.text
    assert not window.isWindowModified()
    assert session.changed_keys() == frozenset()
    assert window.settings.recent == [str(path)]


def test_a_file_that_cannot_be_written_is_told_and_the_work_stays(window: MainWindow, tmp_path: Path) -> None:
    window.session.set_value(COUNT, "24")
    with pytest.raises(ProblemError, match="cannot be written: no such file or directory"):
        window.session.save(tmp_path / "nowhere" / "mine.toml")
    assert window.isWindowModified()
    assert "24" in window.session.document.text


def test_closing_with_changes_asks_and_cancel_keeps_the_window(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.session.set_value(COUNT, "24")
    monkeypatch.setattr(QMessageBox, "exec", lambda _: QMessageBox.StandardButton.Cancel)
    assert not window.close()
    assert window.isVisible()


def test_the_inspector_tells_of_the_chosen_key(window: MainWindow) -> None:
    page_of(window)
    window.session.select_key(COUNT)
    assert "Number of servers, those of" in window.inspector.text.toPlainText()


def test_a_title_in_arabic_begins_where_all_titles_do(window: MainWindow) -> None:
    page = page_of(window)
    window.session.set_text(window.session.document.text.replace("Small TeraSort", "فرز تيرابايت"))
    window.session.check()
    picture = page._heading.grab().toImage()
    ground = picture.pixelColor(picture.width() - 1, 0)
    is_inked = [
        any(picture.pixelColor(x, y) != ground for y in range(picture.height())) for x in range(picture.width())
    ]
    assert any(is_inked[:20])
    assert not any(is_inked[picture.width() // 2 :])
