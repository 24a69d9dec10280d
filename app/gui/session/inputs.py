"""The files that the window works on, which no answer is written over. Knows no Qt."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from app.gui.session.session import Session
from app.planning.files import obstacle, unsaved
from profiles.loading.reach import behind

READ = "it is what is open here, or what that names or is read with"


def why_not_export(session: Session, path: Path, more: Iterable[str | Path] = ()) -> str | None:
    """Return why an answer cannot be written to a file, None if it can; `more` files are read as well."""
    runs = (run.request.base for run in session.runs)
    return _why_not_over(session, path, {*_real(runs), *_real(more)}, set()) or obstacle(str(path))


def check_save(session: Session, path: Path, own: Path | None) -> None:
    """Refuse to save what is open, read from its `own` file, over another one of the inputs.

    Raises:
        ProblemError: the file is one of them.
    """
    if why := _why_not_over(session, path, set(), _real([own] if own else [])):
        raise unsaved(path, why)


def _why_not_over(session: Session, path: Path, more: set[str], own: set[str]) -> str | None:
    """Return why a file is not to be written over, None if it may be, or is not there."""
    is_read = os.path.isfile(path) and os.path.realpath(path) in (_inputs(session) | more) - own
    return READ if is_read else None


def _inputs(session: Session) -> set[str]:
    """Return the files of the open profile and project, and those that they name."""
    setups, document = session.setups, session.document
    texts = {document.base: document.text}
    texts |= {Path(setup.base): setup.text for setup in (setups.plan, setups.study) if setup.text}
    measured = (*setups.delivery.accept.files, *setups.delivery.track.files)
    named = _real([*texts, *measured, *filter(None, [session.project])])
    return named | behind(map(str, texts)) | behind(map(str, texts), texts)


def _real(paths: Iterable[str | Path]) -> set[str]:
    return {os.path.realpath(path) for path in paths}
