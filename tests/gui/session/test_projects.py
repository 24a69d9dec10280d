"""Projects from the click to the file and back, bad files and full disks, and what a killed program leaves behind."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from app.gui.jobs.run import Ran, RunRequest
from app.gui.jobs.study import Study
from app.gui.session import project_file, project_reading
from app.gui.session.project import ProjectModel
from app.gui.session.project_file import (
    MOST_LETTERS,
    VERSION,
    KeptResult,
    KeptRun,
    KeptWorkload,
    ProfileText,
    Project,
    read,
    write,
)
from app.gui.session.runs import Run
from app.gui.session.session import Session
from app.gui.session.setups import PlanSetup, Setups, StudySetup
from app.gui.shell import autosave
from app.gui.shell.autosave import Autosave, leftovers
from app.gui.shell.reading import Reading
from app.gui.shell.window import MainWindow
from models.problem import ProblemError
from profiles.loading.catalog import SHIPPED
from simulator.result import Result, WorkloadResult
from tests.gui.conftest import settle

PATIENCE = 60_000  # milliseconds
CHANGED = '"6 GB"'
CHILD = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from app.gui import application
from app.gui.shell import autosave
from app.gui.jobs.run import Ran, RunRequest
from app.gui.shell.window import MainWindow
from app.gui.session.session import Session
from app.gui.session.settings import Settings
from app.gui.jobs.worker import Worker
place = Path(sys.argv[1])
autosave.SOON = 50
settings = Settings(place / "window.ini")
app = application.create(settings)
window = MainWindow(Session(Worker()), settings)
window.projects.begin(place)
window.open("hdfs-terasort")
window.session.set_text(window.session.document.text + "\\n# not saved\\n")
window.projects.notes.setPlainText("Ask about racks")
look = QTimer(app, interval=20)
look.timeout.connect(lambda: list(place.glob("*.headroom")) and print("written", flush=True))
look.start()
app.exec()
"""


@pytest.fixture
def model(session: Session) -> ProjectModel:
    return ProjectModel(session)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "study.headroom"


