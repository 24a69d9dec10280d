"""Times of logs, so many seconds after a start."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def clf(seconds: float) -> str:
    """Return a time so many seconds after a start, as web servers write it."""
    return (datetime(2026, 11, 2, 10, tzinfo=UTC) + timedelta(seconds=seconds)).strftime("%d/%b/%Y:%H:%M:%S +0000")


def rfc3339(seconds: float) -> str:
    """Return a time so many seconds after a start, as Go writes it."""
    return (datetime(2026, 11, 2, 10, tzinfo=UTC) + timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")
