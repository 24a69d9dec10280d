"""Points of studies in the child process: where they run and are kept, and why none was run. Knows no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

from app.gui.jobs.run import Reporter
from models.problem import Problem


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

    Raises:
        OSError: there is no place for it.
    """
    return user_data_path("headroom", appauthor=False, ensure_exists=True) / "points.sqlite"


def count_workers(report: Reporter, address: str) -> int:
    """Return how many workers a Dask scheduler has, all of this version."""
    from simulator.studies.dask_runner import Scheduler

    scheduler = Scheduler(address)
    try:
        return scheduler.count_workers()
    finally:
        scheduler.close()
