"""Many points: in their order, each once, stored as they finish, and over when they are cancelled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.clock import Cancelled
from simulator.studies.points import Answer, Point, PointFailure, answer
from simulator.studies.runner import Runner, in_order, run_points
from simulator.studies.store import Store
from tests.models.machines import GB
from tests.simulator.small import refused, sort


def points(*sizes: float) -> list[Point]:
    return [Point(scenario=sort(input=size * GB)) for size in sizes]


@pytest.mark.parametrize("workers", [1, 2])
def test_answers_come_in_the_order_of_their_points(workers: int) -> None:
    wanted = points(3, 1, 2)
    assert run_points(wanted, workers=workers) == [answer(point) for point in wanted]


@pytest.mark.parametrize("stop", [Cancelled("cancelled by the user"), KeyboardInterrupt()])
def test_what_is_known_when_it_is_stopped_is_told_before_the_stop_goes_on(stop: BaseException) -> None:
    first, third = (PointFailure(name) for name in ("first", "third"))

    def until_stopped() -> Iterator[tuple[int, PointFailure]]:
        yield 0, first
        yield 2, third
        raise stop

    told: list[Answer | PointFailure | None] = []
    with pytest.raises(type(stop)):
        told.extend(in_order(4, until_stopped()))
    assert told == [first, None, third, None]


def test_who_stops_listening_to_a_stopped_search_meets_the_stop() -> None:
    def until_stopped() -> Iterator[tuple[int, PointFailure]]:
        yield 1, PointFailure("second")
        raise KeyboardInterrupt

    answers = in_order(2, until_stopped())
    assert next(answers) is None
    with pytest.raises(KeyboardInterrupt):
        answers.close()


def test_points_of_one_key_are_run_once() -> None:
    counted = []
    answers = run_points(points(1, 2, 1, 1), workers=1, on_done=lambda done, total: counted.append((done, total)))
    assert counted == [(0, 2), (1, 2), (2, 2)]
    assert answers[0] == answers[2] == answers[3] != answers[1]


def test_stored_points_are_not_run_again(tmp_path: Path) -> None:
    counted = []
    with Store(tmp_path / "points") as store, Runner(store=store, workers=1) as runner:
        first = runner.run(points(1, 2))
        again = runner.run(points(2, 3, 1), lambda done, total: counted.append((done, total)))
    assert counted == [(0, 1), (1, 1)]
    assert [again[2], again[0]] == first


def test_points_are_told_one_by_one_those_of_the_store_first(tmp_path: Path) -> None:
    wanted = points(1, 2, 3, 2)
    with Store(tmp_path / "points") as store, Runner(store=store, workers=1) as runner:
        runner.run(points(3))
        told = list(runner.each(wanted))
    assert [i for i, _ in told] == [2, 0, 1, 3]
    assert told[0][1] == answer(wanted[2])


def test_a_point_that_cannot_be_run_does_not_keep_the_others_from_it(tmp_path: Path) -> None:
    wanted = [*points(1), Point(scenario=refused()), *points(2)]
    with Store(tmp_path / "points") as store:
        answers = run_points(wanted, store=store, workers=1)
        assert len(store) == 2
    assert [type(one_answer) for one_answer in answers] == [Answer, PointFailure, Answer]


@pytest.mark.parametrize("workers", [1, 2])
def test_cancelling_keeps_what_has_finished(tmp_path: Path, workers: int) -> None:
    finished = []
    with Store(tmp_path / "points") as store:
        with pytest.raises(Cancelled):
            run_points(
                points(*range(1, 40)),
                store=store,
                workers=workers,
                on_done=lambda done, total: finished.append(done),
                should_stop=lambda: bool(finished) and finished[-1] >= 3,
            )
        assert 3 <= len(store) == finished[-1] < 39


def test_a_runner_that_was_cancelled_runs_again() -> None:
    stop = True
    with Runner(workers=2) as runner:
        with pytest.raises(Cancelled):
            runner.run(points(1, 2, 3), should_stop=lambda: stop)
        stop = False
        assert len(runner.run(points(1, 2, 3), should_stop=lambda: stop)) == 3
