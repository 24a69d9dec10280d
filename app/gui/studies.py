"""The studies that ship, as Home offers them, and what opening one fills in. Knows no Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.gui.sweep_plan import point_text
from app.planning.studies import read_study, study_model
from models.planning.study import Compare, Compared, Growth, OfProfile, Sensitivity, Size, Study, Sweep, kind_of
from models.problem import Problem, ProblemError, did_you_mean
from profiles.catalog import SHIPPED, studies
from profiles.comparisons import Comparison, Pair, comparison

PAGES: dict[type[Study], str] = {
    Compare: "Compare",
    Sweep: "Sweep",
    Size: "Size",
    Sensitivity: "Study",
    Growth: "Study",
}
"""The page that carries out a study."""
COMPARISONS = "comparisons"
BETWEEN = "/"  # in the name of one row of a comparison: FILE/WORK


@dataclass(frozen=True, slots=True)
class ShippedStudy:
    """A study that one can open: by its name, with the word for its kind."""

    name: str
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class OpenedStudy:
    """A study with its name: that of one that ships, or the path of a file."""

    name: str
    study: Study

    @property
    def page(self) -> str:
        """The title of the page that carries it out."""
        return PAGES[type(self.study)]

    @property
    def profile(self) -> str:
        """The profile to work on: that of the study, or the first that is compared with the baseline."""
        study = self.study
        return study.profile if isinstance(study, OfProfile) else _challenger(study).profile

    @property
    def settings(self) -> Mapping[str, str]:
        """What is changed of that profile."""
        study = self.study
        return study.set if isinstance(study, OfProfile) else {**study.set, **_challenger(study).set}

    @property
    def replications(self) -> int:
        """How many runs each point has."""
        return getattr(self.study, "replications", 1)


def shipped_studies() -> list[ShippedStudy]:
    """Return the studies of the planner, and each row of the comparisons of two systems as one of its own."""
    found = [ShippedStudy(each.name, each.kind, each.title) for each in studies()]
    word = kind_of(Compare)
    for name in SHIPPED.names(COMPARISONS):
        told = comparison(name)
        if isinstance(told, Comparison):
            found += [ShippedStudy(f"{name}{BETWEEN}{row.work}", word, _title(told, row)) for row in told.rows]
    return found


def open_study(name: str) -> OpenedStudy | None:
    """Return the study that a name of `shipped_studies` or a file is; None where it is none.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    file, _, work = name.partition(BETWEEN)
    if work and file in SHIPPED.names(COMPARISONS):
        return OpenedStudy(name, _row(file, work))
    model = study_model(name)
    return OpenedStudy(name, read_study(name, model)) if model else None


def changed_text(settings: Mapping[str, str], text: str, base: Path) -> str:
    """Return the text of a profile, which stands in the file `base`, with what a study changes of it.

    Raises:
        ProblemError: the changes do not go together.
    """
    return point_text(text, base, tuple(settings.items()))


def _challenger(study: Study) -> Compared:
    if not isinstance(study, Compare) or len(study.scenarios) < 2:
        message = "a comparison needs two scenarios or more"
        raise ProblemError([Problem("", None, "scenarios", message)])
    return list(study.scenarios.values())[1]


def _row(file: str, work: str) -> Compare:
    """Return one row of a comparison of two systems as a study."""
    told = comparison(file)
    rows = {row.work: row for row in told.rows} if isinstance(told, Comparison) else {}
    if work not in rows or not isinstance(told, Comparison):
        message = f"has no work '{work}'{did_you_mean(work, rows)}"
        raise ProblemError([Problem(f"{COMPARISONS}/{file}.toml", None, "row", message)])
    row = rows[work]
    sides = {told.baseline: Compared(profile=row.baseline), told.challenger: Compared(profile=row.challenger)}
    return Compare(kind="compare", title=_title(told, row), scenarios=sides)


def _title(told: Comparison, row: Pair) -> str:
    return f"{row.work}: {told.baseline} against {told.challenger}"
