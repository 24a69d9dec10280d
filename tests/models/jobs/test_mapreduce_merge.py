"""What sorting and merging take through local drives, against counts by hand and Hadoop's rules."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from models.jobs.mapreduce_merge import Merge, merged_again, merges, reduce_merge

GB = 1e9


def merge(amount: float, *, memory: float = 1 * GB, segments: int = 1000, kept: float = 0.0) -> Merge:
    return reduce_merge(amount, segments, memory, merge_percent=0.66, limit=0.25, kept=kept, factor=10)


def test_what_fits_into_memory_is_written_all_the_same_as_one_file() -> None:
    assert merge(0.5 * GB) == Merge((0.5 * GB,), (), (), 0.0)


def test_each_time_memory_is_full_to_its_percentage_a_file_is_written() -> None:
    assert merge(2 * GB).files == pytest.approx((0.66 * GB, 0.66 * GB, 0.66 * GB, 0.02 * GB))


def test_what_may_stay_in_memory_is_not_written() -> None:
    part = merge(0.5 * GB, kept=0.3)
    assert part.files == pytest.approx((0.2 * GB,))
    assert part.merged == 0.0
    assert part.kept == pytest.approx(0.3 * GB)
    assert merge(0.5 * GB, kept=1.0) == Merge((), (), (), 0.5 * GB)


def test_segments_too_large_for_memory_are_files_of_their_own_and_merged_in_passes() -> None:
    merging = merge(12 * GB, segments=12)
    assert (merging.files, merging.merged) == ((1 * GB,) * 12, 3 * GB)  # three of twelve, so that ten are left


@given(st.floats(1e6, 50e9), st.floats(0.0, 1.0))
def test_every_byte_is_written_or_kept(amount: float, kept: float) -> None:
    merging = merge(amount, kept=kept)
    assert sum(merging.files) + merging.kept == pytest.approx(amount)
    assert merging.kept <= kept * GB


@given(st.floats(1e6, 5e9))
def test_a_little_more_input_writes_a_little_more(amount: float) -> None:
    written = [sum(merge(size, kept=0.0).files) for size in (amount, amount * 1.001)]
    assert written[1] == pytest.approx(written[0] * 1.001)


@pytest.mark.parametrize(
    ("files", "factor", "again"),
    [(2, 10, 0), (10, 10, 0), (11, 10, 2), (12, 10, 3), (19, 10, 10), (100, 10, 100), (3, 2, 2)],
)
def test_passes_take_the_smallest_files_and_no_more_than_needed(files: int, factor: int, again: float) -> None:
    assert sum(merges([1.0] * files, factor)) == merged_again(files, factor) == again


@given(st.integers(1, 3000), st.integers(2, 40))
def test_what_equal_files_are_merged_again_is_known_without_merging_them(files: int, factor: int) -> None:
    assert merged_again(files, factor) == sum(merges([1.0] * files, factor))


def test_a_billion_spills_are_counted_at_once() -> None:
    assert merged_again(10**9, 10) == 8 * 10**9


def test_small_files_are_merged_before_large_ones() -> None:
    assert merges([5.0, 1.0, 1.0], 2) == [2.0]


def test_files_are_merged_while_more_come_as_often_as_twice_the_factor_less_one_lie_there() -> None:
    """By hand: of 30 full files and a rest ten are merged at the 19th and at the 28th, which leaves 12 and the rest."""
    merging = merge(30 * 0.66 * GB + 0.1 * GB, segments=100_000)
    assert [count for count, _ in merging.behind] == [19, 28]
    assert [size for _, size in merging.behind] == pytest.approx([6.6 * GB, 6.6 * GB])
    assert merging.passes == pytest.approx((0.1 * GB + 3 * 0.66 * GB,))  # four of thirteen leave ten
    assert merging.merged == pytest.approx(2 * 6.6 * GB + 2.08 * GB)


def test_a_reduce_writes_as_many_records_as_the_counters_of_a_published_job_tell() -> None:
    """Two reduces with heaps of 3 GiB fetch 104 GB of 746 maps. All maps spill their 10^9 records once, as one buffer
    holds them, and reduces the rest of the 2,841,499,457 spilled records.

    Source: davidghiurco/cs553-2017-sort-benchmark on GitHub, 2017, prog2_report.pdf, figure 3.1.c.
    """
    merging = merge(104_000_008_952 / 2, memory=0.7 * 3 * 2**30, segments=746)
    written = (sum(merging.files) + merging.merged) / (104_000_008_952 / 2)
    assert written == pytest.approx(1.841, rel=0.03)
