"""What a cloud gives for a while and what for ever: bursts on credits, of cards and of links to volumes."""

from __future__ import annotations

from models.bucket import Bucket
from models.problem import refusal
from models.units import format


def check_burst(baseline: float | None, burst: float) -> None:
    """Refuse a baseline (B/s) above the burst.

    Raises:
        RefusalError: it is.
    """
    if baseline is not None and baseline > burst:
        most = f"a baseline is at most the burst, {format(burst, 'B/s')}"
        raise refusal("baseline", most, value=format(baseline, "B/s"))


def bucket(burst: float, baseline: float | None, seconds: float) -> Bucket | None:
    """Return the credits that carry so many seconds of a burst (B/s), None for what has no burst."""
    if baseline is None or baseline == burst:
        return None
    return Bucket(baseline, seconds * (burst - baseline))


def mean_rate(burst: float, credits: Bucket | None, seconds: float) -> float:
    """Return what is carried (B/s) over so many seconds that begin with all credits."""
    if credits is None or seconds <= credits.size / (burst - credits.baseline):
        return burst
    return credits.baseline + credits.size / seconds
