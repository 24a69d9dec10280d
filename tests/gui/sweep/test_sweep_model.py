"""The table and the charts of a sweep, without a widget."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt

from app.gui.studies.points import Place, Refused
from app.gui.sweep.jobs import Begun, SweepEnded, SweepRequest, Swept, run_sweep
from app.gui.sweep.model import BEST, POINT, UNBEATEN, SweepModel, sorted_by_value
from app.reports.sweep import sweep_charts
from app.reports.sweep.sweep_points import SurePoints, SweptPoint
from models.planning.grid import axis, combined
from tests.gui.conftest import SMALL
from tests.swept import COUNT, POINTS, REPLICAS

SHOWN = (("duration", "s"), ("cost_over_3_years", "USD"))


def filled() -> SweepModel:
    model = SweepModel()
    model.begin(Begun((COUNT, REPLICAS)))
    model.take(Swept(POINTS[:2], frozenset({1}), frozenset({0, 1}), SHOWN))
    model.take(Swept(POINTS[2:], frozenset({1}), frozenset({0, 1}), SHOWN))
    return model


def test_the_table_sorts_by_numbers_and_puts_what_cannot_be_run_last() -> None:
    model = filled()
    proxy = sorted_by_value(model)
    proxy.sort(3, Qt.SortOrder.AscendingOrder)
    assert [proxy.index(row, 3).data() for row in range(4)] == ["9.0 s", "20.0 s", "100.0 s", "–"]
    proxy.sort(1, Qt.SortOrder.DescendingOrder)
    assert [proxy.index(row, 1).data() for row in range(4)] == ["16", "16", "8", "4"]


def test_low_and_high_of_what_leads_stand_beside_it_once_they_are_known_and_as_a_band_in_the_chart() -> None:
    model = filled()
    assert sweep_charts.curves(model.keys, model.points, "duration", model.sure).band == ""
    model.take_sure(SurePoints("duration", 0.8, {0: (90.0, 120.0), 1: (8.0, 12.0)}, ("2 assumed numbers",)))
    titles = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    assert titles[3:6] == ["duration", "low", "high"]
    assert [model.index(row, 4).data() for row in range(4)] == ["90.0 s", "8.0 s", "–", "–"]
    meaning = model.headerData(5, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert meaning == "Duration is not more than this in 90 % of the cases: 2 assumed numbers"
    drawn = sweep_charts.curves(model.keys, model.points, "duration", model.sure)
    first, second = drawn.series
    assert (first.x, first.low, first.high) == ([4.0, 8.0], [90.0, 8.0], [120.0, 12.0])
    assert (second.low, second.high) == ([20.0], [20.0])
    assert drawn.band == "80 % of the cases"


def test_the_best_point_and_those_that_nothing_beats_are_marked() -> None:
    model = filled()
    assert [model.index(row, 0).data() for row in range(4)] == [UNBEATEN, BEST, "", ""]
    assert model.index(3, model.columnCount() - 1).data() == "does not fit"
    assert model.index(1, 0).data(POINT) is POINTS[1]


def test_points_that_are_told_again_are_not_added_again() -> None:
    model = filled()
    model.take(Swept(POINTS, frozenset({1}), frozenset(), SHOWN))
    assert model.rowCount() == 4


def test_points_stand_in_the_order_of_the_study_however_they_come() -> None:
    model = SweepModel()
    model.begin(Begun((COUNT, REPLICAS)))
    model.take(Swept((POINTS[3], POINTS[1]), frozenset(), frozenset(), SHOWN))
    model.take(Swept((POINTS[2], POINTS[0]), frozenset(), frozenset(), SHOWN))
    assert [point.index for point in model.points] == [0, 1, 2, 3]


class Heard:
    """Keeps what a job reports."""

    def __init__(self) -> None:
        self.parts: list[object] = []
        self.fractions: list[float] = []

    def __call__(self, fraction: float, doing: str = "") -> None:
        self.fractions.append(fraction)

    def tell(self, part: object) -> None:
        self.parts.append(part)

    @property
    def points(self) -> list[SweptPoint]:
        return [point for part in self.parts if isinstance(part, Swept) for point in part.points]


def swept(tmp_path: Path, counts: str) -> tuple[object, Heard]:
    axes = (axis(COUNT.key, counts),)
    heard = Heard()
    request = SweepRequest(
        name="small",
        text=SMALL.replace("5 GB", "2 GB"),
        base=tmp_path / "small.toml",
        axes=axes,
        points=tuple(combined(axes)),
        seed=0,
        replications=1,
    )
    return run_sweep(heard, request, Place(workers=1, scheduler=None, store=tmp_path / "points")), heard


def test_a_sweep_tells_each_point_and_takes_those_that_are_kept_from_the_store(tmp_path: Path) -> None:
    ended, heard = swept(tmp_path, "4,8")
    assert isinstance(ended, SweepEnded)
    assert ended.simulated == 2
    assert heard.fractions == [0.0, 0.5, 1.0]
    again, heard_again = swept(tmp_path, "4,8,12")
    assert isinstance(again, SweepEnded)
    assert again.simulated == 1
    assert [swept_point for swept_point in heard_again.points if swept_point.index < 2] == heard.points


def test_values_that_no_point_can_take_are_refused_before_anything_runs(tmp_path: Path) -> None:
    refused, heard = swept(tmp_path, "4,x")
    assert isinstance(refused, Refused)
    assert "expected a whole number (got 'x')" in refused.problems[0].message
    assert heard.parts == []
