"""The options that a plan has chosen, as profiles that anybody can run."""

from __future__ import annotations

from app.reports.plan_answer import PlanAnswer
from profiles.dump import dump
from profiles.sheet import Sheet


def profiles(sheet: Sheet, answer: PlanAnswer) -> dict[str, str]:
    """Return the text of a profile for each candidate and run, by the name of its file.

    Each is the candidate's best option, or the one that comes nearest, on the first day; what the plan says to be down
    while deadlines hold fails at the start.
    """
    texts = {}
    judged = {judged.name: judged for judged in answer.judged}
    is_degraded = sheet.plan.requirements.while_degraded is not None
    for name, design in sheet.candidate_runs().items():
        option = judged[design.candidate].option
        if option is not None:
            loaded = sheet.loaded_at(design.candidate, option.values, design.run, is_degraded=is_degraded)
            texts[f"{name}.toml"] = dump(loaded.resolved)
    return texts
