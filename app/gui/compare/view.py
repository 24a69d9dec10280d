"""The table of a comparison: a column a scenario, all of them in sight; what rows are about stays where it is."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStyle, QTableView

from app.gui.compare.model import SWATCH, CompareModel
from app.reports.media import cell

FIRST = 230  # logical pixels: room for what a row is about
NARROWEST, WIDEST = 108, 260  # logical pixels of a scenario: lines are broken, and columns scrolled below that
BREAKS = re.compile(r"[\s/-]")  # where a line may end
MARGIN = 14  # logical pixels of a header around its text


class CompareTable(QTableView):
    """Shows a comparison. The columns share the width; words that are too long for theirs go on below."""

    def __init__(self, model: CompareModel) -> None:
        super().__init__()
        self._rows = model
        self.frozen = QTableView(self)
        for view in (self, self.frozen):
            _prepare(view, model)
        self.setAccessibleName("Scenarios side by side")
        self._wide: dict[str, int] = {}  # logical pixels of words on one line
        self._fitted: tuple[object, ...] = ()  # what rows have the height of
        model.modelReset.connect(self._forget)
        self._freeze()

    def fit(self) -> None:
        """Share the width among the scenarios, and give rows the height of what they hold."""
        count = self._rows.columnCount() - 1
        if count < 1:
            return
        inside = 2 * (self.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, self) + 1)
        first = min(max(self._width(label) for label, *_ in self._rows.texts()) + inside + MARGIN, FIRST)
        width = max(NARROWEST, min((self.viewport().width() - first) // count, WIDEST))
        self.setColumnWidth(0, first)
        for column in range(1, count + 1):
            self.setColumnWidth(column, width)
            self.frozen.setColumnHidden(column, True)
        self.frozen.setColumnWidth(0, first)
        height = max(self._header_height(column, width) for column in range(1, count + 1))
        for view in (self, self.frozen):
            view.horizontalHeader().setFixedHeight(height)
        self._fit_rows([first - inside, *[width - inside] * count])
        self._place()

    def _fit_rows(self, rooms: list[int]) -> None:
        """Give each row the height of its words, of which Qt is asked where some may need a second line alone.

        To ask of all takes a third of a second where six scenarios differ in a thousand rows.
        """
        wanted = (tuple(rooms), self.font().key())
        if wanted == self._fitted:
            return
        self._fitted, line = wanted, self.sizeHintForRow(0)
        for row, texts in enumerate(self._rows.texts()):
            is_high = any(self._is_broken(text, room) for text, room in zip(texts, rooms, strict=False))
            height = self.sizeHintForRow(row) if is_high else line
            if self.rowHeight(row) != height:
                self.setRowHeight(row, height)

    def _is_broken(self, text: str, room: int) -> bool:
        """Tell whether words go on in a second line in a room of so many logical pixels."""
        return self._width(text) > room and BREAKS.search(text) is not None

    def _width(self, text: str) -> int:
        if text not in self._wide:
            self._wide[text] = self.fontMetrics().horizontalAdvance(text)
        return self._wide[text]

    def _forget(self) -> None:
        self._wide, self._fitted = {}, ()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._forget()

    def selected_text(self) -> str:
        """Return the chosen rows as tab-separated text."""
        chosen = sorted(index.row() for index in self.selectionModel().selectedRows())
        columns = range(self._rows.columnCount())
        return "\n".join("\t".join(cell(self._rows.index(row, column).data()) for column in columns) for row in chosen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.selected_text())
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()
        self._place()

    def scrollTo(
        self,
        index: QModelIndex | QPersistentModelIndex,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Let no chosen cell lie behind the first column, which needs no scrolling itself."""
        if index.column() > 0:
            super().scrollTo(index, hint)
            behind = self.columnWidth(0) - self.visualRect(index).left()
            if behind > 0:
                self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() - behind)

    def _freeze(self) -> None:
        """Lay a view of the first column over this one, which scrolls and is chosen from with it."""
        frozen = self.frozen
        frozen.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        frozen.setFrameShape(QFrame.Shape.NoFrame)
        frozen.setAccessibleName("What the rows are about")
        for policy in (frozen.setHorizontalScrollBarPolicy, frozen.setVerticalScrollBarPolicy):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        model: QItemSelectionModel = self.selectionModel()
        frozen.setSelectionModel(model)
        self.verticalScrollBar().valueChanged.connect(frozen.verticalScrollBar().setValue)
        frozen.verticalScrollBar().valueChanged.connect(self.verticalScrollBar().setValue)
        self.verticalHeader().sectionResized.connect(lambda row, old, new: frozen.setRowHeight(row, new))

    def _place(self) -> None:
        edge = self.frameWidth()
        height = self.viewport().height() + self.horizontalHeader().height()
        self.frozen.setGeometry(QRect(edge, edge, self.columnWidth(0), height))

    def _header_height(self, column: int, width: int) -> int:
        text = self._rows.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
        room = QRect(0, 0, width - SWATCH - MARGIN, 1000)
        return self.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, text).height() + MARGIN


def _prepare(view: QTableView, model: CompareModel) -> None:
    view.setModel(model)
    view.setShowGrid(False)
    view.setAlternatingRowColors(True)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setTabKeyNavigation(False)
    view.setWordWrap(True)
    view.verticalHeader().hide()
    view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    view.horizontalHeader().setHighlightSections(False)
    view.horizontalHeader().setSectionsClickable(False)
    wrapped = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
    view.horizontalHeader().setDefaultAlignment(wrapped)
