"""Bars: of numbers, over an axis, and from what is left to what is left."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor

from app.gui.charts.painter import Painter, colour_at, colour_of, sign, told_once
from app.gui.charts.scale import Scale
from app.gui.look import theme
from app.reports import words
from app.reports.colours import hues_of
from app.reports.document import Bars, Ranges, Waterfall
from app.reports.scales import told

LEAST = 0.12  # height of a bar whose part is next to nothing
HEIGHT = 0.7  # of a bar
LABELS = 10  # rows whose names the axis of the lowest chart has room for
NOTED = 100  # bars whose notes are written. Assumption: more in ten rows cannot be read, and each takes a millisecond
ROOM = 0.45  # part of a chart's width that a note takes at most. Assumption: seen at 1024 pixels
BEHIND_NOTE = 190  # of 255, how much of a bar what stands behind a note on it hides. Assumption: both are seen
BEHIND = 1.5  # width of the plot over its longest bar: the value is written behind it


class RangesPainter(Painter[Ranges]):
    """Draws bars from a low to a high value in rows."""

    says_of_points = True

    def paint(self) -> None:
        chart = self.drawing
        ends = [end for _, *both in chart.rows for end in both] + [mark.at for mark in chart.marks]
        self._x = x = Scale.of(chart.axis, ends)
        self.begin(chart.name, x, None, (ends, ()))
        self.plot.setMouseEnabled(x=True, y=False)
        labels, most = chart.labels, float(x.place(max(ends, default=0.0)))
        rows = {label: row for row, label in enumerate(labels)}
        hues = [colour_at(number) for number in hues_of(chart)]
        starts, lengths = (
            x.place([low for _, low, _ in chart.rows]),
            x.place([high - low for _, low, high in chart.rows]),
        )
        usual = HEIGHT if len(labels) <= LABELS else 1.0
        heights = [usual * max(part, LEAST) for part in chart.parts] or [usual] * len(hues)
        self.chart.bars(starts, [rows[label] for label, *_ in chart.rows], lengths, hues, heights)
        for label, at in chart.due:
            pen = pg.mkPen(theme.current().text, width=theme.line())
            self.plot.plot([float(x.place(at))] * 2, [rows[label] - 0.45, rows[label] + 0.45], pen=pen)
        for mark in chart.marks:
            self.across(mark, x)
        has_room = len(labels) <= LABELS and len(chart.rows) <= NOTED
        for start, length, (label, *_), note in zip(starts, lengths, chart.rows, chart.notes, strict=False):
            if note and has_room:
                self._note(rows[label], (float(start), float(start + length)), most, note)
        step = -(-len(labels) // LABELS) or 1
        self.name_rows(list(enumerate(labels))[::step])
        self.plot.invertY(True)
        self.plot.setRange(xRange=(0, most), yRange=(-0.6, max(len(labels), 1) - 0.4), padding=0.02)
        entries = [(name, colour_at(number), "") for name, number in chart.names.items()]
        marks = told_once(chart.marks)
        entries += [(mark.name, colour_of(mark), "") for mark in marks]
        self.tell_legend(entries, ["■"] * len(chart.names) + [sign(mark) for mark in marks])

    def places(self) -> list[float]:
        return [
            float(place) for place in self._x.place(sorted({end for _, *ends in self.drawing.rows for end in ends}))
        ]

    def said_at(self, x: float, y: float | None = None) -> str:
        chart, number = self.drawing, self._x.number(x)
        labels = chart.labels
        if y is None:
            return "\n".join(self._words(i) for i, bar in enumerate(chart.rows) if bar[1] <= number <= bar[2])
        if not -0.5 <= y < len(labels) - 0.5:
            return ""
        label = labels[round(y)]
        bars = [i for i, (name, _, _) in enumerate(chart.rows) if name == label]
        here = [i for i in bars if chart.rows[i][1] <= number <= chart.rows[i][2]]
        lines = [self._words(i) for i in (bars if len(bars) == 1 else here)]
        due = [f"due by {chart.axis.shown(at)}" for name, at in chart.due if name == label]
        return "\n".join([*(lines or [f"{label}: nothing at that time"]), *due])

    def unit(self) -> str | None:
        return self.drawing.axis.unit

    def _note(self, row: int, ends: tuple[float, float], most: float, text: str) -> None:
        """Write what is said of a bar where there is most room: behind it, before it, or on it."""
        low, high = ends
        if max(low, most - high) < ROOM * most:
            scheme = theme.current()
            behind = QColor(scheme.base)
            behind.setAlpha(BEHIND_NOTE)
            item = pg.TextItem(text, color=scheme.text, anchor=(0.5, 0.5), fill=behind)
            item.setPos((low + high) / 2, row)
            self.plot.addItem(item, ignoreBounds=True)
        elif most - high >= low:
            self.chart.say(high, row, text, (0, 0.5))
        else:
            self.chart.say(low, row, text, (1, 0.5))

    def _words(self, place: int) -> str:
        """Return what is said of a bar: its ends, its note, and how high it is."""
        chart = self.drawing
        label, low, high = chart.rows[place]
        texts = [f"{chart.axis.shown(low)} to {chart.axis.shown(high)}"]
        texts += [chart.notes[place]] if chart.notes and chart.notes[place] else []
        part = chart.parts[place] if chart.parts else 1.0
        texts += [f"at {words.percent(part)} of its highest rate"] if part < 1 else []
        return f"{label}: {', '.join(texts)}"


class WaterfallPainter(Painter[Waterfall]):
    """Draws what is left after each step."""

    says_of_places = False

    def paint(self) -> None:
        chart = self.drawing
        x = Scale.of(chart.axis, [value for _, value in chart.steps])
        self.begin(chart.name, x, None, ((), ()))
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.hideAxis("left")
        places = [float(x.place(value)) for _, value in chart.steps]
        most = before = max(places, default=0.0) or 1.0  # a run that moves nothing has steps of nothing
        for row, ((name, value), place) in enumerate(zip(chart.steps, places, strict=True)):
            colours = [theme.series_colour(0 if row < len(places) - 1 else 2), QColor(theme.current().button)]
            self.chart.bars([0.0, place], [row, row], [place, before - place], colours, 0.35)
            before = place
            share = f", {words.percent(place / most)}" if row else ""
            self.chart.say(0.0, row - 0.18, f"{name}: {chart.axis.shown(value)}{share}", (0, 1))
        self.plot.invertY(True)
        self.plot.setRange(xRange=(0, most), yRange=(-0.75, max(len(places), 1) - 0.7), padding=0.02)

    def places(self) -> list[float]:
        return []

    def said_at(self, x: float, y: float | None = None) -> str:
        return ""


class BarsPainter(Painter[Bars]):
    """Draws one bar a label, of the first series, from the top, each beside its marker and its name."""

    says_of_places, says_of_points = False, True

    def paint(self) -> None:
        chart = self.drawing
        values = [row[0] or 0.0 for row in chart.values]
        ends = [*values, *(span[1] for span in chart.spans if span)]
        x = Scale.of(chart.axis, ends)
        self.begin(chart.name, x, None, (ends, ()))
        self.plot.setMouseEnabled(x=False, y=False)
        hues = list(chart.hues) or [0] * len(values)
        rows = list(range(len(values)))
        self.chart.bars([0.0] * len(values), rows, x.place(values), [colour_at(hue) for hue in hues])
        spans = dict(enumerate(chart.spans))
        for row, value in enumerate(values):
            span = spans.get(row)
            if span is not None:
                self._span(row, (float(x.place(span[0])), float(x.place(span[1]))))
            end = max(value, span[1] if span else 0.0)
            self.chart.say(float(x.place(end)), row, told(value, chart.axis.unit or "1"), (0, 0.5))
        marks = [f"{theme.series_mark(hue)} " for hue in hues] if chart.hues else [""] * len(values)
        self.name_rows([(row, f"{marks[row]}{label}") for row, label in enumerate(chart.labels)])
        self.chart.legend.setText(chart.spanned)
        self.chart.legend.setVisible(bool(chart.spanned))
        self.plot.invertY(True)
        most = float(x.place(max(ends, default=0.0))) or 1.0
        self.plot.setRange(xRange=(0, BEHIND * most), yRange=(-0.6, max(len(values), 1) - 0.4), padding=0.0)

    def places(self) -> list[float]:
        return []

    def said_at(self, x: float, y: float | None = None) -> str:
        chart = self.drawing
        if y is None or not -0.5 <= y < len(chart.labels) - 0.5:
            return ""
        row = round(y)
        value, unit = chart.values[row][0], chart.axis.unit or "1"
        span = chart.spans[row] if chart.spans else None
        between = f", between {told(span[0], unit)} and {told(span[1], unit)}" if span else ""
        return f"{chart.labels[row]}: {'nothing' if value is None else told(value, unit)}{between}"

    def _span(self, row: int, ends: tuple[float, float]) -> None:
        low, high = ends
        middle, half = np.array([(low + high) / 2]), (high - low) / 2
        pen = pg.mkPen(theme.current().text, width=theme.line())
        self.plot.addItem(pg.ErrorBarItem(x=middle, y=np.array([row]), left=half, right=half, beam=0.2, pen=pen))
