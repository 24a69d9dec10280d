"""Step 2: up to six candidates side by side, each a storage system on servers of one kind, in some numbers."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.gui.look import theme
from app.gui.plan.fields import CardField, ChoiceField, RangeField, TextField, clear, group, rename
from app.gui.plan.glances import why_not
from app.gui.plan.model import MOST, PlanModel
from app.gui.plan.money_fields import PriceListField, RentedPartField
from app.gui.plan.offers import SUFFIXES
from app.gui.plan.rack_view import RackView
from app.gui.plan.without_view import WithoutView
from app.gui.studies.widgets import Message
from app.planning.materials import largest, racks
from models.hardware.cards import CARD
from models.problem import RefusalError
from models.storage.protection import protection
from models.storage.redundancy import Redundancy, spare
from profiles.loading.catalog import SHIPPED
from profiles.plans.sheet import Sheet
from profiles.text.tree import dotted

PROTECTIONS = ("2x", "3x", "EC 4+2", "EC 6+3", "EC 8+3", "EC:2", "EC:4")
AS_USUAL = "as it ships"
ITSELF = "the same servers"
RENTED = "none, it is rented"
USUAL = "hdd-25gbe"
"""The server that one of one's own is like at first."""
OF_PLAN = "those of the plan"
CATALOGUE = "from the catalogue"
REST = 300  # milliseconds without a change after which racks are drawn
WIDTH = 280  # logical pixels of a card
EMPTY = "No candidate yet. A candidate is a storage system on servers of one kind; up to six stand side by side."
OWN = (
    ("Drive", ("bays", "data", "drive"), ""),
    ("Drives a server", ("bays", "data", "count"), "12"),
    ("Memory", ("memory", "size"), "256 GiB"),
    ("Network card", ("nic", "bandwidth"), "25 Gbit/s"),
    ("Cores", ("cpu", "cores"), "32"),
)


