"""What can be done with one key: reset, another unit, and the pages that vary it. Each change is one step of undo."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QInputDialog, QMessageBox
from pytestqt.qtbot import QtBot

from app.gui.keys.actions import KeyActions
from app.gui.keys.model import UNIT
from app.gui.shell.window import MainWindow

COUNT = "cluster.groups.workers.count"
INPUT = "workload.input"


@pytest.fixture
def of_key(window: MainWindow) -> KeyActions:
    window.show_page("Cluster")
    return window.tree.of_key


def choose(window: MainWindow, key: str) -> None:
    window.session.check()
    window.session.select_key(key)


def typed(window: MainWindow, key: str) -> str:
    window.session.check()
    return window.inspector._typed(key)


def test_a_key_over_a_preset_is_reset_to_it_in_one_step(window: MainWindow, of_key: KeyActions) -> None:
    before = window.session.document.text
    window.session.set_value(COUNT, "24")
    choose(window, COUNT)
    assert of_key.reset.text() == "&Reset this key to 12"
    of_key.reset.trigger()
    assert window.session.document.text == before
    window.undo_action.trigger()
    assert typed(window, COUNT) == "24"


def test_a_key_of_the_profile_itself_goes_back_to_what_it_was(window: MainWindow, of_key: KeyActions) -> None:
    before = window.session.document.text
    window.session.set_value(INPUT, "7 GB")
    choose(window, INPUT)
    of_key.reset.trigger()
    assert window.session.document.text == before


def test_a_key_that_was_not_stated_goes_back_to_its_default(window: MainWindow, of_key: KeyActions) -> None:
    before = window.session.document.text
    window.session.set_value("storage.heartbeat", "5 s")
    choose(window, "storage.heartbeat")
    assert of_key.reset.text() == "&Reset this key"
    of_key.reset.trigger()
    assert window.session.document.text == before


def test_a_key_that_is_as_it_was_goes_back_to_what_its_part_says(window: MainWindow, of_key: KeyActions) -> None:
    choose(window, INPUT)
    of_key.reset.trigger()
    assert typed(window, INPUT) == "1 TB"
    choose(window, COUNT)
    assert not of_key.reset.isEnabled()


def test_a_key_that_must_be_stated_is_told_and_stays(window: MainWindow, of_key: KeyActions) -> None:
    choose(window, "profile.title")
    of_key.reset.trigger()
    told = window.findChild(QMessageBox)
    assert "has no preset and no default" in told.text()
    told.close()
    assert window.session.is_valid


def test_the_unit_of_a_value_is_chosen_and_its_text_converted(
    window: MainWindow, of_key: KeyActions, qtbot: QtBot
) -> None:
    tree = window.pages["Cluster"].tree
    index = tree.proxy.mapFromSource(tree._model.index_of(INPUT, UNIT))
    assert index.data() == "GB"
    tree.view.setCurrentIndex(index)
    tree.view.edit(index)
    editor = tree.view.viewport().findChild(QComboBox)
    assert editor.accessibleName() == f"Unit of {INPUT}"
    assert editor.currentText() == "GB"
    editor.setCurrentText("MB")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: 'input = "5000 MB"' in window.session.document.text)
    assert typed(window, INPUT) == "5000 MB"
    window.undo_action.trigger()
    assert typed(window, INPUT) == "5 GB"


def test_the_units_of_the_menu_hold_the_same_value_and_counts_have_none(window: MainWindow, of_key: KeyActions) -> None:
    window.session.set_value("cluster.groups.workers.server.nic.bandwidth", "100 MB/s")
    choose(window, "cluster.groups.workers.server.nic.bandwidth")
    of_key.unit_menu.aboutToShow.emit()
    units = {action.text(): action for action in of_key.unit_menu.actions()}
    assert [name for name, action in units.items() if action.isChecked()] == ["MB/s"]
    units["Gbit/s"].trigger()
    assert '"0.8 Gbit/s"' in window.session.document.text
    choose(window, COUNT)
    assert not of_key.convert.isEnabled()


def test_a_key_is_varied_in_a_sweep_and_chosen_in_a_sizing(window: MainWindow, of_key: KeyActions) -> None:
    choose(window, COUNT)
    of_key.sweep.trigger()
    assert window.page == "Sweep"
    of_key.size.trigger()
    assert window.page == "Size"
    assert window.pages["Sweep"].axes.rows == window.pages["Size"].axes.rows == ((COUNT, "6,12,24"),)


def test_another_value_of_a_key_stands_beside_the_profile_ready_to_be_compared(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.open("hdfs-terasort")
    window.session.set_value(INPUT, "2 GB")
    choose(window, COUNT)
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, text: (text, True))
    window.tree.of_key.compare.trigger()
    page = window.pages["Compare"]
    assert window.page == "Compare"
    assert [side.name for side in page.choice.offered] == ["count = 12", "count = 24"]
    assert page.choice.offered[1].changes == {INPUT: "2 GB", COUNT: "24"}
    assert page.run_button.isEnabled()
    page.copy_command()
    assert f'set."{COUNT}" = "24"' in QGuiApplication.clipboard().text()


def test_a_profile_without_a_file_is_to_be_saved_before_it_is_compared(window: MainWindow, of_key: KeyActions) -> None:
    choose(window, COUNT)
    of_key.compare_with(of_key.entry, "24")
    told = window.findChild(QMessageBox)
    assert "save the profile first" in told.text()
    told.close()
