"""Copies over a line between two sites: its rate, a window a round trip on each stream, and what the tool allows."""

from __future__ import annotations

import pytest

from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.result import Result
from simulator.run import simulate

STARTS = ("job_start", "process_start", "start_cpu")
SMALL = {"workload.size": "4 GB", "workload.files": "8"} | {f"workload.tool.{key}": "0 s" for key in STARTS}


def copied(**changes: str) -> Result:
    settings = {f"workload.{key.replace('__', '.')}": value for key, value in changes.items()}
    return simulate(load("copy-distcp-11-node", Scenario, SMALL | settings).scenario)


def stage(result: Result) -> float:
    return result.stages[0].end - result.stages[0].start


def test_a_slow_line_is_what_all_files_share() -> None:
    result = copied(line="{rate = '1 Gbit/s'}")
    assert stage(result) == pytest.approx(4e9 / 125e6, rel=0.05)
    assert result.bottleneck.resource == "line between the sites"


def test_a_line_carries_all_bytes_once() -> None:
    (line,) = [group for group in copied(line="{rate = '10 Gbit/s'}").groups if group.kind == "line"]
    assert line.bytes == pytest.approx(4e9)


@pytest.mark.parametrize("streams", [1, 4])
def test_a_stream_moves_a_window_a_round_trip(streams: int) -> None:
    line = f"{{rate = '100 Gbit/s', round_trip = '1 s', streams = {streams}, window = '5 MB'}}"
    result = copied(line=line, files="1", size="500 MB")
    assert stage(result) == pytest.approx(500 / 5 / streams, rel=0.05)


def test_a_tool_keeps_within_its_bandwidth() -> None:
    result = copied(tool__bandwidth="10 MB/s", files="1", size="500 MB")
    assert stage(result) == pytest.approx(50, rel=0.05)


def test_a_line_that_never_limits_changes_nothing() -> None:
    assert copied(line="{rate = '1000 Gbit/s'}").duration == pytest.approx(copied().duration, rel=1e-6)
