"""Step 1: what the customer requires, in plain fields; jobs, loads of requests and imports as rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.gui.plan.fields import NONE, ChoiceField, TextField, clear, group
from app.gui.plan.model import COPY, JOB, REQUESTS, PlanModel
from app.gui.plan.money_fields import AT, ExchangeField, PriceListField, RentedPartField
from models.planning.sheet import Requirements

FAILURES = ("1 drive", "2 drives", "1 server", "2 servers", "3 servers", "1 rack")
JOBS = ("terasort", "sort", "wordcount", "teragen", "randomtextwriter", "testdfsio-write", "tpcds", "tpch-sf1000")
PLACES = ((0, 0), (0, 1), (4, 0), (4, 1))  # rows and columns of the groups; the workloads stand between them
STACKED = ((0, 0), (1, 0), (4, 0), (5, 0))  # where two have no room beside each other
COUNTED = {
    "years": ("years", "year", "yr", "y"),
    "durability": ("nines", "nine"),
    "rack_units": ("rack units", "units", "u"),
}
"""What may stand behind numbers without a unit, as people say them; longer names first."""
ALONE = "nothing"
INPUTS = (QLineEdit, QComboBox)
HIDDEN = ("mix", "line")  # keys above those that a field is called by
EMPTY = "No workload yet: add what has to be done in time. Without one, space, failures and cost are looked at."


class RequirementsView(QScrollArea):
    """All that has to be met."""

    def __init__(self, model: PlanModel) -> None:
        super().__init__(widgetResizable=True)
        self.setAccessibleName("Requirements")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._model = model
        self._shape: list[str] = []
        self._of_rows: list[QWidget] = []
        inside = QWidget()
        grid = self._grid = QGridLayout(inside)
        groups = self._boxes = self._groups()
        self._places: tuple[tuple[int, int], ...] = ()
        self._above, self._below = _inputs(groups[:2]), _inputs(groups[2:])
        self._workloads, self._rows = QWidget(), QVBoxLayout()
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._workloads.setLayout(self._rows)
        self.buttons = {
            "Add a &job": lambda: self._add(JOB, "nightly"),
            "Add re&quests": lambda: self._add(REQUESTS, "store"),
            "Add an &import": lambda: self._add(COPY, "import"),
        }
        below = QHBoxLayout()
        below.addWidget(QLabel("<b>Workloads</b>"))
        self._adds = [QPushButton(text) for text in self.buttons]
        for button in self._adds:
            button.clicked.connect(self.buttons[button.text()])
            below.addWidget(button)
        below.addStretch()
        grid.addLayout(below, 2, 0, 1, 2)
        grid.addWidget(self._workloads, 3, 0, 1, 2)
        grid.setRowStretch(6, 1)
        self._place(PLACES)
        self.setWidget(inside)
        model.changed.connect(self.refresh)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let groups stand below each other where two have no room beside each other."""
        super().resizeEvent(event)
        margins = self._grid.contentsMargins()
        needed = margins.left() + self._grid.horizontalSpacing() + margins.right()
        for column in (self._boxes[::2], self._boxes[1::2]):
            needed += max(box.minimumSizeHint().width() for box in column)
        self._place(PLACES if self.viewport().width() >= needed else STACKED)

    def _place(self, places: tuple[tuple[int, int], ...]) -> None:
        if places == self._places:
            return
        self._places = places
        for box, place in zip(self._boxes, places, strict=True):
            self._grid.addWidget(box, *place)
        for column in (0, 1):
            self._grid.setColumnStretch(column, int(any(place[1] == column for place in places)))

    def refresh(self) -> None:
        """Show a row for each workload; rows are made anew only where others are wanted."""
        shape = [f"{workload.get('name')} {workload.get('kind', 'job')}" for workload in self._model.workloads]
        if shape == self._shape and self._rows.count():
            return
        self._shape = shape
        clear(self._rows)
        rows = [WorkloadRow(self._model, index) for index in range(len(shape))]
        for row in rows:
            self._rows.addWidget(row)
        if not shape:
            self._rows.addWidget(QLabel(EMPTY, wordWrap=True))
        self._of_rows = [widget for row in rows for widget in row.inputs]
        self._order()

    def showEvent(self, event: QShowEvent) -> None:
        """Let Tab go as one reads: Qt forgets such an order when a view joins its window."""
        super().showEvent(event)
        self._order()

    def _order(self) -> None:
        for before, after in pairwise((*self._above, *self._adds, *self._of_rows, *self._below)):
            QWidget.setTabOrder(before, after)

    def _add(self, like: tuple[str, int], name: str) -> None:
        """Add a workload and go to its first field."""
        self._model.add_workload(like, name)
        row = self._workloads.findChildren(WorkloadRow)[-1]
        row.first.setFocus()
        QTimer.singleShot(0, lambda: self.ensureWidgetVisible(row))

    def _groups(self) -> tuple[QWidget, ...]:
        data = (
            ("Stored now", self._text("stored", "Stored now", "2 PB")),
            ("Annual growth", self._text("annual_growth", "Annual growth", "40 %")),
            ("Ingest", self._text("ingest", "Ingest", "2 TB/d")),
            ("Ingest growth", self._text("ingest_growth", "Ingest growth", "10 %")),
            ("Retention", self._text("retention", "Retention", "90 d")),
            ("Start", self._text("start", "Start", "2026-12-01")),
            ("Years", self._text("years", "Years", "3")),
            ("Lead time", self._text("lead_time", "Lead time", "90 d")),
        )
        failures = (
            ("Survives reading", self._failures("survives_reading", "Survives reading")),
            ("Survives writing", self._failures("survives_writing", "Survives writing")),
            ("Durability, nines", self._text("durability", "Durability, nines", "11")),
            ("While degraded", self._failures("while_degraded", "While degraded", "nothing is down")),
        )
        money = (
            ("Budget, all years", self._text("budget", "Budget", "1.5 M USD")),
            ("Price list", PriceListField(self._model)),
            ("Exchange rate", ExchangeField(self._model)),
            ("Rented servers up", RentedPartField(self._model, AT, "Rented servers up")),
            ("Power at most", self._text("power", "Power at most", "40 kW")),
            ("Rack units at most", self._text("rack_units", "Rack units at most", "84")),
            ("CO2 a year at most", self._text("carbon", "CO2 a year at most", "40 t")),
            ("Confidence", self._text("confidence", "Confidence", "80 %")),
        )
        about = tuple(
            (label, TextField(self._model, (key,), label, example))
            for label, key, example in (
                ("Title", "title", "Nightly analytics"),
                ("Customer", "customer", "ACME"),
            )
        )
        boxes = (group("&Data", data), group("Fai&lures", failures), group("&Money and place", money))
        return (*boxes, group("Ab&out", about))

    def _text(self, key: str, name: str, example: str) -> TextField:
        about = Requirements.model_fields[key].description or ""
        is_number, counts = example.isdecimal(), COUNTED.get(key, ())
        return TextField(self._model, ("requirements", key), name, example, about, is_number=is_number, counts=counts)

    def _failures(self, key: str, name: str, nothing: str = NONE) -> ChoiceField:
        field = ChoiceField(self._model, ("requirements", key), name, FAILURES, nothing)
        field.setToolTip(Requirements.model_fields[key].description or "")
        return field


