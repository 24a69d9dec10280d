"""Icons as strokes on a field of 24 by 24, drawn in the text colour of the palette: sharp and right in dark."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

SIZES = (16, 24, 32, 48, 64)
STROKES = {
    "home": "M3 11 12 4l9 7v9h-6v-6H9v6H3z",
    "plan": "M4 6h2M4 12h2M4 18h2M9 6h11M9 12h11M9 18h7",
    "library": "M5 4v16M9 4v16M13 4v16M16 5l4 15",
    "profile": "M5 4h14v16H5zM8 8h8M8 12h8M8 16h5",
    "run": "M7 4.5v15l12-7.5z",
    "stop": "M6 6h12v12H6z",
    "pause": "M8 5v14M16 5v14",
    "sweep": "M4 20V4M4 20h16M8 16l3-4 3 2 5-7",
    "compare": "M5 20V10h4v10zM13 20V5h4v15zM3 20h18",
    "size": "M4 20V14h4V20M10 20V9h4v11M16 20V4h4v16",
    "validate": "M4 12.5l5 5L20 6.5",
    "report": "M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h7",
    "study": "M9 3h6M10.500 3v6L4.500 19.500h15L13.500 9V3M7.500 15h9",
    "growth": "M4 5h16M4 20l5-2 5-4 5-7",
    "sensitivity": "M12 4v16M4 7h14M7 12h9M10 17h4",
    "delivery": "M2 6h12v11H2zM14 10h4l4 4v3h-8zM6 17a2 2 0 1 0 .01 0M18 17a2 2 0 1 0 .01 0",
    "playback": "M3 6h18v12H3zM10 9.5v5l4.5-2.5z",
    "open": "M3 6h6l2 3h10v10H3z",
    "import": "M12 3v11M7.500 10l4.500 4.500 4.500-4.500M4 16v4h16v-4",
    "save": "M4 4h13l3 3v13H4zM8 4v5h7V4M8 20v-6h8v6",
    "undo": "M9 6 4 10.500l5 4.500M4 10.500h10a5 5 0 0 1 0 9.500h-3",
    "redo": "M15 6l5 4.500-5 4.500M20 10.500H10a5 5 0 0 0 0 9.500h3",
    "keep": "M6 3h12v18l-6-4.500L6 21z",
    "search": "M10.500 4a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13zM15.500 15.500 20.500 20.500",
    "problem": "M12 4 2.500 20h19zM12 10v5M12 17.200v.6",
}


def icon(name: str) -> QIcon:
    """Return an icon in the present palette."""
    palette = QGuiApplication.palette()
    return _icon(name, palette.windowText().color().name(), palette.placeholderText().color().name())


@cache
def _icon(name: str, colour: str, dimmed: str) -> QIcon:
    """Return an icon in two colours, drawn once: tiles and cards ask for theirs each time they are painted."""
    drawn = QIcon()
    for size in SIZES:
        drawn.addPixmap(_drawn(name, size, colour))
        drawn.addPixmap(_drawn(name, size, dimmed), QIcon.Mode.Disabled)
    return drawn


def _drawn(name: str, size: int, colour: str) -> QPixmap:
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="{colour}"'
        f' stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round"><path d="{STROKES[name]}"/></svg>'
    )
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap
