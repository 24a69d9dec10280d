"""The one object that all pages share: the open profile, what is wrong with it, its estimate, and its runs.

A change of the text is checked as soon as the pending events are dealt with, by the loader that the command line uses;
one of a long text when nobody types. While the text is wrong, `loaded` and `scenario` stay those of the last text that
was right, and nothing can be run.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel
from PySide6.QtCore import QObject, QTimer, Signal

from app.gui.jobs.processes import Processes
from app.gui.jobs.run import Ran, RunRequest, run_profile
from app.gui.jobs.worker import Worker
from app.gui.session.certainty import Certainties
from app.gui.session.command_line import changes
from app.gui.session.document import LONG, REST, ProfileDocument
from app.gui.session.estimate import Estimate, estimate
from app.gui.session.opening import text_of
from app.gui.session.runs import MOST, Run
from app.gui.session.settings import Recent
from app.gui.session.setups import Setups
from app.gui.session.steps import Step
from app.gui.session.studies import OpenedStudy, changed_text
from app.planning.files import save
from models.problem import Problem, ProblemError
from models.scenario import Scenario
from profiles.loading.catalog import PROFILES, SHIPPED
from profiles.loading.loader import Loaded, load_text


class Session(QObject):
    """What the pages show and change. Signals are in the past tense; `run_progressed` is (0 to 1, seconds so far).

    What a page asks of the window: `page_asked` (its title), `open_asked` (a name or path, "" to choose a file),
    `opening_asked` (what opens something as a profile), `answer_found` (in words, of which file). What the window asks
    of a page that it has shown: `problem_asked`, `search_asked`, `playback_asked`, `plan_asked` (a step),
    `import_asked` (names of files and folders).
    """

    document_opened = Signal()
    document_changed = Signal()
    problems_changed = Signal()
    estimate_changed = Signal()
    run_started = Signal()
    run_progressed = Signal(float, float)
    run_finished = Signal(object)
    run_failed = Signal(str)
    run_cancelled = Signal()
    runs_changed = Signal()
    key_selected = Signal(str)
    file_opened = Signal(Path)
    page_asked = Signal(str)
    open_asked = Signal(str)
    opening_asked = Signal(object)
    problem_asked = Signal(object)
    search_asked = Signal()
    playback_asked = Signal()
    recent_changed = Signal()
    plan_asked = Signal(str)
    import_asked = Signal(object)
    answer_found = Signal(str, object)
    vary_asked = Signal(str)
    choice_asked = Signal(str)
    study_asked = Signal(object)
    chances_changed = Signal()
    setups_changed = Signal()
    setups_wanted = Signal()
    setups_taken = Signal()

    def __init__(
        self, worker: Worker | None = None, parent: QObject | None = None, *, studies: Processes | None = None
    ) -> None:
        super().__init__(parent)
        self.document = ProfileDocument(self)
        self.problems: tuple[Problem, ...] = ()
        self.loaded: Loaded[Scenario] | None = None
        self.baseline: dict[str, object] = {}
        self.estimate: Estimate | None = None
        self._estimated: Scenario | None = None
        self.last_run: Run | None = None
        self.runs: tuple[Run, ...] = ()
        self.colours_of_study: frozenset[int] = frozenset()
        self.selected_key = ""
        self.recent: tuple[Recent, ...] = ()
        self._chances = 0, 1
        self.setups = Setups()
        self.worker = worker or Worker(self)
        self.certainties = Certainties(self)
        self.studies = studies or Processes(parent=self)  # beside which one may simulate
        self.project: Path | None = None  # the file of the open project
        self._count, self._since = 0, 0.0
        self._request: RunRequest | None = None
        self._check = QTimer(self, singleShot=True, interval=0)
        self._check.timeout.connect(self.check)
        self.document.opened.connect(self.document_opened)
        self.document.changed.connect(self._on_document_changed)
        self.worker.progressed.connect(self._on_progressed)
        self.worker.finished.connect(self._on_finished)
        self.worker.failed.connect(self._on_failed)

    # The profile

    @property
    def scenario(self) -> Scenario | None:
        """The scenario of the last text that was right."""
        return self.loaded.scenario if self.loaded else None

    @property
    def is_valid(self) -> bool:
        """Whether the text as it stands was checked and can be run."""
        return self.loaded is not None and not self.problems and self._check.remainingTime() <= 0

    @property
    def title(self) -> str:
        """What the open profile says that it is."""
        return self.loaded.scenario.profile.title if self.loaded else self.document.name

    def open(self, name_or_path: str) -> None:
        """Open a shipped profile by its name, or a file; one that has mistakes is opened with them.

        Raises:
            ProblemError: there is no such profile, or its file cannot be read.
        """
        text, path, is_shipped = text_of(name_or_path)
        self.open_text(text, path.stem, path=None if is_shipped else path, base=path)
        if not is_shipped:
            self.file_opened.emit(path)

    def open_text(self, text: str, name: str, *, path: Path | None = None, base: Path | None = None) -> None:
        """Open a text as a profile; `base` is the file as whose content its relative names are read."""
        self.loaded, self.baseline = None, {}
        self.document.open(text, name, path=path, base=base or Path.cwd() / f"{name}.toml")
        self.check()

    def open_new(self, text: str, name: str) -> None:
        """Open a text as a profile that is in no file yet, so that it is not dropped without a question."""
        self.open_text(text, name)
        self.document.stack.resetClean()

    def save(self, path: Path) -> None:
        """Write the text to a file, whole or not at all.

        Raises:
            ProblemError: the file cannot be written.
        """
        save(path, self.document.text)
        self.document.saved_as(path)
        self.check()
        self.baseline = dict(self.loaded.values) if self.loaded else self.baseline
        self.problems_changed.emit()
        self.file_opened.emit(path)

    def set_text(self, text: str) -> None:
        """Change the whole text, as typing does."""
        self.document.set_text(text)

    def set_value(self, key: str, value: str, *, is_text: bool = False) -> None:
        """Change one value, given as typed.

        Raises:
            ProblemError: one line of the text cannot do that.
        """
        self.document.set_value(key, value, is_text=is_text)

    def set_recent(self, names: Sequence[Recent]) -> None:
        """Take notice of the files that were opened last."""
        self.recent = tuple(names)
        self.recent_changed.emit()

    def select_key(self, key: str) -> None:
        """Let all views show a key."""
        self.selected_key = key
        self.key_selected.emit(key)

    def vary(self, key: str) -> None:
        """Show the page of sweeps with a key among those that are varied."""
        self.page_asked.emit("Sweep")
        self.vary_asked.emit(key)

    def ask_plan(self, step: str) -> None:
        """Show a step of the plan."""
        self.page_asked.emit("Plan")
        self.plan_asked.emit(step)

    def ask_import(self, paths: Sequence[str]) -> None:
        """Show what files say."""
        self.page_asked.emit("Import")
        self.import_asked.emit(tuple(paths))

    def choose(self, key: str) -> None:
        """Show the page of sizings with a key among those that may be chosen."""
        self.page_asked.emit("Size")
        self.choice_asked.emit(key)

    def open_changed(self, profile: str, settings: Mapping[str, str], name: str) -> None:
        """Open a profile with changes, which `name` has asked for and which can be undone.

        Raises:
            ProblemError: the profile cannot be read, or the changes do not go together.
        """
        self.open(profile)
        document = self.document
        document.set_text(changed_text(settings, document.text, document.base), f"settings of {name}")
        document.stack.setClean()  # nothing is lost if another profile is opened
        self.check()

    def open_run(self, run: Run) -> None:
        """Open the profile of a run as it was then; what is part of the library is no file to save to.

        Raises:
            ProblemError: the profile that it came from cannot be read.
        """
        request = run.request
        is_shipped = SHIPPED.find(request.name, PROFILES) == request.base
        if is_shipped or (request.base.is_file() and not request.base.is_relative_to(SHIPPED.root)):
            self.open(request.name if is_shipped else str(request.base))
            self.document.set_text(request.text, run.label)
            self.document.stack.setClean()
            self.check()
        else:
            self.open_text(request.text, request.name, base=request.base)

    def open_study(self, opened: OpenedStudy) -> None:
        """Open the profile of a study with what the study changes of it, and let the study's page show the study.

        Raises:
            ProblemError: the profile cannot be read, or the changes do not go together.
        """
        if opened.profile:
            self.open_changed(opened.profile, opened.settings, opened.name)
        self.page_asked.emit(opened.page)
        self.study_asked.emit(opened)

    def changes(self) -> dict[str, str]:
        """Return what differs from the profile as it was opened or saved, as `--set` takes it."""
        return changes(self.loaded, self.baseline, self.document.text)

    def changed_keys(self) -> frozenset[str]:
        """Return the keys whose values are not those of the profile as it was opened or saved."""
        return frozenset(self.changes())

    def check(self) -> None:
        """Load the text now: problems, scenario and estimate follow."""
        self._check.stop()
        if not self.document.is_open:
            return
        try:
            self.loaded = load_text(self.document.text, Scenario, path=self.document.base)
            self.problems = ()
            self.baseline = self.baseline or dict(self.loaded.values)
        except ProblemError as error:
            self.problems = error.problems
        self.problems_changed.emit()
        is_known = self.estimate is not None and self.scenario == self._estimated
        if self.is_valid and self.scenario is not None and not is_known:
            self._estimated, self.estimate = self.scenario, estimate(self.scenario)
        self.estimate_changed.emit()

    def _on_document_changed(self) -> None:
        self._check.start(REST if len(self.document.text) > LONG else 0)
        self.document_changed.emit()

    # What the pages are asked

    def set_up(self, **parts: BaseModel) -> None:
        """Take notice of what a page is asked, by its field of `Setups`."""
        setups = self.setups.model_copy(update=parts)
        if setups != self.setups:
            self.setups = setups
            self.setups_changed.emit()

    def take_setups(self, setups: Setups) -> None:
        """Let the pages be asked what a project says; one that is not made yet takes it when it is."""
        self.setups = setups
        self.setups_taken.emit()

    # Runs

    @property
    def seed(self) -> int:
        """The seed of all chances."""
        return self._chances[0]

    @seed.setter
    def seed(self, value: int) -> None:
        self._meet(value, self.replications)

    @property
    def replications(self) -> int:
        """How many runs there are of each profile, each with its own chances."""
        return self._chances[1]

    @replications.setter
    def replications(self, value: int) -> None:
        self._meet(self.seed, value)

    def _meet(self, seed: int, replications: int) -> None:
        if (seed, replications) != self._chances:
            self._chances = seed, replications
            self.chances_changed.emit()

    @property
    def is_running(self) -> bool:
        """Whether a run goes on."""
        return self._request is not None

    @property
    def passed(self) -> float:
        """Seconds since the run was started."""
        return time.monotonic() - self._since

    def run(self) -> None:
        """Simulate the open profile in the child process."""
        self.check()
        if self.is_running or not self.is_valid or self.scenario is None:
            return
        self._request = RunRequest(
            name=self.document.name,
            title=self.title,
            text=self.document.text,
            scenario=self.scenario,
            seed=self.seed,
            replications=self.replications,
            changes=self.changes(),
            is_edited=self.loaded is not None and dict(self.loaded.values) != self.baseline,
            base=self.document.base,
        )
        self._since = time.monotonic()
        self.certainties.drop()
        self.worker.start(run_profile, self._request)
        self.run_started.emit()

    def cancel(self) -> None:
        """End the run; what was there before stays."""
        if self.is_running:
            self._request = None
            self.worker.cancel()
            self.run_cancelled.emit()

    def keep(self, title: str = "") -> Run | None:
        """Keep the last run as a scenario, under a name; None if there is none or there is no room."""
        run = self.last_run
        if run is None or run.is_kept or len(self.runs) >= MOST:
            return None
        kept = replace(run, is_kept=True, title=title)
        self._keep(f"keep {kept.label}", (*self.runs, kept))
        return kept

    def forget(self, run: Run) -> None:
        """Drop a scenario that was kept; its colour is free again."""
        self._keep(f"drop {run.label}", tuple(kept for kept in self.runs if kept.number != run.number))

    def _keep(self, what: str, runs: tuple[Run, ...]) -> None:
        self.document.stack.push(Step(what, (self.runs, runs), self._take_kept))

    def _take_kept(self, runs: tuple[Run, ...]) -> None:
        self.runs, last = runs, self.last_run
        if last is not None:
            kept = {run.number: run for run in runs}
            self.last_run = kept.get(last.number) or replace(last, is_kept=False)
        self.runs_changed.emit()

    def take_runs(self, kept: tuple[Run, ...], last: Run | None) -> None:
        """Take the runs of a project in place of the current ones."""
        self.cancel()
        self.runs, self.last_run = kept, last
        self._count = max([self._count, *(run.number for run in (*kept, *filter(None, [last])))])
        self.runs_changed.emit()
        if last is not None:
            self.run_finished.emit(last)

    def _on_progressed(self, fraction: float, doing: str) -> None:
        if self._request is not None:
            self.run_progressed.emit(fraction, self.passed)

    def _on_finished(self, ran: object) -> None:
        if self._request is None or not isinstance(ran, Ran):
            return
        request, self._request, self._count = self._request, None, self._count + 1
        self.last_run = Run(number=self._count, request=request, ran=ran, colour=self._free_colour())
        self.certainties.ask(self.last_run)  # before anybody hears of the run, who may close all
        self.run_finished.emit(self.last_run)

    def _free_colour(self) -> int:
        """Return a colour that no kept run has and, while there are others, no scenario of the study that is shown."""
        taken = {run.colour for run in self.runs}
        free = [index for index in range(MOST) if index not in taken] or [MOST]
        return next((index for index in free if index not in self.colours_of_study), free[0])

    def _on_failed(self, reason: str) -> None:
        if self._request is not None:
            self._request = None
            self.run_failed.emit(reason)
