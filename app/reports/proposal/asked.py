"""What the customer asks for, in a sentence: data, workloads, failures to survive, limits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from app.reports import words
from app.reports.plan.plan_answer import PlanAnswer
from models.jobs.object_load import ObjectLoad, Operation
from models.jobs.workload import WorkloadModel
from models.planning.grid import numbered
from models.planning.sheet import Demand, Requirements
from models.target import SENSES, target
from models.units import format, reworded

Workloads = Mapping[str, WorkloadModel]
"""The workloads of a plan by name, as profiles have them; none where no option can be set up."""


def question(answer: PlanAnswer) -> str:
    """Return what is asked for in words: the title, then what the title may have left out."""
    title, texts = answer.plan.title, list(_asked(answer.plan.requirements, workloads(answer)))
    stop = "" if title.endswith(("?", ".", "!")) else "."
    return f"{title}{stop} {'; '.join(texts)[:1].upper()}{'; '.join(texts)[1:]}."


def workloads(answer: PlanAnswer) -> Workloads:
    """Return the workloads of a plan, each as it is in the first of its options that has it."""
    first = {one.candidate: one.scenario for one in reversed(answer.sizing.options) if one.scenario is not None}
    return {name: alone.workload for scenario in first.values() for name, alone in scenario.each().items()}


def _asked(asked: Requirements, known: Workloads) -> Iterator[str]:
    horizon = f"{numbered(f'{asked.years:g}', 'years')} from {asked.start}"
    if asked.stored:
        more = "more" if asked.annual_growth > 0 else "less"
        growth = f", {words.percent(abs(asked.annual_growth))} {more} a year" if asked.annual_growth else ""
        yield f"{format(asked.stored, 'B')} of data{growth}, over {horizon}"
    else:
        yield f"over {horizon}"
    if asked.ingest:
        kept = "" if math.isinf(asked.retention) else f", and are deleted after {words.declared(asked.retention, 's')}"
        rate = words.percent(asked.ingest_growth)
        faster = f", {rate} more of it each year" if asked.ingest_growth else ", as many in all years"
        yield f"{format(asked.ingest * 86400, 'B')} more come in a day{faster}{kept}"
    yield from (_demanded(demand, known.get(demand.name)) for demand in asked.workloads)
    if asked.survives_reading:
        yield f"any {asked.survives_reading} may fail and all data is read"
    if asked.survives_writing:
        yield f"any {asked.survives_writing} may fail and data is written"
    if asked.while_degraded:
        yield f"all of it while {asked.while_degraded} is down"
    if asked.durability:
        yield f"{asked.durability:g} nines of durability a year"
    limits = [reworded(asked.budget)] if asked.budget else []
    limits += [format(asked.power, "W")] if asked.power else []
    limits += [f"{asked.rack_units:,.10g} rack units"] if asked.rack_units else []
    limits += [f"{format(asked.carbon, 'kg')} of CO2 a year"] if asked.carbon else []
    if limits:
        yield f"for at most {words.listed(limits)}"


def _demanded(demand: Demand, workload: WorkloadModel | None) -> str:
    size = demand.stated.get("input") or demand.stated.get("data") or demand.stated.get("size")
    data, between = f" over {size}" if isinstance(size, str) else "", " "
    if isinstance(workload, ObjectLoad):
        data, between = _load(workload), ", "
    every = f" every {words.period(demand.every)}" if demand.every else ""
    wanted = [f"in {next(iter(demand.required())).target.limit}"] if demand.deadline else []
    wanted += map(objective, demand.objectives)
    grows = ", growing with the data" if demand.grows else ""
    return f"{demand.name}{data}{grows}{every}{f'{between}{words.listed(wanted)}' if wanted else ''}"


def objective(text: str) -> str:
    """Return an objective in words, as its measure was named: "GET latency p99 at most 50 ms"."""
    asked = target(text)
    return f"{text.partition(asked.sense)[0].strip()} {SENSES[asked.sense]} {reworded(asked.limit)}"


def _load(load: ObjectLoad) -> str:
    """Return the requests of a load: " with 5,000 PUT/s of 1 MiB and 20,000 GET/s of 256 KiB"."""
    rates = load.rates()
    sent = [
        f"{f'{words.amount(rates[name])} {name}/s' if rates else name}{_size(operation)}"
        for name, operation in load.mix.items()
    ]
    threads = "" if load.threads is None else f" from {load.threads:,} threads of each client"
    threads += f" that think {words.declared(load.think, 's')} in between" if load.think else ""
    return f" with {words.listed(sent)}{threads}"


def _size(operation: Operation) -> str:
    if not operation.size:
        return ""
    least, largest = operation.size, operation.largest_size or operation.size
    return f" of {words.span(words.declared(least, 'B'), words.declared(largest, 'B'))}"
