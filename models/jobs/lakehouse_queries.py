"""How a suite is shared among its queries: some are a hundred times as heavy as others.

A query lasts as long as the slowest of what it needs for itself, and what its tasks cannot keep depends on what it
hands on itself. So a suite of unequal queries lasts longer than one of equal queries that needs as much in all: the sum
of the slowest of each is more than the slowest of the sums, unless all queries are slowed by the same.

The shares are as they were measured, one for one; no distribution is fitted to them. Assumption: they are the same at
each scale and on each engine.
"""

from __future__ import annotations

from collections.abc import Sequence

from models.problem import refusal
from models.quantity import LARGEST, Model, setting
from models.values import value


class Share(Model):
    """What one query needs, in any unit: a number counts over the sum of its like over all shares of the suite."""

    wanted: float = setting(
        "Bytes of columns that it needs, beside those of the others.", default=1.0, ge=0, le=LARGEST
    )
    work: float = setting("CPU time that it takes, beside that of the others.", default=1.0, ge=0, le=LARGEST)
    handed_on: float = setting(
        "Bytes that its tasks hand on, beside those of the others.", default=1.0, ge=0, le=LARGEST
    )


@value()
class Part:
    """Queries of a suite that are alike: how many, and the part that they have of all that the suite needs.

    `wanted` is the part of the bytes that are read and decoded, `work` that of the CPU time after reading, and
    `handed_on` that of the bytes of exchanges.
    """

    queries: float
    wanted: float = 1.0
    work: float = 1.0
    handed_on: float = 1.0


def parts(queries: int, shares: Sequence[Share]) -> tuple[Part, ...]:
    """Return so many queries by their shares, each of which stands for as many of them; without shares all are alike.

    Raises:
        RefusalError: no share has any of what is shared.
    """
    if not shares:
        return (Part(queries),)
    sums = {key: sum(getattr(share, key) for share in shares) for key in Share.model_fields}
    for key, total in sums.items():
        if total == 0:
            raise refusal("workload.shares", f"no query has any {key}", f"leave {key} out where it is not known")
    return tuple(
        Part(queries / len(shares), **{key: getattr(share, key) / total for key, total in sums.items()})
        for share in shares
    )
