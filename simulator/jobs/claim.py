"""What a run has of the containers that several share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from models.handout import Master
from models.jobs.schedule import Schedule

NOBODY = Master((), 0.0, 1.0)
"""The master of a run that has none."""


@dataclass(slots=True, eq=False)
class Claim:
    """What one run has of the containers: the part of a server that each takes, and how many it holds on each.

    Those of one `kind` have the same parts and queue, which holds `most` servers. `held` is in servers. `waited` are
    the seconds in which it waited, by who held containers meanwhile: the seconds times the part of all servers; those
    in its `row` come to them once it or the other leaves. Until its `master` stands on a node, nothing of it has
    begun; `begin` does that.

    Of those that it holds, `idle` ones have had no task since so many seconds; `keeps` says for how long it keeps them.
    One that keeps all to its end takes what is free once it `grabs`.
    """

    entry: Schedule
    queue: str
    kind: int
    number: int
    parts: tuple[float, ...]
    most: float
    master: Master = NOBODY
    begin: Callable[[], None] | None = None
    stands_on: int | None = None
    keeps: float = 0.0
    grabs: bool = False
    idle: dict[int, list[float]] = field(default_factory=dict)
    on: dict[int, int] = field(default_factory=dict)
    held: float = 0.0
    row: int = 0
    waited: dict[str, float] = field(default_factory=dict)
    whole: float = field(init=False)  # containers that all servers have for it

    def __post_init__(self) -> None:
        self.whole = sum(1 / part for part in self.parts if part)
