"""The best row of a sweep, and the rows that no other beats."""

from __future__ import annotations

from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.run import simulate
from simulator.studies.measures import Measure
from simulator.studies.points import Answer
from simulator.studies.sweep import Row, best, firsts, row, unbeaten
from tests.simulator.small import sort

ANSWER = Answer.of(simulate(sort()))


def bought(duration: float, cost: float) -> Row:
    measures = {"duration": Measure(duration, "s", False), "cost_over_3_years": Measure(cost, "USD", False)}
    return Row((), ANSWER, measures)


def test_the_best_row_is_the_first_of_the_shortest() -> None:
    rows = [
        Row((), None, {}, "does not fit"),
        *(row((), sort(input=size), Answer.of(simulate(sort(input=size)))) for size in (2e9, 1e9, 1e9)),
    ]
    assert best(rows) == 2


def test_rows_lead_those_that_do_as_much() -> None:
    rows = [
        row((), made, Answer.of(simulate(made)))
        for made in (sort(input=2e9), sort(input=2e9, cpu=5e-9), sort(input=1e9), sort(input=1e9, cpu=5e-9))
    ]
    assert firsts(rows) == [1, 3]
    assert firsts(rows[:2]) == [1]
    assert firsts(rows[1:3]) == []


def test_a_suite_of_another_scale_has_another_amount_to_do() -> None:
    suite = load("published-tpcds-spark-r7g-1tb", Scenario).scenario
    amounts = []
    for changes in ({}, {"queries": 98}, {"scale": 3.0}):
        workload = suite.workload.model_copy(update=changes)
        amounts.append(row((), suite.model_copy(update={"workload": workload}), ANSWER).amount)
    assert amounts[0] == amounts[1] != amounts[2]


def test_there_is_no_best_row_where_nothing_was_run() -> None:
    assert best([Row((), None, {}, "does not fit")]) is None


def test_rows_that_are_slower_and_dearer_than_another_are_beaten() -> None:
    rows = [bought(10, 5), bought(20, 4), bought(20, 5), bought(5, 9), Row((), None, {}, "does not fit")]
    assert unbeaten(rows) == {0, 1, 3}


def test_of_many_rows_those_stay_that_no_other_beats() -> None:
    rows = [bought(duration, cost) for duration in range(1, 9) for cost in range(1, 9) if duration * cost >= 8]
    assert {
        rows[i].measures["duration"].value * 10 + rows[i].measures["cost_over_3_years"].value for i in unbeaten(rows)
    } == {
        18,
        24,
        33,
        42,
        81,
    }


def test_with_one_objective_there_is_a_best_and_no_front() -> None:
    assert unbeaten([bought(10, 5), bought(20, 5)]) == set()
