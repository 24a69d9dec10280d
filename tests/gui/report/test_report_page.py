"""Report, from the button to files: the same bytes as the command writes, for the same run."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from app.gui.report.model import TITLES
from app.gui.report.page import ReportPage
from app.gui.shell.window import MainWindow
from app.gui.studies.export import FORMS

PATIENCE = 60_000  # milliseconds; a report takes seconds, a busy machine makes it many


@pytest.fixture
def page(window: MainWindow) -> ReportPage:
    """Return the page with a shipped profile of which one value is changed."""
    window.session.document.stack.setClean()
    window.open("hdfs-terasort")
    window.session.set_value("workload.input", "2 GB")
    window.session.check()
    shown = window.show_page("Report")
    assert isinstance(shown, ReportPage)
    return shown


def built(page: ReportPage, qtbot: QtBot) -> ReportPage:
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        qtbot.mouseClick(page.build_button, Qt.MouseButton.LeftButton)
    return page


def choose(page: ReportPage, name: str, is_wanted: bool) -> None:
    state = Qt.CheckState.Checked if is_wanted else Qt.CheckState.Unchecked
    page.model.setData(page.model.index(list(TITLES).index(name), 0), state.value, Qt.ItemDataRole.CheckStateRole)


def test_every_form_has_the_bytes_that_the_copied_command_writes(
    page: ReportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    choose(page, "advice", False)
    built(page, qtbot)
    for suffix in FORMS.values():
        with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
            page.export(tmp_path / f"window{suffix}")
    page.copy_command()
    words = shlex.split(QGuiApplication.clipboard().text())
    files = [str(tmp_path / f"command{suffix}") for suffix in FORMS.values()]
    place = words.index("report.html")
    typed = [sys.executable, "-m", "app", *words[1:place], *files, *words[place + 1 :]]
    assert subprocess.run(typed, capture_output=True, check=False).returncode == 0
    for suffix in FORMS.values():
        assert (tmp_path / f"window{suffix}").read_bytes() == (tmp_path / f"command{suffix}").read_bytes(), suffix
    assert not list(tmp_path.glob(".*.part"))


def test_the_preview_follows_the_check_boxes_and_prints(page: ReportPage, qtbot: QtBot, tmp_path: Path) -> None:
    built(page, qtbot)
    text = page.preview.toPlainText()
    assert text.index("The question") < text.index("What limits it, and when") < text.index("The profile")
    assert "workload.input = 2 GB" in text
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        choose(page, "sources", False)
    assert "Assumptions and sources" not in page.preview.toPlainText()
    printer = QPrinter()
    printer.setOutputFileName(str(tmp_path / "printed.pdf"))
    page.preview.print_(printer)
    assert (tmp_path / "printed.pdf").read_bytes().startswith(b"%PDF")


def test_contracts_and_maintenance_are_a_section_on_demand(page: ReportPage, window: MainWindow, qtbot: QtBot) -> None:
    window.session.document.stack.setClean()
    window.open("durability-hdfs")
    window.session.set_value("workload.input", "2 GB")
    window.session.check()
    choose(page, "upkeep", True)
    built(page, qtbot)
    read = page.preview.toPlainText()
    assert "Repairs and maintenance" in read
    assert "1 spare in the rack: 10.5" in read
    assert "upgrades, 4 a year, 20 min" in read


def test_a_change_of_the_profile_is_told_beside_the_old_report(
    window: MainWindow, page: ReportPage, qtbot: QtBot
) -> None:
    built(page, qtbot)
    window.session.set_value("workload.input", "1 GB")
    window.session.check()
    assert "build the report again" in page.message.text()


def test_a_file_that_cannot_be_written_is_told_before_a_report_is_built(page: ReportPage, tmp_path: Path) -> None:
    page.export(tmp_path / "missing" / "plan.md")
    assert "Cannot write" in page.message.text()
    assert not page.study.is_running


def test_an_export_builds_the_report_of_the_profile_as_it_stands(
    window: MainWindow, page: ReportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    page.export(tmp_path / "plan.md")
    qtbot.waitUntil(lambda: "Written" in page.message.text(), timeout=PATIENCE)
    assert "workload.input = 2 GB" in (tmp_path / "plan.md").read_text(encoding="utf-8")
    window.session.set_value("workload.input", "1 GB")
    window.session.check()
    page.export(tmp_path / "later.md")
    qtbot.waitUntil((tmp_path / "later.md").exists, timeout=PATIENCE)
    assert "workload.input = 1 GB" in (tmp_path / "later.md").read_text(encoding="utf-8")


def test_a_profile_to_compare_with_adds_the_section_of_alternatives(page: ReportPage, qtbot: QtBot) -> None:
    page.against.setCurrentText("presto-hdfs-q1")
    page.against.textActivated.emit("presto-hdfs-q1")
    assert "comparison" in page.model.sections
    built(page, qtbot)
    assert "presto-hdfs-q1" in page.preview.toPlainText()


def test_a_file_is_asked_for_with_the_suffix_of_its_form(
    window: MainWindow, page: ReportPage, qtbot: QtBot, tmp_path: Path
) -> None:
    pdf = page.export_button.forms[0]
    pdf.trigger()
    (dialog,) = window.findChildren(QFileDialog)
    assert dialog.defaultSuffix() == "pdf"
    dialog.setDirectory(str(tmp_path))
    line = dialog.findChild(QLineEdit)
    line.clear()
    qtbot.keyClicks(line, "plan")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil((tmp_path / "plan.pdf").exists, timeout=PATIENCE)
    assert (tmp_path / "plan.pdf").read_bytes().startswith(b"%PDF")
