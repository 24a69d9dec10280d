"""What a keystroke waits for depends on kinds of servers, not on their number."""

from __future__ import annotations

import sys
from types import FrameType
from typing import TYPE_CHECKING

import pytest

from app.gui.session.estimate import estimate
from models.planning.lint import lint
from models.quantity import stated
from models.scenario import Scenario
from profiles.loading.loader import load

if TYPE_CHECKING:
    from _typeshed import TraceFunction

NAMES = (
    "hdfs-terasort",
    "minio-terasort",
    "terasort-server-failure",
    "durability-minio",
    "durability-storagegrid",
    "get-minio-nvme-drive-failure",
    "get-storagegrid-node-failure",
    "growth-hdfs",
    "tpch-minio-nvme",
    "tpcds-hive",
)


@pytest.mark.parametrize("name", NAMES)
def test_ten_times_as_many_servers_take_no_more_steps_to_estimate(name: str) -> None:
    few, many = steps(name, 10_000), steps(name, 100_000)
    assert 0 < many < 1.05 * few  # numbers have other words


def steps(name: str, servers: int) -> int:
    """Return the lines of code of ours that run from a profile's values to its estimate and advice."""
    shipped = load(name, Scenario).scenario
    grown = {f"cluster.groups.{group}.count": f"{servers}" for group in shipped.cluster.groups}
    data = stated(load(name, Scenario, grown | {"cluster.network.racks": "100"}).scenario.model_dump())
    count = 0

    def look(frame: FrameType, event: str, argument: object) -> TraceFunction:
        nonlocal count
        count += event == "line"
        return look

    def answer() -> None:
        made = Scenario.model_validate(data)
        estimate(made)
        lint(made)

    answer()  # what is computed once and kept
    before = sys.gettrace()
    sys.settrace(look)
    try:
        answer()
    finally:
        sys.settrace(before)
    return count
