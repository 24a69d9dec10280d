"""The planning report in the child process: built part by part, drawn in every form. Knows no Qt."""

from __future__ import annotations

import pickle
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.gui.jobs.chosen import chosen_of
from app.gui.jobs.counting import counted
from app.gui.jobs.run import Fraction, Report
from app.gui.studies.paper import readable

if TYPE_CHECKING:
    from app.reports.plan.plan_document import PlanReport

EXPENSIVE = ("comparison", "sensitivity", "failures", "upkeep", "validation")
"""Sections that simulate more than the run itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A profile as `simulate report` is asked for it; `text`, as if it stood in `base`, is what the window shows."""

    profile: str
    changes: dict[str, str]
    text: str
    base: Path
    sections: tuple[str, ...]
    against: tuple[str, ...] = ()
    seed: int = 0
    replications: int = 1

    def is_of_same_run(self, other: Asked | None) -> bool:
        """Tell whether both are reports of the same run, whatever their sections."""
        return other is not None and replace(other, sections=self.sections) == self

    def command(self, known: tuple[str, ...]) -> str:
        """Return the command that writes the same report; `known` are all sections."""
        words = ["simulate", "report", self.profile, "report.html"]
        words += [word for name in self.against for word in ("--against", name)]
        words += [word for key, value in self.changes.items() for word in ("--set", f"{key}={value}")]
        words += ["--seed", f"{self.seed}", "--replications", f"{self.replications}"]
        words += [word for name in known if name not in self.sections for word in ("--without", name)]
        return shlex.join(words)


@dataclass(frozen=True, slots=True)
class Made:
    """A report: what it is built of, for the child process alone, and the page that is previewed."""

    asked: Asked
    parts: bytes
    page: str


def make(report: Report, asked: Asked, known: Made | None) -> Made:
    """Build what the sections need and the `known` report of the same run does not have, and draw the preview.

    Raises:
        ProblemError: the profile cannot be run.
    """
    from app.planning.effort import asked as asked_effort
    from app.planning.plan import Plan, build, run_of
    from app.reports.forms.documents import render
    from app.reports.plan.plan_document import document

    chosen = chosen_of(asked.profile, asked.changes, asked.text, asked.base)
    plan = Plan(
        chosen=chosen,
        sections=asked.sections,
        against=asked.against,
        seed=asked.seed,
        replications=asked.replications,
        interval=asked_effort(),
    )
    old = _parts(known) if known is not None and asked.is_of_same_run(known.asked) else None
    run = old.run if old is not None else run_of(plan, Fraction(_simulating(report), asked.replications))
    lacking = [
        name for name in asked.sections if name not in EXPENSIVE or known is None or name not in known.asked.sections
    ]
    plan_report = build(replace(plan, sections=asked.sections if old is None else lacking), run, None, counted(report))
    if old is not None:
        plan_report = _joined(plan_report, old, asked.sections)
    report(1.0, "Writing the report")
    page = render(document(plan_report).only(asked.sections), ".html").decode()
    return Made(asked, pickle.dumps(plan_report), readable(page))


def draw(report: Report, made: Made, suffix: str) -> bytes:
    """Return a report in the form of a suffix, the bytes that `simulate report` writes."""
    from app.reports.forms.documents import render
    from app.reports.plan.plan_document import document

    report(0.0, f"Writing {suffix}")
    return render(document(_parts(made)).only(made.asked.sections), suffix)


def _simulating(report: Report) -> Report:
    """Return what reports the stage of a run as that: "Simulating map"."""
    return lambda fraction, stage: report(fraction, f"Simulating {stage}".rstrip())


def _parts(made: Made) -> PlanReport:
    report: PlanReport = pickle.loads(made.parts)
    return report


def _joined(new: PlanReport, old: PlanReport, sections: tuple[str, ...]) -> PlanReport:
    """Return the new report with those expensive parts of the old one that are still wanted."""
    made = {section.key for section in new.further}
    return replace(
        new,
        comparison=new.comparison or (old.comparison if "comparison" in sections else None),
        sensitivity=new.sensitivity or (old.sensitivity if "sensitivity" in sections else None),
        validation=new.validation or (old.validation if "validation" in sections else None),
        unlike=new.unlike or (old.unlike if "validation" in sections else ()),
        further=[
            *new.further,
            *(section for section in old.further if section.key in sections and section.key not in made),
        ],
    )
