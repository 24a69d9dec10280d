"""Import: files that are dropped are told, simulated beside what was measured, and accepted as a profile, by clicks."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.gui.importing.model import before
from app.gui.importing.page import ONLY_KEPT, WAITING, ImportPage
from app.gui.shell.window import MainWindow
from app.gui.tables.view import TableView
from app.reports.import_document import ImportReport, Made
from profiles.imports.reading import COLLECTOR
from tests.gui.conftest import show
from tests.gui.hands import Keyboard, Mouse, drop
from tests.profiles.imports.fixtures import FIXTURES

PATIENCE = 60_000  # milliseconds; reading takes one, a busy machine makes it many


@pytest.fixture
def page(window: MainWindow) -> ImportPage:
    shown = window.make_page("Import")
    assert isinstance(shown, ImportPage)
    return shown


@pytest.fixture(autouse=True)
def point_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an answer come without its interval, which takes runs more."""
    monkeypatch.setenv("HEADROOM_INTERVAL", "none")


def put(folder: Path, *names: str) -> Path:
    """Write fixtures into a folder."""
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / f"{name}.txt").write_text(FIXTURES[name])
    return folder


def rows(table: TableView) -> list[list[str]]:
    model = table.model()
    return [[model.index(row, at).data() for at in range(model.columnCount())] for row in range(model.rowCount())]


def test_dropped_files_are_told_run_and_accepted_by_clicks(
    window: MainWindow, page: ImportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    window.session.document.stack.setClean()
    store = put(tmp_path / "store", "mc admin info", "warp")
    (store / "note.txt").write_text("hello\n")
    mouse = Mouse(window, qtbot)
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        drop(window, store, put(tmp_path / "node", "lscpu", "lsblk"))
    assert window.page == "Import"
    told = {row[0]: row[1:] for row in rows(page.files)}
    assert told["store/warp.txt"][1:3] == ["✓ read", "warp"]
    assert told["store/note.txt"][1:3] == ["✗ refused", "not known"]
    assert page.message.text().startswith("Files: 4 read, 1 refused.")
    assert any(row[0] == "Wrong" and "note.txt: not known: expected" in row[1] for row in rows(page.asides))
    assert ["cluster.groups.servers.server.cpu.cores", "32", "measured", "lscpu 1:1"] in rows(page.numbers)
    assert ["cluster.groups.servers.server", "hdd-25gbe", "assumed", "a part of the library"] in rows(page.numbers)
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        mouse.push("Run")
    measured = {(row[0], row[1]): row[2:] for row in rows(page.beside)}
    assert measured["GET", "rate"][0] == "40 a second"
    assert measured["GET", "rate"][1] != "–"
    assert measured["GET", "rate"][3] == "measured: warp 1:2"
    assert page.beside.isVisible()
    mouse.push("Accept")
    assert (window.page, window.session.document.name) == ("Cluster", "my-cluster")
    assert window.session.is_valid
    assert 'cores = "measured: lscpu 1:1"' in window.session.document.text


def test_an_accepted_profile_is_unsaved_work_of_the_project(
    window: MainWindow, page: ImportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        drop(window, put(tmp_path / "node", "lsblk"))
    window.projects.model.is_changed = False
    Mouse(window, qtbot).push("Accept")
    assert window.session.document.is_changed
    assert window.projects.model.has_work
    assert window.projects.model.project().profiles[0].name == "my-cluster"


def test_files_that_are_dropped_later_join_those_before_until_one_starts_over(
    window: MainWindow, page: ImportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        drop(window, put(tmp_path / "node", "lscpu"))
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        drop(window, put(tmp_path / "load", "warp"))
    assert [row[0] for row in rows(page.files)] == ["node/lscpu.txt", "load/warp.txt"]
    assert page.imported is not None
    page.copy_command()
    assert QGuiApplication.clipboard().text().endswith(f"{tmp_path}/load --output my-cluster")
    Mouse(window, qtbot).push("Start over")
    assert page.collector_button.isVisible()
    assert not page.run_button.isEnabled()


def test_files_that_say_nothing_are_told_and_what_was_read_before_stays(
    window: MainWindow, page: ImportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    for number in range(3):
        (tmp_path / f"note-{number}").write_text("hello\n")
    with qtbot.waitSignal(page.study.failed, timeout=PATIENCE):
        drop(window, *sorted(tmp_path.glob("note-*")))
    assert page.message.text().endswith("docs/import.md lists (and 2 more)")
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        drop(window, put(tmp_path / "node", "lsblk"))
    assert [row[0] for row in rows(page.files)] == ["lsblk.txt"]


def test_with_the_keyboard_alone_start_leads_to_files_and_their_run(
    window: MainWindow, page: ImportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    file = put(tmp_path / "load", "warp") / "warp.txt"
    window.show_page("Start")
    keyboard = Keyboard(window, qtbot)
    keyboard.push("Import my cluster")
    assert window.page == "Import"
    keyboard.push("Add files…")
    dialog = keyboard.dialog()
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        qtbot.keyClick(keyboard.write_into(dialog, str(file)), Qt.Key.Key_Return)
    assert [row[2] for row in rows(page.files)] == ["✓ read"]
    show(window, qtbot)
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        keyboard.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert page.answer.text().startswith("Simulated: ")


def test_what_was_found_is_exported_as_the_command_reports_it(
    window: MainWindow, page: ImportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        drop(window, put(tmp_path / "node", "lsblk"))
    path = tmp_path / "found.md"
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.export(path)
    assert path.read_text(encoding="utf-8").startswith("# Import")


def test_the_collector_is_saved_as_it_ships(window: MainWindow, page: ImportPage, qtbot: QtBot, tmp_path: Path) -> None:
    window.show_page("Import")
    Mouse(window, qtbot).push("Save the collector…")
    (dialog,) = window.findChildren(QFileDialog)
    target = tmp_path / "collect.sh"
    dialog.fileSelected.emit(str(target))
    dialog.close()
    assert target.read_bytes() == COLLECTOR.read_bytes()
    assert page.message.text() == f"Written: {target}"


def test_a_run_in_which_data_is_only_kept_asks_for_no_other(page: ImportPage, qtbot: QtBot, tmp_path: Path) -> None:
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.add([str(put(tmp_path / "node", "lscpu", "lsblk"))])
    assert page.answer.text() == WAITING
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.run()
    assert page.answer.text() == ONLY_KEPT


def test_what_a_measurement_does_to_the_interval_stands_behind_it() -> None:
    wide, narrow = (
        Made("a.toml", "A", "", duration=1.0, likely=f"rate {ends} a second") for ends in ("3 to 9", "4 to 6")
    )
    earlier = ImportReport(files=(), profiles=(wide,))
    assert before(earlier, narrow) == "; without what was added last: rate 3 to 9 a second"
    assert before(earlier, wide) == ""
    assert before(ImportReport(files=(), profiles=()), narrow) == ""
