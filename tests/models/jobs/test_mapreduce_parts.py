"""What each reduce of a total order has, where sampled keys place its bounds."""

from __future__ import annotations

import numpy as np
import pytest

from models.jobs.mapreduce_parts import shares

TB = 1e12


def as_hadoop_places_them(reduces: int, sampled: int, seed: int) -> list[float]:
    """Return the parts over the mean between every so-many-th of sampled keys, sorted by size.

    Source: Apache Hadoop, TeraInputFormat.TextSampler.createPartitions.
    """
    keys = np.sort(np.random.default_rng(seed).random(sampled))
    step = sampled / reduces
    bounds = [keys[round(step * i)] for i in range(1, reduces)]
    return sorted(np.diff([0.0, *bounds, 1.0]) * reduces)


@pytest.mark.parametrize(("reduces", "sampled"), [(1800, 100_000), (100, 100_000), (20, 2_000)])
def test_parts_are_those_between_the_keys_of_a_sample(reduces: int, sampled: int) -> None:
    mean_of_samples = np.mean([as_hadoop_places_them(reduces, sampled, seed) for seed in range(30)], axis=0)
    assert sorted(shares(reduces, reduces, sampled, salt=1)) == pytest.approx(mean_of_samples, abs=0.03)


def test_sort_of_2008_has_the_largest_and_the_least_output_that_its_source_tells() -> None:
    sizes = [TB / 1800 * share / 1e6 for share in shares(1800, 1800, 100_000, salt=1)]
    assert (min(sizes), max(sizes)) == pytest.approx((337, 872), rel=0.03)


@pytest.mark.parametrize("tasks", [1, 7, 500])
def test_parts_are_all_that_there_is(tasks: int) -> None:
    assert sum(shares(tasks, 4 * tasks, 1_000, salt=1)) == pytest.approx(tasks)


def test_parts_without_a_sample_are_equal() -> None:
    assert shares(5, 5, 0, salt=1) == [1.0] * 5


def test_part_of_a_lone_reduce_is_all_of_it() -> None:
    assert shares(1, 1, 100_000, salt=1) == [1.0]


def test_parts_are_dealt_by_chance_and_the_same_again() -> None:
    parts = shares(500, 500, 10_000, salt=1)
    assert parts == shares(500, 500, 10_000, salt=1)
    assert parts != shares(500, 500, 10_000, salt=2)
    assert (
        abs(np.corrcoef(parts, range(500))[0, 1]) < 0.15
    )  # no more than chance orders them: three times 1 / sqrt(500)
