"""What is said of a file that is not as its format has it: what was expected and found, in words and not in Python's.

Readers take what they need from a file as if all were there. What Python raises where it is not tells what was met; the
line, and the key of JSON that was read last, tell where.
"""

from __future__ import annotations

import re

BROKEN = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What readers raise for a file that is not as its format has it."""
LONGEST = 60
"""Letters of what was found that a message repeats. Assumption: enough to find it in the file."""

_JSON = {
    "NoneType": "null",
    "bool": "true or false",
    "int": "a number",
    "float": "a number",
    "str": "a text",
    "list": "a list",
    "dict": "an object",
    "_Entry": "an object",
}
"""What JSON calls what Python calls so."""
_KINDS = re.compile(rf"\b({'|'.join(_JSON)})\b")
_LISTS = re.compile(r"not iterable|non-iterable|no len|values to unpack|zip\(\)|update sequence")
_OBJECTS = re.compile(r"attribute '(?:get|items|values|keys)'|indices must be|not subscriptable|argument of type")
_NUMBERS = re.compile(
    r"operand type|concatenate|argument must be|not supported between|bad operand|multiply sequence|real number"
)
_QUOTED = re.compile(
    r"^(?:could not convert string to float|invalid literal for int.*?|complex.*?): ?(?P<found>.*)$", re.S
)
_TIME = re.compile(r"^Invalid isoformat string: (?P<found>.*)$|^time data (?P<other>.*) does not match", re.S)


def said_of(error: Exception, key: str = "") -> str:
    """Return what was expected and what was found, of an error in `BROKEN`, and the key of JSON that was read last.

    What a reader itself raises is told as it is.
    """
    if isinstance(error, KeyError):
        missing = _short(str(error.args[0]))
        return f"it has no {missing!r}" + (f", at or just before {_short(key)!r}" if key not in ("", missing) else "")
    met = _met(error)
    if met is None:
        return _short(str(error), 2 * LONGEST)
    return f"{met}, at or just before {_short(key)!r}" if key else met


def _met(error: Exception) -> str | None:
    """Return what an error of Python's own says, None for another."""
    text = str(error)
    if isinstance(error, IndexError):
        return "a list or a line has fewer entries than expected"
    if isinstance(error, ArithmeticError) or ("limit" in text and "digits" in text):
        return "expected a number, found one that is 0, without end, or beyond all bounds"
    if isinstance(error, (AttributeError, TypeError)):
        return f"expected {_expected(text)}{_found(text)}"
    if quoted := _QUOTED.match(text):
        return f"expected a number, found {_short(quoted['found'])}"
    if time := _TIME.match(text):
        return f"expected a time, found {_short(time['found'] or time['other'])}"
    return "expected lists of as many entries, found more or fewer" if _LISTS.search(text) else None


def _expected(text: str) -> str:
    if _OBJECTS.search(text):
        return "an object"
    if _LISTS.search(text):
        return "a list"
    return "a number" if _NUMBERS.search(text) else "a text"


def _found(text: str) -> str:
    """Return the kinds that an error of Python names, ", found a text", "" for none."""
    kinds = [_JSON[kind] for kind in _KINDS.findall(text)]
    kinds = [kind for kind in dict.fromkeys(kinds) if kind != _expected(text)]
    return f", found {kinds[0]}" if kinds else ", found something else"


def _short(text: str, most: int = LONGEST) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
