"""The plan that is edited: one text, which form and text view change alike, each change a step of undo.

A change of the form leaves the rest of the text as it is, with its comments.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from app.gui.session.plan_answer import ShownPlan, ShownPoint
from app.gui.session.steps import Step
from app.gui.session.tables import Keys, at, dropped, free, put
from app.planning.logo import check
from models.jobs.object_load import USUAL_WEIGHT, shared
from models.planning.study import FOLDER
from models.problem import Problem, ProblemError, RefusalError
from models.units import parse
from profiles.editing.plain import renamed, rewritten, tables_of, text_of
from profiles.loading.catalog import SHIPPED
from profiles.plans.sheet import Sheet, sheet_of_text
from profiles.text.tree import dotted

MOST = 6
"""Candidates that stand side by side: as many as there are colours."""
NEW: dict[str, Any] = {
    "kind": "plan",
    "title": "New plan",
    "prices": "on-premises-2024",
    "requirements": {
        "start": "2026-12-01",
        "years": 3,
        "survives_reading": "2 servers",
        "survives_writing": "1 server",
    },
}
JOB, REQUESTS, COPY = ("hdfs-or-minio", 0), ("s3-store", 0), ("import-beside-nightly", 1)
"""What is added as a job, a load of requests and an import: a workload of a plan that ships, by its number."""
WORKLOADS = ("requirements", "workloads")
COVER = ("title", "customer", "author", "offer", "date", "logo")
"""Keys of what stands on the cover of the report: they change no answer."""
FIRST = (("import-beside-nightly", 0), ("s3-store", 0), ("s3-store", 1))
"""What is added as a candidate, one after the other: storage and servers of those of a plan that ships."""


@cache
def shipped(name: str) -> dict[str, Any]:
    """Return the tables of a plan that ships."""
    path = SHIPPED.find(name, [FOLDER])
    assert path is not None  # it ships
    return tables_of(path.read_text(encoding="utf-8"))


def example(name: str, number: int) -> dict[str, Any]:
    """Return a workload of a plan that ships, but for its name and those beside it."""
    stated = shipped(name)["requirements"]["workloads"][number]
    return {key: value for key, value in stated.items() if key not in {"name", "beside"}}


def first(number: int) -> dict[str, Any]:
    """Return the candidate that is added after so many others, before somebody says what it is."""
    name, index = FIRST[number % len(FIRST)]
    stated: dict[str, Any] = list(shipped(name)["candidates"].values())[index]
    return {key: stated[key] for key in ("storage", "servers", "count")}


def called(candidate: dict[str, Any]) -> str:
    """Return what a candidate is called while nobody has given it a name."""
    parts = [candidate.get("storage", ""), candidate.get("servers", "")]
    storage, servers = (part.get("use", "servers of our own") if isinstance(part, dict) else part for part in parts)
    return f"{storage} on {servers}" if servers else f"{storage} as a service"


def _counted(tables: dict[str, Any], candidate: Keys) -> dict[str, Any]:
    """Return a plan in which a candidate has a number of servers where it has servers, and none where it has none."""
    stated = at(tables, candidate)
    if not stated.get("servers"):
        return dropped(tables, (*candidate, "count")) if "count" in stated else tables
    return tables if "count" in stated else put(tables, (*candidate, "count"), first(0)["count"])


class PlanModel(QObject):
    """The tables of a plan, what is wrong with them, and their last answer."""

    changed = Signal()
    answered = Signal()
    curves_changed = Signal()

    def __init__(self, stack: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stack = stack
        self.text = text_of(NEW)
        self.tables: dict[str, Any] = deepcopy(NEW)
        self.base = Path.cwd() / "plan.toml"
        self.problems: tuple[Problem, ...] = ()
        self.answer: ShownPlan | None = None
        self._check()

    # What it says

    @property
    def is_right(self) -> bool:
        """Whether it can be answered, as far as the plan itself tells."""
        return not self.problems

    @property
    def is_new(self) -> bool:
        """Whether nobody has said anything yet."""
        return self.tables == NEW

    @property
    def is_stale(self) -> bool:
        """Whether the answer is that of another plan; a comment makes none, nor does another cover."""
        answer = self.answer
        if answer is None or answer.asked == self.text:
            return False
        asked, stated = tables_of(answer.asked), self.tables
        return any(asked.get(key) != stated.get(key) for key in {*asked, *stated} - {*COVER})

    @property
    def has_another_cover(self) -> bool:
        """Whether the report of the answer was made for another cover."""
        asked = tables_of(self.answer.asked) if self.answer is not None else self.tables
        return any(asked.get(key) != self.get(key) for key in COVER)

    @property
    def cover(self) -> tuple[Any, ...]:
        """What stands on the cover of the report."""
        return tuple(self.get(key) for key in COVER)

    @property
    def workloads(self) -> list[dict[str, Any]]:
        """The workloads, each as a table."""
        return list(self.get("requirements", "workloads") or [])

    @property
    def candidates(self) -> dict[str, dict[str, Any]]:
        """The candidates by name."""
        return dict(self.get("candidates") or {})

    def get(self, *keys: str | int) -> Any:
        """Return what stands at a place, None for nothing."""
        return at(self.tables, keys)

    def problem_of(self, *keys: str | int) -> str:
        """Return what is wrong with what stands at a place, "" for nothing."""
        key = dotted(keys)
        return next((problem.message for problem in self.problems if problem.key == key), "")

    # What changes it

    def set(self, value: Any, *keys: str | int) -> None:
        """Put a value at a place; "" or None takes away what is there."""
        if self.get(*keys) == value or (value in ("", None) and self.get(*keys) is None):
            return
        tables = dropped(self.tables, keys) if value in ("", None) else put(self.tables, keys, value)
        if keys[0] == "candidates" and keys[2:] == ("servers",):
            tables = _counted(tables, keys[:2])
        if value and keys[:2] == WORKLOADS and keys[3:] == ("name",):
            tables = _following(tables, self.get(*keys), value)
        self._push_text(f"change {keys[-1]}", self._named_anew(rewritten(self.text, tables), keys))

    def set_rate(self, workload: int, operation: str, rate: float) -> None:
        """Let a load of requests have so many of an operation a second; the others stay as they are."""
        rates = {**self.rates(workload), operation: rate}
        place: Keys = ("requirements", "workloads", workload)
        tables = put(self.tables, (*place, "rate"), f"{_number(sum(rates.values()))} 1/s")
        for name, amount in rates.items():
            tables = put(tables, (*place, "mix", name, "weight"), _number(amount))
        self._push(f"change {operation} a second", tables)

    def rates(self, workload: int) -> dict[str, float]:
        """Return how many requests of each operation a load has in a second."""
        stated = self.workloads[workload]
        mix = stated.get("mix", {})
        weights = {name: float(operation.get("weight", USUAL_WEIGHT)) for name, operation in mix.items()}
        try:
            rate = parse(f"{stated.get('rate', '0 1/s')}", "1/s")
        except RefusalError:
            rate = 0.0
        return shared(rate, weights)

    def add_workload(self, like: tuple[str, int], name: str) -> None:
        """Add a workload like that of a plan that ships, under a name that none has."""
        tables = deepcopy(self.tables)
        taken = {workload["name"] for workload in self.workloads}
        entry = {"name": free(name, taken), **deepcopy(example(*like))}
        tables["requirements"].setdefault("workloads", []).append(entry)
        self._push(f"add {entry['name']}", tables)

    def beside(self, index: int) -> list[str]:
        """Return what runs at the same time as a workload, whichever of them says so."""
        workloads = self.workloads
        name = workloads[index]["name"]
        return [*workloads[index].get("beside", ()), *(w["name"] for w in workloads if name in w.get("beside", ()))]

    def set_beside(self, index: int, other: str | None) -> None:
        """Let a workload run at the same time as another in place of the one that is shown; None for none."""
        shown = next(iter(self.beside(index)), None)
        if other == shown:
            return
        tables = deepcopy(self.tables)
        workloads = tables["requirements"]["workloads"]
        if shown is not None:
            _part(workloads[index], shown)
            _part(next(workload for workload in workloads if workload["name"] == shown), workloads[index]["name"])
        if other is not None and other not in self.beside(index):
            workloads[index]["beside"] = [other, *workloads[index].get("beside", ())]
        self._push("change beside", tables)

    def drop_workload(self, index: int) -> None:
        """Take a workload away."""
        tables = deepcopy(self.tables)
        workloads = tables["requirements"]["workloads"]
        name = workloads.pop(index)["name"]
        for workload in workloads:
            _part(workload, name)
        for candidate in tables.get("candidates", {}).values():
            candidate.get("workloads", {}).pop(name, None)
            if not candidate.get("workloads", True):
                del candidate["workloads"]
        if not workloads:
            del tables["requirements"]["workloads"]
        self._push(f"drop {name}", tables)

    def add_candidate(self, like: str = "") -> None:
        """Add a candidate, a copy of another if one is named."""
        if len(self.candidates) < MOST:
            tables = deepcopy(self.tables)
            stated = self.candidates.get(like) or first(len(self.candidates))
            name = free(like or called(stated), set(self.candidates))
            tables.setdefault("candidates", {})[name] = deepcopy(stated)
            self._push(f"add {name}", tables)

    def add_offer(self, name: str, prices: str) -> None:
        """Add a candidate that is priced by a quotation, given as the text of a price list; else like the first."""
        if len(self.candidates) < MOST:
            tables = deepcopy(self.tables)
            like = next(iter(self.candidates.values()), None) or first(0)
            added = free(f"{called(like)}, {name}", set(self.candidates))
            tables.setdefault("candidates", {})[added] = {**deepcopy(like), "prices": tables_of(prices)}
            self._push(f"add {added}", tables)

    def drop_candidate(self, name: str) -> None:
        """Take a candidate away."""
        tables = deepcopy(self.tables)
        del tables["candidates"][name]
        self._push(f"drop {name}", tables)

    def rename_candidate(self, old: str, new: str) -> None:
        """Call a candidate by another name, which none has."""
        if new and new not in self.candidates:
            self._push_text(f"rename {old}", renamed(self.text, ("candidates", old), new))

    def set_text(self, text: str) -> None:
        """Take a text as it was typed.

        Raises:
            ProblemError: it is not TOML.
        """
        tables_of(text)
        if text != self.text:
            self._push_text("change the text of the plan", text)

    def open(self, text: str, base: Path, answer: ShownPlan | None = None) -> None:
        """Take another plan in place of this one.

        Raises:
            ProblemError: it is not TOML.
        """
        wanted = text or text_of(NEW)
        tables_of(wanted)
        self.base, self.answer = base, answer
        self._take(wanted)
        self.answered.emit()

    def take_answer(self, answer: ShownPlan) -> None:
        """Take what the plan came to."""
        self.answer = answer
        self.answered.emit()

    def take_points(self, candidate: str, points: Sequence[ShownPoint]) -> None:
        """Take further points of a candidate, in place of those with as many servers."""
        if self.answer is None:
            return
        known, candidates = {point.servers for point in points}, []
        for shown_candidate in self.answer.candidates:
            kept = [point for point in shown_candidate.points if point.servers not in known]
            is_it = shown_candidate.name == candidate
            candidates.append(
                shown_candidate.model_copy(update={"points": (*kept, *points)}) if is_it else shown_candidate
            )
        self.answer = self.answer.model_copy(update={"candidates": tuple(candidates)})
        self.curves_changed.emit()

    def take_page(self, page: str) -> None:
        """Take the report of the answer with another cover."""
        if self.answer is not None:
            self.take_answer(self.answer.model_copy(update={"page": page}))

    def take_logo(self, file: Path) -> None:
        """Let a picture stand on the cover: one in the folder of the plan or below it.

        A plan that has no file yet, and names none, moves to the folder of the picture.

        Raises:
            ProblemError: it lies elsewhere, or is no picture.
        """
        folder, target = self.base.parent.resolve(), file.resolve()
        check(target.name, target)
        if not target.is_relative_to(folder):
            is_of_file = self.base.is_file() and SHIPPED.find(self.base.stem, [FOLDER]) != self.base
            moved = target.parent / self.base.name
            if is_of_file or (self.is_right and _problems(self.text, moved)):
                text = f"expected a picture in {folder} or below: copy it there first (got '{file}')"
                raise ProblemError([Problem("", None, "logo", text)])
            self.base, folder = moved, target.parent
        self.set(target.relative_to(folder).as_posix(), "logo")

    def _named_anew(self, text: str, keys: Keys) -> str:
        """Return a text in which a candidate that nobody has named follows the part that was changed."""
        old = keys[1] if len(keys) > 1 and keys[0] == "candidates" else None
        if not isinstance(old, str) or not old.startswith(called(self.candidates[old])):
            return text
        stated = tables_of(text)["candidates"]
        new = called(stated[old])
        return text if old.startswith(new) else renamed(text, ("candidates", old), free(new, set(stated) - {old}))

    def _push(self, what: str, tables: dict[str, Any]) -> None:
        self._push_text(what, rewritten(self.text, tables))

    def _push_text(self, what: str, text: str) -> None:
        self._stack.push(Step(what, (self.text, text), self._take))

    def _take(self, text: str) -> None:
        self.text, self.tables = text, tables_of(text)
        self._check()
        self.changed.emit()

    def sheet(self) -> Sheet | None:
        """Return the plan as a sheet, None where it is wrong."""
        return None if self.problems else sheet_of_text(self.text, self.base)

    def problems_of(self, text: str) -> tuple[Problem, ...]:
        """Return what is wrong with a text in place of the plan's."""
        return _problems(text, self.base)

    def _check(self) -> None:
        self.problems = self.problems_of(self.text)


