"""Help on F1: on a key wherever it has the focus, on each page, and by search, from the pages that ship."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from app.gui.keys.model import ENTRY, ProfileModel
from app.gui.pages import PAGES
from app.gui.session.session import Session
from app.gui.shell.help_pages import (
    docs_folder,
    find,
    mentions,
    reference,
    reference_rows,
    reference_topic,
    search,
    topics,
)
from app.gui.shell.window import MainWindow

ROOT = Path(__file__).parents[3]
COUNT = "cluster.groups.workers.count"


def shown(window: MainWindow) -> str:
    return window.docks.help.text.toPlainText()


def test_f1_in_the_tree_tells_of_the_chosen_key_with_its_default_and_where_to_read_on(
    window: MainWindow, qtbot: QtBot
) -> None:
    page = window.show_page("Cluster")
    page.tree.view.setFocus()
    window.session.select_key("storage.replication")
    qtbot.keyClick(page.tree.view, Qt.Key.Key_F1)
    assert window.docks.help.isVisible()
    assert "Replicas of each block" in shown(window)
    assert "Default\n3" in shown(window)
    assert "Storage systems – Glossary" in shown(window)


def test_f1_in_the_text_tells_of_the_key_under_the_cursor(window: MainWindow, qtbot: QtBot) -> None:
    page = window.show_page("Cluster")
    page.text_button.click()
    page.editor.setFocus()
    page.editor.moveCursor(QTextCursor.MoveOperation.End)
    page.editor.go_to(10)
    qtbot.keyClick(page.editor, Qt.Key.Key_F1)
    assert "Bytes read by the maps" in shown(window)


@pytest.mark.parametrize("title", [entry.title for entry in PAGES])
def test_every_page_says_what_it_answers_and_lists_its_actions(window: MainWindow, title: str) -> None:
    page = window.show_page(title)
    window.help_on_page()
    assert shown(window).startswith(title)
    assert len(shown(window)) > 100
    for action in page.actions():
        assert action.text().replace("&", "").removesuffix("…") in shown(window)


def test_a_link_leads_to_its_section_and_back(window: MainWindow, qtbot: QtBot) -> None:
    view = window.docks.help
    window.search_help()
    view.show_address("window.md#sweep")
    view.follow(QUrl("command-line.md#sweeps"))
    assert shown(window).startswith("Sweeps")
    view._back.click()
    assert shown(window).startswith("Sweep\n")


def test_words_find_sections_and_enter_shows_the_likeliest(window: MainWindow, qtbot: QtBot) -> None:
    view = window.docks.help
    window.search_help()
    qtbot.keyClicks(view.search, "parity")
    assert 0 < view.model.rowCount() < len(topics())
    qtbot.keyClick(view.search, Qt.Key.Key_Return)
    assert "parity" in shown(window).casefold()
    qtbot.keyClicks(view.search, " nonsense")
    assert view.model.rowCount() == 0


def test_titles_come_before_texts() -> None:
    assert search("durability")[0].title.casefold().endswith("durability")
    assert search("size")[0].title == "Size"


def test_every_key_of_a_profile_has_its_row_in_the_reference(session: Session) -> None:
    model = ProfileModel.of(session)
    leaves = [entry for entry in model._by_key.values() if entry.is_leaf]
    assert [entry.key for entry in leaves if reference_topic(entry.key) is None] == []
    told = {row.meaning for row in reference()}
    unsaid = [entry.key for entry in leaves if reference_rows(entry.key) and entry.description not in told]
    assert unsaid == []
    assert model.index_of(COUNT).data(ENTRY).description == reference_rows(COUNT)[0].meaning


def test_a_key_is_found_where_pages_speak_of_it() -> None:
    assert "models.md#drives-controllers-and-volumes" in [topic.address for topic in mentions("mixed_chunk")]


def test_every_link_of_the_pages_leads_to_a_section() -> None:
    for topic in topics():
        for address in re.findall(r"\]\(([\w-]*\.md(?:#[\w-]+)?)\)", topic.text):
            assert find(address) is not None, f"{topic.address} links to {address}"


def test_the_pages_are_there() -> None:
    assert {topic.page for topic in topics()} == {path.name for path in docs_folder().glob("*.md")}
    assert len(topics()) > 100


def test_a_wheel_has_every_page_where_the_help_looks_for_it() -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = stated["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    pages = sorted(path.name for path in (ROOT / "docs").glob("*.md"))
    assert included == {f"docs/{name}": f"app/docs/{name}" for name in pages}
