"""The picture of a validation: which outcomes share a panel, which are named, and that its words can be read."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.axes import Axes
from matplotlib.text import Text as Label

from app.reports.parity import Parity, agreements
from app.reports.validation import parity_svg
from app.reports.validation.parity_svg import LOOK, ROLES, draw, panels
from app.reports.validation.validation_report import ValidationReport
from models.outcome import Family
from simulator.studies.validate import OutcomeResult, Validation
from tests.app.conftest import Type

SVG = "{http://www.w3.org/2000/svg}"


def outcome(id: str, documented: float | tuple[float, float], error: float, unit: str = "s") -> OutcomeResult:
    edge = documented[1] if isinstance(documented, tuple) else documented
    return OutcomeResult(id, id.partition("/")[0], documented, edge * (1 + error), unit, error, "predicted", "x")


COPIES = tuple(outcome(f"copy/{name}", 100.0 + i, 0.01) for i, name in enumerate(("a", "b", "c")))
RATES = tuple(outcome(f"jobs/{name}/rate", 60.0 + i, 0.2, "MB/s") for i, name in enumerate(("gpfs", "afs", "xfs")))
EVENTS = tuple(outcome(f"jobs/{name}/events", 1e5 + i, 0.0, "1") for i, name in enumerate(("gpfs", "afs", "xfs")))


def report(*outcomes: OutcomeResult) -> ValidationReport:
    names = dict.fromkeys(result.family for result in outcomes)
    families = tuple(
        Family(name=name, mean_target=0.1, worst_target=0.2, budget=1, note="", parameters=()) for name in names
    )
    return ValidationReport(validation=Validation(outcomes, (), {}), families=families)


def panel_of(*outcomes: OutcomeResult) -> Parity:
    return Parity("copy", "s", agreements(outcomes, [result.role for result in outcomes]), ROLES)


def said(*outcomes: OutcomeResult) -> list[str]:
    """Return the words of the picture."""
    picture = ElementTree.fromstring(parity_svg.render(report(*outcomes)))
    return ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]


def ticks(axes: Axes) -> list[Label]:
    """Return the numbers at the ticks of axes, those of ticks out of sight among them."""
    every = [tick for axis in (axes.xaxis, axes.yaxis) for tick in axis.get_major_ticks()]
    return [text for tick in every for text in (tick.label1, tick.label2)]


def test_each_unit_of_a_family_has_a_panel_named_by_what_its_outcomes_share() -> None:
    shown = panels(report(*COPIES, *RATES, *EVENTS))
    assert [(panel.name, panel.unit, len(panel.points)) for panel in shown] == [
        ("copy", "s", 3),
        ("jobs rate", "MB/s", 3),
        ("jobs events", "number", 3),
    ]


def test_units_with_few_outcomes_share_a_panel_and_a_single_outcome_is_named_in_its_title() -> None:
    ratio = outcome("copy/over", (1.0, 1.1), 0.0, "1")
    size = outcome("plan/size", 30.0, 0.0, "PB")
    rate = outcome("plan/rate", 15.1, 0.0, "GB/s")
    shown = panels(report(*COPIES, ratio, size, rate))
    assert [(panel.name, panel.unit) for panel in shown] == [
        ("copy", "s"),
        ("copy over", "number"),
        ("plan", "several units"),
    ]


def test_the_three_worst_outcomes_are_named_with_their_errors_and_small_errors_are_not() -> None:
    errors = {"a": 0.04, "b": -0.3, "c": 0.06, "d": 0.2, "e": -0.07}
    panel = panel_of(*(outcome(f"copy/hdfs/{name}", 100.0, error) for name, error in errors.items()))
    assert [words for _, words in panel.worst] == ["b -30.0 %", "d +20.0 %", "e -7.0 %"]
    assert panel.errors == "mean error 13.4 %, worst 30.0 %"


def test_axes_hold_all_points_and_never_span_less_than_a_factor_of_four() -> None:
    wide = panel_of(outcome("copy/a", 10.0, 0.5), outcome("copy/b", (50.0, 1000.0), 0.0))
    low, high = wide.ends
    assert (low, high) == (10 / 1.25, 1000 * 1.25)
    low, high = panel_of(*COPIES).ends
    assert high / low == pytest.approx(4)


def test_the_picture_says_titles_units_errors_and_names() -> None:
    words = said(*COPIES, *RATES)
    assert {"copy", "jobs rate", "documented (s)", "simulated (s)", "documented (MB/s)"} <= set(words)
    assert {"mean error 1.0 %, worst 1.0 %", "gpfs +20.0 %", "afs +20.0 %", "error of at most 10 %"} <= set(words)


def test_equal_reports_give_equal_bytes() -> None:
    assert parity_svg.render(report(*COPIES, *EVENTS)) == parity_svg.render(report(*COPIES, *EVENTS))


def test_a_value_of_zero_is_drawn_at_the_edge() -> None:
    assert "a -100.0 %" in said(*(outcome(f"copy/{name}", 100.0, -1.0) for name in "ab"))


def test_large_numbers_stand_on_the_axes_in_millions() -> None:
    many = (outcome(f"jobs/{name}/rows", at, 0.0, "1") for name, at in (("a", 3e4), ("b", 1e6), ("c", 2e7)))
    assert {"100 k", "1 M", "10 M"} <= set(said(*many))


def test_words_neither_overlap_nor_leave_the_picture() -> None:
    from matplotlib import rc_context
    from matplotlib.text import Text

    errors = {"a": (50, 0.3), "b": (52, 0.28), "c": (500, -0.2), "d": (60, 0.26), "e": (480, 0.0)}
    many = [outcome(f"tpch/a-long-name-{name}", at, error) for name, (at, error) in errors.items()]
    with rc_context(LOOK):
        figure = draw(panels(report(*COPIES, *RATES, *EVENTS, *many, outcome("plan/x", (50.0, 1000.0), 0.0, "1/s"))))
        figure.draw_without_rendering()
    texts = [text for axes in figure.axes for text in axes.findobj(Text) if text.get_text() and text not in ticks(axes)]
    boxes = {text: Text.get_window_extent(text) for text in texts}  # without the lines that lead to points
    x, y, wide, high = figure.bbox.padded(1).bounds
    assert [
        text.get_text()
        for text, box in boxes.items()
        if not (x <= box.x0 and box.x1 <= x + wide and y <= box.y0 and box.y1 <= y + high)
    ] == []
    overlapping = [
        (a.get_text(), b.get_text())
        for a, b in combinations(texts, 2)
        if boxes[a].padded(-0.5).overlaps(boxes[b].padded(-0.5))
    ]
    assert overlapping == []


def test_validate_refuses_a_page_and_a_picture_in_one_file_before_it_runs(type_: Type, tmp_path: Path) -> None:
    ended = type_("validate", "--markdown", str(tmp_path / "both"), "--svg", str(tmp_path / "both"))
    assert ended.status == 2
    assert "--svg: cannot write" in ended.err