class CandidatesView(QWidget):
    """The cards, and buttons that add one; `offer_chosen` is the file of a quotation."""

    offer_chosen = Signal(Path)

    def __init__(self, model: PlanModel) -> None:
        super().__init__()
        self.setAccessibleName("Candidates")
        self._model = model
        self._shape: list[tuple[str, bool]] = []
        self.empty = QLabel(EMPTY, wordWrap=True)
        self.add_button = QPushButton("&Add a candidate")
        self.add_button.clicked.connect(lambda checked: self._add())
        self.offer_button = QPushButton("Read a &quotation…")
        self.offer_button.setToolTip("Add a candidate with the prices of an offer, from an Excel or CSV file")
        self.offer_button.clicked.connect(self._ask_offer)
        self.cards: list[CandidateCard] = []
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._draw_next)
        self._undrawn: list[CandidateCard] = []
        self._row = QHBoxLayout()
        self._row.setContentsMargins(0, 0, 0, 0)
        inside = QWidget()
        inside.setLayout(self._row)
        scroll = self._scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setAccessibleName("Cards of the candidates")
        scroll.setWidget(inside)
        above, layout = QHBoxLayout(), QVBoxLayout(self)
        above.addWidget(self.add_button)
        above.addWidget(self.offer_button)
        above.addWidget(self.empty, 1)
        above.addStretch()
        layout.addLayout(above)
        layout.addWidget(scroll, 1)
        model.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show a card for each candidate; cards are made anew only where others are wanted."""
        shape = [
            (name, isinstance(candidate.get("servers"), dict)) for name, candidate in self._model.candidates.items()
        ]
        for button in (self.add_button, self.offer_button):
            button.setEnabled(len(shape) < MOST)
        self.empty.setVisible(not shape)
        if [is_own for _, is_own in shape] == [is_own for _, is_own in self._shape]:
            for card, (name, _) in zip(self.cards, shape, strict=True):
                card.call(name)
        elif shape != self._shape:
            self._make(shape)
        self._shape = shape
        self._undrawn = list(self.cards)
        self._rest.start(REST)

    def _draw_next(self) -> None:
        """Draw the racks of one candidate, and of the next when there is nothing else to do."""
        if self._undrawn and self.isVisible():
            self._undrawn.pop(0).draw(self._model.sheet())
            self._rest.start(0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._order()
        self._rest.start(REST)

    def _order(self) -> None:
        """Let Tab go from the buttons to the cards: Qt has what is made later behind all else."""
        fields = [field for card in self.cards for field in _reached(card)]
        for before, after in pairwise((self.add_button, self.offer_button, *fields)):
            QWidget.setTabOrder(before, after)

    def _make(self, shape: list[tuple[str, bool]]) -> None:
        """Make all cards anew; the keys stay with the card that had them."""
        focus = QApplication.focusWidget()
        had = next((i for i, card in enumerate(self.cards) if focus and card.isAncestorOf(focus)), None)
        clear(self._row)
        self.cards = [CandidateCard(self._model, name, number) for number, (name, _) in enumerate(shape)]
        for card in self.cards:
            self._row.addWidget(card)
        self._row.addStretch()
        self._order()
        if had is not None and self.cards:
            self.cards[min(had, len(self.cards) - 1)].server.setFocus()

    def _ask_offer(self) -> None:
        dialog = QFileDialog(self.window(), "Read a quotation", "", SUFFIXES)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.offer_chosen.emit(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _add(self) -> None:
        self._model.add_candidate("")
        self.cards[-1].storage.setFocus()
        QTimer.singleShot(0, self._show_last)

    def _show_last(self) -> None:
        """Bring the last card to sight, from its name on: first it gets its place."""
        self._row.activate()
        QApplication.sendEvent(self._scroll, QEvent(QEvent.Type.LayoutRequest))
        right = self.cards[-1].geometry().topRight()
        self._scroll.ensureVisible(right.x(), right.y(), 0, 0)


class CandidateCard(QFrame):
    """One candidate with its parts."""

    def __init__(self, model: PlanModel, name: str, number: int) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setMinimumWidth(WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._model, self.called = model, name
        self.name = QLineEdit(name)
        self.name.setAccessibleName(f"Name of candidate {number + 1}")
        self.name.editingFinished.connect(self._on_renamed)
        self._mark, self._number = QLabel(), number
        self._stated: tuple[object, object] = "", ""  # the protection and the storage of which something is said
        above = QHBoxLayout()
        above.addWidget(self._mark)
        above.addWidget(self.name, 1)
        at = ("candidates", name)
        self.storage = ChoiceField(model, (*at, "storage"), f"Storage of {name}", SHIPPED.names("storage"), "")
        self.protection = ChoiceField(model, (*at, "protection"), f"Protection of {name}", PROTECTIONS, AS_USUAL)
        self.protection.let_type()
        self.said = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.count = RangeField(model, (*at, "count"), f"Servers of {name}")
        tip = "Servers of these that are there already: they are not bought, and cost what they take to run"
        owned = TextField(model, (*at, "owned"), f"Owned servers of {name}", "12", tip, is_number=True)
        prices = PriceListField(model, (*at, "prices"), f"Prices of {name}", OF_PLAN)
        rented = RentedPartField(model, (*at, "prices"), f"Rented servers up of {name}")
        jobs = ChoiceField(model, (*at, "compute"), f"Servers for jobs of {name}", SHIPPED.names(SERVERS), ITSELF)
        layout = QVBoxLayout(self)
        layout.addLayout(above)
        layout.addWidget(
            group("St&orage", (("System", self.storage), ("Protection", self.protection), ("", self.said)))
        )
        layout.addWidget(group("Servers", self._servers()))
        layout.addWidget(
            group(
                "How many, at what pr&ice",
                (
                    ("Servers", self.count),
                    ("Owned", owned),
                    ("Jobs run on", jobs),
                    ("Prices", prices),
                    ("Rented, up", rented),
                ),
            )
        )
        self.without = WithoutView(model, name, self)
        layout.addWidget(self.without)
        self.rack = RackView(f"Racks of {name}")
        self.rack.show_racks(None)
        self.why = Message()
        layout.addWidget(self.rack)
        layout.addWidget(self.why)
        layout.addLayout(self._buttons())
        layout.addStretch()
        model.changed.connect(self.refresh)
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "said"):
            self.refresh()

    def call(self, name: str) -> None:
        """Show the candidate under another name."""
        if name != self.called:
            rename(self, self.called, name)
            self.called = self.without.called = name
            self.without.refresh()
            self.name.setText(name)

    @property
    def _servers_at(self) -> tuple[str, ...]:
        return ("candidates", self.called, "servers")

    def refresh(self) -> None:
        """Say what the protection costs and survives; the sign has the colour of the theme."""
        colour = theme.series_colour(self._number).name()
        self._mark.setText(f'<span style="color:{colour}">{theme.series_mark(self._number)}</span>')
        text, system = (self._model.get("candidates", self.called, key) for key in ("protection", "storage"))
        if (text, system) != self._stated:
            self._stated = text, system
            self._say(_protected(f"{text}") if text else "")
        self.count.setEnabled(self._model.get("candidates", self.called, "count") is not None)

    def draw(self, sheet: Sheet | None) -> None:
        """Draw the racks with the most servers, and say how the store keeps data there; else why that is not known.

        There is no sheet where the plan is wrong, which is told beside what is wrong in it.
        """
        shown, why = None, ""
        try:
            if sheet is not None:
                scenario = largest(sheet, self.called)
                if (kept := scenario.storage.redundancy(scenario.cluster)) is not None:
                    self._say(_kept(kept))
                shown = racks(scenario)
        except RefusalError as error:
            why = f"No racks to draw: {why_not(error)}"
        self.rack.show_racks(shown)
        self.why.say(why)

    def _say(self, text: str) -> None:
        self.said.setText(text)
        self.said.setVisible(bool(text))

    def _servers(self) -> list[tuple[str, QWidget]]:
        at = self._servers_at
        stated = self._model.get(*at)
        if not isinstance(stated, dict):
            self.server = ChoiceField(self._model, at, f"Servers of {self.called}", SHIPPED.names(SERVERS), RENTED)
            self.server.let_type()
            own = QPushButton("M&y own server…")
            own.setAccessibleName(f"My own server for {self.called}")
            own.setToolTip("Begin with this server and say what is different of it")
            own.clicked.connect(self._take_as_own)
            return [("Model", self.server), ("", own)]
        names = SHIPPED.names(SERVERS)
        self.server = ChoiceField(self._model, (*at, "use"), f"Server like, of {self.called}", names, "")
        rows: list[tuple[str, QWidget]] = [("Like", self.server)]
        for label, keys, example in OWN:
            name = f"{label} of {self.called}"
            if keys[-1] == "drive":
                drives = SHIPPED.names("hardware/drives")
                rows.append((label, ChoiceField(self._model, (*at, *keys), name, drives, "as it ships")))
            elif dotted(keys) == CARD:
                rows.append((label, CardField(self._model, (*at, *keys), name, example)))
            else:
                is_number = example.isdecimal()
                rows.append((label, TextField(self._model, (*at, *keys), name, example, is_number=is_number)))
        back = QPushButton("From the catalo&gue")
        back.setAccessibleName(f"Server of the catalogue for {self.called}")
        back.clicked.connect(self._take_of_catalogue)
        return [*rows, ("", back)]

    def _take_as_own(self) -> None:
        self._model.set({"use": self._model.get(*self._servers_at) or USUAL}, *self._servers_at)

    def _take_of_catalogue(self) -> None:
        stated = self._model.get(*self._servers_at)
        self._model.set(stated.get("use", USUAL), *self._servers_at)

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        for text, slot in (
            ("&Duplicate", lambda: self._model.add_candidate(self.called)),
            ("Re&move", lambda: self._model.drop_candidate(self.called)),
        ):
            button = QPushButton(text)
            button.setAccessibleName(f"{text.replace('&', '')} {self.called}")
            button.clicked.connect(slot)
            row.addWidget(button)
        return row

    def _on_renamed(self) -> None:
        if self.name.text().strip() != self.called:
            self._model.rename_candidate(self.called, self.name.text().strip())


def _reached(card: QWidget) -> list[QWidget]:
    """Return what Tab reaches in a card, in the order in which one reads."""
    inside = [widget for widget in card.findChildren(QWidget) if widget.window() is card.window()]  # but for open lists
    return [widget for widget in inside if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not widget.focusProxy()]


SERVERS = "hardware/servers"


def _protected(text: str) -> str:
    """Return what a protection costs and survives, in words; what is wrong with it if it is none."""
    try:
        protected = protection(text)
    except RefusalError as error:
        return f"{error}"
    if protected.overhead is None:
        return f"{_lost(protected.parity)} What it costs follows from the sets of the store."
    return f"Takes {protected.overhead:.3g} bytes for each. {_lost(protected.parity)}"


def _kept(redundancy: Redundancy) -> str:
    return f"{redundancy}: takes {redundancy.pieces / redundancy.data:.3g} bytes for each. {_lost(spare(redundancy))}"


def _lost(parity: int) -> str:
    return f"Survives the loss of {parity or 'none'} of the servers or drives that hold an object."
