"""Works of a demand of very many uses, as of a fetch from all drives: they name it, and do what others do."""

from __future__ import annotations

import pytest

from models.columns import columns
from models.work import Delay, Demand, Parallel, Resources, Sequence, Use, Work, demand
from simulator.engine import Engine
from simulator.steps import writer
from simulator.steps.writer import FULL, LARGE

DRIVES = LARGE + 44


class Bench:
    """An engine with many drives of 10 B/s, and a log of what ended when."""

    def __init__(self, drives: int = DRIVES, *, by_columns: bool = False) -> None:
        self.resources = resources = Resources()
        self.by_columns = by_columns
        self.drives = [
            resources.add(f"drive {i}", kind="drive", group="drives", unit="B", capacity=10.0) for i in range(drives)
        ]
        self.engine = Engine(resources)
        self.log: list[tuple[str, float]] = []

    def of_all(self, weight: float = 1.0) -> Demand:
        """Return the demand of a byte of which each drive gives its part."""
        uses = [Use(drive, 1 / len(self.drives), 1 / len(self.drives)) for drive in self.drives]
        return demand(columns(uses, self.resources) if self.by_columns else uses, weight=weight)

    def execute(self, name: str, step: Sequence | Parallel | Work) -> None:
        self.engine.execute(step, lambda: self.log.append((name, self.engine.now)))


@pytest.mark.parametrize("by_columns", [False, True])
@pytest.mark.parametrize("drives", [LARGE - 1, DRIVES])
def test_works_of_a_large_demand_share_drives_as_those_of_a_small_one_do(drives: int, by_columns: bool) -> None:
    """Two share the drives until the shorter one ends; of what weighs twice as much twice as much is done."""
    bench, whole = Bench(drives, by_columns=by_columns), 10.0 * drives
    both = bench.of_all()
    bench.execute("short", Sequence([Work(whole, both), Delay(1.0), Work(whole, both)]))
    bench.execute("long", Parallel([Work(4 * whole, bench.of_all(weight=2.0)), Work(0.0, both)]))
    bench.engine.run()
    assert [name for name, _ in bench.log] == ["long", "short"]
    assert dict(bench.log)["long"] == pytest.approx(5.5)
    assert dict(bench.log)["short"] == pytest.approx(6.0)
    assert bench.engine.close().bytes == pytest.approx([60.0] * drives)


def test_columns_with_a_resource_that_is_added_after_the_run_began_are_refused_by_its_name() -> None:
    bench = Bench(by_columns=True)
    late = bench.resources.add("late", kind="drive", group="drives", unit="B", capacity=10.0)
    with pytest.raises(ValueError, match="resource 'late' was added after the run began"):
        bench.execute("never", Work(1.0, demand(columns([Use(late, 1.0)], bench.resources))))


def test_a_large_demand_is_written_once_for_works_of_any_amount() -> None:
    bench = Bench()
    both = bench.of_all()
    for amount in range(1, 201):
        bench.execute(f"{amount}", Sequence([Work(float(amount), both), Delay(1.0)]))
    assert len(bench.engine.steps.tables.all.steps) < 4 * DRIVES
    bench.engine.run()
    assert len(bench.log) == 200


def test_large_demands_that_nobody_needs_any_more_leave_rows_for_the_next() -> None:
    bench, rows = Bench(LARGE), []
    uses = bench.of_all().uses
    for _ in range(2):
        for _ in range(FULL):
            bench.execute("one", Work(1.0, Demand(uses)))
            bench.engine.run()
        rows.append(len(bench.engine.steps.tables.all.steps))
    assert rows[0] == rows[1] < 2 * FULL * LARGE


def test_rows_of_a_demand_that_nobody_needs_any_more_say_nothing_of_what_is_written_there_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Here all demands have the same code: some say what a work beside them does, then some take more of each drive."""
    monkeypatch.setattr(writer, "FULL", 1)
    monkeypatch.setattr(writer, "CODE", 0)
    bench, amounts = Bench(), [1.0 / DRIVES] * 3 + [4.0] * 3
    bench.execute("beside", Work(1000.0, bench.of_all()))
    for amount in amounts:
        done = bench.engine.env.event()
        bench.engine.execute(Work(1.0, demand([Use(drive, amount, amount) for drive in bench.drives])), done.succeed)
        bench.engine.run(done)
    bench.engine.run()
    assert bench.engine.close().bytes == pytest.approx([1000.0 / DRIVES + sum(amounts)] * DRIVES)


@pytest.mark.parametrize("amount", [-1.0, float("inf"), float("nan")])
def test_a_work_of_a_large_demand_that_cannot_be_is_refused(amount: float) -> None:
    bench = Bench()
    with pytest.raises(ValueError, match="amount of a work must be >= 0 and finite"):
        bench.execute("none", Work(amount, bench.of_all()))
