"""A copy that one connection an object limits says which settings help, by keys that are taken, and they do."""

from __future__ import annotations

import pytest

from app.reports.held_up import settings
from models.scenario import Scenario
from profiles.loading.loader import load_text
from simulator.result import Result
from simulator.run import simulate

COPY = """
[profile]
title = "A copy"
[cluster.groups.workers]
server = "nvme-100gbe"
count = 3
[storage]
use = "hdfs"
servers = "workers"
[workload]
kind = "copy"
files = 4
size = "16 GB"
origin = "amazon-s3"
tool = { servers = ["workers"], processes = 2 }
"""
LONE = {"workload.tool.client.connector": "s3", "workload.tool.client.connections": "1"}


def copied(changes: dict[str, str]) -> tuple[Scenario, Result]:
    """Return a copy with changes, and its run."""
    scenario = load_text(COPY, Scenario, changes).scenario
    return scenario, simulate(scenario, seed=0)


@pytest.mark.parametrize(("client", "brought"), [("client", {}), ("workload.tool.client", LONE)])
def test_the_client_that_moves_an_object_over_one_connection_is_named_where_it_is_stated(
    client: str, brought: dict[str, str]
) -> None:
    scenario, result = copied(brought)
    assert result.bottleneck.resource == "one connection to S3"
    told = settings(scenario, result)
    assert told.keys() == {f"{client}.part_size"}
    assert f"state a size, such as 16 MB, and several {client}.connections" in told[f"{client}.part_size"]
    parts = brought | {f"{client}.part_size": "16 MB", f"{client}.connections": "2"}
    two, eight = (copied(parts | {f"{client}.connections": count}) for count in ("2", "8"))
    assert two[1].duration < 0.6 * result.duration
    assert f"{client}.connections" in settings(*two)
    assert eight[1].duration < 0.6 * two[1].duration
