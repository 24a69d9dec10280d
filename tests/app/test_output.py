"""Files that are written: checked first, complete or not at all."""

from __future__ import annotations

import os
import resource
import stat
from pathlib import Path

import pytest

from app.cli.output import check_writable, made_folder, write
from models.problem import ProblemError
from tests.app.conftest import Type


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
        f"--output: cannot write '{missing}': '{tmp_path}/no' does not exist",
        f"--report: cannot write '{below_file}': '{tmp_path}/file' is not a directory",
    ]


def test_a_directory_is_refused(tmp_path: Path) -> None:
    assert complaint(("--output", str(tmp_path))) == [f"--output: cannot write '{tmp_path}': it is a directory"]


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
        f"--output: cannot write '{tmp_path}/a.json': permission denied"
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
