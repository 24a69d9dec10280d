"""Points of studies in the child process: where they run and are kept, and why none was run. Knows no Qt."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from platformdirs import user_data_path

from app.gui.jobs.run import Reporter
from app.planning.files import obstacle
from models.problem import Problem

NAME = "points.sqlite"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where points are run and kept: processes of this computer, or a Dask scheduler, and the file of answers."""

    workers: int
    scheduler: str | None
    store: Path


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was run, because of these problems."""

    problems: tuple[Problem, ...]


def points_file() -> Path:
    """Return the file that keeps the points of all sweeps, those of the command line among them.

    Where it cannot be written, it is one that goes with the window: whoever cannot write at home still gets an answer.

    Raises:
        OSError: there is no place for either.
    """
    with suppress(OSError):
        usual = user_data_path("headroom", appauthor=False, ensure_exists=True) / NAME
        if obstacle(str(usual)) is None:
            return usual
    return Path(_while_open().name) / NAME


@cache
def _while_open() -> TemporaryDirectory[str]:
    """Return a folder that is there until the program ends."""
    return TemporaryDirectory(prefix="headroom-", ignore_cleanup_errors=True)


def count_workers(report: Reporter, address: str) -> int:
    """Return how many workers a Dask scheduler has, all of this version."""
    from simulator.studies.dask_runner import Scheduler

    scheduler = Scheduler(address)
    try:
        return scheduler.count_workers()
    finally:
        scheduler.close()
