"""Compare: scenarios in columns, what differs between them on top, then the results."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.gui.charts.drawn import DrawnChart
from app.gui.compare.bar import KEPT, CompareBar
from app.gui.compare.choice import Choice
from app.gui.compare.jobs import Comparison, command, compare_sides, draw_comparison, predict_sides
from app.gui.compare.model import CompareModel, bars, verdicts
from app.gui.compare.view import CompareTable
from app.gui.jobs.study import Study
from app.gui.look import theme
from app.gui.session.runs import MOST
from app.gui.session.session import Session
from app.gui.session.setups import CompareSetup
from app.gui.session.studies import OpenedStudy, open_study, shipped_studies
from app.gui.studies.base import JobPage
from app.gui.studies.scrolled import Scrolled
from app.gui.studies.widgets import add_action
from app.planning.effort import asked as asked_effort
from app.planning.studies import study_model
from app.reports.media import bound, rich
from models.planning.study import Compare, kind_of
from models.problem import ProblemError

CHARTS = 210  # logical pixels: six bars, an axis and what it is
EMPTY = (
    "<b>Nothing to compare yet.</b><br><br>Simulate a profile (Ctrl+R) and keep the run as a scenario (Ctrl+D), change"
    " the profile, and do it again: two to six scenarios stand here side by side.<br><br>Or choose a study that ships,"
    " above, and press Run study."
)
ONE = "<b>One scenario is kept.</b><br><br>Change the profile, simulate it (Ctrl+R), and keep that run too (Ctrl+D)."
JOIN = "Runs that you keep (Ctrl+D) join them: 'Open as profile' opens one to change and simulate (Ctrl+R)."


class ComparePage(JobPage):
    """Kept scenarios and those of a study beside a baseline."""

    title = "Compare"
    setup_field = "compare"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.certainty = Study(session.studies, self, "how sure")
        self.choice = Choice()
        self.found: Comparison | None = None
        self._is_asked_for = False
        self._given: dict[str, OpenedStudy] = {}
        self.model = CompareModel(self)
        self.bar = CompareBar(self.cancel_button)
        self._build()
        self._add_actions()
        self._listen()
        self._on_runs_changed()
        self.connect_all()
        self._follow()

    @property
    def chosen_study(self) -> str:
        """The name of the chosen study, "" for the kept scenarios alone."""
        return str(self.bar.source.currentData())

    def run_study(self) -> None:
        """Simulate in the child process what has not been simulated yet."""
        self._is_asked_for = True
        self._follow()

    def cancel(self) -> None:
        """End what is being run."""
        self._is_asked_for = False
        super().cancel()

    def pin(self, name: str) -> None:
        """Measure all others against a scenario."""
        self.choice.baseline = name
        self.keep_setup()
        self._follow()

    def hide_scenarios(self, names: set[str]) -> None:
        """Leave scenarios out."""
        self.choice.hidden = names
        self.keep_setup()
        self._follow()

    def open_scenario(self, name: str) -> None:
        """Ask for a scenario to be opened as a profile."""
        side = next(side for side in self.choice.offered if side.name == name)
        run, session = self.choice.run_of(side), self._session
        if run is None:
            session.opening_asked.emit(partial(session.open_changed, side.profile, side.changes, side.name))
        else:
            session.opening_asked.emit(partial(session.open_run, run))

    def export(self, path: Path) -> None:
        """Write the report of the comparison to a file, in the form of its suffix."""
        if self.found is not None and self.found.document is not None and self.study.is_free:
            self.write(path, draw_comparison, self.found.document, path.suffix.lower())

    def copy_command(self) -> None:
        """Put the command that compares the same on the clipboard."""
        if self.found is not None:
            is_as_shipped = study_model(self.chosen_study) is not None and self._is_whole_study(self.found)
            self.copy(command(self.found, self.chosen_study if is_as_shipped else ""))

    def _is_whole_study(self, comparison: Comparison) -> bool:
        study = self.choice.study
        return study is not None and list(study.scenarios) == [side.name for side in comparison.sides]

    # Building

    def _build(self) -> None:
        bar = self.bar
        self.source, self.baseline, self.run_button = bar.source, bar.baseline, bar.run_button
        for shipped in shipped_studies():
            if shipped.kind == kind_of(Compare):
                bar.offer(shipped.name, shipped.title)
        self.heading, self.said = QLabel(wordWrap=True), QLabel(wordWrap=True)
        self.said.setAccessibleName("Verdict")
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QVBoxLayout(self)
        for widget in (bar, self.heading, self.progress, self.message, Scrolled(self.said)):
            layout.addWidget(widget)
        layout.addWidget(self._contents(), 1)

    def _contents(self) -> QStackedWidget:
        self.table = CompareTable(self.model)
        self.leading, self.cost = DrawnChart("Duration"), DrawnChart("Cost of a job")
        self.charts, both = QWidget(), QSplitter(Qt.Orientation.Vertical)
        self.charts.setMinimumHeight(CHARTS)
        row = QHBoxLayout(self.charts)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.leading, 1)
        row.addWidget(self.cost, 1)
        both.addWidget(self.table)
        both.addWidget(self.charts)
        both.setStretchFactor(0, 3)
        both.setStretchFactor(1, 2)
        self.empty = QLabel(EMPTY, wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self.contents = QStackedWidget()
        self.contents.addWidget(self.empty)
        self.contents.addWidget(both)
        return self.contents

    def _add_actions(self) -> None:
        for text, slot, keys in (
            ("&Run study", self.run_study, "Ctrl+Return"),
            ("&Copy comparison as command line", self.copy_command, ""),
            ("&Drop the last scenario", self._drop_last, ""),
        ):
            add_action(self, text, slot, keys)
        self.addActions(self.bar.export_button.forms)

    def _listen(self) -> None:
        session, bar = self._session, self.bar
        bar.source.currentIndexChanged.connect(self._on_source_changed)
        bar.baseline.textActivated.connect(self.pin)
        bar.run_button.clicked.connect(self.run_study)
        bar.hidden_changed.connect(self.hide_scenarios)
        bar.open_asked.connect(self.open_scenario)
        bar.export_button.file_chosen.connect(self.export)
        self.certainty.finished.connect(self._on_certainty_found)
        session.runs_changed.connect(self._on_runs_changed)
        session.run_finished.connect(self._offer_last)
        session.chances_changed.connect(self._follow_if_seen)
        bar.keep_button.clicked.connect(lambda checked: session.keep())
        session.study_asked.connect(self._on_study_asked)
        session.studies.ended.connect(self._follow_if_seen, Qt.ConnectionType.QueuedConnection)

    # What follows the session and the study

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "said"):
            self.model.recolour()
            self._name_sides()
            self._say()

    def _drop_last(self) -> None:
        if self._session.runs:
            self._session.forget(self._session.runs[-1])

    def _on_study_asked(self, opened: OpenedStudy) -> None:
        if isinstance(opened.study, Compare):
            self._given[opened.name] = opened
            self.bar.offer(opened.name, opened.study.title)
            if self.chosen_study == opened.name:
                self._on_source_changed()
            self.source.setCurrentIndex(self.source.findData(opened.name))

    def _on_source_changed(self) -> None:
        self.study.cancel()
        self._is_asked_for = False
        try:
            name = self.chosen_study
            opened = self._given.get(name) or (open_study(name) if name else None)
            study = opened.study if opened else None
            self.choice.take_study(study if isinstance(study, Compare) else None, self._session.runs)
        except ProblemError as error:
            self.end(str(error), is_wrong=True)
        self._session.colours_of_study = self.choice.colours
        self.keep_setup()
        self._follow()

    def _on_runs_changed(self) -> None:
        self.source.setItemText(0, f"{KEPT} ({len(self._session.runs)})")
        self._offer_last()
        self._follow_if_seen()

    def _offer_last(self) -> None:
        """Offer to keep the last run, where it is not kept yet."""
        last, has_room = self._session.last_run, len(self._session.runs) < MOST
        is_offered = last is not None and not last.is_kept and has_room
        self.bar.keep_button.setVisible(is_offered)
        if is_offered and last is not None:
            self.bar.keep_button.setText(f"&Keep {last.label} as scenario")

    def _follow_if_seen(self) -> None:
        if self.isVisible():
            self._follow()

    def _follow(self) -> None:
        """Show the scenarios as they stand; simulate what is missing where that was asked for or takes little."""
        if self.study.is_running:
            return
        try:
            self.choice.take_runs(self._session.runs)
        except ProblemError as error:
            self.end(str(error), is_wrong=True)
            return
        asked = self.choice.asked(self._session.seed, self._session.replications)
        if asked is None or self.found is None or _is_other(asked, self.found):
            self._show(asked)
            if asked is not None and self.isVisible() and (self._is_asked_for or asked.is_cheap):
                self._start(asked)

    def _start(self, asked: Comparison) -> None:
        if self.study.is_free:
            self.certainty.cancel()
            self.said.setText("")
        self.begin(compare_sides, asked)

    def take(self, answer: Comparison) -> tuple[str, bool]:
        self._is_asked_for = False
        self.choice.take(answer)
        self._show(answer)
        self._ask_how_sure(answer)
        return "", False

    def said_of_failure(self, reason: str) -> str:
        self._is_asked_for = False
        return reason

    def setup(self) -> CompareSetup:
        choice = self.choice
        return CompareSetup(study=self.chosen_study, baseline=choice.baseline, hidden=tuple(sorted(choice.hidden)))

    def take_setup(self, setup: CompareSetup) -> None:
        if setup.study:
            self.bar.offer(setup.study, "")
        self.source.setCurrentIndex(self.source.findData(setup.study))
        self.choice.hidden, self.choice.baseline = set(setup.hidden), setup.baseline
        self.keep_setup()
        self._follow_if_seen()

    def _ask_how_sure(self, comparison: Comparison) -> None:
        """Find out how sure the answers are, once they are seen; what is found for other scenarios is dropped."""
        effort = asked_effort()
        if effort != "none" and self.certainty.is_free:
            self.certainty.start(predict_sides, comparison, effort)

    def _on_certainty_found(self, comparison: Comparison) -> None:
        if self.found is not None and not _is_other(self.found, comparison):
            self._show(comparison)

    def _show(self, comparison: Comparison | None) -> None:
        self.found = comparison
        self.model.show(comparison)
        self.contents.setCurrentIndex(1 if comparison else 0)
        self._name_sides()
        self.run_button.setEnabled(comparison is not None)
        self.empty.setText(ONE if len(self._session.runs) == 1 and not self.chosen_study else EMPTY)
        self.heading.setText(f"<b>{rich(comparison.title)}</b>" if comparison and self.choice.study else "")
        self.heading.setVisible(bool(self.heading.text()))
        self._say()
        self.table.fit()
        document = comparison.document if comparison else None
        self.charts.setVisible(document is not None)
        self.bar.export_button.let(document is not None)
        if comparison is None or document is None:
            return
        self.bar.export_button.proposed = (self.chosen_study or "comparison").replace("/", "-").lower()
        leads, *costs = bars(comparison.sides, document)
        self.leading.show_drawing(leads)
        self.cost.setVisible(bool(costs))
        for cost in costs:
            self.cost.show_drawing(cost)

    def _name_sides(self) -> None:
        shown = self.found.sides if self.found else ()
        self.bar.show_sides(self.choice.offered, shown, self.choice.hidden)

    def _say(self) -> None:
        """Show the results, or what there is to run."""
        shown = self.found
        if shown is None:
            self.said.setText("")
        elif shown.document is None:
            runs = f"{shown.replications} runs each" if shown.replications > 1 else "one run each"
            self.said.setText(
                f"{shown.missing} of {len(shown.sides)} scenarios to simulate, {runs}: press <b>Run study</b>. {JOIN}"
            )
        else:
            told = list(map(bound, verdicts(shown.document)))  # of each scenario, then of settings that limit some
            texts = [f"{_mark(side.colour)} {rich(verdict)}" for side, verdict in zip(shown.sides, told, strict=False)]
            self.said.setText("<br>".join([*texts, *map(rich, told[len(shown.sides) :]), *self._left_out()]))

    def _left_out(self) -> list[str]:
        names = rich(", ".join(self.choice.left_out))
        return [f"Six stand side by side at most. Without room: {names}; 'Scenarios' chooses."] if names else []


def _is_other(asked: Comparison, comparison: Comparison) -> bool:
    """Tell whether other scenarios are asked for than were found, in another order, or with other random numbers."""
    chances = (asked.seed, asked.replications) != (comparison.seed, comparison.replications)
    sides = [(side.key, side.name, side.colour) for side in asked.sides]
    return (
        comparison.document is None
        or chances
        or sides != [(side.key, side.name, side.colour) for side in comparison.sides]
    )


def _mark(colour: int) -> str:
    return f'<span style="color:{theme.series_colour(colour).name()}">{theme.series_mark(colour)}</span>'
