"""Qt's Fusion style with outlines around what one types into or ticks that can be seen in both themes.

Fusion takes its outlines from the ground, darkened, which leaves none on a dark ground.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QProxyStyle,
    QStyle,
    QStyleOption,
    QStyleOptionComboBox,
    QStyleOptionComplex,
    QStyleOptionSpinBox,
    QWidget,
)

from app.gui import theme

Primitive = QStyle.PrimitiveElement
BOXES = (Primitive.PE_FrameLineEdit, Primitive.PE_IndicatorCheckBox)
INPUTS = (QStyleOptionSpinBox, QStyleOptionComboBox)
ROUND = 2.0  # logical pixels, as Fusion's own corners


class Style(QProxyStyle):
    """Fusion with outlines of its own."""

    def __init__(self) -> None:
        super().__init__("Fusion")

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


def _outline(option: QStyleOption, painter: QPainter, colour: str, round: float = ROUND) -> None:
    has_focus = bool(option.state & QStyle.StateFlag.State_HasFocus)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.current().highlight if has_focus else colour), 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), round, round)
    painter.restore()
