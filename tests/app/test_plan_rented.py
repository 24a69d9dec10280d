"""A rented store in a plan: what runs ask of it is in the cost over years, in the verdict, the report and the maps."""

from __future__ import annotations

import math
import pickle
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from app.planning.plans.plan_draws import Again, drawn
from app.planning.plans.plan_search import planned
from app.planning.progress import uncounted
from app.planning.proposing import proposed
from app.reports.plan.plan_answer import PlanAnswer
from app.reports.plan.plan_facts import facts
from models.planning.lint import rented_idle
from profiles.plans.sheet import Sheet, sheet_of_text
from tests.app.plans import HEAD

RENTED = """
stored = "300 TB"

[[requirements.workloads]]
name = "store"
kind = "requests"
rate = "500 1/s"
count = 4000
objectives = ["GET latency p99 <= 1 s"]
mix = { PUT = { action = "put", size = "1 MiB", weight = 5 }, GET = { action = "get", size = "256 KiB", weight = 20 } }

[[requirements.workloads]]
name = "hourly"
use = "terasort"
input = "2 GB"
every = "1 h"
deadline = "30 min"

[candidates.S3]
storage = "amazon-s3"
servers = "c5d.18xlarge"
count = "4"
"""


@cache
def sheet() -> Sheet:
    """Return a plan for a store that is rented."""
    return sheet_of_text(sheet_text(), Path("plan.toml"))


def sheet_text() -> str:
    """Return it as text."""
    return HEAD.replace("on-premises-2024", "aws-on-demand-2019") + RENTED


GROWING = RENTED.replace("[[requirements", 'annual_growth = "40 %"\n\n[[requirements', 1).replace(
    'every = "1 h"', 'every = "1 h"\ngrows = true'
)


@cache
def answer() -> PlanAnswer:
    """Return its answer."""
    return planned(sheet(), 1, uncounted)


def test_three_years_cost_machines_bytes_and_requests() -> None:
    option = answer().judged[0].option
    assert option is not None
    measured = {name: measure.value for name, measure in option.measures.items()}
    load = measured["store.request rate"] * 3 * 365 * 86400 * (0.2 * 5e-6 + 0.8 * 4e-7)
    writes = sum(measured.get(f"hourly.{verb} requests", 0.0) for verb in ("PUT", "COPY", "POST", "LIST"))
    reads = sum(measured[f"hourly.{verb} requests"] for verb in ("GET", "HEAD"))
    hourly = 3 * 8760 * (writes * 5e-6 + reads * 4e-7)
    machines, kept = 3 * 8760 * 4 * 3.456, 300_000 * 0.023 * 36
    assert hourly > 10
    assert load > 60_000
    assert option.objective == pytest.approx(machines + kept + load + hourly)


@pytest.mark.parametrize(("part", "lasts"), [("50 %", 0.5), ("0.1 %", None)])
def test_servers_that_are_given_back_cost_their_part_of_the_time_and_jobs_theirs_at_least(
    part: str, lasts: float | None
) -> None:
    """No job of an hour runs on these servers for a thousandth of it."""
    prices = f'prices = {{ use = "aws-on-demand-2019", rented_part = "{part}" }}'
    option = (
        planned(
            sheet_of_text(sheet_text().replace('prices = "aws-on-demand-2019"', prices), Path("plan.toml")),
            1,
            uncounted,
        )
        .judged[0]
        .option
    )
    always = answer().judged[0].option
    assert option is not None
    assert always is not None
    lasts = option.measures["hourly.duration"].value / 3600 if lasts is None else lasts
    assert always.objective - option.objective == pytest.approx((1 - lasts) * 3 * 8760 * 4 * 3.456)
    assert lasts > 0.001


def test_that_rented_servers_are_paid_for_without_a_job_is_told_unless_they_are_given_back() -> None:
    assert any("paid for all hours" in warning for warning in answer().judged[0].warnings)
    option = answer().judged[0].option
    assert option is not None
    assert option.scenario is not None
    assert option.scenario.prices is not None
    given_back = option.scenario.prices.model_copy(update={"rented_part": 0.5})
    assert not list(rented_idle(option.scenario.model_copy(update={"prices": given_back})))


