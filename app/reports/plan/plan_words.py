"""Words of the answer to a plan: designs, measures and limits as people read them."""

from __future__ import annotations

import math
import re

from app.reports import words
from app.reports.plan.plan_answer import Judged, Met, PlanAnswer
from models.planning.grid import GROUP_COUNT, in_words, numbered
from models.planning.sheet import ROOM, Required
from models.target import SENSES, SIDES, Target, spelled, worded
from models.units import CURRENCIES, is_number, reworded
from simulator.studies.measures import Measure
from simulator.studies.size import Option

_OF_DATA = re.compile(r"([\d,]+) (servers?)")
SPARED = "✓ does without"
"""What is said of what a candidate is not asked."""
OVERLOADED = "ever longer, as more is asked than it can serve"
"""What a time is called that has no end: requests come in faster than they are answered."""
SURE = 0.99
"""Chance above which none is told: the errors found in validation say nothing of rarer cases."""
UNSURE = 0.8
"""Chance below which what is met by one calculation is unsure, where no confidence is asked. Assumption."""
UNSURE_SIGN = "≈"
EVEN = 0.5
"""Chance below which it is likelier to be missed than met, whatever one calculation says."""


def designed(option: Option) -> str:
    """Return what an option consists of, in words."""
    parts = in_words(option.values)
    if sum(GROUP_COUNT.fullmatch(key) is not None for key, _ in option.values) > 1:
        parts = [_OF_DATA.sub(r"\1 storage \2", part) for part in parts]
    return " and ".join(reversed(parts)) or "no servers of its own"


def shown(measure: Measure | None, target: Target | None = None) -> str:
    """Return a measure as people read it, with as many digits as tell it from its target."""
    if measure is None:
        return "not known"
    if measure.value == math.inf:
        told = OVERLOADED if measure.unit == "s" else words.BOUNDLESS
    else:
        told = worded(measure.value, measure.unit) if target is None else target.told(measure.value, measure.unit)
    return f"at least {told}" if measure.is_least else told


def missing(required: Required, measure: Measure | None, spare: float) -> str:
    """Return in words what is missed and by how much, `spare` being negative."""
    met = Met(required, measure, spare, None)
    return f"{required.words}: {shown(measure, required.target)}, {short(met)}"


def limited(required: Required, measure: Measure | None) -> str:
    """Return what is asked for in words: "at most 3 h"; money and rates as people read them."""
    return f"{SENSES[required.target.sense]} {limit(required, measure)}"


def limit(required: Required, measure: Measure | None) -> str:
    """Return a limit in words; an amount of money may be without its currency, which a measure has."""
    if required.target.measure == ROOM:  # it was worked out: nobody wrote its digits
        return worded(required.target.value("B"), "B")
    text, unit = required.target.limit, measure.unit if measure is not None else ""
    return reworded(f"{text} {unit}" if unit in CURRENCIES and is_number(text) else text)


def side(met: Met) -> str:
    """Return in a word on which side of its limit a missed requirement is."""
    return SIDES[met.required.target.sense].removesuffix(" of")


def probability(chance: float) -> str:
    """Return a chance in words that claim no certainty."""
    if chance > SURE:
        return f"over {words.percent(SURE)}"
    return words.percent(chance) if chance >= 1 - SURE else f"under {1 - SURE:.0%}".replace("%", " %")


def sign(met: Met) -> str:
    """Return the sign of a requirement that is met: one of its own where that is not sure."""
    return UNSURE_SIGN if met.chance is not None and met.chance < UNSURE else "✓"


def doubt(judged: Judged, asked: float) -> str:
    """Return what a candidate that meets all is least sure of; "" where it is as sure as asked, or as most ask.

    It is said behind "is": "likely to miss one: nightly is done in time in 29 % of the cases".
    """
    known = [(met.chance, met.required.words) for met in judged.met if met.chance is not None]
    chance, least = min(known, default=(1.0, ""))
    if not judged.is_feasible or chance >= (asked or UNSURE):
        return ""
    return f"{'likely to miss one' if chance < EVEN else 'not sure to'}: {least} in {probability(chance)} of the cases"


def exceeded(answer: PlanAnswer, option: Option) -> str:
    """Return by how much an option exceeds limits such as the budget; "" where it keeps them."""
    parts = []
    for required in answer.plan.requirements.required():
        measure = option.measures.get(required.target.measure)
        if required.is_limit and measure is not None:
            most = required.target.value(measure.unit)
            if measure.value > most:
                parts.append(
                    f"{required.words} {words.percent(measure.value / most - 1)} above {limit(required, measure)}"
                )
    return "; ".join(parts)


def aim(answer: PlanAnswer) -> str:
    """Return what was to be least in words: "cost over 3 years"."""
    told = spelled(answer.objective).split()
    return " ".join([*told[:-2], numbered(*told[-2:])] if "over" in told else told)


def unit_of(option: Option, objective: str) -> str:
    """Return the unit of what was to be least, "1" where an option is not measured by it."""
    return option.measures[objective].unit if objective in option.measures else "1"


def short(met: Met) -> str:
    """Return by how much a missed requirement is missed: "46 % short of 5.49 PB"; what it should be if by no number."""
    if is_overloaded(met):
        return f"not {limited(met.required, met.measure)}"
    return f"{by(met)}{SIDES[met.required.target.sense]} {limit(met.required, met.measure)}"


def by(met: Met) -> str:
    """Return by how much a requirement is missed, with a blank behind it; nothing where that has no bound."""
    assert met.margin is not None  # it is missed
    if is_counted(met) and met.measure is not None:
        return f"{_more(met):.3g} "
    return f"{words.apart(met.margin)} " if math.isfinite(met.margin) else ""


def is_overloaded(met: Met) -> bool:
    """Tell whether it is a time that has no end."""
    return met.measure is not None and met.measure.unit == "s" and met.measure.value == math.inf


def to_spare(met: Met) -> str:
    """Return what is to spare of what is met: "11 % to spare", "1 to spare" of what is counted, "just" for nothing."""
    if not met.margin:
        return "just"
    return f"{_more(met):.3g} to spare" if is_counted(met) else f"{words.apart(met.margin)} to spare"


def is_counted(met: Met) -> bool:
    """Tell whether parts of it mean nothing: failures and nines, but not what may be bought."""
    return met.measure is not None and met.measure.unit == "1" and not met.required.is_limit


def _more(met: Met) -> float:
    assert met.measure is not None  # only then it is counted
    return abs(met.measure.value - met.required.target.value(met.measure.unit))
