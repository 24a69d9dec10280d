"""Files that are written whole: what is beside them while they are written, and after a program was killed."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from profiles.text.files import NO_TEXT, OLD, why_not, write_whole


def test_parts_that_killed_programs_left_are_taken_away_and_those_under_way_stay(tmp_path: Path) -> None:
    old, young, other = tmp_path / ".a.txt.4711.part", tmp_path / ".a.txt.new.part", tmp_path / ".b.txt.1.part"
    for part in (old, young, other):
        part.write_text("half")
    for part in (old, other):
        os.utime(part, (0, time.time() - OLD - 1))
    write_whole(tmp_path / "a.txt", "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == [young.name, other.name, "a.txt"]


def test_two_that_write_at_once_with_one_process_number_do_not_meet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def writing_too(_: int) -> None:
        monkeypatch.undo()
        write_whole(tmp_path / "a.txt", "second")

    monkeypatch.setattr(os, "fsync", writing_too)
    write_whole(tmp_path / "a.txt", "first")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.txt", "first")]


def test_the_longest_name_that_a_system_allows_is_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    write_whole(path, "whole")
    assert path.read_text() == "whole"


UNREAD: dict[str, tuple[Exception, str]] = {
    "what the system says begins small": (OSError(errno.EACCES, "Permission denied", "/X"), "permission denied"),
    "what we say stays": (OSError(errno.EFBIG, "larger than 9 MiB; unpack it"), "larger than 9 MiB; unpack it"),
    "names keep their letters": (OSError("Bad CRC-32 for file 'LOG.Gz'"), "bad CRC-32 for file 'LOG.Gz'"),
    "a name of all capitals stays": (OSError(errno.EINVAL, "RPC struct is bad"), "RPC struct is bad"),
    "bytes are no text": (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), NO_TEXT),
    "what libraries raise": (EOFError("Compressed file ended"), "compressed file ended"),
}


@pytest.mark.parametrize(("error", "words"), UNREAD.values(), ids=UNREAD)
def test_why_a_file_cannot_be_read_is_said_in_one_way(error: Exception, words: str) -> None:
    assert why_not(error) == words
