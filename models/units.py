"""Quantities as text: the only place where "25 Gbit/s" becomes 3.125e9 and back.

A unit is atoms joined by "-" (times) and "/" (per; all that follows is divided by): "B/s", "USD/GB-month", "ns/B".
A value is held in the unit its field declares, as a plain float; fields declare SI units (bytes, seconds, bytes per
second), so the engine sees SI only. Scales are exact fractions: "205 MB/s" is 2.05e8 to the last bit.

Strict on purpose: case matters (MB is not Mb), b and bit are bits, B is bytes, k is 1000 and Ki 1024, and a number
without a unit is refused wherever a unit is due. Short bits are for rates: "500 Gb" is no size, too like "500 GB".
Commas are for thousands: "1,500,000 USD", never "1,5 TB". Money keeps its currency; an exchange rate is no unit. A
prefix of money stands before the currency: "1.5 M USD".
"""

from __future__ import annotations

import difflib
import math
import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from functools import cache, lru_cache
from typing import NamedTuple

from models.numerals import as_here, digits, plain
from models.problem import RefusalError, refusal, shortened

_DIGITS = r"[+-]?(?:\d{1,3}(?:,\d{3}){1,13}|\d{1,40})(?:\.\d{1,40})?"  # 1500000, or 1,500,000 as we print it
_NUMBER = re.compile(rf"({_DIGITS}(?:[eE][+-]?\d{{1,2}})?)\s*(.*)", re.DOTALL)
_LONGEST = 200  # Assumption: characters of a quantity; two numbers of forty digits and a unit have half of it
CURRENCIES = ("CHF", "EUR", "GBP", "JPY", "USD")
PER_SECOND = "1/s"
GROUPED = 100
"""Size from which money, and what comes in a second, is written without decimals."""
_DECIMAL = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15, "E": 10**18}
_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50, "Ei": 2**60}
MINUTE = 60
_HOUR = 3600
_DAY = 24 * _HOUR
_YEAR = 365 * _DAY  # Assumption: 8760 h, the year in which failure rates and prices are quoted.


class Unit(NamedTuple):
    """A unit as a multiple of its base unit, and what it measures: ("B", 1), ("s", -1) for a rate."""

    scale: Fraction
    dimension: tuple[tuple[str, int], ...]


def _split(text: str) -> re.Match[str] | None:
    """Return the number and the unit of a text as groups 1 and 2, None where it is no quantity."""
    return _NUMBER.fullmatch(text.strip()) if len(text) <= _LONGEST else None


def _unit(scale: Fraction | int, **powers: int) -> Unit:
    return Unit(Fraction(scale), tuple(sorted(powers.items())))


def _atoms() -> dict[str, Unit]:
    """Return every unit that is written without "/" or "-"."""
    table = {prefix + "B": _unit(scale, B=1) for prefix, scale in (_DECIMAL | _BINARY).items()}
    for prefix, scale in (_DECIMAL | _BINARY).items():
        table[prefix + "bit"] = _unit(Fraction(scale, 8), B=1)
    for prefix, scale in _DECIMAL.items():
        table[prefix + "b"] = _unit(Fraction(scale, 8), B=1)
        table[prefix + "bps"] = _unit(Fraction(scale, 8), B=1, s=-1)
    for prefix in ("", "k", "M", "G"):
        table[prefix + "Hz"] = _unit(_DECIMAL[prefix], cycle=1, s=-1)
        table[prefix + "W"] = _unit(_DECIMAL[prefix], J=1, s=-1)
        table[prefix + "g"] = _unit(_DECIMAL[prefix], g=1)
        table[prefix + "Wh"] = _unit(_DECIMAL[prefix] * _HOUR, J=1)
    for name, seconds in _TIMES.items():
        table[name] = _unit(seconds, s=1)
    for currency in CURRENCIES:
        for prefix in ("", "k ", "M ", "G "):
            table[prefix + currency] = _unit(_DECIMAL[prefix.strip()], **{currency: 1})
    return table | {
        "J": _unit(1, J=1),
        "t": _unit(10**6, g=1),
        "rpm": _unit(Fraction(1, 60), revolution=1, s=-1),
        "IOPS": _unit(1, s=-1),
        "%": _unit(Fraction(1, 100)),
    }


