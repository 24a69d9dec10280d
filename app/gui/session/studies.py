"""The studies that ship, as the library offers them, and what opening one fills in. Knows no Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.gui.session.points import point_text
from app.gui.session.runs import MOST
from app.planning.studies import read_study, study_model
from models.planning.study import Compare, Compared, Growth, OfProfile, Plan, Sensitivity, Size, Study, Sweep
from models.problem import Problem, ProblemError, did_you_mean
from profiles.loading.catalog import SHIPPED, studies
from profiles.shipped.comparisons import Changes, Comparison, Grid, Pair, comparison

PAGES: dict[type[Study], str] = {
    Plan: "Plan",
    Compare: "Compare",
    Sweep: "Sweep",
    Size: "Size",
    Sensitivity: "Study",
    Growth: "Study",
}
"""The page that carries out a study."""
COMPARISONS = "comparisons"
BETWEEN = "/"  # in the name of a part of a comparison: FILE/PART
UNCHANGED = "as it is"


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
        """The profile to work on: that of the study, or the first that is compared with the baseline; "" for none."""
        study = self.study
        if isinstance(study, Plan):
            return ""
        return study.profile if isinstance(study, OfProfile) else _challenger(study).profile

    @property
    def settings(self) -> Mapping[str, str]:
        """What is changed of that profile."""
        study = self.study
        if isinstance(study, Plan):
            return {}
        return study.set if isinstance(study, OfProfile) else {**study.set, **_challenger(study).set}

    @property
    def replications(self) -> int:
        """How many runs each point has."""
        return getattr(self.study, "replications", 1)


def shipped_studies() -> list[ShippedStudy]:
    """Return the studies of the planner, and the comparisons in parts that stand side by side.

    Of two systems these are their kinds of work, of one profile as many of its changes as there is room for.
    """
    listed = [ShippedStudy(study.name, study.kind, study.title) for study in studies()]
    for name in SHIPPED.names(COMPARISONS):
        parts = _parts(comparison(name))
        listed += [ShippedStudy(f"{name}{BETWEEN}{part}", study.kind, study.title) for part, study in parts.items()]
    return listed


def is_study(name: str) -> bool:
    """Tell whether `open_study` opens a name."""
    file, _, part = name.partition(BETWEEN)
    return bool(part and file in SHIPPED.names(COMPARISONS)) or study_model(name) is not None


def open_study(name: str) -> OpenedStudy | None:
    """Return the study that a name of `shipped_studies` or a file is; None where it is none.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    file, _, part = name.partition(BETWEEN)
    if part and file in SHIPPED.names(COMPARISONS):
        return OpenedStudy(name, _part(file, part))
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


def _part(file: str, part: str) -> Compare:
    known = _parts(comparison(file))
    if part not in known:
        message = f"has no part '{part}'{did_you_mean(part, known)}"
        raise ProblemError([Problem(f"{COMPARISONS}/{file}.toml", None, "", message)])
    return known[part]


def _parts(told: Comparison | Changes | Grid) -> dict[str, Compare]:
    """Return what a comparison puts side by side, by the name of each part; a table of works by systems has none."""
    if isinstance(told, Grid):
        return {}
    if isinstance(told, Comparison):
        return {row.work: _of_work(told, row) for row in told.rows}
    starts = range(0, len(told.rows), MOST - 1)
    return {f"{start + 1}": _of_changes(told, start) for start in starts}


def _of_work(told: Comparison, row: Pair) -> Compare:
    sides = {told.baseline: Compared(profile=row.baseline), told.challenger: Compared(profile=row.challenger)}
    return Compare(kind="compare", title=f"{row.work}: {told.baseline} against {told.challenger}", scenarios=sides)


def _of_changes(told: Changes, start: int) -> Compare:
    """Return the profile beside some of its changes, from the one at `start` on."""
    rows = told.rows[start : start + MOST - 1]
    sides = {UNCHANGED: Compared(profile=told.profile)}
    sides |= {row.what: Compared(profile=told.profile, set=row.set) for row in rows}
    title = f"{told.title.partition(':')[0]}: {', '.join(row.what for row in rows)}"
    return Compare(kind="compare", title=title, scenarios=sides)
