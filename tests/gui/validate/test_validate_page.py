"""Validate, from the button to the table and the picture, and from an outcome to its profile."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.gui.shell.window import MainWindow
from app.gui.validate.page import NOTHING, ValidatePage

PATIENCE = 60_000  # milliseconds; closed forms take none, the start of the process takes seconds


@pytest.fixture
def page(window: MainWindow) -> ValidatePage:
    """Return the page with the family of sizings, which are closed forms."""
    shown = window.show_page("Validate")
    assert isinstance(shown, ValidatePage)
    shown.family.setCurrentIndex(shown.family.findData("sizing"))
    return shown


def test_a_family_is_validated_and_stands_in_table_words_and_picture(page: ValidatePage, qtbot: QtBot) -> None:
    assert {outcome.simulated for outcome in page.model.shown} == {None}
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        qtbot.mouseClick(page.run_button, Qt.MouseButton.LeftButton)
    assert all(outcome.simulated is not None for outcome in page.model.shown)
    assert {outcome.role for outcome in page.model.shown} == {"answer"}
    assert "mean error 0.0 %, at most 0.5 %" in page.said.text()
    assert "sizing" in page.parity.legend.text()
    assert page.run_button.isEnabled()


def test_all_documented_outcomes_are_listed_before_anything_runs(page: ValidatePage) -> None:
    page.family.setCurrentIndex(0)
    listed = {outcome.family for outcome in page.model.shown}
    assert listed == set(page.model.families)
    assert {"mapreduce", "hepix", "presto", "tpch"} <= listed


def test_an_outcome_that_is_activated_opens_its_profile(window: MainWindow, page: ValidatePage, qtbot: QtBot) -> None:
    window.session.document.stack.setClean()
    name = page.model.shown[0].profile
    page.table.setCurrentIndex(page.table.model().index(0, 0))
    page.table.activated.emit(page.table.currentIndex())
    assert window.session.document.name == name
    assert window.page == "Cluster"


def test_a_point_that_is_clicked_is_chosen_in_the_table_and_told(page: ValidatePage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.run()
    outcome = page.model.shown[2]
    plot = page.parity.plot
    qtbot.wait(50)  # milliseconds: the axes take their room when they are painted
    at = plot.plotItem.vb.mapViewToScene(QPointF(math.log10(outcome.middle), math.log10(outcome.simulated)))
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.mapFromScene(at))
    assert page.outcome is not None
    assert page.outcome.middle == outcome.middle
    page.table.clearSelection()
    qtbot.keyClick(page.parity, Qt.Key.Key_Home)
    qtbot.keyClick(page.parity, Qt.Key.Key_Return)
    assert page.outcome is not None
    assert page.parity.accessibleDescription().startswith(page.outcome.id)
    page.choose(outcome)
    assert page.outcome.source in page.details.text()


def test_the_run_of_an_outcome_is_a_click_away(window: MainWindow, page: ValidatePage, qtbot: QtBot) -> None:
    window.session.document.stack.setClean()
    page.table.selectRow(0)
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        qtbot.mouseClick(page.simulate_button, Qt.MouseButton.LeftButton)
    assert window.page == "Run"
    assert window.session.last_run.request.name == page.model.shown[0].profile


def test_before_a_validation_the_picture_says_what_to_do(page: ValidatePage) -> None:
    assert not page.parity.has_plot
    assert page.parity.legend.text() == NOTHING
    assert page.simulate_button.isHidden()


def test_the_command_validates_the_same_family(page: ValidatePage) -> None:
    page.actions()[1].trigger()
    assert QGuiApplication.clipboard().text() == "simulate validate --family sizing"
    page.family.setCurrentIndex(0)
    page.actions()[1].trigger()
    assert QGuiApplication.clipboard().text() == "simulate validate"
