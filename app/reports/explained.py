"""Why two scenarios differ, in sentences, as tables and as a waterfall from the one to the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from app.reports import words
from app.reports.contracts import explained as contracts
from app.reports.contracts.filling import filled
from app.reports.document import Axis, Block, Column, Paragraph, Section, Table, Waterfall, quantity
from models.target import spelled
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
    profiles were simulated. `names` are those of server groups in the base by what the other calls those that do the
    same.
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
    names: Mapping[str, str] = field(default_factory=dict)


STOPPED = "It was stopped before all differences were explained."


def section(differences: Sequence[Explained], *, was_stopped: bool = False) -> Section:
    """Return why scenarios differ, and whether some are left out as it was stopped."""
    blocks = [block for explained in differences for block in _blocks(explained)]
    return Section("explained", "Why they differ", [*([Paragraph(STOPPED)] if was_stopped else []), *blocks])


def sentence(explained: Explained) -> str:
    """Return what makes a difference, the largest part first."""
    gap = explained.after - explained.before
    name = spelled(explained.measure)
    sides = f"{explained.other} against {explained.base}"
    if not any(share.value for share in explained.shares):
        return f"{name.capitalize()}, {sides}: no difference."
    total = sum(abs(share.value) for share in explained.shares)
    told = [share for share in explained.shares if abs(share.value) >= SLIGHT * total]
    texts = [f"{_signed(share.value, explained)} by {share.name} ({_keys(share, explained, 1)})" for share in told]
    return f"{name.capitalize()}, {sides}: {_signed(gap, explained)}, of which {words.listed(texts)}."


def _blocks(explained: Explained) -> Iterator[Block]:
    yield Paragraph(sentence(explained))
    unit, name = explained.unit, spelled(explained.measure).capitalize()
    at, steps = explained.before, [(explained.base, explained.before)]
    for share in explained.shares[:-1]:
        at += share.value
        steps.append((share.name, at))
    steps += [(share.name, explained.after) for share in explained.shares[-1:]]
    rows = [
        (share.name, _keys(share, explained, KEYS), _signed(share.value, explained), value)
        for share, (_, value) in zip(explained.shares, steps[1:], strict=True)
    ]
    columns = (Column("part"), Column("what differs"), Column("contributes"), Column(f"{name} then", unit))
    yield Table(f"{name}, by part", columns, [(explained.base, "", "", explained.before), *rows])
    yield Waterfall(f"{name}: from {explained.base} to {explained.other}", Axis(name, unit), steps)
    how = (
        "all orders of the changes"
        if explained.is_exact
        else f"{explained.orders} orders of the changes, drawn by chance"
    )
    alike = "".join(
        f" Servers that {explained.other} calls {own} are compared with {name} of {explained.base}."
        for own, name in explained.names.items()
    )
    yield Paragraph(f"Shares are means over {how} (Shapley values), from {explained.runs} runs.{alike}")


def _keys(share: Share, explained: Explained, most: int) -> str:
    """Return what differs in a part, of many keys the first; of what one side lacks only what the other has."""
    befores, afters = ([text for _, *texts in share.keys if (text := texts[side])] for side in (0, 1))
    shown = [_differs(key, before, after, is_one_sided=not befores or not afters) for key, before, after in share.keys]
    more = f" and {len(shown) - most} more" if len(shown) > most else ""
    lacking = f", which {explained.base if afters else explained.other} has not" if not befores or not afters else ""
    return f"{', '.join(shown[:most])}{more}{lacking}"


def _differs(key: str, before: str | None, after: str | None, *, is_one_sided: bool) -> str:
    """Return how a key differs; where one side has nothing of all, what the other has."""
    values = f"{before or after}" if is_one_sided else f"{before or 'none'} → {after or 'none'}"
    return f"{_short(key)} {values}"


def _short(key: str) -> str:
    return key.rpartition(".")[2].replace("_", " ")


def _signed(value: float, explained: Explained) -> str:
    """Return an amount with its sign, in the measure's unit."""
    if explained.unit in CURRENCIES:
        return f"{value:+z,.0f} {explained.unit}"
    if explained.unit == "s":
        return f"{value:+z.1f} s"
    if explained.measure == "durability":
        return f"{value:+z.2f} nines"
    return ("+" if value >= 0 else "-") + quantity(abs(value), explained.unit)


def contract(explained: Explained) -> contracts.Explained:
    """Return a difference as JSON data."""
    parts = [
        filled(contracts.ExplainedPart, share, keys={key: [one, two] for key, one, two in share.keys})
        for share in explained.shares
    ]
    return filled(contracts.Explained, explained, parts=parts)
