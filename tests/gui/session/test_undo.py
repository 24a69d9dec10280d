"""Undo and redo of what is no text: what studies vary and have to meet, and which runs are kept."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.gui.shell.window import MainWindow

COUNT = "cluster.groups.workers.count"


def undo(window: MainWindow) -> None:
    window.undo_action.trigger()


def redo(window: MainWindow) -> None:
    window.actions_.redo.trigger()


def test_keys_of_a_sweep_and_values_of_the_profile_are_undone_in_their_order(window: MainWindow) -> None:
    session, page = window.session, window.show_page("Sweep")
    row = page.axes.add(COUNT)
    page.axes.setData(page.axes.index(row, 1), "4,8")
    session.set_value(COUNT, "24")
    page.axes.zip(True)
    page.axes.remove(row)
    undo(window)
    assert page.axes.rows == ((COUNT, "4,8"),)
    undo(window)
    assert not page.zipped.isChecked()
    assert "24" in session.document.text
    undo(window)
    assert "24" not in session.document.text
    undo(window)
    assert page.axes.rows == ((COUNT, "6,12,24"),)
    undo(window)
    assert page.axes.rows == ()
    for _ in range(5):
        redo(window)
    assert (page.axes.rows, page.axes.is_zipped) == ((), True)


def test_what_is_undone_is_shown_and_the_profile_is_not_changed_by_it(window: MainWindow) -> None:
    page = window.show_page("Size")
    page.targets.add("duration", value="15 min")
    page.axes.add(COUNT)
    assert not window.isWindowModified()
    assert not window.session.document.is_changed
    window.show_page("Run")
    undo(window)
    undo(window)
    assert window.page == "Size"
    assert page.targets.texts == ()
    redo(window)
    assert page.targets.texts == ("duration <= 15 min",)


def test_what_is_undone_is_told_on_a_page_that_does_not_show_it(window: MainWindow) -> None:
    window.session.set_value(COUNT, "24")
    window.show_page("Start")
    undo(window)
    assert window.statusBar().currentMessage() == f"Undone: {COUNT} = 24"
    redo(window)
    assert window.statusBar().currentMessage() == f"Done again: {COUNT} = 24"


def test_a_change_of_the_text_is_one_to_save_whatever_comes_after_it(window: MainWindow) -> None:
    page = window.show_page("Sweep")
    window.session.set_value(COUNT, "24")
    page.axes.add(COUNT)
    assert window.session.document.is_changed
    undo(window)
    undo(window)
    assert not window.session.document.is_changed


def test_a_run_that_was_kept_or_dropped_is_back_after_undo(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    with qtbot.waitSignal(session.run_finished, timeout=60_000):
        window.run_action.trigger()
    window.keep_action.trigger()
    (kept,) = session.runs
    session.forget(kept)
    assert session.runs == ()
    undo(window)
    assert session.runs == (kept,)
    assert session.last_run.is_kept
    undo(window)
    assert session.runs == ()
    assert window.keep_action.isEnabled()
    redo(window)
    assert session.runs == (kept,)
