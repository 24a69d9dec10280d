"""Days in what programs print and in names of files: 2026-11-02, 20261102, or `Mon Nov 02 10:00:00 UTC 2026`."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_ISO = re.compile(r"(?<!\d)(20\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)")
_UNIX = re.compile(rf"\b({'|'.join(MONTHS)}) +(\d\d?) \d\d:\d\d:\d\d \S+ (20\d\d)\b")


def day_in(text: str) -> date | None:
    """Return the first day that a text tells, None where it tells none."""
    if match := _UNIX.search(text):
        return _day(int(match[3]), MONTHS.index(match[1]) + 1, int(match[2]))
    if match := _ISO.search(text):
        return _day(int(match[1]), int(match[2]), int(match[3]))
    return None


def day_at(seconds: float) -> date:
    """Return the day (UTC) of a time in seconds since 1970.

    Raises:
        ValueError: nothing was measured then.
    """
    try:
        day = datetime.fromtimestamp(seconds, UTC).date()
    except (OSError, OverflowError):
        raise ValueError(f"a time of {seconds:g} s since 1970") from None
    if not 1970 <= day.year < 2100:
        raise ValueError(f"a time in the year {day.year}")
    return day


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
