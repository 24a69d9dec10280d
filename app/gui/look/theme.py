"""Colours: one light and one dark palette for Qt's Fusion style, and the colours of scenarios and resources.

Series take the colours of Okabe and Ito (https://jfly.uni-koeln.de/color/), which the colour-blind can tell apart,
in an order in which neighbours differ in lightness, too. A scenario keeps its colour in every chart.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QWidget

BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00"
LIGHT_SERIES = (BLUE, ORANGE, GREEN, PURPLE, VERMILION, SKY)
DARK_SERIES = (SKY, ORANGE, GREEN, PURPLE, VERMILION, "#F0E442")
SYMBOLS = ("o", "s", "t", "d", "+", "x")
"""Markers of the series, in the order of their colours: colour never stands alone."""
MARKS = "●■▼◆✚✖"
"""The same markers as characters."""
STYLES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
"""Lines of the series, in the order of their colours."""


@dataclass(frozen=True, slots=True)
class Scheme:
    """The colours of one theme.

    `border` stands around what one types into, three times as light or as dark as the ground (WCAG 2.2, 1.4.11);
    `frame` around what is only read. `quoted` is text within TOML.
    """

    window: str
    base: str
    alternate: str
    text: str
    muted: str
    button: str
    border: str
    frame: str
    highlight: str
    highlighted_text: str
    link: str
    error: str
    quoted: str
    series: tuple[str, ...]


LIGHT = Scheme(
    window="#F3F4F6",
    base="#FFFFFF",
    alternate="#F7F8FA",
    text="#1A1D21",
    muted="#5B6470",
    button="#E7E9ED",
    border="#858D97",
    frame="#B9BFC7",
    highlight="#0B66A8",
    highlighted_text="#FFFFFF",
    link="#00568A",
    error="#B3261E",
    quoted="#00664A",
    series=LIGHT_SERIES,
)
DARK = Scheme(
    window="#1E2125",
    base="#16181B",
    alternate="#1B1E22",
    text="#E6E8EB",
    muted="#9AA4B0",
    button="#2B2F35",
    border="#737D89",
    frame="#454C55",
    highlight="#2B77B0",
    highlighted_text="#FFFFFF",
    link="#7CC4F2",
    error="#FF8A80",
    quoted=GREEN,
    series=DARK_SERIES,
)


def palette(scheme: Scheme) -> QPalette:
    """Return a scheme as Qt's Fusion style reads it."""
    made = QPalette(QColor(scheme.button), QColor(scheme.window))
    role = QPalette.ColorRole
    colours = {
        role.WindowText: scheme.text,
        role.Text: scheme.text,
        role.ButtonText: scheme.text,
        role.ToolTipText: scheme.text,
        role.Base: scheme.base,
        role.AlternateBase: scheme.alternate,
        role.ToolTipBase: scheme.base,
        role.Highlight: scheme.highlight,
        role.HighlightedText: scheme.highlighted_text,
        role.Link: scheme.link,
        role.PlaceholderText: scheme.muted,
        role.BrightText: scheme.error,
        role.Accent: scheme.highlight,
    }
    for part, colour in colours.items():
        made.setColor(part, QColor(colour))
    for part in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, part, QColor(scheme.muted))
    return made


def apply(name: str) -> None:
    """Show the application in "light" or "dark", or, for "system", as the platform does where it says so."""
    hints = QGuiApplication.styleHints()
    wanted = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}.get(name, Qt.ColorScheme.Unknown)
    hints.setColorScheme(wanted)  # for title bars and menus; some platforms have no such thing
    is_dark = name == "dark" or (name == "system" and hints.colorScheme() == Qt.ColorScheme.Dark)
    QApplication.setPalette(palette(DARK if is_dark else LIGHT))
    configure_charts()


def resize_text(percent: int) -> None:
    """Show letters in a size in percent of that of the platform."""
    font = QFont(_platform_font())
    font.setPointSizeF(font.pointSizeF() * percent / 100)
    if font != QApplication.font():
        QApplication.setFont(font)


@cache
def _platform_font() -> QFont:
    return QApplication.font()


def current() -> Scheme:
    """Return the scheme that the application shows."""
    return DARK if QGuiApplication.palette().window().color().lightness() < 128 else LIGHT


def warn(label: QLabel, *, is_wrong: bool = True) -> None:
    """Show words in the colour of errors, or not; they follow a palette that is changed meanwhile."""
    label.setForegroundRole(QPalette.ColorRole.BrightText if is_wrong else QPalette.ColorRole.NoRole)


def dim(label: QLabel, *, is_dim: bool) -> None:
    """Show words as those of what does not hold at present, or not; they follow a palette that is changed meanwhile."""
    role = QPalette.ColorRole.PlaceholderText if is_dim else QPalette.ColorRole.NoRole
    if (label.foregroundRole() == QPalette.ColorRole.PlaceholderText) != is_dim:
        label.setForegroundRole(role)


def warn_of(editor: QWidget, *, is_wrong: bool) -> None:
    """Show what is typed in the colour of errors, or not."""
    if editor.testAttribute(Qt.WidgetAttribute.WA_SetPalette) == is_wrong:
        return
    made = QPalette()
    for part in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        if is_wrong:
            made.setColor(part, QColor(current().error))
    editor.setPalette(made)


def series_colour(index: int) -> QColor:
    """Return the colour of the scenario, or the series, of a number."""
    known = current().series
    return QColor(known[index % len(known)])


def series_mark(index: int) -> str:
    """Return the marker of the scenario, or the series, of a number as a character."""
    return MARKS[index % len(MARKS)]


def line(width: float = 2.0) -> float:
    """Return what a chart is told for a line of so many logical pixels: it counts those of the screen."""
    application = QApplication.instance()
    return width * (application.devicePixelRatio() if isinstance(application, QApplication) else 1.0)


def configure_charts() -> None:
    """Let charts that are made from now on take the colours of the palette, where charts are used at all."""
    if "pyqtgraph" in sys.modules:
        pyqtgraph = import_module("pyqtgraph")  # which waits where another thread is importing it
        scheme = current()
        pyqtgraph.setConfigOptions(background=scheme.base, foreground=scheme.text, antialias=True)
