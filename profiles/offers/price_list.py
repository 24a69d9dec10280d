"""A quotation as a price list: its parts over those of a list that says what a quotation does not, such as watts.

Each price rests on its row, `documented: offer.xlsx: row 7`; all else keeps the source that it has in the other list. A
kind of part of which any can be taken (chassis, processors) is that of the quotation alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from models.planning.prices import ChassisPrice, Prices
from models.problem import refusal
from profiles.loading.loader import Loaded
from profiles.offers.parts import Mapped

INSTEAD: Mapping[str, tuple[str, ...]] = {"chassis": ("chassis",), "core": ("core", "processors")}
"""What of the other list goes where a quotation has a part of a kind."""
WATTS = ("power", "idle")


def price_list(
    parts: Sequence[Mapped], file: str, base: Loaded[Prices], date: str, rates: Mapping[str, str]
) -> dict[str, Any]:
    """Return the list as TOML data; `rates` say what currencies are worth, "1.08 USD" by "EUR".

    Raises:
        RefusalError: the name of a part is that of a value.
    """
    data: dict[str, Any] = _copied(base.resolved)
    name = PurePath(file).name
    data["date"] = date
    data.setdefault("sources", {})["date"] = f"documented: {name}"
    currencies = {part.currency for part in parts}
    if len(currencies) == 1:
        data["currency"] = currencies.pop()
    for currency, value in rates.items():
        data.setdefault("currencies", {})[currency] = {"value": value, "source": "documented: command line, --rate"}
    for kind in {part.part[0] for part in parts}:
        for old in INSTEAD.get(kind, ()):
            data.pop(old, None)
    for part in parts:
        _lay(data, part, name, base.scenario)
    return data


def _lay(data: dict[str, Any], part: Mapped, file: str, base: Prices) -> None:
    """Put a part into its table.

    Raises:
        RefusalError: its name is that of a value.
    """
    table = data
    for step in part.part:
        table = table.setdefault(step, {})
        if not isinstance(table, dict):
            raise refusal(".".join(part.part), "is one value of a price list; expected a part such as drives.hdd")
    source = f"documented: {file}: row {part.row}"
    table.setdefault("source", source)
    stated = {**part.values, part.price_key: f"{part.price:.10g} {part.currency}{part.unit}"}
    for other in {"per_byte", "capital"} - {part.price_key} if part.part[0] in ("drives", "memory") else ():
        table.pop(other, None)
    for key, value in stated.items():
        table[key] = value
        table.setdefault("sources", {})[key] = source
        table.get("ranges", {}).pop(key, None)
    for key, value in _watts(part, base).items():
        if key not in table:
            table[key] = f"{value:g} W"
            table["sources"][key] = "assumed: as that of a like part in the list that this one was laid over"


def _watts(part: Mapped, base: Prices) -> dict[str, float]:
    """Return the watts of what the other list has in the place of a part that goes instead of it."""
    nearest: Any = None
    if part.part[0] == "chassis":
        stated = (part.values.get(key) for key in ("large_bays", "small_bays"))
        large, small = (bays if isinstance(bays, int) else 0 for bays in stated)
        alike = [price for price in base.chassis.values() if price.holds(large, small)]
        nearest = min(alike, key=_height, default=None)
    elif part.part[0] == "core":
        nearest = base.core
    return {key: value for key in WATTS if (value := getattr(nearest, key, None)) is not None}


def _height(chassis: ChassisPrice) -> tuple[float, float]:
    return chassis.rack_units, chassis.capital


def _copied(data: Any) -> Any:
    return {key: _copied(value) for key, value in data.items()} if isinstance(data, dict) else data
