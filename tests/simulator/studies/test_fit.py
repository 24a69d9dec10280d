"""Fits: what was put into made-up outcomes comes out again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.hardware.server import Memory
from models.outcome import Outcome, Parameter, with_value
from models.scenario import Scenario
from simulator.run import simulate
from simulator.studies.fit import affected, each_alone, fit, leave_groups_out, ordered
from simulator.studies.validate import Case, OutcomeResult
from tests.models.machines import GB, hdd
from tests.simulator.small import generation, sort

CPU_KEY = "workload.cpu"
WRITE_KEY = "cluster.groups.*.server.bays.*.drive.write_bandwidth"
TRUE_CPU, TRUE_WRITE = 100e-9, 120e6
ON_HDD = {"drive": hdd(), "memory": Memory(size=10 * GB)}  # all of it held by tasks: writes wait for the drives
SMALL = {"fast": sort(cpu=20e-9), "slow": sort(cpu=20e-9, input=12e9), "writes": generation(machine=ON_HDD)}


def parameter(name: str, fitted_to: str, used_by: str | None = None, key: str = CPU_KEY) -> Parameter:
    """Return a number fitted to some outcomes; ids are names with a space between them."""
    low, high = (1e-9, 1e-6) if key == CPU_KEY else (1e7, 1e9)
    used = tuple((used_by or fitted_to).split())
    return Parameter(name, key, "file", "key", "s/B", "made-up", low, high, tuple(fitted_to.split()), used)


def case(id: str, scenario: Scenario, value: float) -> Case:
    return Case(
        Outcome(id=id, family="made-up", metric="duration", value=value, unit="s", source="made up"), id, scenario
    )


def made_up(id: str, key: str = CPU_KEY, true: float = TRUE_CPU) -> Case:
    """Return a case whose documented value is what the simulator says with the true number, which the case lacks."""
    return case(id, SMALL[id], simulate(with_value(SMALL[id], key, true)).duration)


def leave_one_out(cases: list[Case], parameters: list[Parameter]) -> dict[str, OutcomeResult | None]:
    """Return each outcome predicted by numbers that were fitted without it."""
    fits = leave_groups_out(cases, parameters, each_alone(cases))
    return {id: result for fitted in fits for id, result in fitted.items()}


def test_a_fit_recovers_the_number_with_which_its_outcomes_were_made() -> None:
    (value,) = fit([made_up("fast"), made_up("slow")], [parameter("cpu", "fast slow")])
    assert value.before == 20e-9
    assert value.after == pytest.approx(TRUE_CPU, rel=0.01)


def test_numbers_of_different_outcomes_are_recovered_in_one_fit() -> None:
    cases = [made_up("fast"), made_up("writes", WRITE_KEY, TRUE_WRITE)]
    cpu, write = fit(cases, [parameter("cpu", "fast"), parameter("write", "writes", key=WRITE_KEY)])
    assert (cpu.parameter.name, write.parameter.name) == ("cpu", "write")
    assert cpu.after == pytest.approx(TRUE_CPU, rel=0.01)
    assert write.after == pytest.approx(TRUE_WRITE, rel=0.01)


def test_a_number_that_acts_on_the_outcomes_of_another_is_fitted_before_it() -> None:
    """The drives' rate follows from the generation alone, and is in place when the CPU of the sort is fitted."""
    start = sort(machine=ON_HDD, cpu=300e-9)  # enough for processors to matter beside the drives
    value = simulate(with_value(with_value(start, WRITE_KEY, TRUE_WRITE), CPU_KEY, 500e-9)).duration
    cases = [made_up("writes", WRITE_KEY, TRUE_WRITE), case("sort", start, value)]
    parameters = [parameter("cpu", "sort"), parameter("write", "writes", "writes sort", WRITE_KEY)]
    after = {fitted_value.parameter.name: fitted_value.after for fitted_value in fit(cases, parameters)}
    assert after["write"] == pytest.approx(TRUE_WRITE, rel=0.01)
    assert after["cpu"] == pytest.approx(500e-9, rel=0.02)


def test_a_fit_to_outcomes_that_contradict_each_other_lies_between_them() -> None:
    cases = [made_up("fast", true=80e-9), made_up("slow", true=120e-9)]
    (value,) = fit(cases, [parameter("cpu", "fast slow")])
    assert 80e-9 < value.after < 120e-9


def test_a_fit_stays_within_its_bounds() -> None:
    (value,) = fit([made_up("fast")], [replace(parameter("cpu", "fast"), high=50e-9)])
    assert value.after == pytest.approx(50e-9, rel=1e-3)


def test_a_number_none_of_whose_outcomes_is_there_keeps_its_value() -> None:
    (value,) = fit([made_up("fast")], [parameter("cpu", "slow", "fast slow")])
    assert (value.before, value.after) == (20e-9, 20e-9)


