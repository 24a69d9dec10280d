"""Why two scenarios differ, in sentences, as tables and as a waterfall from the one to the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.reports import words
from app.reports.contracts import explained as contracts
from app.reports.document import Axis, Block, Column, Paragraph, Section, Table, Waterfall, quantity
from models.units import CURRENCIES

SLIGHT = 0.01
"""Part of all contributions below which one is not told in the sentence; the table has it."""
KEYS = 3
"""Keys of a part that a table tells; JSON has all."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a part contributes to a difference: its keys with the text of either profile, and the amount."""

    name: str
    keys: Sequence[tuple[str, str | None, str | None]]
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """The difference of a measure between two scenarios; `shares` add up to it, the largest first.

    They are means over `orders`, which are all that there are where it is exact. `runs` is how many mixtures of the
    profiles were simulated.
    """

    base: str
    other: str
    measure: str
    unit: str
    before: float
    after: float
    shares: Sequence[Share]
    orders: int
    is_exact: bool
    runs: int


def section(found: Sequence[Explained]) -> Section:
    """Return why scenarios differ."""
    return Section("explained", "Why they differ", [block for each in found for block in _blocks(each)])


def sentence(found: Explained) -> str:
    """Return what makes a difference, the largest part first."""
    gap = found.after - found.before
    name = found.measure.replace("_", " ")
    sides = f"{found.other} against {found.base}"
    if not any(share.value for share in found.shares):
        return f"{name.capitalize()}, {sides}: no difference."
    total = sum(abs(share.value) for share in found.shares)
    told = [share for share in found.shares if abs(share.value) >= SLIGHT * total]
    said = [f"{_signed(share.value, found)} by {share.name} ({_keys(share, 1)})" for share in told]
    return f"{name.capitalize()}, {sides}: {_signed(gap, found)}, of which {words.listed(said)}."


def _blocks(found: Explained) -> Iterator[Block]:
    yield Paragraph(sentence(found))
    unit, name = found.unit, found.measure.replace("_", " ").capitalize()
    at, steps = found.before, [(found.base, found.before)]
    for share in found.shares[:-1]:
        at += share.value
        steps.append((share.name, at))
    steps += [(share.name, found.after) for share in found.shares[-1:]]
    rows = [
        (share.name, _keys(share, KEYS), _signed(share.value, found), value)
        for share, (_, value) in zip(found.shares, steps[1:], strict=True)
    ]
    columns = (Column("part"), Column("what differs"), Column("contributes"), Column(f"{name} then", unit))
    yield Table(f"{name}, by part", columns, [(found.base, "", "", found.before), *rows])
    yield Waterfall(f"{name}: from {found.base} to {found.other}", Axis(name, unit), steps)
    how = "all orders of the changes" if found.is_exact else f"{found.orders} orders of the changes, drawn by chance"
    yield Paragraph(f"Shares are means over {how} (Shapley values), from {found.runs} runs.")


def _keys(share: Share, most: int) -> str:
    """Return what differs in a part, of many keys the first."""
    shown = [f"{_short(key)} {before or 'none'} → {after or 'none'}" for key, before, after in share.keys[:most]]
    more = len(share.keys) - most
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _short(key: str) -> str:
    return key.rpartition(".")[2].replace("_", " ")


def _signed(value: float, found: Explained) -> str:
    """Return an amount with its sign, in the measure's unit."""
    if found.unit in CURRENCIES:
        return f"{value:+,.0f} {found.unit}"
    if found.unit == "s":
        return f"{value:+.1f} s"
    if found.measure == "durability":
        return f"{value:+.2f} nines"
    return ("+" if value >= 0 else "-") + quantity(abs(value), found.unit)


def contract(found: Explained) -> contracts.Explained:
    """Return a difference as JSON data."""
    return {
        "base": found.base,
        "other": found.other,
        "measure": found.measure,
        "unit": found.unit,
        "before": found.before,
        "after": found.after,
        "parts": [
            {"name": share.name, "keys": {key: [one, two] for key, one, two in share.keys}, "value": share.value}
            for share in found.shares
        ],
        "orders": found.orders,
        "is_exact": found.is_exact,
        "runs": found.runs,
    }
