"""Jobs: studies beside each other in processes of their own, listed with how far they are, each with its own Cancel."""

from __future__ import annotations

import time
from multiprocessing import Pipe
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt
from pytestqt.qtbot import QtBot

from app.gui.jobs import processes as processes_of_studies, worker_process
from app.gui.jobs.processes import AT_ONCE, Processes
from app.gui.jobs.run import Report, prepare
from app.gui.jobs.study import Study
from app.gui.jobs.worker import Worker
from app.gui.jobs.worker_process import NOTHING_FOUND, Stop, _Asked
from app.gui.shell.jobs_view import Job, JobsView
from app.gui.shell.window import MainWindow

PATIENCE = 60_000  # milliseconds; a process takes seconds to start, on a busy machine many
HUNGRY = "def eat(report, size):\n    return len(b'x' * size)\n"


def dig(report: Report) -> str:
    """Go on until it is stopped, as a search does that has found something."""
    try:
        report(0.5, "digging")
        time.sleep(PATIENCE)
    except KeyboardInterrupt:
        return "so far"
    return "all"


def dock_of(window: MainWindow) -> JobsView:
    dock = window.findChild(JobsView)
    assert isinstance(dock, JobsView)
    return dock


def test_a_sweep_and_a_validation_go_on_at_the_same_time_and_are_listed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    window.session.open_text(window.session.document.text.replace("5 GB", "2 GB"), "small")
    sweep, validate = window.show_page("Sweep"), window.show_page("Validate")
    row = sweep.axes.add("cluster.groups.workers.count")
    sweep.axes.setData(sweep.axes.index(row, 1), "4,8")
    validate.family.setCurrentIndex(validate.family.findData("sizing"))
    sweep.start_button.click()
    with qtbot.waitSignals([sweep.study.finished, validate.study.finished], timeout=PATIENCE):
        validate.run_button.click()
        assert [job.title for job in dock_of(window).jobs] == ["Sweep", "Validate"]
    assert dock_of(window).jobs == []


def test_a_run_is_listed_on_other_pages_and_cancelled_there(window: MainWindow, qtbot: QtBot) -> None:
    session, dock = window.session, dock_of(window)
    session.open_text(session.document.text.replace("5 GB", "20 TB"), "large")
    with qtbot.waitSignal(session.run_progressed, timeout=PATIENCE):
        qtbot.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert not dock.isVisible()  # the page shows how far it is
    window.show_page("Start")
    assert dock.isVisible()
    (line,) = dock._lines
    assert line.title.text() == "Run of Small TeraSort"
    with qtbot.waitSignal(session.run_cancelled, timeout=PATIENCE):
        qtbot.mouseClick(line.button, Qt.MouseButton.LeftButton)
    assert not dock.isVisible()
    assert session.is_valid


def test_how_far_a_job_is_stands_in_words() -> None:
    job = Job("Sweep", "Sweep", 0.58, "7 of 12", 72.0, lambda: None)
    assert job.said == "58 %, 7 of 12, about 1 min 12 s left"
    assert Job("Run", "Run", 0.0, "", float("inf"), lambda: None).said == "0 %"
    assert Job("Run", "Run", 0.4, "", float("inf"), lambda: None, 75.0).said == "40 %, 1 min 15 s so far"


def test_no_more_studies_than_memory_allows_run_at_once(qtbot: QtBot) -> None:
    lent = Processes()
    studies = [Study(lent) for _ in range(AT_ONCE + 1)]
    for study in studies[:-1]:
        lent.take(study)
    assert not studies[-1].is_free
    with pytest.raises(RuntimeError, match="cancel one first"):
        lent.take(studies[-1])
    lent.give_back(studies[0])
    assert studies[-1].is_free


def test_a_process_that_nobody_needs_is_ended(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, qapp: QObject) -> None:
    monkeypatch.setattr(processes_of_studies, "IDLE", 10)
    worker = Worker()
    lent = Processes([worker])
    study = Study(lent)
    with qtbot.waitSignal(study.finished, timeout=PATIENCE):
        study.start(prepare)
    qtbot.waitUntil(lambda: worker.process_id is None, timeout=PATIENCE)
    lent.close()


def test_a_process_that_has_held_much_memory_gives_it_back_and_the_next_job_goes_through(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hungry.py").write_text(HUNGRY)
    monkeypatch.syspath_prepend(tmp_path)
    from hungry import eat

    much_in_the_window = b"x" * 400_000_000  # is no matter of the process
    worker = Worker()
    for size, is_kept in ((1_000, True), (400_000_000, False), (1_000, True)):
        before = worker.process_id
        with qtbot.waitSignal(worker.finished, timeout=PATIENCE) as finished:
            worker.start(eat, size)
            before = worker.process_id
        assert finished.args == [size]
        assert (worker.process_id == before) is is_kept
        if not is_kept:
            with qtbot.waitSignal(worker.finished, timeout=PATIENCE) as finished:
                worker.start(eat, 1_000)  # at once, before all of the process that is gone has been heard
            assert finished.args == [1_000]
    assert len(much_in_the_window) > 250e6
    worker.close()


def test_a_worker_that_is_closed_starts_no_process_that_would_outlive_the_window(qtbot: QtBot) -> None:
    worker = Worker()
    worker.close()
    worker.warm()
    assert worker.process_id is None


def test_a_job_that_is_stopped_answers_with_what_it_has_found(qtbot: QtBot, worker: Worker) -> None:
    with qtbot.waitSignal(worker.progressed, timeout=PATIENCE):
        worker.start(dig)
    process = worker.process_id
    with qtbot.waitSignal(worker.finished, timeout=PATIENCE) as finished:
        worker.stop()
    assert finished.args == ["so far"]
    assert worker.process_id == process


def test_a_job_that_is_stopped_before_its_process_is_ready_is_not_begun(qtbot: QtBot) -> None:
    worker = Worker()
    with qtbot.waitSignal(worker.failed, timeout=PATIENCE) as failed:
        worker.start(dig)
        worker.stop()
    assert failed.args == [NOTHING_FOUND]
    with qtbot.waitSignal(worker.progressed, timeout=PATIENCE):
        worker.start(dig)  # one that was not stopped is
    worker.close()


def test_a_stop_is_heard_by_the_job_and_by_nothing_before_after_and_beside_it() -> None:
    ours, theirs = Pipe()
    asked, hearing = _Asked(), []
    for message in ((dig, ()), Stop()):
        ours.send(message)
    ours.close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_process, "_interrupt", lambda: hearing.append("stop"))
        asked.listen(theirs)
    assert hearing == ["stop"]
    asked.on_interrupt()  # nothing is worked on
    with pytest.raises(KeyboardInterrupt), asked.working():
        pytest.fail("it was to stop before it began")

    def send() -> None:
        with asked.sending():
            asked.on_interrupt()
            hearing.append("sent")

    with asked.working():
        asked._is_stopped = True
        with pytest.raises(KeyboardInterrupt):
            send()
    asked._is_stopped = True
    asked.on_interrupt()  # the job is done
    assert hearing == ["stop", "sent"]
