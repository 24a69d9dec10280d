"""The options that a plan has chosen, as profiles that anybody can run."""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.reports.plan_answer import PlanAnswer
from models.planning.sheet import Demand
from profiles.dump import dump
from profiles.sheet import Sheet


def profiles(sheet: Sheet, answer: PlanAnswer) -> dict[str, str]:
    """Return the text of a profile for each candidate and run, by the name of its file.

    Each is the candidate's best option, or the one that comes nearest, on the first day; what the plan says to be down
    while deadlines hold fails at the start.
    """
    texts = {}
    requirements = sheet.plan.requirements
    runs, is_degraded = requirements.runs() or [()], requirements.while_degraded is not None
    for judged in answer.judged:
        if judged.option is None:
            continue
        for run in runs:
            loaded = sheet.loaded_at(judged.name, judged.option.values, run, is_degraded=is_degraded)
            texts[file_of(judged.name, run if len(runs) > 1 else ())] = dump(loaded.resolved)
    return texts


def file_of(candidate: str, run: Sequence[Demand]) -> str:
    """Return the name of the file of a candidate's profile, with the workloads of a run where there are several."""
    text = " ".join([candidate, *(demand.name for demand in run)])
    return f"{re.sub(r'[^a-z0-9]+', '-', text.lower()).strip('-')}.toml"
