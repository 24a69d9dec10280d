"""Credits by which a resource gives more for a while than it does in the long run."""

from __future__ import annotations

from models.values import value


@value()
class Bucket:
    """Credits for what a resource gives beyond its `baseline` (units a second): `size` units of them, at the start too.

    What is not taken of the baseline fills the bucket again; without credits a resource has its baseline.
    """

    baseline: float
    size: float