def test_a_load_that_grows_with_the_data_is_run_and_paid_as_it_is_on_each_day() -> None:
    load = RENTED.split('[[requirements.workloads]]\nname = "hourly"', maxsplit=1)[0].replace(
        'rate = "500 1/s"', 'rate = "500 1/s"\ngrows = true'
    )
    growing = load.replace('stored = "300 TB"', 'stored = "300 TB"\nannual_growth = "40 %"')
    text = HEAD.replace("on-premises-2024", "aws-on-demand-2019") + growing + '[candidates.S3]\nstorage = "amazon-s3"\n'
    option = planned(sheet_of_text(text, Path("plan.toml")), 1, uncounted).judged[0].option
    assert option is not None
    mean, last = (1.4**3 - 1) / math.log(1.4) / 3, 1.4 ** (1096 / 365)
    rate = option.measures["store.request rate"].value
    assert rate == pytest.approx(500 * last, rel=0.05)
    asked = rate / last * 3 * 365 * 86400 * (0.2 * 5e-6 + 0.8 * 4e-7)
    assert option.objective == pytest.approx((300_000 * 0.023 * 36 + asked) * mean, rel=1e-4)


def test_requests_of_a_growing_job_grow_to_those_of_its_run_on_the_last_day() -> None:
    growing = sheet_of_text(HEAD.replace("on-premises-2024", "aws-on-demand-2019") + GROWING, Path("plan.toml"))
    answered = planned(growing, 1, uncounted)
    option = answered.judged[0].option
    assert option is not None
    measured = {name: measure.value for name, measure in option.measures.items()}
    load = measured["store.request rate"] * 3 * 365 * 86400 * (0.2 * 5e-6 + 0.8 * 4e-7)
    writes = sum(measured.get(f"hourly.{verb} requests", 0.0) for verb in ("PUT", "COPY", "POST", "LIST"))
    reads = sum(measured[f"hourly.{verb} requests"] for verb in ("GET", "HEAD"))
    last = growing.plan.requirements.grown(growing.plan.requirements.end)
    mean = (1.4**3 - 1) / math.log(1.4) / 3
    hourly = 3 * 8760 * (writes * 5e-6 + reads * 4e-7) * mean / last
    machines, kept = 3 * 8760 * 4 * 3.456, 300_000 * 0.023 * 36 * mean
    assert option.objective == pytest.approx(machines + kept + load + hourly, rel=3e-5)
    assert hourly > 1e-4 * option.objective
    design = proposed(growing, answered).design
    assert design is not None
    assert design.cost is not None
    assert design.cost.over(3) == pytest.approx(option.objective)
    by_needs, _ = answered.maps
    assert by_needs.cells[by_needs.y.asked][by_needs.x.asked].cost == pytest.approx(option.objective)


def test_a_job_beside_a_load_is_charged_for_what_it_asks_alone() -> None:
    text = sheet_text().replace('name = "hourly"', 'name = "hourly"\nbeside = ["store"]')
    alone, beside = (
        answer().judged[0].option,
        planned(sheet_of_text(text, Path("plan.toml")), 1, uncounted).judged[0].option,
    )
    assert alone is not None
    assert beside is not None
    for verb in ("GET", "HEAD", "PUT"):
        name = f"hourly.{verb} requests"
        assert beside.measures[name].value == pytest.approx(alone.measures[name].value, rel=0.01)
    assert beside.objective == pytest.approx(alone.objective, abs=1)


def test_the_report_has_the_cost_of_the_verdict() -> None:
    design = proposed(sheet(), answer()).design
    assert design is not None
    assert design.cost is not None
    assert design.judged.option is not None
    assert design.cost.over(3) == pytest.approx(design.judged.option.objective)


def test_a_store_without_servers_of_ones_own_survives_the_loss_of_any_number() -> None:
    option = answer().judged[0].option
    assert option is not None
    assert facts(option.measures, answer().objective, {})["survives"] == "any number of servers"


