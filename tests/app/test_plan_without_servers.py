"""A rented store without servers of one's own in a plan: what it costs, what is refused, and its report."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from app.planning.plans.plan_search import planned
from app.planning.progress import uncounted
from app.planning.proposing import proposed
from app.reports.forms import document_markdown
from app.reports.plan.plan_answer import Judged
from app.reports.plan.plan_mending import mend
from app.reports.plan.plan_words import designed
from app.reports.proposal.document import document
from models.planning.materials import bill_of_materials
from models.problem import ProblemError
from profiles.plans.sheet import Sheet, sheet_of_text

KEEPING = """
kind = "plan"
title = "1 PB for three years: rented, or our own?"
prices = "on-premises-2024"

[requirements]
start = "2027-01-01"
stored = "1 PB"
survives_reading = "2 servers"
durability = 10
power = "40 kW"

[candidates.S3]
storage = "amazon-s3"
prices = "aws-2026"

[candidates.HDFS]
storage = "hdfs"
protection = "EC 6+3"
servers = "hdd-25gbe"
count = "12"
"""
JOB = (
    '\n[[requirements.workloads]]\nname = "hourly"\nuse = "terasort"\ninput = "2 GB"\nevery = "1 h"\n\n[candidates.S3]'
)
LOAD = """
[[requirements.workloads]]
name = "store"
kind = "requests"
rate = "10 1/s"
count = 500
mix = { GET = { action = "get", size = "1 MiB" } }

[candidates.S3]"""


def keeping(*changes: tuple[str, str]) -> Sheet:
    """Return a plan with a rented store that only keeps data, with changes of its text."""
    text = KEEPING
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return sheet_of_text(text, Path("plan.toml"))


def judged(sheet: Sheet, name: str) -> Judged:
    """Return a candidate as it was judged."""
    return next(one for one in planned(sheet, 1, uncounted).judged if one.name == name)


def test_a_rented_store_that_only_keeps_data_needs_no_servers_and_costs_what_it_keeps() -> None:
    one = judged(keeping(), "S3")
    assert one.is_feasible
    assert one.option is not None
    assert one.option.objective == pytest.approx(1e6 * 0.021 * 36)
    assert designed(one.option) == "no servers of its own"
    measures = {name: measure.value for name, measure in one.option.measures.items()}
    assert (measures["servers"], measures["drives"], measures["power"], measures["rack_units"]) == (0, 0, 0, 0)
    assert measures["durability"] == 11


def test_what_a_rented_store_keeps_follows_its_class_its_growth_and_the_currency_of_the_budget() -> None:
    prices = '{ use = "aws-2026", currencies.EUR.value = "1.25 USD", discount = "50 %" }'
    sheet = keeping(
        ('"amazon-s3"', '"amazon-s3-standard-ia"'),
        ('"aws-2026"', prices),
        ('"on-premises-2024"', '{ use = "on-premises-2024", currencies.EUR.value = "1.25 USD" }'),
        ("durability = 10", 'durability = 10\nannual_growth = "40 %"\nbudget = "9 M EUR"'),
    )
    option = judged(sheet, "S3").option
    assert option is not None
    mean = (1.4**3 - 1) / math.log(1.4) / 3
    assert option.objective == pytest.approx(1e6 * 0.0125 * 36 * mean / 1.25, rel=1e-4)


def test_a_load_of_requests_on_a_rented_store_comes_from_the_customers_clients() -> None:
    one = judged(keeping(("\n[candidates.S3]", LOAD)).only("S3"), "S3")
    assert one.option is not None
    requests = one.option.measures["store.request rate"].value * 3 * 365 * 86400 * 4e-7
    assert one.option.objective == pytest.approx(1e6 * 0.021 * 36 + requests)
    assert one.option.measures["servers"].value == 0


def test_a_job_on_a_rented_store_takes_servers_which_may_be_rented_too() -> None:
    sheet = keeping(("\n[candidates.S3]", JOB)).only("S3")
    with pytest.raises(ProblemError) as caught:
        sheet.check()
    (problem,) = caught.value.problems
    assert problem.key == "candidates.S3.servers"
    assert problem.line == KEEPING.replace("\n[candidates.S3]", JOB).split("\n").index("[candidates.S3]") + 1
    assert "'hourly' computes" in problem.message
    rented = 'prices = "aws-2026"\ncompute = "c5d.18xlarge"\ncompute_count = "4"'
    no_watts = ('power = "40 kW"', "")  # the list of the instances has none
    text = keeping(no_watts, ("\n[candidates.S3]", JOB), ('prices = "aws-2026"', rented)).only("S3")
    hired = judged(text, "S3").option
    assert hired is not None
    assert designed(hired) == "4 compute servers"
    assert hired.objective == pytest.approx(1e6 * 0.021 * 36 + 3 * 8760 * 4 * 3.456, rel=1e-3)


def test_a_price_that_the_list_has_not_is_told_by_its_key() -> None:
    owned = 'prices = "aws-2026"\nservers = "nvme-25gbe"\ncount = "4"'
    answered = planned(keeping(('prices = "aws-2026"', owned)), 1, uncounted)
    wanting = next(one for one in answered.judged if one.name == "S3").wanting
    assert wanting is not None
    assert 'add prices.servers."nvme-25gbe"' in mend(answered, wanting)


def test_a_store_of_ones_own_needs_servers_and_their_count() -> None:
    with pytest.raises(ProblemError, match="data lies on servers of one's own"):
        keeping(('servers = "hdd-25gbe"\ncount = "12"', "")).check()
    with pytest.raises(ProblemError, match="servers and their count stand together"):
        keeping(('count = "12"', ""))


def test_nothing_is_bought_or_put_up_for_a_rented_store() -> None:
    loaded = keeping().loaded_at("S3", ())
    built = bill_of_materials(loaded.scenario)
    assert (built.materials, built.racks, built.switches.leaves, built.unpriced) == ((), (), 0, ())


def test_the_report_of_a_rented_store_says_that_all_but_the_data_is_the_providers() -> None:
    sheet = keeping().only("S3")
    made = proposed(sheet, planned(sheet, 1, uncounted))
    text = document_markdown.render(document(made))
    assert "no servers of its own meets every requirement for 756,000 USD" in text
    assert "| Then each year | 252,000 USD |" in text
    assert "Nothing is bought: servers, racks, switches and power of a rented store are its provider's." in text
    assert "who states 11 nines a year for an object" in text
    assert "| Any 2 servers may fail, data is read | at least 2 | unlimited | ✓ met | unlimited |" in text
    assert "Bill of materials" not in text
