"""A rented store in the window: a candidate without servers, priced beside one with servers."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.gui.plan.candidates_view import RENTED
from app.gui.plan.model import first
from app.gui.plan.page import PlanPage
from app.gui.shell.window import MainWindow
from tests.gui.plan.test_plan_page import NAMED, PATIENCE, typed

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def page(window: MainWindow) -> PlanPage:
    shown = window.show_page("Plan")
    assert isinstance(shown, PlanPage)
    return shown


def test_a_rented_store_without_servers_is_priced_beside_servers_of_ones_own(page: PlanPage, qtbot: QtBot) -> None:
    typed(page, qtbot, "Stored now", "20 TB")
    page.model.set("2 servers", "requirements", "survives_reading")
    qtbot.mouseClick(page.next_button, LEFT)
    qtbot.mouseClick(page.candidates.add_button, LEFT)
    model = page.model
    model.set("amazon-s3", "candidates", NAMED, "storage")
    name = next(iter(model.candidates))
    servers = page.candidates.cards[0].server
    servers.textActivated.emit(RENTED)
    name = next(iter(model.candidates))
    assert name == "amazon-s3 as a service"
    assert model.candidates[name] == {"storage": "amazon-s3"}
    assert not page.candidates.cards[0].count.isEnabled()
    model.set("aws-2026", "candidates", name, "prices")
    qtbot.mouseClick(page.candidates.add_button, LEFT)
    own = list(model.candidates)[1]
    assert model.candidates[own]["count"]
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.run()
    rented = next(one for one in model.answer.candidates if one.name == name)
    assert rented.is_feasible
    assert rented.option == "no servers of its own"
    assert [met.said for met in rented.met] == ["unlimited", *["any number may fail"] * 2]
    model.set("hdd-25gbe", "candidates", name, "servers")
    assert model.candidates[next(iter(model.candidates))]["count"] == first(0)["count"]
