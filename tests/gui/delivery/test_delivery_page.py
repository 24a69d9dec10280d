"""Delivery: bands of the open profile, its kit, what was measured judged, and the forecast beside reality."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.gui.application import create
from app.gui.delivery.page import AGAIN, DeliveryPage
from app.gui.jobs.processes import Processes
from app.gui.jobs.worker import Worker
from app.gui.session.session import Session
from app.gui.session.settings import Settings
from app.gui.shell.window import MainWindow
from app.planning.files import KEPT
from profiles.loading.catalog import SHIPPED
from tests.app.kit_results import results
from tests.gui.hands import Mouse, drop

PATIENCE = 120_000  # milliseconds; an answer takes two seconds, a busy machine makes it many
STORE = """\
[profile]
title = "A small store"
[cluster.groups.servers]
server = "nvme-25gbe"
count = 4
[cluster.groups.clients]
server = "hdd-25gbe"
count = 1
[storage]
use = "minio"
servers = "servers"
[workload]
kind = "requests"
clients = "clients"
threads = 8
count = 500
mix = { GET = { action = "get", size = "1 MiB" }, PUT = { action = "put", size = "1 MiB" } }
"""
HDFS = """\
[profile]
title = "HDFS on six servers"
[cluster.groups.servers]
server = "hdd-25gbe"
count = 6
[storage]
use = "hdfs"
servers = "servers"
[workload]
kind = "storing"
data = "150 TB"
[growth]
start = "2027-01-01"
annual_growth = "20 %"
"""


@pytest.fixture(autouse=True)
def point_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an answer come without its interval, which takes runs more."""
    monkeypatch.setenv("HEADROOM_INTERVAL", "none")


@pytest.fixture
def page(window: MainWindow) -> DeliveryPage:
    window.session.open_new(STORE, "store")
    window.session.document.stack.setClean()
    shown = window.show_page("Delivery")
    assert isinstance(shown, DeliveryPage)
    return shown


def test_bands_kit_and_verdict_follow_each_other(
    window: MainWindow, page: DeliveryPage, qtbot: QtBot, tmp_path: Path
) -> None:
    mouse = Mouse(window, qtbot)
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        mouse.push("Work out bands")
    assert "Bands for the contract" in page.views["accept"].toPlainText()
    kit = tmp_path / "kit"
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.write_kit(kit)
    assert page.message.text().startswith(f"Written: {kit}: ")
    contract = json.loads((kit / "contract.json").read_text())["data"]
    measured = results(contract, tmp_path / "results", {"servers-network-10": 1e8})
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        drop(page, measured)
    text = " ".join(page.views["accept"].toPlainText().split())
    assert "the card or the switch" in text
    assert page.asked.command.startswith("simulate accept ")
    report = tmp_path / "accepted.md"
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.export(report)
    assert "the card or the switch" in " ".join(report.read_text().split())


def test_bands_of_a_changed_profile_are_not_called_those_of_its_title(page: DeliveryPage, qtbot: QtBot) -> None:
    page._session.set_value("cluster.groups.servers.count", "6")
    page._session.check()
    asked = page.asked
    assert "--set cluster.groups.servers.count=6" in asked.command
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.run()
    assert page.views["accept"].toPlainText().startswith("Acceptance of A small store, changed")


def test_a_kit_goes_into_a_folder_of_its_own_which_is_told_before_anything_is_simulated(
    page: DeliveryPage, tmp_path: Path
) -> None:
    (tmp_path / "there").write_text("x")
    gone = tmp_path / "gone" / "kit"
    for folder, why in {
        tmp_path: "it is not empty",
        tmp_path / "there": "it is no folder",
        gone: f"'{gone.parent}' does not exist",
    }.items():
        page.write_kit(folder)
        assert page.message.text() == f"Cannot write {folder}: {why}; {KEPT}"
        assert page.study.is_free


def test_a_kit_is_not_mixed_with_what_came_into_its_folder_meanwhile(
    page: DeliveryPage, qtbot: QtBot, tmp_path: Path
) -> None:
    folder = tmp_path / "kit"
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.write_kit(folder)
        folder.mkdir()
        (folder / "contract.json").write_text("of another program")
    assert page.message.text() == f"Cannot write {folder}: it is not empty; {KEPT}"
    assert [path.read_text() for path in folder.iterdir()] == ["of another program"]


def test_what_a_cluster_wrote_since_stands_beside_its_plan(
    window: MainWindow, page: DeliveryPage, qtbot: QtBot
) -> None:
    window.session.open_new(HDFS, "hdfs")
    window.session.document.stack.setClean()
    page.tabs.setCurrentIndex(1)
    assert not page.run_button.isEnabled()
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.add([str(SHIPPED.root / "measurements/examples/growth")])
    assert "The assumed growth rate broke" in page.views["track"].toPlainText()
    page.copy_command()
    assert QGuiApplication.clipboard().text().startswith("simulate track ")
    page.clear()
    assert "The forecast beside reality" in page.views["track"].toPlainText()


def test_a_project_brings_back_what_was_measured_beside_it_and_asks_again_for_what_was_not(
    window: MainWindow, page: DeliveryPage, qtbot: QtBot, tmp_path: Path
) -> None:
    folder, outside = tmp_path / "project", tmp_path / "outside"
    window.session.open_new(HDFS, "hdfs")
    growth = SHIPPED.root / "measurements/examples/growth"
    beside = shutil.copytree(growth, folder / "reports")
    (folder / "link").symlink_to(growth)
    page.tabs.setCurrentIndex(1)
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.add([str(beside)])
    asked, text = page.setup(), page.views["track"].toPlainText()
    strange = (*asked.track.files, str(outside), str(folder / "link"), "../x", "//host/share/y")
    window.session.set_up(
        delivery=asked.model_copy(update={"track": asked.track.model_copy(update={"files": strange})})
    )
    window.projects.model.save(folder / "mine.headroom")
    page.clear()
    page.tabs.setCurrentIndex(0)
    window.session.document.stack.setClean()
    assert window.projects.model.open(folder / "mine.headroom")
    window.show_page("Delivery")
    assert page.asked.files == (str(beside),)
    assert page.views["track"].toPlainText() == text
    assert page.message.text() == f"{AGAIN}outside, link, x, y"
    assert not page.banner.isVisible()
    report = tmp_path / "since.md"
    with qtbot.waitSignal(page.study.finished, timeout=PATIENCE):
        page.export(report)  # what a project holds is no answer to be drawn: it is found anew
    qtbot.waitUntil(report.exists, timeout=PATIENCE)
    assert "The assumed growth rate broke" in report.read_text()
    window.session.set_value("growth.annual_growth", "30 %")
    assert page.banner.isVisible()


def test_files_that_hold_nothing_are_told_and_forgotten(page: DeliveryPage, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "note").write_text("hello\n")
    with qtbot.waitSignal(page.study.failed, timeout=PATIENCE):
        page.add([str(tmp_path / "note")])
    assert "no file holds a result of a test" in page.message.text()
    assert page.asked.files == ()


def test_without_a_profile_the_page_says_so_until_there_is_one(
    worker: Worker, processes: Processes, settings: Settings, qtbot: QtBot
) -> None:
    create(settings)
    session = Session(worker, studies=processes)
    page = DeliveryPage(session)
    qtbot.addWidget(page)
    page.show()
    assert "No profile is open" in page.message.text()
    assert not page.run_button.isEnabled()
    page.hide()
    session.open_new(STORE, "store")
    session.check()
    page.show()
    assert page.message.text() == ""
    assert page.run_button.isEnabled()
