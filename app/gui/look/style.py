"""Qt's Fusion style on a grid of 8 pixels, with outlines of what one types into or ticks that are seen in both themes.

Fusion takes its outlines from the ground, darkened, which leaves none on a dark ground.
"""

from __future__ import annotations

from typing import Any, cast

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QLabel,
    QListView,
    QProxyStyle,
    QStyle,
    QStyleOption,
    QStyleOptionComboBox,
    QStyleOptionComplex,
    QStyleOptionSpinBox,
    QTreeView,
    QWidget,
)

from app.gui.look import theme

Primitive = QStyle.PrimitiveElement
BOXES = (Primitive.PE_FrameLineEdit, Primitive.PE_IndicatorCheckBox)
INPUTS = (QStyleOptionSpinBox, QStyleOptionComboBox)
Metric = QStyle.PixelMetric
GAPS = (
    Metric.PM_LayoutLeftMargin,
    Metric.PM_LayoutTopMargin,
    Metric.PM_LayoutRightMargin,
    Metric.PM_LayoutBottomMargin,
    Metric.PM_LayoutHorizontalSpacing,
    Metric.PM_LayoutVerticalSpacing,
)
PANELS = (Primitive.PE_PanelButtonCommand, Primitive.PE_PanelButtonTool)
GRID = 8  # logical pixels between parts of a page
ROW, COMPACT = 24, 20  # logical pixels of a row at least: of a list, and of a tree, which has many
WASH = 0.3  # part of the colour of what is chosen in the ground of a button that is on
ROUND = 2.0  # logical pixels, as Fusion's own corners


class Style(QProxyStyle):
    """Fusion with outlines of its own, and parts of a page 8 pixels apart."""

    def __init__(self) -> None:
        super().__init__("Fusion")

    def polish(self, widget: Any) -> Any:
        super().polish(widget)
        if isinstance(widget, QLabel) and widget.metaObject().className() == "QTipLabel":
            widget.setTextFormat(Qt.TextFormat.PlainText)  # tool tips hold what files say, which may look like tags

    def pixelMetric(
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        return GRID if metric in GAPS else super().pixelMetric(metric, option, widget)

    def sizeFromContents(
        self, kind: QStyle.ContentsType, option: QStyleOption, size: QSize, widget: QWidget | None = None
    ) -> QSize:
        made = super().sizeFromContents(kind, option, size, cast(QWidget, widget))  # Qt takes none, too
        if kind != QStyle.ContentsType.CT_ItemViewItem or not isinstance(widget, (QListView, QTreeView)):
            return made
        return made.expandedTo(QSize(0, ROW if isinstance(widget, QListView) else COMPACT))

    def drawPrimitive(
        self, element: Primitive, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        super().drawPrimitive(element, option, painter, widget)
        if element in BOXES:
            _outline(option, painter, theme.current().border)
        elif element == Primitive.PE_IndicatorRadioButton:
            _outline(option, painter, theme.current().border, option.rect.width() / 2)
        elif element == Primitive.PE_Frame:
            _outline(option, painter, theme.current().frame)
        elif element in PANELS and option.state & QStyle.StateFlag.State_On:
            _fill(option, painter, theme.current().highlight)
            _outline(option, painter, theme.current().border)

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        super().drawComplexControl(control, option, painter, widget)
        if isinstance(option, INPUTS) and option.frame:
            _outline(option, painter, theme.current().border)


def _fill(option: QStyleOption, painter: QPainter, colour: str) -> None:
    painter.save()
    painter.setOpacity(WASH)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), ROUND, ROUND)
    painter.restore()


def _outline(option: QStyleOption, painter: QPainter, colour: str, round: float = ROUND) -> None:
    has_focus = bool(option.state & QStyle.StateFlag.State_HasFocus)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.current().highlight if has_focus else colour), 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), round, round)
    painter.restore()
