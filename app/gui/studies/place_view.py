"""Where the points of a sweep run: processes of this computer, or the workers of a Dask scheduler."""

from __future__ import annotations

import os

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QLineEdit, QPushButton, QSpinBox, QWidget

from app.gui.jobs.study import Study
from app.gui.look import theme
from app.gui.session.session import Session
from app.gui.studies.points import count_workers
from app.reports.media import shown

HERE, DASK = "This computer", "Dask scheduler"


def cores() -> int:
    """Return the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class PlaceView(QWidget):
    """A choice, the number of processes or an address, and a button that tries the connection."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._trial = Study(session.studies, self)
        self.where = QComboBox()
        self.where.addItems([HERE, DASK])
        self.where.setAccessibleName("Where the points run")
        self.workers = workers_box()
        self.address = QLineEdit(placeholderText="tcp://host:8786")
        self.address.setAccessibleName("Address of the Dask scheduler")
        self.test_button = QPushButton("&Test connection")
        self.said = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.said.setAccessibleName("Connection")
        self._processes = QLabel("Processes")
        self._lay_out()
        self.where.currentTextChanged.connect(self.refresh)
        self.workers.valueChanged.connect(self.changed)
        self.address.textEdited.connect(self.refresh)
        self.test_button.clicked.connect(self.test)
        self._trial.finished.connect(self._on_counted)
        self._trial.failed.connect(lambda reason: self.say(reason, is_wrong=True))
        self.refresh()

    @property
    def scheduler(self) -> str | None:
        """The address of the scheduler, None for this computer."""
        return self.address.text().strip() if self.where.currentText() == DASK else None

    @property
    def is_trying(self) -> bool:
        """Whether the connection is being tried."""
        return self._trial.is_running

    def test(self) -> None:
        """Ask the scheduler how many workers it has."""
        if not self._trial.is_free:
            self.say("A study is running: try again when it is done.", is_wrong=True)
            return
        self.say("Connecting…")
        self._trial.start(count_workers, self.scheduler or "")
        self.changed.emit()

    def say(self, text: str, *, is_wrong: bool = False) -> None:
        """Say how the connection is."""
        self.said.setText(shown(text))
        theme.warn(self.said, is_wrong=is_wrong)
        self.said.setVisible(bool(text))
        self.changed.emit()

    def refresh(self) -> None:
        """Show what belongs to the choice."""
        is_dask = self.where.currentText() == DASK
        for widget in (self._processes, self.workers):
            widget.setVisible(not is_dask)
        for dask_widget in (self.address, self.test_button):
            dask_widget.setVisible(is_dask)
        self.test_button.setEnabled(bool(self.scheduler))
        self.say("")

    def _on_counted(self, count: int) -> None:
        if count:
            self.say(f"Connected: {count} worker{'' if count == 1 else 's'} of this version.")
        else:
            self.say(f"Connected, but no worker is there yet; start one with: dask worker {self.scheduler}")

    def _lay_out(self) -> None:
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(QLabel("Run on"), 0, 0)
        layout.addWidget(self.where, 0, 1)
        layout.addWidget(self._processes, 1, 0)
        layout.addWidget(self.workers, 1, 1)
        layout.addWidget(self.address, 1, 0, 1, 2)
        layout.addWidget(self.test_button, 2, 0, 1, 2)
        layout.addWidget(self.said, 3, 0, 1, 2)
        layout.setRowStretch(4, 1)
        layout.setColumnStretch(1, 1)


def workers_box() -> QSpinBox:
    """Return a box for the number of processes, all cores at first."""
    box = QSpinBox(minimum=1, maximum=256, value=cores())
    box.setAccessibleName("Processes")
    box.setToolTip("Points that are simulated at the same time on this computer")
    return box
