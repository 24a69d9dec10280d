"""A target: a measure, a comparison, and the value to meet: "duration <= 900 s", "usable >= 2 PB".

"survives_reading 1 rack" and "survives_writing 1 rack" stand for so many parts that may fail, whichever they are, while
all data can be read, and while new data can be written, too. Measures are named as in comparisons, in small letters
with underscores; what a run measures besides may be named so, too ("GET latency p99" is get_latency_p99). A cost names
its years: "cost over 3 years <= 1500000 USD". Values carry units as in profiles; nines and counts have none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from models import units
from models.problem import did_you_mean, refusal
from models.values import value

EXPECTED = "expected a target such as 'duration <= 900 s', 'usable >= 2 PB' or 'survives_writing 1 rack'"
SURVIVES = (
    "'survives' is two measures: survives_reading, after which all data can still be read, and survives_writing, after"
    " which new data can be written, too; write one of them"
)
_COMPARED = re.compile(r"<=|>=|<|>")
_SURVIVES = re.compile(r"(survives_\w+)\s+(\d{1,9})\s+(drive|server|node|rack)s?")
_NEITHER = re.compile(r"\s*survives(?!_reading|_writing)\b.*|\s*survives_(drives|servers|racks)\b.*")
_SURVIVED = re.compile(r"survives_(reading|writing)_(drives|servers|racks)")
_USES = {"reading": "read", "writing": "written"}
SENSES = {"<=": "at most", ">=": "at least"}
SIDES = {"<=": "above", ">=": "short of"}
USUAL, MOST = 4, 15
"""Digits of a value in words: as people read it, and all that it has."""
_KINDS = {"drive": "drives", "server": "servers", "node": "servers", "rack": "racks"}


@value()
class Target:
    """What a measure has to meet; `limit` is the value as it was written."""

    measure: str
    sense: Literal["<=", ">="]
    limit: str

    def __str__(self) -> str:
        return f"{self.measure} {self.sense} {self.limit}"

    @property
    def words(self) -> str:
        """What is asked for as people say it: "duration at most 3 h", "data is read with any 2 servers down"."""
        if match := _SURVIVED.fullmatch(self.measure):
            return f"data is {_USES[match[1]]} with {_counted(self.limit, match[2])} down"
        return f"{spelled(self.measure)} {SENSES[self.sense]} {units.reworded(self.limit)}"

    def missed(self, value: float, unit: str, at_least: str = "") -> str:
        """Return in words by how much a value in the measure's unit misses: "takes 61.4 s, 1.4 s longer than 1 min".

        `at_least` is why it may be even longer, where it is only known to be at least that.

        Raises:
            RefusalError: the limit is in another unit.
        """
        told = self.told(value, unit)
        if match := _SURVIVED.fullmatch(self.measure):
            return f"data is {_USES[match[1]]} with {_counted(told, match[2])} down, not with {self.limit}"
        name = spelled(self.measure)
        if unit == "s" and self.measure.endswith("duration"):
            name = " ".join([*name.split()[:-1], "takes"])
        told = f"at least {told} ({at_least})" if at_least else told
        if not math.isfinite(value):
            return f"{name} {told}, not {SENSES[self.sense]} {units.reworded(self.limit)}"
        off = abs(value - self.value(unit))
        by = units.format_duration(off) if unit == "s" and value >= 1 else worded(off, unit)
        return f"{name} {told}, {by} {self.side(unit)} {units.reworded(self.limit)}"

    def side(self, unit: str) -> str:
        """Return in words on which side of its limit a value lies that misses it."""
        return "longer than" if unit == "s" and self.sense == "<=" else SIDES[self.sense]

    def told(self, value: float, unit: str) -> str:
        """Return a value in words, with as many digits as tell it from the limit: "1 h 30 min 0.4 s".

        Raises:
            RefusalError: the limit is in another unit.
        """
        return worded(value, unit, abs(value - self.value(unit)))

    def value(self, unit: str) -> float:
        """Return the limit in the unit of the measure, which an amount of money need not repeat.

        Raises:
            RefusalError: it is in another.
        """
        is_bare = unit in units.CURRENCIES and units.is_number(self.limit)
        return units.parse(f"{self.limit} {unit}" if is_bare else self.limit, unit)

    def is_met(self, value: float, unit: str) -> bool:
        """Tell whether a value in the measure's unit meets the target."""
        limit = self.value(unit)
        return value <= limit if self.sense == "<=" else value >= limit


