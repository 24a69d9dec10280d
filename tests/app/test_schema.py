"""The schemas of what is printed as JSON: one for every contract, and none that lets anything pass."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from app.reports.contracts import CONTRACTS
from models.problem import ProblemError
from tests.app.conftest import Type
from tests.contracts import check

PAGE = Path(__file__).parent.parent.parent / "docs" / "json.md"
JSON = ("--format", "json")
ID = r"headroom\.\w+/\d+"


@pytest.mark.parametrize("name", CONTRACTS)
def test_a_schema_is_printed_by_either_of_its_names_and_says_what_everything_is(type_: Type, name: str) -> None:
    ended = type_("schema", name)
    schema = json.loads(ended.out)
    Draft202012Validator.check_schema(schema)
    whole = schema["properties"]["schema"]["const"]
    assert re.fullmatch(rf"headroom\.{name}/\d+", whole)
    assert type_("schema", whole).out == ended.out
    assert all(table.get("description") for table in [schema, *schema.get("$defs", {}).values()])


def test_the_list_names_every_contract_that_the_page_describes(type_: Type) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert set(re.findall(ID, type_("schema").out)) == set(re.findall(ID, page))


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_page_names_every_key_that_a_contract_has(type_: Type, name: str) -> None:
    schema = json.loads(type_("schema", name).out)
    keys = {key for table in [schema, *schema.get("$defs", {}).values()] for key in table.get("properties", ())}
    assert keys - set(re.findall(r"\w+", PAGE.read_text(encoding="utf-8"))) == set()


def test_an_unknown_contract_is_refused_with_the_nearest(type_: Type) -> None:
    ended = type_("schema", "sizes")
    assert (ended.status, ended.err) == (2, "schema: no such contract: 'sizes'; did you mean 'size'?\n")
    assert type_("schema", "headroom.run/7").status == 2


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("duration_s",), "long"),
        (("stages", 0, "end_s"), None),
        (("stages", 0, "colour"), "blue"),
        (("metrics", "throughput", "unit"), 5),
        (("further",), []),
        (("resources",), None),
        (("schema",), "headroom.run/2"),
    ],
)
def test_a_run_that_breaks_its_contract_is_found(
    type_: Type, small: tuple[str, ...], path: tuple[int | str, ...], value: object
) -> None:
    data = json.loads(type_(*small, *JSON).out)
    check(json.dumps(data))
    *steps, last = path
    table = data
    for step in steps:
        table = table[step]
    table[last] = value
    with pytest.raises((AssertionError, ProblemError)):
        check(json.dumps(data))


def test_numbers_that_json_does_not_know_are_found() -> None:
    with pytest.raises(AssertionError, match="NaN is no JSON"):
        check('{"schema": "headroom.run/1", "duration_s": NaN}')


OUTPUTS = {
    "a load of requests": ("get-minio-nvme", "--set", "workload.count=2000"),
    "a load while a drive fails": ("get-minio-nvme-drive-failure", "--set", "workload.count=2000"),
    "a job while a server fails": ("terasort-server-failure",),
    "a cost": ("hdfs-terasort", "--set", "workload.input=10 GB", "--set", "prices=on-premises-2024"),
    "a store without a limit": ("capacity", "spark-mix-s3"),
    "simulated losses": ("durability", "durability-hdfs", "--check", "100"),
    "durability of a rented store": ("durability", "tpch-amazon-s3"),
    "growth": ("capacity", "growth-hdfs"),
    "a study": ("profiles", "terasort-servers"),
}


@pytest.mark.parametrize("what", OUTPUTS)
def test_outputs_of_every_kind_keep_their_contract(type_: Type, what: str) -> None:
    check(type_(*OUTPUTS[what], *JSON).out)
