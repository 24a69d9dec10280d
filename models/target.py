"""A target: a measure, a comparison, and the value to meet: "duration <= 900 s", "usable >= 2 PB".

"survives_reading 1 rack" and "survives_writing 1 rack" stand for so many parts that may fail, whichever they are, while
all data can be read, and while new data can be written, too. Measures are named as in comparisons, in small letters
with underscores; what a run measures besides may be named so, too ("GET latency p99" is get_latency_p99). A cost names
its years: "cost over 3 years <= 1500000 USD". Values carry units as in profiles; nines and counts have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from models import units
from models.problem import did_you_mean, refusal

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
_KINDS = {"drive": "drives", "server": "servers", "node": "servers", "rack": "racks"}


@dataclass(frozen=True, slots=True)
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
            parts = match[2] if self.limit != "1" else match[2].removesuffix("s")
            return f"data is {_USES[match[1]]} with any {self.limit} {parts} down"
        return f"{spelled(self.measure)} {SENSES[self.sense]} {units.reworded(self.limit)}"

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


def plain(measure: str) -> str:
    """Return the name of a measure as targets write it."""
    return re.sub(r"[^a-z0-9]+", "_", measure.lower()).strip("_")


def spelled(measure: str) -> str:
    """Return the name of a measure as people read it.

    >>> spelled("cost_over_0_5_years")
    'cost over 0.5 years'
    """
    return re.sub(r"(?<=\d)_(?=\d)", ".", measure).replace("_", " ")


def unknown(name: str, known: Iterable[str]) -> str:
    """Return what to say of a measure that is not there."""
    if _NEITHER.fullmatch(name):
        return SURVIVES
    names = sorted({plain(key) for key in known})
    near = did_you_mean(name, names)
    return f"there is no measure '{name}'{near}{' There' if near else '; there'} are {', '.join(names)}"