def target(text: str) -> Target:
    """Return the target that a text states.

    Raises:
        RefusalError: it states none.
    """
    if _NEITHER.fullmatch(text):
        raise refusal("", SURVIVES, value=text)
    if match := _SURVIVES.fullmatch(text.strip()):
        return Target(f"{match[1]}_{_KINDS[match[3]]}", ">=", match[2])
    match = _COMPARED.search(text)
    measure, limit = (text[: match.start()].strip(), text[match.end() :].strip()) if match else ("", "")
    if match is None or not measure or not limit:
        raise refusal("", EXPECTED, value=text)
    sense = match[0]
    if sense not in ("<=", ">="):
        raise refusal("", f"{EXPECTED}: write {sense}= for {sense}", value=text)
    if plain(measure) == "cost":
        raise refusal("", f"cost: state the years that it covers, such as 'cost over 3 years {sense} {limit}'")
    nines = limit.removesuffix("nines")
    is_in_nines = nines != limit and nines[-1:].isspace()
    return Target(plain(measure), "<=" if sense == "<=" else ">=", nines.rstrip() if is_in_nines else limit)


@lru_cache(maxsize=1024)  # a plan asks for the same hundred names thousands of times
def plain(measure: str) -> str:
    """Return the name of a measure as targets write it."""
    return re.sub(r"[^a-z0-9]+", "_", measure.lower()).strip("_")


def spelled(measure: str) -> str:
    """Return the name of a measure as people read it.

    >>> spelled("cost_over_0_5_years")
    'cost over 0.5 years'
    """
    return re.sub(r"(?<=\d)_(?=\d)", ".", measure).replace("_", " ")


def worded(value: float, unit: str, visible: float = math.inf) -> str:
    """Return a value of a measure as people read it, with as many digits as show a difference of `visible`.

    >>> worded(5400.4, "s"), worded(5400.4, "s", 0.4), worded(599.9999e12, "B", 1e8)
    ('1 h 30 min', '1 h 30 min 0.4 s', '599.9999 TB')
    """
    if not value or not visible or not math.isfinite(value + visible):
        return _usual(value, unit)
    size, least = (math.floor(math.log10(abs(one))) for one in (value, visible))
    if unit == "s" and value >= units.MINUTE:
        return units.format_duration_apart(value, visible)
    if (digits := min(size - least + 2, MOST)) <= USUAL:
        return _usual(value, unit)
    if unit in units.CURRENCIES or unit == units.PER_SECOND:
        name = unit if unit in units.CURRENCIES else "a second"
        return f"{value:,.{max(1 - least, 0)}f} {name}" if least < 1 else units.worded(value, unit)
    return units.format(value, unit, digits)


def _usual(value: float, unit: str) -> str:
    """Return a value as people read it; objectives of latencies are written in ms."""
    if unit != "s":
        return units.worded(value, unit)
    return units.format(value, "s", 3) if 0 < value < 1 else units.format_duration(value)


def _counted(number: str, parts: str) -> str:
    """Return so many parts, whichever they are: "any 2 servers", "any 1 rack", "no racks"."""
    if number == "0":
        return f"no {parts}"
    return f"any {number} {parts if number != '1' else parts.removesuffix('s')}"


def unknown(name: str, known: Iterable[str]) -> str:
    """Return what to say of a measure that is not there."""
    if _NEITHER.fullmatch(name):
        return SURVIVES
    names = sorted({plain(key) for key in known})
    near = did_you_mean(name, names)
    return f"there is no measure '{name}'{near}{' There' if near else '; there'} are {', '.join(names)}"
