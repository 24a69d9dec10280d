"""Size: targets and choices, and the configuration with the least of something that meets every target."""

from __future__ import annotations

from PySide6.QtCore import QSortFilterProxyModel, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSplitter, QVBoxLayout

from app.gui.jobs.study import BUSY
from app.gui.look import theme
from app.gui.session.command_line import study_command, study_options
from app.gui.session.points import point_text, said
from app.gui.session.session import Session
from app.gui.session.setups import SizeSetup
from app.gui.session.studies import OpenedStudy
from app.gui.size.chart_view import CertaintyChart
from app.gui.size.jobs import MINIMIZE, Sized, SizedOption, SizeRequest, run_size
from app.gui.size.targets_model import TargetsModel
from app.gui.size.targets_view import TargetsView
from app.gui.studies.age import Age, changed_since
from app.gui.studies.axes_model import AxesModel
from app.gui.studies.axes_view import AxesView
from app.gui.studies.base import JobPage
from app.gui.studies.place_view import workers_box
from app.gui.studies.points import Refused
from app.gui.studies.scrolled import Scrolled
from app.gui.studies.widgets import add_action
from app.gui.tables.hint_table import HintTable
from app.gui.tables.model import RAW, Column, TableModel
from app.reports import words
from app.reports.document import quantity
from app.reports.media import rich
from models.planning.study import Size as Sizing
from models.problem import ProblemError
from models.target import plain, target
from models.units import MINUTE, format_duration

KEYS = "Nothing can be chosen yet: press 'Add key', such as cluster.groups.workers.count, and give its values."
TO_DO = "Say above what has to be met and what may be chosen, then press 'Find the smallest'."
SEARCHING = "Every option appears here, with the reason why it is not the answer, when the search has ended."
READY = "Press 'Find the smallest': every option appears here with the reason why it is not the answer."


