"""Plan: from what a customer requires to a decision, in five steps on a rail, with the best so far below."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, Qt, QTimer
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
)

from app.gui.plan.banner import Banner
from app.gui.plan.candidates_view import CandidatesView
from app.gui.plan.check_view import CheckView
from app.gui.plan.compare_view import CompareView
from app.gui.plan.decide_view import DecideView
from app.gui.plan.empty_view import EmptyView
from app.gui.plan.fields import called
from app.gui.plan.glances import Glances, in_the_form
from app.gui.plan.jobs import (
    Curve,
    Curves,
    Planned,
    Redrawn,
    answer_plan,
    draw_plan,
    profile_text,
    redraw_plan,
    simulate_curves,
)
from app.gui.plan.model import NEW, PlanModel
from app.gui.plan.offers import Offer, RowsDialog, read_offer
from app.gui.plan.rail import Rail
from app.gui.plan.requirements_view import RequirementsView
from app.gui.plan.strip import Strip
from app.gui.plan.text_view import PlanText
from app.gui.session.plan_answer import ShownPlan
from app.gui.session.session import Session
from app.gui.session.setups import PlanSetup
from app.gui.session.studies import OpenedStudy
from app.gui.studies.base import JobPage
from app.gui.studies.place_view import cores
from app.gui.studies.widgets import add_action
from models.planning.study import FOLDER, Plan
from models.problem import ProblemError
from profiles.loading.catalog import SHIPPED
from profiles.text.toml import text_of

STEPS = ("Requirements", "Candidates", "Check", "Compare", "Decide")
PAUSE = 200  # milliseconds after a change before the project is told
COVER_PAUSE = 800  # milliseconds after a change of the cover before the report is drawn anew
STOP, DROP = "&Stop with the best so far", "&Cancel"
STOPPING = "Stopping with the best so far; Esc once more drops the search."
STOPPED = "Stopped with the best so far. What was simulated is kept: the next check goes on from there."


class PlanPage(JobPage):
    """The rail on the left, the step beside it, its text on demand, the strip below."""

    title = "Plan"
    setup_field = "plan"

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.model = PlanModel(session.document.stack, self)
        self._proposal: bytes | None = None
        self._drawn: tuple[object, ...] = ()  # the cover that the report has, and how its numbers are written
        self._opens = ""
        self._is_searching = False
        self.rail = Rail(STEPS)
        self.requirements, self.candidates = RequirementsView(self.model), CandidatesView(self.model)
        self.check, self.compare, self.decide = CheckView(), CompareView(), DecideView(self.model)
        self.steps, self.answers, self.empty = QStackedWidget(), QStackedWidget(), EmptyView()
        self.text, self.strip, self.glances = PlanText(self.model), Strip(), Glances(self.model, self)
        self.check_button, self.text_button = QPushButton("Chec&k"), QPushButton("Sho&w as text")
        self.back_button, self.next_button = QPushButton("&Back"), QPushButton("Nex&t")
        self.banner = Banner(self.answers)
        self._told = QTimer(self, singleShot=True, interval=PAUSE)
        self._dressed = QTimer(self, singleShot=True, interval=COVER_PAUSE)
        self._lay_out()
        self._add_actions()
        self._listen()
        self.connect_all()
        self.show_step(session.setups.plan.step)

    # What is shown

    def refresh(self) -> None:
        super().refresh()
        shown, is_running = self.model.answer, self.study.is_running
        is_ready = self.model.is_right and not is_running and self.study.is_free
        if not is_running:
            self.cancel_button.setText(DROP)
        self.check_button.setEnabled(is_ready)
        self.check_action.setEnabled(is_ready)
        self.compare.further_button.setEnabled(shown is not None and self.study.is_free)
        self.decide.open_button.setEnabled(shown is not None and not is_running)
        self.decide.export_button.let(shown is not None and not is_running)
        self.decide.export_button.proposed = self.model.get("customer") or "plan"
        self._tell_age()
        self.answers.setCurrentIndex(1 if shown else 0)
        has_candidates, is_searching = bool(self.model.candidates), is_running and self._is_searching
        self.empty.tell(has_candidates=has_candidates, may_begin=is_ready, is_searching=is_searching)
        self.strip.show_answer(shown, is_stale=self.model.is_stale)
        # that there is no candidate yet, step 2 says
        told = [problem for problem in self.model.problems if problem.key != "candidates"]
        problems = "; ".join(": ".join(filter(None, (called(self, p.key), p.message))) for p in told)
        is_asked = bool(problems) and not self.model.is_new
        self.message.say_in_the_way(problems if is_asked else "", is_wrong=is_asked)

    def _tell_age(self) -> None:
        self.banner.tell(
            is_answer_shown=self.step >= STEPS.index("Check"),
            is_stale=self.model.is_stale,
            has_old_cover=self._proposal is None and self.model.has_another_cover,
        )

    def show_step(self, step: int) -> None:
        """Show a step, by its number from 0."""
        self.rail.setCurrentIndex(self.rail.model().index(min(max(step, 0), len(STEPS) - 1), 0))

    @property
    def step(self) -> int:
        """The number of the step that is shown, from 0."""
        return max(self.rail.currentIndex().row(), 0)

    # What can be done

    def run(self) -> None:
        """Search the candidates, and show what each meets."""
        self._end_editing()
        if self.model.is_right:
            if self.step < STEPS.index("Check"):
                self.show_step(STEPS.index("Check"))
            self._search(self.model.text)

    def _end_editing(self) -> None:
        """Take what is being typed: a key that begins something leaves the field as a click on a button would."""
        focus = QApplication.focusWidget()
        if focus is not None and self.isAncestorOf(focus):
            self.rail.setFocus()  # the keys of the page go on to count

    def begin(self, job: Callable[..., object], *arguments: object) -> None:
        self._is_searching = job is answer_plan
        super().begin(job, *arguments)
        self.cancel_button.setText(STOP if self._is_searching else DROP)

    def said_of_progress(self, fraction: float, doing: str, seconds_left: float) -> str:
        text = super().said_of_progress(fraction, doing, seconds_left)
        return text.replace("Esc cancels", "Esc stops with the best so far") if self._is_searching else text

    def said_of_failure(self, reason: str) -> str:
        return in_the_form(reason)

    def give_up(self) -> None:
        """Stop the search with the best so far; when that is asked once more, and for all else, end it at once."""
        if self._is_searching and self.study.is_running:
            self.write_nothing()
            self._is_searching = False
            self.study.stop()
            self.cancel_button.setText(DROP)
            self.message.say(STOPPING)
        else:
            self.cancel()

    def export(self, path: Path) -> None:
        """Write the report of the plan to a file, in the form of its suffix; a plan of a project is answered anew."""
        shown = self.model.answer
        if shown is None:
            return
        text = shown.asked if self.model.is_stale else self.model.text
        if self._proposal is not None:
            self.write(path, draw_plan, self._proposal, text, self.model.base, self.locale_name, path.suffix.lower())
        elif self.may_write(path, self.suffixes):
            self._exports = path
            self._search(text)

    @property
    def locale_name(self) -> str:
        """How numbers of the report are to be written."""
        return self.decide.numbers.currentText().strip() or "en"

    def take_logo(self, file: Path) -> None:
        """Let a picture stand on the cover."""
        try:
            self.model.take_logo(file)
        except ProblemError as error:
            self.message.say(f"{error}", is_wrong=True)

    def _dress(self) -> None:
        """Draw the report anew where its cover has changed, or how its numbers are to be written."""
        wanted = self.model.cover, self.locale_name
        if self._proposal is None or self.model.is_stale or not self.model.is_right or wanted == self._drawn:
            return
        if self.study.is_free:
            self._drawn = wanted
            self.begin(redraw_plan, self._proposal, self.model.text, self.model.base, self.locale_name)
        else:
            self._dressed.start()

    def read_offer(self, path: Path) -> None:
        """Add a candidate with the prices of a quotation."""
        self._read_offer(path, [])

    def _read_offer(self, path: Path, rules: list[dict[str, Any]]) -> None:
        self.begin(read_offer, path, self.model.get("prices") or NEW["prices"], rules)

    def _take_offer(self, offer: Offer) -> str:
        """Add what a quotation says, or ask what it does not say."""
        if offer.text:
            self.model.add_offer(offer.file.stem, offer.text)
            return f"Read {offer.file.name}: its prices stand in the plan, with the day and the rows they are from."
        dialog = RowsDialog(offer, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._read_offer(offer.file, dialog.rules))
        dialog.open()
        return ""

    def _search(self, text: str) -> None:
        place = self.place(cores())
        if place is not None:
            self._drawn = self.model.cover, self.locale_name
            self.begin(answer_plan, text, self.model.base, place, self.locale_name)

    def simulate_further(self) -> None:
        """Simulate further points of the curves of all candidates."""
        shown, place = self.model.answer, self.place(cores())
        if shown is not None and place is not None:
            self.compare.measure.setFocus()  # the button can be pressed no more: the keys stay here
            self.begin(simulate_curves, shown.asked, self.model.base, place, shown.objective)

    def hear(self, part: object) -> None:
        if isinstance(part, Curve):
            self.model.take_points(part.candidate, part.points)
        elif isinstance(part, ShownPlan):
            self._proposal = None  # that of the answer before
            self.model.take_answer(part)

    def open_best(self) -> None:
        """Open the best candidate, in its best number of servers, as a profile."""
        shown = self.model.answer
        if shown is not None and shown.candidates:
            best = shown.candidates[0]
            self._opens = best.name
            self.begin(profile_text, shown.asked, self.model.base, best.name, best.values)

    def take_study(self, opened: OpenedStudy) -> None:
        """Show a plan that was opened."""
        if isinstance(opened.study, Plan):
            path = SHIPPED.find(opened.name, [FOLDER]) or Path(opened.name).absolute()
            self._open(text_of(path), path)
            self.show_step(0)

    def _open(self, text: str, base: Path) -> None:
        self.cancel()
        self._proposal = None
        try:
            self.model.open(text, base)
        except ProblemError as error:
            self.message.say(f"{error}", is_wrong=True)

    # What the study tells

    def take(self, answer: Planned | Curves | Redrawn | Offer | str) -> tuple[str, bool]:
        if isinstance(answer, Offer):
            return self._take_offer(answer), False
        if isinstance(answer, str):
            name = self._opens
            self._session.opening_asked.emit(lambda: self._session.open_text(answer, name))
            return "", False
        if isinstance(answer, Curves):
            return f"Simulated: {answer.count} points of the curves.", False
        if isinstance(answer, Redrawn):
            self.model.take_page(answer.page)
            return "", False
        self._proposal = answer.proposal
        self.model.take_answer(answer.shown)
        self._session.answer_found.emit(answer.shown.verdict, self.model.base)
        if self._exports is not None:
            path, self._exports = self._exports, None
            QTimer.singleShot(0, lambda: self.export(path))
        return STOPPED if self.message.text() == STOPPING else "", False

    def setup(self) -> PlanSetup:
        if self.model.is_new:
            return PlanSetup()
        answer = self.model.answer
        return PlanSetup(
            text=self.model.text, base=str(self.model.base), step=self.step, answer=answer, locale=self.locale_name
        )

    def take_setup(self, setup: PlanSetup) -> None:
        self._open(setup.text, Path(setup.base or "plan.toml").absolute())
        if setup.answer is not None:
            self.model.take_answer(setup.answer)
        self.decide.numbers.setCurrentText(setup.locale)
        self.show_step(setup.step)

    # Building

    def _lay_out(self) -> None:
        self._results = results = QStackedWidget()
        for answer in (self.check, self.compare, self.decide):
            results.addWidget(answer)
        self.answers.addWidget(self.empty)
        self.answers.addWidget(results)
        for view in (self.requirements, self.candidates, self.answers):
            self.steps.addWidget(view)
        self.text.hide()
        self.text_button.setCheckable(True)
        body = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        body.addWidget(self.steps)
        body.addWidget(self.text)
        body.setStretchFactor(0, 3)
        body.setStretchFactor(1, 2)
        right, layout, buttons = QVBoxLayout(), QHBoxLayout(self), QHBoxLayout()
        for button in (self.back_button, self.next_button, self.check_button, self.cancel_button):
            buttons.addWidget(button)
        buttons.addStretch()
        buttons.addWidget(self.text_button)
        for widget in (self.progress, self.banner, self.message):
            right.addWidget(widget)
        right.addWidget(body, 1)
        right.addLayout(buttons)
        right.addWidget(self.strip)
        layout.addWidget(self.rail)
        layout.addLayout(right, 1)

    def _add_actions(self) -> None:
        self.check_action = add_action(self, "&Check the candidates", self.run, "Ctrl+Return")
        add_action(self, "&Next step", lambda: self.show_step(self.step + 1), "Alt+Right")
        add_action(self, "&Previous step", lambda: self.show_step(self.step - 1), "Alt+Left")
        add_action(self, "Show the plan as &text", self.text_button.toggle, "Ctrl+T")
        self.addActions(self.decide.export_button.forms)

    def _listen(self) -> None:
        session = self._session
        self.rail.selectionModel().currentChanged.connect(self._on_step)
        self.back_button.clicked.connect(lambda: self.show_step(self.step - 1))
        self.next_button.clicked.connect(lambda: self.show_step(self.step + 1))
        self.check_button.clicked.connect(self.run)
        self.empty.button.clicked.connect(self._on_empty_pressed)
        self.decide.open_button.clicked.connect(self.open_best)
        self.decide.export_button.file_chosen.connect(self.export)
        self.decide.logo_chosen.connect(self.take_logo)
        self.decide.locale_chosen.connect(self._told.start)
        for signal in (self.decide.locale_chosen, self.model.changed):
            signal.connect(self._dressed.start)
        self._dressed.timeout.connect(self._dress)
        self.candidates.offer_chosen.connect(self.read_offer)
        self.glances.found.connect(self.strip.show_glance)
        self.text_button.toggled.connect(self.text.setVisible)
        self.model.changed.connect(self.refresh)
        self.model.answered.connect(self._on_answered)
        self.model.curves_changed.connect(lambda: self.compare.show_points(self.model.answer))
        self.compare.further_asked.connect(self.simulate_further)
        for signal in (self.model.changed, self.model.answered, self.model.curves_changed):
            signal.connect(self._told.start)
        self._told.timeout.connect(self.keep_setup)
        session.setups_wanted.connect(self._keep_now)
        session.study_asked.connect(self.take_study)
        session.plan_asked.connect(lambda step: self.show_step(STEPS.index(step)))

    def _on_empty_pressed(self) -> None:
        if self.model.candidates:
            self.run()
        else:
            self.show_step(STEPS.index("Candidates"))

    def _on_step(self, index: QModelIndex) -> None:
        step, first, focus = index.row(), STEPS.index("Check"), QApplication.focusWidget()
        had_keys = focus is not None and self.steps.isAncestorOf(focus)
        self.steps.setCurrentIndex(min(step, first))
        self._results.setCurrentIndex(max(step - first, 0))
        if had_keys:  # they go to the first part of the step, which is the next one after the rail
            self.rail.setFocus()
            self.rail.focusNextChild()
        self._tell_age()
        self.back_button.setEnabled(step > 0)
        self.next_button.setEnabled(step < len(STEPS) - 1)
        self._told.start()

    def _keep_now(self) -> None:
        """Let a project that is being saved have what was changed a moment ago, too."""
        if self._told.isActive():
            self._told.stop()
            self.keep_setup()

    def _on_answered(self) -> None:
        shown = self.model.answer
        for view in (self.check, self.compare, self.decide):
            view.show_answer(shown)
        self.refresh()
