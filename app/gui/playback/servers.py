"""How busy each server was over a run, and why nothing runs at a time. Knows no Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.gui.jobs.steps import Steps
from app.gui.playback.model import Playback
from app.gui.playback.places import FEWER, Place
from app.reports.words import percent
from models.units import format_duration
from simulator.result import BUSY, TaskResult

Floats = NDArray[np.float64]
KINDS = {"processor": "processors", "drives": "drives", "network": "links"}
"""What a server is made of, in words, and the field of `Place` that has it."""


@dataclass(frozen=True, slots=True)
class ServerTimes:
    """One server: how busy what it is made of was over the run, 0 to 1, by a word for it."""

    place: Place
    means: dict[str, float]

    @property
    def name(self) -> str:
        """The name of the server."""
        return self.place.name

    @property
    def busiest(self) -> tuple[str, float]:
        """What of it was busiest over the run, and how much, 0 to 1."""
        kind = max(self.means, key=self.means.__getitem__)
        return kind, self.means[kind]

    def times(self, playback: Playback) -> dict[str, Floats]:
        """Return the utilization of what it is made of in each bin, 0 to 1."""
        return {word: playback.mean_of(numbers) for word, numbers in _parts(self.place).items()}


def servers(playback: Playback) -> Steps[list[ServerTimes]]:
    """Return the servers of a run, those that had most to do first: the others waited for them, in pieces."""
    places = [place for rack in playback.racks for place in rack.places]
    means = playback.means_over_time()
    yield
    busy = means.tolist()
    timed = []
    for at, place in enumerate(places):
        if at % FEWER == 0:
            yield
        timed.append(ServerTimes(place, _means(place, busy)))
    yield
    return sorted(timed, key=lambda times: -times.busiest[1])


def task_words(playback: Playback, task: TaskResult) -> str:
    """Return what is said of one of the slowest tasks: where it ran, for how long, and what it waited for.

    Where nothing of its server was busy for most of its time, that is what held its stage up, elsewhere.
    """
    text = f"{task.stage} {task.number}: {_at(task.end - task.start)} on {task.server}"
    if task.utilization >= BUSY:
        return f"{text}, {task.busiest.partition('/')[2]} {percent(task.utilization)} busy"
    limits = (stage.bottleneck for stage in playback.stages if stage.name == task.stage)
    limit = next((bottleneck for bottleneck in limits if bottleneck is not None), None)
    return f"{text}, waits for {limit.resource}" if limit else text


def server_of(playback: Playback, resource: int) -> str:
    """Return the server that a resource belongs to, "" for none."""
    places = (place for rack in playback.racks for place in rack.places)
    return next((place.name for place in places if resource in (*place.processors, *place.drives, *place.links)), "")


def why_idle(playback: Playback, time: float) -> str:
    """Return why nothing runs at a time (s) of a run."""
    lost = playback.failed(time)
    if lost:
        first = lost[0]
        return f"waits for what was lost with {first.component}: given up or copied by {_at(first.healthy_at)}"
    starts = [stage.start for stage in playback.stages] if not playback.users.names else []
    starts += [start for lane in playback.users.lanes for start, _, _ in lane.spans]
    later = min((start for start in starts if start > time), default=None)
    if later is None:
        return "nothing is left to run: results are put in place"
    if playback.users.names:
        return f"nothing is due until {_at(later)}"
    is_first = all(start >= later for start in starts)
    return f"{'the job is being set up' if is_first else 'the next stage is being set up'}, until {_at(later)}"


def _parts(place: Place) -> dict[str, list[int]]:
    """Return the numbers of what a server is made of, by a word for it."""
    return {word: numbers for word, kind in KINDS.items() if (numbers := getattr(place, kind))}


def _means(place: Place, busy: Sequence[float]) -> dict[str, float]:
    return {word: sum(busy[number] for number in numbers) / len(numbers) for word, numbers in _parts(place).items()}


def _at(time: float) -> str:
    return f"{time:.1f} s" if time < 60 else format_duration(round(time))
