"""The mark by which a result tells the acceptance kit whose script measured it."""

from __future__ import annotations

import re

_MARK = re.compile(r"headroom-accept(?:: [\w-]+@|-)([0-9a-f]{8})\b")


def kit_mark(text: str) -> str:
    """Return the mark that stands in a text: in a line of the script, or in the name of its bucket; "" without one."""
    match = _MARK.search(text)
    return match[1] if match else ""
