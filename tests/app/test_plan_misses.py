"""What `simulate plan` says of a miss: which option is nearest, what no number of servers mends, what is mistyped."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.planning.plans.plan_search import planned
from app.planning.progress import uncounted
from app.reports.plan.plan_words import limited
from models.storage.amazon_s3.system import AmazonS3
from profiles.plans.sheet import sheet_of_text
from tests.app.conftest import Type
from tests.app.plans import HEAD, written

STORE = (
    HEAD
    + """\
years = 2
stored = "1 PB"
{required}

[candidates.HDFS]
storage = "hdfs"
servers = "hdd-25gbe"
count = "20..40:10"
{stated}
"""
)
VIEWERS = """
[[requirements.workloads]]
name = "viewers"
kind = "requests"
rate = "40 1/s"
objectives = ["{objective}"]
[requirements.workloads.mix.GET]
action = "get"
size = "8 MiB"
"""


@pytest.fixture
def store(tmp_path: Path) -> Callable[..., str]:
    """Return a function that writes a plan with some requirements and returns its path."""

    def write(required: str, stated: str = "") -> str:
        return written(tmp_path, STORE.format(required=required, stated=stated))

    return write


def test_of_options_that_all_miss_one_requirement_the_nearest_is_the_cheapest_that_misses_no_other(
    type_: Type, store: Callable[..., str]
) -> None:
    ended = type_("plan", store('annual_growth = "10 %"\nsurvives_writing = "1 rack"'), "--format", "json")
    (candidate,) = json.loads(ended.out)["candidates"]
    assert ended.status == 1
    assert candidate["option"]["values"]["cluster.groups.servers.count"] == "30"
    missed = [met["target"] for met in candidate["requirements"] if met["is_met"] is False]
    assert missed == ["survives_writing_racks >= 1"]


def test_what_no_number_of_servers_meets_is_named_with_the_way_out(type_: Type, store: Callable[..., str]) -> None:
    text = " ".join(type_("plan", store('survives_writing = "1 rack"')).out.split())
    assert "each misses: Any 1 rack may fail, data is written (all servers stand in one rack" in text
    assert type_("plan", store('survives_writing = "1 rack"', "network = { racks = 4 }")).status == 0


def test_limits_are_told_in_the_units_of_people(type_: Type, store: Callable[..., str]) -> None:
    text = " ".join(type_("plan", store('power = "10 kW"\ncarbon = "20 t"')).out.split())
    assert "at most 10 kW" in text
    assert "at most 20 t" in text
    assert " kg" not in text


@pytest.mark.parametrize(
    ("objective", "told"),
    [
        ("GET latency p95 <= 900 ms", "there is no measure 'get_latency_p95'; did you mean 'get_latency_p99'?"),
        ("GET latency p99 <= 900 MB", "expected a time such as '8 ms' or '15 min' (got '900 MB')"),
    ],
)
def test_an_objective_that_nothing_is_measured_by_is_refused_at_its_line(
    type_: Type, store: Callable[..., str], objective: str, told: str
) -> None:
    ended = type_("plan", store(VIEWERS.format(objective=objective)))
    assert ended.status == 2
    assert f"plan.toml:15: requirements.workloads.0.objectives.0: {told}" in ended.err


def test_the_least_servers_of_a_plan_without_prices_are_those_that_are_bought(tmp_path: Path) -> None:
    """The clients of a load are the customer's own: they stand in no number and in no cost."""
    load = VIEWERS.format(objective="GET latency p99 <= 900 ms")
    text = STORE.format(required=load, stated="").replace('prices = "on-premises-2024"\n', "")
    best = planned(sheet_of_text(text.replace("20..40:10", "20"), tmp_path / "plan.toml"), 1, uncounted).best
    assert best is not None
    assert best.option is not None
    assert best.option.measures["servers"].value == best.option.objective == 20


RENTED = """
kind = "plan"
title = "Rented or bought"
prices = "aws-2026"

[requirements]
start = "2027-01-01"
years = 3
stored = "100 TB"
annual_growth = "25 %"
survives_reading = "1 server"
{required}

[candidates.S3]
storage = "amazon-s3"
servers = "c5n.18xlarge"
count = "2,4"

[candidates.StorageGRID]
storage = "storagegrid"
servers = "sg6060"
count = "3,6"
compute = "c5n.18xlarge"
prices = "on-premises-2026"
"""


def rented(type_: Type, tmp_path: Path, required: str = "") -> tuple[dict[str, Any], str]:
    """Return the answer to the plan as data and as text."""
    words = ("plan", written(tmp_path, RENTED.format(required=required)), "--workers", "1")
    return json.loads(type_(*words, "--format", "json").out), " ".join(type_(*words).out.split())


