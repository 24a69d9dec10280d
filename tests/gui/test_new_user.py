"""A new user's path, once by mouse and once by keyboard, at the real size of the documented clusters.

From Home to the study of HDFS against MinIO; 24 nodes instead of twelve; simulated, compared, swept from 12 to 48
nodes; a report as PDF. Only the widgets that a user sees are clicked and typed into.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.gui.jobs.processes import Processes
from app.gui.jobs.worker import Worker
from app.gui.session.session import Session
from app.gui.session.settings import Settings
from app.gui.shell.window import FIRST_SIZE, MainWindow
from tests.gui.conftest import settle, show
from tests.gui.hands import ALT, CTRL, Hands, Keyboard, Mouse

COUNT = "cluster.groups.workers.count"


@pytest.fixture
def fresh(
    qtbot: QtBot,
    worker: Worker,
    processes: Processes,
    settings: Settings,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[MainWindow]:
    """Return the window as it is at first, with no profile open; points of a sweep may be kept from the other path."""
    data = tmp_path_factory.getbasetemp() / "new-user"
    data.mkdir(exist_ok=True)
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    monkeypatch.chdir(tmp_path)
    window = MainWindow(Session(worker, studies=processes), settings)
    window.resize(FIRST_SIZE)  # the screen that is none has 800 by 800
    qtbot.addWidget(window, before_close_func=settle)
    show(window, qtbot)
    yield window
    window.session.cancel()


@pytest.mark.slow
def test_the_path_by_mouse(fresh: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    user, window, session = Mouse(fresh, qtbot), fresh, fresh.session
    user.page("Library")
    home = window.pages["Library"]
    cards = home.cards
    user.row(home.questions, home.questions.model().index(2, 0))
    user.row(cards, cards.model().index(0, 0))
    assert window.page == "Compare"
    user.less(window.actions_.replications, 4)
    compare = window.pages["Compare"]
    user.press("Run study")
    user.wait(lambda: compare.found.document is not None)

    user.page("Cluster")
    tree = window.pages["Cluster"].tree
    count = window.pages["Cluster"].model.index_of(COUNT, 1)
    user.row(tree.view, tree.proxy.mapFromSource(count), clicks=2)
    user.type_into(tree.view, "24")
    user.tool(window.actions_.run)
    user.wait(lambda: session.last_run is not None)
    assert window.page == "Run"

    user.page("Compare")
    user.press("Keep hdfs-terasort #1 as scenario")
    user.wait(lambda: compare.found.document is not None and len(compare.found.sides) == 6)
    check_compared(window)

    user.page("Cluster")
    user.tool(tree.of_key.sweep)
    sweep = window.pages["Sweep"]
    user.row(sweep.axes_view.table, sweep.axes.index(0, 1), clicks=2)
    user.type_into(sweep.axes_view.table, "12..48:12")
    user.press("Start")
    check_swept(window, user)

    user.page("Report")
    user.choose(window.pages["Report"].export_button, 0)
    dialog = user.dialog()
    user.write_into(dialog, str(tmp_path / "plan"))
    user.save(dialog)
    check_exported(window, user, tmp_path / "plan.pdf")


@pytest.mark.slow
def test_the_path_by_keyboard(fresh: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    user, window, session = Keyboard(fresh, qtbot), fresh, fresh.session
    user.press(Qt.Key.Key_L, CTRL)
    user.enter("hdfs against minio")
    assert window.page == "Compare"
    user.press(Qt.Key.Key_N, ALT)
    user.enter("1")
    user.press(Qt.Key.Key_5, CTRL)
    user.press(Qt.Key.Key_Return, CTRL)
    compare = window.pages["Compare"]
    user.wait(lambda: compare.found.document is not None)

    user.press(Qt.Key.Key_2, CTRL)
    user.press(Qt.Key.Key_F, CTRL)
    user.enter("nodes")
    user.enter("24")
    user.wait(lambda: session.changes().get(COUNT) == "24")
    user.press(Qt.Key.Key_R, CTRL)
    user.wait(lambda: session.last_run is not None)
    assert window.page == "Run"

    user.press(Qt.Key.Key_D, CTRL)
    user.press(Qt.Key.Key_5, CTRL)
    user.wait(lambda: compare.found.document is not None and len(compare.found.sides) == 6)
    check_compared(window)

    user.press(Qt.Key.Key_V, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert window.page == "Sweep"
    user.enter("12..48:12")
    user.press(Qt.Key.Key_Return, CTRL)
    check_swept(window, user)

    user.press(Qt.Key.Key_8, CTRL)
    user.command("report as pdf")
    line = user.write_into(user.dialog(), str(tmp_path / "plan"))
    qtbot.keyClick(line, Qt.Key.Key_Return)
    check_exported(window, user, tmp_path / "plan.pdf")


def check_compared(window: MainWindow) -> None:
    """Hold that the run stands beside the study, equal to its scenario of as many servers, in a colour of its own."""
    model = window.pages["Compare"].model
    headers = [model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole) for column in range(7)]
    rows = {model.index(row, 0).data(): row for row in range(model.rowCount())}
    assert headers[1:3] == ["MinIO, 12 + 12 servers (baseline)", "HDFS, 12 servers"]
    assert headers[6] == "hdfs-terasort #1"
    assert model.index(rows["cluster.groups.workers"], 6).data() == "24 × h1.16xlarge"
    baseline, *others = (model.index(rows["duration"], column).data() for column in (1, 2, 3, 6))
    assert re.fullmatch(r"[\d,.]+ s", baseline)
    assert all(re.fullmatch(r"[\d,.]+ s \([+-][\d.]+ %\)", other) for other in others)
    assert others[1] == others[2]
    assert others[2].startswith(f"{window.session.last_run.result.duration:.1f} s ")
    sides = window.pages["Compare"].found.sides
    assert len({side.colour for side in sides}) == len(sides)
    assert sides[-1].colour == window.session.runs[0].colour


def check_swept(window: MainWindow, user: Hands) -> None:
    """Hold that four points have come, more servers taking less time, the known run among them."""
    sweep = window.pages["Sweep"]
    assert sweep.axes.rows == ((COUNT, "12..48:12"),)
    user.wait(lambda: "4 of 4 points" in sweep.message.text())
    took = {dict(point.values)[COUNT]: point.duration for point in sweep.model.points}
    assert sorted(map(int, took)) == [12, 24, 36, 48]
    assert all(took[f"{less}"] > took[f"{less + 12}"] for less in range(12, 48, 12))
    assert took["24"] == pytest.approx(window.session.last_run.result.duration)


def check_exported(window: MainWindow, user: Hands, path: Path) -> None:
    """Hold that the report is there, of the profile as it was changed."""
    report = window.pages["Report"]
    user.wait(lambda: str(path) in report.message.text())
    text = pdf_words(path)
    took = f"({window.session.last_run.result.duration:.1f} s)"
    assert f"{COUNT} = 24" in text
    assert took in text
    assert took in report.preview.toPlainText()


def pdf_words(path: Path) -> str:
    """Return the words of a PDF that we have written: strings in pages that are shrunk and then spelled in ASCII85."""
    streams = re.findall(rb"stream\s+(\S+~>)\s*endstream", path.read_bytes())
    drawn = b"".join(zlib.decompress(base64.a85decode(b"<~" + stream, adobe=True)) for stream in streams)
    strings = re.findall(rb"\(((?:[^()\\]|\\.)*)\) Tj", drawn)
    return re.sub(r"\\([()\\])", r"\1", " ".join(string.decode("latin-1") for string in strings))
