"""The view of a report: what it shows needs no scrolling sideways on a small screen."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from app.gui.application import create
from app.gui.session.settings import Settings
from app.gui.studies.paper import PAGE_MARGIN, PICTURE, readable
from app.gui.studies.paper_view import PaperView

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
