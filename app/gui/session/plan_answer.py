"""What a plan came to, in words and numbers that the window shows and a project keeps. Knows no Qt."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")


class ShownMet(_Part):
    """One requirement of one candidate: how far it is met, in words; `margin` and `chance` are None if not known.

    `likely` is between what the measure lies, in words; "" where that is not known.
    """

    words: str
    said: str
    is_met: bool | None
    margin: float | None = None
    chance: float | None = None
    likely: str = ""


class ShownPoint(_Part):
    """One option: how many servers it has, what it comes to, and its measures by requirement, in units of their own."""

    servers: float
    objective: float
    values: dict[str, float]


class ShownCandidate(_Part):
    """A candidate with its best option, or the one that comes nearest; `mends` says what would make that do.

    `warnings` say what is unwise in it as it was simulated. `but` says why one does not do that meets each requirement:
    it has more servers than it may have, or is not as sure as asked. `doubt` says what one that does is not sure of.

    `facts` are those of the strip: what is usable, what it survives, how long it takes, what it costs. `number` is its
    place in the plan, by which it has its colour and its mark.
    """

    name: str
    number: int = 0
    option: str
    values: tuple[tuple[str, str], ...] = ()
    is_feasible: bool
    met: tuple[ShownMet, ...]
    facts: dict[str, str]
    mends: str
    warnings: tuple[str, ...] = ()
    points: tuple[ShownPoint, ...]
    but: str = ""
    doubt: str = ""

    @property
    def count(self) -> str:
        """How many requirements it meets, in words."""
        but = f", {self.but}" if self.but else ""
        but = f" as calculated, but is {self.doubt.partition(':')[0]}" if self.doubt else but
        return f"meets {sum(met.is_met is True for met in self.met)} of {len(self.met)}{but}"


class ShownLimit(_Part):
    """A requirement whose measure is a number: its limit, in the unit of the points; whether it takes a run."""

    words: str
    unit: str
    limit: float
    is_simulated: bool = False


class ShownMap(_Part):
    """Who wins as two numbers change: cells by row and column, each the number of its candidate and words.

    `names` are the candidates; a number beyond them is none. `asked` is the row and the column of the plan itself.
    """

    name: str
    said: str
    x: str
    y: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[tuple[int, str], ...], ...]
    names: tuple[str, ...]
    asked: tuple[int, int] | None = None


class ShownPlan(_Part):
    """The answer of a plan; `asked` is the text that it answers, `candidates` are ranked, `page` is the report."""

    asked: str
    verdict: str
    objective: str
    unit: str
    candidates: tuple[ShownCandidate, ...]
    limits: tuple[ShownLimit, ...]
    page: str = ""
    maps: tuple[ShownMap, ...] = ()
