"""What the candidates come to while the plan is being written: closed forms, one candidate at a time, after a pause."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal

from app.gui.plan.model import PlanModel
from app.planning.plans.plan_glance import Glance, glance
from app.reports.plan.plan_facts import facts
from app.reports.plan.plan_words import limited
from models.problem import RefusalError
from models.target import plain
from profiles.plans.sheet import Sheet

PAUSE = 150  # milliseconds after a change before candidates are looked at
FIELDS = {
    "prices.currency": "say it under Exchange rate in step 1",
    "requirements.stored": "say under Stored now in step 1 what is, or add a workload there",
}
"""What the form offers where a refusal says what to write into a file, by the key of the refusal."""


class Glances(QObject):
    """Looks at the candidates of a plan after each change; `found` is what the best of them comes to, None for none.

    It is (name, facts by name, "meets 2 of 3 that need no run"), or, where none can be looked at, why the first cannot.
    What it misses is among the facts.
    Between two candidates the window has its turn: one takes 5 to 25 ms.
    """

    found = Signal(object)

    def __init__(self, model: PlanModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._left: Iterator[Glance | str] = iter(())
        self._seen: list[Glance] = []
        self._refused: list[str] = []
        self._cost = ""
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._begin)
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._look)
        model.changed.connect(self._pause.start)
        self._pause.start()

    def _begin(self) -> None:
        sheet = self._model.sheet()
        self._seen, self._refused, self._left = [], [], iter(())
        if sheet is not None:
            self._cost = sheet.plan.requirements.cost
            self._left = (_glance(sheet, name) for name in sheet.plan.candidates)
        self._turn.start()

    def _look(self) -> None:
        """Look at one candidate; when all have been, tell of the best."""
        try:
            seen = next(self._left)
        except StopIteration:
            self._turn.stop()
            self.found.emit(self._best())
            return
        if isinstance(seen, str):
            self._refused.append(seen)
        else:
            self._seen.append(seen)

    def _best(self) -> tuple[str, dict[str, str], str] | str | None:
        if not self._seen:
            return next(iter(self._refused), None)
        best = min(self._seen, key=lambda seen: seen.rank(self._cost))
        servers = best.known["servers"].value
        told = {"servers": f"{servers:.0f}", **facts(best.known, self._cost, {})}
        missed = [f"{need.words} ({limited(need, best.known.get(plain(need.target.measure)))})" for need in best.missed]
        if missed:
            told["misses"] = ", ".join(missed)
        return best.candidate, told, f"meets {best.met} of {best.asked} that need no run"


def why_not(error: RefusalError) -> str:
    """Return why a candidate cannot be looked at, with a way out that the form has."""
    return in_the_form(f"{error.reasons[0]}")


def in_the_form(reason: str) -> str:
    """Return why there is no answer, with a way out that the form has in place of one for a file."""
    for key, way_out in FIELDS.items():
        _, is_it, told = reason.partition(key)
        if is_it:
            told = told.partition(": ")[2]
            return f"{told.partition(';')[0]}; {way_out}"
    return reason


def _glance(sheet: Sheet, candidate: str) -> Glance | str:
    """Return a candidate at a glance, or why it cannot be looked at."""
    try:
        return glance(sheet, candidate)
    except RefusalError as error:
        return f"{candidate}: {why_not(error)}"
