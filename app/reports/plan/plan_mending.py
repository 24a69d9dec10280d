"""What would mend a candidate of a plan that meets not all, in words."""

from __future__ import annotations

from app.reports.cost_section import unknown
from app.reports.plan.plan_answer import PlanAnswer, Wanting, servers_of
from app.reports.plan.plan_words import designed, exceeded, missing, unit_of
from models.planning.bill import bill
from models.planning.grid import numbered
from models.target import plain
from simulator.studies.measures import by_plain_name
from simulator.studies.size import margin

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
        text = "none of the numbers of servers that were tried meets all but the limits"
        if not servers_of(option):
            text = "no number of servers would mend it, as it has none of its own"
        return f"{text}{_always_missed(wanting) or _furthest(answer, wanting)}."
    if not mending.is_decided:
        return STOPPED
    limits = exceeded(answer, mending)
    beyond = f", {limits}" if limits else ", within every limit"
    known = "" if mending.answer is not None else " (by closed forms; not simulated)"
    if mending.values == option.values:
        return f"{designed(mending)} would meet all else{beyond}{known}."
    more = servers_of(mending) - servers_of(option)
    servers = numbered(f"{more:+.0f}", "servers") if more else "another choice"
    extra = mending.objective - option.measures[answer.objective].value if answer.objective in option.measures else 0.0
    money = f", {extra:+,.0f} {unit_of(option, answer.objective)}" if unit_of(option, answer.objective) != "1" else ""
    return f"{servers}{money} ({designed(mending)}) would meet all else{beyond}{known}."


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
    known, missed = by_plain_name(option.measures), []
    for required in answer.plan.requirements.required():
        measure = None if required.is_limit else known.get(plain(required.target.measure))
        if measure is not None and (spare := margin(required.target, measure)) < 0:
            missed.append(missing(required, measure, spare))
    return (
        f"; {designed(option)} still {'miss' if servers_of(option) > 1 else 'misses'} {'; '.join(missed)}"
        if missed
        else ""
    )
