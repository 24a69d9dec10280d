"""The documented outcomes as a table: words, order and families, without a window."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from app.gui.tables.model import RAW
from app.gui.validate.jobs import OutcomeRow, Validated
from app.gui.validate.model import ValidateModel

TERASORT = OutcomeRow(id="a/sort", family="a", documented=1000.0, unit="s", profile="sort-1")
BAND = OutcomeRow(id="b/rate", family="b", documented=(2.0, 3.0), unit="GB/s", profile="rate-1")


def simulated(row: OutcomeRow, value: float, error: float) -> OutcomeRow:
    return OutcomeRow(
        id=row.id,
        family=row.family,
        documented=row.documented,
        unit=row.unit,
        profile=row.profile,
        simulated=value,
        error=error,
        role="predicted",
    )


def test_an_outcome_is_shown_before_and_after_it_is_simulated(qapp: QApplication) -> None:
    model = ValidateModel([TERASORT, BAND])
    assert [model.index(1, column).data() for column in range(6)] == ["b/rate", "2 to 3 GB/s", "–", "–", "–", "rate-1"]
    model.take(Validated(outcomes=(simulated(BAND, 3.3, 0.1),), families=()))
    cells = [model.index(1, column).data() for column in range(6)]
    assert cells == ["b/rate", "2 to 3 GB/s", "3.3 GB/s", "+10.0 %", "predicted", "rate-1"]
    assert model.shown[1].middle == 3.0


def test_a_family_leaves_the_others_out_and_all_come_back(qapp: QApplication) -> None:
    model = ValidateModel([TERASORT, BAND])
    model.show_family("a")
    assert [row.id for row in model.shown] == ["a/sort"]
    model.show_family("")
    assert model.rowCount() == 2
    assert model.families == ["a", "b"]


def test_errors_sort_as_numbers(qapp: QApplication) -> None:
    model = ValidateModel([TERASORT, BAND])
    model.take(Validated(outcomes=(simulated(TERASORT, 900.0, -0.1), simulated(BAND, 3.06, 0.02)), families=()))
    assert [model.index(row, 3).data(RAW) for row in range(2)] == [-0.1, 0.02]
    assert [model.index(row, 3).data() for row in range(2)] == ["-10.0 %", "+2.0 %"]
