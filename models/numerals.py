"""Numbers as text: their shortest digits, so many of them, and as they are written elsewhere."""

from __future__ import annotations

import math
import re
from decimal import Decimal

_BETWEEN_THOUSANDS = re.compile(r"(?<=\d)[ '_\u2019\u00a0\u202f](?=\d{3}(?!\d))")
_DECIMAL_COMMA = re.compile(r"^([+-]?\d+),(\d{1,2}|\d{4,})(?!\d)")  # three digits may be thousands


def plain(value: float) -> str:
    """Return the shortest digits that are this value, without an exponent where it has a usual size."""
    is_usual = not value or 1e-6 <= abs(value) < 1e16
    text = f"{Decimal(repr(value)):f}" if is_usual else f"{value!r}"
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def digits(value: float, significant: int) -> str:
    """Return a number with so many significant digits, without trailing zeros."""
    if not value or not math.isfinite(value):
        return f"{value:g}"
    decimals = max(0, significant - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def as_here(text: str) -> str:
    """Return a quantity that begins with a number of another country as it is written here.

    >>> as_here("1,5 TB"), as_here("1 000 GB")
    ('1.5 TB', '1000 GB')
    """
    return _DECIMAL_COMMA.sub(r"\1.\2", _BETWEEN_THOUSANDS.sub("", text))
