"""Validation: how far simulations are from what was documented."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.reports.validation.validation_report import ValidationReport
from models.outcome import CONTRADICTED, IN_WORDS, MEMORY, Choice, Family, Outcome, Parameter, error
from models.scenario import Scenario
from simulator.result import Result
from simulator.run import simulate
from simulator.studies.left_out import each_alone
from simulator.studies.validate import Alternative, Bench, Case, Validation, validate
from tests.simulator.small import generation, sort

CPU = Parameter(
    name="CPU of the sort",
    key="workload.cpu",
    file="workloads/sort",
    file_key="cpu",
    unit="s/B",
    family="made-up",
    low=1e-9,
    high=1e-6,
    fitted_to=("made-up/sort",),
    used_by=("made-up/sort",),
)
SORTED, GENERATED = simulate(sort()).duration, simulate(generation()).duration


def outcome(id: str, value: float | tuple[float, float], metric: str = "duration", unit: str = "s") -> Outcome:
    return Outcome(id=id, family="made-up", metric=metric, value=value, unit=unit, source="made up")


def family(**changes: Any) -> Family:
    settings: dict[str, Any] = {"mean_target": 0.05, "worst_target": 0.10, "budget": 1, "note": ""}
    return Family(name="made-up", **settings | {"parameters": (CPU,)} | changes)


def check(sort_value: float | tuple[float, float], generation_value: float, **changes: Any) -> Validation:
    cases = [
        Case(outcome("made-up/sort", sort_value), "sort", sort()),
        Case(outcome("made-up/generation", generation_value), "generation", generation()),
    ]
    return validate(cases, [family(**changes)])


@pytest.mark.parametrize(
    ("documented", "simulated", "expected"),
    [
        (100.0, 100.0, 0.0),
        (100.0, 110.0, 0.1),
        (100.0, 80.0, -0.2),
        ((100.0, 200.0), 100.0, 0.0),
        ((100.0, 200.0), 150.0, 0.0),
        ((100.0, 200.0), 200.0, 0.0),
        ((100.0, 200.0), 90.0, -0.1),
        ((100.0, 200.0), 220.0, 0.1),
    ],
)
def test_error_is_a_fraction_of_the_documented_number_or_of_the_nearer_edge_of_a_band(
    documented: float | tuple[float, float], simulated: float, expected: float
) -> None:
    assert error(documented, simulated) == pytest.approx(expected)


def test_each_outcome_stands_beside_its_simulation_in_the_order_of_the_cases() -> None:
    first, second = check(SORTED * 0.5, GENERATED).outcomes
    assert (first.id, first.profile, first.documented) == ("made-up/sort", "sort", SORTED * 0.5)
    assert first.simulated == SORTED
    assert first.error == pytest.approx(1.0)
    assert (second.id, second.simulated, second.error) == ("made-up/generation", GENERATED, 0.0)


def test_outcomes_that_chose_a_number_are_fitted_to_and_all_others_predicted() -> None:
    assert [result.role for result in check(SORTED, GENERATED).outcomes] == ["fitted-to", "predicted"]


def test_fitted_numbers_are_given_as_they_stand_in_the_profiles() -> None:
    (result,) = check(SORTED, GENERATED).parameters
    assert (result.parameter, result.value) == (CPU, 10e-9)


def test_a_value_inside_its_band_has_no_error() -> None:
    assert check((0.9 * SORTED, 1.2 * SORTED), GENERATED).families["made-up"].mean_abs_error == 0.0


def test_family_has_the_mean_and_the_worst_of_its_errors_whatever_their_sign() -> None:
    summary = check(SORTED / 1.02, GENERATED / 0.96).families["made-up"]
    assert summary.mean_abs_error == pytest.approx(0.03)
    assert summary.worst == pytest.approx(0.04)
    assert (summary.fitted, summary.outcomes) == (1, 2)
    assert summary.within_targets


@pytest.mark.parametrize(
    "changes", [{"mean_target": 0.029}, {"worst_target": 0.039}, {"budget": 0}], ids=lambda changes: next(iter(changes))
)
def test_family_is_outside_its_targets_when_one_of_them_is_missed(changes: dict[str, float]) -> None:
    assert not check(SORTED / 1.02, GENERATED / 0.96, **changes).families["made-up"].within_targets


def test_any_metric_is_compared_in_the_unit_of_its_outcome() -> None:
    rate = 6e9 / SORTED / 1e6
    cases = [
        Case(outcome("made-up/rate", rate, "throughput", "MB/s"), "sort", sort()),
        Case(outcome("made-up/minutes", SORTED / 60, "duration", "min"), "sort", sort()),
    ]
    validation = validate(cases, [family(parameters=(), budget=0)])
    assert [result.simulated for result in validation.outcomes] == pytest.approx([rate, SORTED / 60])
    assert validation.families["made-up"].worst < 1e-12


def test_a_ratio_is_the_metric_of_one_run_over_that_of_another() -> None:
    case = Case(outcome("made-up/ratio", SORTED / GENERATED), "sort", sort(), baseline=generation())
    validation = validate([case], [family(parameters=(), budget=0)])
    assert validation.outcomes[0].simulated == pytest.approx(SORTED / GENERATED)


def test_worker_processes_give_the_same_answers() -> None:
    cases = [
        Case(outcome("made-up/sort", 1.0), "sort", sort()),
        Case(outcome("made-up/generation", 1.0), "generation", generation()),
    ]
    assert validate(cases, [family()], workers=2) == validate(cases, [family()], workers=1)


def test_benches_with_one_folder_share_their_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [Case(outcome("made-up/sort", 1.0), "sort", sort())]
    with Bench(1, tmp_path) as bench:
        made = bench.measured(cases)
    monkeypatch.setattr("simulator.studies.validate.simulate", None)
    with Bench(1, tmp_path) as other:
        assert other.measured(cases) == made
    assert len(list(tmp_path.iterdir())) == 1


def test_runs_on_most_servers_come_first_and_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take longest: who begins with them has all processes end together."""
    groups = {"workers": sort().cluster.groups["workers"].model_copy(update={"count": 8})}
    larger = sort().model_copy(update={"cluster": sort().cluster.model_copy(update={"groups": groups})})
    cases = [
        Case(outcome("made-up/sort", 1.0), "sort", sort()),
        Case(outcome("made-up/larger", 1.0), "larger", larger),
    ]
    begun = list[int]()

    def noted(scenario: Scenario) -> Result:
        begun.append(scenario.cluster.groups["workers"].count)
        return simulate(scenario)

    monkeypatch.setattr("simulator.studies.validate.simulate", noted)
    validation = validate(cases, [family()])
    assert begun == [8, sort().cluster.groups["workers"].count]
    assert [result.simulated for result in validation.outcomes] == [SORTED, simulate(larger).duration]