_TIMES = {
    "ns": Fraction(1, 10**9),
    "us": Fraction(1, 10**6),
    "µs": Fraction(1, 10**6),  # the micro sign, U+00B5
    "μs": Fraction(1, 10**6),  # the Greek letter, U+03BC
    "ms": Fraction(1, 10**3),
    "s": Fraction(1),
    "min": Fraction(60),
    "h": Fraction(_HOUR),
    "d": Fraction(_DAY),
    "month": Fraction(_YEAR, 12),  # 730 h, the month of the cloud price lists
    "y": Fraction(_YEAR),
}
HOUR, DAY, MONTH, YEAR = (float(_TIMES[name]) for name in ("h", "d", "month", "y"))
_LENGTHS = ((_DAY, "d", 3600.0), (_HOUR, "h", 60.0), (MINUTE, "min", 1.0))
"""Units of a time in words: seconds, name, and to what a time that has them is rounded (s)."""
_CLEARLY = 4
"""Steps of what is rounded that a difference has to have to be read. Assumption: with fewer a reader wonders."""
_ATOMS = _atoms()

_EXPECTED = {
    "1": ("a number or a percentage", ("0.3", "30 %")),
    "B": ("a size", ("64 MiB", "2 TB")),
    "B/s": ("a rate", ("205 MB/s", "25 Gbit/s")),
    "s": ("a time", ("8 ms", "15 min")),
    "1/s": ("a number per second", ("3000 IOPS", "150 1/s")),
    "Hz": ("a clock rate", ("2.3 GHz",)),
    "rpm": ("a rotation speed", ("7200 rpm",)),
    "W": ("a power", ("350 W", "1.2 kW")),
    "J": ("an energy", ("1.5 kWh",)),
    "g": ("a mass", ("40 t", "900 kg")),
    "kg": ("a mass", ("40 t", "900 kg")),
    "EUR": ("an amount in EUR", ("1200 EUR",)),
    "USD": ("an amount in USD", ("1200 USD",)),
}
_ALIKE = 0.7
"""Part of the letters that a unit shares with what was mistyped, at least: 'XB' is not nearly 'B'."""
_WORDS = {"sec": "s", "second": "s", "minute": "min", "hour": "h", "day": "d", "year": "y", "yr": "y", "msec": "ms"}
_WORDS |= {"usec": "us", "byte": "B", "percent": "%", "io/s": "IOPS", "ops/s": "1/s", "$": "USD", "€": "EUR"}
_USUAL = (
    ("B", "kB", "MB", "GB", "TB", "PB", "KiB", "MiB", "GiB", "TiB"),
    ("kB/s", "MB/s", "GB/s", "MiB/s", "GiB/s", "Mbit/s", "Gbit/s"),
    ("ns", "us", "ms", "s", "min", "h", "d", "y"),
    ("ns/B", "us/B", "s/GB", "s/TB"),
    ("1/s", "1/min", "1/h", "1/d", "1/y"),
    ("MHz", "GHz"),
    ("W", "kW"),
    ("kWh", "MWh"),
    ("g", "kg", "t"),
    ("1", "%"),
)
"""Units in which people write quantities of one kind."""
_SHOWN = {"B": ("", "k", "M", "G", "T", "P", "E"), "Hz": ("", "k", "M", "G"), "W": ("", "k", "M")}


@cache
def unit(text: str) -> Unit:
    """Return the unit that a text such as "GB/s" or "USD/GB-month" names; "/s" is "1/s".

    Raises:
        RefusalError: an atom is unknown.
    """
    scale, powers = Fraction(1), Counter[str]()
    for index, term in enumerate((f"1{text}" if text.startswith("/") else text).split("/")):
        for name in term.split("-"):
            atom = _unit(int(name)) if re.fullmatch(r"10{0,9}", name) else _ATOMS.get(name)
            if atom is None:
                raise refusal("", f"unknown unit {name!r}")
            sign = -1 if index else 1
            scale *= atom.scale**sign
            powers.update({base: sign * power for base, power in atom.dimension})
    return Unit(scale, tuple(sorted((base, power) for base, power in powers.items() if power)))


@lru_cache(maxsize=65536)  # a search reads the same texts for every option
def parse(text: str, dimension_unit: str) -> float:
    """Return the quantity that `text` states, as a multiple of `dimension_unit`.

    >>> parse("25 Gbit/s", "B/s")
    3125000000.0

    Raises:
        RefusalError: no number, no unit, an unknown unit, or a unit that measures something else.
    """
    wanted = unit(dimension_unit)
    match = _split(text)
    if match is None:
        raise refusal("", _complaint(text, dimension_unit) + _offer(_rewritten(text, dimension_unit)))
    number, name = match[1].replace(",", ""), match[2]
    if not name and wanted.dimension:
        raise refusal("", _complaint(text, dimension_unit) + ": the unit is missing")
    try:
        given = unit(name or "1")
    except RefusalError:
        near = _rewritten(text, dimension_unit) or _nearest(name, wanted)
        raise refusal("", _complaint(text, dimension_unit) + _offer(near)) from None
    if given.dimension != wanted.dimension:
        raise refusal("", _complaint(text, dimension_unit) + _other_dimension(number, name, wanted))
    if re.fullmatch("[kMGTPE]b", name):
        offer = _offer([f"{name[0]}B", f"{name}it"])
        raise refusal("", f"{_complaint(text, dimension_unit)}: '{name}' is bits{offer}")
    return float(Fraction(number) * given.scale / wanted.scale)


