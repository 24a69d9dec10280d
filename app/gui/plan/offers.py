"""A quotation that is read as a price list, and a dialog that asks what its rows are where their words do not tell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.gui.jobs.run import Report
from app.reports.media import shown

NO_PART = "no part of a server"
PARTS = ("drives.hdd", "drives.ssd", "drives.nvme", "memory", "core", "chassis.ours", "cards.25gbe", "ports.25gbe")
"""Parts that are offered for a row; others can be typed, as a map of `simulate prices import` names them."""
SIZE, WORDS = (780, 440), (3, 2, 0, 0)
"""Logical pixels of the dialog, and parts of the room that is left which its columns take: those of words."""
AT_ONCE = 50
"""Rows that are asked for at once. Assumption: nobody fills in more before looking; thousands take the window minutes.
"""
SUFFIXES = "Quotations (*.xlsx *.csv)"


@dataclass(frozen=True, slots=True)
class AskedRow:
    """A row that has to be asked for: its words, why, and what a map could say of it."""

    text: str
    why: str
    proposed: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Offer:
    """A quotation: the price list as TOML text, "" while rows are asked for."""

    file: Path
    text: str
    asked: tuple[AskedRow, ...]
    rules: Sequence[Mapping[str, Any]] = ()  # what has been said of rows so far


def read_offer(report: Report, file: Path, like: str, rules: Sequence[Mapping[str, Any]]) -> Offer:
    """Return a quotation as a price list, which has from another what the quotation does not tell.

    Raises:
        ProblemError: it cannot be read, or what it says makes no price list.
    """
    from app.planning.offers import imported
    from profiles.editing.plain import tables_of

    report(0.0, f"Reading {file.name}")
    offer = imported(str(file), like, {"map": rules}, date.today().isoformat()[: len("2026-11")], None, {})
    asked = (
        AskedRow(question.row.text, question.why, tables_of(question.example).get("map", [{}])[0])
        for question in offer.asked
    )
    return Offer(file, offer.text, tuple(asked), rules)


class RowsDialog(QDialog):
    """A line for each row that nobody knows: which part it is, and how many of the part's units its price is for.

    Of many the first are asked for; what is left is asked for when these are known.
    """

    def __init__(self, offer: Offer, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"What are these, in {offer.file.name}?")
        self._asked, self._rules = offer.asked[:AT_ONCE], offer.rules
        self.parts, self.counts = [QComboBox(editable=True) for _ in self._asked], [QLineEdit() for _ in self._asked]
        lines, layout = QWidget(), QVBoxLayout(self)
        grid, area = QGridLayout(lines), QScrollArea(widgetResizable=True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.resize(*SIZE)
        for column, share in enumerate(WORDS):
            grid.setColumnStretch(column, share)
        for column, heading in enumerate(("Row", "Why it is asked for", "Part", "Units that it is for")):
            grid.addWidget(QLabel(f"<b>{heading}</b>"), 0, column)
        for number, row in enumerate(self._asked, 1):
            part, count = self.parts[number - 1], self.counts[number - 1]
            proposed = f"{row.proposed.get('part', '')}"
            part.addItems([NO_PART, *dict.fromkeys((*([] if "NAME" in proposed else [proposed]), *PARTS))])
            part.setAccessibleName(f"Part of {row.text}")
            count.setText(f"{row.proposed.get('each', 1)}")
            count.setAccessibleName(f"Units of {row.text}")
            for column, widget in enumerate((_plain(row.text), _plain(row.why), part, count)):
                grid.addWidget(widget, number, column)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        area.setWidget(lines)
        layout.addWidget(area)
        if (more := len(offer.asked) - len(self._asked)) > 0:
            layout.addWidget(QLabel(f"{more:,} rows more are asked for when these are known."))
        layout.addWidget(buttons)

    @property
    def rules(self) -> list[dict[str, Any]]:
        """What was said, as rules of a map."""
        return [*map(dict, self._rules), *(self._rule(i, row) for i, row in enumerate(self._asked))]

    def _rule(self, number: int, row: AskedRow) -> dict[str, Any]:
        part = self.parts[number].currentText().strip()
        if part in ("", NO_PART):
            return {"text": row.text, "ignore": True}
        further = {key: value for key, value in row.proposed.items() if key not in ("text", "part", "each", "ignore")}
        return {"text": row.text, "part": part, **further, "each": _number(self.counts[number].text())}


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        return 1.0
    return max(number, 1e-9) if math.isfinite(number) else 1.0


def _plain(text: str) -> QLabel:
    """Return words of a quotation, which may come from anybody."""
    return QLabel(shown(text), wordWrap=True, textFormat=Qt.TextFormat.PlainText)
