"""What can be done with the chosen key: in the menu of the tree, the Edit menu and the palette alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu, QToolButton

from app.gui.keys.model import ENTRY, UNIT, ProfileModel
from app.gui.keys.reset import reset_text
from app.gui.look.words import name_of
from app.gui.session.points import proposal, said
from app.gui.session.profile_tree import Entry
from app.gui.session.session import Session
from app.gui.session.studies import OpenedStudy
from models.planning.study import Compare, Compared
from models.problem import Problem, ProblemError
from profiles.editing.edit import is_stated
from profiles.loading.catalog import PROFILES, SHIPPED

UNSAVED = "has no file yet: save the profile first, so that the scenarios can name it"


class KeyActions(QObject):
    """Follows the chosen key; what cannot be done is told by `refused`, with a title."""

    refused = Signal(str, object)

    def __init__(self, session: Session, model: ProfileModel) -> None:
        super().__init__(session)
        self._session, self._model = session, model
        self.reset = self._action("&Reset this key", self._reset, "Ctrl+Shift+R", "Back to what it was, in one step")
        self.unit_menu = QMenu()
        self.unit_menu.setToolTip("Write the value in another unit")
        self.convert = self.unit_menu.menuAction()
        self.convert.setText("&Unit")
        self.sweep = self._action("&Vary this key", self._sweep, "Ctrl+Shift+V", "Sweep over values of the chosen key")
        self.size = self._action("&Choose this key in a sizing", self._size, "", "Let a sizing choose among its values")
        self.compare = self._action("Co&mpare with another value…", self._compare, "", "As it is, beside another value")
        self.all = [self.reset, self.convert, self.sweep, self.size, self.compare]
        self.unit_menu.aboutToShow.connect(self._list_units)
        session.key_selected.connect(self.refresh)
        session.problems_changed.connect(self.refresh)
        self.refresh()

    @classmethod
    def of(cls, session: Session, model: ProfileModel) -> KeyActions:
        """Return the actions of a session, which its views share."""
        return session.findChild(cls) or cls(session, model)

    @property
    def entry(self) -> Entry | None:
        """What is chosen."""
        entry = self._model.index_of(self._session.selected_key).data(ENTRY) if self._session.selected_key else None
        return entry if isinstance(entry, Entry) else None

    def refresh(self) -> None:
        """Let the actions say what they do to the chosen key, if anything."""
        session, entry = self._session, self.entry
        is_value = entry is not None and entry.is_leaf
        for action in (self.sweep, self.size, self.compare):
            action.setEnabled(is_value and session.is_valid)
        self.convert.setEnabled(entry is not None and len(entry.units) > 1)
        was = self._was(entry)
        is_own = entry is not None and session.is_valid and is_stated(session.document.text, entry.key)
        self.reset.setEnabled(is_own or was is not None)
        self.reset.setText("&Reset this key" if was is None else f"&Reset this key to {was}")

    def _was(self, entry: Entry | None) -> object | None:
        """Return the value that a changed key had when the profile was opened or saved."""
        session = self._session
        if entry is None or session.loaded is None:
            return None
        was = session.baseline.get(entry.key)
        return None if session.loaded.values.get(entry.key) == was else was

    def _reset(self) -> None:
        document, entry = self._session.document, self.entry
        if entry is None:
            return
        try:
            text = reset_text(document.text, document.base, entry.key, self._was(entry))
        except ProblemError as error:
            self.refused.emit("Cannot reset the key", error)
            return
        document.set_text(text, f"reset {entry.key}")

    def _list_units(self) -> None:
        self.unit_menu.clear()
        entry = self.entry
        for name in entry.units if entry else ():
            action = self.unit_menu.addAction(name, partial(self._convert, name))
            action.setCheckable(True)
            action.setChecked(entry is not None and name == (entry.typed_unit or "1"))

    def _convert(self, name: str) -> None:
        self._model.setData(self._model.index_of(self._session.selected_key, UNIT), name)

    def _sweep(self) -> None:
        self._session.vary(self._session.selected_key)

    def _size(self) -> None:
        self._session.choose(self._session.selected_key)

    def _compare(self) -> None:
        entry = self.entry
        if entry is None:
            return
        proposed = proposal(entry.typed, entry.choices).rpartition(",")[2]
        asked = f"{entry.key} = {entry.typed}\n{entry.description}\n\nCompare with:"
        value, is_given = QInputDialog.getText(
            QApplication.activeWindow(), "Compare with another value", asked, text=proposed
        )
        if is_given and value.strip():
            self.compare_with(entry, value.strip())

    def compare_with(self, entry: Entry, value: str) -> None:
        """Show the profile as it is and with another value side by side, ready to run."""
        session, document = self._session, self._session.document
        is_shipped = SHIPPED.find(document.name, PROFILES) == document.base
        if not is_shipped and document.path is None:
            self.refused.emit("Cannot compare", ProblemError([Problem(document.name, None, "", UNSAVED)]))
            return
        profile, changes = document.name if is_shipped else str(document.path), session.changes()
        challenger = said(((entry.key, value),))
        sides = {
            f"{entry.name} = {entry.typed}": Compared(profile=profile, set=changes),
            challenger: Compared(profile=profile, set={**changes, entry.key: value}),
        }
        title = f"{session.title}: {' against '.join(sides)}"
        study = Compare(
            kind="compare", title=title, scenarios=sides, seed=session.seed, replications=session.replications
        )
        session.page_asked.emit("Compare")
        session.study_asked.emit(OpenedStudy(f"{document.name}: {challenger}", study))

    def _action(self, text: str, slot: Callable[[], None], keys: str, tip: str) -> QAction:
        action = QAction(text, self)
        action.setShortcut(keys)
        action.setToolTip(tip)
        action.triggered.connect(lambda *_: slot())
        return action


def button_of(action: QAction) -> QToolButton:
    """Return a button of an action, in few words: it stands beside the key that it is about."""
    button = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setDefaultAction(action)
    button.setAccessibleName(action.toolTip())
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def name() -> None:
        button.setText(name_of(action).partition(" this key")[0])

    action.changed.connect(name)
    name()
    return button
