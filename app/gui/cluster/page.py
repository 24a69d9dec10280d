"""Cluster: what is simulated, as cards, as a tree of all keys and as text, on one undo stack."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout, QWidget

from app.gui.cluster.cards import ClusterCards
from app.gui.keys.model import ProfileModel
from app.gui.keys.toml_editor import TomlEditor
from app.gui.keys.view import ProfileTree
from app.gui.look.curtain import Curtain
from app.gui.page import Page
from app.gui.session.session import Session
from app.gui.studies.widgets import add_action
from app.reports.media import rich
from models.problem import Problem

WIDTHS = [560, 480, 480]  # logical pixels of the cards, of all keys, of the text


class ClusterPage(Page):
    """The cards on the left, all keys beside them, the text where it is asked for; the estimate below the title.

    Cards and keys are drawn in turns of their own: together they take as long as somebody notices.
    """

    title = "Cluster"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.model = ProfileModel.of(session)
        self.cards = ClusterCards(session, self.model)
        self.tree = ProfileTree(session, self.model)
        self.editor = TomlEditor(session)
        self._heading = QLabel(wordWrap=True)
        self._heading.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)  # also of Arabic
        self.estimate = QLabel(wordWrap=True)
        self.estimate.setAccessibleName("Estimate")
        self.keys_button, self.text_button = QPushButton("All &keys"), QPushButton("Show as te&xt")
        for button in (self.keys_button, self.text_button):
            button.setCheckable(True)
        self.keys_button.setChecked(True)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        for view in (self.cards, self.tree, self.editor):
            splitter.addWidget(view)
        splitter.setSizes(WIDTHS)
        self._curtains = (Curtain(self.cards), Curtain(self.tree))
        self._lets_tree = False
        self._turn = QTimer(self, singleShot=True, interval=0)
        self._turn.timeout.connect(self._draw_next)
        self._lay_out(splitter)
        self._listen()
        self.editor.hide()
        self.refresh()

    def refresh(self) -> None:
        """Show title and estimate of the open profile."""
        session = self._session
        self._heading.setText(
            f"<b>{rich(session.title)}</b>" if session.document.is_open else "<b>No profile is open</b>"
        )
        self.estimate.setText(_estimate(session))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw_anew()

    def _draw_anew(self) -> None:
        """Draw what is seen part by part, each in a turn of its own; the first one is that of the tree's keys."""
        if self.isVisible():
            self._lets_tree = True
            for curtain in self._curtains:
                curtain.fall()
            self._turn.start()

    def _draw_next(self) -> None:
        lets_tree, self._lets_tree = self._lets_tree, False
        if lets_tree or self.cards.catch_up_by_one():
            self._turn.start()
            return
        curtain = next((curtain for curtain in self._curtains if not curtain.isHidden()), None)
        if curtain is not None:
            curtain.hide()
            self._turn.start()

    def _lay_out(self, body: QWidget) -> None:
        layout, above, titles = QVBoxLayout(self), QHBoxLayout(), QVBoxLayout()
        titles.addWidget(self._heading)
        titles.addWidget(self.estimate)
        above.addLayout(titles, 1)
        above.addWidget(self.keys_button)
        above.addWidget(self.text_button)
        layout.addLayout(above)
        layout.addWidget(body, 1)

    def _listen(self) -> None:
        session = self._session
        self.keys_button.toggled.connect(self.tree.setVisible)
        self.text_button.toggled.connect(self.editor.setVisible)
        add_action(self, "Show the profile as &text", self.text_button.toggle, "Ctrl+T")
        session.estimate_changed.connect(self.refresh)
        session.document_opened.connect(self.refresh)
        session.document_opened.connect(self._draw_anew)
        session.search_asked.connect(self._on_search_asked)
        session.problem_asked.connect(self._on_problem_asked)

    def _on_search_asked(self) -> None:
        self.keys_button.setChecked(True)
        self.tree.focus_search()

    def _on_problem_asked(self, problem: Problem) -> None:
        if problem.line and problem in self.editor.problems_here():
            self.text_button.setChecked(True)
            self.editor.go_to(problem.line)


def _estimate(session: Session) -> str:
    if not session.document.is_open:
        return "Open one in the library (Ctrl+L), or drop a TOML file here."
    if session.problems:
        count = len(session.problems)
        text = f"{count} {'problem' if count == 1 else 'problems'}: the estimate waits for a profile that can be run"
        return f"{text}; the cards show the last one that could."
    return f"Estimate: {session.estimate.headline}" if session.estimate else ""
