"""Colours that can be told apart: text and outlines against what is behind them, in both themes."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QSpinBox, QToolButton
from pytestqt.qtbot import QtBot

from app.gui.application import create
from app.gui.charts.fields import TINT
from app.gui.look import theme
from app.gui.session.settings import Settings
from app.gui.shell.window import MainWindow
from app.gui.studies.widgets import Message

TEXT, OUTLINE = 4.5, 3.0  # least contrast of text and of the outlines of inputs: WCAG 2.2, 1.4.3 and 1.4.11


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour as WCAG 2.2 defines it."""
    parts = QColor(colour).getRgbF()[:3]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [theme.LIGHT, theme.DARK])
def test_text_and_outlines_stand_out_from_every_ground(scheme: theme.Scheme) -> None:
    for ground in (scheme.window, scheme.base, scheme.alternate):
        for colour in (scheme.text, scheme.muted, scheme.link, scheme.error, scheme.quoted):
            assert contrast(colour, ground) >= TEXT
        assert contrast(scheme.border, ground) >= OUTLINE
    assert contrast(scheme.highlighted_text, scheme.highlight) >= TEXT
    for colour in (scheme.text, scheme.muted):  # of a button that can be pressed, and of one that cannot
        assert contrast(colour, scheme.button) >= TEXT


def test_words_on_what_is_wrong_follow_a_theme_that_is_changed_while_they_are_shown(
    qtbot: QtBot, settings: Settings
) -> None:
    create(settings)
    theme.apply("light")
    message = Message()
    qtbot.addWidget(message)
    message.say("wrong", is_wrong=True)
    theme.apply("dark")
    shown = message.grab().toImage()
    drawn = {shown.pixelColor(x, y).name() for x in range(shown.width()) for y in range(shown.height())}
    assert max(contrast(colour, theme.DARK.window) for colour in drawn) >= TEXT
    theme.apply(settings.theme)


@pytest.mark.parametrize("scheme", [theme.LIGHT, theme.DARK])
def test_words_can_be_read_on_the_cells_of_a_map(scheme: theme.Scheme) -> None:
    for colour in scheme.series:
        under, over = QColor(scheme.base).getRgbF()[:3], QColor(colour).getRgbF()[:3]
        mixed = [TINT * one + (1 - TINT) * other for one, other in zip(over, under, strict=True)]
        assert contrast(scheme.text, QColor.fromRgbF(*mixed).name()) >= TEXT


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("kind", [QLineEdit, QSpinBox])
def test_an_input_is_drawn_with_an_outline_that_can_be_seen(
    qtbot: QtBot, settings: Settings, name: str, kind: type[QLineEdit] | type[QSpinBox]
) -> None:
    create(settings)
    theme.apply(name)
    widget = kind()
    qtbot.addWidget(widget)
    widget.resize(120, 24)
    edge = widget.grab().toImage().pixelColor(60, 0).name()
    assert contrast(edge, theme.current().window) >= OUTLINE
    theme.apply(settings.theme)


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("kind", [QPushButton, QToolButton])
def test_a_button_that_is_on_has_an_outline_and_another_ground_than_one_that_is_off(
    qtbot: QtBot, settings: Settings, name: str, kind: type[QPushButton] | type[QToolButton]
) -> None:
    create(settings)
    theme.apply(name)
    button = kind()
    button.setCheckable(True)
    qtbot.addWidget(button)
    button.resize(120, 24)
    off = button.grab().toImage().pixelColor(60, 12)
    button.setChecked(True)
    on = button.grab().toImage()
    assert contrast(on.pixelColor(60, 0).name(), theme.current().window) >= OUTLINE
    assert on.pixelColor(60, 12) != off
    assert contrast(theme.current().text, on.pixelColor(60, 12).name()) >= TEXT
    theme.apply(settings.theme)


def test_lines_of_charts_are_as_thick_on_every_screen(qtbot: QtBot, settings: Settings) -> None:
    application = create(settings)
    assert theme.line(2) == 2 * application.devicePixelRatio()


@pytest.mark.parametrize(("name", "scheme"), [("light", theme.LIGHT), ("dark", theme.DARK)])
def test_the_icon_of_the_window_stands_out_in_the_box_about_it(
    window: MainWindow, name: str, scheme: theme.Scheme
) -> None:
    window.set_theme(name)
    QApplication.processEvents()
    shown = window.windowIcon().pixmap(64, 64).toImage()
    drawn = {QColor(scheme.window).name()} | {
        shown.pixelColor(x, y).name() for x in range(64) for y in range(64) if shown.pixelColor(x, y).alpha() == 255
    }
    assert max(contrast(colour, scheme.window) for colour in drawn) >= TEXT
    window.set_theme("light")
