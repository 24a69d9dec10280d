"""Step 3: each requirement by candidate, with sign and words, and what would let those that fail meet it."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QHeaderView, QLabel, QSizePolicy, QTableView, QVBoxLayout, QWidget

from app.gui.look import theme
from app.gui.session.plan_answer import ShownMet, ShownPlan
from app.reports.media import bound, rich
from app.reports.plan.plan_words import UNSURE, UNSURE_SIGN

SIGNS = {"met": "✓", "unsure": UNSURE_SIGN, "missed": "✗", "unknown": "–"}
SAID = {"met": "met", "unsure": "met, but not surely", "missed": "missed", "unknown": "not known"}
MARGIN, ROW, INDENT = 8, 24, 16  # logical pixels: between parts, of a row at least, before what is unwise


def state(met: ShownMet) -> str:
    """Return how a requirement stands, as a key of `SIGNS`."""
    if met.is_met is None:
        return "unknown"
    if not met.is_met:
        return "missed"
    return "unsure" if met.chance is not None and met.chance < UNSURE else "met"


class CheckModel(QAbstractTableModel):
    """A row a requirement, a column a candidate, the best first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown: ShownPlan | None = None
        self._words: list[str] = []

    def show(self, shown: ShownPlan | None) -> None:
        """Take another answer."""
        self.beginResetModel()
        self._shown = shown
        known = [met.words for candidate in (shown.candidates if shown else ()) for met in candidate.met]
        self._words = list(dict.fromkeys(known))
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self._words)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() or self._shown is None else 1 + len(self._shown.candidates)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> str | None:
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole or self._shown is None:
            return None
        return self._shown.candidates[section - 1].name if section else "Requirement"

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        words = self._words[index.row()]
        if index.column() == 0 or self._shown is None:
            return words if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole} else None
        met = next(
            (shown_met for shown_met in self._shown.candidates[index.column() - 1].met if shown_met.words == words),
            None,
        )
        if met is None:
            return None
        likely = f"; between what it lies: {met.likely}" if met.likely else ""
        roles: dict[int, object] = {
            Qt.ItemDataRole.DisplayRole: f"{SIGNS[state(met)]} {bound(met.said)}",
            Qt.ItemDataRole.ToolTipRole: f"{words}: {SAID[state(met)]}; {met.said}{likely}",
            Qt.ItemDataRole.AccessibleTextRole: f"{SAID[state(met)]}: {met.said}{likely}",
            Qt.ItemDataRole.ForegroundRole: QBrush(QColor(_colour(state(met)))),
        }
        return roles.get(role)


class CheckView(QWidget):
    """The table, and below what each candidate lacks."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Check")
        self.model = CheckModel(self)
        self.table = QTableView(showGrid=False, wordWrap=True)
        self.table.setModel(self.model)
        self.table.setAccessibleName("Requirements by candidate")
        self.table.setAlternatingRowColors(True)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setMinimumSectionSize(ROW)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.table.setSizeAdjustPolicy(QTableView.SizeAdjustPolicy.AdjustToContents)
        self.table.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.mends = QLabel(wordWrap=True)
        self.mends.setAccessibleName("What each candidate lacks, and what is unwise in it")
        self.mends.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(MARGIN)
        layout.addWidget(self.table)
        layout.addWidget(self.mends)
        layout.addStretch()

    def show_answer(self, shown: ShownPlan | None) -> None:
        """Show an answer."""
        self.model.show(shown)
        lines = []
        for candidate in shown.candidates if shown else ():
            unsure = f" as calculated, but is {candidate.doubt}" if candidate.doubt else ""
            text = (
                f"meets all with {candidate.option}{unsure}"
                if candidate.is_feasible
                else f"{candidate.count}{',' if candidate.but else ''} with {candidate.option}"
            )
            more = f"; {candidate.mends}" if candidate.mends else ""
            told = f"<b>{rich(candidate.name)}</b> {rich(bound(f'{text}{more}').removesuffix('.'))}."
            warnings = (rich(bound(f"{warning[:1].upper()}{warning[1:]}")) for warning in candidate.warnings)
            lines += [_indented(told, above=MARGIN), *(_indented(warning, left=INDENT) for warning in warnings)]
        self.mends.setText("".join(lines))


def _colour(name: str) -> str:
    scheme = theme.current()
    return {"missed": scheme.error, "unknown": scheme.muted}.get(name, scheme.text)


def _indented(text: str, *, above: int = 0, left: int = 0) -> str:
    """Return a paragraph that keeps its distance (logical pixels) to the left in all its lines."""
    return f'<p style="margin: {above}px 0px 0px {left}px">{text}</p>'
