"""A sweep in the child process: points are told as they finish, and kept where the command line keeps them. No Qt.

What is told is plain data, so that the window need not import the simulator to show it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from app.gui.jobs.run import Reporter
from app.gui.studies.points import Place, Refused
from app.reports.sweep.sweep_points import SurePoints, SweptPoint, VariedKey, plain, varied
from models.planning.grid import Axis, Values
from models.problem import ProblemError
from models.scenario import Scenario

if TYPE_CHECKING:
    from app.planning.effort import Effort
    from app.planning.points import Candidate
    from app.planning.progress import Counted, OnDone
    from app.reports.sweep.sweep_report import SweepReport
    from simulator.studies.runner import Finished
    from simulator.studies.sweep import Row

PERIOD = 0.1  # seconds between two batches: ten a second, as many as a window need draw


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRequest:
    """The profile as TOML text that stands in `base`, the axes, and those of their points that are wanted.

    `changes` are what the text says that the profile, when it was opened, did not.
    """

    name: str
    text: str
    base: Path
    axes: tuple[Axis, ...]
    points: tuple[Values, ...]
    seed: int
    replications: int
    changes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Begun:
    """A sweep has begun."""

    keys: tuple[VariedKey, ...]


@dataclass(frozen=True, slots=True)
class Swept:
    """Points that are new, and which of all so far lead, are unbeaten, and are worth a column, (name, unit)."""

    points: tuple[SweptPoint, ...]
    firsts: frozenset[int]
    front: frozenset[int]
    shown: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SweepEnded:
    """All points have been told; `seconds` is what it took to simulate those `simulated`.

    `limiting` are sentences on settings that limit points.
    """

    simulated: int
    seconds: float
    limiting: tuple[str, ...] = ()


def run_sweep(report: Reporter, request: SweepRequest, place: Place) -> SweepEnded | Refused:
    """Simulate the points of a request, those that are not kept already, and tell of each."""
    from app.planning.points import candidates
    from profiles.loading.loader import Variants
    from simulator.studies.runner import Runner
    from simulator.studies.store import Store

    try:
        listed = candidates(Variants.of_text(request.text, Scenario, path=request.base), {}, request.points)
    except ProblemError as error:
        return Refused(error.problems)
    teller = _Teller(report, request, listed)
    with (
        Store(place.store) as store,
        Runner(store=store, workers=place.workers, scheduler=place.scheduler) as runner,
    ):
        for number, finished in runner.each(teller.points, teller.count):
            teller.take(number, finished)
    return teller.ended()


def draw_sweep(report: Reporter, request: SweepRequest, store: Path, suffix: str, effort: Effort) -> bytes:
    """Return the points of a request, which have been simulated, in the form of a suffix: what the command writes.

    Raises:
        ProblemError: a point is wrong.
    """
    from app.reports.sweep.sweep_forms import render

    report(0.0, f"Writing {suffix}")
    made = render(_swept(report, request, store, effort), suffix)
    return made.encode() if isinstance(made, str) else made


def predict_sweep(report: Reporter, request: SweepRequest, store: Path, effort: Effort) -> SurePoints | None:
    """Return how sure the points of a request are, which have been simulated; None where nothing can be said.

    Raises:
        ProblemError: a point is wrong.
    """
    from simulator.studies.sweep import best

    told = _swept(report, request, store, effort)
    first = told.prediction(best(told.rows))
    if first is None:
        return None
    ends = {i: (prediction.low, prediction.high) for i, prediction in enumerate(told.predictions) if prediction}
    return SurePoints(first.measure, first.level, ends, first.why)


def _swept(report: Reporter, request: SweepRequest, store: Path, effort: Effort) -> SweepReport:
    """Return the report of points that have been simulated and kept."""
    from app.planning.asking import Asked
    from app.planning.points import candidates
    from app.planning.sweeping import swept
    from models.planning.study import Sweep
    from profiles.loading.loader import Variants
    from simulator.studies.store import Store

    study = Sweep(
        kind="sweep",
        title=f"{request.name}, varied",
        profile=request.name,
        set=dict(request.changes),
        vary={axis.key: ",".join(axis.values) for axis in request.axes},
        seed=request.seed,
        replications=request.replications,
    )
    edited = Variants.of_text(request.text, Scenario, path=request.base)
    listed = candidates(edited, {}, request.points)
    asked = Asked(study=study, axes=request.axes)
    with Store(store) as kept:
        return swept(asked, listed, kept, _counted(report), workers=1, interval=effort, edited=edited)


def _counted(report: Reporter) -> Counted:
    """Return what tells of points that have yet to be simulated."""

    @contextmanager
    def line(doing: str) -> Iterator[OnDone]:
        yield lambda done, total: report(done / total if total else 1.0, doing)

    return line


class _Teller:
    """Turns answers into rows and tells them in batches."""

    def __init__(self, report: Reporter, request: SweepRequest, candidates: Sequence[Candidate]) -> None:
        from app.planning.sweeping import points_of, row_of

        self._report, self._found = report, candidates
        self._numbers = [i for i, candidate in enumerate(candidates) if candidate.scenario is not None]
        self._rows: list[Row] = []
        self._order: list[int] = []
        self._new: list[SweptPoint] = []
        self._told = self._since = time.monotonic()
        self._simulated = 0
        self.points = points_of(candidates, request.name, request.seed, request.replications)
        report.tell(Begun(varied(request.axes)))
        for i, candidate in enumerate(candidates):
            if candidate.scenario is None:
                self._add(i, row_of(candidate, None))

    def count(self, done: int, total: int) -> None:
        """Take notice of how many of the points that are not kept are done."""
        if done == 0:
            self._tell()  # what was kept, at once
            self._since = time.monotonic()
        self._simulated = done
        self._report(done / total if total else 1.0, f"{done} of {total}")

    def take(self, number: int, finished: Finished) -> None:
        """Take the result of a point."""
        from app.planning.sweeping import row_of

        index = self._numbers[number]
        self._add(index, row_of(self._found[index], finished))

    def ended(self) -> SweepEnded:
        """Tell the rest."""
        from app.reports.sweep.sweep_report import limiting

        self._tell()
        return SweepEnded(self._simulated, time.monotonic() - self._since, tuple(limiting(self._rows)))

    def _add(self, index: int, row: Row) -> None:
        self._rows.append(row)
        self._order.append(index)
        self._new.append(plain(index, row))
        if time.monotonic() - self._told >= PERIOD:
            self._tell()

    def _tell(self) -> None:
        from app.reports.sweep.sweep_report import shown_of
        from simulator.studies.sweep import firsts, unbeaten

        swept = Swept(
            tuple(self._new),
            frozenset(self._order[i] for i in firsts(self._rows)),
            frozenset(self._order[i] for i in unbeaten(self._rows)),
            tuple(shown_of(self._rows).items()),
        )
        self._new.clear()
        self._report.tell(swept)
        self._told = time.monotonic()