def test_the_answer_reaches_the_window_which_is_another_process() -> None:
    made = proposed(sheet(), answer())
    sent = pickle.loads(pickle.dumps(made))
    assert made.design is not None
    assert made.design.cost is not None
    assert sent.design.cost.over(3) == made.design.cost.over(3)


def test_draws_of_what_is_assumed_pay_for_what_the_runs_asked() -> None:
    store = (
        'prices = { use = "on-premises-2024", object_store = { stored = "0.02 USD/GB-month", egress = "90 USD/GB" } }'
    )
    job = RENTED[RENTED.index('[[requirements.workloads]]\nname = "hourly"') :].replace("c5d.18xlarge", "nvme-25gbe")
    dear = sheet_of_text(HEAD.replace('prices = "on-premises-2024"', store) + job, Path("plan.toml"))
    option = planned(dear, 1, uncounted).judged[0].option
    assert option is not None
    draws = drawn(dear, [option], "cost_over_3_years", Again("none", lambda _: [], lambda _: []))
    costs = [row["cost_over_3_years"].value for row in draws[id(option)].rows if row is not None]
    assert len(set(costs)) > 1
    assert min(costs) > 0.9 * option.objective > 1e6


def test_maps_pay_for_requests_as_the_load_has_them_whatever_drives_cost() -> None:
    by_needs, by_prices = answer().maps
    costs = [won.cost for (won, *_) in by_needs.cells]
    assert all(one < other for one, other in pairwise(costs))
    assert len({f"{won.cost:.2f}" for won in by_prices.cells[2]}) == 1
    option = answer().judged[0].option
    assert option is not None
    assert by_prices.cells[2][2].cost == pytest.approx(option.objective)


def test_a_rented_store_alone_bears_more_load_up_to_its_limits_and_has_no_prices_of_servers() -> None:
    """A prefix serves 5,500 reads a second: 1.5 times 3,000, not twice as many."""
    load = 'kind = "requests"\nrate = "3000 1/s"\ncount = 2000\nobjectives = ["GET latency p99 <= 1 s"]\n'
    asked = f'[[requirements.workloads]]\nname = "gets"\n{load}mix.GET = {{ action = "get", size = "16 KiB" }}\n'
    head = HEAD.replace("on-premises-2024", "aws-on-demand-2019") + 'stored = "10 TB"\n'
    text = f'{head}{asked}[candidates.S3]\nstorage = "amazon-s3"\n'
    (by_needs,) = planned(sheet_of_text(text, Path("plan.toml")), 1, uncounted).maps
    assert [(by_needs.y.values[i], row[0].candidate) for i, row in enumerate(by_needs.cells)] == [
        (0.5, "S3"),
        (0.75, "S3"),
        (1.0, "S3"),
        (1.5, "S3"),
        (2.0, None),
    ]
    more = text + 'set = { "storage.prefixes" = "2" }\n'
    (by_needs,) = planned(sheet_of_text(more, Path("plan.toml")), 1, uncounted).maps
    assert all(won.candidate for (won,) in by_needs.cells)


def test_a_load_that_a_store_cannot_carry_is_billed_as_it_was_asked_for() -> None:
    """A prefix carries 5,500 of 8,000 reads a second; a GB is kept for years."""
    load = 'kind = "requests"\nrate = "8000 1/s"\ncount = 2000\nobjectives = ["GET latency p99 <= 1 s"]\n'
    asked = f'[[requirements.workloads]]\nname = "gets"\n{load}mix.GET = {{ action = "get", size = "16 KiB" }}\n'
    head = HEAD.replace("on-premises-2024", "aws-on-demand-2019") + 'stored = "1 GB"\n'
    judged = planned(
        sheet_of_text(f'{head}{asked}[candidates.S3]\nstorage = "amazon-s3"\n', Path("plan.toml")), 1, uncounted
    ).judged
    assert judged[0].option is not None
    assert not judged[0].is_feasible
    assert judged[0].option.objective == pytest.approx(8000 * 3 * 365 * 86400 * 4e-7 + 0.023 * 36)
