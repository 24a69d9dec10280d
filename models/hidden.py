"""Letters that are not seen, or turn or hide others: a text of anybody may hold them, and a terminal obeys some."""

from __future__ import annotations

import re

# Unicode's Cc but for tab and line end, Zl, Zp, Cs, and Cf but for soft hyphens and joiners, which scripts need
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u0600-\u0605\u061c\u06dd\u070f\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e007f]"
)


def escaped(toml: str) -> str:
    r"""Return TOML of the same meaning in whose texts nothing is hidden; all of them are basic strings in one line.

    >>> print(escaped('title = "a\x9bb"'))
    title = "a\u009bb"
    """
    return HIDDEN.sub(lambda match: _escape(ord(match[0])), toml)


def _escape(code: int) -> str:
    return f"\\u{code:04x}" if code < 1 << 16 else f"\\U{code:08x}"
