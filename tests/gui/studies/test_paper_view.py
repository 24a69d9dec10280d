"""The view of a report: what it shows needs no scrolling sideways on a small screen."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.gui.application import create
from app.gui.session.settings import Settings
from app.gui.studies.paper import PAGE_MARGIN, PICTURE, readable
from app.gui.studies.paper_view import PaperView
from app.reports.document import Document, Paragraph, Section
from app.reports.forms.document_html import render
from tests.gui.conftest import show

CHART = '<svg width="475.2pt" height="230.4pt" viewBox="0 0 475.2 230.4"><path d="M0 0h9v9z"/></svg>'
NARROW, WIDE = 480, 900  # logical pixels of a report in a window of 960, and in a usual one


def test_charts_are_as_wide_as_a_narrow_page_and_no_wider_than_they_are_drawn(qtbot: QtBot, settings: Settings) -> None:
    create(settings)
    view = PaperView("Report")
    qtbot.addWidget(view)
    view.show_page(readable(f"<p>before</p>{CHART}<p>after</p>"))
    view.resize(WIDE, 400)
    view.show()
    assert f'width="{PICTURE}"' in view.toHtml()
    view.resize(NARROW, 400)
    qtbot.waitUntil(lambda: f'width="{PICTURE}"' not in view.toHtml())
    assert view.horizontalScrollBar().maximum() == 0
    assert view.document().idealWidth() <= view.viewport().width() + PAGE_MARGIN


def test_a_page_of_anybody_loads_no_file(qtbot: QtBot, settings: Settings, tmp_path: Path) -> None:
    create(settings)
    view = PaperView("Report")
    qtbot.addWidget(view)
    file = tmp_path / "secret.html"
    file.write_text("secret")
    before = view.toPlainText()
    view.show_page(f'<img src="{file.as_uri()}"><a href="{file.as_uri()}">on</a>')
    for kind in QTextDocument.ResourceType.HtmlResource, QTextDocument.ResourceType.ImageResource:
        assert view.loadResource(kind, QUrl.fromLocalFile(str(file))) is None
    view.setSource(QUrl.fromLocalFile(str(file)))
    assert "secret" not in before + view.toPlainText()


def test_headings_are_apart_from_what_is_above_them(qtbot: QtBot, settings: Settings) -> None:
    create(settings)
    view = PaperView("Report")
    qtbot.addWidget(view)
    document = Document("Report", [Section("a", "First", [Paragraph("words")]), Section("b", "Second", [])])
    view.show_page(readable(render(document).decode()))
    cursor = view.document().find("Second", view.document().find("words"))
    assert cursor.blockFormat().topMargin() > view.fontMetrics().height()


def test_a_page_that_is_shown_anew_stays_where_one_reads(qtbot: QtBot, settings: Settings) -> None:
    create(settings)
    view = PaperView("Report")
    qtbot.addWidget(view)
    view.resize(NARROW, 200)
    view.show()
    view.show_page("<p>line</p>" * 100)
    view.verticalScrollBar().setValue(300)
    view.show_page("<p>line</p>" * 101)
    assert view.verticalScrollBar().value() == 300


def test_tab_passes_a_report_by_and_the_arrow_keys_go_from_link_to_link(qtbot: QtBot, settings: Settings) -> None:
    create(settings)
    around, view, before, after = QWidget(), PaperView("Report"), QLineEdit(), QLineEdit()
    qtbot.addWidget(around)
    layout = QHBoxLayout(around)
    for part in (before, view, after):
        layout.addWidget(part)
    view.show_page("<p><a href='#one'>one</a> and <a href='#two'>two</a></p>")
    show(around, qtbot)
    before.setFocus()
    for widget in (view, after):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is widget
    qtbot.keyClick(after, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert QApplication.focusWidget() is view
    met = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        qtbot.keyClick(view, key)
        met.append(view.textCursor().selectedText())
    assert met == ["one", "two", "one"]
    with qtbot.waitSignal(view.anchorClicked) as followed:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert followed.args[0].fragment() == "one"
    assert view.hasFocus()
