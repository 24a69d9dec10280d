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
    QPushButton,
    QScrollArea,
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
RING = 2.0  # logical pixels of the line around what has the keys
ROUND = 2.0  # logical pixels, as Fusion's own corners


class Style(QProxyStyle):
    """Fusion with outlines of its own, and parts of a page 8 pixels apart."""

    def __init__(self) -> None:
        super().__init__("Fusion")

    def polish(self, widget: Any) -> Any:
        super().polish(widget)
        if isinstance(widget, QLabel) and widget.metaObject().className() == "QTipLabel":
            widget.setTextFormat(Qt.TextFormat.PlainText)  # tool tips hold what files say, which may look like tags
        if isinstance(widget, QScrollArea):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab goes to what is in it, and brings that to sight
        if isinstance(widget, QPushButton):  # by its letter, too, it gets the keys: what is typed elsewhere is taken
            widget.pressed.connect(widget.setFocus)

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
        if element == Primitive.PE_FrameFocusRect:
            if _has_keys(option):
                _outline(option, painter, theme.current().link)
            return
        super().drawPrimitive(element, option, painter, widget)
        if element in BOXES:
            _outline(option, painter, theme.current().border)
        elif element == Primitive.PE_IndicatorRadioButton:
            _outline(option, painter, theme.current().border, round=option.rect.width() / 2)
        elif element == Primitive.PE_Frame:
            _outline(option, painter, theme.current().frame)
        elif element in PANELS and option.state & QStyle.StateFlag.State_On:
            _fill(option, painter, theme.current().highlight)
            _outline(option, painter, theme.current().border)
        elif element == Primitive.PE_PanelButtonCommand and _has_keys(option):
            _outline(option, painter, theme.current().link)

    def drawControl(
        self,
        element: QStyle.ControlElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        super().drawControl(element, option, painter, widget)
        if element == QStyle.ControlElement.CE_TabBarTabLabel and _has_keys(option):
            _outline(option, painter, theme.current().link)

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


def _has_keys(option: QStyleOption) -> bool:
    """Tell whether something has the focus of somebody who works with the keyboard."""
    wanted = QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_KeyboardFocusChange
    return option.state & wanted == wanted


def _fill(option: QStyleOption, painter: QPainter, colour: str) -> None:
    painter.save()
    painter.setOpacity(WASH)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), ROUND, ROUND)
    painter.restore()


def _outline(option: QStyleOption, painter: QPainter, colour: str, *, round: float = ROUND) -> None:
    """Draw around something; around what has the focus, a ring in a colour that stands out from any outline."""
    has_focus = option.state & QStyle.StateFlag.State_HasFocus
    colour, width = (theme.current().link, RING) if has_focus else (colour, 1.0)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colour), width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inside = width / 2
    painter.drawRoundedRect(QRectF(option.rect).adjusted(inside, inside, -inside, -inside), round, round)
    painter.restore()
