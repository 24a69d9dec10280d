"""Which GETs S3A sends for what is read of an object, counted by hand from the rules of its input stream."""

from __future__ import annotations

import math
from typing import Any

import pytest

from models.storage.clients.reading import Columns, Fetched, Policy, as_asked
from models.storage.clients.s3a import S3aClient
from models.storage.clients.s3a_reads import Get, Range, gets, merged

KIB, MIB = 2.0**10, 2.0**20
AHEAD = 64 * KIB

PARQUET = 10 * MIB + 100 * KIB
"""Ten columns of 1 MiB, and a footer of 100 KiB with its length and mark."""
FOOTER: tuple[Range, ...] = ((PARQUET - 8, 8), (PARQUET - 100 * KIB, 100 * KIB - 8))
COLUMNS: tuple[Range, ...] = ((0, MIB), (4 * MIB, MIB), (5 * MIB + 32 * KIB, MIB))
"""Three of them, the last two 32 KiB apart."""

ORC = 8 * MIB + 16 * KIB
"""Two stripes of 4 MiB with a footer of 2 KiB each, and the tail."""
STRIPE: tuple[Range, ...] = ((4 * MIB - 2 * KIB, 2 * KIB), (0, MIB), (2 * MIB, MIB))
"""The footer of the first, and two of its columns."""


@pytest.mark.parametrize("policy", ["random", "normal"])
def test_a_footer_read_backwards_makes_a_stream_ask_for_each_column_of_parquet_alone(policy: Policy) -> None:
    sent = gets(FOOTER + COLUMNS, PARQUET, policy, AHEAD)
    assert [get.size for get in sent] == [8, 100 * KIB - 8, MIB, MIB, MIB]
    assert not any(get.is_left for get in sent)


def test_sequential_reads_ask_up_to_the_end_of_parquet_read_over_short_gaps_and_leave_the_rest() -> None:
    assert gets(FOOTER + COLUMNS, PARQUET, "sequential", AHEAD) == (
        Get(PARQUET - 8, 8),
        Get(PARQUET - 100 * KIB, 100 * KIB),  # its last 8 bytes are read to keep the connection
        Get(0, MIB, is_left=True),
        Get(4 * MIB, 2 * MIB + 32 * KIB, is_left=True),
    )


def test_columns_over_a_stream_of_their_own_never_go_back_so_that_normal_stays_sequential() -> None:
    assert gets(COLUMNS, PARQUET, "normal", AHEAD) == gets(COLUMNS, PARQUET, "sequential", AHEAD)
    assert [get.is_left for get in gets(COLUMNS, PARQUET, "normal", AHEAD)] == [True, True]
    assert [get.is_left for get in gets(COLUMNS, PARQUET, "random", AHEAD)] == [False, False, False]


@pytest.mark.parametrize(
    ("policy", "sent"),
    [
        ("normal", [(2 * KIB, True), (MIB, False), (MIB, False)]),
        ("sequential", [(2 * KIB, True), (MIB, True), (MIB, True)]),
        ("random", [(AHEAD, False), (MIB, False), (MIB, False)]),  # 62 KiB are read for nothing
    ],
)
def test_the_footer_of_a_stripe_of_orc_comes_before_its_columns(policy: Policy, sent: list[tuple[float, bool]]) -> None:
    assert [(get.size, get.is_left) for get in gets(STRIPE, ORC, policy, AHEAD)] == sent


def test_a_larger_read_ahead_reads_over_longer_gaps_and_keeps_more_connections() -> None:
    one = gets(COLUMNS, PARQUET, "sequential", 8 * MIB)
    assert one == (Get(0, PARQUET),)


@pytest.mark.parametrize(("policy", "sizes"), [("random", [8, 8, 4]), ("sequential", [20]), ("normal", [20])])
def test_a_column_that_is_read_in_buffers_takes_a_get_each_only_at_random(policy: Policy, sizes: list[float]) -> None:
    reads = [(0, 8 * MIB), (8 * MIB, 8 * MIB), (16 * MIB, 4 * MIB)]
    assert [get.size for get in gets(reads, 20 * MIB, policy, AHEAD)] == [size * MIB for size in sizes]


