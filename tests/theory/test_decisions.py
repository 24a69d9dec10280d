"""What a decision rests on, by closed forms: the day of the first miss, who wins at other prices, who loses least."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from app.planning.plans.plan_dates import first_missed
from app.planning.plans.plan_draws import Drawn, least_regret
from app.planning.plans.plan_maps import MACHINES, dearer, maps
from app.planning.plans.plan_options import options_of
from models.planning.sheet import Required, Requirements
from models.problem import ProblemError
from models.target import Target
from profiles.plans.sheet import Sheet, sheet_of_text
from simulator.studies.measures import Measure, of_scenario
from simulator.studies.size import Option

GROWING = {
    "start": "2027-01-01",
    "years": 3,
    "stored": "1 PB",
    "annual_growth": "100 %",
    "workloads": ({"name": "job", "deadline": "1 h", "grows": True},),
}
PLAN = """
kind = "plan"
title = "A store"
prices = "on-premises-2024"
[requirements]
start = "2027-01-01"
stored = "200 TB"
annual_growth = "50 %"
budget = "300000 USD"
carbon = "40 t"
[candidates.HDFS]
storage = "hdfs"
servers = "hdd-25gbe"
count = "6..18:4"
[candidates.MinIO]
storage = "minio"
servers = "hdd-25gbe"
count = "4,8,16"
"""
WIDER = PLAN.replace("6..18:4", "6..72:4").replace("4,8,16", "4,8,16,24,32,40,48,56,64")
COST = "cost_over_3_years"


def required(words: str) -> tuple[Requirements, Required]:
    asked = Requirements.model_validate(GROWING)
    return asked, next(need for need in asked.required() if need.words.startswith(words))


def test_room_that_doubles_in_a_year_is_full_after_a_year_of_twice_the_room() -> None:
    asked, room = required("Room")
    assert first_missed(room, asked, 2e15, lambda day: None) == date(2028, 1, 2)


@pytest.mark.parametrize("last", [date(2027, 1, 1), date(2028, 5, 17), date(2029, 11, 30)])
def test_the_month_in_which_a_growing_job_is_first_late_is_bisected_from_few_runs(last: date) -> None:
    asked, job = required("job")
    runs: list[date] = []

    def holds(day: date) -> bool:
        runs.append(day)
        return day <= last

    missed = first_missed(job, asked, 0.0, holds)
    assert missed is not None
    assert missed > last
    assert (missed - last).days <= 31
    assert len(runs) <= 7


def test_what_does_not_grow_is_missed_from_the_start_and_a_failed_run_tells_no_day() -> None:
    asked, job = required("job")
    still = Required("Any server may fail", Target("survives_reading_servers", ">=", "1"))
    assert first_missed(still, asked, 1e15, lambda day: None) == asked.start
    assert first_missed(job, asked, 1e15, lambda day: None) is None


def priced(sheet: Sheet) -> list[Option]:
    options = [candidate for candidate in options_of(sheet) if candidate.scenario is not None]
    for option in options:
        assert option.scenario is not None
        option.measures = of_scenario(option.scenario, [COST])
    return options


def test_maps_name_the_cheapest_that_has_room_and_a_cost_is_linear_in_each_price() -> None:
    sheet = sheet_of_text(PLAN, Path("plan.toml"))
    options, wider = priced(sheet), priced(sheet_of_text(WIDER, Path("plan.toml")))
    needs, prices = maps(sheet, options, COST)
    wanting = 0
    for j, growth in enumerate(needs.x.values):
        asked = sheet.plan.requirements.model_copy(update={"annual_growth": growth})
        best = {}
        for name in sheet.plan.candidates:
            for pool in (options, wider):  # those with more servers count where none of the plan's own has the room
                own = [option for option in pool if option.candidate == name]
                fitting = [option for option in own if option.measures["effective"].value >= asked.stored_at(asked.end)]
                if fitting:
                    best[name] = min(option.measures[COST].value for option in fitting)
                    break
                wanting += 1
        cell = needs.cells[0][j]
        assert (cell.candidate, cell.cost) == min(best.items(), key=lambda bid: bid[1])
    assert wanting, "there are cases for which the plan's own numbers of servers are too few"
    cell = prices.cells[0][4]  # all else at half, drives at twice the price
    [won] = [
        option for option in options if dict(option.values)["cluster.groups.servers.count"] == f"{cell.servers:g}"
    ][:1]
    assert won.scenario is not None
    changed = dearer(dearer(won.scenario, ["drives"], 2.0), MACHINES, 0.5)
    assert cell.cost == pytest.approx(of_scenario(changed, [COST])[COST].value, rel=1e-9)


def test_the_choice_that_loses_least_is_the_one_whose_worst_loss_is_smallest() -> None:
    """Losses of A: 0 and 30; of B: 10 and 0. B is dearer as planned, and regretted less."""
    options, draws = {}, {}
    for name, costs in {"A": (100.0, 150.0), "B": (110.0, 120.0)}.items():
        option = Option((), None, candidate=name, measures={COST: Measure(costs[0], "USD", False)})
        options[name] = option
        draws[id(option)] = Drawn([{COST: Measure(cost, "USD", False)} for cost in costs], frozenset({"price"}))
    options["free"] = Option((), None, candidate="free")
    regret = least_regret([], options, draws, COST)
    assert regret is not None
    assert [(choice.candidate, choice.worst, choice.mean, choice.best_in) for choice in regret.choices] == [
        ("B", 10.0, 5.0, 0.5),
        ("A", 30.0, 15.0, 0.5),
    ]
    assert [name for name, _ in regret.left_out] == ["free"]


def test_what_falls_short_costs_as_much_more_as_it_falls_short_by() -> None:
    room = Required("Room", Target("effective", ">=", "100 TB"))
    options, draws = {}, {}
    for name, (cost, bytes_) in {"small": (100.0, 80e12), "large": (110.0, 100e12)}.items():
        option = Option((), None, candidate=name, measures={COST: Measure(cost, "USD", False)})
        row = {COST: option.measures[COST], "effective": Measure(bytes_, "B", True)}
        options[name], draws[id(option)] = option, Drawn([row], frozenset())
    regret = least_regret([room], options, draws, COST)
    assert regret is not None
    assert [(choice.candidate, choice.worst) for choice in regret.choices] == [
        ("large", 0.0),
        ("small", pytest.approx(10.0)),
    ]


def test_draws_in_which_nothing_fits_count_as_cases_in_which_it_does_not() -> None:
    """Of four draws one has no room at all; those of the others are far above what is asked for."""
    room, likely = Required("Room", Target("effective", ">=", "1 TB")), Measure(50e12, "B", True)
    rows = [{"effective": Measure(bytes_, "B", True)} for bytes_ in (0.0, 49e12, 50e12, 51e12)]
    assert Drawn(rows, frozenset()).chance(room, likely) == pytest.approx(0.75)
    assert Drawn(rows[1:], frozenset()).chance(room, likely) == pytest.approx(1.0)


def test_carbon_is_a_limit_in_kilograms_and_needs_prices() -> None:
    plan = sheet_of_text(PLAN, Path("plan.toml")).plan
    [limit] = [need for need in plan.requirements.required() if need.words == "CO2 a year"]
    assert (f"{limit.target}", limit.is_limit) == ("carbon_per_year <= 40 t", True)
    bare = PLAN.replace('prices = "on-premises-2024"\n', "").replace('budget = "300000 USD"\n', "")
    with pytest.raises(ProblemError, match="what a kWh emits"):
        sheet_of_text(bare, Path("plan.toml"))
