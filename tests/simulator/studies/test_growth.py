"""Until when a growing cluster meets its targets: dates counted by hand, and those of runs checked one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

import pytest

from models.jobs.mapreduce import MapReduce
from models.planning.growth import Expansion, Growth, Missed, scenario_at
from models.scenario import Scenario
from models.target import target
from simulator.studies.growth import Finished, Held, hold
from simulator.studies.points import Answer, Point, PointFailure, answer
from tests.models.machines import GB
from tests.narrow import as_a
from tests.simulator.small import generation
from tests.simulator.together.test_together import entry, many

START = date(2027, 1, 1)
DRIVE = generation().cluster.groups["workers"].server.bays["data"].drive.capacity
ROOM = 3 * 2 * DRIVE / 2  # three servers of two drives, two copies
Seconds = Callable[[Scenario], float]


@pytest.fixture(scope="module")
def any_answer() -> Answer:
    whole = answer(Point(scenario=generation()))
    assert isinstance(whole, Answer)
    return whole


def growing(**growth: object) -> Scenario:
    """Return three servers that write 6 GB, and keep a quarter of what they can; all doubles every year."""
    settings = {"start": START, "stored": ROOM / 4, "annual_growth": 1.0, "workload_grows": True}
    return Scenario(**{**dict(generation()), "growth": Growth.model_validate(settings | growth)})


def held(scenario: Scenario, *texts: str, as_if: Answer, takes: Seconds) -> tuple[Held, list[Scenario]]:
    """Return how long targets are met if each run took what `takes` says, and the scenarios that were run."""
    asked: list[Scenario] = []

    def run(points: Sequence[Point]) -> list[Finished]:
        asked.extend(point.scenario for point in points)
        seconds = [takes(point.scenario) for point in points]
        metrics = [{"duration": (duration, "s"), "rebalance time": (1e6, "s")} for duration in seconds]
        times = zip(seconds, metrics, strict=True)
        return [replace(as_if, duration=duration, metrics=measured) for duration, measured in times]

    return hold(scenario, [target(text) for text in texts], lambda then: Point(scenario=then), run), asked


def per_server(scenario: Scenario) -> float:
    """Return a second for each GB that a server writes."""
    return as_a(MapReduce, scenario.workload).generated / GB / scenario.cluster.groups["workers"].count


def test_the_first_missed_target_is_that_of_the_first_month_in_which_the_run_takes_too_long(any_answer: Answer) -> None:
    """2 s at first, doubling in a year: 3 s after log2(1.5) = 0.585 years, on 2 August."""
    outlook, _ = held(growing(), "duration <= 3 s", as_if=any_answer, takes=per_server)
    assert outlook.missed is not None
    assert outlook.missed.day == date(2027, 9, 1)
    limit = any_answer.bottleneck
    assert outlook.missed.cause == (
        f"takes 3.17 s, 0.173 s longer than 3 s; limited by: {limit.resource} ({100 * limit.share:.0f} %)"
    )
    assert [checked.day.month for checked in outlook.checked] == list(range(1, 10))


def test_servers_that_come_in_time_put_the_date_off(any_answer: Answer) -> None:
    """With six servers from August 3 s are reached after log2(3) = 1.585 years, 578.5 days: on 2 August of 2028."""
    wider = growing(expansions=(Expansion(date=date(2027, 8, 1), servers=3),))
    outlook, _ = held(wider, "duration <= 3 s", as_if=any_answer, takes=per_server)
    assert outlook.missed is not None
    assert outlook.missed.day == date(2028, 9, 1)


def test_a_month_that_is_slower_than_those_after_it_is_not_skipped(any_answer: Answer) -> None:
    slow = scenario_at(growing(), date(2027, 3, 1)).workload
    outlook, _ = held(
        growing(), "duration <= 1 min", as_if=any_answer, takes=lambda then: 61.0 if then.workload == slow else 59.0
    )
    assert outlook.missed is not None
    assert outlook.missed.day == date(2027, 3, 1)


def test_without_a_missed_target_all_days_up_to_the_day_of_full_are_checked(any_answer: Answer) -> None:
    """A quarter that doubles twice fills the room after 730 days, on 31 December 2028: full on the day after."""
    outlook, _ = held(growing(), "duration <= 1 h", as_if=any_answer, takes=per_server)
    assert outlook.missed is None
    assert (len(outlook.checked), outlook.checked[-1].day) == (24, date(2028, 12, 1))


def test_days_on_which_nothing_has_changed_are_run_once(any_answer: Answer) -> None:
    same = growing(workload_grows=False, expansions=(Expansion(date=date(2027, 8, 15), servers=1),))
    outlook, asked = held(same, "duration <= 1 h", as_if=any_answer, takes=per_server)
    assert [then.cluster.groups["workers"].count for then in asked] == [3, 4, 4]
    assert [then.rebalance is not None for then in asked] == [False, False, True]
    assert outlook.simulated == 3


def test_a_target_that_is_missed_only_while_data_moves_is_told_and_ends_nothing(any_answer: Answer) -> None:
    more = growing(workload_grows=False, expansions=(Expansion(date=date(2027, 8, 15), servers=1),))
    outlook, _ = held(more, "duration <= 3 s", as_if=any_answer, takes=lambda then: 9.0 if then.rebalance else 1.0)
    assert outlook.missed is None
    (rebalance,) = outlook.moving
    assert (rebalance.day, rebalance.servers, rebalance.beside) == (date(2027, 8, 15), 1, 1e6)
    assert rebalance.time == 1e6 > rebalance.idle > 0
    assert rebalance.cause is not None
    assert rebalance.cause.startswith("takes 9 s, 6 s longer than 3 s")


def test_targets_that_follow_from_the_parts_need_no_run(any_answer: Answer) -> None:
    outlook, asked = held(growing(), f"usable >= {ROOM + 1:.0f} B", "servers <= 3", as_if=any_answer, takes=per_server)
    assert asked == []
    assert outlook.missed is not None
    assert outlook.missed.day == START
    assert outlook.missed.cause.endswith("; limited by: full drives")


def test_a_day_on_which_the_job_cannot_be_run_is_a_missed_target() -> None:
    outlook = hold(
        growing(),
        [target("duration <= 1 h")],
        lambda then: Point(scenario=then),
        lambda points: [PointFailure("too many replicas") for _ in points],
    )
    assert outlook.missed == Missed(START, "the job cannot be run: too many replicas")


def test_the_days_are_those_that_runs_of_each_day_by_itself_give() -> None:
    scenario = growing(months=8)
    outlook = hold(
        scenario,
        [target("duration <= 1 s")],
        lambda then: Point(scenario=then, seed=3),
        lambda points: [answer(point) for point in points],
    )
    assert outlook.checked[0].cause is not None
    by_itself = answer(Point(scenario=scenario_at(scenario, START), seed=3))
    assert isinstance(by_itself, Answer)
    limit = by_itself.duration * 1.2
    again = hold(
        scenario,
        [target(f"duration <= {limit} s")],
        lambda then: Point(scenario=then, seed=3),
        lambda points: [answer(point) for point in points],
    )
    alone = {
        checked.day: answer(Point(scenario=scenario_at(scenario, checked.day), seed=3)) for checked in again.checked
    }
    late = [day for day, one in alone.items() if isinstance(one, Answer) and one.duration > limit]
    assert again.missed is not None
    assert late == [again.missed.day] == [again.checked[-1].day]


def test_a_target_that_nothing_measures_is_told_with_the_nearest(any_answer: Answer) -> None:
    with pytest.raises(ValueError, match="no measure 'durations'; did you mean 'duration'"):
        held(growing(), "durations <= 3 s", as_if=any_answer, takes=per_server)


def test_workloads_beside_each_other_stand_so_on_a_later_day_too() -> None:
    """A customer's plan of a job beside an import ended without a report: what could be bought when was not told."""
    growth = Growth(start=START, stored=ROOM / 4, annual_growth=1.0)
    both = many(entry("day"), entry("night")).model_copy(update={"growth": growth})
    then = scenario_at(both, date(2027, 7, 1))
    assert [workload.name for workload in then.workloads] == ["day", "night"]
    assert list(then.each()) == ["day", "night"]
    assert then.growth is None
