"""Answers in a file, each complete from the moment it is added: SQLite, one transaction an answer.

Several processes may use a file at once. It keeps SQLite's rollback journal, since its write-ahead log needs shared
memory, which home directories on a network do not have; a process that is killed leaves a journal from which the
next one restores the file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from models.problem import Problem, ProblemError
from simulator.studies.points import Answer

APPLICATION = 0x48445231  # "HDR1" in SQLite's header: the file is ours, and in this form
PATIENCE = 30.0  # Assumption: seconds to wait for another process; it writes for a hundredth of one
OPENING = 1.5  # Assumption: seconds after which a store that cannot be opened is told to be in use
LARGEST = 2**26
"""Bytes of an answer. Assumption: the largest scenario that a study takes has a hundredth of it."""
TABLE = "CREATE TABLE points (key TEXT PRIMARY KEY, answer TEXT NOT NULL)"
IN_USE = "is in use by another program; wait until that has ended, or name another file"


class Store:
    """Answers by the keys of their points, in one file."""

    def __init__(self, path: Path) -> None:
        """Open a store, or begin one.

        Raises:
            ProblemError: the file cannot be used, or holds something else.
        """
        self._path = path
        with self._told():
            self._file = sqlite3.connect(path, timeout=OPENING, isolation_level=None)
            self._file.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST)
            self._begin()
            self._file.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")  # what is simulated is not lost so soon

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *details: object) -> None:
        self._file.close()

    def find(self, keys: Iterable[str]) -> dict[str, Answer]:
        """Return the answers that are there."""
        answers = {}
        with self._told():
            for key in keys:
                row = self._file.execute("SELECT answer FROM points WHERE key = ?", (key,)).fetchone()
                if row:
                    answers[key] = self._checked(key, row[0])
        return answers

    def add(self, key: str, answer: Answer) -> None:
        """Keep an answer. One that is there already stays: equal keys have equal answers.

        Raises:
            ProblemError: the file cannot be written.
        """
        with self._told():
            self._file.execute("INSERT OR IGNORE INTO points VALUES (?, ?)", (key, answer.to_json()))

    def keys(self) -> list[str]:
        """Return the keys of all answers that are there."""
        with self._told():
            return [str(key) for (key,) in self._file.execute("SELECT key FROM points")]

    def __len__(self) -> int:
        with self._told():
            (count,) = self._file.execute("SELECT count(*) FROM points").fetchone()
        return int(count)

    def _checked(self, key: str, text: object) -> Answer:
        """Return the answer of a row.

        Raises:
            ProblemError: it holds none.
        """
        try:
            return Answer.from_json(str(text))
        except ValueError as error:
            reason = str(error).splitlines()[0]
            raise self._problem(f"row {key[:12]} is damaged ({reason}); delete the file, or name another one") from None

    def _begin(self) -> None:
        """Make the table of a new file, and see that any other is a store."""
        (application,) = self._file.execute("PRAGMA application_id").fetchone()
        if application == APPLICATION:
            self._check()
            return
        self._file.execute("BEGIN IMMEDIATE")  # from here on no other process can begin the same file
        (application,) = self._file.execute("PRAGMA application_id").fetchone()
        (tables,) = self._file.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application != APPLICATION and (application or tables):
            raise self._problem("is a database, but no store of this version of Headroom; name another file")
        if not tables:  # else another process has made it since
            self._file.execute(TABLE)
        self._file.execute(f"PRAGMA application_id = {APPLICATION}")
        self._file.execute("COMMIT")

    def _check(self) -> None:
        """See that the file has its table and nothing that SQLite would run, which a stranger's may."""
        held = self._file.execute("SELECT type, sql FROM sqlite_master WHERE sql IS NOT NULL")  # the key's has none
        if held.fetchall() != [("table", TABLE)]:
            raise self._problem(
                "holds more than the points of a store, or other ones; delete the file, or name another one"
            )

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # a damaged file has damaged words for what is wrong
            is_locked = getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            reason = f"cannot be used as a store: {error}; name another file"
            raise self._problem(IN_USE if is_locked else reason) from None

    def _problem(self, message: str) -> ProblemError:
        return ProblemError([Problem(str(self._path), None, "", message)])
