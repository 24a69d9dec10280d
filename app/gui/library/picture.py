"""The small picture of a card: the servers of a profile, a colour for each group, or the sign of a study's kind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.gui.look import theme
from app.gui.look.icons import icon
from models.problem import ProblemError
from models.scenario import Scenario
from profiles.loading.loader import load

SIZE = QSize(54, 54)  # logical pixels
ACROSS = 6  # servers beside each other
MOST = 36
"""Servers that a picture has room for; of more, each that is drawn stands for as many."""
GAP = 0.25  # between two servers, of the room that one has


@dataclass(frozen=True, slots=True)
class Drawn:
    """A group of servers in a picture; those without drives only compute, or ask."""

    name: str
    count: int
    has_drives: bool


def drawn_groups(name: str) -> tuple[Drawn, ...]:
    """Return the groups of a shipped profile, none where it cannot be read."""
    try:
        groups = load(name, Scenario).scenario.cluster.groups
    except ProblemError:
        return ()
    return tuple(Drawn(key, group.count, bool(group.server.bays)) for key, group in groups.items())


def in_words(groups: Sequence[Drawn]) -> str:
    """Return what a picture shows: "12 storage, 4 clients"."""
    return ", ".join(f"{group.count:,} {group.name}" for group in groups)


def draw_sign(painter: QPainter, place: QPointF, kind: str) -> None:
    """Draw the icon of a kind of study, which has its name."""
    box = QRectF(place, SIZE).toRect()
    icon(kind).paint(painter, box.adjusted(8, 8, -8, -8))


def draw_servers(painter: QPainter, place: QPointF, groups: Sequence[Drawn]) -> None:
    """Draw servers row by row: filled where they have drives, as outlines where they have none."""
    total = sum(group.count for group in groups)
    share = max(total / MOST, 1.0)
    room = SIZE.width() / ACROSS
    at = 0
    for number, group in enumerate(groups):
        colour = theme.series_colour(number)
        painter.setPen(QPen(colour, 1))
        painter.setBrush(colour if group.has_drives else QColor(Qt.GlobalColor.transparent))
        for _ in range(max(math.floor(group.count / share), 1)):
            corner = place + QPointF(at % ACROSS, at // ACROSS) * room
            painter.drawRect(QRectF(corner.x(), corner.y(), room * (1 - GAP), room * (1 - GAP)))
            at += 1