def test_what_was_documented_in_words_stands_in_the_list_and_counts_nowhere() -> None:
    cases = [
        Case(outcome("made-up/sort", SORTED / 1.02), "sort", sort()),
        Case(replace(outcome("made-up/words", (1.0, 2.0)), role=IN_WORDS), "generation", generation()),
    ]
    validation = validate(cases, [family()])
    summary = validation.families["made-up"]
    assert [result.role for result in validation.outcomes] == ["fitted-to", IN_WORDS]
    assert summary.outcomes == 1
    assert summary.mean_abs_error == pytest.approx(0.02)
    report = ValidationReport(validation=validation, families=(family(),))
    assert report.worst(family()).id == "made-up/sort"
    assert each_alone(cases) == [["made-up/sort"]]


def test_a_number_that_its_own_source_makes_impossible_stands_in_the_list_and_counts_nowhere() -> None:
    impossible = replace(outcome("made-up/generation", 2 * GENERATED), role=CONTRADICTED)
    cases = [Case(outcome("made-up/sort", SORTED / 1.02), "sort", sort()), Case(impossible, "generation", generation())]
    validation = validate(cases, [family()])
    assert [result.role for result in validation.outcomes] == ["fitted-to", CONTRADICTED]
    assert [result.error for result in validation.outcomes] == pytest.approx([0.02, -0.5])
    summary = validation.families["made-up"]
    assert summary.outcomes == 1
    assert summary.worst == pytest.approx(0.02)
    assert each_alone(cases) == [["made-up/sort"]]


def test_a_number_from_memory_stands_in_the_list_and_counts_nowhere() -> None:
    remembered = replace(outcome("made-up/generation", 2 * GENERATED), confidence=MEMORY)
    cases = [
        Case(outcome("made-up/sort", SORTED / 1.02), "sort", sort()),
        Case(remembered, "generation", generation()),
    ]
    validation = validate(cases, [family()])
    assert [result.error for result in validation.outcomes] == pytest.approx([0.02, -0.5])
    summary = validation.families["made-up"]
    assert summary.outcomes == 1
    assert summary.worst == pytest.approx(0.02)


def test_what_was_chosen_with_an_outcome_in_sight_counts_and_the_outcome_is_not_predicted() -> None:
    choice = Choice("a reading", "made-up", "read so", "profiles/x.toml", ("made-up/generation",))
    validation = check(SORTED, GENERATED, choices=(choice,))
    assert [result.role for result in validation.outcomes] == ["fitted-to", "fitted-to"]
    assert (validation.families["made-up"].fitted, validation.families["made-up"].chosen) == (2, 1)
    assert not validation.families["made-up"].within_targets  # the budget is one


def test_what_else_could_be_read_stands_beside_what_was_chosen() -> None:
    choice = Choice("a size", "made-up", "small", "profiles/x.toml", ("made-up/sort",), shown="made-up/sort")
    case = Case(outcome("made-up/sort", SORTED), "sort", sort())
    other = Alternative(choice, Case(outcome("made-up/sort", SORTED), "sort", sort(input=12e9)))
    (result,) = validate([case], [family(choices=(choice,))], [other]).choices
    assert result.otherwise is not None
    assert result.otherwise.simulated == simulate(sort(input=12e9)).duration


def test_a_published_limit_is_named_or_not_and_others_do_not_count() -> None:
    limit = simulate(sort()).bottleneck.resource
    cases = [
        Case(replace(outcome("made-up/sort", SORTED), bottlenecks=(limit,)), "sort", sort()),
        Case(replace(outcome("made-up/other", SORTED), bottlenecks=("no such thing",)), "sort", sort()),
        Case(outcome("made-up/generation", GENERATED), "generation", generation()),
    ]
    validation = validate(cases, [family(bottleneck_target=0.9)])
    assert [result.names_the_bottleneck for result in validation.outcomes] == [True, False, None]
    assert validation.families["made-up"].bottlenecks == 0.5
    assert not validation.families["made-up"].within_targets
