"""What MinIO does by release: the sizes of sets, the default parity, quorums, stripes and small objects.

An object in a set of n = k + m drives is read with any k of them. A write needs k, one more where k = m, so that two
halves of a set cannot both go on; releases before June 2020 always asked for one more. Since May 2021 each drive of the
set that is offline when an object is written raises the parity of this object by one, up to n/2.

Source: minio/minio at the release tags below, `cmd/endpoint-ellipses.go` (setSizes, possibleSetCountsWithSymmetry,
commonSetDriveCount), `cmd/erasure-object.go` (putObject), `cmd/object-api-common.go` (blockSizeV1, blockSizeV2),
`internal/config/storageclass/storage-class.go` (DefaultParityBlocks, ShouldInline), `cmd/xl-storage.go`
(bigFileThreshold), pull requests #15171 (allow parity '0', '1'), #14084 (Add Put input readahead) and #19605
(Add PutObject Ring Buffer); before May 2020 `cmd/xl-v1-object.go` and `cmd/storage-class.go`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Protocol, TypeVar

from models.problem import refusal
from models.values import value

MIB = 1048576.0
CURRENT = "RELEASE.2025-10-15T17-29-55Z"
"""The newest release whose source was read."""


@value(kw_only=True, eq=False)
class Rules:
    """What holds from the release `since` on.

    `default_parity` maps the drives of a set to parity shards, `least_parity` are the fewest that may be stated.
    `is_symmetric`: a set takes as many drives of each
    server. `has_lone_drive`: one drive is a set of its own, without parity. `writes_past_data`: a write needs a drive
    more than data shards even where there are more of them than of parity. `raises_parity`: objects written while
    drives are offline get more of it. `stripe` are the bytes that are coded together, and shards of up to
    `inline_shard` bytes lie within the metadata. A drive makes `metadata_writes` one after the other until an object is
    noted: the metadata, and where that is synced the journal. Of an upload, or a part of one, of more than `big_upload`
    bytes `stripes_ahead` are received and hashed while others are coded, and `shard_ring` bytes for each drive wait in
    memory, beside what its connection holds.
    """

    since: str
    set_sizes: tuple[int, ...]
    default_parity: Mapping[int, int]
    least_parity: int = 2
    is_symmetric: bool = False
    has_lone_drive: bool = False
    writes_past_data: bool = True
    raises_parity: bool = False
    stripe: float = 10 * MIB
    inline_shard: float = 0.0
    metadata_writes: float = 1.0
    big_upload: float = 128 * MIB
    stripes_ahead: int = 0
    shard_ring: float = 0.0

    def set_size(self, servers: int, drives: int, wanted: int | None = None) -> int:
        """Return the drives a set when the `drives` of equal `servers` are cut into equal sets: the largest that fits.

        A `wanted` size has to divide the drives; whether it suits the servers is left to who asks for it.

        Raises:
            RefusalError: no allowed size fits.
        """
        fitting = [size for size in self.sizes(drives) if drives % size == 0]
        if wanted is not None:
            if wanted not in fitting:
                raise refusal("set_size", f"does not divide {drives} drives", WAY_OUT, value=wanted)
            return wanted
        even = [size for size in fitting if not self.is_symmetric or size % servers == 0 or servers % size == 0]
        if not even:
            spread = f" evenly over {servers} servers" if fitting else ""
            raise refusal("set_size", f"none of {self.listed_sizes()} divides {drives} drives{spread}", WAY_OUT)
        return max(even)

    def sizes(self, drives: int) -> tuple[int, ...]:
        """Return the sizes that sets of so many drives may have."""
        return (1,) if drives == 1 and self.has_lone_drive else self.set_sizes

    def listed_sizes(self) -> str:
        """Return the allowed sizes of sets in words."""
        return ", ".join(map(str, self.set_sizes[:-1])) + f" or {self.set_sizes[-1]}"


WAY_OUT = "change the servers or the drives of each"

_FIRST = Rules(
    since="RELEASE.2019-07-05T21-20-21Z",
    set_sizes=(4, 6, 8, 10, 12, 14, 16),
    default_parity={size: size // 2 for size in range(4, 17)},
)
_ANY_SIZE = replace(_FIRST, since="RELEASE.2020-04-02T21-34-49Z", set_sizes=tuple(range(4, 17)))
_SYMMETRIC = replace(_ANY_SIZE, since="RELEASE.2020-04-28T23-56-56Z", is_symmetric=True)
_QUORUM = replace(_SYMMETRIC, since="RELEASE.2020-06-12T00-06-19Z", writes_past_data=False)
_SYNCED = replace(_QUORUM, since="RELEASE.2020-07-02T00-15-09Z", metadata_writes=2.0)
_PARITY = replace(
    _SYNCED,
    since="RELEASE.2021-01-30T00-20-58Z",
    default_parity={2: 1, 3: 1, 4: 2, 5: 2, 6: 3, 7: 3} | dict.fromkeys(range(8, 17), 4),
)
_STRIPE = replace(_PARITY, since="RELEASE.2021-03-10T05-11-33Z", stripe=MIB)
_INLINE = replace(_STRIPE, since="RELEASE.2021-04-18T19-26-29Z", inline_shard=MIB / 8)
_RAISED = replace(_INLINE, since="RELEASE.2021-05-27T22-06-31Z", raises_parity=True)
_AHEAD = replace(_RAISED, since="RELEASE.2022-01-25T19-56-04Z", stripes_ahead=2)
_SMALL_SETS = replace(
    _AHEAD,
    since="RELEASE.2022-06-30T20-58-09Z",
    set_sizes=tuple(range(2, 17)),
    has_lone_drive=True,
    least_parity=0,
    default_parity={1: 0} | dict(_PARITY.default_parity),
)
_RING = replace(_SMALL_SETS, since="RELEASE.2024-05-27T19-17-46Z", shard_ring=2 * MIB)

ERAS = (_FIRST, _ANY_SIZE, _SYMMETRIC, _QUORUM, _SYNCED, _PARITY, _STRIPE, _INLINE, _RAISED, _AHEAD, _SMALL_SETS, _RING)
"""The rules, each with the first release that has them, the oldest first."""

_RELEASE = re.compile(r"(?:RELEASE\.)?(\d{4}-\d\d-\d\d)(?:T\d\d-\d\d-\d\dZ)?")


@lru_cache
def rules_of(release: str) -> Rules:
    """Return the rules of a release, given by its tag or its day.

    Raises:
        RefusalError: it names no release, or one before the oldest whose rules are known.
    """
    return since(release, ERAS)


class Era(Protocol):
    """What holds from a release on."""

    @property
    def since(self) -> str:
        """The tag of the first release that has it."""
        ...


E = TypeVar("E", bound=Era)


def since(release: str, eras: Sequence[E]) -> E:
    """Return which of some eras, the oldest first, a release belongs to.

    Raises:
        RefusalError: it names no release, or one before the oldest.
    """
    match, first = _RELEASE.fullmatch(release), _day(eras[0].since)
    if match is None or match[1] < first:
        raise refusal(
            "release",
            f"expected the tag of a MinIO release, such as {CURRENT!r}, or its day, from {first} on",
            value=release,
        )
    return [era for era in eras if _day(era.since) <= match[1]][-1]


def _day(tag: str) -> str:
    return tag.removeprefix("RELEASE.")[:10]


@value()
class Code:
    """How objects are coded on the drives of a set: `drives` shards a stripe, of which `parity` may be missing."""

    drives: int
    parity: int
    rules: Rules

    @property
    def data(self) -> int:
        """Data shards a stripe, with as many of any shards an object is read."""
        return self.drives - self.parity

    @property
    def write_quorum(self) -> int:
        """Drives of the set that an object has to be written to."""
        return self.data + (self.rules.writes_past_data or self.data == self.parity)

    def at_write(self, offline: int) -> Code:
        """Return the code of an object that is written while so many drives of the set are offline."""
        if not self.rules.raises_parity:
            return self
        return replace(self, parity=min(self.parity + offline, self.drives // 2))

    def takes_writes(self, offline: int) -> bool:
        """Tell whether objects can be written while so many drives of the set are offline."""
        return self.drives - offline >= self.at_write(offline).write_quorum

    def check(self) -> None:
        """Refuse a set that the drives or the parity cannot form.

        Raises:
            RefusalError: the size is not allowed, or the parity is more than half of the set.
        """
        if self.drives not in self.rules.sizes(self.drives):
            raise refusal("set_size", f"a set has {self.rules.listed_sizes()} drives", value=self.drives)
        if self.drives > 1 and self.parity < self.rules.least_parity:
            allowed = f"MinIO takes {self.rules.least_parity} parity shards at the least before {_SMALL_SETS.since}"
            raise refusal("parity", allowed, "raise it or state a later release", value=self.parity)
        if self.parity > self.drives // 2:
            most = self.drives // 2
            raise refusal(
                "parity", f"a set of {self.drives} drives has room for at most {most} parity shards", value=self.parity
            )
