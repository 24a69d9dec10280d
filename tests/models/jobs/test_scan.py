"""What a scan comes to before it meets a cluster: splits, bytes, requests and operations, counted by hand."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from models.jobs.engine import Engine
from models.jobs.scan import Column, Scan, Table
from models.storage.clients.reading import as_asked
from tests.models.machines import GB, MB


def engine(**changes: Any) -> Engine:
    """Return two slots a hardware thread on splits of 100 MB: 5 requests and those of columns, 10 ns an operation."""
    settings: dict[str, Any] = {
        "name": "an engine",
        "slots": 2.0,
        "split_size": 100 * MB,
        "read_buffer": 8 * MB,
        "requests": 5,
        "operation_cpu": 10e-9,
        "query_time": 0.5,
    }
    return Engine(**settings | changes)


def table(**changes: Any) -> Table:
    """Return a billion rows in 10 GB: 100 splits of ten million rows."""
    columns = {"narrow": Column(size=0.1 * GB), "wide": Column(size=2 * GB, decode=3.0)}
    return Table.model_validate({"rows": 1e9, "size": 10 * GB, "columns": columns} | changes)


def scan(**changes: Any) -> Scan:
    return Scan.model_validate(
        {"kind": "scan", "servers": ("workers",), "engine": engine(), "table": table(), "columns": ("narrow",)}
        | changes
    )


def refusal(**changes: Any) -> str:
    with pytest.raises(ValidationError) as error:
        scan(**changes)
    return str(error.value.errors()[0]["ctx"]["error"])


def test_a_table_is_cut_into_splits_by_its_bytes_not_by_those_of_the_columns_read() -> None:
    assert scan().splits == 100
    assert scan(columns=("narrow", "wide")).splits == 100
    assert scan(table=table(size=10.01 * GB)).splits == 101


def test_only_the_columns_of_the_query_are_read() -> None:
    assert scan().read_bytes == pytest.approx(0.1 * GB)
    assert scan(columns=("narrow", "wide")).read_bytes == pytest.approx(2.1 * GB)


def test_a_column_takes_a_request_a_read_buffer() -> None:
    assert scan().requests_per_split == 5 + 1  # 1 MB of a split
    assert scan(columns=("narrow", "wide")).requests_per_split == 5 + 1 + 3  # and 20 MB in ranges of 8 MB


def test_a_bare_count_reads_the_ends_of_the_files_only() -> None:
    count = scan(columns=(), accumulators=1)
    assert (count.read_bytes, count.requests_per_split, count.operations) == (0, 5, 1)


def test_decoding_grouping_evaluating_and_accumulating_are_operations() -> None:
    query = scan(columns=("narrow", "wide"), keys=2, functions=1, accumulators=2)
    assert query.operations == 1 + 3 + 2 + 1 + 2
    assert query.cpu_per_split == pytest.approx(1e7 * 9 * 10e-9)


def test_bytes_of_a_request_are_those_of_a_split_over_its_requests() -> None:
    assert scan(columns=("narrow", "wide")).reads(as_asked).request_size == pytest.approx(21 * MB / 9)


def test_a_column_that_the_table_does_not_have_is_refused() -> None:
    assert refusal(columns=("nation",)) == "columns: the table has no column 'nation' (it has: narrow, wide)"


def test_a_column_named_twice_is_refused() -> None:
    assert refusal(columns=("wide", "wide")) == "columns: a column is read once, name it once"


def test_columns_larger_than_their_table_are_refused() -> None:
    message = refusal(table=table(size=1 * GB), columns=("wide",))
    assert message == "table.size: the columns read are larger (2e+09 B); it counts all columns"


def test_a_scan_without_servers_is_refused() -> None:
    with pytest.raises(ValidationError, match="name at least one server group"):
        scan(servers=())
