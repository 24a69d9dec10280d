"""What may go wrong with a design, the worst first, as far as what was found tells."""

from __future__ import annotations

import math
from collections.abc import Iterator

from app.reports import words
from app.reports.library.meanings import warned
from app.reports.plan.plan_answer import Met
from app.reports.plan.plan_words import short, shown
from app.reports.proposal.found import Design, Proposal
from models.advice import Advice
from simulator.studies.measures import servers

COUNT = 3
"""Risks on the first page."""
SCANT = 0.1
"""Part to spare below which a requirement is told as scant. Assumption."""
DOUBTFUL = 0.9
"""Chance below which a requirement is told as doubtful. Assumption."""
NOBODY = "Failures count as independent: mistakes of people and software and the loss of a site are not in the numbers."
QUOTE = "prices are those of a list, not of a quotation"


def risks(proposal: Proposal) -> list[str]:
    """Return the risks of the first page."""
    design = proposal.design
    if design is None:
        return ["No candidate can be set up: see what each of them lacks."]
    return list(dict.fromkeys(_risks(design)))[:COUNT]


def _risks(design: Design) -> Iterator[str]:
    yield from (_missed(met) for met in design.judged.missed)
    met = [demand for demand in design.judged.met if demand.is_met]  # of what is missed there is no doubt
    yield from (_doubtful(demand) for demand in met if demand.chance is not None and demand.chance < DOUBTFUL)
    when = "on a few servers before all are bought" if servers(design.scenario.cluster) else "before it is relied on"
    yield from (_unseen(trust.workload, trust.why, when) for trust in design.trust if not trust.is_inside)
    yield from (_warned(design, advice) for advice in _warnings(design))
    yield from (_scant(met) for met in _by_margin(design) if (met.margin or 0.0) < SCANT)
    yield from _money(design)
    yield from (_scant(met) for met in _by_margin(design))
    yield NOBODY


def _warnings(design: Design) -> list[Advice]:
    return [advice for advice in design.advice if advice.severity == "warning"]


def _warned(design: Design, advice: Advice) -> str:
    """Return a warning as a sentence."""
    text = warned(design.scenario, advice.key, advice.message)
    return f"{text[0].upper()}{text[1:]}."


def _missed(met: Met) -> str:
    return f"{met.required.words} is missed: {shown(met.measure, met.required.target)}, {short(met)}."


def _doubtful(met: Met) -> str:
    cases = words.percent(met.chance or 0.0)
    return f"{met.required.words}: met in {cases} of the cases, as far as what is assumed and answers of its kind err."


def _unseen(workload: str, why: tuple[str, ...], when: str) -> str:
    beyond = [text.removeprefix("extrapolates: ") for text in why if text.startswith("extrapolates: ")]
    text = "; ".join(beyond) or "nothing of its kind was validated"
    return f"No benchmark was like {workload}: {text}. Measure it {when}."


def _scant(met: Met) -> str:
    margin = met.margin or 0.0
    return f"{met.required.words}: {shown(met.measure)} leaves {words.apart(margin)} to spare."


def _by_margin(design: Design) -> list[Met]:
    """Return what is met, the scantest first; what is counted (failures) has no part to spare that tells."""
    met = [demand for demand in design.judged.met if demand.margin is not None and demand.measure is not None]
    told = [
        demand
        for demand in met
        if 0 <= (demand.margin or 0.0) < math.inf and demand.measure and demand.measure.unit != "1"
    ]
    return sorted(told, key=lambda demand: demand.margin or 0.0)


def _money(design: Design) -> Iterator[str]:
    if design.cost is None:
        yield "No price list: what it costs is not known."
    elif design.cost.unpriced:
        yield f"The sum of money is too low: no price is known of {', '.join(design.cost.unpriced)}."
    elif (dearest := _dearest(design)) is not None:
        part, share = dearest
        yield f"{words.percent(share)} of the purchase are {part}, and {QUOTE} ({design.cost.date})."


def _dearest(design: Design) -> tuple[str, float] | None:
    """Return the kind of part that the most is paid for, and its share."""
    if design.materials is None or not design.materials.listed:
        return None
    sums: dict[str, float] = {}
    for part in design.materials.materials:
        sums[part.kind] = sums.get(part.kind, 0.0) + part.total
    kind = max(sums, key=lambda name: sums[name])
    return f"{kind}s", sums[kind] / design.materials.listed
