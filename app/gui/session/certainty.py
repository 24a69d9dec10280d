"""How sure the last run is: found in a process of its own after the run has been shown, and remembered."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QObject, Signal

from app.gui.jobs.run import Certainty, RunRequest, predict_run
from app.gui.jobs.worker import Worker
from app.gui.session.runs import Run
from app.planning.effort import RUNS, Effort, asked


class Certainties(QObject):
    """Finds the interval of one run at a time; a run that begins meanwhile ends the search."""

    found = Signal()

    def __init__(self, parent: QObject, worker: Worker | None = None) -> None:
        super().__init__(parent)
        self._worker = worker
        self._known: dict[Hashable, Certainty] = {}
        self._asked: Hashable = None

    def of(self, run: Run) -> Certainty | None:
        """Return how sure a run is, None as long as that is not known."""
        return self._known.get(_key(run.request))

    def ask(self, run: Run, effort: Effort | None = None) -> None:
        """Begin to find out how sure a run is, unless that is known as well, or not wanted."""
        wanted = effort or asked()
        key = _key(run.request)
        known = self._known.get(key)
        if wanted == "none" or not run.result.duration or (known and RUNS[known.effort] >= RUNS[wanted]):
            return
        self.drop()
        if self._worker is None:
            self._worker = Worker(self)
            self._worker.finished.connect(self._on_finished)
            self._worker.failed.connect(self.drop)
        self._asked = key
        self._worker.start(predict_run, run.request, run.result, wanted)

    def drop(self) -> None:
        """End a search that goes on."""
        self._asked = None
        if self._worker is not None:
            self._worker.cancel()
            self._worker.rest()

    def end(self) -> None:
        """Tell the process to end."""
        if self._worker is not None:
            self._worker.end()

    def close(self) -> None:
        """End the process, and wait until it is gone."""
        if self._worker is not None:
            self._worker.close()

    def _on_finished(self, answer: object) -> None:
        if self._asked is not None and isinstance(answer, Certainty):
            self._known[self._asked], self._asked = answer, None
            self.found.emit()
        if self._worker is not None:
            self._worker.rest()


def _key(request: RunRequest) -> Hashable:
    return request.text, request.base, request.seed, request.replications