def convert(text: str, name: str) -> str:
    """Return the quantity that `text` states, in the unit `name`: the same value, where decimals can say it.

    >>> convert("100 MB/s", "Gbit/s")
    '0.8 Gbit/s'

    Raises:
        RefusalError: no number or no unit, or one that measures something else.
    """
    parse(text, name)
    match = _split(text)
    assert match is not None  # parse has read it
    value = Fraction(match[1].replace(",", "")) * unit(match[2] or "1").scale / unit(name).scale
    number = plain(float(value))
    return number if name == "1" else f"{number} {name}"


def is_number(text: str) -> bool:
    """Tell whether a text is a number without a unit."""
    match = _split(text)
    return match is not None and not match[2]


def measured_in(text: str) -> str | None:
    """Return the unit in which a quantity of its kind is held, "1" for a number; None where a text is no quantity.

    >>> measured_in("25 Gbit/s")
    'B/s'
    """
    for name in _EXPECTED:
        with suppress(RefusalError):
            parse(text, name)
            return name
    return None


def alternatives(text: str) -> tuple[str, ...]:
    """Return the units in which the quantity that `text` states may be written, its own among them.

    Empty where `text` states none, or a unit that has no usual alternatives.
    """
    match = _split(text)
    name = match[2] if match else ""
    try:
        dimension = unit(name or "1").dimension
    except RefusalError:
        return ()
    usual = next((names for names in _USUAL if unit(names[0]).dimension == dimension), ())
    return tuple(dict.fromkeys((*usual, name or "1"))) if usual and match else ()


def expected(dimension_unit: str) -> str:
    """Return what a value of this unit looks like: "a rate such as '205 MB/s' or '25 Gbit/s'"."""
    noun, examples = _EXPECTED.get(dimension_unit) or (f"a quantity in {dimension_unit}", (f"1.5 {dimension_unit}",))
    return f"{noun} such as {either(examples)}"


def example(dimension_unit: str) -> str:
    """Return one text that `parse` takes for this unit."""
    return _EXPECTED.get(dimension_unit, ("", (f"1.5 {dimension_unit}",)))[1][0]


def either(names: Iterable[str]) -> str:
    """Return names as alternatives: "'a', 'b' or 'c'"."""
    *first, last = [f"'{name}'" for name in names]
    return f"{', '.join(first)} or {last}" if first else last


def _complaint(text: str, dimension_unit: str) -> str:
    return f"expected {expected(dimension_unit)} (got '{shortened(text)}')"


def _offer(names: Iterable[str]) -> str:
    known = tuple(names)
    return f"; did you mean {either(known)}?" if known else ""


def _other_dimension(number: str, name: str, wanted: Unit) -> str:
    """Return what is wrong with a known unit of another dimension, and the way out if only "per second" is missing."""
    per_second = f"{_spelled(name)}/s"
    if unit(per_second).dimension == wanted.dimension:
        return _offer([f"{number} {per_second}"])
    noun = next((noun for key, (noun, _) in _EXPECTED.items() if unit(key).dimension == unit(name).dimension), None)
    return f": '{name}' is {noun}" if noun and name else f": '{name}' measures something else" if name else ""


def _spelled(name: str) -> str:
    """Return the unit in the spelling we print: bits as bit, bps as bit/s."""
    return re.sub(r"^([kMGTPE]?)b$", r"\1bit", re.sub(r"^([kMGTPE]?)b(ps|/s)$", r"\1bit/s", name))


def _rewritten(text: str, dimension_unit: str) -> list[str]:
    """Return a quantity as it is written here that has a comma for decimals or blanks between its thousands."""
    made = as_here(text.strip()) if len(text) <= _LONGEST else text.strip()
    with suppress(RefusalError):
        if made != text.strip():
            parse(made, dimension_unit)
            return [made]
    return []


def _nearest(name: str, wanted: Unit) -> list[str]:
    """Return up to three units of the wanted dimension that an unknown `name` may stand for."""
    if " " in name:  # a number that is written in another way, or words
        return []
    if (word := _WORDS.get(name.lower()) or _WORDS.get(name.lower().rstrip("s"))) and _measures(word, wanted):
        return [word]
    known = [u for atom in _ATOMS for u in (atom, f"{atom}/s") if _measures(u, wanted)]
    folded = re.sub(r"ps$", "/s", name.casefold())
    same = [u for u in known if re.sub(r"ps$", "/s", u.casefold()) == folded]
    if re.match(r"KB\b", name):
        same = [u for u in known if re.match(r"(k|Ki)B\b", u)]
    if re.fullmatch("[kMGTPE]i?", name):  # "10 G", of what is not said
        same = [u for u in known if re.fullmatch(rf"{name}(B|bit)(/s)?", u)]
    close = same or difflib.get_close_matches(name, known, n=3, cutoff=_ALIKE)
    return list(dict.fromkeys(_spelled(u) for u in close))[:3]


