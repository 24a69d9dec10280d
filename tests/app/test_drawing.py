"""What assumed numbers do to several answers: one design of draws for all of them, in at most ten runs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from app.planning.drawing import MANY, NOTHING, Asked, Draws, Run, draw, ratio
from app.planning.loading import choose
from app.reports.prediction_report import Prediction
from models.jobs.mapreduce import MapReduce
from models.planning.prediction import Assumed, Knob, Spread
from models.work import LOOSEST
from simulator.studies.points import Answer, Point, PointFailure, answer

PROFILES = ("hdfs-terasort", "minio-terasort", "hdfs-wordcount", "minio-wordcount", "hdfs-teragen", "minio-teragen")
KNOB = Knob("seek", (Assumed("seek_time", 0.005, 0.01, 0.02, "s", False),), "prior", "data sheets")


def counted(runs: list[Point]) -> Run:
    def run(points: Sequence[Point]) -> list[PointFailure]:
        runs.extend(points)
        return [PointFailure("not run")] * len(points)

    return run


@pytest.mark.parametrize("count", range(1, 7))
def test_no_question_takes_more_than_ten_runs(count: int) -> None:
    runs: list[Point] = []
    asked = [Asked(choose(name, {}), ("duration", 100.0), frozenset()) for name in PROFILES[:count]]
    sides = draw(asked, seed=0, effort="fast", run=counted(runs))
    assert 3 <= len(runs) <= 10
    assert {point.profile for point in runs} == set(PROFILES[:count])
    assert [draws.effect for draws in sides] == [NOTHING] * count


def test_up_to_three_answers_have_the_same_draws_of_the_numbers_that_they_share() -> None:
    runs: list[Point] = []
    asked = [Asked(choose(name, {}), ("duration", 100.0), frozenset()) for name in ("hdfs-terasort", "hdfs-wordcount")]
    draw(asked, seed=0, effort="fast", run=counted(runs))
    half = len(runs) // 2
    starts = [
        workload.framework.job_start
        for workload in (point.scenario.workload for point in runs)
        if isinstance(workload, MapReduce)
    ]
    assert starts[:half] == starts[half:]
    assert len(set(starts)) == half


def test_draws_of_a_run_with_very_many_works_are_simulated_roughly_and_beside_a_run_without_draws() -> None:
    runs: list[Point] = []
    chosen = choose("hdfs-terasort", {})
    draw([Asked(chosen, ("duration", 100.0), frozenset(), MANY + 1)], seed=3, effort="fast", run=counted(runs))
    assert len(runs) <= 10
    assert {(point.tolerance, point.seed) for point in runs} == {(LOOSEST, 3)}
    assert [point.scenario == chosen.scenario for point in runs].count(True) == 1


def test_draws_of_a_run_with_a_tolerance_are_not_simulated_exactly() -> None:
    runs: list[Point] = []
    chosen = choose("hdfs-terasort", {})
    draw([Asked(chosen, ("duration", 100.0), frozenset(), is_rough=True)], seed=0, effort="fast", run=counted(runs))
    assert {point.tolerance for point in runs} == {LOOSEST}


def test_draws_that_are_simulated_roughly_change_an_answer_as_others_do() -> None:
    chosen = choose("hdfs-wordcount", {"workload.input": "200 GB", "workload.reduces": "48"})
    exact = answer(Point(scenario=chosen.scenario))
    assert isinstance(exact, Answer)

    def run(points: Sequence[Point]) -> list[Answer | PointFailure]:
        return [answer(point) for point in points]

    asked = [Asked(chosen, ("duration", exact.duration), frozenset(), works) for works in (exact.works, MANY + 1)]
    assert exact.works < MANY
    usual, rough = (draw([question], seed=0, effort="fast", run=run)[0] for question in asked)
    assert usual.changes.keys() == rough.changes.keys()
    assert max(usual.changes.values()) > 0.02
    for row, change in usual.changes.items():
        assert rough.changes[row] == pytest.approx(change, abs=0.01)


def test_a_run_without_draws_that_fails_leaves_nothing_to_compare_with() -> None:
    asked = Asked(choose("hdfs-terasort", {}), ("duration", 100.0), frozenset(), MANY + 1)
    (sides,) = draw([asked], seed=0, effort="fast", run=lambda points: [PointFailure("not run")] * len(points))
    assert sides.effect == NOTHING


def drawn(*changes: float) -> Draws:
    effect = Spread(0.0, 0.04, (1.0,), len(changes))
    return Draws([KNOB], [KNOB], [KNOB], effect, dict(enumerate(changes)))


def test_what_moves_two_answers_alike_does_not_move_their_ratio() -> None:
    assert ratio(drawn(0.1, -0.2, 0.3), drawn(0.1, -0.2, 0.3)) == pytest.approx((0.0, 0.0))
    shift, variance = ratio(drawn(0.1, -0.2, 0.3), drawn(0.2, -0.4, 0.6))
    assert shift == pytest.approx(0.2 / 3)
    assert variance > 0.06  # that of 0.1, -0.2 and 0.3, taken for larger as three draws tell little


def test_answers_without_common_draws_are_taken_for_independent() -> None:
    assert ratio(drawn(), drawn())[1] == pytest.approx(0.08)


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        ((0.7, 0.88), "12 to 30 % less (80 %)"),
        ((1.05, 1.3), "5 to 30 % more (80 %)"),
        ((0.9, 1.2), "10 % less to 20 % more (80 %)"),
        ((0.8, 3.0), "0.8 to 3 times as much (80 %)"),
    ],
)
def test_a_ratio_is_told_in_words(ratio: tuple[float, float], text: str) -> None:
    sure = Prediction(
        measure="duration", unit="s", value=1.0, level=0.8, low=0.5, high=2.0, why=(), is_inside=True, ratio=ratio
    )
    assert sure.likely_change == text