def _following(tables: dict[str, Any], old: str | None, new: str) -> dict[str, Any]:
    """Return tables in which all that named a workload by its old name calls it by the new one.

    They stay as they are where another workload has either name: nobody knows then which of them is meant.
    """
    tables = deepcopy(tables)
    workloads = at(tables, WORKLOADS)
    names = [workload.get("name") for workload in workloads]
    if old in names or names.count(new) > 1:
        return tables
    for workload in workloads:
        if old in workload.get("beside", ()):
            workload["beside"] = [new if name == old else name for name in workload["beside"]]
    for candidate in tables.get("candidates", {}).values():
        if old in candidate.get("workloads", {}):
            candidate["workloads"] = {new if name == old else name: own for name, own in candidate["workloads"].items()}
    return tables


def _part(workload: dict[str, Any], name: str) -> None:
    """Let a workload not say that it runs beside that of a name."""
    beside = [other for other in workload.get("beside", ()) if other != name]
    if beside:
        workload["beside"] = beside
    else:
        workload.pop("beside", None)


def _problems(text: str, base: Path) -> tuple[Problem, ...]:
    """Return what is wrong with the text of a plan, as if it stood in a file."""
    try:
        check(sheet_of_text(text, base).plan.logo, base)
    except ProblemError as error:
        return error.problems
    return ()


def _number(value: float) -> float:
    return int(value) if value.is_integer() else value
