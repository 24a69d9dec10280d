"""What parts of the window are called, and how words stand alone."""

from __future__ import annotations

import re

from PySide6.QtGui import QAction


def name_of(action: QAction) -> str:
    """Return what an action is called, without the mark of its menu key."""
    return action.text().replace("&", "").removesuffix("…")


def sentence(text: str) -> str:
    """Return words that stand alone with a capital letter; what begins with a key, a file or a number stays.

    >>> sentence("the process was ended"), sentence("workload.input: expected a size")
    ('The process was ended', 'workload.input: expected a size')
    """
    return text if re.match(r"\S*[._/:\\]\S*", text) else f"{text[:1].upper()}{text[1:]}"
