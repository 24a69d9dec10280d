"""Numbers as people read them: shares, errors, times, and documented values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from models.outcome import IN_WORDS
from models.units import YEAR, format, format_duration, parse, worded

LONG = 7200.0
"""Seconds from which nobody counts in seconds. Assumption."""
GREAT = ((1e15, "quadrillion "), (1e12, "trillion "), (1e9, "billion "), (1e6, "million "))
LENGTHS = ((86400.0, "d"), (3600.0, "h"), (60.0, "min"), (1.0, "s"), (1e-3, "ms"))
"""Units of time in which ranges are said, in seconds."""
SHORTEST = 60.0
"""Seconds from which a time may be told in minutes, hours or days."""
FEW = 10_000
"""Binary units of a size from which it was not meant in them: 10 GB are 9,765,625 KiB. Assumption."""
BINARY = ("KiB", "MiB", "GiB", "TiB", "PiB")

NAMED = 5
"""Keys that a sentence names. Assumption: more are read as a list, not in a sentence."""
BOUNDLESS = "unlimited"
"""What is there without a limit, as the room of a rented store."""


COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def counted(number: int) -> str:
    """Return a number of things at the beginning of a sentence, which begins with no numeral: "Two", but "12"."""
    return COUNTS[number].capitalize() if number < len(COUNTS) else f"{number}"


def changes(settings: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return what `--set` changed of a profile as rows of facts."""
    return [("Changed", f"{key} = {value}") for key, value in settings.items()]


def is_changed(settings: Mapping[str, str], *, is_edited: bool) -> bool:
    """Tell whether a profile says otherwise than its name does: by changes of single values, or edited as a whole."""
    return is_edited or bool(settings)


def titled(title: str, *, is_changed: bool) -> str:
    """Return the title of an answer, which says so where the profile of that title was changed for it."""
    return f"{title}, changed" if is_changed else title


def as_stated(value: object) -> str:
    """Return a value as a profile states it: true, not True."""
    return f"{value}".lower() if isinstance(value, bool) else f"{value}"


def percent(fraction: float) -> str:
    """Return a fraction of a whole: "83 %", "0.4 %", "14,753 %"; one decimal below 10 %."""
    value = 100 * fraction
    return f"{value:,.0f} %" if round(abs(value), 1) >= 10 or value == 0 else f"{value:.1f} %"


def apart(fraction: float) -> str:
    """Return by how much two things differ that do differ: "12 %", "under 0.1 %"."""
    return percent(abs(fraction)) if not fraction or round(100 * fraction, 1) else "under 0.1 %"


def more(fraction: float) -> str:
    """Return by how much something is more: "12 % more"; "about as much" where that would be 0.0 %."""
    return f"{percent(fraction)} more" if round(100 * fraction, 1) else "about as much"


def change(fraction: float) -> str:
    """Return by how much something is more or less, with its sign: "+12 %", "-0.3 %", "under 0.1 %"."""
    return f"{'+' if fraction > 0 else ''}{percent(fraction)}" if round(100 * fraction, 1) else apart(fraction)


def signed_percent(fraction: float) -> str:
    """Return an error with its sign and one decimal: "+1.2 %"."""
    return f"{round(100 * fraction, 1) + 0.0:+,.1f} %"


def deviation(error: float) -> str:
    """Return an error in words: "1.2 % above it", "0.4 % below it", "at it" for none."""
    if not error:
        return "at it"
    return f"{100 * abs(error):.1f} % {'above' if error > 0 else 'below'} it"


def declared(value: float, unit: str | None) -> str:
    """Return a number of a declaration in its unit, None for one without; no limit in words.

    Whole multiples of 1024 bytes are told as "64 MiB", those of a minute, an hour or a day as "30 d".
    """
    if math.isinf(value):
        return BOUNDLESS
    if not unit:
        return number(value)
    if unit == "s" and value >= SHORTEST:
        scale, name = next(length for length in LENGTHS if not value % length[0] or length[1] == "s")
        return f"{value / scale:,.12g} {name}"
    if unit == "B" and value and not value % 1024:
        power = max(power for power in range(1, len(BINARY) + 1) if not value % 1024**power)
        if value / 1024**power < FEW:
            return f"{value / 1024**power:,.12g} {BINARY[power - 1]}"
    return format(value, unit)


def boundless(value: float, unit: str) -> str:
    """Return a number of an answer in its unit; what has no limit in words.

    >>> boundless(2e12, "B"), boundless(math.inf, "B")
    ('2 TB', 'unlimited')
    """
    return BOUNDLESS if value == math.inf else worded(value, unit)


def number(value: float) -> str:
    """Return a number without a unit, not as a power of ten, which only programs read: "0.00001", "1,000,000"."""
    if isinstance(value, int) or value.is_integer():
        return f"{value:,.0f}"
    return format(value, "1", 10) if abs(value) < 1 else f"{value:,.10g}"


def part(fraction: float) -> str:
    """Return a part too small for per cent as one of so many: "1 in 250 billion"; "none of the" for nothing."""
    if not fraction:
        return "none of the"
    many = float(f"{1 / fraction:.2g}")
    scale, name = next(((scale, f" {name.strip()}") for scale, name in GREAT if many >= scale), (1.0, ""))
    return f"1 in {many / scale:,.10g}{name}"


def between(low: float | str, high: float | str, unit: str | None) -> str:
    """Return a range in the unit of its declaration, None for a count: "7 ms to 12.7 ms", or as factors."""
    texts = (end if isinstance(end, str) else declared(end, unit) for end in (low, high))
    return " to ".join(texts)


