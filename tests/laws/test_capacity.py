"""Nothing gives more than it has, and no run is faster than its busiest resources allow."""

from __future__ import annotations

import numpy as np
import pytest

from models.jobs.mapreduce import MapReduce
from models.work import COMMIT
from tests.laws.miniatures import SHIPPED, run, shipped

ROUNDING = 1e-9


@pytest.mark.parametrize("name", SHIPPED)
def test_no_resource_is_above_its_capacity_in_any_bin(name: str) -> None:
    over = {
        resource.name: resource.utilization.max()
        for resource in run(name).resources
        if resource.utilization.max() > 1 + ROUNDING
    }
    assert over == {}


@pytest.mark.parametrize("name", SHIPPED)
def test_no_resource_is_below_zero_in_any_bin(name: str) -> None:
    assert [resource.name for resource in run(name).resources if resource.utilization.min() < -ROUNDING] == []


@pytest.mark.parametrize("name", SHIPPED)
def test_bins_cover_the_run_and_their_mean_is_the_mean_utilisation(name: str) -> None:
    result = run(name)
    for resource in result.resources:
        bins = len(resource.utilization)
        assert (bins - 1) * result.bin_width <= result.duration <= bins * result.bin_width
        seconds = np.diff(np.minimum(np.arange(bins + 1) * result.bin_width, result.duration))
        busy = float(resource.utilization @ seconds)
        assert busy == pytest.approx(resource.utilization_mean * result.duration, abs=ROUNDING * result.duration)


@pytest.mark.parametrize("name", SHIPPED)
def test_no_run_is_shorter_than_any_of_its_bounds(name: str) -> None:
    """A group's bound is what it gave over what it could have given: pages still dirty at the end are not in it."""
    result = run(name)
    assert [group.group for group in result.groups if group.bound > result.duration * (1 + ROUNDING)] == []
    assert max(group.bound for group in result.groups) > 0


@pytest.mark.parametrize("name", shipped(MapReduce))
def test_stages_start_and_end_within_the_run_and_the_last_ends_it(name: str) -> None:
    result = run(name)
    assert all(0 < stage.start < stage.end <= result.duration for stage in result.stages)
    assert max(stage.end for stage in result.stages) == result.duration
    if result.failures is None or result.failures.redone_tasks == 0:  # lost output is made anew, needed or not by then
        ends = [stage.end for stage in result.stages]
        assert ends == sorted(ends)
    commit = 1.0  # s; the staging and HDFS committers wait for a request or for nothing
    assert result.duration - max(stage.end for stage in result.stages if stage.name != COMMIT) < commit