def _measures(name: str, wanted: Unit) -> bool:
    return unit(name).dimension == wanted.dimension


def format(value: float, dimension_unit: str, significant: int = 4) -> str:
    """Return a quantity held in `dimension_unit` for reading: decimal prefix, `significant` digits, no trailing zeros.

    >>> format(1.26e9, "B/s")
    '1.26 GB/s'
    """
    if dimension_unit == "1":
        return digits(value, significant)
    head, slash, rest = dimension_unit.partition("/")
    scale, shown = 1.0, head
    if value and math.isfinite(value):
        scale, shown = _prefix(float(f"{abs(value):.{significant - 1}e}"), head)
    return f"{digits(value / scale, significant)} {shown}{slash}{rest}"


def worded(value: float, dimension_unit: str) -> str:
    """Return a quantity as a sentence has it: money, and what comes in a second, with their thousands.

    >>> worded(30000, "1/s"), worded(1.5e6, "USD"), worded(2e12, "B")
    ('30,000 a second', '1,500,000 USD', '2 TB')
    """
    if not math.isfinite(value) or not dimension_unit.startswith((PER_SECOND, *CURRENCIES)):
        return format(value, dimension_unit)
    number = f"{value:,.0f}" if abs(value) >= GROUPED else f"{value:.4g}"
    return f"{number} {'a second' if dimension_unit == PER_SECOND else dimension_unit}"


def reworded(text: str) -> str:
    """Return a quantity as `worded` has it, from the text that states it; one of another kind as it stands.

    >>> reworded("1.5 M USD"), reworded("30000 IOPS"), reworded("50 ms")
    ('1,500,000 USD', '30,000 a second', '50 ms')
    """
    for name in (PER_SECOND, *CURRENCIES):
        with suppress(RefusalError):
            return worded(parse(text, name), name)
    return text


def _prefix(size: float, head: str) -> tuple[float, str]:
    """Return the largest unit of `head`'s family that is at most `size`, with its scale."""
    if head == "s":
        family = [(1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms"), (1.0, "s")]
    elif head == "kg":
        family = [(1e-3, "g"), (1.0, "kg"), (1e3, "t")]
    else:
        family = [(float(_DECIMAL[prefix]), prefix + head) for prefix in _SHOWN.get(head, ("",))]
    return max((entry for entry in family if entry[0] <= size), default=family[0])


def format_duration(seconds: float) -> str:
    """Return a time for reading, in its two largest units: "16 min 45 s", "0.83 s", "unbounded".

    >>> format_duration(1005.2)
    '16 min 45 s'
    """
    if seconds < 0:
        return f"-{format_duration(-seconds)}"
    if math.isinf(seconds):
        return "unbounded"
    if seconds < 0.1:
        return format(seconds, "s", 3)
    if seconds < 59.95:  # what would not round to 60.0
        return f"{digits(seconds, 3)} s"
    if (whole := round(seconds)) < _HOUR:
        return f"{whole // 60} min {whole % 60} s"
    if (minutes := round(seconds / 60)) < 24 * 60:
        return f"{minutes // 60} h {minutes % 60} min"
    hours = round(seconds / _HOUR)
    return f"{hours // 24} d {hours % 24} h"


def format_duration_apart(seconds: float, visible: float) -> str:
    """Return a time of a minute or more in its two largest units, or in as many as show a difference of `visible` (s).

    >>> format_duration_apart(5400.4, 600), format_duration_apart(5400.4, 0.4)
    ('1 h 30 min', '1 h 30 min 0.4 s')
    """
    shown = next(least for length, _, least in _LENGTHS if seconds >= length)
    if visible >= _CLEARLY * shown:
        return format_duration(seconds)
    decimals = max(1 - math.floor(math.log10(visible)), 0)
    rest, texts = round(seconds, decimals) if visible < MINUTE else round(seconds / MINUTE) * 60.0, list[str]()
    for length, name, _ in _LENGTHS:
        texts += [f"{rest // length:.0f} {name}"] if rest >= length else []
        rest %= length
    left = f"{rest:.{decimals}f}".rstrip("0").rstrip(".") if decimals else f"{rest:.0f}"
    return " ".join([*texts, *([f"{left} s"] if rest else [])])
