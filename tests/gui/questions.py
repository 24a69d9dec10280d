"""The customer's question and two others, asked in the window as its users do: `python -m tests.gui.questions FOLDER`.

Each is asked by mouse and by keyboard; steps, times and pictures of each step go to the folder.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.hands import ALT, CTRL, Hands, Keyboard, Mouse

SIZE = (1360, 860)
SETTLES = 200  # milliseconds in which a page is laid out and drawn
PATIENCE = 600_000  # milliseconds for one search
Users = Mouse | Keyboard


@dataclass(frozen=True)
class Question:
    """What is typed: fields of the requirements, by the kind of each workload its fields, and the candidates."""

    requirements: dict[str, str]
    workloads: dict[str, dict[str, str]]
    candidates: tuple[dict[str, str], ...]
    beside: dict[str, str] = field(default_factory=dict)
    picks: dict[str, str] = field(default_factory=dict)


QUESTIONS = {
    "mail": Question(
        {"Stored now": "2 PB", "Annual growth": "40 %", "Budget": "1.5 M USD"},
        {"Add a job": {"input of nightly": "20 TB", "deadline of nightly": "3 h"}},
        (
            {"Storage": "hdfs", "Servers": "hdd-25gbe", "from": "24", "to": "64", "Drives a server": "36"},
            {"Storage": "minio-nvme", "Servers": "nvme-100gbe", "from": "16", "to": "160", "in steps of": "8"},
        ),
    ),
    "store": Question(
        {"Stored now": "500 TB", "Annual growth": "20 %"},
        {
            "Add requests": {
                "PUT a second of store": "5000",
                "PUT size of store": "1 MiB",
                "GET a second of store": "20000",
                "GET size of store": "256 KiB",
            }
        },
        (
            {"Storage": "minio-nvme", "Servers": "nvme-100gbe", "from": "8", "to": "48"},
            {"Storage": "ceph", "Servers": "nvme-100gbe", "from": "8", "to": "64"},
        ),
        picks={"While degraded": "1 drive"},
    ),
    "import": Question(
        {"Stored now": "800 TB", "Annual growth": "20 %"},
        {
            "Add a job": {"input of nightly": "20 TB", "deadline of nightly": "3 h"},
            "Add an import": {"size of import": "800 TB", "deadline of import": "5 d"},
        },
        (
            {"Storage": "hdfs", "Servers": "hdd-25gbe", "from": "12", "to": "60"},
            {"Storage": "minio", "Servers": "hdd-25gbe", "from": "12", "to": "60"},
        ),
        beside={"What runs at the same time as nightly": "import"},
    ),
}


def tell(user: Users, question: Question, taken: Callable[[str], None]) -> None:
    """Go from the first page to what can be checked; `taken` is told after each step."""
    user.push("Size a cluster")
    for name, text in question.requirements.items():
        user.fill(name, text)
    for name, choice in question.picks.items():
        user.pick(name, choice)
    for button, fields in question.workloads.items():
        user.push(button)
        for name, text in fields.items():
            user.fill(name, text)
    for name, choice in question.beside.items():
        user.pick(name, choice)
    taken("1-requirements")
    step(user, "Next")
    for number, candidate in enumerate(question.candidates):
        _add(user, number, candidate)
    taken("2-candidates")


def ask(user: Users, question: Question, taken: Callable[[str], None]) -> None:
    """Go from the first page to the decision; `taken` is told after each step."""
    tell(user, question, taken)
    page: Any = user.window.pages["Plan"]
    if isinstance(user, Mouse):
        user.push("Check")
    else:
        user.press(Qt.Key.Key_Return, CTRL)
    wait_for_answer(user, page)
    taken("3-check")
    step(user, "Next")
    taken("4-compare")
    step(user, "Next")
    taken("5-decide")


def _add(user: Users, number: int, candidate: dict[str, str]) -> None:
    """Add a candidate and say what it is."""
    user.push("Add a candidate")
    page: Any = user.window.pages["Plan"]

    def name() -> str:
        return page.candidates.cards[number].called

    user.pick(f"Storage of {name()}", candidate["Storage"])
    user.pick(f"Servers of {name()}", candidate["Servers"])
    for word in ("from", "to", "in steps of"):
        if word in candidate:
            user.fill(f"Servers of {name()} {word}", candidate[word])
    if "Drives a server" in candidate:
        user.push(f"My own server for {name()}")
        user.fill(f"Drives a server of {name()}", candidate["Drives a server"])


def step(user: Users, button: str) -> None:
    """Go to the next step, or back."""
    if isinstance(user, Mouse):
        user.push(button)
    else:
        user.press(Qt.Key.Key_Right if button == "Next" else Qt.Key.Key_Left, ALT)


def wait_for_answer(user: Hands, page: Any) -> None:
    """Wait as long as the search goes on."""
    end = time.monotonic() + PATIENCE / 1000
    while page.study.is_running and time.monotonic() < end:
        user.qtbot.wait(20)
    assert page.model.answer is not None, page.message.text()


def bot() -> Any:
    """Return what the hands use of pytest-qt, without a test."""

    def wait_until(is_done: Callable[[], bool], timeout: int) -> None:
        end = time.monotonic() + timeout / 1000
        while not is_done():
            assert time.monotonic() < end, "waited in vain"
            QTest.qWait(20)

    return SimpleNamespace(
        mouseClick=QTest.mouseClick,
        mouseDClick=QTest.mouseDClick,
        keyClick=QTest.keyClick,
        keyClicks=QTest.keyClicks,
        wait=QTest.qWait,
        waitUntil=wait_until,
    )


def record(name: str, kind: type[Mouse] | type[Keyboard], folder: Path) -> None:
    """Ask one question, and tell of each step."""
    from app.gui.application import create
    from app.gui.jobs.worker import Worker
    from app.gui.session.session import Session
    from app.gui.session.settings import Settings
    from app.gui.shell.window import MainWindow

    with tempfile.TemporaryDirectory() as home:
        os.environ["XDG_DATA_HOME"] = home  # no points are known from before
        settings = Settings(Path(home) / "window.ini")
        create(settings)
        window = MainWindow(Session(Worker()), settings)
        window.resize(*SIZE)
        window.show()
        window.activateWindow()
        QTest.qWait(SETTLES)
        user, since = kind(window, bot()), time.monotonic()
        who = kind.__name__.lower()

        def taken(text: str) -> None:
            passed = time.monotonic() - since
            print(f"{name} by {who}, {text}: {user.actions} actions, {passed:.1f} s", flush=True)
            QTest.qWait(SETTLES)
            window.grab().save(str(folder / f"{name}-{who}-{text}.png"))

        try:
            ask(user, QUESTIONS[name], taken)
            page: Any = window.pages["Plan"]
            print(page.model.answer.verdict)
            print(page.model.text)
        finally:
            taken("end")
            window.session.document.stack.setClean()
            window.close()


def main(folder: Path, names: tuple[str, ...]) -> None:
    """Ask the questions by mouse and by keyboard."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        for kind in (Mouse, Keyboard):
            record(name, kind, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), tuple(sys.argv[2:]) or tuple(QUESTIONS))
