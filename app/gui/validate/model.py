"""The documented outcomes as a table that sorts by their numbers and is filtered by family. Knows no widget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt

from app.gui.tables.model import Column, TableModel
from app.gui.validate.jobs import OutcomeRow, Validated
from app.reports import words

COLUMNS = (
    Column("outcome", meaning="What was documented: family, then benchmark", is_number=False),
    Column("documented", meaning="As the source states it"),
    Column("simulated", meaning="What the shipped profile gives"),
    Column("error", words.signed_percent, "(simulated - documented) / documented; 0 within a documented band"),
    Column(
        "role",
        meaning="fitted-to: a number was chosen by it; predicted: none was; in words: no number was documented; "
        "contradicted: its source tells hardware that cannot reach it, so that it counts nowhere",
        is_number=False,
    ),
    Column("profile", meaning="The shipped profile that reproduces it", is_number=False),
)
DOCUMENTED, SIMULATED = 1, 2


class ValidateModel(TableModel):
    """One row an outcome, of one family or of all."""

    def __init__(self, outcomes: Sequence[OutcomeRow], parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)
        self._all = {outcome.id: outcome for outcome in outcomes}
        self._family = ""
        self.shown: list[OutcomeRow] = []
        self._refresh()

    @property
    def families(self) -> list[str]:
        """The families, in their order."""
        return list(dict.fromkeys(outcome.family for outcome in self._all.values()))

    @property
    def outcomes(self) -> list[OutcomeRow]:
        """All outcomes."""
        return list(self._all.values())

    def show_family(self, name: str) -> None:
        """Show the outcomes of one family, of all for ""."""
        self._family = name
        self._refresh()

    def row_of(self, outcome: OutcomeRow) -> int:
        """Return the row of an outcome that is shown, -1 for one that is not."""
        return next((row for row, outcome_row in enumerate(self.shown) if outcome_row.id == outcome.id), -1)

    def take(self, validated: Validated) -> None:
        """Take the results of a validation in place of what was known."""
        for outcome in validated.outcomes:
            known = self._all.get(outcome.id)
            self._all[outcome.id] = replace(outcome, source=known.source) if known else outcome
        self._refresh()

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            row = self.shown[index.row()]
            if index.column() == DOCUMENTED:
                return words.documented(row.documented, row.unit, row.role)
            if index.column() == SIMULATED and row.simulated is not None:
                return words.simulated(row.simulated, row.unit)
        return super().data(index, role)

    def _refresh(self) -> None:
        self.shown = [row for row in self._all.values() if self._family in ("", row.family)]
        self.show([_cells(outcome) for outcome in self.shown])


def _cells(row: OutcomeRow) -> tuple[object, ...]:
    return row.id, row.middle, row.simulated, row.error, row.role or None, row.profile


def told(row: OutcomeRow) -> str:
    """Return what is known of an outcome, in a sentence each."""
    text = f"documented {words.documented(row.documented, row.unit, row.role)}"
    if row.simulated is None:
        text = f"{text}, not simulated yet."
    else:
        role = f" Role: {row.role}." if row.role else ""
        error = words.signed_percent(row.error or 0.0)
        text = f"{text}, simulated {words.simulated(row.simulated, row.unit)}: {error}.{role}"
    return f"{text} Source: {row.source}." if row.source else text