def test_an_outcome_left_out_is_predicted_by_the_numbers_that_the_others_give() -> None:
    cases = [made_up("fast"), made_up("slow")]
    for result, left_out in zip(leave_one_out(cases, [parameter("cpu", "fast slow")]).values(), cases, strict=True):
        assert result is not None
        assert (result.id, result.role, result.documented) == (left_out.outcome.id, "predicted", left_out.outcome.value)
        assert result.error == pytest.approx(0.0, abs=0.005)


def test_an_outcome_that_alone_chose_a_number_is_predicted_by_the_others_that_the_number_acts_on() -> None:
    result = leave_one_out([made_up("fast"), made_up("slow")], [parameter("cpu", "fast", "fast slow")])["fast"]
    assert result is not None
    assert result.simulated != simulate(SMALL["fast"]).duration
    assert result.error == pytest.approx(0.0, abs=0.005)


def test_an_outcome_that_is_the_only_one_a_number_acts_on_is_not_testable() -> None:
    assert leave_one_out([made_up("fast"), made_up("slow")], [parameter("cpu", "fast")])["fast"] is None


def test_an_outcome_is_not_testable_if_the_others_hardly_feel_a_number_that_acts_on_it() -> None:
    """The generation writes for 36 s and computes for 0.5 to 5 s, most of it meanwhile; the sort takes 22 to 27 s."""
    writes = case("writes", SMALL["writes"], simulate(with_value(SMALL["writes"], CPU_KEY, 3e-9)).duration)
    cases = [made_up("fast"), writes]
    narrow = replace(parameter("cpu", "fast writes"), high=1e-8)
    assert leave_one_out(cases, [narrow])["fast"] is None


def test_a_fit_does_not_rest_on_the_value_that_stands_in_the_profile() -> None:
    near, far = (
        case("slow", sort(cpu=cpu, input=12e9), 1.2 * simulate(SMALL["slow"]).duration) for cpu in (20e-9, 600e-9)
    )
    ends = [fit([start], [parameter("cpu", "slow")])[0].after for start in (near, far)]
    assert ends[0] == ends[1]


def test_outcomes_left_out_as_a_whole_are_predicted_by_what_is_left() -> None:
    cases = [made_up("fast"), made_up("slow")]
    both, one = leave_groups_out(cases, [parameter("cpu", "fast slow")], [["fast", "slow"], ["slow"]])
    assert both == {"fast": None, "slow": None}
    assert one["slow"] is not None
    assert one["slow"].error == pytest.approx(0.0, abs=0.005)


def test_what_is_left_out_comes_to_the_same_in_several_processes() -> None:
    cases, numbers = [made_up("fast"), made_up("slow")], [parameter("cpu", "fast", "fast slow")]
    groups = [["slow"], ["fast", "slow"]]  # of which none needs a search
    here, there = (leave_groups_out(cases, numbers, groups, workers=many) for many in (1, 2))
    assert here == there


def test_an_outcome_that_chose_no_number_is_predicted_as_it_stands() -> None:
    fast, slow = made_up("fast"), made_up("slow")
    result = leave_one_out([fast, slow], [parameter("cpu", "fast", "fast slow")])["slow"]
    assert result is not None
    assert result.simulated == simulate(SMALL["slow"]).duration


def names(groups: list[list[Parameter]]) -> list[list[str]]:
    return [[chosen.name for chosen in group] for group in groups]


def test_numbers_that_share_no_outcome_are_fitted_apart() -> None:
    assert sorted(names(ordered([parameter("a", "x"), parameter("b", "y")]))) == [["a"], ["b"]]


def test_numbers_that_act_on_each_others_outcomes_are_fitted_together() -> None:
    both = [parameter("a", "x", "x y"), parameter("b", "y", "x y"), parameter("c", "z")]
    assert sorted(names(ordered(both))) == [["a", "b"], ["c"]]


def test_a_number_that_others_rest_on_is_fitted_first() -> None:
    order = names(ordered([parameter("b", "y"), parameter("a", "x", "x y"), parameter("c", "z")]))
    assert order.index(["a"]) < order.index(["b"])


def test_an_outcome_affects_the_numbers_fitted_to_it_and_those_that_rest_on_them() -> None:
    parameters = [parameter("a", "x", "x y"), parameter("b", "y", "y z"), parameter("c", "z"), parameter("d", "w")]
    assert [chosen.name for chosen in affected("x", parameters)] == ["a", "b", "c"]
    assert [chosen.name for chosen in affected("z", parameters)] == ["c"]
    assert affected("elsewhere", parameters) == []


def test_an_outcome_counts_in_a_fit_by_its_weight() -> None:
    """Two contradictory documents of one run: the heavier is met much closer."""
    true = made_up("fast")
    value = true.outcome.value
    assert isinstance(value, float)
    light = Case(replace(true.outcome, value=1.2 * value), "light", true.scenario)
    heavy = Case(replace(true.outcome, id="heavy", weight=5.0), "heavy", true.scenario)
    (fitted_value,) = fit([light, heavy], [parameter("cpu", "fast heavy")])
    simulated = simulate(with_value(true.scenario, CPU_KEY, fitted_value.after)).duration
    assert simulated / value == pytest.approx(1.0, abs=0.02)
    assert simulated > value
