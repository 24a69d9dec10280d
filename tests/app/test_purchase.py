"""`simulate purchase`: what to buy when, in every form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from simulator.studies.purchase import Needs
from simulator.studies.purchase_plan import Need
from tests.app.conftest import Type
from tests.contracts import check

PROFILE = ("purchase", "growth-hdfs", "--set", "growth.months=48")
PRICED = (*PROFILE, "--set", "prices=on-premises-2024", "--set", "prices.price_decline=8 %")


def test_it_says_what_to_order_by_when_and_why(type_: Type) -> None:
    text = " ".join(type_(*PRICED).out.split())
    assert re.search(r"by 2028-09-\d\d: 1 server for 2029-01-01, full", text)
    assert "All at the start" in text


def test_as_json_there_are_always_enough_servers(type_: Type, tmp_path: Path) -> None:
    page = tmp_path / "purchase.md"
    text = type_(*PRICED, "--order-cost", "4000 USD", "--format", "json", "--report", str(page)).out
    check(text)
    data = json.loads(text)
    assert all(quarter["servers"] >= quarter["needed"] for quarter in data["quarters"])
    assert data["present"] < data["at_once"]
    assert "Of all purchases" in page.read_text(encoding="utf-8")


def test_bad_words_are_told_with_their_option(type_: Type) -> None:
    assert "growth.lead_time: expected a time" in type_(*PRICED, "--lead-time", "soon").err
    assert "--order-cost: expected an amount in USD" in type_(*PRICED, "--order-cost", "5 servers").err
    assert "prices: missing" in type_(*PROFILE).err


def test_a_time_of_delivery_for_a_profile_without_growth_is_told_with_the_way_out(type_: Type) -> None:
    ended = type_("purchase", "put-minio-nvme", "--lead-time", "30 d")
    assert ended.status == 2
    assert ended.err.startswith("--lead-time: needs a profile that grows; add a [growth] table with start = ")
    grown = type_("purchase", "put-minio-nvme", "--lead-time", "30 d", "--set", "growth.start=2027-01-01")
    assert "growth.start" not in grown.err


def test_a_stop_tells_the_quarters_that_are_known(type_: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    def first_two(wanted: Needs) -> Iterator[Need]:
        for number, need in enumerate(every(wanted)):
            if number == 2:
                raise KeyboardInterrupt
            yield need

    every = Needs.__iter__
    monkeypatch.setattr(Needs, "__iter__", first_two)
    ended = type_(*PRICED)
    assert ended.status == 130
    assert "the first 2 of 16 quarters are known, and all below is of these" in ended.out
    data = json.loads(type_(*PRICED, "--format", "json").out)
    assert (len(data["quarters"]), data["left"], data["years"]) == (2, 14, 0.5)


def test_what_is_bought_is_ordered_so_early_that_its_rebalance_is_over_beside_the_workload(type_: Type) -> None:
    soon = ("--set", "growth.months=9", "--set", "growth.stored=510 TB", "--set", "workload.reduces=48")
    text = type_(*PRICED, *soon, "--target", "duration <= 2 h", "--format", "json", "--workers", "1").out
    check(text)
    quarters = [quarter for quarter in json.loads(text)["quarters"] if quarter["bought"]]
    assert quarters
    for quarter in quarters:
        rebalance = quarter["rebalance"]
        assert rebalance["servers"] == quarter["bought"]
        assert quarter["spread_s"] >= rebalance["beside_s"] >= 0.99 * rebalance["idle_s"] > 0
        assert rebalance["cause"] is None
        days = (date.fromisoformat(quarter["date"]) - date.fromisoformat(quarter["order_by"])).days
        assert 0 <= days - 90 - quarter["spread_s"] / 86400 < 1


def test_servers_that_are_owned_are_not_bought_and_change_nothing_that_is(type_: Type) -> None:
    """Their price, their contract that is paid once and their spare parts are no longer in it."""
    stated = (*PRICED, "--set", "prices.residual_value=10 %", "--format", "json")
    new = json.loads(type_(*stated).out)
    there = json.loads(type_(*stated, "--set", "cluster.groups.workers.owned=12").out)
    assert there["quarters"] == new["quarters"]
    assert there["at_once"] - there["present"] == pytest.approx(new["at_once"] - new["present"])
    assert 0.5 * new["present"] < there["present"] < 0.8 * new["present"]
    text = " ".join(type_(*PRICED, "--set", "cluster.groups.workers.owned=12").out.split())
    assert "after the 12 of the start, 12 of them owned" in text
