"""What the window remembers of itself between two starts: geometry, docks, recent files, theme. Nothing of profiles."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from urllib.parse import quote

from platformdirs import user_config_path
from PySide6.QtCore import QByteArray, QSettings

VERSION = 1  # of the places of the docks: those of another version are not restored
RECENT = 10
ANSWER = 2  # what is kept of one: words and day


@dataclass(frozen=True, slots=True)
class Recent:
    """A file that was opened, with the answer that its last run came to, in words, and the day of it."""

    file: str
    answer: str = ""
    day: str = ""


class Settings:
    """The window's own file, an ini under the user's configuration."""

    def __init__(self, path: Path | None = None) -> None:
        file = path or user_config_path("headroom", appauthor=False) / "window.ini"
        self._store = QSettings(str(file), QSettings.Format.IniFormat)

    @property
    def theme(self) -> str:
        """The name of the theme: "light", "dark" or "system"."""
        return str(self._store.value("theme", "system"))

    @theme.setter
    def theme(self, name: str) -> None:
        self._store.setValue("theme", name)

    @property
    def text_size(self) -> int:
        """The size of letters, in percent of the platform's."""
        return int(str(self._store.value("text_size", 100)))

    @text_size.setter
    def text_size(self, percent: int) -> None:
        self._store.setValue("text_size", percent)

    @property
    def recent(self) -> list[str]:
        """The files that were opened last and are still there, the latest first."""
        stored = self._store.value("recent", [])
        names = stored if isinstance(stored, list) else [stored]  # Qt gives a list of one back as its item
        return [name for name in names if isinstance(name, str) and Path(name).is_file()]

    @property
    def answers(self) -> list[Recent]:
        """The recent files with their answers."""
        return [self._answer(name) for name in self.recent]

    def remember_answer(self, path: Path, answer: str) -> None:
        """Keep what a file came to today."""
        self._store.setValue(f"answers/{_key(str(path))}", [answer, date.today().isoformat()])

    def _answer(self, name: str) -> Recent:
        stored = self._store.value(f"answers/{_key(name)}", [])
        answer, day = stored if isinstance(stored, list) and len(stored) == ANSWER else ("", "")
        return Recent(name, str(answer), str(day))

    def remember(self, path: Path) -> None:
        """Put a file first among the recent ones."""
        names = [str(path), *(name for name in self.recent if name != str(path))]
        self._store.setValue("recent", names[:RECENT])

    def window(self) -> tuple[QByteArray, QByteArray] | None:
        """Return geometry and state of the main window, None if there are none of this version."""
        if str(self._store.value("window/version", "")) != str(VERSION):
            return None
        return self._store.value("window/geometry"), self._store.value("window/state")

    def keep_window(self, geometry: QByteArray, state: QByteArray) -> None:
        """Remember geometry and state of the main window."""
        self._store.setValue("window/version", VERSION)
        self._store.setValue("window/geometry", geometry)
        self._store.setValue("window/state", state)
        self._store.sync()


def _key(name: str) -> str:
    """Return a name of a file as a key of the settings, in which a slash would open a group."""
    return quote(name, safe="")
