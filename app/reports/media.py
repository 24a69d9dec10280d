r"""Text from anybody, as each medium may take it: a title is read, never carried out.

Control characters and those that turn or hide letters are shown as `\u001b`, which JSON reads back as they were. What
a medium would take for more than text, such as a formula or a tag, is made text again; anything else stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar

from models.hidden import HIDDEN

T = TypeVar("T")

FORMULA = re.compile(r"(^|[;\t\n])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])", re.MULTILINE)
"""Where a spreadsheet may begin a cell with a formula; some begin one behind a semicolon."""
AMOUNT = re.compile(r"[+-]?+(\s?\d[\d.,]*+(e[+-]?\d++)?+)?+[\w%/µ·²³\s]*+")
"""A number with words behind it: no formula does harm without brackets or signs. Nothing is tried twice (`+` behind a
repeat), so that it takes no longer than the text is."""
UNIT = re.compile(r"(?<=\d) (?=(?:%|[A-Za-z/\u00b5]{1,5})(?:[\s,;:.)]|$))")
"""The space between a number and its unit, at which no line ends; a short word counts as one."""
MARKUP = re.compile(
    r"(?P<kept>\\[!-/:-@\[-`{-~]|(?P<ticks>`++)[^\n]{0,2000}?(?<!`)(?P=ticks)(?!`))"
    r"|`++|\\\Z|<(?=[A-Za-z/!?])|(?<=\])[(:]"
)
"""What Markdown would take for more than text: a backtick without another, what begins a tag, or the address of a link
or a picture, and a backslash before what is not seen here; kept is what is text by a backslash, or code in a line."""


def shown(text: str) -> str:
    r"""Return a text in which nothing is hidden; lines and tabs stay.

    >>> print(shown("a\x1b[2Jb"))
    a\u001b[2Jb
    """
    return HIDDEN.sub(_named, text)


def line(text: str) -> str:
    r"""Return a text in which nothing is hidden as one line: a title cannot make lines of its own.

    >>> print(line("a\nok  other.toml"))
    a\u000aok  other.toml
    """
    return shown(text).replace("\n", "\\u000a").replace("\t", "\\u0009")


def cell(text: str) -> str:
    """Return a text as the cell of a spreadsheet that reads it anew: from CSV, from the clipboard, as a chart's name.

    A quotation mark stands before what would be a formula, as it does where one types it.

    >>> cell("=1+1"), cell("-3.5 %"), cell("r;=1+1")
    ("'=1+1", '-3.5 %', "r;'=1+1")
    """
    made = shown(text)
    return made if AMOUNT.fullmatch(made) else FORMULA.sub(r"\1'", made)


def label(text: str) -> str:
    """Return a text as a name in the chart of a workbook, where whatever has `!` may be taken for a place in a sheet.

    >>> label("Sales!A1") == "Sales\uff01A1"
    True
    """
    return cell(text).replace("!", "\uff01")


def cells(row: Iterable[object]) -> list[object]:
    """Return a row for CSV, nothing for None; its numbers stay numbers."""
    return ["" if value is None else cell(value) if isinstance(value, str) else value for value in row]


def markdown(text: str) -> str:
    r"""Return a text for a Markdown page: tags and links are letters; code between backticks is so already.

    >>> print(markdown("<b> of `<NAME>`, 1 < 2"))
    \<b> of `<NAME>`, 1 < 2
    """
    return MARKUP.sub(lambda match: match["kept"] or "".join(f"\\{letter}" for letter in match[0]), shown(text))


def bound(text: str) -> str:
    r"""Return a text in which no number parts from its unit at the end of a line.

    >>> bound("5.4 PB, read at 12 GiB/s").split(" ")
    ['5.4\xa0PB,', 'read', 'at', '12\xa0GiB/s']
    """
    return UNIT.sub("\N{NO-BREAK SPACE}", text)


def rich(text: str) -> str:
    """Return a text for a page of tags, such as a label of the window.

    >>> rich("<img src=x>")
    '&lt;img src=x&gt;'
    """
    from html import escape  # imported late: few media have tags

    return escape(shown(text))


def mapped(content: T, change: Callable[[str], str]) -> T:
    """Return a document, or a part of one, with all of its texts changed; what only programs read stays."""
    changed: T = _mapped(content, change)
    return changed


def _mapped(content: Any, change: Callable[[str], str]) -> Any:
    if isinstance(content, str):
        return change(content)
    if content is None or isinstance(content, (float, int, bytes, Enum)):
        return content
    if isinstance(content, Mapping):
        return {_mapped(key, change): _mapped(value, change) for key, value in content.items()}
    if is_dataclass(content) and not isinstance(content, type):
        read = {field.name: getattr(content, field.name) for field in fields(content) if field.name not in UNREAD}
        return replace(content, **{name: _mapped(value, change) for name, value in read.items()})
    made = (_mapped(part, change) for part in content)
    return tuple(made) if isinstance(content, tuple) else list(made)


UNREAD = {"data", "files", "command", "locale", "key", "unit", "place", "logo"}
"""Parts of a document that are no words for people."""


def _named(match: re.Match[str]) -> str:
    code = match.group().encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{code[i : i + 2].hex()}" for i in range(0, len(code), 2))
