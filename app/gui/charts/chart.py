"""A plot with a title and a legend, which is drawn again when the colours change."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QBuffer, QByteArray, QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFocusEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from app.gui.charts.axis import NamedAxis
from app.gui.charts.labels import PointLabels
from app.gui.look import theme
from app.gui.studies.widgets import ask_for_target, warn_of
from app.planning.files import written
from app.reports.media import rich

BESIDE = 20  # logical pixels by which the number at the end of an axis may stand beside it: half of "100 GB"
NAME = 48  # letters of a name below a chart. Assumption: half of the window has room for them and for a value
SIDES = ("bottom", "left")
SIGNS = {"o": "●", "s": "■", "t": "▼", "d": "◆", "+": "✚", "x": "✖"}
"""The markers of pyqtgraph as letters."""


class Chart(QWidget):
    """A plot with a title, which is drawn again when the colours change.

    Where the pointer is, a line stands in this chart and in those that are linked to it, with the values of its curves
    that have names; the arrow keys move it from point to point, Home and End to both ends. Its picture can be copied
    and saved; where its legend has links, one shows a curve alone. The plot is made when something is drawn: it takes
    7 ms, and a run has nine charts, few of which are seen at once.
    """

    hovered = Signal(float)
    chosen = Signal(str)
    """The name of a point that has been clicked."""

    def __init__(self, title: str, x: str, y: str = "") -> None:
        super().__init__()
        self.setAccessibleName(title)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._x, self._y = x, y
        self._draw: Callable[[], None] = lambda: None
        self.legend = Legend("", textFormat=Qt.TextFormat.RichText)
        self.legend.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.legend.setWordWrap(True)
        self.legend.hide()
        self.column = layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        self.heading = caption(f"<b>{rich(title)}</b>")
        layout.addWidget(self.heading)
        layout.addWidget(self.legend, 1)  # all the room where there is no plot
        self.alone, self.at, self.left = "", math.nan, 0.0
        self._leader: Chart | None = None
        self.legend.linkActivated.connect(self.isolate)
        self.legend.setAccessibleName(f"Legend of {title}")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        for text, slot in (
            ("Show &all", self.show_all),
            ("&Copy picture", self.copy_picture),
            ("&Save picture…", self.save_picture),
        ):
            action = QAction(text, self)
            action.triggered.connect(lambda checked=False, slot=slot: slot())
            self.addAction(action)

    @cached_property
    def plot(self) -> pg.PlotWidget:
        """The plot, which is made when it is asked for the first time."""
        axes = {side: NamedAxis(side) for side in SIDES}
        # a menu is some thirty widgets: as long as all else of a chart
        plot = pg.PlotWidget(enableMenu=False, axisItems=axes)
        plot.setAccessibleName(self.accessibleName())
        for part in (plot, plot.viewport()):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the chart has the keys
        plot.hideButtons()
        plot.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        plot.setToolTip("Drag or turn the wheel to look closer; a double click shows all again")
        plot.viewport().installEventFilter(self)
        plot.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # that of the chart
        plot.getPlotItem().layout.setContentsMargins(0, 0, BESIDE, 0)
        plot.scene().sigMouseMoved.connect(self._on_hovered)
        for side in SIDES:
            plot.getAxis(side).setStyle(hideOverlappingLabels=BESIDE)
        self.column.insertWidget(self.column.indexOf(self.legend), plot, 1_000)
        self._paint_axes(plot)
        if self._leader is not None:
            plot.setXLink(self._leader.plot)
        return plot

    @cached_property
    def labels(self) -> PointLabels:
        """The words beside points."""
        return PointLabels(self.plot)

    @cached_property
    def _cross(self) -> pg.InfiniteLine:
        """The line where the pointer is."""
        cross = pg.InfiniteLine(angle=90, movable=False, pen=pg.mkPen(QColor(theme.current().muted), width=1))
        cross.hide()
        return cross

    @property
    def has_plot(self) -> bool:
        """Whether something has been drawn."""
        return "plot" in vars(self)

    def prepare(self) -> bool:
        """Make the plot where there is none, and tell whether that was done: it takes as long as many curves."""
        return not self.has_plot and self.plot is not None

    # What can be done with it

    def link(self, other: Chart) -> None:
        """Let the line at the pointer stand in another chart, too."""
        self.hovered.connect(other.point_at)

    def follow(self, leader: Chart) -> None:
        """Show the same part of the axis below as another chart, and let that one show what is seen here."""
        self._leader = leader

    def isolate(self, name: str) -> None:
        """Show one named curve alone, or all again if it is."""
        self.alone = "" if self.alone == name else name
        for item in self.plot.listDataItems():
            item.setVisible(not self.alone or item.name() in (None, self.alone))

    def copy_picture(self) -> None:
        """Put the chart on the clipboard as a picture."""
        QGuiApplication.clipboard().setPixmap(self.grab())

    def save_picture(self) -> None:
        """Ask for a file and write the chart as a picture."""
        proposed = self.accessibleName().lower().replace(" ", "-")
        ask_for_target(self, "Save the picture", ("Pictures", ".png"), proposed, self.write_picture)

    def write_picture(self, path: Path) -> None:
        """Write the chart as a picture, whole or not at all; where that cannot be, say why."""
        content = QByteArray()
        self.grab().save(QBuffer(content), "PNG")
        text, is_wrong = written(path, bytes(content.data()))
        if is_wrong:
            warn_of(self, text)

    def point_at(self, x: float) -> None:
        """Let the line stand at a place of the axis."""
        if self.has_plot:
            self._cross.setPos(x)
            self._cross.setVisible(self.has_places())

    def values_at(self, x: float) -> list[str]:
        """Return what the named curves have at their places next to one of the axis, in words."""
        lines = []
        for item in self._named_curves():
            xs, ys = item.getData()
            nearest = min(int(np.argmin(np.abs(xs - x))), len(ys) - 1)  # steps have one edge more
            lines.append(f"{item.name()}: {ys[nearest]:.4g} at {xs[nearest]:.4g}")
        return lines

    def has_places(self) -> bool:
        """Tell whether there is something to be said of places of the axis."""
        return bool(self._named_curves())

    def places(self) -> list[float]:
        """Return the places of the axis where there is something to be said, in their order."""
        return sorted({float(x) for item in self._named_curves() for x in item.getData()[0]})

    def _named_curves(self) -> list[pg.PlotDataItem]:
        """Return the curves that have a name and places."""
        items = [curve for curve in self.plot.listDataItems() if curve.name() and curve.isVisible()]
        return [curve for curve in items if curve.getData()[0] is not None and len(curve.getData()[0])]

    def _on_hovered(self, place: QPointF) -> None:
        box = self.plot.getViewBox()
        if not box.sceneBoundingRect().contains(place):
            self._cross.hide()
            return
        self._tell(box.mapSceneToView(place).x())

    def _tell(self, x: float) -> list[str]:
        """Let the line stand at a place, here and in linked charts, and return what is said of it."""
        self.at = x
        self.point_at(x)
        values = self.values_at(x)
        if values:
            self.plot.setToolTip("\n".join(values))
            self.setAccessibleDescription("; ".join(values))
        self.hovered.emit(x)
        return values

    def keyPressEvent(self, event: QKeyEvent) -> None:
        places = self.places()
        after = bisect_right(places, self.at) if math.isfinite(self.at) else 0
        before = bisect_left(places, self.at) - 1 if math.isfinite(self.at) else 0
        moves = {Qt.Key.Key_Right: after, Qt.Key.Key_Left: before, Qt.Key.Key_Home: 0, Qt.Key.Key_End: len(places)}
        to = moves.get(Qt.Key(event.key()))
        if to is None or not places:
            super().keyPressEvent(event)
            return
        x = places[min(max(to, 0), len(places) - 1)]
        text = "\n".join(self._tell(x))
        box = self.plot.getViewBox()
        place = self.plot.mapFromScene(box.mapViewToScene(QPointF(x, box.viewRange()[1][1])))
        QToolTip.showText(self.plot.mapToGlobal(place), text, self.plot)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._outline()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._outline()

    def _outline(self) -> None:
        """Show by the heading whether the chart has the keys."""
        self.heading.setStyleSheet(f"color: {theme.current().link}" if self.hasFocus() else "")

    @property
    def is_pointed_at(self) -> bool:
        """Whether the line stands at a place."""
        return math.isfinite(self.at)

    # What it shows

    def name(self, title: str, x: str) -> None:
        """Say what the chart and its axis show now."""
        self._x = x
        self.setAccessibleName(title)
        self.plot.setAccessibleName(title)
        self.legend.setAccessibleName(f"Legend of {title}")
        self.heading.setText(f"<b>{rich(title)}</b>")
        self._colour()

    def draw(self, draw: Callable[[], None]) -> None:
        """Draw by a function, now and whenever the colours change."""
        self._draw = draw
        self.plot.clear()
        self.labels.clear()
        self.alone = ""
        draw()
        self.labels.thin()
        self.plot.addItem(self._cross, ignoreBounds=True)

    def show_all(self) -> None:
        """Go back from a part that one has scrolled or zoomed to."""
        self.plot.enableAutoRange()
        self.draw(self._draw)  # some charts have ranges of their own

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonDblClick:
            self.show_all()
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.has_plot:
            self._colour()
            self.draw(self._draw)

    def _colour(self) -> None:
        self._paint_axes(self.plot)
        self._cross.setPen(pg.mkPen(QColor(theme.current().muted), width=1))

    def _paint_axes(self, plot: pg.PlotWidget) -> None:
        """Give the plot the colours of the theme, and its axes their names."""
        scheme = theme.current()
        plot.setBackground(scheme.base)
        for side, label in (("bottom", self._x), ("left", self._y)):
            axis = plot.getAxis(side)
            axis.setPen(QColor(scheme.muted))
            axis.setTextPen(QColor(scheme.text))
            if label:
                axis.call(label)

    def label(self, side: str, text: str) -> None:
        """Say what an axis shows, with its unit."""
        self.plot.getAxis(side).call(text)

    def say(self, x: float, y: float, text: str, anchor: tuple[float, float]) -> pg.TextItem:
        """Write words at a place of the plot."""
        item = pg.TextItem(text, color=theme.current().text, anchor=anchor)
        item.setPos(x, y)
        self.plot.addItem(item, ignoreBounds=True)
        return item

    def bars(
        self,
        starts: Sequence[float],
        rows: Sequence[float],
        widths: Sequence[float],
        colours: Sequence[QColor],
        heights: Sequence[float] | float = 0.6,
    ) -> None:
        """Draw bars as one item: a hundred are drawn as fast as one. Edges show what is narrower than a pixel."""
        given = {"x0": starts, "y": rows, "width": widths, "height": heights}
        given |= {
            "brushes": [pg.mkBrush(colour) for colour in colours],
            "pens": [pg.mkPen(colour) for colour in colours],
        }
        self.plot.addItem(pg.BarGraphItem(**given))


class Legend(QLabel):
    """Names with their signs; Tab goes from link to link, and Return follows the one that has the keys."""

    def link(self, *, is_linked: bool) -> None:
        """Let names be links, or words that are only read."""
        by_hand = Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        self.setTextInteractionFlags(by_hand if is_linked else Qt.TextInteractionFlag.NoTextInteraction)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if is_linked else Qt.FocusPolicy.NoFocus)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.focusNextPrevChild(event.reason() == Qt.FocusReason.TabFocusReason)


def caption(text: str) -> QLabel:
    """Return a label that takes the width that there is."""
    label = QLabel(text, textFormat=Qt.TextFormat.RichText)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label


def legend(entries: Sequence[tuple[str, QColor, str]], signs: Sequence[str] = (), *, is_linked: bool = False) -> str:
    """Return names with the sign of their line in its colour, outside of the data; no name is broken over two lines.

    Where they are linked, a click on one shows its curve alone. Names of any script stand from left to right.
    """
    texts = [rich(f"{_short(name)} {note}".strip()) for name, _, note in entries]
    bound = (text.replace(" ", "&nbsp;") for text in texts)
    names = [text.replace("/", "/&#8288;").replace("-", "-&#8288;") for text in bound]
    if is_linked:
        style = f"color: {theme.current().text}; text-decoration: none"
        links = zip(entries, names, strict=True)
        names = [f'<a href="{rich(name)}" style="{style}">{text}</a>' for (name, *_), text in links]
    chosen = signs or ["■"] * len(entries)
    marks = (
        f'<span style="color:{colour.name()}">{sign}</span>'
        for (_, colour, _), sign in zip(entries, chosen, strict=True)
    )
    joined = " &nbsp; ".join(f"{mark}&nbsp;{name}" for mark, name in zip(marks, names, strict=True))
    return f'<div dir="ltr">{joined}</div>' if joined else ""


def _short(name: str) -> str:
    """Return a name with its middle left out where a line has no room for it: what is said behind it would be cut."""
    return name if len(name) <= NAME else f"{name[: NAME // 2]}…{name[-NAME // 2 :]}"
