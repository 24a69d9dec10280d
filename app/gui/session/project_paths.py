"""Which of the paths in a project count: the project may come from anybody, and Save writes where its path leads.

A path counts where it leads to a TOML file in the project's own folder; one by which relative names are read, also
where it leads into the library. For any other, the file is taken to lie beside the project, and saving asks. What was
measured is read from the project's folder and below it; anything else has to be chosen again. Paths are compared as
text first: to look at one may already reach another machine. Knows no Qt.
"""

from __future__ import annotations

import os
from pathlib import Path, PureWindowsPath
from typing import TypeVar

from app.gui.session.project_file import KeptRun, ProfileText, Project
from app.gui.session.setups import DeliverySetup, MeasuredSetup, PlanSetup, Setups, StudySetup
from app.planning.files import file_name
from profiles.loading.catalog import SHIPPED
from profiles.loading.reach import stray

SUFFIX = ".toml"
S = TypeVar("S", StudySetup, PlanSetup)


def confined(project: Project, file: Path) -> Project:
    """Return a project that was read from a file with no path that leads away from there."""
    folder = Path(os.path.abspath(file)).parent
    profiles = tuple(
        profile.model_copy(update={"path": _beside(profile.path, folder), **_read_as(profile, folder)})
        for profile in project.profiles
    )
    runs = tuple(run.model_copy(update=_read_as(run, folder)) for run in project.runs)
    update = {"profiles": profiles, "runs": runs, "setups": _setups(project.setups, folder)}
    return project.model_copy(update=update)


def _read_as(profile: ProfileText | KeptRun, folder: Path) -> dict[str, str]:
    return {"name": file_name(profile.name), "base": _base(profile.base, folder, profile.name)}


def _setups(setups: Setups, folder: Path) -> Setups:
    axes = {
        name: asked.model_copy(update={"axes": tuple(row for row in asked.axes if not stray(row, folder / "x.toml"))})
        for name, asked in (("sweep", setups.sweep), ("size", setups.size))
    }
    studies = {"study": _setup(setups.study, folder), "plan": _setup(setups.plan, folder)}
    return setups.model_copy(update={**axes, **studies, "delivery": _delivery(setups.delivery, folder)})


def _delivery(setup: DeliverySetup, folder: Path) -> DeliverySetup:
    update = {"accept": _measured(setup.accept, folder), "track": _measured(setup.track, folder)}
    return setup.model_copy(update=update)


def _measured(setup: MeasuredSetup, folder: Path) -> MeasuredSetup:
    """Return what was measured with the paths that count, and the names of the others."""
    places = {path: _below(path, folder) for path in setup.files}
    names = [PureWindowsPath(path).name or path for path, place in places.items() if place is None]
    elsewhere = tuple(dict.fromkeys([*setup.elsewhere, *names]))
    return setup.model_copy(update={"files": tuple(filter(None, places.values())), "elsewhere": elsewhere})


def _setup(setup: S, folder: Path) -> S:
    return setup.model_copy(update={"base": _base(setup.base, folder, "study")}) if setup.base else setup


def _base(path: str, folder: Path, name: str) -> str:
    """Return the file as whose content relative names are read."""
    if _is_within(path, SHIPPED.root):
        return os.path.normpath(path)
    return _beside(path, folder) or str(folder / f"{file_name(name)}{SUFFIX}")


def _beside(path: str | None, folder: Path) -> str | None:
    """Return a path that leads to a TOML file in a folder itself, links followed; None for any other."""
    if path is None or not path.endswith(SUFFIX) or "\0" in path:
        return None
    full = Path(os.path.normpath(folder / path))
    is_here = full.parent == folder and Path(os.path.realpath(full)) == Path(os.path.realpath(folder)) / full.name
    return str(full) if is_here else None


def _below(path: str, folder: Path) -> str | None:
    """Return a path that leads to something in a folder or below it, links followed; None for any other."""
    if "\0" in path:
        return None
    full = Path(os.path.normpath(folder / path))
    is_here = _is_within(str(full), folder) and Path(os.path.realpath(full)).is_relative_to(os.path.realpath(folder))
    return str(full) if is_here else None


def _is_within(path: str, folder: Path) -> bool:
    return Path(os.path.normpath(path)).is_relative_to(folder)
