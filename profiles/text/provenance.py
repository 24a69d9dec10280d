"""Where a number comes from: `source = "published: EC2 User Guide, 2020-04-21"`.

The word before the first colon is the kind. A table's `source` holds for all that stands in it, in that file;
`[table.sources]` gives single keys their own. A file that changes a number of another file does not inherit its source.
"""

from __future__ import annotations

from models.problem import refusal
from models.units import either
from models.values import value

KINDS = ("measured", "documented", "published", "prior", "fitted", "chosen", "assumed")
UNSURE = ("prior", "assumed")  # kinds of numbers that nobody has found out here: each has a range
COMMAND_LINE = "--set"


@value()
class Source:
    """What a number rests on: one of `KINDS`, the words of the profile, and the file that says so."""

    kind: str
    text: str
    file: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


SET_BY_HAND = Source("assumed", "set on the command line", COMMAND_LINE)


def read_source(stated: object, file: str) -> Source:
    """Return the source that a profile states.

    Raises:
        RefusalError: it is not text, has no known kind, or nothing after the kind.
    """
    kind, _, text = stated.partition(":") if isinstance(stated, str) else ("", "", "")
    if kind not in KINDS or not text.strip():
        got = f"'{stated}'" if isinstance(stated, str) else f"{stated}"
        raise refusal("", f"expected text that starts with a kind, {either(KINDS)}, and a colon (got {got})")
    return Source(kind, text.strip(), file)
