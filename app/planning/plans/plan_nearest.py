"""What comes nearest of a candidate that meets not all, and what would mend it: options beyond the ranges of a plan."""

from __future__ import annotations

from collections.abc import Sequence

from app.planning.plans.plan_options import bound, is_mendable, is_open, margin_of, options_beyond, shortfall
from app.reports.plan.plan_answer import servers_of
from models.planning.sheet import Required
from profiles.plans.sheet import Sheet
from simulator.studies.measures import of_scenario
from simulator.studies.size import Option

MOST_OVER = 0.5
"""Part by which a limit may be exceeded and what meets all else is still simulated, to say what would mend a candidate.
Assumption: nobody raises a budget by more."""
TOO_FAR = "too far beyond a limit"


def anew(
    sheet: Sheet, names: Sequence[str], options: Sequence[Option], required: Sequence[Required], objective: str
) -> list[Option]:
    """Return the options of some candidates as if nobody had looked at them, and more of those that servers may mend.

    What is too far beyond a limit is decided: it is not simulated.
    """
    limits = [one for one in required if one.is_limit]
    hard = [one for one in required if not one.is_limit]
    own = [choice for choice in options if choice.candidate in names and choice.scenario is not None]
    bound(own, hard)
    again = [Option(choice.values, choice.scenario, candidate=choice.candidate) for choice in own]
    mendable = [name for name in names if is_mendable(name, options, hard)]
    again += [choice for name in mendable for choice in options_beyond(sheet, name)]
    bound(again, hard)
    for option in again:
        assert option.scenario is not None  # only those are taken
        option.measures = of_scenario(option.scenario, [objective])
        if shortfall(option, limits) > MOST_OVER:
            option.is_decided, option.reason = True, TOO_FAR
    return again


def cheapest_open(seen: Sequence[Option], hard: Sequence[Required], objective: str) -> Option | None:
    """Return the cheapest of those that are too dear to be simulated and miss nothing else that is known.

    None where a run of the candidate has told of a miss, which it might repeat.
    """
    runs = [one for one in hard if one.workload]
    if any(margin_of(run, other) < 0 for run in runs for other in seen if other.answer is not None):
        return None
    dear = [choice for choice in seen if choice.reason == TOO_FAR and objective in choice.measures]
    fitting = [bid for bid in dear if all(is_open(one, bid) for one in hard)]
    for option in fitting:
        option.objective = option.measures[objective].value
    return min(fitting, key=lambda bid: bid.objective, default=None)


def is_blind(seen: Sequence[Option], hard: Sequence[Required]) -> bool:
    """Tell whether something is asked of runs of a candidate, and none was made."""
    return any(one.workload for one in hard) and all(choice.answer is None for choice in seen)


def furthest(seen: Sequence[Option]) -> Option | None:
    """Return the option of a candidate with the most servers that was simulated; None where none was."""
    return max((choice for choice in seen if choice.answer is not None), key=servers_of, default=None)
