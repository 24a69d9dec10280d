"""What would mend a candidate of a plan that meets not all, in words."""

from __future__ import annotations

from collections.abc import Iterator

from app.reports import words
from app.reports.cost_section import unknown
from app.reports.held_up import MOST, shares
from app.reports.plan.plan_answer import Judged, PlanAnswer, Wanting, servers_of
from app.reports.plan.plan_words import designed, exceeded, missing, unit_of
from models.planning.bill import bill
from models.planning.grid import numbered
from models.planning.sheet import Required
from models.target import plain
from simulator.studies.measures import Measure, by_plain_name
from simulator.studies.size import Option, margin

STOPPED = "not decided: the search was stopped."


def mend(answer: PlanAnswer, wanting: Wanting) -> str:
    """Return what would mend a candidate: more servers and money, or a higher limit."""
    option, mending = wanting.option, wanting.mending
    if mending is None:
        priced = bill(option.scenario) if option.scenario is not None else None
        if priced is not None and priced.unpriced:
            return f"{unknown(priced.unpriced)}."
        if answer.sizing.was_stopped:
            return "what would mend it was not looked for: the search was stopped."
        text = f"none of the numbers of servers that were tried meets {answer.plan.requirements.all_but_limits}"
        if not servers_of(option):
            text = "no number of servers would mend it, as it has none of its own"
        return f"{text}{_always_missed(wanting) or _furthest(answer, wanting)}."
    if not mending.is_decided:
        return STOPPED
    limits = exceeded(answer, mending)
    beyond = f" else, {limits or 'within every limit'}" if answer.plan.requirements.has_limits else ""
    known = "" if mending.answer is not None else " (by closed forms; not simulated)"
    if mending.values == option.values and not limits:
        return f"meets all with {designed(mending)}, which is beyond its range{known}."
    if mending.values == option.values:
        return f"{designed(mending)} would meet all{beyond}{known}."
    more = servers_of(mending) - servers_of(option)
    servers = numbered(f"{more:+.0f}", "servers") if more else "another choice"
    extra = mending.objective - option.measures[answer.objective].value if answer.objective in option.measures else 0.0
    money = f", {extra:+,.0f} {unit_of(option, answer.objective)}" if unit_of(option, answer.objective) != "1" else ""
    return f"{servers}{money} ({designed(mending)}) would meet all{beyond}{known}."


def _always_missed(wanting: Wanting) -> str:
    if not wanting.always_missed:
        return ""
    text = f"; each misses: {'; '.join(required.words for required in wanting.always_missed)}"
    scenario = wanting.option.scenario
    misses_racks = any(required.target.measure.endswith("_racks") for required in wanting.always_missed)
    if misses_racks and scenario is not None and scenario.cluster.network.racks == 1:
        text += " (all servers stand in one rack; state more with network = { racks = 4 })"
    return text


def _furthest(answer: PlanAnswer, wanting: Wanting) -> str:
    """Return what the option with the most servers that was simulated still misses, in words."""
    if (option := wanting.furthest) is None:
        return ""
    missed = [missing(*miss) for miss in misses(answer, option) if not miss[0].is_limit]
    return (
        f"; {designed(option)} still {'miss' if servers_of(option) > 1 else 'misses'} {'; '.join(missed)}"
        if missed
        else ""
    )


def misses(answer: PlanAnswer, option: Option) -> Iterator[tuple[Required, Measure, float]]:
    """Yield the requirements that an option misses as far as that is known, its measure, and the part to spare."""
    known = by_plain_name(option.measures)
    for required in answer.plan.requirements.required():
        measure = known.get(plain(required.target.measure))
        if measure is not None and (spare := margin(required.target, measure)) < 0:
            yield required, measure, spare


def held_by_settings(answer: PlanAnswer, judged: Judged) -> str:
    """Return in a sentence which settings make a candidate miss a workload where hardware does not, else ""."""
    furthest = judged.wanting.furthest if judged.wanting else None
    runs, option = (judged.runs, judged.option) if judged.runs else (judged.further, furthest)
    late = {required.workload for required, _, _ in misses(answer, option)} if option else set()
    names, keys = dict[str, None](), dict[str, None]()
    for ran in runs:
        held = shares(ran.scenario, ran.answer)
        if late.intersection(ran.workloads) and sum(held.values()) >= MOST:
            names |= dict.fromkeys(name for name in ran.workloads if name in late)
            keys |= dict.fromkeys(map(ran.stated_by, held))
    if not keys:
        return ""
    which = "A setting of it holds" if len(keys) == 1 else f"{words.counted(len(keys))} settings of it hold"
    return f" {which} {' and '.join(names)} up, not hardware: {' and '.join(keys)}."
