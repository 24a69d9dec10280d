"""Charts of slides, which the program that shows them draws from their numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from app.reports.colours import COLOURS, colour_at, colour_of, hues_of
from app.reports.document import Axis, Bars, Lines, Ranges, Series, Waterfall
from app.reports.media import label, mapped
from app.reports.scales import scale

Area = tuple[float, float, float, float]
SMALL, TITLE, DOT = 11, 13, 6  # points
FORMATS = {"share": "0%", "change": "+0%;-0%"}


def draw(slide: Any, block: Lines | Bars | Waterfall | Ranges, area: Area) -> None:
    """Add a chart to a slide, at (left, top, width, height) in inches."""
    from pptx.util import Inches

    block = mapped(block, label)  # which goes into a workbook
    kind, data, axis, count = _lines(block) if isinstance(block, Lines) else _bars(block)
    frame = slide.shapes.add_chart(kind, *(Inches(length) for length in area), data)
    chart = frame.chart
    chart.font.size = _size(SMALL)
    chart.has_title = True
    chart.chart_title.text_frame.text = block.name
    chart.chart_title.text_frame.paragraphs[0].font.size = _size(TITLE)
    chart.has_legend = count > 1
    if count > 1:
        _legend(chart)
    _axes(chart, block, axis, data.number_format)
    _colours(chart, block, data.number_format)


def _size(size: float) -> Any:
    from pptx.util import Pt

    return Pt(size)


def _legend(chart: Any) -> None:
    from pptx.enum.chart import XL_LEGEND_POSITION

    chart.legend.position = XL_LEGEND_POSITION.BOTTOM
    chart.legend.include_in_layout = False


def _bars(block: Bars | Waterfall | Ranges) -> tuple[Any, Any, str, int]:
    """Return kind, data, title of the axis and number of series of bars; a range is a length upon one not seen."""
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE

    table = block.table()
    values = [cell for row in table.rows for cell in row[1:] if isinstance(cell, (int, float))]
    by, unit = scale(block.axis.unit, values)
    columns = [1, 3] if isinstance(block, Ranges) else list(range(1, len(table.columns)))
    numbers = [value / by for value in values]
    data = CategoryChartData(number_format=FORMATS.get(block.axis.unit or "") or _number_format(numbers))
    data.categories = [f"{row[0]}" for row in table.rows]
    for j in columns:
        lengths = [cell / by if isinstance(cell := row[j], (int, float)) else None for row in table.rows]
        data.add_series(table.columns[j].title, lengths)
    kind = XL_CHART_TYPE.BAR_STACKED if isinstance(block, Ranges) else XL_CHART_TYPE.BAR_CLUSTERED
    return kind, data, Axis(block.axis.label, unit).title, 1 if isinstance(block, Ranges) else len(columns)


def _number_format(numbers: Sequence[float]) -> str:
    """Return how numbers of one chart are written: whole where they are, or from 100 on, else with three digits."""
    largest = max(map(abs, numbers), default=0.0)
    if largest >= 100 or all(number == round(number) for number in numbers):
        return "#,##0"
    return "0.0" if largest >= 10 else "0.00"


def _lines(block: Lines) -> tuple[Any, Any, str, int]:
    """Return kind, data, title of the axis and number of series of curves."""
    from pptx.chart.data import XyChartData
    from pptx.enum.chart import XL_CHART_TYPE

    by, unit = scale(block.y.unit, (value for line in block.series for value in line.y))
    data = XyChartData(number_format=FORMATS.get(block.y.unit or "", "General"))
    for line in block.series:
        series = data.add_series(line.name)
        for x, y in _points(block, line):
            series.add_data_point(x, y / by)
    kind = (
        XL_CHART_TYPE.XY_SCATTER
        if all(line.is_apart for line in block.series)
        else XL_CHART_TYPE.XY_SCATTER_LINES_NO_MARKERS
    )
    return kind, data, Axis(block.y.label, unit).title, len(block.series)


def _points(block: Lines, line: Series) -> Iterator[tuple[float, float]]:
    """Yield the points of a curve that has values; one in steps has two for each, where it begins and where it ends."""
    ends = [None] * len(line.x) if block.end is None else [*line.x[1:], block.end]
    for x, end, y in zip(line.x, ends, line.y, strict=True):
        if not math.isnan(y):
            yield x, y
            if end is not None:
                yield end, y


def _axes(chart: Any, block: Lines | Bars | Waterfall | Ranges, title: str, number_format: str) -> None:
    from pptx.enum.chart import XL_AXIS_CROSSES

    value, other = chart.value_axis, chart.category_axis
    value.has_title = True
    value.axis_title.text_frame.text = title
    value.axis_title.text_frame.paragraphs[0].font.size = _size(SMALL)
    value.major_gridlines.format.line.color.rgb = _colour("#DDDDDD")
    value.tick_labels.number_format = number_format
    value.tick_labels.number_format_is_linked = False
    if isinstance(block, Lines):
        if not block.y.is_log and not any(y < 0 for line in block.series for y in line.y):
            value.minimum_scale = 0
        other.has_title = True
        other.axis_title.text_frame.text = block.x.title
        other.axis_title.text_frame.paragraphs[0].font.size = _size(SMALL)
        other.has_major_gridlines = False
    else:
        other.reverse_order = True
        value._element.crosses.val = XL_AXIS_CROSSES.MAXIMUM  # the last is at the bottom, and there the values stand
        chart.plots[0].gap_width = 60


def _colours(chart: Any, block: Lines | Bars | Waterfall | Ranges, number_format: str) -> None:
    for i, series in enumerate(chart.plots[0].series):
        colour = _colour(COLOURS[i % len(COLOURS)])
        if isinstance(block, Lines):
            colour = _colour(colour_of(block.series[i], i))
            series.smooth = False
            if block.series[i].is_apart:
                series.format.line.fill.background()
                _dot(series, colour)
                continue
            series.format.line.color.rgb = colour
            series.format.line.width = _size(2)
        elif isinstance(block, Ranges) and not i:
            series.format.fill.background()
        elif isinstance(block, Ranges) and block.base is None:
            for point, hue in enumerate(hues_of(replace(block, rows=block.whole))):
                fill = series.points[point].format.fill
                fill.solid()
                fill.fore_color.rgb = _colour(colour_at(hue))
        else:
            series.format.fill.solid()
            series.format.fill.fore_color.rgb = colour
            for point, hue in enumerate(block.hues if isinstance(block, Bars) else ()):
                fill = series.points[point].format.fill
                fill.solid()
                fill.fore_color.rgb = _colour(colour_at(hue))
    if isinstance(block, Bars):
        plot = chart.plots[0]
        plot.has_data_labels = True
        plot.data_labels.font.size = _size(SMALL - 1)
        plot.data_labels.number_format = number_format
        plot.data_labels.number_format_is_linked = False


def _dot(series: Any, colour: Any) -> None:
    """Let the points of a series be seen, which no line joins."""
    from pptx.enum.chart import XL_MARKER_STYLE

    series.marker.style, series.marker.size = XL_MARKER_STYLE.CIRCLE, DOT
    series.marker.format.fill.solid()
    series.marker.format.fill.fore_color.rgb = colour
    series.marker.format.line.color.rgb = colour


def _colour(text: str) -> Any:
    from pptx.dml.color import RGBColor

    return RGBColor.from_string(text.removeprefix("#"))
