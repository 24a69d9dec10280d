"""A candidate of a plan where a profile may stand: `PLAN#NAME`, such as hdfs-or-minio#hdfs-on-hard-drives.

The name is the candidate's, or that of the file that `simulate plan --write-profiles` writes of it: small letters and
hyphens, with the workloads of the run behind it where those of the plan run apart. The profile is that of the
candidate on the first day, at the first point that the plan states: with its fewest servers.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from models.problem import Problem, ProblemError, RefusalError, did_you_mean, located
from models.scenario import Scenario
from models.target import plain
from models.units import either
from models.values import value
from profiles.loading.catalog import PROFILES, SHIPPED, STUDIES
from profiles.loading.loader import Loaded, Variants, load

if TYPE_CHECKING:
    from models.planning.grid import Values
    from models.planning.sheet import Demand
    from profiles.plans.sheet import CandidateRun, Sheet

SIGN = "#"
DURATION, WORST = "duration", "worst_duration"
"""What a job alone is measured by, and one that comes again beside others."""


@value()
class Taken:
    """A candidate that has been taken from its plan, with the workloads of a run."""

    sheet: Sheet
    design: CandidateRun

    @property
    def points(self) -> list[Values]:
        """What its points set.

        Raises:
            ProblemError: there are too many.
        """
        try:
            return self.sheet.points(self.design.candidate)
        except RefusalError as error:
            raise located(error, f"{self.sheet.path}") from error

    @property
    def run(self) -> tuple[Demand, ...]:
        """The workloads that run at the same time."""
        return self.design.run

    @property
    def varied(self) -> dict[str, str]:
        """What the plan varies of it, by key: numbers of servers, and what the candidate states besides."""
        return self.sheet.varied(self.design.candidate)

    @property
    def targets(self) -> tuple[str, ...]:
        """What the plan requires of it on any day, by the measures of a run that holds its workloads alone."""
        from models.planning.sheet import ROOM

        texts = []
        for required in self.sheet.plan.requirements.required():
            asked = required.target
            name, is_own = plain(required.workload), any(demand.name == required.workload for demand in self.run)
            if is_own:
                own = asked.measure.removeprefix(f"{name}_")
                beside = f"{name}_{WORST if own == DURATION else own}"
                texts.append(f"{own if len(self.run) == 1 else beside} {asked.sense} {asked.limit}")
            elif not required.workload and asked.measure != ROOM and not required.is_limit:
                texts.append(f"{asked.measure} {asked.sense} {asked.limit}")
        return tuple(texts)

    def variants(self) -> Variants[Scenario]:
        """Return its profile, of which variants are wanted.

        Raises:
            ProblemError: with what is wrong with the parts that it names.
        """
        candidate = self.design.candidate
        is_degraded = self.sheet.plan.requirements.while_degraded is not None
        read = self.sheet.variants(candidate, self.run, is_degraded=is_degraded)
        return read.changed({**self.sheet.settings(candidate), **dict(self.points[0])})


def split(name: str) -> tuple[str, str] | None:
    """Return the plan and the candidate that a name means, None where it is that of a profile or a file."""
    plan, sign, candidate = name.rpartition(SIGN)
    return (plan, candidate) if plan and sign and not name.endswith(".toml") and not os.path.exists(name) else None


def taken(name: str) -> Taken | None:
    """Return the candidate that `PLAN#NAME` means, None where a name is that of a profile or a file.

    Raises:
        ProblemError: with all that is wrong with the plan, or with the names of its candidates.
    """
    parts = split(name)
    if parts is None:
        return None
    from profiles.plans.sheet import name_of, sheet

    plan, candidate = parts
    read = sheet(plan)
    known = read.candidate_runs()
    design = known.get(name_of(candidate))
    if design is None:
        names = [f"{plan}{SIGN}{other}" for other in known]
        runs = [other for other in names if other.startswith(f"{plan}{SIGN}{name_of(candidate)}-")]
        near = "" if runs else did_you_mean(name_of(candidate), known)
        near = near or f"; there are {either(runs or names)}"
        raise ProblemError([Problem(plan, None, "candidates", f"no such candidate and run: '{candidate}'{near}")])
    return Taken(read, design)


def targets_of(name: str) -> tuple[str, ...]:
    """Return what the plan of `PLAN#NAME` requires on any day; nothing for a profile, which states no requirements.

    Raises:
        ProblemError: with all that is wrong with the plan, or with the names of its candidates.
    """
    candidate = taken(name)
    return () if candidate is None else candidate.targets


def years_of(name: str) -> float | None:
    """Return the years that the plan of `PLAN#NAME` covers, over which its costs are told; None for a profile.

    Raises:
        ProblemError: with all that is wrong with the plan, or with the names of its candidates.
    """
    candidate = taken(name)
    return None if candidate is None else candidate.sheet.plan.requirements.years


def variants_of(name: str) -> Variants[Scenario]:
    """Return a profile, by shipped name, path or `PLAN#NAME`, of which variants are wanted.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    candidate = taken(name)
    return Variants(_path(name), Scenario) if candidate is None else candidate.variants()


def load_scenario(name: str, settings: Mapping[str, str]) -> Loaded[Scenario]:
    """Return a profile, by shipped name, path or `PLAN#NAME`, with changes by key.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    candidate = taken(name)
    return load(_path(name), Scenario, settings) if candidate is None else candidate.variants().load(settings)


def _path(name: str) -> str:
    """Return a name, that of a shipped study as its file, so that what it is can be told."""
    study = SHIPPED.find(name, [STUDIES])
    return name if study is None or SHIPPED.find(name, PROFILES) is not None else f"{study}"
