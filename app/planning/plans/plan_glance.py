"""What a plan comes to before anything is simulated: of a candidate the fewest servers that closed forms allow."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass

from app.planning.loading import rated
from models.planning.grid import Values
from models.planning.sheet import Required
from models.target import plain
from profiles.plans.sheet import Sheet
from simulator.studies.measures import Measure, by_plain_name, of_scenario


@dataclass(frozen=True, slots=True)
class Glance:
    """A candidate by closed forms: its measures, and what it misses of the requirements `asked` that need no run."""

    candidate: str
    known: Mapping[str, Measure]
    missed: tuple[Required, ...]
    asked: int

    @property
    def met(self) -> int:
        """How many requirements it meets."""
        return self.asked - len(self.missed)

    def rank(self, cost: str) -> tuple[int, float]:
        """Return what sorts the best first: what meets most, then what costs least."""
        measure = self.known.get(cost)
        return -self.met, measure.value if measure is not None else float("inf")


def glance(sheet: Sheet, candidate: str) -> Glance:
    """Return a candidate with the fewest servers that have the room and survive what is asked; else with the most.

    More servers never have less room or survive less, so that few numbers of servers are looked at.

    Raises:
        ProblemError: the candidate cannot be set up.
        RefusalError: it has too many points.
    """
    points, whole, settings = sheet.points(candidate), sheet.whole(candidate), sheet.settings(candidate)
    required = [need for need in sheet.plan.requirements.required() if not need.workload]
    names = [sheet.plan.requirements.cost]

    def known(values: Values) -> Mapping[str, Measure]:
        return by_plain_name(of_scenario(rated(whole.load({**settings, **dict(values)}).scenario), names))

    def has_enough(values: Values) -> bool:
        measures = known(values)
        return all(_is_met(need, measures) for need in required if need.target.sense == ">=")

    at = bisect_left(points, True, key=has_enough)
    measures = known(points[min(at, len(points) - 1)])
    missed = tuple(need for need in required if not _is_met(need, measures))
    return Glance(candidate, measures, missed, len(required))


def _is_met(required: Required, known: Mapping[str, Measure]) -> bool:
    measure = known.get(plain(required.target.measure))
    return measure is not None and required.target.is_met(measure.value, measure.unit)
