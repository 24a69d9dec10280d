"""What a plan came to: of each candidate the option that meets all, or the one that comes nearest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import chain

from app.reports.held_up import settings
from app.reports.library.meanings import warned
from app.reports.plan.plan_decision import FlipMap, LeastRegret
from app.reports.prediction_report import Prediction
from models.jobs.mapreduce import MapReduce
from models.jobs.together import renamed
from models.planning.grid import GROUP_COUNT
from models.planning.lint import lint, rented_idle
from models.planning.sheet import Required
from models.planning.study import Plan
from models.scenario import Scenario
from simulator.studies.measures import Measure
from simulator.studies.points import Answer
from simulator.studies.size import Option, Sizing


@dataclass(frozen=True, slots=True)
class Met:
    """How far one requirement is met: what was measured, the part to spare (negative: missed), and the chance.

    All are None where it takes a run that nobody made; what is not asked of a candidate has no bound to spare. The
    chance is None, too, where nothing is known of it.
    `first_missed` is the first day on which it is missed; where it is met, that is not within the horizon.
    `prediction` says between what a measure of a run lies; None where nothing is known of it.
    """

    required: Required
    measure: Measure | None
    margin: float | None
    chance: float | None
    first_missed: date | None = None
    prediction: Prediction | None = None

    @property
    def is_met(self) -> bool | None:
        """Whether it is met in the likely case; None if that is not known."""
        return None if self.margin is None else self.margin >= 0

    @property
    def is_spared(self) -> bool:
        """Whether it is not asked of the candidate, which does without the workload."""
        return self.measure is None and self.margin == math.inf

    @property
    def untold(self) -> str:
        """What to say where it is not known."""
        return "not simulated" if self.required.workload else "not known"


@dataclass(frozen=True, slots=True)
class Wanting:
    """The option of a candidate that comes nearest to meeting all; `mending` meets all but limits such as the budget.

    They are the same option where nothing but a limit is missed. `always_missed` is what no number of servers that was
    looked at meets; `furthest` has the most servers of those that were simulated.
    """

    option: Option
    mending: Option | None
    always_missed: tuple[Required, ...] = ()
    furthest: Option | None = None


@dataclass(frozen=True, slots=True)
class Ran:
    """A run of an option: the names of its workloads, the scenario as it was run, and what it came to."""

    workloads: tuple[str, ...]
    scenario: Scenario
    answer: Answer

    def stated_by(self, key: str) -> str:
        """Return the key by which a candidate states a setting of its profile: a framework for all MapReduce jobs."""
        alone = self.scenario.each()
        named = renamed(key, self.workloads[0]) if "" in alone and self.workloads else key
        for name in self.workloads:
            own = f"workloads.{name}."
            if named.startswith(f"{own}framework.") and isinstance(alone.get(name, self.scenario).workload, MapReduce):
                return named.removeprefix(own)
        return named

    def spelled(self, key: str) -> str:
        """Return what a sentence calls a setting of its profile."""
        return f"{self.stated_by(key)} of the candidate"


@dataclass(frozen=True)
class Judged:
    """A candidate: its best option, or the one that comes nearest, with each requirement and the runs that tell.

    Where that option was not simulated, `further` are the runs of the one with the most servers that was. `is_beyond`:
    it has more servers than the candidate may have.
    """

    name: str
    option: Option | None
    is_feasible: bool
    met: tuple[Met, ...]
    wanting: Wanting | None = None
    reasons: tuple[str, ...] = ()
    runs: tuple[Ran, ...] = ()
    further: tuple[Ran, ...] = ()
    is_beyond: bool = False

    @property
    def meeting(self) -> Option | None:
        """The option that meets all; where none does, one that meets all but limits; None where none does that."""
        return self.option if self.is_feasible else self.wanting.mending if self.wanting is not None else None

    @property
    def refusal(self) -> str:
        """Why the option could not be run; "" where it was, or nobody tried."""
        has_failed = self.option is not None and self.option.is_decided and self.option.answer is None
        return self.option.reason if self.option is not None and has_failed else ""

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What limits it by a setting, and is unwise, as it was simulated: each key once, with the way out.

        A setting has the key that a plan states it by.
        """
        told = dict[str, str]()
        for ran in self.runs or self.further:
            told |= settings(ran.scenario, ran.answer, ran.spelled)
        for ran in self.runs or self.further:
            for one in lint(ran.scenario):
                if one.is_warning:
                    told.setdefault(one.key, f"unwise: {warned(ran.scenario, one.key, one.message)}.")
        if self.option is not None and self.option.scenario is not None:  # a run alone does not say that it comes again
            told |= {one.key: f"unwise: {one.message}." for one in rented_idle(self.option.scenario)}
        return tuple(told.values())

    @property
    def but(self) -> str:
        """Why it does not do, though each requirement is met in the likely case; "" where that is not so."""
        if self.is_feasible or self.option is None or not all(met.is_met for met in self.met):
            return ""
        if self.is_beyond:
            return "beyond its range"
        return "not as surely as asked" if self.option.is_decided else ""

    @property
    def missed(self) -> tuple[Met, ...]:
        """The requirements that are missed, the worst first."""
        missed = [met for met in self.met if met.margin is not None and met.margin < 0]
        return tuple(sorted(missed, key=lambda met: met.margin or 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAnswer:
    """The answer to a plan; `judged` are its candidates in their order, `objective` is what was to be least.

    `beyond` are options with more servers than their candidates may have, which were looked at to say what would mend
    these. `flips` say in sentences what would change the decision, `maps` show where another candidate wins, `regret`
    says which one loses least over all that is assumed; `runs` is how many were made, `effort` how many more for how
    sure the answer is, as `--interval` has it.
    """

    plan: Plan
    path: str
    sizing: Sizing
    objective: str
    judged: tuple[Judged, ...]
    flips: tuple[str, ...]
    runs: int
    version: str
    maps: tuple[FlipMap, ...] = ()
    regret: LeastRegret | None = None
    effort: str = "fast"
    beyond: tuple[Option, ...] = ()

    def known_of(self, judged: Judged) -> list[Option]:
        """Return the options of a candidate that tell its curves: all of its range, beyond it what ran or is told."""
        told = [judged.option, judged.wanting and judged.wanting.mending]
        further = [option for option in self.beyond if option.answer or any(option is one for one in told)]
        return [option for option in (*self.sizing.options, *further) if option.candidate == judged.name]

    @property
    def ranked(self) -> list[Judged]:
        """The candidates, those that meet all first, by the objective; then the others, nearest first.

        Of a search that was stopped, one of which less is known stands behind: it misses nothing as nobody has looked.
        """
        return sorted(self.judged, key=_rank)

    @property
    def unit(self) -> str:
        """The unit of the objective, "1" where no option is measured by it."""
        options = chain(self.sizing.options, (judged.option for judged in self.judged if judged.option is not None))
        known = (option.measures.get(self.objective) for option in options)
        return next((measure.unit for measure in known if measure is not None), "1")

    @property
    def best(self) -> Judged | None:
        """The candidate that meets all with the least of the objective; None if none meets all."""
        first = self.ranked[0]
        return first if first.is_feasible else None


def servers_of(option: Option) -> float:
    """Return the servers of an option: those that hold the data, and those of its jobs."""
    return sum(float(value) for key, value in option.values if GROUP_COUNT.fullmatch(key))


def _rank(judged: Judged) -> tuple[bool, float, float, float]:
    option = judged.option
    if option is None:
        return True, math.inf, math.inf, math.inf
    unknown = 0 if option.is_decided else sum(met.is_met is None for met in judged.met)
    missed = 0.0 if judged.is_feasible else -min((met.margin or 0.0 for met in judged.missed), default=0.0)
    return not judged.is_feasible, unknown, missed, option.objective
