"""The requirement sheet where other commands ask: what a plan states stands for options that are not given."""

from __future__ import annotations

from collections.abc import Mapping

from app.planning.comparing import Side
from app.planning.plans.plan_search import planned
from app.planning.progress import Counted
from app.planning.studies import refuse_other_kind, study_model
from models.planning.study import FOLDER, Plan
from models.problem import Problem, ProblemError, did_you_mean
from models.units import either
from profiles.loading.catalog import PROFILES, SHIPPED
from profiles.plans.candidates import SIGN, split
from profiles.plans.sheet import Sheet, name_of, sheet


def is_plan(name: str | None) -> bool:
    """Tell whether a name is that of a plan."""
    return name is not None and study_model(name) is Plan


def narrowed(name: str) -> Sheet:
    """Return a plan, of `PLAN#CANDIDATE` with that candidate alone.

    Raises:
        ProblemError: with all that is wrong with it, or with the names of its candidates.
    """
    parts = split(name)
    _refuse_other(parts[0] if parts else name)
    if parts is None:
        return sheet(name)
    read = sheet(parts[0])
    known = {name_of(candidate): candidate for candidate in read.plan.candidates}
    if (wanted := name_of(parts[1])) in known:
        return read.only(known[wanted])
    near = did_you_mean(wanted, known) or f"; there are {either(known)}"
    raise ProblemError([Problem(parts[0], None, "candidates", f"no such candidate: '{parts[1]}'{near}")])


def plans() -> tuple[str, ...]:
    """Return the names of the plans that ship."""
    return tuple(name for name in SHIPPED.names(FOLDER) if is_plan(name))


def _refuse_other(name: str) -> None:
    """Refuse what is no plan by what it is: all that a plan has and it has not would hide that.

    Raises:
        ProblemError: it is a profile, or a study of another kind.
    """
    refuse_other_kind(name, Plan)
    if not is_plan(name) and SHIPPED.find(name, PROFILES) is not None:
        text = f"is a profile, and no plan; name a file of your own, or {either(plans())}"
        raise ProblemError([Problem("", None, name, text)])


def sides(plan: str, settings: Mapping[str, str], workers: int | None, counted: Counted) -> list[Side]:
    """Return what a plan's answer puts side by side: of each candidate the option it is judged by, on the first day.

    A candidate of which nothing can be run has none.

    Raises:
        ProblemError: with all that is wrong with the plan; or its workloads run apart, so that no run holds all.
        KeyboardInterrupt: the search was stopped.
    """
    read = sheet(plan)
    listed = read.candidate_runs()
    if len(listed) > len(read.plan.candidates):
        names = ", ".join(f"{plan}{SIGN}{name}" for name in listed)
        message = f"its workloads run apart from each other: name what stands side by side, two to six of {names}"
        raise ProblemError([Problem(plan, None, "requirements.workloads", message)])
    answer = planned(read.changed(settings), workers, counted)
    if answer.sizing.was_stopped:
        raise KeyboardInterrupt
    options = {judged.name: judged.option for judged in answer.judged}
    return [
        Side(it.candidate, f"{plan}{SIGN}{name}", {**settings, **dict(option.values)})
        for name, it in listed.items()
        if (option := options[it.candidate]) is not None
    ]
