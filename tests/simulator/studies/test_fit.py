"""Fits: what was put into made-up outcomes comes out again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.hardware.server import Memory
from models.outcome import Outcome, Parameter, with_value
from models.scenario import Scenario
from simulator.run import simulate
from simulator.studies.fit import affected, fit, ordered
from simulator.studies.validate import Case
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


def test_a_fit_does_not_rest_on_the_value_that_stands_in_the_profile() -> None:
    near, far = (
        case("slow", sort(cpu=cpu, input=12e9), 1.2 * simulate(SMALL["slow"]).duration) for cpu in (20e-9, 600e-9)
    )
    ends = [fit([start], [parameter("cpu", "slow")])[0].after for start in (near, far)]
    assert ends[0] == ends[1]


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
