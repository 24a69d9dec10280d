"""How far off the simulation is of each documented outcome, and what its run was like: what predictions rest on."""

from __future__ import annotations

from collections.abc import Iterator

from app.planning.assumptions import knobs
from app.planning.loading import load_profile
from app.planning.predicting import features
from app.reports.validation.validation_report import ValidationReport
from profiles.shipped.validated import Validated


def found(report: ValidationReport) -> Iterator[Validated]:
    """Yield the outcomes of a validation; what is arithmetic and what counts nowhere is left out."""
    answers = report.validation.answers
    loaded = {name: load_profile(name)[0] for name in answers}
    fitted = {family.name: family.counted for family in report.families}
    for outcome in report.validation.outcomes:
        if outcome.is_tested:
            profile = loaded[outcome.profile]
            about = features(profile.scenario, answers[outcome.profile])
            assumed = tuple(knob.name for knob in knobs(profile))
            yield Validated(
                id=outcome.id,
                family=outcome.family,
                question=about.question,
                limit=about.limit,
                error=outcome.error,
                unit=outcome.unit,
                source=outcome.source,
                numbers=about.numbers,
                assumed=assumed,
                fitted=fitted[outcome.family],
            )
