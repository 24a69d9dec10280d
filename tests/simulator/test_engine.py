from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import simpy

from models.work import (
    Await,
    Deferred,
    Delay,
    Demand,
    Hold,
    Parallel,
    Pieces,
    Pool,
    Repeat,
    Resources,
    Sequence,
    Step,
    Use,
    Work,
    WriteBehind,
    demand,
)
from simulator.engine import Cancelled, ConservationError, Engine, StuckError
from simulator.steps.writer import FULL

ROOT = Path(__file__).parents[2]


class Bench:
    """An engine with one drive of 10 B/s, and a log of what ended when."""

    def __init__(self, should_stop: Callable[[], bool] | None = None, tolerance: float = 0.0) -> None:
        resources = Resources()
        drive = resources.add("drive", kind="drive", group="drives", unit="B", capacity=10.0)
        self.engine = Engine(resources, should_stop=should_stop, tolerance=tolerance)
        self.demand = demand([Use(drive, 1.0, 1.0)])
        self.log: list[tuple[str, float]] = []

    def work(self, amount: float) -> Work:
        return Work(amount, self.demand)

    def execute(self, name: str, step: Step) -> None:
        self.engine.execute(step, lambda: self.log.append((name, self.engine.now)))

    def run(self) -> list[tuple[str, float]]:
        self.engine.run()
        self.engine.close()
        return self.log


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_steps_of_a_sequence_follow_one_another(bench: Bench) -> None:
    bench.execute("all", Sequence([bench.work(20.0), Delay(3.0), bench.work(10.0)]))
    assert bench.run() == [("all", 6.0)]


def test_a_parallel_is_done_with_its_last_step(bench: Bench) -> None:
    bench.execute("all", Parallel([bench.work(20.0), Delay(3.0), bench.work(10.0)]))
    bench.execute("none", Parallel([]))
    assert bench.run() == [("none", 0.0), ("all", 3.0)]


def test_sequences_and_parallels_nest(bench: Bench) -> None:
    branch = Sequence([Delay(1.0), Parallel([Delay(2.0), Sequence([Delay(0.5), Delay(0.5)])])])
    bench.execute("all", Sequence([Parallel([branch, branch]), Delay(1.0)]))
    assert bench.run() == [("all", 4.0)]


@pytest.mark.parametrize("size", [0.0, 3.0, 7.5])
@pytest.mark.parametrize("many", [1, 3])
@pytest.mark.parametrize("weight", [1.0, 3.0])
def test_pieces_do_what_as_many_sequences_of_their_size_do(size: float, many: int, weight: float) -> None:
    """Works and what is written behind have their size; a delay, or a slot that is held, is the same in any size."""
    ends: list[list[tuple[str, float]]] = []
    for is_told_at_once in (True, False):
        bench = Bench()
        own = demand(bench.demand.uses, max_rate=4.0, weight=weight)

        def one(times: float, own: Demand = own) -> Sequence:
            drain = Hold(Pool("flusher", 1.0), 1.0, Parallel((Work(times, own), Delay(0.25))))
            return Sequence((WriteBehind(Pool("dirty", 10.0), 2 * times, drain), Work(2 * times, own), Delay(1.0)))

        step = Pieces(one(1.0), size, many) if is_told_at_once else Sequence([one(size) for _ in range(many)])
        for name in "abc":
            bench.execute(name, Sequence((step, bench.work(1.0))))
        ends.append(bench.run())
    assert ends[0] == ends[1]
    assert ends[0][-1][1] >= many


def test_pieces_of_pieces_have_both_sizes(bench: Bench) -> None:
    inner = Pieces(Sequence((bench.work(1.0),)), 5.0, 2)
    bench.execute("all", Pieces(Sequence((inner, Delay(1.0))), 3.0, 2))
    assert bench.run() == [("all", 2 * (2 * 1.5 + 1.0))]


def test_what_is_planned_within_pieces_has_their_size(bench: Bench) -> None:
    planned = Deferred(lambda: bench.work(10.0))
    bench.execute("all", Pieces(Sequence((planned,)), 0.5, 2))
    assert bench.run() == [("all", 1.0)]


