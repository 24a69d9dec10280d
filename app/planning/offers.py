"""Quotations: a price list of each, and which of several is the cheapest for a profile."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.planning.loading import load_profile, refusals
from models.planning.bill import bill
from models.planning.cost import Cost
from models.planning.prices import Prices
from models.problem import Problem, ProblemError, RefusalError
from models.units import parse
from profiles.loading.loader import load, load_text
from profiles.offers.parts import Asked, mapped
from profiles.offers.price_list import price_list
from profiles.offers.rows import read_rows
from profiles.text.dump import dump

DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-\d{2})?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Imported:
    """A quotation: the list as TOML text, "" while rows are asked for; how many rows have a part."""

    text: str
    parts: int
    asked: tuple[Asked, ...]


def imported(
    file: str, like: str, rules: Mapping[str, Any], date: str, currency: str | None, rates: Mapping[str, str]
) -> Imported:
    """Return a quotation as a price list, or what of it has to be asked for; `rules` is what a map says of its rows.

    Raises:
        ProblemError: a file cannot be read, or what it says makes no price list.
    """
    _check(date, rates)
    rows = read_rows(file, rules.get("columns", {}), currency)
    parts, asked = mapped(rows, rules.get("map", []))
    if asked or not parts:
        return Imported("", len(parts), tuple(asked))
    base = load(like, Prices, folders=["prices"])
    known = {"USD", *rates, *base.scenario.currencies}
    if lacking := sorted({part.currency for part in parts} - known):
        message = f"the offer is in {lacking[0]}: say what one is worth, such as --rate '{lacking[0]}=1.08 USD'"
        raise ProblemError([Problem(file, None, "--rate", message)])
    with refusals(file):
        text = dump(price_list(parts, file, base, date, rates))
    load_text(text, Prices, path=Path(f"{file}.toml"))
    return Imported(text, len(parts), ())


def _check(date: str, rates: Mapping[str, str]) -> None:
    """See that a date and the values of currencies can be read.

    Raises:
        ProblemError: with all that cannot.
    """
    problems = list[Problem]()
    if not DATE.fullmatch(date):
        text = f"expected a year, or year and month, such as 2026-11 (got '{date}')"
        problems.append(Problem("", None, "--date", text))
    for name, value in rates.items():
        try:
            parse(value, "USD")
        except RefusalError as error:
            problems.append(Problem("", None, "--rate", f"{name}: {error}"))
    if problems:
        raise ProblemError(problems)


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a profile costs by one list."""

    prices: str
    cost: Cost


def ranked(profile: str, settings: Mapping[str, str], lists: Sequence[str]) -> list[Ranked]:
    """Return what a profile costs by each of some lists, the cheapest first; those with a gap in prices last.

    Raises:
        ProblemError: a list or the profile cannot be read, or lists tell costs in different currencies.
    """
    ranking = []
    for name in lists:
        priced = bill(load_profile(profile, {"prices": name, **settings})[0].scenario)
        assert priced is not None  # it has a list
        ranking.append(Ranked(name, priced))
    if len(currencies := {entry.cost.currency for entry in ranking}) > 1:
        text = f"the lists tell costs in {' and '.join(sorted(currencies))}"
        way_out = "set one for all, such as --set prices.currency=USD; each needs the value of its currency"
        raise ProblemError([Problem("", None, "currency", f"{text}; {way_out}")])
    return sorted(ranking, key=lambda entry: (bool(entry.cost.unpriced), entry.cost.present(entry.cost.years)))
