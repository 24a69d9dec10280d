"""Which part of a price list a row of a quotation is for: by the words of the row, or by a map that the user writes.

A map names a part for all rows that contain a text: `[[map]] text = "ProLiant DL380" part = "chassis.dl380"`, with the
further keys of that table, `each`, the number of the part's units that the price of a row is for, and `ignore = true`
for what is no part. What neither tells is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from profiles.offers.rows import Row

RATE = re.compile(r"(?<!\d)([1-9]\d{0,5})\s*(?:GbE|Gbit/s|Gb/s|Gbps|GE\b|G\b)", re.IGNORECASE)
SIZE = re.compile(r"(?<!\d)(\d{1,6}(?:\.\d{1,9})?)\s*([TG])[BO]\b", re.IGNORECASE)
PORTS = re.compile(
    r"(?:(?<!\d)([1-9]\d{0,3})\s*[x×]\s*\d{1,6}\s*G|(?<!\d)([1-9]\d{0,3})[ -]?ports?\b|(dual|quad)[ -]?port)",
    re.IGNORECASE,
)
CORES = re.compile(r"(?<!\d)([1-9]\d{0,5})[ -]?(?:cores?\b|C\b|Kerne\b|c(?:œ|oe)urs?\b)", re.IGNORECASE)
HEIGHT = re.compile(r"\b(\d{1,2})\s?(?:U|HE|RU)\b")
BAYS = re.compile(
    r"(\d{1,3})\s*(?:[x×]|-|bays?,?|slots?,?|einschübe,?|baies,?|\s)\s*(?:hot.?swap\s*)?(3[.,]5|LFF|2[.,]5|SFF|U\.2)",
    re.IGNORECASE,
)
WORDS: Mapping[str, str] = {
    "cables": r"\bcable|câble|\bDAC\b|\bAOC\b|kabel|patch",
    "ports": r"\bswitch|commutateur",
    "processors": r"\bxeon\b|\bepyc\b|processor|prozessor|processeur|\bCPU\b",
    "memory": r"\bR?DIMM\b|\bDDR\d|\bmemory\b|arbeitsspeicher|mémoire",
    "nvme": r"\bnvme\b|\bU\.[23]\b|\bE[13]\.S\b",
    "ssd": r"\bSSD\b|solid.state",
    "hdd": r"\bHDD\b|hard (?:disk )?drive|hard disk|festplatte|disque dur|\bnearline\b|\bNL-?SAS\b|7[.,]?2k\b|7200",
    "cards": r"\bNIC\b|network (?:card|adapter)|netzwerkkarte|carte réseau|connectx|ethernet (?:card|adapter)"
    r"|\d\s?(?:GbE|Gbit/s)\b.*(?:\bcard\b|\badapter\b|karte\b|\bcarte\b)",
    "chassis": r"\bchassis\b|\bbarebone\b|gehäuse|châssis",
}
"""Words of parts; the first that a row has decides, so that a chassis with bays for NVMe is asked after its drives."""
SERVICES = re.compile(
    r"support|warranty|maintenance|assistance|business day|\bNBD\b|wartung|garantie|gewährleistung", re.IGNORECASE
)
NAMED = {"dual": 2, "quad": 4}


@dataclass(frozen=True, slots=True)
class Mapped:
    """A part of a list: the keys to its table, what stands in the table, and the rows that say so.

    `price` is by the unit that the table prices, in the currency of the row.
    """

    part: tuple[str, ...]
    price_key: str
    price: float
    unit: str
    currency: str
    row: int
    values: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """A row that is for no known part: why, and what a map could say."""

    row: Row
    why: str
    example: str


def mapped(rows: Sequence[Row], maps: Sequence[Mapping[str, Any]]) -> tuple[list[Mapped], list[Asked]]:
    """Return the parts of rows, and the rows that have to be asked for."""
    parts: list[Mapped] = []
    asked: list[Asked] = []
    for row in rows:
        rule = next((rule for rule in maps if f"{rule['text']}".casefold() in row.text.casefold()), None)
        if rule is not None and rule.get("ignore"):
            continue
        part = _by_rule(row, rule) if rule is not None else _by_words(row)
        if isinstance(part, Mapped):
            parts.append(part)
        else:
            asked.append(part)
    for clash in _clashes(parts):
        parts.remove(clash)
        row = next(row for row in rows if row.number == clash.row)
        asked.append(Asked(row, f"another row has a price of {'.'.join(clash.part)}, too", _example(row, "drives.hdd")))
    return parts, asked


def _clashes(parts: Sequence[Mapped]) -> Iterator[Mapped]:
    known: dict[tuple[str, ...], Mapped] = {}
    for part in parts:
        first = known.setdefault(part.part, part)
        if (first.price, first.currency) != (part.price, part.currency):
            yield part


def _by_rule(row: Row, rule: Mapping[str, Any]) -> Mapped:
    part = tuple(f"{rule['part']}".split("."))
    values = {key: value for key, value in rule.items() if key not in ("text", "part", "each", "ignore")}
    key, unit = PRICED.get(part[0], ("capital", ""))
    return Mapped(part, key, row.price / float(rule.get("each", 1)), unit, row.currency, row.number, values)


PRICED: Mapping[str, tuple[str, str]] = {
    "drives": ("per_byte", "/TB"),
    "memory": ("per_byte", "/GB"),
    "licences": ("price", ""),
    "staff": ("yearly", "/y"),
    "volumes": ("stored", "/GB-month"),
}
"""The key of the price in a table, and what its unit is beside the currency, where it is not `capital`."""


def _by_words(row: Row) -> Mapped | Asked:
    kind = next((kind for kind, words in WORDS.items() if re.search(words, row.text, re.IGNORECASE)), None)
    if kind in ("nvme", "ssd", "hdd"):
        return _drive(row, kind)
    if kind == "memory":
        return _memory(row)
    if kind == "processors":
        return _processor(row)
    if kind in ("cards", "ports", "cables"):
        return _link(row, kind)
    if kind == "chassis" or (HEIGHT.search(row.text) and BAYS.search(row.text)):
        return _chassis(row)
    if SERVICES.search(row.text):
        example = _example(row, "licences.support", 'per = "server"\neach = 5  # years that the price is for')
        why = "a service: for how many years, and each of what? The list has `maintenance` beside it: set that to 0 %"
        return Asked(row, why, example)
    return Asked(row, "no part is known by these words", _example(row, "chassis.NAME"))


def _of(row: Row, part: tuple[str, ...], price: float, values: dict[str, Any] | None = None) -> Mapped:
    key, unit = PRICED.get(part[0], ("capital", ""))
    return Mapped(part, key, price, unit, row.currency, row.number, values or {})


def _drive(row: Row, kind: str) -> Mapped | Asked:
    size = _size(row.text)
    if size is None:
        return Asked(row, "the size of the drive is not told", _example(row, f"drives.{kind}", "each = 16  # TB"))
    return _of(row, ("drives", kind), row.price / (size / 1e12))


def _memory(row: Row) -> Mapped | Asked:
    size = _size(row.text)
    if size is None:
        return Asked(row, "the size of the module is not told", _example(row, "memory", "each = 34.36  # GB"))
    gibibytes = size / 1e9  # makers of memory write GB and mean GiB
    return _of(row, ("memory",), row.price / (gibibytes * 2**30 / 1e9), {"module": f"{gibibytes:g} GiB"})


def _processor(row: Row) -> Mapped | Asked:
    cores = CORES.search(row.text)
    if cores is None:
        return Asked(row, "the cores of the processor are not told", _example(row, "core", "each = 32  # cores"))
    return _of(row, ("core",), row.price / int(cores[1]))


def _link(row: Row, kind: str) -> Mapped | Asked:
    rates = [int(rate) for rate in RATE.findall(row.text)]
    ports = PORTS.search(row.text)
    if not rates:
        example = f"{kind}.25gbe", 'bandwidth = "25 Gbit/s"'
        return Asked(row, "the rate of the link is not told", _example(row, *example))
    count = 1
    if ports is not None:
        count = int(ports[1] or ports[2] or NAMED[f"{ports[3]}".lower()])
    if kind == "ports" and count == 1:
        example = f"ports.{rates[0]}gbe", f'bandwidth = "{rates[0]} Gbit/s"\neach = 48  # ports'
        return Asked(row, "the ports of the switch are not told", _example(row, *example))
    price = row.price / (count if kind != "cables" else 1)
    return _of(row, (kind, f"{rates[0]}gbe"), price, {"bandwidth": f"{rates[0]} Gbit/s"})


def _chassis(row: Row) -> Mapped | Asked:
    height, bays = HEIGHT.search(row.text), BAYS.search(row.text)
    if height is None or bays is None:
        example = "chassis.NAME", "large_bays = 12\nrack_units = 2"
        return Asked(row, "the height or the bays of the chassis are not told", _example(row, *example))
    key = "large_bays" if bays[2].upper() in ("3.5", "3,5", "LFF") else "small_bays"
    size = "large" if key == "large_bays" else "small"
    name = f"{height[1]}u-{bays[1]}-{size}"
    return _of(row, ("chassis", name), row.price, {key: int(bays[1]), "rack_units": int(height[1])})


def _size(text: str) -> float | None:
    """Return the bytes that a text tells of, None where it tells of none, or of nothing."""
    match = SIZE.search(text)
    return float(match[1]) * (1e12 if match[2].upper() == "T" else 1e9) or None if match else None


def _example(row: Row, part: str, more: str = "") -> str:
    """Return what a map could say of a row."""
    words = " ".join(row.text.replace('"', "").replace("\\", "").split()[:4])
    lines = [f"[[map]]  # row {row.number}", f'text = "{words}"', f'part = "{part}"  # or: ignore = true', more]
    return "\n".join(filter(None, lines))