@pytest.mark.parametrize(("size", "many"), [(-1.0, 1), (float("inf"), 1), (1.0, 0)])
def test_pieces_that_cannot_be_are_refused(bench: Bench, size: float, many: int) -> None:
    with pytest.raises(ValueError, match="pieces must be one at least, of a size >= 0 and finite"):
        bench.execute("all", Pieces(Sequence((Delay(1.0),)), size, many))


@pytest.mark.parametrize("instant", [Delay(0.0), Sequence([]), Parallel([]), Parallel([Delay(0.0)]), "work"])
def test_what_takes_no_time_is_done_at_once_a_hundred_thousand_times(bench: Bench, instant: Step | str) -> None:
    step = bench.work(0.0) if isinstance(instant, str) else instant
    bench.execute("all", Sequence([step] * 100_000))
    assert bench.run() == [("all", 0.0)]


def test_a_chain_of_instant_steps_each_started_by_the_one_before_does_not_recurse(bench: Bench) -> None:
    left = 10_000

    def start_next() -> None:
        nonlocal left
        left -= 1
        if left:
            bench.engine.execute(Delay(0.0), start_next)

    start_next()
    assert bench.run() == []
    assert left == 0


def test_a_pool_is_held_first_come_first_served(bench: Bench) -> None:
    pool = Pool("slots", 2.0)
    for name, amount, seconds in [("a", 1.0, 3.0), ("b", 1.0, 1.0), ("c", 2.0, 1.0), ("d", 1.0, 1.0)]:
        bench.execute(name, Hold(pool, amount, Delay(seconds)))
    # c needs both and waits for a; d, who came later, does not overtake it though one is free from 1 on
    assert bench.run() == [("b", 1.0), ("a", 3.0), ("c", 4.0), ("d", 5.0)]


def test_a_hold_may_hold_works_and_other_pools(bench: Bench) -> None:
    outer, inner = Pool("outer", 2.0), Pool("inner", 1.0)
    for name in "abc":
        bench.execute(name, Hold(outer, 1.0, Hold(inner, 1.0, bench.work(10.0))))
    assert bench.run() == [("a", 1.0), ("b", 2.0), ("c", 3.0)]


def test_thousands_who_wait_for_one_slot_with_nothing_to_do_do_not_recurse(bench: Bench) -> None:
    pool = Pool("slot", 1.0)
    bench.execute("first", Hold(pool, 1.0, Delay(1.0)))
    for _ in range(5_000):
        bench.execute("other", Hold(pool, 1.0, Delay(0.0)))
    assert {at for _, at in bench.run()} == {1.0}
    assert len(bench.log) == 5_001