class SizePage(JobPage):
    """Targets and keys above; the answer, and why the other options are none, below."""

    title = "Size"
    setup_field = "size"
    cancelled = "Cancelled; points that were simulated are kept, so that the next search takes them."

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._request: SizeRequest | None = None
        self._sized: Sized | None = None
        self.targets = TargetsModel(session.document.stack, self)
        self.axes = AxesModel(session, self.title, self)
        self.targets_view, self.axes_view = TargetsView(self.targets), AxesView(self.axes, KEYS)
        self.workers = workers_box()
        self.summary, self.answer = QLabel(wordWrap=True), QLabel(wordWrap=True)
        self.start_button = QPushButton("F&ind the smallest")
        self._sorted = QSortFilterProxyModel(self, sortRole=RAW)
        self._sorted.setSourceModel(TableModel((), self))
        self.table, self.chart = HintTable("Options", self._sorted, TO_DO), CertaintyChart()
        self.age = Age(self.answer, self.table, self.chart)
        self.open_button, self.copy_button = QPushButton("Open as a &profile"), QPushButton("Copy as command &line")
        self._name()
        self._lay_out()
        self._add_actions()
        self._listen()
        self.connect_all()

    # What is shown

    def refresh(self) -> None:
        """Let texts and buttons follow targets, keys, the profile and the study."""
        super().refresh()
        session = self._session
        is_right = self.targets.is_right and self.axes.plan.is_right and session.is_valid
        self.start_button.setEnabled(is_right and self.study.is_free)
        self.start_action.setEnabled(self.start_button.isEnabled())
        self.copy_button.setEnabled(is_right)
        self.copy_action.setEnabled(is_right)
        self.open_button.setEnabled(self._chosen() is not None)
        self.summary.setText(self._summary())
        theme.warn(self.summary, is_wrong=bool(self.axes.complaint))
        self.age.tell(self._changed())
        self.table.say(self._hint(is_right=is_right))

    def _summary(self) -> str:
        plan = self.axes.plan
        if self.axes.complaint:
            return rich(self.axes.complaint)
        if not self.study.is_free and not self.study.is_running:
            return BUSY
        if not plan.points:
            return ""
        count = len(plan.points)
        options = f"<b>{count} option{'' if count == 1 else 's'}</b>"
        return f"{options}; what closed forms and other options decide is not simulated"

    def _changed(self) -> str:
        """Return why the answer that is shown is one of before, "" where it is not, or where there is none."""
        asked = self._request
        if self._sized is None or asked is None:
            return ""
        view, least = self.targets_view, self.targets_view.least.currentText()
        question = (asked.points, asked.targets, asked.minimize, asked.confidence)
        is_same = question == (self.axes.plan.points, self.targets.texts, least, view.confidence)
        return changed_since(self._session, asked) or ("" if is_same else "What is asked above has changed since.")

    def _hint(self, *, is_right: bool) -> str:
        return SEARCHING if self.study.is_running else self.why_not() or (READY if is_right else TO_DO)

    # What can be done

    def start(self) -> None:
        """Search the options."""
        session, document = self._session, self._session.document
        place = self.place(self.workers.value())
        if place is None:
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
            workers=place.workers,
            store=place.store,
            confidence=self.targets_view.confidence,
        )
        self.begin(run_size, self._request)

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
        self._session.page_asked.emit("Cluster")

    def take_study(self, opened: OpenedStudy) -> None:
        """Fill in what a study has to meet and may choose, ready to start."""
        if isinstance(opened.study, Sizing):
            self.cancel()
            self.targets.show(map(target, opened.study.targets))
            self.targets_view.least.setCurrentText(plain(opened.study.minimize))
            self.targets_view.ask(opened.study.confidence)
            self.axes.show(opened.study.vary.items())
            self._drop_answer()
            self.message.say(opened.study.title)

    def take_setup(self, setup: SizeSetup) -> None:
        self._drop_answer()
        self.targets.restore(setup.targets)
        self.axes.restore(setup.axes)
        self.targets_view.least.setCurrentText(setup.minimize)
        self.targets_view.ask(setup.confidence)

    def setup(self) -> SizeSetup:
        minimize = self.targets_view.least.currentText()
        confidence = self.targets_view.confidence
        return SizeSetup(targets=self.targets.rows, axes=self.axes.rows, minimize=minimize, confidence=confidence)

    def _drop_answer(self) -> None:
        self._sized = None
        self.answer.hide()
        self.chart.hide()
        self._list(TableModel((), self))

    def copy_command(self) -> None:
        """Put the command that does the same on the clipboard."""
        session = self._session
        changed = session.changes()
        options = study_options(changed, self.axes.rows, session.seed, session.replications)
        options += [("--target", text) for text in self.targets.texts]
        options += [("--confidence", f"{confidence:.6g}" if (confidence := self.targets_view.confidence) else None)]
        options += [("--minimize", self.targets_view.least.currentText()), ("--workers", self.workers.value())]
        command = study_command("size", str(session.document.path or session.document.name), options)
        self.copy(command)

    def _chosen(self) -> SizedOption | None:
        if self._sized is None or self.table.row() < 0:
            return None
        return self._sized.options[self._sorted.mapToSource(self.table.chosen()).row()]

    # What the study tells

    def said_of_progress(self, fraction: float, doing: str, seconds_left: float) -> str:
        return f"{words.percent(fraction)}, {doing} – Esc cancels"

    def said_of_failure(self, reason: str) -> str:
        return f"The search stopped: {reason}"

    def take(self, answer: Sized | Refused) -> tuple[str, bool]:
        if isinstance(answer, Refused):
            return self._refused(answer), True
        self._show(answer)
        return "", False

    def _refused(self, refused: Refused) -> str:
        rest = self.axes.refuse(refused.problems)
        about = {problem.key for problem in refused.problems}
        where = "Minimize" if MINIMIZE in about else "Targets"
        return f"{where}: {rest}" if rest else "Nothing was run: fix the values in red."

    def _show(self, sized: Sized) -> None:
        self._sized = sized
        self.answer.setText(_answer(sized))
        self.answer.show()
        self.chart.show_options(sized)
        model = TableModel(_columns(sized), self)
        model.show([_row(option, is_weighed=bool(sized.weighed)) for option in sized.options])
        self._list(model)
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.table.fit()
        if sized.options:
            self.table.selectRow(0)

    def _list(self, model: TableModel) -> None:
        old = self._sorted.sourceModel()
        self._sorted.setSourceModel(model)
        old.deleteLater()

    # Building

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
            column.addStretch()  # the tables stand side by side, though there is more below one of them
            above.addLayout(column, 1)
        buttons.addWidget(self.summary, 1)
        buttons.addWidget(self.start_button)
        buttons.addWidget(self.cancel_button)
        below.addWidget(self.open_button)
        below.addWidget(self.copy_button)
        below.addStretch()
        layout = QVBoxLayout(self)
        for row in (above, buttons):
            layout.addLayout(row)
        for widget in (self.progress, self.message, self.age, Scrolled(self.answer)):
            layout.addWidget(widget)
        body = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        body.addWidget(self.table)
        body.addWidget(self.chart)
        body.setSizes([620, 420])
        layout.addWidget(body, 1)
        layout.addLayout(below)

    def _add_actions(self) -> None:
        self.start_action = add_action(self, "&Find the smallest", self.start, "Ctrl+Return")
        self.copy_action = add_action(self, "Copy the sizing as command &line", self.copy_command)

    def _listen(self) -> None:
        session = self._session
        self.start_button.clicked.connect(self.start)
        self.open_button.clicked.connect(self.open_option)
        self.copy_button.clicked.connect(self.copy_command)
        self.table.doubleClicked.connect(self.open_option)
        session.study_asked.connect(self.take_study)
        session.choice_asked.connect(self.axes_view.vary)
        self.targets.shown_again.connect(lambda: session.page_asked.emit(self.title))
        self.table.selectionModel().selectionChanged.connect(self.refresh)
        for signal in (self.targets.changed, self.targets_view.least.currentTextChanged):
            signal.connect(lambda *_: self.message.say(""))
        profile = (session.problems_changed, session.document_opened, session.chances_changed)
        for signal in (self.targets.changed, self.axes.changed, *profile):
            signal.connect(self.refresh)
        view = self.targets_view
        for signal in (view.least.currentTextChanged, view.certainty.currentIndexChanged):
            signal.connect(self.refresh)
        for signal in (self.targets.changed, self.axes.changed, view.least.currentTextChanged):
            signal.connect(self.keep_setup)
        view.certainty.currentIndexChanged.connect(self.keep_setup)


def _answer(sized: Sized) -> str:
    rows = [
        f"&nbsp;&nbsp;&nbsp;&nbsp;{label.strip()}: {rich(text)}"
        if label.startswith(" ")
        else f"<b>{label}:</b> {rich(text)}"
        for label, text in sized.answer
    ]
    return "<br>".join([*rows, rich(sized.effort)])


def _columns(sized: Sized) -> list[Column]:
    chance = Column("met in", words.percent, "The part of the cases in which it meets the targets for the run")
    return [
        Column("option", is_number=False),
        Column(
            sized.minimize.replace("_", " "),
            lambda value: quantity(value, sized.unit),
            "The value of the measure to minimize",
        ),
        Column("duration", _time, "Simulated; a dash where that was not necessary"),
        *((chance,) if sized.weighed else ()),
        Column("why", is_number=False, meaning="Why it is, or is not, the answer"),
    ]


def _time(value: float) -> str:
    """Return a time in the units that targets are written in."""
    return format_duration(value) if value >= MINUTE else words.seconds(value)


def _row(option: SizedOption, *, is_weighed: bool) -> tuple[object, ...]:
    chance = (option.chance,) if is_weighed else ()
    return (said(option.values), option.objective, option.duration, *chance, option.verdict)
