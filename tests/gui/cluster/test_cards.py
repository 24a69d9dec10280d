"""Cards of a cluster: a field changes one line, parts are chosen, copied, added and removed, on the one undo stack."""

from __future__ import annotations

import tomllib

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from app.gui.cluster.cards import Card, ClusterCards
from app.gui.cluster.chooser import PartChooser
from app.gui.cluster.sections import Can
from app.gui.session.session import Session
from app.gui.shell.window import MainWindow
from tests.gui.conftest import SMALL


@pytest.fixture
def cards(window: MainWindow) -> ClusterCards:
    view = window.show_page("Cluster").cards
    assert isinstance(view, ClusterCards)
    return view


def card(cards: ClusterCards, title: str) -> Card:
    return next(made for made in cards.cards if made.section.title == title)


def titles(cards: ClusterCards) -> list[str]:
    return [made.section.title for made in cards.cards]


def said(session: Session) -> dict:
    session.check()
    assert session.is_valid, session.problems
    return tomllib.loads(session.document.text)


def do(card: Card, text: str) -> None:
    """Choose a line of the menu of a card."""
    next(action for action in card.menu_button.menu().actions() if action.text() == text).trigger()


def test_no_card_is_empty_and_what_a_profile_states_of_a_rebalance_has_one(
    window: MainWindow, cards: ClusterCards
) -> None:
    assert all(made.fields or made.choosers or made.section.can for made in cards.cards)
    assert "Rebalance" not in titles(cards)
    window.session.set_text(f"{SMALL}\n[rebalance]\nservers = 2\n")
    window.session.check()
    assert "Rebalance" in titles(cards)