NEAR = 0.1
"""Part of a unit that is read in it. Assumption: below that a reader wants the smaller unit."""


def span(low: str, high: str) -> str:
    """Return two ends in words, or the one that both are."""
    return low if low == high else f"{low} to {high}"


def likely(low: float, high: float, unit: str) -> str:
    """Return a range as coarsely as it is known, in one unit where that serves both ends: "6.1 to 8.7 min".

    >>> likely(922e12, 1036e12, "B"), likely(22e12, 1036e12, "B")
    ('0.92 to 1.04 PB', '22 TB to 1 PB')
    """
    scale, name = next((length for length in LENGTHS if high >= 2 * length[0]), LENGTHS[-1])
    if unit == "s":
        return f"{_to(_rough(low / scale), _rough(high / scale))} {name}"
    if unit == "1/s":
        return f"{_to(_rough(low), _rough(high))} a second"
    number, _, first = format(low, unit, 2).partition(" ")
    other, _, second = format(high, unit, 2).partition(" ")
    if first == second:
        return f"{_to(number, other)} {second}".strip()
    whole = parse(f"1 {second}", unit)
    if low >= NEAR * whole:  # both with the digits of the lower one: 1.04 PB is above 1.02 PB, 1 PB would be below
        return f"{_to(*(f'{end / whole:.2f}'.rstrip('0').rstrip('.') for end in (low, high)))} {second}"
    return f"{number} {first} to {other} {second}"


def _to(low: str, high: str) -> str:
    return f"about {low}" if low == high else f"{low} to {high}"


def _rough(value: float) -> str:
    known = float(f"{value:.2g}")
    return f"{known:,.0f}" if known >= 1000 else f"{known:g}"


def seconds(value: float) -> str:
    """Return a time in seconds with at most one decimal: "1,005.2 s"."""
    return f"{value:,.1f} s" if value >= 0.05 or value == 0 else format(value, "s", 3)


def listed(names: Sequence[str]) -> str:
    """Return names as a list in words: "night", "night and tenant", "night, tenant and backup"."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def unranged(keys: Sequence[str]) -> Iterator[str]:
    """Yield which guesses an interval leaves out, if any."""
    if keys:
        yield f"not in it: {first_of(keys)}, assumed without a range ([TABLE.ranges])"


def first_of(keys: Sequence[str]) -> str:
    """Return the first few of some keys in words, and how many more there are."""
    more = f" and {len(keys) - NAMED} more" if len(keys) > NAMED else ""
    return f"{', '.join(keys[:NAMED])}{more}"


def time_unit(duration: float) -> tuple[float, str]:
    """Return the unit of time in which a run of a duration (s) is drawn, in seconds, and its name."""
    return next(((long, name) for long, name in ((3600.0, "h"), (60.0, "min")) if duration >= 2 * long), (1.0, "s"))


def clock(value: float) -> str:
    """Return a time as it is counted: "43.2 s", from two hours on "12 h 0 min", from two years on "250 years"."""
    if value >= 2 * YEAR:
        return years(value)
    return format_duration(value) if value >= LONG else seconds(value)


def years(seconds: float) -> str:
    """Return a long time in years, of which three digits are told: "9,130 years", "30.2 million years"."""
    if math.isinf(seconds):
        return "endless years"
    number = float(f"{seconds / YEAR:.3g}")
    scale, name = next(((scale, name) for scale, name in GREAT if number >= scale), (1.0, ""))
    return f"{number / scale:,.10g} {name}years"


def stated(value: float) -> str:
    """Return a time that somebody has chosen, without what is none of it: "5 min", "1 h 30 min"."""
    text = format_duration(value)
    for nothing in (" 0 h", " 0 min", " 0 s"):
        text = text.removesuffix(nothing)
    return text


def period(value: float) -> str:
    """Return a time after which something comes again, as `stated`; "day" or "hour" for one of them."""
    text = stated(value)
    return {"1 d": "day", "1 h": "hour"}.get(text, text)


def placed(resource: str) -> str:
    """Return a resource in words: "data drives of servers", "queue at data drives of servers"."""
    head, at, place = resource.rpartition(" at ")
    group, slash, what = place.partition("/")
    return f"{head}{at}{what} of {group}" if slash else resource


def duration(value: float) -> str:
    """Return a time in words and in seconds: "16 min 45 s (1,005.2 s)"; the seconds alone below a minute.

    From two years on it is told in years alone.
    """
    if value >= 2 * YEAR:
        return years(value)
    return f"{format_duration(value)} ({seconds(value)})" if value >= 59.95 else seconds(value)


def amount(value: float) -> str:
    """Return a number of requests, or of requests a second: "2,908", three digits below 100."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def documented(value: float | tuple[float, float], unit: str, role: str = "") -> str:
    """Return a documented number or band as it was documented; what was documented in words, as we read it."""
    low, high = value if isinstance(value, tuple) else (value, value)
    shown = f"{low:,.12g}" if low == high else f"{low:,.12g} to {high:,.12g}"
    text = shown if unit == "1" else f"{shown} {unit}"
    return f"{IN_WORDS}, read as {text}" if role == IN_WORDS else text


def simulated(value: float, unit: str) -> str:
    """Return a simulated number in a documented unit, with the digits that a comparison needs."""
    shown = f"{value:,.1f}" if abs(value) >= 100 else f"{value:.4g}"
    return shown if unit == "1" else f"{shown} {unit}"
