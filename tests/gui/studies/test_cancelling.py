"""Cancel on each page with a long task: at once, in the middle, and when it is nearly done.

Jobs are begun by a click and never end by themselves: what they would tell is told here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.gui.jobs.worker import Worker
from app.gui.shell.window import MainWindow
from app.gui.studies.base import JobPage
from profiles.loading.catalog import SHIPPED

LEFT = Qt.MouseButton.LeftButton
MEASURED = SHIPPED.root / "measurements" / "examples"
MOMENTS = (0.0, 0.5, 0.999)


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let jobs begin that never end, in no process."""

    def start(worker: Worker, *_: Any) -> None:
        worker.is_busy = True

    def cancel(worker: Worker) -> None:
        worker.is_busy = False

    monkeypatch.setattr(Worker, "start", start)
    monkeypatch.setattr(Worker, "cancel", cancel)


def sweeps(page: Any) -> QPushButton:
    page.axes.add("cluster.groups.workers.count", "4,8")
    return page.start_button


def sizes(page: Any) -> QPushButton:
    page.targets.add("duration", "<=", "1 h")
    page.axes.add("cluster.groups.workers.count", "4,8")
    return page.start_button


def asks(page: Any) -> QPushButton:
    page.source.setCurrentIndex(1)
    return page.run_button


def compares(page: Any) -> QPushButton:
    page.source.setCurrentIndex(page.source.findData("hdfs-against-minio"))
    return page.run_button


TASKS: dict[str, Callable[[Any], QPushButton]] = {
    "Sweep": sweeps,
    "Compare": compares,
    "Size": sizes,
    "Validate": lambda page: page.run_button,
    "Report": lambda page: page.build_button,
    "Delivery": lambda page: page.run_button,
    "Study": asks,
}


@pytest.mark.usefixtures("endless")
@pytest.mark.parametrize("title", TASKS)
def test_a_task_that_is_cancelled_leaves_the_page_as_it_was_and_can_be_begun_again(
    window: MainWindow, qtbot: QtBot, title: str
) -> None:
    page = window.show_page(title)
    assert isinstance(page, JobPage)
    button = TASKS[title](page)
    for fraction in MOMENTS:
        qtbot.waitUntil(button.isEnabled)
        qtbot.mouseClick(button, LEFT)
        assert page.study.is_running
        assert page.progress.isVisible()
        assert page.cancel_button.isEnabled()
        worker = page.study._worker
        assert worker is not None
        if fraction:
            worker.progressed.emit(fraction, "doing it")
        qtbot.mouseClick(page.cancel_button, LEFT)
        assert not page.study.is_running
        assert page.progress.isHidden()
        assert not page.cancel_button.isEnabled()
        assert page.message.text().startswith("Cancelled")
        worker.finished.emit("said before it ended, and delivered since")
        assert page.message.text().startswith("Cancelled")
        assert window.session.studies.running == ()


@pytest.mark.usefixtures("endless")
def test_an_import_that_is_cancelled_can_be_asked_for_again(window: MainWindow) -> None:
    page: Any = window.show_page("Import")
    for fraction in MOMENTS:
        page.add([str(MEASURED)])
        assert page.study.is_running
        page.study._worker.progressed.emit(fraction, "reading")
        page.cancel_button.click()
        assert not page.study.is_running
        assert page.message.text() == "Cancelled: what was read before stays."


@pytest.mark.usefixtures("endless")
def test_a_report_that_was_given_up_is_not_written_when_another_is_built(window: MainWindow, tmp_path: Path) -> None:
    page: Any = window.show_page("Delivery")
    page.export(tmp_path / "answer.md")
    assert page.study.is_running
    page.cancel_button.click()
    assert (page._exports, page._target) == (None, None)
    page.run_button.click()
    page.study._worker.failed.emit("it cannot be")
    assert page._exports is None
    plan: Any = window.show_page("Plan")
    plan._exports = tmp_path / "plan.md"
    plan._is_searching = True
    plan.begin(print)
    plan.cancel_button.click()
    assert plan._exports is None