@pytest.mark.parametrize(
    ("gap", "count", "gets_of"),
    [(4 * KIB, 2, [2]), (4 * KIB, 3, [2, 1]), (5 * KIB, 2, [1, 1]), (0, 2, [2])],
)
def test_ranges_of_a_vector_are_merged_while_gaps_are_short_and_the_whole_is_not_too_large(
    gap: float, count: int, gets_of: list[int]
) -> None:
    """As 3.3.5 ships it: gaps below 4,896 B, at most 1,253,376 B."""
    ranges = [(number * (512 * KIB + gap), 512 * KIB) for number in range(count)]
    assert [get.size for get in merged(ranges, 4896, 1253376)] == [
        size * 512 * KIB + (size - 1) * gap for size in gets_of
    ]


def client(release: str = "3.3.5", **s3a: Any) -> S3aClient:
    return S3aClient.model_validate({"connector": "s3a", "release": release, "fs": {"s3a": s3a}})


def fadvise(policy: Policy) -> dict[str, Any]:
    return {"experimental": {"input": {"fadvise": policy}}}


def columns(count: int = 6, **changes: Any) -> Columns:
    """Return columns of 1 MiB, each in a read of its own, evenly over an object of 24 MiB."""
    settings: dict[str, Any] = {"size": MIB, "split": 24 * MIB, "length": 24 * MIB, "buffer": 8 * MIB}
    return Columns(count, **settings | changes)


@pytest.mark.parametrize(
    ("policy", "apart", "left"),
    [
        ("normal", False, 0),
        ("normal", True, 6),
        ("sequential", False, 6),
        ("random", True, 0),
    ],
)
def test_columns_of_a_split_are_fetched_one_after_the_other_as_the_policy_says(
    policy: Policy, apart: bool, left: int
) -> None:
    assert client(**fadvise(policy)).fetched(columns(apart=apart)) == Fetched(6, MIB, 6, left)


@pytest.mark.parametrize(
    ("release", "rounds", "left"),
    [("3.3.4", 6, 6), ("3.3.5", 2, 0), ("3.4.2", 2, 0)],  # six ranges, four at a time
)
def test_a_vector_of_ranges_is_fetched_side_by_side_since_3_3_5(release: str, rounds: int, left: int) -> None:
    assert client(release).fetched(columns(apart=True, vectored=True)) == Fetched(6, MIB, rounds, left)


@pytest.mark.parametrize(("release", "gets"), [("3.3.6", 4), ("3.4.1", 4), ("3.4.2", 2), ("3.5.0", 2)])
def test_larger_ranges_of_a_vector_are_merged_since_3_4_2(release: str, gets: int) -> None:
    """Four of 512 KiB, 64 KiB apart: three and a half would be 2 MiB."""
    near = columns(4, size=512 * KIB, split=4 * 576 * KIB, vectored=True)
    assert client(release).fetched(near).gets == gets


@pytest.mark.parametrize(("release", "policy"), [("3.3.4", "sequential"), ("3.3.5", "random")])
def test_what_an_engine_declares_is_listened_to_since_3_3_5(release: str, policy: Policy) -> None:
    assert client(release, **fadvise("sequential")).policy("random") == policy
    assert client(release, **fadvise("sequential")).policy(None) == "sequential"


@pytest.mark.parametrize(
    ("policy", "readahead", "declared", "asked"),
    [
        ("normal", AHEAD, None, math.inf),
        ("sequential", AHEAD, None, math.inf),
        ("random", AHEAD, None, AHEAD),
        ("random", MIB, None, MIB),
        ("random", 0.0, None, 4096),  # what a reader of records asks for
        ("random", AHEAD, "sequential", math.inf),
    ],
)
def test_what_is_read_in_order_is_asked_for_once_unless_reads_are_expected_at_random(
    policy: Policy, readahead: float, declared: Policy | None, asked: float
) -> None:
    assert client(**fadvise(policy), readahead={"range": readahead}).asked_in_order(declared) == asked


def test_other_clients_send_a_request_for_each_read() -> None:
    assert as_asked(columns(3, size=20 * MIB)) == Fetched(9, 20 * MIB / 3, 9)


@pytest.mark.parametrize("size", [0.3, 1.0, 1e6 / 3, 5 * MIB, 40 * MIB])
@pytest.mark.parametrize("policy", ["normal", "sequential", "random"])
def test_no_policy_brings_less_than_is_read(policy: Policy, size: float) -> None:
    read = columns(7, size=size, length=max(24 * MIB, 7 * size), apart=True)
    got = client(**fadvise(policy)).fetched(read)
    assert got.gets * got.size >= 7 * size * (1 - 1e-9)
