"""`simulate bill`: parts, spares and racks of a profile, in every form."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.app.conftest import Type
from tests.contracts import check

PROFILE = ("bill", "hdfs-terasort", "--set", "cluster.groups.workers.server=hdd-25gbe")
PRICED = (*PROFILE, "--set", "prices=on-premises-2024", "--set", "cluster.groups.workers.count=60")


def test_it_names_parts_spares_switches_and_racks(type_: Type) -> None:
    text = type_(*PRICED).out
    assert "3 in the racks, 2 between them with 15 uplinks" in text
    assert "16 TB hdd" in text
    assert "rack-3" in text


def test_as_json_it_keeps_its_contract_and_every_server_stands_somewhere(type_: Type) -> None:
    text = type_(*PRICED, "--format", "json").out
    check(text)
    data = json.loads(text)
    names = {slot["name"] for rack in data["racks"] for slot in rack["slots"] if slot["group"] == "workers"}
    assert names == {f"workers-{i + 1}" for i in range(60)}
    assert {type(part[key]) for part in data["materials"] for key in ("count", "there")} == {float}
    assert data["listed"] == pytest.approx(
        sum((part["count"] + part["spares"]) * part["price"] for part in data["materials"])
    )


def test_as_csv_it_is_the_table_of_materials(type_: Type) -> None:
    rows = list(csv.reader(io.StringIO(type_(*PRICED, "--format", "csv").out)))
    assert any("chassis" in row for row in rows)


def test_a_report_draws_the_racks_once_for_those_that_look_the_same(type_: Type, tmp_path: Path) -> None:
    page, book = tmp_path / "bill.html", tmp_path / "bill.xlsx"
    assert type_(*PRICED, "--report", str(page), "--report", str(book)).status == 0
    text = page.read_text(encoding="utf-8")
    assert "rack-1 to 2" in text
    assert "workers-1<" in text
    assert book.stat().st_size > 0


def test_without_prices_it_says_what_to_add(type_: Type) -> None:
    ended = type_(*PROFILE)
    assert ended.status == 2
    assert 'add prices = "on-premises-2024"' in ended.err


def test_it_says_what_whoever_sets_the_store_up_has_to_state(type_: Type) -> None:
    words = ("bill", "terasort-ceph", "--set", "prices=on-premises-2024")
    assert "Placement groups (pg_num)  4,096: 128 pieces on each of 96 OSDs" in type_(*words).out
    assert json.loads(type_(*words, "--format", "json").out)["set_up"].keys() == {"Placement groups (pg_num)"}
    assert json.loads(type_(*PRICED, "--format", "json").out)["set_up"] == {}
