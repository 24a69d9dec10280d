"""Compare: scenarios in columns, what differs between them on top, then what comes of it."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.gui import theme
from app.gui.compare_charts import BarsChart
from app.gui.compare_jobs import (
    Comparison,
    KeptRun,
    command,
    compare_kept,
    compare_sides,
    compare_study,
)
from app.gui.compare_model import CompareModel, bars, verdicts
from app.gui.compare_view import CompareTable
from app.gui.session import Session
from app.gui.studies import OpenedStudy, open_study, shipped_studies
from app.gui.study import Study
from app.planning.studies import study_model
from models.planning.study import Compare, kind_of
from models.problem import ProblemError

KEPT = "Kept scenarios"
CHARTS = 240  # logical pixels: six bars with their names
EMPTY = (
    "<b>Nothing to compare yet.</b><br><br>Simulate a profile (Ctrl+R) and keep the run as a scenario (Ctrl+D), change"
    " the profile, and do it again: two to six scenarios stand here side by side.<br><br>Or choose a study that ships,"
    " above, and press Run study."
)
ONE = "<b>One scenario is kept.</b><br><br>Change the profile, simulate it (Ctrl+R), and keep that run too (Ctrl+D)."


class ComparePage(QWidget):
    """Kept scenarios, or a study that ships, beside a baseline."""

    title = "Compare"
    icon = "compare"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.study = Study(session.studies, self)
        self.found: Comparison | None = None
        self._is_stale = True
        self.model = CompareModel(self)
        self._build()
        self._add_actions()
        self.study.progressed.connect(self._on_progressed)
        self.study.finished.connect(self._on_finished)
        self.study.failed.connect(self._on_failed)
        session.runs_changed.connect(self._on_runs_changed)
        session.study_asked.connect(self._on_study_asked)
        session.studies.finished.connect(self._compare_kept_if_stale, Qt.ConnectionType.QueuedConnection)
        session.studies.failed.connect(self._compare_kept_if_stale, Qt.ConnectionType.QueuedConnection)
        self._on_runs_changed()

    @property
    def chosen_study(self) -> str:
        """The name of the chosen study, "" for the kept scenarios."""
        return str(self.source.currentData())

    def run_study(self) -> None:
        """Run the chosen study in the child process."""
        if not self.chosen_study or not self.study.is_free:
            return
        try:
            opened = open_study(self.chosen_study)
        except ProblemError as error:
            self._on_failed(str(error))
            return
        if opened is not None:
            self.study.start(compare_study, opened.study)
            self._show_progress(f"Running {self.chosen_study}")

    def cancel(self) -> None:
        """End what is being run."""
        self.study.cancel()
        self._hide_progress("Cancelled.")

    def pin(self, name: str) -> None:
        """Measure all others against a scenario."""
        if self.found and name and name != self.found.sides[0].name and self.study.is_free:
            self.study.start(compare_sides, self.found.against(name))

    def copy_command(self) -> None:
        """Put the command that compares the same on the clipboard."""
        if self.found is not None:
            is_as_shipped = study_model(self.chosen_study) is not None and self.found.sides[0].colour == 0
            QGuiApplication.clipboard().setText(command(self.found, self.chosen_study if is_as_shipped else ""))

    # Building

    def _build(self) -> None:
        self.source, self.baseline = QComboBox(), QComboBox()
        self.source.setAccessibleName("What to compare")
        self.source.addItem(KEPT, "")
        for shipped in shipped_studies():
            if shipped.kind == kind_of(Compare):
                self._offer(shipped.name, shipped.title)
        self.source.currentIndexChanged.connect(self._on_source_changed)
        self.baseline.setAccessibleName("Baseline")
        self.baseline.setToolTip("The scenario against which the others are measured")
        self.baseline.setMinimumContentsLength(24)
        self.baseline.textActivated.connect(self.pin)
        self.run_button = QPushButton("&Run study")
        self.run_button.clicked.connect(self.run_study)
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.clicked.connect(self.cancel)
        self.progress = QProgressBar(maximum=1000)
        self.progress.setAccessibleName("Progress")
        self.said = QLabel(wordWrap=True)
        self.said.setAccessibleName("Verdict")
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout = QVBoxLayout(self)
        layout.addLayout(self._controls())
        layout.addWidget(self.progress)
        layout.addWidget(self.said)
        layout.addWidget(self._contents(), 1)
        self._hide_progress("")

    def _controls(self) -> QHBoxLayout:
        row = QHBoxLayout()
        for label, widget in (("&Compare", self.source), ("&Baseline", self.baseline)):
            named = QLabel(label)
            named.setBuddy(widget)
            row.addWidget(named)
            row.addWidget(widget)
        row.addWidget(self.run_button)
        row.addWidget(self.cancel_button)
        row.addStretch()
        return row

    def _contents(self) -> QStackedWidget:
        self.table = CompareTable(self.model)
        self.duration = BarsChart("Duration", "duration (s)")
        self.cost = BarsChart("Cost of a job", "machines while the job runs (USD)")
        charts, both = QWidget(), QSplitter(Qt.Orientation.Vertical)
        charts.setMinimumHeight(CHARTS)
        row = QHBoxLayout(charts)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.duration, 1)
        row.addWidget(self.cost, 1)
        both.addWidget(self.table)
        both.addWidget(charts)
        both.setStretchFactor(0, 3)
        both.setStretchFactor(1, 2)
        self.empty = QLabel(EMPTY, wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self.contents = QStackedWidget()
        self.contents.addWidget(self.empty)
        self.contents.addWidget(both)
        return self.contents

    def _add_actions(self) -> None:
        for text, slot in (
            ("&Run study", self.run_study),
            ("&Copy comparison as command line", self.copy_command),
            ("&Drop the last scenario", self._drop_last),
        ):
            action = QAction(text, self)
            action.triggered.connect(slot)
            self.addAction(action)

    # What follows the session and the study

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._compare_kept_if_stale()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "said"):
            self.model.recolour()
            self._say()

    def _offer(self, name: str, title: str) -> None:
        self.source.addItem(f"Study: {name}", name)
        self.source.setItemData(self.source.count() - 1, title, Qt.ItemDataRole.ToolTipRole)

    def _on_study_asked(self, opened: OpenedStudy) -> None:
        if isinstance(opened.study, Compare):
            if self.source.findData(opened.name) < 0:
                self._offer(opened.name, opened.study.title)
            self.source.setCurrentIndex(self.source.findData(opened.name))

    def _drop_last(self) -> None:
        if self._session.runs:
            self._session.forget(self._session.runs[-1])

    def _on_source_changed(self) -> None:
        self.run_button.setEnabled(bool(self.chosen_study))
        self._is_stale = not self.chosen_study
        self._show(None)
        self._compare_kept_if_stale()

    def _on_runs_changed(self) -> None:
        self.source.setItemText(0, f"{KEPT} ({len(self._session.runs)})")
        self.run_button.setEnabled(bool(self.chosen_study))
        self._is_stale = not self.chosen_study
        self._compare_kept_if_stale()

    def _compare_kept_if_stale(self) -> None:
        runs = self._session.runs
        if not self._is_stale or not self.isVisible() or not self.study.is_free:
            return
        self._is_stale = False
        if len(runs) < 2:
            self._show(None)
            return
        self.empty.setText("Comparing the kept scenarios…")
        self.study.start(compare_kept, tuple(KeptRun.of(run) for run in runs))
        self._show_progress("Comparing")

    def _on_progressed(self, fraction: float, doing: str, seconds_left: float) -> None:
        self.progress.setValue(round(1000 * fraction))
        left = f", {seconds_left:.0f} s left" if 0 < fraction < 1 else ""
        self.progress.setFormat(f"{doing}{left}")

    def _on_finished(self, found: Comparison) -> None:
        self._hide_progress("")
        self._show(found)

    def _on_failed(self, reason: str) -> None:
        self._hide_progress(escape(reason))

    def _show(self, found: Comparison | None) -> None:
        self.found = found
        self.model.show(found)
        self.contents.setCurrentIndex(1 if found else 0)
        self.baseline.clear()
        self.baseline.addItems([side.name for side in found.sides] if found else [])
        self.baseline.setEnabled(found is not None)
        self.empty.setText(ONE if len(self._session.runs) == 1 and not self.chosen_study else EMPTY)
        self._say()
        if found is None or found.document is None:
            return
        self.table.fit()
        colours = [side.colour for side in found.sides]
        charts = dict(zip(("Duration", "Cost of a job"), (self.duration, self.cost), strict=True))
        shown = {each.name: each for each in bars(found.document)}
        for name, chart in charts.items():
            chart.setVisible(name in shown)
            if name in shown:
                chart.show_bars(shown[name], colours)

    def _say(self) -> None:
        if self.found is None or self.found.document is None:
            self.said.setText("")
            return
        lines = zip(self.found.sides, verdicts(self.found.document), strict=True)
        self.said.setText("<br>".join(f"{_mark(side.colour)} {escape(said)}" for side, said in lines))

    def _show_progress(self, doing: str) -> None:
        self.progress.setValue(0)
        self.progress.setFormat(doing)
        self.progress.show()
        self.cancel_button.setEnabled(True)

    def _hide_progress(self, said: str) -> None:
        self.progress.hide()
        self.cancel_button.setEnabled(False)
        self.said.setText(said)


def _mark(colour: int) -> str:
    return f'<span style="color:{theme.series_colour(colour).name()}">■</span>'
