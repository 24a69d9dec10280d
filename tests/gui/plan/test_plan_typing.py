"""What is typed into a plan is taken before a key does anything else."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.gui.plan.candidates_view import OF_PLAN
from app.gui.plan.fields import CardField
from app.gui.plan.money_fields import PriceListField
from app.gui.plan.page import PlanPage
from app.gui.session.project_file import read
from app.gui.shell.window import MainWindow
from tests.gui.hands import ALT, CTRL


def typed(window: MainWindow, qtbot: QtBot, name: str, text: str) -> QLineEdit:
    """Type into a field of the plan, and leave the keys there."""
    page = window.show_page("Plan")
    line = next(field for field in page.findChildren(QLineEdit) if field.accessibleName() == name)
    line.setFocus()
    qtbot.keyClicks(line, text)
    return line


def entered(window: MainWindow, qtbot: QtBot, name: str, text: str) -> PlanPage:
    """Type over what stands in a field of the plan, and return the page."""
    page = window.show_page("Plan")
    assert isinstance(page, PlanPage)
    line = next(field for field in page.findChildren(QLineEdit) if field.accessibleName() == name)
    line.selectAll()
    qtbot.keyClick(line, Qt.Key.Key_Delete)
    qtbot.keyClicks(line, text)
    qtbot.keyClick(line, Qt.Key.Key_Return)
    return page


def with_a_candidate(window: MainWindow) -> PlanPage:
    """Return the page with one candidate, as the button adds it."""
    page = window.show_page("Plan")
    assert isinstance(page, PlanPage)
    page.show_step(1)
    page.candidates.add_button.click()
    return page


def test_it_is_in_the_project_that_a_key_saves(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "ours.headroom"
    window.projects.model.save(file)
    line = typed(window, qtbot, "Stored now", "30 TB")
    qtbot.keyClick(line, Qt.Key.Key_S, CTRL | ALT)
    assert 'stored = "30 TB"' in read(file).setups.plan.text
    assert line.hasFocus()


def test_a_button_that_is_pressed_by_its_letter_leaves_it(window: MainWindow, qtbot: QtBot) -> None:
    line = typed(window, qtbot, "Budget", "9 M USD")
    model = window.pages["Plan"].model
    qtbot.keyClick(line, Qt.Key.Key_J, ALT)
    qtbot.waitUntil(lambda: len(model.workloads) == 1)
    assert model.get("requirements", "budget") == "9 M USD"


@pytest.mark.parametrize(
    ("name", "text", "key", "number"),
    [("Years", "5 years", "years", 5), ("Years", "4Y", "years", 4), ("Rack units at most", "84 U", "rack_units", 84)],
)
def test_a_number_may_be_followed_by_what_it_counts(
    window: MainWindow, qtbot: QtBot, name: str, text: str, key: str, number: float
) -> None:
    model = entered(window, qtbot, name, text).model
    assert model.get("requirements", key) == number
    assert model.problem_of("requirements", key) == ""


def test_a_logo_that_is_no_picture_is_refused_when_it_is_chosen_and_told_when_it_is_typed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    page = entered(window, qtbot, "Stored now", "20 TB")
    (tmp_path / "logo.png").write_text("no picture")
    page.decide.logo_chosen.emit(tmp_path / "logo.png")
    assert "expected a picture, PNG or JPEG (got 'logo.png')" in page.message.text()
    assert page.model.get("logo") is None
    page.model.base = tmp_path / "plan.toml"
    page.candidates.add_button.click()
    assert page.check_button.isEnabled()
    entered(window, qtbot, "Logo", "logo.png")
    assert "Logo: expected a picture" in page.message.text()
    assert not page.check_button.isEnabled()
    entered(window, qtbot, "Logo", "")
    assert page.check_button.isEnabled()


@pytest.mark.parametrize("typed", ["0", "20,000,000"])
def test_a_count_of_servers_that_no_plan_takes_stays_as_it_is_typed_and_is_refused_in_words(
    window: MainWindow, qtbot: QtBot, typed: str
) -> None:
    page = window.show_page("Plan")
    page.model.add_candidate()
    page.show_step(1)
    for box in page.candidates.cards[0].count.boxes[:2]:
        box.selectAll()
        qtbot.keyClicks(box, typed)
        qtbot.keyClick(box, Qt.Key.Key_Return)
        assert box.text() == typed
    assert "expected whole numbers from 1 to 9,999,999" in page.message.text()
    assert "expected whole numbers" in box.accessibleDescription()


def test_large_counts_of_servers_are_shown_and_taken_with_their_thousands_apart(
    window: MainWindow, qtbot: QtBot
) -> None:
    page = window.show_page("Plan")
    page.model.add_candidate()
    page.show_step(1)
    card = page.candidates.cards[0]
    _, most, _ = card.count.boxes
    most.selectAll()
    qtbot.keyClicks(most, "22,000")
    qtbot.keyClick(most, Qt.Key.Key_Return)
    assert most.text() == "22,000"
    assert page.model.get("candidates", card.called, "count").partition("..")[2].startswith("22000:")


def test_no_count_of_servers_is_cut_in_a_small_window(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(960, 540)
    page = window.show_page("Plan")
    for _ in range(2):
        page.model.add_candidate()
    page.show_step(1)
    card = page.candidates.cards[0]
    page.model.set("1000000..2000000:1000", "candidates", card.called, "count")
    qtbot.waitUntil(lambda: card.count.boxes[1].text() == "2,000,000")
    page.grab()
    for box in card.count.boxes:
        assert box.lineEdit().width() >= box.fontMetrics().horizontalAdvance(box.text())


def test_a_card_in_bytes_is_hinted_at_and_taken(window: MainWindow, qtbot: QtBot) -> None:
    page = with_a_candidate(window)
    (card,) = page.candidates.cards
    card._take_as_own()
    name = next(name for name in page.model.candidates)
    for text, hint in (("25 GB/s", "25 GB/s are 200 Gbit/s"), ("25 Gbit/s", "")):
        entered(window, qtbot, f"Network card of {name}", text)
        (field,) = page.candidates.findChildren(CardField)
        assert field.hint.text().startswith(hint)
        assert field.hint.isHidden() == (not hint)
        assert page.model.get("candidates", name, "servers", "nic", "bandwidth") == text
        assert not page.model.problem_of("candidates", name, "servers", "nic", "bandwidth")


def test_a_search_that_is_refused_names_the_field_that_helps_and_no_line_of_a_file(
    window: MainWindow, qtbot: QtBot
) -> None:
    page = with_a_candidate(window)
    page.show_step(0)
    entered(window, qtbot, "Stored now", "300 TB")
    entered(window, qtbot, "Budget", "900 k EUR")
    with qtbot.waitSignal(page.study.failed, timeout=120_000):
        page.check_button.click()
    assert page.message.text() == (
        "The price list does not say what EUR is worth; say it under Exchange rate in step 1"
    )


def test_an_ingest_and_a_rented_part_that_are_typed_stand_in_the_plan(window: MainWindow, qtbot: QtBot) -> None:
    page = entered(window, qtbot, "Ingest", "2 TB/d")
    entered(window, qtbot, "Ingest growth", "10")
    assert page.model.get("requirements", "ingest_growth") == "10 %"
    name = page.model.get("prices")
    entered(window, qtbot, "Rented servers up", "12 %")
    assert page.model.get("prices") == {"use": name, "rented_part": "12 %"}
    assert {problem.key for problem in page.model.problems} == {"candidates"}
    entered(window, qtbot, "Rented servers up", "")
    assert page.model.get("prices") == name


def test_a_candidate_has_a_rented_part_of_its_own_where_it_has_prices_of_its_own(
    window: MainWindow, qtbot: QtBot
) -> None:
    page = with_a_candidate(window)
    (name,) = page.model.candidates
    line = next(f for f in page.findChildren(QLineEdit) if f.accessibleName() == f"Rented servers up of {name}")
    assert not line.isEnabled()
    at = ("candidates", name, "prices")
    page.model.set("aws-on-demand-2019", *at)
    assert line.isEnabled()
    entered(window, qtbot, line.accessibleName(), "12")
    assert page.model.get(*at) == {"use": "aws-on-demand-2019", "rented_part": "12 %"}
    prices = next(f for f in page.findChildren(PriceListField) if f.accessibleName() == f"Prices of {name}")
    assert prices.currentText() == "aws-on-demand-2019"
    prices.textActivated.emit(OF_PLAN)
    assert page.model.get(*at) is None


def test_a_plan_in_which_nothing_is_stored_names_the_field_and_no_key(window: MainWindow, qtbot: QtBot) -> None:
    page = with_a_candidate(window)
    qtbot.waitUntil(lambda: "say under Stored now in step 1" in page.strip.said.text(), timeout=10_000)
    with qtbot.waitSignal(page.study.failed, timeout=120_000):
        page.check_button.click()
    assert page.message.text() == (
        "Nothing is stored, and nothing runs; say under Stored now in step 1 what is, or add a workload there"
    )
