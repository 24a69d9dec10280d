"""From a plan to profiles: each candidate with its workloads is one, which anybody can run.

A plan says what a customer would say; which group of servers a part runs on, and on which drives it keeps what is
local, follows: data lies on `SERVERS`, jobs run on `COMPUTE` where a candidate has servers of their own for them,
requests come from `CLIENTS`. What a plan states keeps its file and line, so that a refusal names them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from models.jobs.together import APART
from models.planning.grid import Values, axis, combined
from models.planning.sheet import Demand
from models.planning.study import FOLDER, Plan
from models.problem import Problem, ProblemError, did_you_mean
from models.quantity import UNITS_REQUIRED, Model
from models.scenario import Scenario
from models.units import either
from profiles.loading.catalog import SHIPPED
from profiles.loading.loader import Loaded, Variants, load, load_text
from profiles.loading.overrides import key_of
from profiles.loading.reach import real
from profiles.loading.usual import says_which, stating
from profiles.plans.sheet_profile import COMPUTE_COUNT, COUNT, profile_tree
from profiles.text.provenance import COMMAND_LINE
from profiles.text.tree import Array, Leaf, child, dotted

__all__ = ["COMPUTE_COUNT", "COUNT", "CandidateRun", "Sheet", "name_of", "sheet", "sheet_of_text"]


_SIGNS = re.compile(r"[\W_]+")
_LONGEST = 60
"""Letters of a name: of four bytes each, and with what may follow, they make a name of a file, of at most 255 bytes."""


@dataclass(frozen=True, slots=True)
class CandidateRun:
    """A candidate of a plan with the workloads of a run: what one profile holds."""

    candidate: str
    run: tuple[Demand, ...]


def name_of(text: str) -> str:
    """Return the name by which a candidate, or a candidate and its workloads, may be typed: letters and hyphens."""
    return _SIGNS.sub("-", text.lower()).strip("-")


@dataclass(frozen=True)
class Sheet:
    """A plan as it has been read: the file in which it stands, and what it states."""

    path: Path
    loaded: Loaded[Plan]

    @property
    def plan(self) -> Plan:
        """What the plan says."""
        return self.loaded.scenario

    def changed(self, settings: Mapping[str, str]) -> Sheet:
        """Return the plan with further changes by key of all candidates' profiles, or of those alone that have it."""
        candidates = {}
        for name, candidate in self.plan.candidates.items():
            changes = dict(candidate.set)
            for written, text in settings.items():
                if (needed := self._needed(name, written)) is not None:
                    changes |= {key: made for key, made in needed.items() if key not in changes} | {written: text}
            candidates[name] = candidate.model_copy(update={"set": changes})
        plan = self.plan.model_copy(update={"candidates": candidates})
        return replace(self, loaded=replace(self.loaded, scenario=plan)) if settings else self

    def _needed(self, candidate: str, written: str) -> dict[str, str] | None:
        """Return the changes that a key of a candidate's profile needs; None where only others have such a key.

        A store, and a client, have keys of their own. A client that a candidate leaves open is that of the workload
        that has the key, and then that of all.
        """
        first, *rest = key_of(written) or ("",)
        if first not in ("storage", "client") or says_which(rest):
            return {}
        if not (part := self._having(candidate, first, f"{rest[0]}")):
            return None if any(self._having(name, first, f"{rest[0]}") for name in self.plan.candidates) else {}
        stated = {(key_of(key) or ("",))[0] for key in self.settings(candidate)}
        is_open = first == "client" and self.plan.candidates[candidate].client is None and "client" not in stated
        return stating(part) if is_open else {}

    def _having(self, candidate: str, first: str, key: str) -> Model | None:
        """Return the storage system of a candidate, or a client of it that a workload takes, if it has a key."""
        try:
            scenario = self.loaded_at(candidate, self.points(candidate)[-1]).scenario
        except ProblemError:  # `check` tells it
            return None
        parts: list[Model | None] = [scenario.storage]
        if first == "client":
            alone = scenario.each().values()
            parts = [one.client_of(scenario.storage) for one in alone if one.workload.brought is None]
        return next((part for part in parts if part is not None and _has(part, key)), None)

    @cached_property
    def _jobs(self) -> frozenset[str]:
        """The workloads that the framework of a candidate runs, by name."""
        names = set()
        for candidate in self.plan.candidates:
            run = self.plan.required_of(candidate).workloads
            made = child(profile_tree(self.loaded, self.path, candidate, run, is_named=True), "workloads")
            for entry in made.items if isinstance(made, Array) else ():
                kind, name = child(entry, "kind"), child(entry, "name")
                if isinstance(kind, Leaf) and isinstance(name, Leaf) and kind.value == "mapreduce":
                    names.add(f"{name.value}")
        return frozenset(names)

    def variants(self, candidate: str, run: Sequence[Demand], *, is_degraded: bool = False) -> Variants[Scenario]:
        """Return the profile of a candidate with the workloads of a run, of which variants are wanted.

        Where it is degraded, what the plan says to be down fails at the start.

        Raises:
            ProblemError: with what is wrong with the parts that it names.
        """
        tree = profile_tree(self.loaded, self.path, candidate, run, is_degraded=is_degraded)
        return Variants.of_tree(tree, Scenario).meaning(self._meant(run, is_named=len(run) > 1))

    def whole(self, candidate: str) -> Variants[Scenario]:
        """Return the profile of a candidate with all workloads of the plan, each under its name, which may run apart.

        Raises:
            ProblemError: with what is wrong with the parts that it names.
        """
        run = self.plan.required_of(candidate).workloads
        tree = profile_tree(self.loaded, self.path, candidate, run, is_named=True)
        named = Variants.of_tree(tree, Scenario, context={**UNITS_REQUIRED, APART: True})
        return named.meaning(self._meant(run, is_named=True))

    def _meant(self, run: Sequence[Demand], *, is_named: bool) -> Callable[[str], Sequence[str]]:
        """Return what the keys of workloads mean in a profile of a run, in which they may have names or be alone."""
        known = tuple(demand.name for demand in self.plan.requirements.workloads)
        names = tuple(demand.name for demand in run)

        def meant(written: str) -> Sequence[str]:
            steps = key_of(written) or ("",)
            if steps[0] != "framework" or len(steps) == 1 or not self._jobs:
                key = _meant(known, names, is_named, written)
                return () if key is None else (key,)
            mine = [("workloads", name) if is_named else ("workload",) for name in names if name in self._jobs]
            return [dotted((*workload, *steps)) for workload in mine]

        return meant

    def only(self, candidate: str) -> Sheet:
        """Return the plan with one of its candidates."""
        plan = self.plan.model_copy(update={"candidates": {candidate: self.plan.candidates[candidate]}})
        return replace(self, loaded=replace(self.loaded, scenario=plan))

    def settings(self, candidate: str) -> dict[str, str]:
        """Return the changes of a candidate's profile that hold for all of its points."""
        return {**self.plan.set, **self.plan.candidates[candidate].set}

    def loaded_at(
        self,
        candidate: str,
        values: Values,
        run: Sequence[Demand] | None = None,
        *,
        is_degraded: bool = False,
    ) -> Loaded[Scenario]:
        """Return the profile of a candidate at a point, with the workloads of a run; default: with all of the plan.

        Raises:
            ProblemError: with what is wrong with it.
        """
        variants = self.whole(candidate) if run is None else self.variants(candidate, run, is_degraded=is_degraded)
        return variants.load({**self.settings(candidate), **dict(values)})

    def candidate_runs(self) -> dict[str, CandidateRun]:
        """Return what is to be simulated by name: the candidates, each with the workloads of a run where several are.

        A name that another one has, too, is followed by its number.
        """
        listed: dict[str, CandidateRun] = {}
        for candidate in self.plan.candidates:
            runs = self.runs(candidate)
            for run in runs:
                words = [candidate, *(demand.name for demand in run)] if len(runs) > 1 else [candidate]
                name = name_of(" ".join(words))[:_LONGEST]
                known = name if name and name not in listed else f"{name}-{len(listed) + 1}".strip("-")
                listed[known] = CandidateRun(candidate, run)
        return listed

    def runs(self, candidate: str) -> Sequence[tuple[Demand, ...]]:
        """Return the workloads of a candidate by the runs in which they meet each other; one without any, if none."""
        return self.plan.required_of(candidate).runs() or [()]

    def points(self, candidate: str) -> list[Values]:
        """Return what the points of a candidate set: its counts, and what it varies besides.

        Raises:
            RefusalError: there are too many.
        """
        return combined([axis(key, text) for key, text in self.varied(candidate).items()])

    def varied(self, candidate: str) -> dict[str, str]:
        """Return the values that a candidate's points take, by key: what it varies besides, then its counts."""
        stated = self.plan.candidates[candidate]
        compute = {COMPUTE_COUNT: stated.compute_count} if stated.compute is not None else {}
        counts = {COUNT: stated.count} if stated.count is not None else {}
        return {**stated.vary, **counts, **compute}

    def check(self) -> None:
        """See that the plan could be carried out: that a point of each candidate can be loaded.

        Raises:
            ProblemError: with all that is wrong with the candidates and the workloads.
        """
        by_name = {name: set(self._problems(name)) for name in self.plan.candidates}
        shared = set.intersection(*by_name.values())
        of_one = [_said_of(name, problem) for name, problems in by_name.items() for problem in problems - shared]
        if shared or of_one:
            raise ProblemError([*shared, *of_one])

    def _problems(self, name: str) -> Iterator[Problem]:
        for run in self.runs(name):
            try:
                self.loaded_at(name, self.points(name)[-1], run)
            except ProblemError as error:
                yield from error.problems


