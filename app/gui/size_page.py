"""Size: targets and choices, and the configuration with the least of something that meets every target."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSortFilterProxyModel, Qt
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.gui.command_line import study_command, study_options
from app.gui.hint_table import HintTable
from app.gui.session import Session
from app.gui.setups import SizeSetup
from app.gui.size_jobs import MINIMIZE, Sized, SizedOption, SizeRequest, run_size
from app.gui.size_targets_model import TargetsModel
from app.gui.size_targets_view import TargetsView
from app.gui.studies import OpenedStudy
from app.gui.study import BUSY, Study
from app.gui.study_widgets import Message, Progress, add_action
from app.gui.sweep_axes_model import AxesModel
from app.gui.sweep_axes_view import AxesView
from app.gui.sweep_jobs import Refused, points_file
from app.gui.sweep_place_view import workers_box
from app.gui.sweep_plan import point_text, said
from app.gui.table_model import RAW, Column, TableModel
from app.gui.theme import current
from app.reports import words
from app.reports.document import quantity
from models.planning.study import Size as Sizing
from models.problem import ProblemError
from models.target import plain, target

KEYS = "Nothing can be chosen yet: press 'Add key', such as cluster.groups.workers.count, and give its values."
NO_PROFILE = "No profile is open: choose one on Home (Ctrl+1)."
TO_DO = "Say above what has to be met and what may be chosen, then press 'Find the smallest'."
READY = "Press 'Find the smallest': every option appears here with the reason why it is not the answer."


class SizePage(QWidget):
    """Targets and keys above; the answer, and why the other options are none, below."""

    title = "Size"
    icon = "size"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._study = Study(session.studies, self)
        self._request: SizeRequest | None = None
        self._sized: Sized | None = None
        self.targets = TargetsModel(session.document.stack, self)
        self.axes = AxesModel(session, self.title, self)
        self.targets_view, self.axes_view = TargetsView(self.targets), AxesView(self.axes, KEYS)
        self.workers = workers_box()
        self.summary, self.message, self.answer = QLabel(wordWrap=True), Message(), QLabel(wordWrap=True)
        self.start_button, self.cancel_button = QPushButton("F&ind the smallest"), QPushButton("&Cancel")
        self.progress = Progress("Progress of the search")
        self._sorted = QSortFilterProxyModel(self, sortRole=RAW)
        self._sorted.setSourceModel(TableModel((), self))
        self.table = HintTable("Options", self._sorted, TO_DO)
        self.open_button, self.copy_button = QPushButton("Open as a &profile"), QPushButton("Copy as command &line")
        self._name()
        self._lay_out()
        self._add_actions()
        self._listen()
        self._take_setup()
        self.refresh()

    # What is shown

    def refresh(self) -> None:
        """Let texts and buttons follow targets, keys, the profile and the study."""
        session, is_running = self._session, self._study.is_running
        is_right = self.targets.is_right and self.axes.plan.is_right and session.is_valid
        self.start_button.setEnabled(is_right and not is_running and self._study.is_free)
        self.start_action.setEnabled(self.start_button.isEnabled())
        self.cancel_button.setEnabled(is_running)
        self.cancel_action.setEnabled(is_running)
        self.copy_button.setEnabled(is_right)
        self.copy_action.setEnabled(is_right)
        self.open_button.setEnabled(self._chosen() is not None)
        self.summary.setText(self._summary())
        self.summary.setStyleSheet(f"color: {current().error}" if self.axes.complaint else "")
        self.table.say(self._hint(is_right=is_right))

    def _summary(self) -> str:
        plan = self.axes.plan
        if self.axes.complaint:
            return escape(self.axes.complaint)
        if not self._study.is_free and not self._study.is_running:
            return BUSY
        if not plan.points:
            return ""
        count = len(plan.points)
        options = f"<b>{count} option{'' if count == 1 else 's'}</b>"
        return f"{options}; what closed forms and other options decide is not simulated"

    def _hint(self, *, is_right: bool) -> str:
        if not self._session.document.is_open:
            return NO_PROFILE
        if self._session.problems:
            return "The profile has problems: fix them first (F8 goes to the next)."
        return READY if is_right else TO_DO

    # What can be done

    def start(self) -> None:
        """Search the options."""
        session, document = self._session, self._session.document
        try:
            store = points_file()
        except OSError as error:
            self.message.say(f"There is no place to keep points: {error}", is_wrong=True)
            return
        self._request = SizeRequest(
            name=document.name,
            text=document.text,
            base=document.base,
            points=self.axes.plan.points,
            targets=self.targets.texts,
            minimize=self.targets_view.least.currentText(),
            seed=session.seed,
            replications=session.replications,
            workers=self.workers.value(),
            store=store,
        )
        self.message.say("")
        self.progress.begin("starting")
        self._study.start(run_size, self._request)
        self.refresh()

    def cancel(self) -> None:
        """End the search."""
        self._study.cancel()

    def open_option(self) -> None:
        """Open the profile with the chosen option, a step that can be undone."""
        option, request, document = self._chosen(), self._request, self._session.document
        if option is None or request is None:
            return
        if document.base != request.base:
            self.message.say(f"Open {request.name} again first: the sizing was of that profile.", is_wrong=True)
            return
        try:
            text = point_text(request.text, request.base, option.values)
        except ProblemError as error:
            self.message.say(f"This option cannot be a profile: {error}", is_wrong=True)
            return
        document.set_text(text, said(option.values))
        self._session.page_asked.emit("Profile")

    def take_study(self, opened: OpenedStudy) -> None:
        """Fill in what a study has to meet and may choose, ready to start."""
        if isinstance(opened.study, Sizing):
            self.cancel()
            self.targets.show(map(target, opened.study.targets))
            self.targets_view.least.setCurrentText(plain(opened.study.minimize))
            self.axes.show(opened.study.vary.items())
            self._drop_answer()
            self.message.say(opened.study.title)

    def _take_setup(self) -> None:
        """Ask what a project asks, if that is something else."""
        setup = self._session.setups.size
        if setup != self._setup():
            self.cancel()
            self._drop_answer()
            self.targets.restore(setup.targets)
            self.axes.restore(setup.axes)
            self.targets_view.least.setCurrentText(setup.minimize)

    def _setup(self) -> SizeSetup:
        minimize = self.targets_view.least.currentText()
        return SizeSetup(targets=self.targets.rows, axes=self.axes.rows, minimize=minimize)

    def _keep_setup(self) -> None:
        self._session.set_up(size=self._setup())

    def _drop_answer(self) -> None:
        self._sized = None
        self.answer.hide()
        self._list(TableModel((), self))

    def copy_command(self) -> None:
        """Put the command that does the same on the clipboard."""
        session = self._session
        changed = session.changes()
        options = study_options(changed, self.axes.rows, session.seed, session.replications)
        options += [("--target", text) for text in self.targets.texts]
        options += [("--minimize", self.targets_view.least.currentText()), ("--workers", self.workers.value())]
        command = study_command("size", str(session.document.path or session.document.name), options)
        QGuiApplication.clipboard().setText(command)
        self.message.say(f"Copied: {command}")

    def _chosen(self) -> SizedOption | None:
        if self._sized is None or self.table.row() < 0:
            return None
        return self._sized.options[self._sorted.mapToSource(self.table.chosen()).row()]

    # What the study tells

    def _on_progressed(self, fraction: float, doing: str, seconds_left: float) -> None:
        self.progress.reach(fraction, f"{words.percent(fraction)}, {doing} – Esc cancels")

    def _on_finished(self, answer: object) -> None:
        if isinstance(answer, Refused):
            self._refuse(answer)
        elif isinstance(answer, Sized):
            self._show(answer)
        self._on_ended()

    def _refuse(self, refused: Refused) -> None:
        rest = self.axes.refuse(refused.problems)
        about = {problem.key for problem in refused.problems}
        where = "Minimize" if MINIMIZE in about else "Targets"
        self.message.say(f"{where}: {rest}" if rest else "Nothing was run: fix the values in red.", is_wrong=True)

    def _show(self, sized: Sized) -> None:
        self._sized = sized
        self.answer.setText(_answer(sized))
        self.answer.show()
        model = TableModel(_columns(sized), self)
        model.show([_row(option) for option in sized.options])
        self._list(model)
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.table.fit()
        if sized.options:
            self.table.selectRow(0)

    def _list(self, model: TableModel) -> None:
        old = self._sorted.sourceModel()
        self._sorted.setSourceModel(model)
        old.deleteLater()

    def _on_failed(self, reason: str) -> None:
        self.message.say(f"The search stopped: {reason}", is_wrong=True)
        self._on_ended()

    def _on_cancelled(self) -> None:
        self.message.say("Cancelled; points that were simulated are kept, so that the next search takes them.")
        self._on_ended()

    def _on_ended(self) -> None:
        self.progress.hide()
        self.refresh()

    # Building

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _name(self) -> None:
        self.summary.setAccessibleName("What will be searched")
        self.answer.setAccessibleName("Answer")
        self.answer.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.answer.hide()
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)

    def _lay_out(self) -> None:
        self.axes_view.buttons.addWidget(QLabel("Processes"))
        self.axes_view.buttons.addWidget(self.workers)
        above, buttons, below = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for title, view in (
            ("<b>What has to be met</b>", self.targets_view),
            ("<b>What may be chosen</b>", self.axes_view),
        ):
            column = QVBoxLayout()
            column.addWidget(QLabel(title))
            column.addWidget(view)
            above.addLayout(column, 1)
        buttons.addWidget(self.summary, 1)
        buttons.addWidget(self.start_button)
        buttons.addWidget(self.cancel_button)
        below.addWidget(self.open_button)
        below.addWidget(self.copy_button)
        below.addStretch()
        layout = QVBoxLayout(self)
        for each in (above, buttons):
            layout.addLayout(each)
        for widget in (self.progress, self.message, self.answer):
            layout.addWidget(widget)
        layout.addWidget(self.table, 1)
        layout.addLayout(below)

    def _add_actions(self) -> None:
        self.start_action = add_action(self, "&Find the smallest", self.start, "Ctrl+Return")
        self.cancel_action = add_action(self, "&Cancel the search", self.cancel, "Esc")
        self.copy_action = add_action(self, "Copy the sizing as command &line", self.copy_command)

    def _listen(self) -> None:
        session, study = self._session, self._study
        self.start_button.clicked.connect(self.start)
        self.cancel_button.clicked.connect(self.cancel)
        self.open_button.clicked.connect(self.open_option)
        self.copy_button.clicked.connect(self.copy_command)
        self.table.doubleClicked.connect(self.open_option)
        session.study_asked.connect(self.take_study)
        session.choice_asked.connect(self.axes_view.vary)
        self.targets.shown_again.connect(lambda: session.page_asked.emit(self.title))
        self.table.selectionModel().selectionChanged.connect(self.refresh)
        for signal in (self.targets.changed, self.targets_view.least.currentTextChanged):
            signal.connect(lambda *_: self.message.say(""))
        for signal in (self.targets.changed, self.axes.changed, session.problems_changed, session.document_opened):
            signal.connect(self.refresh)
        for signal in (self.targets.changed, self.axes.changed, self.targets_view.least.currentTextChanged):
            signal.connect(self._keep_setup)
        session.setups_taken.connect(self._take_setup)
        study.progressed.connect(self._on_progressed)
        study.finished.connect(self._on_finished)
        study.failed.connect(self._on_failed)
        study.cancelled.connect(self._on_cancelled)


def _answer(sized: Sized) -> str:
    rows = [
        f"&nbsp;&nbsp;&nbsp;&nbsp;{label.strip()}: {escape(text)}"
        if label.startswith(" ")
        else f"<b>{label}: {escape(text)}</b>"
        for label, text in sized.answer
    ]
    return "<br>".join([*rows, escape(sized.effort)])


def _columns(sized: Sized) -> list[Column]:
    return [
        Column("option", is_number=False),
        Column(
            sized.minimize.replace("_", " "),
            lambda value: quantity(value, sized.unit),
            "The value of the measure to minimize",
        ),
        Column("duration", words.seconds, "Simulated; a dash where that was not necessary"),
        Column("why", is_number=False, meaning="Why it is, or is not, the answer"),
    ]


def _row(option: SizedOption) -> tuple[object, ...]:
    return (said(option.values), option.objective, option.duration, option.verdict)
