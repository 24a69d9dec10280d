"""Types of what options take: a wrong value is refused as one of a profile is, with what was expected and found."""

from __future__ import annotations

import math
from typing import Any

import click

from models.problem import did_you_mean, shortened


class Whole(click.IntRange):
    """A whole number of at least so many."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number.

        Raises:
            BadParameter: it is none, or too small.
        """
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"expected a whole number of at least {self.min} (got '{shortened(f'{value}')}')", param, ctx)


class Amount(click.ParamType[float]):
    """A number above zero."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number.

        Raises:
            BadParameter: it is none, or not above zero.
        """
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not 0 < number < math.inf:
            self.fail(f"expected a number above 0 (got '{shortened(f'{value}')}')", param, ctx)
        return number


class OneOf(click.Choice[str]):
    """One of a few words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the word.

        Raises:
            BadParameter: it is none of them.
        """
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            from models.units import either

            word = f"{value}"
            near = did_you_mean(word, self.choices)
            self.fail(f"expected {either(self.choices)} (got '{shortened(word)}'){near}", param, ctx)
