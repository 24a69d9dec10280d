"""What one meets every day: filters, charts that were scrolled, Tab, new rows, results of another profile."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.look.theme import current
from app.gui.shell.window import MainWindow
from app.gui.sweep.chart_view import SweepChartView
from app.gui.sweep.jobs import Begun, Swept
from app.gui.sweep.model import SweepModel
from app.reports.sweep.sweep_points import SweptPoint, VariedKey

COUNT = "cluster.groups.workers.count"
PATIENCE = 60_000  # milliseconds


def test_keys_keep_the_width_of_their_column_when_they_are_filtered(window: MainWindow, qtbot: QtBot) -> None:
    tree = window.show_page("Cluster").tree
    tree.unfold()
    width = tree.view.columnWidth(0)
    for text in ("heartbeat", "nothing is called so", ""):
        tree.search.setText(text)
        qtbot.wait(1)
        assert tree.view.columnWidth(0) == width


def test_keys_of_another_profile_are_wide_enough_though_a_filter_hides_them_all(
    window: MainWindow, qtbot: QtBot
) -> None:
    tree = window.show_page("Cluster").tree
    width = tree.view.columnWidth(0)
    tree.search.setText("nothing is called so")
    window.session.open("hdfs-terasort")
    tree.search.setText("")
    qtbot.wait(1)
    assert tree.view.columnWidth(0) >= width


def test_tab_reaches_the_tiles_of_start(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("Start")
    reached = set()
    for _ in range(40):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        reached.add(QApplication.focusWidget())
    assert {*page.tiles, page.library_button} <= reached


def test_a_chart_that_was_scrolled_and_zoomed_shows_all_again_by_a_double_click(
    qapp: QApplication, qtbot: QtBot
) -> None:
    model = SweepModel()
    view = SweepChartView(model)
    qtbot.addWidget(view)
    key = VariedKey(key=COUNT, name="count", values=("12", "24"), unit="1", numbers=(12.0, 24.0))
    model.begin(Begun((key,)))
    points = tuple(
        SweptPoint(
            index=index,
            values=((COUNT, count),),
            duration=duration,
            limit="",
            measures={"duration": (duration, "s", False)},
        )
        for index, (count, duration) in enumerate((("12", 5.0), ("24", 3.0)))
    )
    model.take(Swept(points, firsts=frozenset({1}), front=frozenset(), shown=(("duration", "s"),)))
    view.resize(500, 400)
    view.show()
    view.refresh()
    box, viewport = view.chart.plot.getViewBox(), view.chart.plot.viewport()
    before = box.viewRange()
    box.translateBy(x=1e6, y=1e6)
    box.scaleBy((0.01, 0.01))
    assert box.viewRange() != before
    qtbot.mouseDClick(viewport, Qt.MouseButton.LeftButton, pos=viewport.rect().center())
    assert box.viewRange() == [pytest.approx(side) for side in before]


def test_a_new_row_is_no_mistake(window: MainWindow) -> None:
    size, sweep = window.show_page("Size"), window.show_page("Sweep")
    size.targets.add()
    error = current().error
    assert size.targets.data(size.targets.index(0, 3), Qt.ItemDataRole.ForegroundRole).color().name() != error.lower()
    assert not size.targets.is_right
    sweep.axes.add()
    assert sweep.axes.complaint == ""
    assert not sweep.axes.plan.wrong
    sweep.axes.add("workload.input", "5 GB,6 GB")
    assert sweep.axes.plan.is_right
    sweep.axes.add("workload.cpu", "no number")
    assert list(sweep.axes.plan.wrong) == [2]


def test_the_result_of_another_profile_is_dim_and_says_whose_it_is(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        window.run_action.trigger()
    page = window.show_page("Run")
    answer = page.answer
    qtbot.waitUntil(lambda: page.is_filled)
    assert answer.headline.isEnabled()
    bright = page.views.grab().toImage()
    window.session.set_value("workload.input", "6 GB")
    window.session.check()
    assert not answer.headline.isEnabled()
    assert page.views.grab().toImage() != bright  # charts and tables are as dim as the answer
    assert "the profile has changed since" in answer.caption.text()
    window.session.document.stack.undo()
    window.session.check()
    assert answer.headline.isEnabled()
    assert page.views.grab().toImage() == bright
    window.session.document.stack.setClean()
    window.session.open("copy-distcp-11-node")
    assert not answer.headline.isEnabled()
    assert not answer.details.isEnabled()
    assert "Small TeraSort" in answer.caption.text()
    assert "another profile is open" in answer.caption.text()


@pytest.mark.parametrize("edited", ["reduces = 3\n", ""], ids=["a value", "a key that is left out"])
def test_the_title_of_a_run_says_that_the_profile_was_changed(window: MainWindow, qtbot: QtBot, edited: str) -> None:
    session, line = window.session, "reduces = 2\n"
    session.open_text(opened := session.document.text + line, "small")
    answer = window.show_page("Run").answer
    for text, caption in ((opened, "Small TeraSort"), (opened.replace(line, edited), "Small TeraSort, changed")):
        session.set_text(text)
        session.check()
        with qtbot.waitSignal(session.run_finished, timeout=PATIENCE):
            window.run_action.trigger()
        assert answer.caption.text() == caption
