"""The answer of a run, first and large: how long, what limits it, what it costs; the estimate beside it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.gui.look.line_label import LineLabel
from app.gui.session.estimate import Estimate
from app.gui.session.runs import Run
from app.gui.session.session import Session
from app.reports import cost_section
from app.reports.media import bound, line, rich, shown

SCALE, LONG_SCALE = 1.9, 1.35  # of the headline's font over the text's, of a short one and of a long one
SHORT = 34  # letters of a line that have room in the larger font
DOCUMENTED = ("Documented", "Note")
FEW = 3  # rows on documented outcomes that stand with the answer


class AnswerView(QWidget):
    """Says what the last run gave, and what can be said without one."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.is_old = False  # whether what it shows is of a profile that is not, or not so, open
        self.headline = _label("Answer")
        self.details = _label("What the answer rests on")
        self.caption = LineLabel()
        self.caption.setAccessibleName("Which run this is")
        self.estimate = _label("Estimate")
        self.start = QPushButton("Simulate (Ctrl+R)")
        self.start.clicked.connect(session.run)
        self.headline.setTextFormat(Qt.TextFormat.PlainText)
        column, layout = QVBoxLayout(), QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for label in (self.caption, self.headline, self.details):
            column.addWidget(label)
        column.addWidget(self.start, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addStretch()
        layout.addLayout(column, 3)
        layout.addWidget(self.estimate, 2, Qt.AlignmentFlag.AlignTop)
        for signal in (session.estimate_changed, session.run_started, session.run_cancelled):
            signal.connect(self.refresh)
        session.certainties.found.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the last run and the estimate of the open profile."""
        session = self._session
        self.is_old = False
        self._show_estimate(session)
        if session.last_run is not None:
            self._show_run(session.last_run)
        elif not session.document.is_open:
            self._say("No profile is open", "Choose one in the library (Ctrl+L), or drop a TOML file here.")
        elif session.is_running:
            self._say("Simulating", "Esc ends it.", session.title)
        else:
            way_out = "Fix the problems first: F8 goes from one to the next." if session.problems else ""
            self._say("Not simulated yet", way_out, session.title)
            self.start.setVisible(not way_out)

    def say_failed(self, reason: str) -> None:
        """Show why there is no answer."""
        self._say("No answer", reason, self._session.title)

    def _show_run(self, run: Run) -> None:
        document = self._session.document
        is_other = run.request.base != document.base
        self.is_old = is_other or run.request.text != document.text
        since = "another profile is open" if is_other else "the profile has changed since"
        self._say(_headline(run), "", f"{run.request.heading}{f' – {since}: press Ctrl+R' if self.is_old else ''}")
        for label in (self.headline, self.details):
            label.setEnabled(not self.is_old)  # what is not of this profile is dim
        sure = self._session.certainties.of(run)
        known = [("Likely", sure.likely), *sure.rows] if sure and sure.likely else []
        rows = [*known, *_rest(run), *_certainty(run), *_cost(run, self._session.estimate)]
        self.details.setText("<br>".join(f"<b>{name}</b> {rich(text)}" for name, text in rows))

    def _show_estimate(self, session: Session) -> None:
        if not session.document.is_open:
            self.estimate.clear()
            return
        estimate = session.estimate if session.is_valid else None
        rows = estimate.rows if estimate else [("None", "the profile cannot be run: see the problems below")]
        told = "<br>".join(f"<b>{name}</b> {rich(text)}" for name, text in rows)
        self.estimate.setText(f"<i>Estimate, from closed forms: a lower bound, not a simulation</i><br>{told}")

    def _say(self, headline: str, details: str, caption: str = "") -> None:
        lines = headline.splitlines() or [""]
        is_short = len(lines) == 1 and len(lines[0]) <= SHORT
        self.headline.setFont(_scaled(self.font(), SCALE if is_short else LONG_SCALE))
        for label in (self.headline, self.details):
            label.setEnabled(True)
        self.headline.setText(shown(headline) if is_short else bound(shown(headline)))
        self.details.setText(rich(details))
        self.caption.setText(line(caption))
        self.caption.setVisible(bool(caption))
        self.start.hide()


def _headline(run: Run) -> str:
    return run.ran.headline or next((text for _, text in run.ran.answer), "")


def _rest(run: Run) -> list[tuple[str, str]]:
    """Return what the headline does not say; many documented outcomes, and workloads, are left to their tables."""
    lines, workloads = _headline(run).splitlines(), {workload.name for workload in run.result.workloads}
    rows = [
        (name, text) for name, text in run.ran.answer if not {text, f"{name} {text}", f"{name}: {text}"} & set(lines)
    ]
    rows = [row for row in rows if row[0] not in workloads]
    outcomes = [row for row in rows if row[0] in DOCUMENTED]
    if len(outcomes) <= FEW:
        return rows
    kept = [row for row in rows if row not in outcomes]
    return [*kept, ("Documented", f"{len(outcomes)} outcomes, see the table Documented below")]


def _certainty(run: Run) -> list[tuple[str, str]]:
    """Return what the interval rests on, or how to get one."""
    request, result = run.request, run.result
    if not result.stages or result.requests:
        return []
    if result.interval is None:
        return [("Interval", f"none from one run (seed {request.seed}): set Runs above to 5 for one of 95 %")]
    last = request.seed + request.replications - 1
    return [
        (
            "Interval",
            f"of {request.replications} runs, each with its own random numbers (seeds {request.seed} to {last})",
        )
    ]


def _cost(run: Run, estimate: Estimate | None) -> list[tuple[str, str]]:
    measures = run.ran.measures
    if "cost_per_year" not in measures:
        if estimate is not None and estimate.cost is not None and estimate.cost.unpriced:
            return [("Cost", cost_section.summary(estimate.cost))]
        return [("Cost", "no price list: choose one on the card Prices of the page Cluster")]
    year, currency, *_ = measures["cost_per_year"]
    job = f"{measures['cost_per_job'][0]:,.2f} {currency} a job, " if "cost_per_job" in measures else ""
    return [("Cost", f"{job}{year:,.0f} {currency} a year at the start")]


def _label(name: str) -> QLabel:
    label = QLabel(wordWrap=True)
    label.setAccessibleName(name)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _scaled(font: QFont, scale: float) -> QFont:
    scaled = QFont(font)
    scaled.setPointSizeF(font.pointSizeF() * scale)
    scaled.setBold(True)
    return scaled