def test_cards_that_nobody_sees_are_made_when_they_are_shown(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("Cluster")
    shown = page.findChildren(Card)
    window.show_page("Start")
    window.session.open("shared-day")
    assert page.findChildren(Card) == shown
    window.show_page("Cluster")
    qtbot.waitUntil(lambda: len(page.findChildren(Card)) > len(shown))


def test_a_long_name_makes_no_card_wider_than_the_others(window: MainWindow, cards: ClusterCards) -> None:
    usual = cards.widget().minimumSizeHint().width()
    name = f"group-{'x' * 54}"
    text = SMALL.replace('"12-h1"', f'{{ groups = {{ {name} = {{ count = 12, server = "h1.16xlarge" }} }} }}')
    window.session.set_text(text)
    window.session.check()
    assert card(cards, f"Servers: {name}").title.text() == f"Servers: {name}"
    assert cards.widget().minimumSizeHint().width() == usual
    assert cards.horizontalScrollBar().maximum() == 0


def test_a_field_of_a_card_changes_one_value_and_is_undone(
    window: MainWindow, cards: ClusterCards, qtbot: QtBot
) -> None:
    field = card(cards, "Servers: workers").fields[0].editor
    assert isinstance(field, QLineEdit)
    field.selectAll()
    qtbot.keyClicks(field, "24")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert said(window.session)["cluster"] == {"use": "12-h1", "groups": {"workers": {"count": 24}}}
    window.undo_action.trigger()
    assert window.session.document.text == SMALL
    window.session.check()
    assert field.text() == "12"


def test_a_part_is_chosen_from_the_catalogue_by_a_few_letters(
    window: MainWindow, cards: ClusterCards, qtbot: QtBot
) -> None:
    qtbot.mouseClick(card(cards, "Servers: workers").choosers[0], Qt.MouseButton.LeftButton)
    chooser = cards.findChild(PartChooser)
    qtbot.keyClicks(chooser.filter, "hdd-25")
    qtbot.keyClick(chooser.filter, Qt.Key.Key_Return)
    assert said(window.session)["cluster"]["groups"]["workers"]["server"] == "hdd-25gbe"
    assert card(cards, "Servers: workers").choosers[0].text() == "hdd-25gbe…"


@pytest.fixture
def chooser(window: MainWindow, cards: ClusterCards, qtbot: QtBot) -> PartChooser:
    qtbot.mouseClick(card(cards, "Servers: workers").choosers[0], Qt.MouseButton.LeftButton)
    shown = cards.findChild(PartChooser)
    assert isinstance(shown, PartChooser)
    return shown


def test_parts_are_narrowed_by_words_in_any_order_of_what_they_are(chooser: PartChooser, qtbot: QtBot) -> None:
    qtbot.keyClicks(chooser.filter, "244 gib 36 vCPU d2")
    assert chooser.chosen == "d2.8xlarge"
    assert chooser.told.text().startswith("1 of ")
    shown = chooser.list.currentIndex().data()
    assert shown == "d2.8xlarge  –  EC2: 36 vCPU, 244 GiB, 10 Gbit/s, 24 × d2-hdd"


def test_the_arrow_keys_choose_a_part_while_one_types(window: MainWindow, chooser: PartChooser, qtbot: QtBot) -> None:
    qtbot.keyClicks(chooser.filter, "nvme gbe")
    first = chooser.chosen
    qtbot.keyClick(chooser.filter, Qt.Key.Key_Down)
    assert chooser.chosen not in {first, ""}
    taken = chooser.chosen
    qtbot.keyClick(chooser.filter, Qt.Key.Key_Return)
    assert said(window.session)["cluster"]["groups"]["workers"]["server"] == taken


def test_no_part_is_taken_where_no_name_has_the_words(window: MainWindow, chooser: PartChooser, qtbot: QtBot) -> None:
    qtbot.keyClicks(chooser.filter, "no such part")
    assert chooser.told.text().startswith("None of ")
    qtbot.keyClick(chooser.filter, Qt.Key.Key_Return)
    assert chooser.isVisible()
    assert window.session.document.text == SMALL


def test_every_server_of_the_catalogue_says_what_it_is_and_no_line_is_cut(chooser: PartChooser, qtbot: QtBot) -> None:
    items = [chooser.list.model().index(row, 0) for row in range(chooser.list.model().rowCount())]
    assert [item.data() for item in items if "  –  " not in item.data()] == []
    assert chooser.list.horizontalScrollBar().maximum() == 0


def test_a_copy_of_a_part_stands_in_the_profile_and_says_the_same(window: MainWindow, cards: ClusterCards) -> None:
    session = window.session
    before = session.scenario
    do(card(cards, "Storage"), "Edit a copy of hdfs")
    assert said(session)["storage"]["system"] == "hdfs"
    assert session.scenario == before
    assert card(cards, "Storage").choosers[0].text() == "of its own…"


def test_servers_bays_and_workloads_are_added_and_removed(window: MainWindow, cards: ClusterCards) -> None:
    session = window.session
    do(card(cards, "Servers: workers"), "Add servers like these")
    assert set(said(session)["cluster"]["groups"]) == {"workers-2"}
    do(card(cards, "Servers: workers-2"), "Add a bay")
    said(session)
    assert "extra" in session.scenario.cluster.groups["workers-2"].server.bays
    do(card(cards, "Servers: workers-2"), "Remove Servers: workers-2")
    said(session)
    assert "Servers: workers-2" not in titles(cards)
    do(card(cards, "Workload"), "Add a workload like this")
    assert [workload["name"] for workload in said(session)["workloads"]] == ["first", "another"]
    do(card(cards, "Workload another"), "Remove Workload another")
    assert [workload["name"] for workload in said(session)["workloads"]] == ["first"]


def test_an_expansion_is_added_to_a_cluster_that_grows(window: MainWindow, cards: ClusterCards) -> None:
    window.open("growth-hdfs")
    assert Can.ADD_EXPANSION in card(cards, "Growth").section.can
    do(card(cards, "Growth"), "Add an expansion")
    assert len(window.session.scenario.growth.expansions) == 1
    said(window.session)
    assert len(window.session.scenario.growth.expansions) == 2


def test_cards_stay_dimmed_while_the_text_is_wrong(window: MainWindow, cards: ClusterCards) -> None:
    before = titles(cards)
    window.session.set_text(SMALL.replace('"5 GB"', '"5 pounds"'))
    window.session.check()
    assert titles(cards) == before
    assert {label.foregroundRole() for label in cards.findChildren(QLabel)} == {QPalette.ColorRole.PlaceholderText}
    window.undo_action.trigger()
    window.session.check()
    assert {label.foregroundRole() for label in cards.findChildren(QLabel)} == {QPalette.ColorRole.WindowText}


def test_a_card_in_bytes_is_hinted_at_and_taken(cards: ClusterCards, window: MainWindow, qtbot: QtBot) -> None:
    made = next(made for made in cards.cards if made.section.title.startswith("Servers"))
    field = next(field for field in made.fields if field.editor.accessibleName().startswith("Network card"))
    for text, hint in (
        ("25 GB/s", "25 GB/s are 200 Gbit/s, and cards are sold by bits: write 25 Gbit/s if that is meant"),
        ("200 Gbit/s", ""),
    ):
        field.editor.selectAll()
        qtbot.keyClicks(field.editor, text)
        qtbot.keyClick(field.editor, Qt.Key.Key_Return)
        window.session.check()
        assert window.session.is_valid
        assert (field.hint.text(), field.hint.isHidden()) == (hint, not hint)
