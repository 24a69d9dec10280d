"""What each reduce of a total order has, where sampled keys place its bounds."""

from __future__ import annotations

import math

import numpy as np
import pytest

from models.jobs.last_wave import crowded
from models.jobs.mapreduce_parts import STEP, largest, shares, unequal

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


@pytest.mark.parametrize(("reduces", "sampled"), [(64_000, 100_000), (50_000, 100_000), (70_000, 100_000)])
def test_parts_of_very_few_keys_are_those_between_them(reduces: int, sampled: int) -> None:
    """All but the largest hundred, which differ from one sample to the next; tenths of them in the mean."""
    mean_of_samples = np.mean([as_hadoop_places_them(reduces, sampled, seed) for seed in range(10)], axis=0)
    parts = np.array(sorted(shares(reduces, reduces, sampled, salt=1)))
    assert parts[:-100] == pytest.approx(mean_of_samples[:-100], abs=0.1)
    assert parts.reshape(10, -1).mean(axis=1) == pytest.approx(mean_of_samples.reshape(10, -1).mean(axis=1), abs=0.01)
    assert largest(reduces, sampled) == pytest.approx(mean_of_samples[-1], rel=0.15)


def test_parts_of_a_key_each_are_exponential() -> None:
    parts = sorted(shares(1000, 1000, 1000, salt=1))
    expected = [-math.log(1 - (i + 0.5) / 1000) for i in range(1000)]
    assert parts == pytest.approx(expected, abs=STEP, rel=0.01)  # beta distributed: of 1,000 nearly so


@pytest.mark.parametrize("sampled", [500, 2_000])
def test_parts_are_those_of_a_key_each_where_fewer_were_sampled_than_there_are_reduces(sampled: int) -> None:
    is_alike = shares(2_000, 2_000, sampled, salt=1) == shares(2_000, 2_000, 2_000, salt=1)
    assert is_alike


def test_one_of_the_tasks_that_stand_for_others_has_what_the_largest_of_all_has() -> None:
    few, all_ = (shares(tasks, 64_000, 100_000, salt=1) for tasks in (1_600, 64_000))
    assert max(few) == pytest.approx(max(all_), rel=0.005)
    assert np.std(few) == pytest.approx(np.std(all_), rel=0.02)


@pytest.mark.parametrize("salt", [1, 2, 3])
def test_the_largest_has_its_turn_among_few_tasks_when_it_has_it_among_all(salt: int) -> None:
    few, all_ = (np.array(shares(tasks, 960, 2_000, salt)) for tasks in (240, 960))
    assert few.argmax() == all_.argmax() // 4
    assert few.max() == pytest.approx(all_.max(), rel=0.002)


def test_a_sort_is_told_of_when_its_largest_reduce_takes_longer_than_all_others_of_a_container() -> None:
    assert unequal(768, 768, 100_000) == ""
    assert "the largest of 768 reduces has 3.1 times the mean" in unequal(768, 768, 3_840)
    assert unequal(768, 192, 3_840) == ""  # a container runs four of the others
    assert unequal(768, 768, 0) == ""


def test_a_sort_that_hadoop_refuses_is_told_of_with_the_keys_to_sample() -> None:
    told = unequal(64_000, 64_000, 10_000)
    assert told.startswith("Hadoop refuses 64,000 reduces on 10,000 sampled keys")
    keys = int(told.partition(": sample ")[2].partition(" ")[0].replace(",", ""))
    assert largest(64_000, keys) <= 1.5 < largest(64_000, keys // 2)


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


@pytest.mark.parametrize(
    ("begun", "told"),
    [
        ([9, 8, 8], "one more wave on 1 of 3 servers: the last 3 of 25 maps leave 8 containers idle"),
        ([8, 9, 9], ""),  # shared
        ([9, 12, 11], ""),  # all but full
        ([10, 8, 8], ""),  # a server that runs more waves than the others is faster
        ([6, 8, 8], ""),  # no last wave
        ([7, 8, 8], ""),  # told already, as a tenth of the containers run it
        ([3, 0, 0], ""),  # one wave
        ([63, 80, 80], ""),  # one of 21
    ],
)
def test_a_last_wave_is_told_where_it_fills_some_servers_and_leaves_containers_idle(
    begun: list[int], told: str
) -> None:
    assert crowded("maps", [3, 4, 4], begun, round).startswith(told)
    assert bool(crowded("maps", [3, 4, 4], begun, round)) == bool(told)
