"""Studies as files: which kind one is, and what it states, as seen from here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from models.planning.study import COMMANDS, FOLDER, KINDS, Compare, OfProfile, Study, kind_of
from models.problem import Problem, ProblemError
from models.units import either
from profiles.loading.catalog import SHIPPED
from profiles.loading.loader import load, load_text, seen_from
from profiles.loading.reach import outside, stray
from profiles.text.document import Document
from profiles.text.toml import text_of
from profiles.text.tree import Leaf, Place, Table, child


def study_model(name: str) -> type[Study] | None:
    """Return the model of the study that a shipped name or a file is; None for anything else."""
    path = SHIPPED.find(name, [FOLDER]) or Path(name)
    if not os.path.isfile(path):
        return None
    kind = child(table_of(path), "kind")
    return KINDS.get(f"{kind.value}") if isinstance(kind, Leaf) else None


def refuse_other_kind(name: str, model: type[Study]) -> None:
    """Refuse a study of another kind by the command that runs it.

    Raises:
        ProblemError: it is of another kind.
    """
    stated = study_model(name)
    if stated not in (None, model):
        message = f"is of kind '{kind_of(stated)}'; run it with: simulate {COMMANDS[stated]} --study {name}"
        raise ProblemError([Problem("", None, name, message)])


def read_study(name: str, model: type[Study]) -> Study:
    """Return the study that a shipped name or a file is; profiles that are paths from its file are paths from here.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    study = load(name, model, folders=[FOLDER]).scenario
    return study.model_copy(update=seen(study, name))


def study_of_text(text: str, path: Path) -> Study:
    """Return the study that a text states, as if it stood in the file `path`.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    document = Document(text, path.name)
    tree = document.tree()
    if tree is None:
        raise ProblemError(document.problems)
    kind = child(tree, "kind")
    word = f"{kind.value}" if isinstance(kind, Leaf) else ""
    if word not in KINDS:
        message = f"expected {either(KINDS)} (got '{word}')"
        raise ProblemError([Problem(path.name, kind.place.line if kind else None, "kind", message)])
    study = load_text(text, KINDS[word], path=path).scenario
    return study.model_copy(update=seen(study, f"{path}"))


def seen(study: Study, name: str) -> dict[str, Any]:
    """Return the keys of a study that name profiles, as they are named from here and not from the study's file.

    Raises:
        ProblemError: it names files that it may not.
    """
    if astray := stray(_texts(study.model_dump()), Path(name)):
        raise ProblemError(Problem(name, None, "", outside(text, Path(name).absolute().parent)) for text in astray)
    if isinstance(study, OfProfile):
        return {"profile": seen_from(study.profile, name)}
    if isinstance(study, Compare):
        scenarios = study.scenarios.items()
        return {
            "scenarios": {
                key: side.model_copy(update={"profile": seen_from(side.profile, name)}) for key, side in scenarios
            }
        }
    return {}


def _texts(data: object) -> Iterator[str]:
    """Yield what a study states for keys, but for profiles, whose paths begin at the study."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            if key not in {"profile", "title"}:
                yield from _texts(value)
    elif isinstance(data, (list, tuple)):
        for item in data:
            yield from _texts(item)


def table_of(path: Path) -> Table:
    """Return what a file states; nothing where it is no TOML, which its reader will tell."""
    try:
        tree = Document(text_of(path), path.name).tree()
    except (OSError, UnicodeDecodeError):
        tree = None
    return tree or Table({}, Place(path.name))