def _inputs(boxes: Sequence[QWidget]) -> list[QWidget]:
    return [widget for box in boxes for widget in box.findChildren(QWidget) if isinstance(widget, INPUTS)]


class BesideField(ChoiceField):
    """A workload that runs at the same time as that of an index, whichever of them says so."""

    def __init__(self, model: PlanModel, index: int, name: str, others: Sequence[str]) -> None:
        self._index = index
        super().__init__(model, ("requirements", "workloads", index, "beside"), name, others, ALONE)

    def refresh(self) -> None:
        if self._index < len(self._model.workloads):
            names = self._model.beside(self._index)
            self.setCurrentText(names[0] if names else self._nothing)

    def _on_chosen(self, text: str) -> None:
        self._model.set_beside(self._index, None if text == self._nothing else text)


class RateField(QLineEdit):
    """How many requests of an operation there are in a second; the plan states all together, and their shares."""

    def __init__(self, model: PlanModel, workload: int, operation: str, name: str) -> None:
        super().__init__()
        self._model, self._workload, self._operation = model, workload, operation
        self.setAccessibleName(f"{operation} a second of {name}")
        self.setPlaceholderText("such as 5000")
        self.editingFinished.connect(self._on_edited)
        model.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what the plan says."""
        if self._workload < len(self._model.workloads):
            self.setText(f"{self._model.rates(self._workload).get(self._operation, 0.0):.6g}")

    def _on_edited(self) -> None:
        text = self.text().replace(",", "").partition("1/s")[0].strip()
        try:
            rate = float(text)
        except ValueError:
            rate = -1.0
        if rate < 0:
            self.refresh()  # a number is what can be read here
        elif f"{rate:.6g}" != f"{self._model.rates(self._workload).get(self._operation, 0.0):.6g}":
            self._model.set_rate(self._workload, self._operation, rate)


class WorkloadRow(QFrame):
    """One workload: its name, what it does, and what is demanded of it."""

    def __init__(self, model: PlanModel, index: int) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.StyledPanel)
        stated = model.workloads[index]
        name, kind = stated.get("name", ""), stated.get("kind", "job")
        self._model, self._index, self._name = model, index, name
        self._at = ("requirements", "workloads", index)
        grid = QGridLayout(self)
        fields = self._fields(kind)
        self.first = fields[0][1]
        for column, (label, widget) in enumerate(fields):
            caption = QLabel(label)
            caption.setBuddy(widget)
            grid.addWidget(caption, 0, column)
            grid.addWidget(widget, 1, column)
        drop = QPushButton("Remove")
        drop.setAccessibleName(f"Remove {name}")
        drop.clicked.connect(lambda: model.drop_workload(index))
        grid.addWidget(drop, 1, grid.columnCount())
        below = self._objectives()
        for line, (label, widget) in enumerate(below, 2):  # as wide as the row: each is a sentence
            grid.addWidget(QLabel(label), line, 0)
            grid.addWidget(widget, line, 1, 1, len(fields))
        self.inputs = [*(widget for _, widget in fields), drop, *(widget for _, widget in below)]

    def _fields(self, kind: str) -> list[tuple[str, QWidget]]:
        fields: list[tuple[str, QWidget]] = [("Name", self._text("name", "nightly"))]
        if kind == "requests":
            mix = self._model.get(*self._at, "mix") or {}
            for operation in mix:
                fields.append((f"{operation} a second", RateField(self._model, self._index, operation, self._name)))
                fields.append((f"{operation} size", self._text(("mix", operation, "size"), "1 MiB")))
        elif kind == "copy":
            fields += [
                ("Data", self._text("size", "800 TB")),
                ("Files", self._text("files", "800000")),
                ("Line", self._text(("line", "rate"), "40 Gbit/s")),
                ("Deadline", self._text("deadline", "5 d")),
            ]
        else:
            fields += [
                ("Job", ChoiceField(self._model, (*self._at, "use"), f"Job of {self._name}", JOBS, "")),
                ("Input", self._text("input", "20 TB")),
                ("Every", self._text("every", "1 d")),
                ("Deadline", self._text("deadline", "3 h")),
            ]
        others = [workload["name"] for workload in self._model.workloads if workload["name"] != self._name]
        if others:
            name = f"What runs at the same time as {self._name}"
            fields.append(("Beside", BesideField(self._model, self._index, name, others)))
        return fields

    def _objectives(self) -> list[tuple[str, QWidget]]:
        count = len(self._model.get(*self._at, "objectives") or [])
        return [(f"Objective {i + 1}", self._text(("objectives", i), "GET latency p99 <= 50 ms")) for i in range(count)]

    def _text(self, key: str | tuple[str | int, ...], example: str) -> TextField:
        keys = (key,) if isinstance(key, str) else key
        name = " ".join(f"{key}" for key in keys if key not in HIDDEN)
        return TextField(self._model, (*self._at, *keys), f"{name} of {self._name}", example)
