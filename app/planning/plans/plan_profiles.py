"""The options that a plan has chosen, as profiles that anybody can run."""

from __future__ import annotations

from collections.abc import Collection

from app.reports.plan.plan_answer import PlanAnswer
from profiles.plans.sheet import Sheet
from profiles.text.dump import dump


def file_of(name: str, taken: Collection[str]) -> str:
    """Return the name of the file of a candidate and run beside other files."""
    file = f"{name}.toml"
    return f"{name}-found.toml" if file in taken else file


def profiles(sheet: Sheet, answer: PlanAnswer, taken: Collection[str] = ()) -> dict[str, str]:
    """Return the text of a profile for each candidate and run, by the name of its file, beside other files.

    Each is the candidate's best option, or the one that comes nearest, on the first day; what the plan says to be down
    while deadlines hold fails at the start.
    """
    texts: dict[str, str] = {}
    judged = {judged.name: judged for judged in answer.judged}
    is_degraded = sheet.plan.requirements.while_degraded is not None
    for name, design in sheet.candidate_runs().items():
        option = judged[design.candidate].option
        if option is not None:
            loaded = sheet.loaded_at(design.candidate, option.values, design.run, is_degraded=is_degraded)
            texts[file_of(name, {*taken, *texts})] = dump(loaded.resolved)
    return texts