@contextmanager
def little_room(size: int) -> Iterator[None]:
    """Let no file grow beyond a size: the system refuses the rest, as it does on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def change(session: Session) -> None:
    session.set_text(session.document.text.replace('"5 GB"', CHANGED))
    session.check()


def shown_message() -> QMessageBox:
    return next(
        widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QMessageBox) and widget.isVisible()
    )


def press(box: QMessageBox, text: str) -> None:
    next(button for button in box.buttons() if button.text().replace("&", "") == text).click()


def run_and_keep(window: MainWindow, qtbot: QtBot) -> Run:
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        qtbot.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(window, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    (kept,) = window.session.runs
    return kept


def test_a_saved_project_brings_profile_runs_and_notes_back(
    window: MainWindow, qtbot: QtBot, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = run_and_keep(window, qtbot)
    change(window.session)
    window.projects.notes.setPlainText("12 servers suffice")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path.with_suffix("")), ""))
    modifiers = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    qtbot.keyClick(window, Qt.Key.Key_S, modifiers)
    assert window.settings.recent == [str(path)]
    text = window.session.document.text

    window.projects.notes.clear()
    window.session.forget(kept)
    window.session.open_text("cluster = ", "other")
    window.projects.model.is_changed = False
    assert window.open(str(path))
    session = window.session
    assert (session.document.text, session.document.is_changed) == (text, True)
    assert window.projects.notes.toPlainText() == "12 servers suffice"
    (run,) = session.runs
    assert (run.label, run.colour) == (kept.label, kept.colour)
    assert run.request == replace(kept.request, base=path.with_name("small.toml"))  # as if it lay beside the project
    assert run.answer == kept.answer
    assert run.ran.answer == kept.ran.answer
    assert run.ran.measures == kept.ran.measures
    qtbot.keyClick(window, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    playback = window.pages["Run"].playback
    playback.go_to(10.0)
    assert "workers/cpu" in playback.panes[0].busy.text()
    with qtbot.waitSignal(session.run_finished, timeout=PATIENCE):
        session.run()
    assert session.last_run is not None
    assert session.last_run.number > kept.number


def test_a_reopened_project_counts_what_differs_from_the_file_of_its_profile(session: Session, tmp_path: Path) -> None:
    session.save(tmp_path / "mine.toml")
    change(session)
    session.check()
    changed, model = session.changes(), ProjectModel(session)
    assert len(changed) == 1
    model.save(tmp_path / "mine.headroom")
    session.open_text("cluster = ", "other")
    model.open(tmp_path / "mine.headroom")
    assert session.changes() == changed


def test_all_of_a_run_has_a_place_in_the_file() -> None:
    def names(cls: type) -> set[str]:
        return {field.name for field in fields(cls)}

    assert set(KeptResult.model_fields) == names(Result) - {"resources"}
    assert set(KeptWorkload.model_fields) == names(WorkloadResult)
    asked = names(RunRequest) - {"title"} | {"about"}
    came_to = names(Ran)
    assert set(KeptRun.model_fields) == asked | came_to | (names(Run) - {"request", "ran"})


def test_the_file_says_its_version_and_the_text_of_the_profile(
    model: ProjectModel, session: Session, path: Path
) -> None:
    model.save(path)
    data = json.loads(path.read_text())
    assert data["version"] == VERSION
    assert data["profiles"][0]["text"] == session.document.text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('{"version":1,"profiles":[{"name":"small","te', "is damaged or not a project"),
        ('{"version":99,"future":true}', "was written by a newer Headroom: version 99, this one reads up to 1"),
        ('{"profiles":[]}', "is not a Headroom project"),
        ("[1, 2]", "is not a Headroom project"),
        ('{"version": 1.0}', "is not a Headroom project: expected a whole number as its version (got 1.0)"),
        ('{"version":1,"runs":[{"number":"one"}]}', "runs.0.number: is not what a project has here"),
        ('{"version":1,"replications":-5}', "replications: is not what a project has here"),
        (
            '{"version":1,"setups":{"size":{"confidence":NaN}}}',
            "setups.size.confidence: is not what a project has here",
        ),
        ('{"version":1,"setups":{"size":{"confidence":7}}}', "setups.size.confidence: is not what a project has here"),
        (f'{{"version":1,"runs":[{",".join(["{}"] * 500)}]}}', "is not what a project has here"),
        ("[" * 100_000, "is damaged or not a project"),
        (None, "no longer exists: it was moved or deleted"),
    ],
)
def test_a_file_that_is_no_project_is_told_and_the_work_stays(
    window: MainWindow, path: Path, content: str | None, text: str
) -> None:
    if content is not None:
        path.write_text(content)
    before = window.session.document.text
    assert not window.open(str(path))
    box = shown_message()
    assert box.text().startswith(f"{path}: ")
    assert text in box.text()
    assert window.session.document.text == before
    box.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such files")
def test_a_pipe_is_no_project_and_nobody_waits_for_it(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(ProblemError, match="is a folder, a pipe or a device"):
        read(path)


def test_a_seed_beyond_what_the_window_holds_is_told(window: MainWindow, path: Path) -> None:
    path.write_text(json.dumps({"version": 1, "seed": 10**18}))
    assert window.open(str(path))
    assert window.session.seed == window.seed.maximum()
    assert "seed 1,000,000,000,000,000,000" in window.statusBar().currentMessage()


def test_a_saved_project_cut_anywhere_is_refused(model: ProjectModel, path: Path) -> None:
    model.set_notes("half")
    model.save(path)
    whole = path.read_bytes()
    for length in range(0, len(whole), 97):
        path.write_bytes(whole[:length])
        with pytest.raises(ProblemError, match="is damaged or not a project"):
            read(path)


def test_a_disk_that_is_full_while_saving_leaves_the_old_project_and_the_work(
    window: MainWindow, qtbot: QtBot, path: Path
) -> None:
    model = window.projects.model
    model.save(path)
    before = path.read_bytes()
    window.projects.notes.setPlainText("much " * 2000)
    with little_room(4096):
        assert not window.projects.save()
    box = shown_message()
    assert "cannot be written: file too large; nothing is lost" in box.text()
    box.close()
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir() if file.suffix == ".part"] == []
    assert model.is_changed
    assert window.projects.save()
    assert read(path).notes == "much " * 2000


def test_no_space_left_is_said_in_these_words(model: ProjectModel, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ProblemError, match="no space left on device; nothing is lost"):
        model.save(path)
    assert not path.exists()


def test_a_project_whose_series_are_damaged_is_refused(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    run_and_keep(window, qtbot)
    window.projects.model.save(path)
    data = json.loads(path.read_text())
    data["runs"][0]["playback"] = data["runs"][0]["playback"][:400]
    path.write_text(json.dumps(data))
    with pytest.raises(ProblemError, match=r"runs\.0\.playback: is damaged; open a backup"):
        window.projects.model.open(path)


def test_a_project_from_before_runs_could_be_played_is_read(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    run_and_keep(window, qtbot)
    window.projects.model.save(path)
    data = json.loads(path.read_text())
    for late in ("playback", "no_waterfall", "requests"):
        del data["runs"][0][late]
    path.write_text(json.dumps(data))
    window.projects.model.open(path)
    (run,) = window.session.runs
    assert run.ran.playback == b""


def test_a_project_that_spells_utilization_with_an_s_is_read(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    run_and_keep(window, qtbot)
    window.projects.model.save(path)
    data = json.loads(path.read_text())
    data["runs"][0]["utilisation"] = data["runs"][0].pop("utilization")
    path.write_text(json.dumps(data))
    window.projects.model.open(path)
    (run,) = window.session.runs
    assert run.ran.utilization


def test_a_project_deleted_meanwhile_is_saved_again(model: ProjectModel, path: Path) -> None:
    model.save(path)
    path.unlink()
    model.set_notes("again")
    model.save(path)
    assert read(path).notes == "again"


def test_work_of_a_killed_program_is_offered_and_restored(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "written\n"
    offered, _ = leftovers(tmp_path)
    assert offered == []  # it lives
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()

    window.projects.begin(tmp_path)
    box = shown_message()
    assert "the profile hdfs-terasort, notes" in box.text()
    press(box, "Restore")
    document = window.session.document
    assert (document.name, document.is_changed) == ("hdfs-terasort", True)
    assert document.text.endswith("# not saved\n")
    assert window.projects.notes.toPlainText() == "Ask about racks"
    assert window.session.is_valid
    window.projects.close()
    (left,), _ = leftovers(tmp_path)  # of this window, whose notes are in no project yet
    assert left.project.notes == "Ask about racks"


def test_a_changed_profile_is_copied_soon_and_the_copy_goes_with_the_change(
    model: ProjectModel, session: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave, "SOON", 10)
    copy = Autosave(model, tmp_path)
    change(session)
    qtbot.waitUntil(copy.path.exists)
    assert CHANGED in read(copy.path).profiles[0].text
    session.save(tmp_path / "small.toml")
    copy.close()
    assert leftovers(tmp_path) == ([], [])


def test_a_closed_copy_is_not_written_again_by_what_changes_afterwards(
    model: ProjectModel, session: Session, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave, "SOON", 0)
    copies = [Autosave(model, tmp_path) for _ in range(2)]
    copies[0].close()
    change(session)
    qtbot.waitUntil(copies[1].path.exists)  # whose timer starts after that of the first
    assert not copies[0].path.exists()
    copies[1].close()


def test_a_copy_that_cannot_be_written_is_told_once_and_tried_again(
    model: ProjectModel, session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    copy = Autosave(model, tmp_path)
    told: list[str] = []
    copy.failed.connect(told.append)
    change(session)
    with little_room(0):
        copy.write_if_due()
        copy.write_if_due()
    assert len(told) == 1
    assert "save your work" in told[0]
    copy.write_if_due()
    assert CHANGED in read(copy.path).profiles[0].text
    copy.close()


def test_deleting_what_was_left_behind_offers_what_lay_before_it(
    window: MainWindow, model: ProjectModel, tmp_path: Path
) -> None:
    for age, notes in ((100, "older"), (0, "newer")):
        model.set_notes(notes)
        copy = Autosave(model, tmp_path)
        copy.close()
        written = copy.path.stat().st_mtime - age
        os.utime(copy.path, (written, written))
    window.projects.begin(tmp_path)
    press(shown_message(), "Delete it")
    (left,), _ = leftovers(tmp_path)
    assert left.project.notes == "older"
    press(shown_message(), "Restore")
    assert window.projects.notes.toPlainText() == "older"
    window.projects.close()


def test_a_copy_that_is_cut_off_is_set_aside_and_told(window: MainWindow, tmp_path: Path) -> None:
    (tmp_path / "a.headroom").write_text('{"version":1,')
    window.projects.begin(tmp_path)
    box = shown_message()
    assert "cannot be read" in box.text()
    assert (tmp_path / "a.unread").exists()
    box.close()
    assert leftovers(tmp_path) == ([], [])
    window.projects.close()


def test_opening_a_project_asks_where_notes_are_unsaved(
    window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.projects.model.save(path)
    window.projects.notes.setPlainText("keep me")
    asked: list[str] = []

    def cancel(box: QMessageBox) -> QMessageBox.StandardButton:
        assert box.textFormat() == Qt.TextFormat.PlainText
        asked.append(box.text())
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "exec", cancel)
    assert not window.projects.open(path)
    assert asked == ["Save the project first? Unsaved: the profile small, notes."]
    assert window.projects.notes.toPlainText() == "keep me"


def test_a_saved_project_brings_back_what_the_pages_were_asked(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    sweep, size = window.show_page("Sweep"), window.show_page("Size")
    sweep.axes.add("workload.input", "5 GB,6 GB")
    sweep.axes.add("cluster.groups.workers.count", "12,24")
    sweep.axes.zip(True)
    size.targets.add("duration", "<=", "15 min")
    size.targets.add("cost_per_year", "<=", "1,500,000 USD")
    size.targets_view.least.setCurrentText("drives")
    size.axes.add("cluster.groups.workers.count", "6,12")
    compare, study = window.show_page("Compare"), window.show_page("Study")
    compare.source.setCurrentIndex(compare.source.findData("hdfs-against-minio"))
    first, second = (side.name for side in compare.choice.offered[:2])
    compare.pin(second)
    compare.hide_scenarios({first})
    study.source.setCurrentIndex(study.source.findData("hdfs-outgrown"))
    study.text.setPlainText(study.text.toPlainText() + "# as asked\n")
    window.seed.setValue(7)
    window.replications.setValue(3)
    asked = window.session.setups
    window.projects.model.save(path)

    session = window.session
    sweep.axes.restore(())
    size.targets.restore(())
    study.text.clear()
    compare.source.setCurrentIndex(0)
    window.seed.setValue(0)
    assert session.setups != asked
    assert window.projects.model.open(path)
    window.projects.taken.emit()
    assert session.setups == asked
    assert (window.seed.value(), window.replications.value()) == (7, 3)
    again = MainWindow(session, window.settings)  # its pages are made after the project was taken
    qtbot.addWidget(again, before_close_func=settle)
    for pages in (window, again):
        assert pages.make_page("Sweep").axes.rows == asked.sweep.axes
        assert pages.make_page("Sweep").zipped.isChecked()
        assert pages.make_page("Size").targets.texts == ("duration <= 15 min", "cost_per_year <= 1,500,000 USD")
        assert pages.make_page("Size").targets_view.least.currentText() == "drives"
        assert pages.make_page("Compare").chosen_study == "hdfs-against-minio"
        assert pages.make_page("Compare").choice.baseline == second
        assert pages.make_page("Compare").choice.hidden == {first}
        assert pages.make_page("Study").text.toPlainText().endswith("# as asked\n")
    assert session.setups == asked


def test_a_project_that_cannot_be_read_is_refused_before_anything_is_asked(
    window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.projects.notes.setPlainText("worth keeping")
    asked: list[object] = []
    monkeypatch.setattr(QMessageBox, "exec", asked.append)
    path.write_text('{"version": 1, "profiles": [')
    assert not window.open(str(path))
    assert asked == []
    shown_message().close()


def of_stranger(path: Path, profile: str, name: str = "x") -> Project:
    setups = Setups(study=StudySetup(text="kind", base=profile), plan=PlanSetup(text="kind", base=profile))
    made = Project(
        profiles=(ProfileText(name=name, text="evil = 1", path=profile, base=profile, is_changed=False),), setups=setups
    )
    write(path, made)
    return made


@pytest.mark.parametrize(
    "named",
    [
        "/etc/profile.toml",
        "../outside.toml",
        "below/x.toml",
        ".bashrc",
        "link.toml",
        "x.toml/../../outside.toml",
        "//host/share/x.toml",
        "x\0.toml",
        str(SHIPPED.root / "benchmarks" / "hdfs-terasort.toml"),
    ],
    ids=range(9),
)
def test_no_path_of_a_project_leads_to_a_file_that_is_not_beside_it(
    session: Session, tmp_path: Path, named: str
) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside.toml"
    (folder / "below").mkdir(parents=True)
    (folder / "link.toml").symlink_to(outside)
    of_stranger(folder / "evil.headroom", named)
    model = ProjectModel(session)
    model.open(folder / "evil.headroom")
    document, setups = session.document, session.setups
    assert (document.path, model.elsewhere) == (None, named)
    for base in (document.base, Path(setups.study.base), Path(setups.plan.base)):
        assert base.parent == folder or base == Path(named)
        assert base.parent == folder or base.is_relative_to(SHIPPED.root)


def test_a_profile_beside_its_project_is_saved_where_it_was(session: Session, tmp_path: Path) -> None:
    of_stranger(tmp_path / "mine.headroom", str(tmp_path / "x.toml"))
    model = ProjectModel(session)
    model.open(tmp_path / "mine.headroom")
    assert (session.document.path, model.elsewhere) == (tmp_path / "x.toml", None)


def test_a_name_in_a_project_proposes_no_other_folder(session: Session, tmp_path: Path) -> None:
    of_stranger(tmp_path / "evil.headroom", "", name="../../.bashrc\0")
    ProjectModel(session).open(tmp_path / "evil.headroom")
    assert session.document.name == "_.._.bashrc_"


def test_the_question_before_changes_are_lost_names_the_file(
    window: MainWindow, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_stranger(path, str(path.with_name("x.toml")))
    window.projects.open(path)
    window.session.set_text("more = 1")
    asked: list[str] = []

    def cancel(box: QMessageBox) -> QMessageBox.StandardButton:
        assert box.textFormat() == Qt.TextFormat.PlainText
        asked.append(box.text())
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "exec", cancel)
    window.files.open("hdfs-terasort")
    assert asked == [f"Save the changes to {path.with_name('x.toml')}?"]


@pytest.mark.parametrize("text", ["[" * 100_000, '{"version": 1, "notes": "' + "x" * 200 + '"}'])
def test_a_project_too_deep_or_too_large_is_refused(
    session: Session, path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_file, "MOST_BYTES", len(text) - 1 if "version" in text else len(text))
    path.write_text(text)
    with pytest.raises(ProblemError, match=r"is damaged or not a project|is larger than any project"):
        read(path)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ({"notes": "x" * 1_000_001}, "notes: is not what a project has here: expected at most 1,000,000 letters"),
        ({"setups": {"study": {"text": "#" * 1_000_001}}}, "setups.study.text: is not what a project has here"),
        ({"setups": {"sweep": {"axes": ["a"] * 200_000}}}, "setups.sweep.axes.0: is not what a project has here"),
        ({"setups": {"compare": {"hidden": ["a"] * 200_001}}}, "setups.compare.hidden: is not what a project has here"),
        ({"runs": [[]] * 6_000_000}, "holds more than any project: expected at most 6,000,000 values"),
    ],
    ids=["notes", "text", "mistakes", "list", "values"],
)
def test_a_project_that_would_fill_the_memory_is_refused_at_its_first_mistake(
    path: Path, content: dict[str, object], told: str
) -> None:
    path.write_text(json.dumps({"version": VERSION, **content}, separators=(",", ":")))
    with pytest.raises(ProblemError) as refused:
        read(path)
    assert told in str(refused.value)
    assert len(str(refused.value)) < 1_000


def test_notes_that_would_not_be_read_again_are_told_and_stay(model: ProjectModel, path: Path) -> None:
    model.set_notes("x" * (MOST_LETTERS + 1))
    with pytest.raises(
        ProblemError, match="the text of its notes has 1,000,001 letters, expected at most 1,000,000; nothing is lost"
    ):
        model.save(path)
    assert not path.exists()


def test_a_project_that_opens_into_much_is_read_apart_and_the_same(
    window: MainWindow, qtbot: QtBot, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = run_and_keep(window, qtbot)
    window.projects.model.save(path)
    assert project_reading.read_here(path) is not None
    monkeypatch.setattr(project_reading, "LITTLE", 1000)
    assert project_reading.read_here(path) is None
    ticked = []
    QTimer.singleShot(0, lambda: ticked.append(QApplication.activeModalWidget()))
    assert window.open(str(path))
    assert isinstance(ticked[0], Reading)
    (run,) = window.session.runs
    assert (run.label, run.answer, run.ran.playback) == (kept.label, kept.answer, kept.ran.playback)
    data = json.loads(path.read_text())
    data["runs"][0]["scenario"] = {}
    path.write_text(json.dumps(data))
    assert not window.open(str(path))
    box = shown_message()
    assert "runs.0.scenario.profile: is refused by this Headroom: is missing" in box.text()
    box.close()
    assert window.session.runs == (run,)


def test_escape_gives_up_a_project_that_is_read(
    window: MainWindow, qtbot: QtBot, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text(json.dumps({"version": VERSION, "notes": "x" * 400_000}))
    QTimer.singleShot(0, lambda: qtbot.keyClick(QApplication.activeModalWidget(), Qt.Key.Key_Escape))
    with monkeypatch.context() as silent:
        silent.setattr(Study, "start", lambda *_: None)  # a process that takes its time
        assert not window.open(str(path))
    assert window.projects.notes.toPlainText() == ""
    assert window.session.studies.running == ()
    assert window.open(str(path))
    assert len(window.projects.notes.toPlainText()) == 400_000
