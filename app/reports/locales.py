"""How numbers are written where a report is read: its words are English, its decimal mark and groups those of a locale.

Source of the marks: Unicode CLDR, by the library babel.
"""

from __future__ import annotations

import re

from models.problem import Problem, ProblemError
from models.values import value

NUMBER = re.compile(
    r"(?<![\w.,/])"  # not within a word, a version or a path
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)"
    r"(?![.,]?\d|\.?[^\W\de_]|_)"  # nor before the rest of one
)
"""A number as the program writes it that another locale would write otherwise."""


@value()
class Locale:
    """Marks of the numbers of a locale."""

    name: str
    decimal: str = "."
    group: str = ","

    def localized(self, text: str) -> str:
        """Return a text with its numbers as the locale writes them.

        >>> Locale("de", ",", ".").localized("1,270,664 USD for 5.4931 PB, version 0.1.0")
        '1.270.664 USD for 5,4931 PB, version 0.1.0'
        """
        if (self.decimal, self.group) == (".", ","):
            return text
        marks = {".": self.decimal, ",": self.group}
        return NUMBER.sub(lambda match: "".join(marks.get(mark, mark) for mark in match.group(0)), text)


ENGLISH = Locale("en")


def locale_of(name: str) -> Locale:
    """Return the locale of a name such as "de" or "de-CH".

    Raises:
        ProblemError: nothing is known of it.
    """
    from babel import Locale as Known, UnknownLocaleError  # imported late: only reports in other locales need it
    from babel.numbers import get_decimal_symbol, get_group_symbol

    try:
        known = Known.parse(name.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        text = f"expected a language, or one with a country, such as 'de' or 'de-CH' (got '{name}')"
        raise ProblemError([Problem("", None, "--locale", text)]) from None
    return Locale(name, get_decimal_symbol(known), get_group_symbol(known))
