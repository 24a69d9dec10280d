"""What limits a run is told by its name: a group of resources only while that group is busy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simulator.result import Bottleneck, Result
from tests.laws.miniatures import SHIPPED, run

MOST = 0.8
"""Share of the working time from which a limit is told as nearly the only one."""
BUSY = 0.6
"""Utilization of a group that is such a limit."""


def busy(result: Result, group: str, start: float, end: float) -> float:
    """Return how busy a group can have been from one moment to another, by the bins that this touches."""
    series = np.mean([resource.utilization for resource in result.resources if resource.group == group], axis=0)
    touched = series[math.floor(start / result.bin_width) : math.ceil(end / result.bin_width)]
    return min(float(touched.sum()) * result.bin_width / (end - start), 1.0)


def idle_limits(result: Result) -> list[tuple[str, Bottleneck, float]]:
    """Return the limits of a run and its stages that are told as a group though the group is mostly idle."""
    groups = {group.group for group in result.groups}
    told = [("run", result.bottleneck, 0.0, result.duration)]
    told += [(stage.name, stage.bottleneck, stage.start, stage.end) for stage in result.stages if stage.bottleneck]
    used = [
        (name, limit, busy(result, limit.resource, start, end))
        for name, limit, start, end in told
        if limit.share > MOST and limit.resource in groups
    ]
    return [limit for limit in used if limit[2] <= BUSY]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_group_that_limits_nearly_all_of_a_run_or_a_stage_is_busy_meanwhile(name: str) -> None:
    assert idle_limits(run(name)) == []


def test_reduces_that_write_next_to_nothing_are_not_told_to_be_limited_by_all_drives() -> None:
    """Few reduces fetch at a time, each over as many streams as it may have: so idle drives limit none of them."""
    result = run("hdfs-wordcount")
    reduce = result.stages[-1]
    assert busy(result, "workers/data drives", reduce.start, reduce.end) < 0.1
    assert reduce.bottleneck is not None
    assert reduce.bottleneck.resource not in {group.group for group in result.groups}