def test_no_server_of_the_customer_holds_the_data_of_a_rented_store(type_: Type, tmp_path: Path) -> None:
    data, text = rented(type_, tmp_path)
    assert data["verdict"][0].startswith("S3 with 2 servers meets every requirement")
    assert "✓ unlimited" in text
    assert "inf" not in text


def test_a_rented_store_costs_more_where_more_is_kept(type_: Type, tmp_path: Path) -> None:
    data, _ = rented(type_, tmp_path)
    costs = [cell["cost"] for cell in data["maps"][0]["cells"][0]]
    assert len(costs) > 3
    assert costs == sorted(set(costs))


def test_a_candidate_without_a_price_leaves_the_others_their_answer_and_says_which_is_missing(
    type_: Type, tmp_path: Path
) -> None:
    _, text = rented(type_, tmp_path)
    assert "StorageGRID: price unknown: the list has none for attached volumes (add prices.volumes)." in text


def test_more_servers_are_not_said_to_mend_what_nobody_knows(
    type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AmazonS3, "published_nines", None)
    data, text = rented(type_, tmp_path, "durability = 9\nbudget = '100000 USD'")
    (rented_store, _) = data["candidates"]
    assert rented_store["mending"] is None
    assert "would meet all else" not in text


def test_of_a_load_that_is_too_much_it_is_told_that_it_is_and_what_limits_it(
    type_: Type, store: Callable[..., str]
) -> None:
    load = VIEWERS.format(objective="GET latency p99 <= 1 s").replace('"40 1/s"', '"90000 1/s"\nduration = "1 s"')
    text = " ".join(type_("plan", store(load), "--interval", "none", "--workers", "1").out.split())
    assert "✗ ever longer, as more is asked than it can serve" in text
    assert "ever longer, as more is asked than it can serve, not at most 1 s. It is limited by data drives of" in text
    assert "inf %" not in text
    assert "unbounded" not in text


def test_room_is_asked_for_with_as_many_digits_as_it_is_told(store: Callable[..., str]) -> None:
    sheet = sheet_of_text(Path(store('annual_growth = "51.3 %"')).read_text(), Path("plan.toml"))
    (room,) = sheet.plan.requirements.required()
    assert limited(room, None) == "at least 2.292 PB"
    assert room.target.value("B") == pytest.approx(
        sheet.plan.requirements.stored_at(sheet.plan.requirements.end), rel=1e-11
    )


def test_half_a_year_is_told_as_one_and_a_growth_beyond_all_as_that(type_: Type, tmp_path: Path) -> None:
    text = STORE.format(required='budget = "1 M USD"', stated="").replace("years = 2", "years = 0.5")
    ended = type_("plan", written(tmp_path, text.replace("1 PB", "1 TB")))
    assert " USD in 0.5 years" in ended.out
    assert "cost over 0.5 years" in ended.out
    assert "HDFS has room for a growth of more than 1,000 % a year" in ended.out


def test_a_job_that_no_number_of_servers_does_in_time_takes_at_least_what_closed_forms_tell(
    type_: Type, store: Callable[..., str]
) -> None:
    job = '[[requirements.workloads]]\nname = "sort"\nuse = "terasort"\ninput = "20 TB"\ndeadline = "10 s"\n'
    ended = type_("plan", store(f'budget = "200 USD"\n{job}'), "--format", "json")
    answer = json.loads(ended.out)
    (candidate,) = answer["candidates"]
    (late,) = [met for met in candidate["requirements"] if met["target"].startswith("sort")]
    assert late["is_least"]
    assert late["is_met"] is False
    assert late["value"] > 10
    assert late["first_missed"] == "2027-01-01"
    assert "each misses: sort is done in time" in candidate["mend"]
    assert answer["simulated"] == 0
    assert all(cell["candidate"] is None for row in answer["maps"][0]["cells"] for cell in row)


def test_a_limit_that_nothing_is_measured_by_without_prices_is_told_with_its_key(type_: Type, tmp_path: Path) -> None:
    text = STORE.format(required='power = "20 kW"', stated="").replace('prices = "on-premises-2024"\n', "")
    ended = type_("plan", written(tmp_path, text))
    assert ended.status == 2
    assert "requirements.power: 'power' needs a price list" in ended.err
    assert ended.err.count("needs a price list") == 1


def test_without_prices_the_least_servers_are_told_once_and_nothing_of_costs(type_: Type, tmp_path: Path) -> None:
    text = STORE.format(required="", stated="").replace('prices = "on-premises-2024"\n', "")
    told = " ".join(type_("plan", written(tmp_path, text), "--interval", "none", "--workers", "1").out.split())
    assert re.search(r"HDFS with \d+ servers meets every requirement as calculated, but is likely to miss one: ", told)
    assert "cost" not in told.partition("How this was found")[0].lower()
