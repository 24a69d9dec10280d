"""`simulate prices`: a quotation becomes a list, or says what it asks; lists are ranked for a profile."""

from __future__ import annotations

import json
from pathlib import Path

from tests.app.conftest import Type
from tests.contracts import check

LINES = """Description;Quantity;Unit price
20TB 7.2k HDD;240;310,00 EUR
Chassis 2U 12x LFF;20;2900 EUR
Onsite support 5 years;20;850 EUR
"""
MAP = '[[map]]\ntext = "onsite support"\npart = "licences.support"\neach = 5\n'


def test_rows_that_are_not_known_are_asked_for_and_then_mapped(type_: Type, tmp_path: Path) -> None:
    offer, rules, output = tmp_path / "offer.csv", tmp_path / "map.toml", tmp_path / "list.toml"
    offer.write_text(LINES, encoding="utf-8")
    rules.write_text(MAP, encoding="utf-8")
    words = ("prices", "import", str(offer), "--date", "2026-11", "--rate", "EUR=1.08 USD", "--output", str(output))
    ended = type_(*words)
    assert ended.status == 1
    assert "offer.csv:4: Onsite support 5 years" in ended.out
    assert not output.exists()
    assert type_(*words, "--map", str(rules)).status == 0
    profile = ("prices", "rank", "growth-hdfs", "on-premises-2024", str(output), "--set", "prices.currency=USD")
    text = type_(*profile, "--format", "json").out
    check(text)
    lists = json.loads(text)["lists"]
    assert {price_list["name"] for price_list in lists} == {"on-premises-2024", str(output)}
    assert lists[0]["present_over_years"] <= lists[1]["present_over_years"]
    assert "the lists tell costs in EUR and USD" in type_(*profile[:-2]).err


def test_a_currency_without_a_value_says_what_to_add(type_: Type, tmp_path: Path) -> None:
    offer = tmp_path / "offer.csv"
    offer.write_text("Item;Unit price\n20TB HDD;310 EUR\n", encoding="utf-8")
    ended = type_("prices", "import", str(offer), "--date", "2026-11")
    assert ended.status == 2
    assert "the offer is in EUR: say what one is worth" in ended.err


def test_a_map_with_faults_is_told(type_: Type, tmp_path: Path) -> None:
    offer, rules = tmp_path / "offer.csv", tmp_path / "map.toml"
    offer.write_text(LINES, encoding="utf-8")
    rules.write_text('[[map]]\ntext = "x"\n', encoding="utf-8")
    ended = type_("prices", "import", str(offer), "--date", "2026-11", "--map", str(rules))
    assert "map.0.part: missing" in ended.err


PLAN = """
kind = "plan"
title = "Two hundred terabytes"
[requirements]
start = "2027-01-01"
years = 3
stored = "200 TB"
budget = "1 M USD"
[candidates.HDFS]
storage = "hdfs"
servers = "hdd-25gbe"
count = "6..12:2"
[candidates.MinIO]
storage = "minio-nvme"
servers = "nvme-100gbe"
count = "4..8:4"
"""


def test_lists_are_ranked_by_what_meets_a_plan_at_the_least_cost(type_: Type, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN, encoding="utf-8")
    text = type_("prices", "rank", "--plan", str(plan), "on-premises-2026", "on-premises-2024", "--format", "json").out
    check(text)
    data = json.loads(text)
    offers = [(offer["name"], offer["candidate"], offer["is_feasible"]) for offer in data["offers"]]
    assert offers[0] == ("on-premises-2024", "HDFS", True)
    assert len(offers) == 4
    assert all(
        offer["cost"] > data["offers"][0]["cost"] for offer in data["offers"] if offer["name"] != "on-premises-2024"
    )


def test_a_date_and_the_value_of_a_currency_are_refused_as_they_were_typed(type_: Type, tmp_path: Path) -> None:
    offer = tmp_path / "offer.csv"
    offer.write_text("Item,Qty,Unit price\nHDD 16 TB,1,300\n")
    ended = type_("prices", "import", f"{offer}", "--date", "soon", "--currency", "CHF", "--rate", "CHF=abc")
    assert ended.status == 2
    assert "--date: expected a year, or year and month, such as 2026-11 (got 'soon')" in ended.err
    assert "--rate: CHF: expected an amount in USD" in ended.err
    assert "offer.csv.toml" not in ended.err
