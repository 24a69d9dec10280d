"""Validation in the child process, and the documented outcomes as they ship. Knows no Qt."""

from __future__ import annotations

from dataclasses import dataclass

from app.gui.jobs.counting import counted
from app.gui.jobs.run import Report
from profiles.loading.catalog import describe
from profiles.shipped.outcomes import documented, families

FEW = 24  # outcomes that are run one after the other; more are worth the start of further processes


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeRow:
    """A documented outcome, a number or a band in `unit`, and what is known of it.

    `profile` is the shipped profile that reproduces it, `source` where it is documented. `simulated`, `error` (a
    fraction) and `role` are those of a validation, None and "" before there is one.
    """

    id: str
    family: str
    documented: float | tuple[float, float]
    unit: str
    profile: str
    source: str = ""
    simulated: float | None = None
    error: float | None = None
    role: str = ""

    @property
    def middle(self) -> float:
        """The documented number; of a band the edge from which the error is counted."""
        if not isinstance(self.documented, tuple):
            return self.documented
        low, high = self.documented
        return low if self.simulated is None else min(max(self.simulated, low), high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Validated:
    """The outcomes of some families, and what is said of each family beside its targets."""

    outcomes: tuple[OutcomeRow, ...]
    families: tuple[tuple[str, tuple[str, ...]], ...]


def shipped_outcomes() -> list[OutcomeRow]:
    """Return the outcomes that shipped profiles reproduce, by family, before any is simulated."""
    known, names = documented(), set(families())
    return [
        OutcomeRow(
            id=id,
            family=known[id].family,
            documented=known[id].value,
            unit=known[id].unit,
            profile=entry.name,
            source=known[id].source,
            role=known[id].role,
        )
        for entry in describe()
        if entry.family in names
        for id in entry.documented
    ]


def validate(report: Report, family: str | None) -> Validated:
    """Run the documented outcomes of one family, or of all for None."""
    from app.planning.cases import cases_of, chosen_families, validated
    from app.reports.validation.validation_report import targets_in_words

    chosen = chosen_families(family)
    workers = 1 if len(cases_of(chosen)) <= FEW else None
    validation_report = validated(chosen, workers, counted(report))
    return Validated(
        outcomes=tuple(
            OutcomeRow(
                id=outcome.id,
                family=outcome.family,
                documented=outcome.documented,
                unit=outcome.unit,
                profile=outcome.profile,
                simulated=outcome.simulated,
                error=outcome.error,
                role=outcome.role,
            )
            for outcome in validation_report.validation.outcomes
        ),
        families=tuple(
            (group.name, tuple(targets_in_words(validation_report, group, summary)))
            for group, summary in validation_report.summaries()
        ),
    )