def test_rounding_leaves_nothing_in_a_pool_that_all_have_left(bench: Bench) -> None:
    pool = Pool("bytes", 1.0)
    for _ in range(3):
        bench.execute("part", Hold(pool, 0.1, Delay(1.0)))
    bench.execute("whole", Hold(pool, 1.0, Delay(1.0)))
    assert bench.run()[-1] == ("whole", 2.0)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (Hold(Pool("p", 0.0), 0.0, Delay(1.0)), "capacity of the pool 'p' must be > 0"),
        (WriteBehind(Pool("p", -1.0), 1.0, Delay(1.0)), "capacity of the pool 'p' must be > 0"),
        (Hold(Pool("p", 2.0), 3.0, Delay(1.0)), "cannot hold 3.0 of the pool 'p' of 2.0"),
        (Hold(Pool("p", 2.0), -1.0, Delay(1.0)), "amount of the pool 'p' must be >= 0"),
        (Delay(-1.0), "a delay must be >= 0 s and finite"),
        (Delay(math.nan), "a delay must be >= 0 s and finite"),
        (Work(-1.0, demand([], max_rate=1.0)), "amount of a work must be >= 0"),
        (Work(math.inf, demand([], max_rate=1.0)), "amount of a work must be >= 0"),
    ],
)
def test_an_impossible_step_is_refused_when_it_begins(bench: Bench, step: Step, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bench.execute("never", step)


def test_a_pool_cannot_have_two_capacities(bench: Bench) -> None:
    bench.execute("a", Hold(Pool("p", 1.0), 1.0, Delay(1.0)))
    with pytest.raises(ValueError, match=r"pool 'p' has capacity 1.0 already"):
        bench.execute("b", Hold(Pool("p", 2.0), 1.0, Delay(1.0)))


def test_what_awaits_a_milestone_goes_on_when_it_is_reached(bench: Bench) -> None:
    bench.execute("waiting", Sequence([Await("maps"), Delay(1.0)]))
    bench.engine.call_after(2.0, lambda: bench.engine.milestone("maps"))
    bench.engine.call_at(5.0, lambda: bench.execute("late", Await("maps")))
    assert bench.run() == [("waiting", 3.0), ("late", 5.0)]


def test_nothing_left_but_a_wait_is_an_error_that_names_it(bench: Bench) -> None:
    pool = Pool("slots", 1.0)
    bench.execute("a", Hold(pool, 1.0, Await("the end of maps")))
    bench.execute("b", Hold(pool, 1.0, Delay(1.0)))
    with pytest.raises(StuckError) as error:
        bench.engine.run()
    assert "1 wait for the milestone 'the end of maps'" in str(error.value)
    assert "1 wait for room in 'slots': 1.0 of which 0.0 is free" in str(error.value)


def test_running_to_an_event_that_cannot_come_is_an_error(bench: Bench) -> None:
    with pytest.raises(StuckError, match="the event to run to never comes"):
        bench.engine.run(bench.engine.env.event())
    done = bench.engine.execute_event(Await("x"))
    with pytest.raises(StuckError, match="milestone 'x'"):
        bench.engine.run(done)


def test_a_simpy_process_can_wait_for_steps(bench: Bench) -> None:
    engine = bench.engine

    def process() -> Generator[simpy.Event, object, None]:
        yield engine.execute_event(bench.work(10.0))
        bench.log.append(("work", engine.now))
        yield engine.env.timeout(0.5)
        yield engine.execute_event(bench.work(10.0)) & engine.execute_event(Delay(3.0))
        bench.log.append(("both", engine.now))

    engine.env.process(process())
    assert bench.run() == [("work", 1.0), ("both", 4.5)]


def test_a_run_may_stop_at_a_time_and_go_on(bench: Bench) -> None:
    bench.execute("work", bench.work(20.0))
    bench.engine.run(0.5)
    assert bench.engine.now == 0.5
    assert bench.engine.close().bytes.tolist() == [5.0]
    bench.execute("other", bench.work(5.0))
    assert bench.run() == [("other", 1.5), ("work", 2.5)]


def test_a_run_to_an_event_cuts_drains_off(bench: Bench) -> None:
    done = bench.engine.execute_event(Sequence([WriteBehind(Pool("dirty", 100.0), 50.0, bench.work(50.0)), Delay(2.0)]))
    bench.engine.run(done)
    assert bench.engine.now == 2.0
    assert bench.engine.close().bytes.tolist() == [20.0]


def test_works_that_end_at_one_time_are_one_instant(bench: Bench) -> None:
    for name in "abc":
        bench.execute(name, Sequence([bench.work(10.0), bench.work(10.0)]))
    assert bench.run() == [("a", 6.0), ("b", 6.0), ("c", 6.0)]
    solves = bench.engine.activities.tables.state["solves"]
    assert solves == 3  # the start, the end of the first three, of the others


def test_works_that_are_nearly_done_end_with_another_one_and_the_books_balance() -> None:
    bench = Bench(tolerance=0.01)
    for name, amount in (("first", 10.0), ("nearly", 10.02), ("later", 12.0)):
        bench.execute(name, bench.work(amount))
    assert bench.run() == [("first", 3.0), ("nearly", 3.0), ("later", pytest.approx(3.2))]
    assert bench.engine.activities.merged == 1
    assert bench.engine.activities.ended == 3
    used = bench.engine.close().used
    assert used.tolist() == [pytest.approx(32.0)]  # not 32.02: what was left of the second was not done


def test_without_a_tolerance_works_that_are_nearly_done_go_on(bench: Bench) -> None:
    bench.execute("first", bench.work(10.0))
    bench.execute("nearly", bench.work(10.0001))
    assert bench.run() == [("first", 2.0), ("nearly", pytest.approx(2.00001, abs=1e-12))]
    assert bench.engine.activities.merged == 0


@pytest.mark.parametrize("more", [1e-3, 1e-6, 3e-7, 1e-9])
def test_a_work_that_ends_early_is_booked_with_what_it_got_however_little_is_left(more: float) -> None:
    bench = Bench(tolerance=1e-3)
    bench.execute("first", bench.work(10.0))
    bench.execute("nearly", bench.work(10.0 * (1 + more)))
    bench.run()
    books, done = bench.engine.close(), bench.engine.activities.tables.resources["done"]
    assert done.tolist() == pytest.approx(books.used.tolist(), rel=1e-14)
    assert bench.engine.now == 2.0


def test_members_of_a_class_that_stay_lose_nothing_to_one_that_ended_early() -> None:
    bench = Bench(tolerance=0.01)
    other = demand(bench.demand.uses, max_rate=100.0)  # another class on the same drive
    bench.execute("ends", Work(10.0, other))
    bench.execute("nearly", bench.work(10.05))
    bench.execute("stays", bench.work(20.0))
    assert bench.run() == [("ends", 3.0), ("nearly", 3.0), ("stays", pytest.approx(4.0))]


def test_cancel_ends_the_run(bench: Bench) -> None:
    bench.execute("long", Sequence([Delay(1.0)] * 100_000))
    bench.engine.call_at(10.5, bench.engine.cancel)
    with pytest.raises(Cancelled, match="cancelled at"):
        bench.engine.run()
    assert bench.engine.now < 10_000


def test_a_run_asks_now_and_then_whether_to_stop() -> None:
    asked: list[float] = []
    bench = Bench(should_stop=lambda: asked.append(time.monotonic()) or len(asked) > 3)  # type: ignore[func-returns-value]
    bench.execute("long", Sequence([Delay(1.0)] * 100_000))
    with pytest.raises(Cancelled):
        bench.engine.run()
    assert len(asked) == 4
    assert 1_000 < bench.engine.now < 50_000


def test_calls_cannot_be_made_in_the_past(bench: Bench) -> None:
    bench.engine.run(5.0)
    with pytest.raises(ValueError, match=r"time must be >= 5.0 and finite \(got 4.0\)"):
        bench.engine.call_at(4.0, bench.engine.cancel)


def test_a_usage_that_no_work_took_is_an_error_that_names_the_resource(bench: Bench) -> None:
    bench.execute("work", bench.work(10.0))
    bench.engine.run()
    bench.engine.activities.tables.resources["used"] += 1.0
    with pytest.raises(ConservationError, match=r"drive: gave 11.0, its works took 10.0"):
        bench.engine.close()


def test_a_work_that_ends_unserved_is_an_error(bench: Bench) -> None:
    bench.execute("work", bench.work(10.0))
    bench.engine.run(0.5)
    bench.engine.activities.tables.classes["rate"] /= 2
    with pytest.raises(ConservationError, match=r"a work on drive ended at 1.0 s without having been served"):
        bench.engine.run()


def test_a_resource_that_does_not_give_what_it_has_or_less_is_an_error(bench: Bench) -> None:
    bench.engine.activities.tables.resources["usage"] = math.nan  # so that it does not seem to bind
    for name in "ab":
        bench.execute(name, bench.work(10.0))
    with pytest.raises(ConservationError, match=r"drive gives nan at 0.0 s, above its capacity 10.0"):
        bench.engine.run()


def test_a_work_that_does_not_move_is_an_error(bench: Bench) -> None:
    bench.engine.activities.tables.resources["capacity"] = 0.0
    bench.execute("work", bench.work(10.0))
    with pytest.raises(ConservationError, match=r"a work on drive has rate 0 at 0.0 s"):
        bench.engine.run()


def test_hundreds_of_thousands_of_works_leave_rows_for_the_next(bench: Bench) -> None:
    def again(left: int) -> None:
        if left:
            wanted = Demand(bench.demand.uses, max_rate=1.0 + left % 7)
            bench.engine.execute(Work(1.0, wanted), lambda: again(left - 1))

    for _ in range(10):
        again(2_000)
    bench.run()
    assert len(bench.engine.activities) == 0
    assert len(bench.engine.activities.tables.classes) == len(bench.engine.activities.tables.members) == 256


def test_works_join_those_of_an_equal_demand_however_many_others_there_are(bench: Bench) -> None:
    use = next(iter(bench.demand.uses))
    for _ in range(2):
        for number in range(1_000):
            bench.engine.execute(Work(1.0, Demand((use,), max_rate=1.0 + number)), lambda: None)
        bench.engine.run(bench.engine.now + 1e-3)
    tables = bench.engine.activities.tables
    assert tables.classes["count"][tables.classes["count"] > 0].tolist() == [2] * 1_000
    assert len(tables.heads) == len(tables.classes) == 1_024


@pytest.mark.parametrize(
    "other",
    [{"max_rate": 2.0}, {"weight": 2.0}, {"cap": "a core"}, {"cost": 2.0}, {"bytes": 2.0}],
    ids=lambda other: next(iter(other)),
)
def test_works_whose_demands_differ_in_anything_are_of_two_classes(bench: Bench, other: dict[str, Any]) -> None:
    resource = next(iter(bench.demand.uses)).resource
    numbers: dict[str, Any] = {"cost": 1.0, "bytes": 1.0, "max_rate": 1.0, "weight": 1.0, "cap": "a stream"}
    for given in (numbers, numbers | other):
        caps = {name: value for name, value in given.items() if name not in ("cost", "bytes")}
        bench.engine.execute(Work(1.0, Demand((Use(resource, given["cost"], given["bytes"]),), **caps)), lambda: None)
    bench.engine.run(1e-3)
    assert int(bench.engine.activities.tables.state["busy_classes"][0]) == 2


def test_works_of_demands_of_any_length_lie_side_by_side_in_a_parallel() -> None:
    resources = Resources()
    links = [resources.add(f"l{i}", kind="link", group="l", unit="B", capacity=1.0) for i in range(4)]
    engine = Engine(resources)
    works = [Work(float(n), demand([Use(link, 1.0, 1.0) for link in links[:n]], max_rate=1.0)) for n in range(5)]
    ended = engine.execute_event(Sequence((Parallel((*works, Delay(0.5))), Delay(1.0))))
    engine.run(ended)
    assert engine.now == pytest.approx(11.0)
    assert engine.close().bytes.tolist() == pytest.approx([10.0, 9.0, 7.0, 4.0])


def test_a_sequence_that_is_executed_again_is_itself_when_its_parts_were_taken_out(bench: Bench) -> None:
    again = Sequence((Parallel((Delay(0.25), Delay(0.5), Delay(0.0))), bench.work(5.0)))
    bench.execute("first", again)
    bench.run()
    for others, parts in ((5_000, 2), (1, 3)):  # the first of which take its parts out, and the last their place
        for _ in range(others):
            bench.engine.execute(Sequence((Parallel([Delay(0.0)] * parts), Delay(1.0))), lambda: None)
        bench.run()
    bench.execute("second", again)
    assert bench.run() == [("first", 1.0), ("second", 4.0)]


@pytest.mark.parametrize("times", [1, 100])
def test_a_sequence_that_comes_again_within_others_is_written_once_for_all(bench: Bench, times: int) -> None:
    often = Sequence([Delay(1.0)] * 1000)
    for number in range(100):
        bench.execute(f"{number}", Sequence((Delay(0.5 * number), *[often] * times)))
    assert bench.run() == [(f"{number}", 0.5 * number + 1000.0 * times) for number in range(100)]
    assert len(bench.engine.steps.tables.all.steps) <= 16_384


def test_engines_that_know_their_limits_by_other_numbers_execute_the_same_sequence() -> None:
    resources = Resources()
    drive = resources.add("drive", kind="drive", group="drives", unit="B", capacity=10.0)
    slow = demand([Use(drive, 1.0, 1.0)], max_rate=5.0, cap="one stream")
    steps = Sequence((Work(10.0, slow), Delay(1.0, "a pause")))
    none: list[Delay] = []
    for others in (none, [Delay(1.0, "a rest")]):
        engine = Engine(resources)
        for step in list[Step]([*others, steps]):
            engine.execute(step, lambda: None)
        engine.run()
        engine.close()
        rests = {other.cause: 1.0 for other in others}
        assert engine.held_up(0).works == {"one stream": 2.0, "a pause": 1.0} | rests


def test_steps_nest_a_hundred_deep(bench: Bench) -> None:
    step: Step = bench.work(10.0)
    for level in range(100):
        held = Hold(Pool(f"level-{level}", 1.0), 1.0, step)
        kinds: list[Step] = [Sequence((step,)), Parallel((step,)), held, WriteBehind(held.pool, 1.0, step)]
        step = kinds[level % 4]
    bench.execute("first", step)
    bench.execute("second", step)
    assert bench.run() == [("first", 0.0), ("second", 0.0)]  # the last level is a write-behind
    assert bench.engine.now == 2.0
    assert bench.engine.close().bytes.tolist() == [20.0]


def test_what_drains_behind_a_drain_is_booked_behind_the_same_work(bench: Bench) -> None:
    inner = WriteBehind(Pool("inner", 1.0), 1.0, bench.work(10.0))
    bench.execute("first", WriteBehind(Pool("outer", 1.0), 1.0, inner))
    bench.run()
    bench.engine.close()
    held_up = bench.engine.held_up(0)
    assert held_up.works == {}
    assert sum(held_up.sent.held.values()) == pytest.approx(1.0)


def test_steps_and_demands_that_nobody_needs_any_more_leave_rows_for_the_next(bench: Bench) -> None:
    """A step that many tasks share stays, others are written and taken out by the thousand."""
    shared = Sequence((Parallel((Delay(0.25), Delay(0.5))),))
    amount = 10.0 * 0.25

    def again(left: int) -> None:
        if left:
            own = demand([Use(next(iter(bench.demand.uses)).resource, 1.0, 1.0)], max_rate=1000.0 + left)
            drain = WriteBehind(Pool("dirty", amount), amount, Work(amount, own))
            bench.engine.execute(Sequence((Parallel((shared, drain)), Delay(0.5))), lambda: again(left - 1))

    again(6_000)
    bench.run()
    assert bench.engine.now == 6_000.0
    assert bench.engine.close().bytes.tolist() == [6_000 * amount]
    tables = bench.engine.steps.tables.all
    assert len(tables.steps) <= 32_768
    assert len(tables.frames) == len(tables.todo) == 256


def test_steps_that_come_again_after_they_were_taken_out_stay_from_then_on(bench: Bench) -> None:
    steps = [Sequence((Parallel((Delay(0.25), Delay(0.5))),)) for _ in range(FULL + 500)]

    words = []
    for _ in range(6):
        for step in steps:
            bench.engine.execute(step, lambda: None)
            bench.engine.run(bench.engine.now + 1.0)
        words.append([step.words for step in steps])
    assert words[0] != words[1]
    assert words[-2] == words[-1]


def test_a_step_may_be_planned_when_its_turn_comes(bench: Bench) -> None:
    planned = Deferred(lambda: Sequence((bench.work(10.0), Delay(bench.engine.now))))
    bench.execute("all", Sequence((Delay(2.0), planned, planned)))
    assert bench.run() == [("all", 2.0 + 1.0 + 2.0 + 1.0 + 5.0)]


@pytest.mark.parametrize("is_planned_late", [False, True])
def test_rooms_are_lent_in_the_order_in_which_they_are_named_be_a_step_planned_at_its_turn_or_not(
    bench: Bench, *, is_planned_late: bool
) -> None:
    all_rooms = Pool("all", 3.0)
    early, late, other = (Pool(name, 1.0, all_rooms) for name in ("early", "late", "other"))

    def after_a_second(pool: Pool) -> Step:
        hold = Hold(pool, 1.0, Delay(100.0))
        return Sequence((Delay(1.0), Deferred(lambda: hold, likely=hold) if is_planned_late else hold))

    for name, pool in (("first", early), ("second", late), ("third", early), ("fourth", late)):
        bench.execute(name, after_a_second(pool))
    bench.execute("other", Hold(other, 1.0, Delay(5.0)))
    ends = dict(bench.run())
    assert ends == {"other": 5.0, "first": 101.0, "second": 101.0, "third": 105.0, "fourth": 201.0}


def test_a_repeat_plans_one_step_after_the_other_until_none_is_left(bench: Bench) -> None:
    planned: list[float] = []

    def plan() -> Step | None:
        planned.append(bench.engine.now)
        return Sequence((bench.work(10.0), Delay(1.0))) if len(planned) <= 3 else None

    bench.execute("all", Sequence((Delay(2.0), Repeat(plan), Delay(0.5))))
    assert bench.run() == [("all", 8.5)]
    assert planned == [2.0, 4.0, 6.0, 8.0]


def test_a_repeat_that_the_end_of_a_run_cuts_off_is_planned_no_further(bench: Bench) -> None:
    planned: list[float] = []

    def plan() -> Step | None:
        planned.append(bench.engine.now)
        return bench.work(10.0)

    bench.execute("all", Repeat(plan))
    bench.engine.run(10.5)
    assert planned == [float(second) for second in range(11)]


@pytest.mark.parametrize("step", [Delay(0.0), Sequence([]), Parallel([]), "work"])
def test_a_repeat_of_what_takes_no_time_is_done_at_once(bench: Bench, step: Step | str) -> None:
    steps = iter([bench.work(0.0) if isinstance(step, str) else step] * 10_000)
    bench.execute("all", Sequence((Repeat(lambda: next(steps, None)), bench.work(10.0))))
    assert bench.run() == [("all", 1.0)]


def test_a_repeat_of_any_length_takes_no_more_room(bench: Bench) -> None:
    left = iter(range(50_000))

    def plan() -> Step | None:
        if next(left, None) is None:
            return None
        own = demand(bench.demand.uses, max_rate=10.0 + next(numbers))
        return Hold(Pool("slots", 1.0), 1.0, Sequence((Parallel((Work(10.0, own), Delay(0.5))),)))

    numbers = count()
    bench.execute("all", Repeat(plan))
    assert bench.run() == [("all", 50_000.0)]
    assert len(bench.engine.steps.tables.all.steps) <= 65_536


def test_a_sequence_of_nothing_leaves_alone_what_is_written_next_to_it(bench: Bench) -> None:
    bench.execute("none", Sequence([]))
    bench.execute("all", Sequence([bench.work(10.0), bench.work(10.0)]))
    assert bench.run() == [("none", 0.0), ("all", 2.0)]


PROGRAM = """
from models.streams import Streams
from models.work import *
from simulator.engine import Engine

random = Streams(5).generator("network")
resources = Resources()
links = [resources.add(f"r{i}", kind="link", group=f"g{i % 3}", unit="B", capacity=random.uniform(1, 9, 1 + i % 3))
         for i in range(12)]
engine = Engine(resources)
for task in range(120):
    uses = [Use(links[i], random.uniform(0.1, 2.0), 1.0) for i in random.choice(12, 1 + task % 4, replace=False)]
    wanted = demand(uses, max_rate=random.choice([0.2, 1.0, 50.0]), weight=random.choice([1.0, 2.0]))
    amount = random.uniform(1, 20)
    behind = WriteBehind(Pool("dirty", 30.0), amount, Work(amount, wanted))
    held = Hold(Pool("slots", 5.0), 1.0, Sequence((Delay(0.5), Work(1.0, wanted))))
    steps = [Delay(float(random.integers(0, 5))), Work(amount, wanted), Parallel((behind, held)), Await("some")]
    engine.execute(Sequence((*steps, Work(2.0, wanted))), lambda: print(float(engine.now).hex()), tag=task % 3 * 2)
engine.call_at(60.0, lambda: engine.milestone("some"))
engine.run()
print(sorted((tag, seconds.hex()) for tag, seconds in engine.waited.items()))
books = engine.close()
print([float(x).hex() for x in [*books.used, *books.busy, *books.bytes, *books.utilization.ravel()]])
print({key: float(value).hex() for key, value in books.blame.items()})
"""


def test_compiled_and_uncompiled_kernels_give_the_same_bytes() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=ROOT,
            env=os.environ | {"NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in "01"
    ]
    assert len(outputs[0].splitlines()) == 123
    assert outputs[0] == outputs[1]


def test_the_package_alone_does_not_import_numba() -> None:
    program = "import simulator, simulator.events, simulator.result, sys; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
