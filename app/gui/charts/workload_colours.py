"""The colour, line and marker of each of many workloads: the same in the table, the charts and the playback."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QColor, QPen

from app.gui.look import theme
from simulator.result import Result


class WorkloadColours:
    """The colour, line and marker of each workload of a result, by its name; a rebuild is grey."""

    def __init__(self, names: Sequence[str]) -> None:
        self._order = {name: index for index, name in enumerate(names)}

    @classmethod
    def of(cls, result: Result) -> WorkloadColours:
        """Return the colours of the workloads of a result."""
        return cls([workload.name for workload in result.workloads])

    def colour(self, name: str) -> QColor:
        """Return the colour of a workload; that of quiet words for what is none."""
        index = self._order.get(name)
        return QColor(theme.current().muted) if index is None else theme.series_colour(index)

    def pen(self, name: str) -> QPen:
        """Return the line of a workload."""
        line = QPen(self.colour(name), theme.line(), theme.STYLES[self._place(name) % len(theme.STYLES)])
        line.setCosmetic(True)  # as wide however close one looks
        return line

    def symbol(self, name: str) -> str:
        """Return the marker of a workload."""
        return theme.SYMBOLS[self._place(name) % len(theme.SYMBOLS)]

    def sign(self, name: str) -> str:
        """Return the marker of a workload as a letter."""
        return theme.series_mark(self._place(name))

    def shift(self, name: str) -> float:
        """Return where the markers of a workload stand between those of others, 0 to 1."""
        return (self._place(name) + 0.5) / (len(self._order) + 1)

    def _place(self, name: str) -> int:
        return self._order.get(name, len(self._order))
