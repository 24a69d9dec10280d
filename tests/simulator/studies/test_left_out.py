"""Leaving outcomes out: what the others tell is predicted, what they do not tell is no test, and misses stay misses."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from models.outcome import LEFT_OUT_ALLOWANCE, Parameter, with_value
from models.scenario import Scenario
from simulator.run import simulate
from simulator.studies.left_out import LeftOutResult, each_alone, is_told, leave_groups_out
from simulator.studies.validate import Case
from tests.simulator.small import sort
from tests.simulator.studies.test_fit import CPU_KEY, ON_HDD, SMALL, WRITE_KEY, case, made_up, parameter

TARGET = 0.05


def left_out(cases: list[Case], parameters: list[Parameter]) -> dict[str, LeftOutResult]:
    """Return each outcome predicted by numbers that were fitted without it."""
    told = leave_groups_out(cases, parameters, each_alone(cases), TARGET)
    return {id: result for group in told for id, result in group.items()}


def without(id: str, cases: list[Case], parameters: list[Parameter]) -> LeftOutResult:
    """Return one outcome predicted by numbers that were fitted without it; the others are not asked for."""
    (told,) = leave_groups_out(cases, parameters, [[id]], TARGET)
    return told[id]


@cache
def of_two() -> dict[str, LeftOutResult]:
    """Return two sorts that one number acts on, each predicted by what the other tells of it."""
    return left_out([made_up("fast"), made_up("slow")], [parameter("cpu", "fast slow")])


def missed(id: str, factor: float) -> Case:
    """Return a case that was made with the true number, and documented as so many times what that gives."""
    true = made_up(id)
    assert isinstance(true.outcome.value, float)
    return replace(true, outcome=replace(true.outcome, value=factor * true.outcome.value))


def as_told(scenario: Scenario, key: str, value: float) -> float:
    return simulate(with_value(scenario, key, value)).duration


def test_an_outcome_left_out_is_predicted_by_the_numbers_that_the_others_give() -> None:
    cases = [made_up("fast"), made_up("slow")]
    for told, one in zip(of_two().values(), cases, strict=True):
        result = told.result
        assert told.is_testable
        assert (result.id, result.role, result.documented) == (one.outcome.id, "predicted", one.outcome.value)
        assert result.error == pytest.approx(0.0, abs=0.005)


def test_an_outcome_that_one_other_tells_lies_within_the_target_of_that() -> None:
    """Two sorts that take as long a byte: the other is as good where it is off by the target, to either side."""
    told = of_two()["slow"]
    assert told.high / told.result.simulated == pytest.approx(1 + TARGET, abs=0.015)
    assert told.low / told.result.simulated == pytest.approx(1 - TARGET, abs=0.015)


@pytest.mark.parametrize("factor", [0.5, 1.3])
def test_an_outcome_that_the_others_tell_and_that_is_missed_stays_missed(factor: float) -> None:
    cases = [made_up("fast"), missed("slow", factor)]
    told = without("slow", cases, [parameter("cpu", "fast slow")])
    assert told.is_testable
    assert told.result.error == pytest.approx(1 / factor - 1, abs=0.01)


def test_an_outcome_that_alone_chose_a_number_is_predicted_by_the_others_that_the_number_acts_on() -> None:
    told = without("fast", [made_up("fast"), made_up("slow")], [parameter("cpu", "fast", "fast slow")])
    assert told.is_testable
    assert told.result.simulated != simulate(SMALL["fast"]).duration
    assert told.result.error == pytest.approx(0.0, abs=0.005)


def test_an_outcome_that_is_the_only_one_a_number_acts_on_is_not_testable_and_ranges_past_the_bounds() -> None:
    told = without("fast", [made_up("fast"), made_up("slow")], [parameter("cpu", "fast")])
    assert not told.is_testable
    ends = [as_told(SMALL["fast"], CPU_KEY, cpu) for cpu in (0.5e-9, 2e-6)]
    assert [told.low, told.high] == pytest.approx(ends, rel=0.02)


def test_an_outcome_that_only_narrow_bounds_hold_is_not_testable() -> None:
    """Bounds of 80 and 120 ns/B alone would leave it some 10 % to either side; half and twice of them leave more."""
    numbers = [replace(parameter("cpu", "fast"), low=80e-9, high=120e-9)]
    told = without("fast", [made_up("fast"), made_up("slow")], numbers)
    assert told.result.error == pytest.approx(0.0, abs=0.02)
    assert not told.is_testable


def test_an_outcome_that_no_value_of_a_number_comes_near_to_is_missed_though_nothing_tells_the_number() -> None:
    told = without("fast", [missed("fast", 0.01), made_up("slow")], [parameter("cpu", "fast")])
    assert told.high > 1.5 * told.low
    assert told.is_testable
    assert told.result.error > 1.0


def test_an_outcome_is_not_testable_if_the_others_hardly_feel_a_number_that_acts_on_it() -> None:
    """The generation writes for 36 s and computes for 0.5 to 5 s, most of it meanwhile; the sort takes 22 to 27 s."""
    writes = case("writes", SMALL["writes"], as_told(SMALL["writes"], CPU_KEY, 3e-9))
    cases = [made_up("fast", true=1e-8), writes]
    narrow = replace(parameter("cpu", "fast writes"), high=1e-8)
    assert not without("fast", cases, [narrow]).is_testable


def test_an_outcome_is_not_testable_where_two_numbers_make_up_for_each_other_in_the_others() -> None:
    """A sort that drives and processors slow tells only both together; another computes alone."""
    numbers = [
        replace(parameter("cpu", "mixed fast"), low=3e-8),
        replace(parameter("write", "mixed", key=WRITE_KEY), low=3e7),
    ]
    mixed = sort(machine=ON_HDD, cpu=20e-9)
    value = as_told(with_value(mixed, WRITE_KEY, 120e6), CPU_KEY, 500e-9)
    cases = [case("mixed", mixed, value), made_up("fast", true=500e-9)]
    told = without("fast", cases, numbers)
    assert not told.is_testable
    assert told.low < cases[1].outcome.value < told.high  # type: ignore[operator]


def test_a_mean_and_the_outcomes_that_it_is_of_do_not_tell_each_other() -> None:
    fast, slow = made_up("fast"), made_up("slow")
    numbers = [parameter("cpu", "fast slow")]
    assert [told.is_testable for told in of_two().values()] == [True, True]
    mean = replace(slow, outcome=replace(slow.outcome, mean_of=("fa*",)))
    assert [told.is_testable for told in left_out([fast, mean], numbers).values()] == [False, False]


def test_an_outcome_is_told_by_a_mean_that_it_is_no_part_of() -> None:
    fast, slow = made_up("fast"), made_up("slow")
    mean = replace(slow, outcome=replace(slow.outcome, mean_of=("other-*",)))
    assert all(told.is_testable for told in left_out([fast, mean], [parameter("cpu", "fast slow")]).values())


def test_outcomes_left_out_as_a_whole_are_predicted_by_what_is_left() -> None:
    cases = [made_up("fast"), made_up("slow")]
    both, one = leave_groups_out(cases, [parameter("cpu", "fast slow")], [["fast", "slow"], ["slow"]], TARGET)
    assert [told.is_testable for told in both.values()] == [False, False]
    assert one["slow"].is_testable
    assert one["slow"].result.error == pytest.approx(0.0, abs=0.005)


def test_what_is_left_out_comes_to_the_same_in_several_processes() -> None:
    cases, numbers = [made_up("fast"), made_up("slow")], [parameter("cpu", "fast", "fast slow")]
    groups = [["slow"], ["fast", "slow"]]  # of which none needs a search
    here, there = (leave_groups_out(cases, numbers, groups, TARGET, workers=many) for many in (1, 2))
    assert here == there


def test_an_outcome_that_chose_no_number_is_predicted_as_it_stands() -> None:
    fast, slow = made_up("fast"), made_up("slow")
    told = without("slow", [fast, slow], [parameter("cpu", "fast", "fast slow")])
    assert told.is_testable
    assert told.low == told.result.simulated == told.high == simulate(SMALL["slow"]).duration


def test_fits_predict_alike_if_none_is_further_from_the_best_than_what_is_left_out_may_be_missed_by() -> None:
    allowed = LEFT_OUT_ALLOWANCE * TARGET
    assert is_told(100.0, 100.0, 95.0, 100 * (1 + allowed) - 0.01, TARGET)
    assert not is_told(100.0, 100.0, 95.0, 100 * (1 + allowed) + 0.01, TARGET)
    assert is_told(100.0, 300.0, 285.0, 315.0, TARGET)
    assert not is_told(100.0, 110.0, 90.0, 200.0, TARGET)


def test_what_no_fit_comes_near_to_counts_as_missed_however_far_they_range() -> None:
    assert is_told(100.0, 150.0, 120.0, 300.0, TARGET)
    assert is_told(100.0, 50.0, 10.0, 80.0, TARGET)
    assert not is_told(100.0, 50.0, 10.0, 91.0, TARGET)


def test_fits_that_all_reach_into_a_documented_band_predict_it_alike() -> None:
    band = (100.0, 400.0)
    assert is_told(band, 200.0, 100.0, 400.0, TARGET)
    assert is_told(band, 200.0, 95.0, 430.0, TARGET)
    assert not is_told(band, 200.0, 80.0, 400.0, TARGET)