def _meant(known: Sequence[str], run: Sequence[str], is_named: bool, written: str) -> str | None:
    """Return the key in a profile of a run that a plan means by one of a workload, None where the run has it not.

    The only workload of a plan goes by `workload` and by its name, whichever a profile has; several go by their names.

    Raises:
        ProblemError: the plan has no such workload, or several.
    """
    first, *rest = key_of(written) or ("",)
    if first == "workload" and rest and known and is_named:
        if len(known) > 1:
            others = either([dotted(("workloads", name, *rest)) for name in known])
            raise ProblemError([Problem(COMMAND_LINE, None, written, f"the plan has several workloads: set {others}")])
        return dotted(("workloads", *known, *rest))
    if first == "workloads" and rest:
        name, *below = rest
        if name in known and name not in run:
            return None
        if name in known and not is_named:
            return dotted(("workload", *below))
        if not is_named:
            near = did_you_mean(f"{name}", known) or f"; there are {', '.join(known) or 'none'}"
            raise ProblemError([Problem(COMMAND_LINE, None, written, f"no such workload: '{name}'{near}")])
    return written


def _has(part: Model, key: str) -> bool:
    """Tell whether a part has a key."""
    return any(key in (name, field.alias) for name, field in type(part).model_fields.items())


def _said_of(candidate: str, problem: Problem) -> Problem:
    """Return a problem that other candidates do not have as one of its candidate, which its file may not tell."""
    return replace(problem, message=f"{problem.message}; this is of the candidate '{candidate}'")


def sheet(name: str, overrides: Mapping[str, str] = MappingProxyType({})) -> Sheet:
    """Return the plan that a shipped name or a file is, with some of its values replaced.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    loaded = load(name, Plan, overrides, folders=[FOLDER])  # first: it refuses what cannot be a path
    return Sheet(SHIPPED.find(name, [FOLDER]) or real(Path(name)), loaded)


def sheet_of_text(text: str, path: Path) -> Sheet:
    """Return the plan that a text states, as if it stood in the file `path`.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    return Sheet(path.absolute(), load_text(text, Plan, path=path))
