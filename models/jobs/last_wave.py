"""What a last wave of tasks leaves idle, in words: tasks run as many at a time as there are containers, or places."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence as Series

LAST_WAVE = 0.1
"""Part of the containers up to which a last wave of tasks is told. Assumption: with more, fewer tasks spare less."""

FEW_WAVES = 20
"""Waves of a stage up to which it is told where the last one runs. Assumption: one of more is not a twentieth of it."""


def last_waves(stages: Iterable[tuple[str, int, int]]) -> list[str]:
    """Return in words which stages, each a name, tasks and containers, leave a few tasks to a wave of their own."""
    return [
        f"one more wave: {tasks:,} {name} on {slots:,} containers leave {tasks % slots:,} to the last"
        for name, tasks, slots in stages
        if tasks > slots and 0 < tasks % slots <= LAST_WAVE * slots
    ]


def crowded(name: str, slots: Series[int], begun: Series[int], whole: Callable[[int], int]) -> str:
    """Return in words that some servers are full in the last wave of a stage, which leaves others idle; "" otherwise.

    They have so many slots and began so many tasks, each for a `whole` number of them. Equal tasks keep step: a server
    that has a slot less than others ends a wave sooner, and takes all that it has room for. Tasks that compute
    unequally (compute_spread) spread the last ones. Where servers are faster, these run more waves.
    """
    tasks, there = sum(begun), sum(slots)
    waves = math.ceil(tasks / max(there, 1))
    last = tasks - (waves - 1) * there
    full = sum(many == waves * held > 0 for held, many in zip(slots, begun, strict=True))
    is_faster = any(many > waves * held for held, many in zip(slots, begun, strict=True))
    if not 2 <= waves <= FEW_WAVES or is_faster or not full or not LAST_WAVE * there < last < (1 - LAST_WAVE) * there:
        return ""
    return (
        f"one more wave on {whole(full):,} of {whole(len(slots)):,} servers: the last {whole(last):,} of"
        f" {whole(tasks):,} {name} leave {whole(there - last):,} containers idle, but these servers are free first and"
        " fill all of theirs; times that vary more would spread them"
    )
