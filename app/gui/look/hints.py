"""Hints below fields: what is allowed, and may be meant otherwise."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QVBoxLayout


def hint_below(layout: QVBoxLayout) -> QLabel:
    """Return a label for a hint below what the layout holds, hidden while there is none."""
    label = QLabel(wordWrap=True)
    label.setAccessibleName("Hint")
    label.hide()
    layout.addWidget(label)
    return label


def tell(label: QLabel, hint: str) -> None:
    """Show a hint, "" for none."""
    label.setText(hint)
    label.setVisible(bool(hint))
