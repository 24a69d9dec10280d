"""What is said of runs beside their answers: settings that limit them, where more hardware would not help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from app.reports.library.meanings import warned
from models.planning.settings import DRIVES, VOLUME, behind
from models.scenario import Scenario
from models.units import format_duration
from models.work import COMMIT
from simulator.limits import queued_at
from simulator.result import Result
from simulator.studies.points import Answer

MOST = 0.5
"""Part of the time from which settings, and not hardware, are told in a verdict as what holds a run up.
Assumption: where they take less, hardware decides."""
NOTICEABLE = 0.25
"""Part of the time from which a setting that is no fault is told as a limit. Assumption: less of it gains little."""
BOUNDED = ("workers", "index")
"""Kinds of groups that are no hardware: of what they are a setting says how many there are."""
FELT = 0.01
"""Part of the time from which one is told that is a fault. Assumption: of less nobody takes notice."""


def settings(scenario: Scenario, answer: Answer | Result, spelled: Callable[[str], str] = str) -> dict[str, str]:
    """Return what limits a run by a setting, in a sentence with the way out, by key; what limits it longest first.

    The sentence names a key as it is `spelled` where it is stated.
    """
    return {key: text for _, key, _, text in _told([("", scenario, answer)], spelled)}


def shares(scenario: Scenario, answer: Answer | Result) -> dict[str, float]:
    """Return the part of a run's time for which each of these settings limits it, by key."""
    return {key: share for _, key, share, _ in _told([("", scenario, answer)])}


def of_each(runs: Iterable[tuple[str, Scenario, Answer]], spelled: Callable[[str], str] = str) -> Iterator[str]:
    """Yield what limits some runs by a setting, each limit of the run of which it takes most, by the run's name."""
    yield from (f"{name}: {text}" for name, _, _, text in _told(runs, spelled))


def _told(
    runs: Iterable[tuple[str, Scenario, Answer | Result]], spelled: Callable[[str], str] = str
) -> Iterator[tuple[str, str, float, str]]:
    """Yield a run's name, the key of a setting that limits it, for which part of it, and a sentence; each key once."""
    longest: dict[str, tuple[float, str, Scenario, float]] = {}
    for name, scenario, answer in runs:
        for limit, share in _limits(answer).items():
            if share > longest.get(limit, (0.0,))[0]:
                longest[limit] = share, name, scenario, answer.duration
    keys = set[str]()
    for limit, (share, name, scenario, lasts) in sorted(longest.items(), key=lambda item: -item[1][0]):
        group = queued_at(limit)
        for advice in behind(scenario, group, is_queue=group != limit):
            if advice.key not in keys and share >= (FELT if advice.is_warning else NOTICEABLE):
                keys.add(advice.key)
                held = f"for {format_duration(share * lasts)} of {format_duration(lasts)} ({limit})"
                way_out = f"{warned(scenario, advice.key, advice.message)} ({spelled(advice.key)})"
                yield name, advice.key, share, f"limited by a setting, not by hardware, {held}: {way_out}."


def _limits(answer: Answer | Result) -> dict[str, float]:
    """Return the part of a run's time of what limits it and its stages, but for hardware that no setting keeps busy."""
    held = {answer.bottleneck.resource: answer.bottleneck.share}
    for stage in answer.stages:
        limit, part = stage.bottleneck, stage.decided / (answer.duration or 1.0)
        if stage.name == COMMIT:
            held[COMMIT] = max(part, held.get(COMMIT, 0.0))
        elif limit is not None and limit.resource != answer.bottleneck.resource:  # whose seconds are of the clock
            held[limit.resource] = max(limit.share * part, held.get(limit.resource, 0.0))
    bounded = {group.group for group in answer.groups if group.kind in BOUNDED}
    return {
        limit: share
        for limit, share in held.items()
        if "/" not in limit or limit in bounded or limit.endswith((VOLUME, DRIVES)) or limit != queued_at(limit)
    }
