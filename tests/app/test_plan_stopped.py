"""`simulate plan` that is stopped: what was found by then is told as what it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from app.planning.plans.plan_flips import flips
from app.planning.plans.plan_search import planned
from app.planning.progress import OnDone, uncounted
from app.reports.plan.plan_answer import Judged, PlanAnswer
from app.reports.plan.plan_answer_document import candidates, verdict
from profiles.plans.sheet import sheet
from simulator.studies.points import Point, answer
from simulator.studies.runner import Finished, Runner


@contextmanager
def stopped_at_once(_: str) -> Iterator[OnDone]:
    """Open a line whose reader types Ctrl+C as soon as anything is done."""

    def stop(_done: int, _total: int) -> None:
        raise KeyboardInterrupt

    yield stop


def test_a_search_that_was_stopped_names_nobody_as_the_answer_of_other_cases(plan: Callable[..., str]) -> None:
    answer = planned(sheet(plan()), 1, stopped_at_once)
    assert answer.sizing.was_stopped
    assert (answer.maps, answer.regret) == ((), None)


def test_a_search_that_was_stopped_before_it_ran_anything_tells_what_closed_forms_do(
    plan: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(self: Runner, points: Sequence[Point], *_: object) -> Iterator[tuple[int, Finished]]:
        yield from ()
        raise KeyboardInterrupt

    monkeypatch.setattr(Runner, "each", stopped)
    answer = planned(sheet(plan()), 1, uncounted)
    told = verdict(answer)
    assert told[0] == "No candidate is known to meet every requirement: the search was stopped."
    assert told[1].startswith("MinIO meets with ")  # the cheaper of the two
    assert told[1].endswith(" what closed forms tell; not known: hourly is done in time.")
    hdfs = next(judged for judged in answer.judged if judged.name == "HDFS")
    assert {met.is_met for met in hdfs.met if not met.required.workload} == {True}


def second_only(self: Runner, points: Sequence[Point], *_: object) -> Iterator[tuple[int, Finished]]:
    """Answer the second of some points, and stop there."""
    yield 1, answer(points[1])
    raise KeyboardInterrupt


def test_a_search_that_is_stopped_keeps_what_has_finished_of_the_candidate_that_comes_second(
    plan: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Runner, "each", second_only)
    plan_answer = planned(sheet(plan()), 1, uncounted)
    assert plan_answer.sizing.was_stopped
    assert plan_answer.best is not None
    assert plan_answer.best.name == "MinIO"
    assert verdict(plan_answer)[1].startswith("HDFS meets with ")
    assert {row[0]: row[-1] for row in candidates(plan_answer).rows}["HDFS"] == "not simulated"


def test_a_stop_while_the_answer_is_put_together_keeps_what_was_found(
    plan: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stops = iter([KeyboardInterrupt])

    def stopped_once(*arguments: Any) -> Iterator[str]:
        for stop in stops:
            raise stop
        return flips(*arguments)

    monkeypatch.setattr("app.planning.plans.plan_search.flips", stopped_once)
    plan_answer = planned(sheet(plan()), 1, uncounted)
    assert plan_answer.sizing.was_stopped
    assert plan_answer.best is not None


def test_a_stop_while_assumed_numbers_are_drawn_leaves_the_best_that_was_found(
    plan: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("app.planning.plans.plan_search.drawn", stopped)
    plan_answer = planned(sheet(plan()), 1, uncounted)
    assert plan_answer.sizing.was_stopped
    assert plan_answer.best is not None
    assert (plan_answer.maps, plan_answer.regret) == ((), None)


def test_a_candidate_of_which_less_is_known_stands_behind_one_that_misses_a_little(
    plan: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Runner, "each", second_only)
    stopped = planned(sheet(plan()), 1, uncounted)

    def missing(judged: Judged) -> Judged:
        *met, last = judged.met
        return replace(judged, is_feasible=False, met=(*met, replace(last, margin=-0.01)))

    known = {judged.name: judged for judged in stopped.judged}
    assert any(met.is_met is None for met in known["HDFS"].met)  # it misses nothing, as far as is known
    looked_at: PlanAnswer = replace(stopped, judged=(known["HDFS"], missing(known["MinIO"])))
    assert [judged.name for judged in looked_at.ranked] == ["MinIO", "HDFS"]


def test_while_options_are_simulated_it_is_said_what_is_counted(plan: Callable[..., str]) -> None:
    told = []

    @contextmanager
    def opened(what: str) -> Iterator[OnDone]:
        yield lambda done, total: told.append(f"{what}: {done} of {total}")

    planned(sheet(plan()), 1, opened)
    count = r"\d of \d candidates done, \d+ of \d+ options not decided yet"
    pattern = rf"(Simulating|Looking for .+); {count}(; best so far: .+)?; runs of this round: \d+ of \d+"
    assert told[0].startswith("Simulating; 0 of 2 candidates done, ")
    assert [text for text in told if not re.fullmatch(pattern, text)] == []
