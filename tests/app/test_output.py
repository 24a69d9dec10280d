"""Files that are written: checked first, complete or not at all."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from app.cli.output import check_writable, made_folder, write
from models.problem import ProblemError
from tests.app.conftest import Type

ROOT = Path(__file__).parent.parent.parent


def complaint(*targets: tuple[str, str]) -> list[str]:
    with pytest.raises(ProblemError) as raised:
        check_writable(targets)
    return [str(problem) for problem in raised.value.problems]


def test_every_file_that_cannot_be_written_is_told_before_anything_runs(type_: Type, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    missing, below_file = f"{tmp_path}/no/a.json", f"{tmp_path}/file/b.md"
    ended = type_(
        "--profile", "hdfs-sort", "--output", missing, "--report", below_file, "--report", f"{tmp_path}/c.md/"
    )
    assert ended.status == 2
    assert ended.err.splitlines() == [
        f"--output: cannot write '{missing}': '{tmp_path}/no' does not exist; name another file",
        f"--report: cannot write '{below_file}': '{tmp_path}/file' is not a directory; name another file",
    ]


def test_a_directory_is_refused(tmp_path: Path) -> None:
    assert complaint(("--output", str(tmp_path))) == [
        f"--output: cannot write '{tmp_path}': it is a directory; name another file"
    ]


def test_what_is_no_folder_is_told_as_such_where_a_folder_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(ProblemError) as raised:
        made_folder(str(file), "--output")
    assert [str(problem) for problem in raised.value.problems] == [
        f"--output: cannot write into '{file}': it is no folder"
    ]


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs a file system that refuses even root")
def test_a_directory_that_takes_no_files_is_refused() -> None:
    (text,) = complaint(("--output", "/proc/self/answer.json"))
    assert text.startswith("--output: cannot write '/proc/self/answer.json': ")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_directory_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert complaint(("--output", f"{tmp_path}/a.json")) == [
        f"--output: cannot write '{tmp_path}/a.json': permission denied; name another file"
    ]


def test_one_file_cannot_hold_two_answers(tmp_path: Path) -> None:
    name = f"{tmp_path}/a.json"
    texts = complaint(("--output", name), ("--report", f"{tmp_path}/./a.json"))
    assert texts == [f"--report: cannot write '{tmp_path}/./a.json': named twice; each file can hold one answer"]


def test_a_file_that_is_there_keeps_its_mode_and_a_link_its_target(tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write(str(link), "new\n")
    assert link.is_symlink()
    assert (target.read_text(), stat.S_IMODE(target.stat().st_mode)) == ("new\n", 0o640)


def test_a_write_that_fails_leaves_the_old_file_and_no_other_and_tells_the_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, before[1]))  # as on a full disk
    try:
        with pytest.raises(ProblemError, match=r"cannot write.*; the answer stands on stdout"):
            write(str(path), "new")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert capsys.readouterr().out == "new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.txt"]
    assert path.read_text() == "old"


def test_a_dash_is_the_terminal(type_: Type, small: tuple[str, ...]) -> None:
    assert type_(*small, "--output", "-").out == type_(*small).out


def test_a_device_is_written_as_it_is(type_: Type, small: tuple[str, ...]) -> None:
    ended = type_(*small, "--output", "/dev/null")
    assert (ended.status, ended.out, ended.err) == (0, "", "")


def test_a_pipe_is_written_to_as_soon_as_somebody_reads_from_it(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write(str(pipe), "answer")
    reader.join()
    assert got == ["answer"]


def test_a_pipe_that_nobody_reads_from_is_not_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setattr("profiles.text.files.READER", 0.0)
    with pytest.raises(ProblemError, match="it is a pipe that nobody reads from; the answer stands on stdout"):
        write(str(pipe), "answer")
    assert capsys.readouterr().out == "answer"


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="needs the names of open files")
@pytest.mark.parametrize("name", ["/dev/stdout", "answers.txt", "/dev/fd/1"])
def test_the_file_that_stdout_goes_to_keeps_what_it_held(name: str, tmp_path: Path) -> None:
    with (tmp_path / "answers.txt").open("a") as answers:
        answers.write("first\n")
        answers.flush()
        script = f"from app.cli.output import check_writable, write; check_writable([('--output', {name!r})]); "
        subprocess.run(
            [sys.executable, "-c", f"{script}write({name!r}, 'second')"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=answers,
            check=True,
        )
    assert (tmp_path / "answers.txt").read_text() == "first\nsecond"


def test_a_folder_that_may_be_written_into_and_not_be_listed_takes_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: object) -> list[str]:
        raise PermissionError

    monkeypatch.setattr("profiles.text.files.os.listdir", refuse)
    write(f"{tmp_path}/a.txt", "new")
    assert (tmp_path / "a.txt").read_text() == "new"


def test_a_link_that_leads_into_no_folder_is_told_with_the_folder(tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to(tmp_path / "no" / "a.txt")
    assert complaint(("--output", str(link))) == [
        f"--output: cannot write '{link}': '{tmp_path}/no' does not exist; name another file"
    ]


@pytest.mark.parametrize(
    "words",
    [
        ("{profile}", "--output", "{profile}"),
        ("lint", "hdfs-sort", "{folder}/./mine.toml", "--output", "{profile}"),
        ("sweep", "--profile", "{profile}", "--vary", "seed=1,2", "--store", "{csv}", "--output", "{csv}"),
        ("lint", "hdfs-sort", "--set", "cluster.groups.workers.server={profile}", "--output", "{profile}"),
        ("track", "hdfs-sort", "{csv}", "--report", "{csv}"),
    ],
)
def test_no_answer_is_written_over_what_the_command_reads(words: tuple[str, ...], type_: Type, tmp_path: Path) -> None:
    named = {"folder": str(tmp_path), "profile": f"{tmp_path}/mine.toml", "csv": f"{tmp_path}/points.csv"}
    for name in ("profile", "csv"):
        Path(named[name]).write_text("kept")
    ended = type_(*(word.format(**named) for word in words))
    last = words[-1].format(**named)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == f"{words[-2]}: cannot write '{last}': the command reads it; name another file\n"
    assert Path(last).read_text() == "kept"


@pytest.mark.parametrize("named", ["base.toml", "base", "./parts/../base.toml"])
def test_no_answer_is_written_over_what_a_profile_names_or_what_that_names(
    named: str, type_: Type, tmp_path: Path
) -> None:
    (tmp_path / "mine.toml").write_text('extends = "middle.toml"\n')
    (tmp_path / "middle.toml").write_text(f'extends = "{named}"\nprofile.title = "odd \\u0000 text"\n')
    (tmp_path / "base.toml").write_text("kept")
    ended = type_(f"{tmp_path}/mine.toml", "--output", f"{tmp_path}/base.toml")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.endswith("/base.toml': the command reads it; name another file\n")
    assert (tmp_path / "base.toml").read_text() == "kept"


def test_what_ships_under_the_name_of_a_file_is_no_such_file(
    type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert type_("lint", "hdfs-sort", "--output", "hdfs-sort").status == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
def test_every_file_that_cannot_be_written_in_the_end_is_told_and_keeps_no_other(
    type_: Type, small: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("profiles.text.files.READER", 0.0)
    full, kept, pipe = tmp_path / "full.md", tmp_path / "kept.json", tmp_path / "pipe"
    full.symlink_to("/dev/full")
    os.mkfifo(pipe)
    ended = type_(*small, "--report", str(full), "--report", str(kept), "--output", str(pipe))
    assert ended.status == 2
    assert ended.err.splitlines() == [
        f"--output: cannot write '{pipe}': it is a pipe that nobody reads from; the answer stands on stdout",
        f"--report: cannot write '{full}': no space left on device",
    ]
    assert ended.out
    assert kept.read_text()
