"""Inputs that are not known exactly: a range or a distribution in place of a value.

    180 MB/s..220 MB/s             anything between, equally likely
    180 MB/s..205 MB/s..220 MB/s   most likely the middle one, never beyond the ends (triangular)
    205 MB/s +- 5 %                normal, with that standard deviation; also "205 MB/s +- 10 MB/s"

Numbers without a unit take that of the others. Whole numbers without a unit stay whole: 8..16 servers.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Literal

from models import units
from models.problem import RefusalError, refusal

EXPECTED = "expected a range such as '180 MB/s..220 MB/s', '8..12..16' or '205 MB/s +- 5 %'"
_NUMBER = re.compile(r"([+-]?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2}(?!\d))?)\s*(.*)", re.DOTALL)
TAIL = 0.05
"""Chance beyond each end of what is called low and high. Assumption: the usual 90 % band."""


@dataclass(frozen=True, slots=True)
class Input:
    """One uncertain input: its key, and the ends and the middle of its distribution as multiples of `unit`.

    Of a normal distribution `middle` is the mean, and `low` and `high` lie one standard deviation from it.
    """

    key: str
    kind: Literal["even", "triangular", "normal"]
    low: float
    middle: float
    high: float
    unit: str
    is_whole: bool

    def quantile(self, share: float) -> str:
        """Return as text the value that a `share` (0 to 1, ends left out) of all lies below."""
        if self.kind == "normal":
            return self.text(NormalDist(self.middle, self.high - self.middle).inv_cdf(share))
        if self.kind == "even":
            return self.text(self.low + share * (self.high - self.low))
        width, rise = self.high - self.low, self.middle - self.low
        if share * width < rise:
            return self.text(self.low + math.sqrt(share * width * rise))
        return self.text(self.high - math.sqrt((1 - share) * width * (self.high - self.middle)))

    def text(self, value: float) -> str:
        """Return a value as a profile would state it."""
        number = f"{round(value)}" if self.is_whole else f"{value:.9g}"
        return f"{number} {self.unit}" if self.unit else number

    @property
    def typical(self) -> str:
        """The middle as text."""
        return self.text(self.middle)

    @property
    def ends(self) -> tuple[str, str]:
        """The values below and above which lie 5 % of all, as texts."""
        return self.quantile(TAIL), self.quantile(1 - TAIL)


def uncertain(key: str, text: str) -> Input:
    """Return the input that a text states.

    Raises:
        RefusalError: it states none, or one whose ends are not in order.
    """
    if "+-" in text or "±" in text:
        return _normal(key, text)
    parts = [part.strip() for part in text.split("..")]
    if len(parts) not in (2, 3):
        raise refusal("", EXPECTED, value=text)
    unit, numbers = _numbers(parts, text)
    low, high = numbers[0], numbers[-1]
    if not (sorted(numbers) == numbers and low < high):
        raise refusal("", "a range goes from its low to its high end", value=text)
    is_whole = not unit and all(re.fullmatch(r"\d+", part) for part in parts)
    if len(numbers) == 2:
        return Input(key, "even", low, (low + high) / 2, high, unit, is_whole)
    return Input(key, "triangular", low, numbers[1], high, unit, is_whole)


def _normal(key: str, text: str) -> Input:
    value, _, spread = (part.strip() for part in text.replace("±", "+-").partition("+-"))
    match = _NUMBER.fullmatch(spread)
    if match and match[2] == "%":
        unit, (middle,) = _numbers([value], text)
        deviation = abs(middle) * float(match[1]) / 100
    else:
        unit, (middle, deviation) = _numbers([value, spread], text)
    if not deviation > 0:
        raise refusal("", "a spread is above 0", value=text)
    return Input(key, "normal", middle - deviation, middle, middle + deviation, unit, is_whole=False)


def _numbers(parts: list[str], text: str) -> tuple[str, list[float]]:
    """Return the first unit that is stated, and all numbers in it."""
    matches = [_NUMBER.fullmatch(part) for part in parts]
    if not all(matches):
        raise refusal("", EXPECTED, value=text)
    pairs = [(match[1], match[2].strip()) for match in matches if match]
    unit = next((name for _, name in pairs if name), "")
    try:
        return unit, [float(Fraction(number) * _scale(name or unit, unit)) for number, name in pairs]
    except RefusalError as error:
        raise refusal("", str(error), value=text) from None


def _scale(name: str, unit: str) -> Fraction:
    """Return how many of `unit` one of `name` is."""
    if not unit:
        return Fraction(1)
    if units.unit(name).dimension != units.unit(unit).dimension:
        raise refusal("", f"'{name}' and '{unit}' measure different things")
    return units.unit(name).scale / units.unit(unit).scale
