"""Long work that yields wherever it may be interrupted, so that a window answers in between. Knows no Qt."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias, TypeVar

Answer = TypeVar("Answer")
Steps: TypeAlias = Generator[None, None, Answer]
FEW = 2_000  # things that are dealt with between two such places: some milliseconds


def finished(steps: Steps[Answer]) -> Answer:
    """Return what work comes to, all of it done at once."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            answer: Answer = end.value
            return answer
