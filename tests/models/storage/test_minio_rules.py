"""What MinIO does by release: sets, default parity and quorums as its source and its sizing guide have them."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from models.problem import RefusalError
from models.storage.minio.rules import CURRENT, ERAS, MIB, Code, rules_of
from models.storage.minio.system import Minio
from tests.models.machines import cluster, layout, server
from tests.models.storage.test_minio import drives_of, machines, spec, store

NEW = rules_of(CURRENT)
OLD = rules_of("RELEASE.2019-07-24T02-02-23Z")


# releases


@pytest.mark.parametrize(
    ("release", "since"),
    [
        ("RELEASE.2019-07-24T02-02-23Z", "RELEASE.2019-07-05T21-20-21Z"),
        ("2020-04-27", "RELEASE.2020-04-02T21-34-49Z"),
        ("2020-04-28", "RELEASE.2020-04-28T23-56-56Z"),
        ("RELEASE.2021-12-29T06-49-06Z", "RELEASE.2021-05-27T22-06-31Z"),
        ("2022-01-26", "RELEASE.2022-01-25T19-56-04Z"),
        ("2024-05-26", "RELEASE.2022-06-30T20-58-09Z"),
        (CURRENT, "RELEASE.2024-05-27T19-17-46Z"),
    ],
)
def test_a_release_follows_the_last_rules_before_it(release: str, since: str) -> None:
    assert rules_of(release).since == since


def test_the_rules_are_listed_by_their_releases() -> None:
    assert [era.since for era in ERAS] == sorted(era.since for era in ERAS)


@pytest.mark.parametrize("release", ["latest", "2019-07-04", "RELEASE.2021", "2021-13", ""])
def test_what_is_no_release_is_refused_with_an_example(release: str) -> None:
    with pytest.raises(ValidationError) as error:
        spec(release=release)
    assert error.value.errors()[0]["msg"] == (
        f"Value error, release = {release!r}: expected the tag of a MinIO release, such as"
        " 'RELEASE.2025-10-15T17-29-55Z', or its day, from 2019-07-05 on"
    )


# sets


@pytest.mark.parametrize(
    ("drives", "size"),
    [(4, 4), (6, 6), (8, 8), (10, 10), (12, 12), (14, 14), (16, 16), (18, 6), (20, 10), (24, 12), (28, 14), (96, 16)],
)
def test_drives_formed_the_largest_even_sets_in_2019(drives: int, size: int) -> None:
    assert OLD.set_size(1, drives) == OLD.set_size(drives, drives) == size


@pytest.mark.parametrize(
    ("servers", "drives", "size"),
    [(12, 8, 12), (12, 4, 12), (8, 8, 16), (4, 4, 16), (9, 2, 9), (32, 8, 16), (11, 2, 11), (3, 1, 3), (1, 12, 12)],
)
def test_sets_take_as_many_drives_of_each_server_now(servers: int, drives: int, size: int) -> None:
    assert NEW.set_size(servers, servers * drives) == size


@pytest.mark.parametrize("drives", [1, 2, 3, 5, 7, 9, 11, 22, 26, 121])
def test_drives_that_no_set_divides_are_refused(drives: int) -> None:
    message = f"none of 4, 6, 8, 10, 12, 14 or 16 divides {drives} drives; change the servers or the drives of each"
    with pytest.raises(ValueError, match=f"^set_size: {message}$"):
        OLD.set_size(1, drives)


def test_one_drive_is_a_set_of_its_own_without_parity_and_was_none_before() -> None:
    assert (NEW.set_size(1, 1), NEW.default_parity[1]) == (1, 0)
    assert Code(1, 0, NEW).write_quorum == 1
    Code(1, 0, NEW).check()


def test_set_size_that_does_not_divide_the_drives_is_refused() -> None:
    message = "set_size = 12: does not divide 64 drives; change the servers or the drives of each"
    with pytest.raises(ValueError, match=f"^{message}$"):
        NEW.set_size(8, 64, 12)


def test_the_default_parity_was_half_of_a_set_and_is_at_most_four() -> None:
    assert [OLD.default_parity[size] for size in OLD.set_sizes] == [2, 3, 4, 5, 6, 7, 8]
    assert [NEW.default_parity[size] for size in range(2, 17)] == [1, 1, 2, 2, 3, 3] + [4] * 9


def test_the_first_pool_decides_on_the_parity_of_all() -> None:
    twelve = cluster(storage=(4, server(drives=1)))
    group = twelve.groups["storage"].with_more(8, server(drives=4))
    codes = Minio(system="minio", servers="storage").codes(twelve.model_copy(update={"groups": {"storage": group}}))
    assert [(code.drives, code.parity) for code in codes] == [(4, 2), (16, 2)]


# quorums


@pytest.mark.parametrize(("parity", "quorum"), [(4, 13), (8, 9)])
def test_a_write_needed_one_drive_more_than_data_shards_in_2019(parity: int, quorum: int) -> None:
    assert Code(16, parity, OLD).write_quorum == quorum


@pytest.mark.parametrize(("parity", "quorum"), [(4, 12), (7, 9), (8, 9)])
def test_a_write_needs_as_many_drives_as_data_shards_and_one_more_where_parity_is_half(
    parity: int, quorum: int
) -> None:
    assert Code(16, parity, NEW).write_quorum == quorum


def test_an_object_gets_a_parity_shard_more_for_each_drive_that_is_offline_up_to_half() -> None:
    assert [Code(16, 4, NEW).at_write(offline).parity for offline in range(8)] == [4, 5, 6, 7, 8, 8, 8, 8]
    assert Code(16, 4, rules_of("2021-05-26")).at_write(3).parity == 4


@pytest.mark.parametrize(
    ("code", "most"),
    [
        (Code(16, 4, OLD), 3),
        (Code(16, 4, rules_of("2020-06-12")), 4),
        (Code(16, 4, NEW), 7),
        (Code(15, 4, NEW), 7),
        (Code(2, 1, NEW), 0),
        (Code(3, 1, NEW), 1),
    ],
)
def test_writes_go_on_until_more_drives_than_the_release_tolerates_are_offline(code: Code, most: int) -> None:
    taken = [code.takes_writes(offline) for offline in range(code.drives + 1)]
    assert taken == [True] * (most + 1) + [False] * (code.drives - most)


def test_a_put_with_three_drives_offline_writes_nine_data_shards_to_thirteen_drives() -> None:
    """12 + 4 becomes 9 + 7, so that a byte takes 13/9 of its size: cmd/erasure-object.go, putObject."""
    made = layout(storage=(4, server(drives=4)), client=(1, server()))
    drives = drives_of(store(made, failed_drives=3, release=CURRENT).write(0, made.nodes[-1]))
    assert len(drives) == 13
    assert sum(drives.values()) == pytest.approx(13 / 9)


def test_a_put_without_parity_upgrade_keeps_twelve_data_shards() -> None:
    drives = drives_of(store(machines(4, 4), failed_drives=3).write(0, machines(4, 4).nodes[-1]))
    assert sum(drives.values()) == pytest.approx(13 / 12)


# stripes and small objects


@pytest.mark.parametrize(
    ("release", "stripe", "inline"),
    [("2019-07-24", 10 * MIB, 0.0), ("2021-03-10", MIB, 0.0), ("2021-04-18", MIB, MIB / 8), (CURRENT, MIB, MIB / 8)],
)
def test_stripe_and_small_objects_follow_the_release(release: str, stripe: float, inline: float) -> None:
    minio = spec(release=release)
    assert (minio.stripe_bytes, minio.inline_bytes) == (stripe, inline)


def test_stripe_and_small_objects_can_be_stated() -> None:
    minio = spec(release=CURRENT, stripe=4 * MIB, inline_size=0.0)
    assert (minio.stripe_bytes, minio.inline_bytes) == (4 * MIB, 0.0)


@pytest.mark.parametrize("parity", [0, 1])
def test_fewer_than_two_parity_shards_are_taken_since_june_2022(parity: int) -> None:
    Code(8, parity, rules_of("2022-06-30")).check()
    before = (
        r"parity = \d: MinIO takes 2 parity shards at the least before RELEASE\.2022-06-30.*raise it or state a later"
    )
    with pytest.raises(RefusalError, match=before):
        Code(8, parity, rules_of("2022-06-29")).check()


def test_without_parity_a_byte_takes_a_byte_and_no_drive_may_fail() -> None:
    made = spec(parity=0, release=CURRENT)
    machines_ = cluster(storage=(16, server(drives=8)))
    assert made.raw_per_byte(machines_) == 1
    assert made.redundancy(machines_).parity == 0
    assert {kind.reading for kind in made.placement(machines_).kinds} == {0}
    with pytest.raises(ValidationError, match="data is lost beyond 0 drives of a set"):
        spec(parity=0, release=CURRENT, failed_drives=1)
