"""What disks do, by injection: each call that a write makes fails in turn, with each error that a disk has."""

from __future__ import annotations

import builtins
import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from profiles.text.files import write_whole

CODES = (errno.ENOSPC, errno.EIO, errno.EROFS, errno.EACCES, errno.EDQUOT)


class Full:
    """A file whose writing fails."""

    def __init__(self, file: Any, code: int) -> None:
        self._file, self._code = file, code

    def __enter__(self) -> Full:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, _: object) -> int:
        raise OSError(self._code, os.strerror(self._code))


def failing(code: int) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> Any:
        raise OSError(code, os.strerror(code))

    return fail


@pytest.fixture(params=["open", "write", "fsync", "chmod", "replace"])
def broken(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Give what lets one of the calls fail with an error from now on."""
    true = Path.open

    def let(code: int) -> None:
        if request.param == "open":
            monkeypatch.setattr(Path, "open", failing(code))
        elif request.param == "write":
            monkeypatch.setattr(Path, "open", lambda *args, **named: Full(true(*args, **named), code))
        elif request.param == "fsync":
            monkeypatch.setattr(os, "fsync", failing(code))
        else:
            monkeypatch.setattr(os, request.param, failing(code))

    return let


@pytest.mark.parametrize("code", CODES, ids=errno.errorcode.get)
def test_a_disk_that_fails_leaves_what_was_there_and_nothing_beside_it(
    tmp_path: Path, broken: Callable[[int], None], code: int
) -> None:
    path = tmp_path / "kept"
    write_whole(path, "before")
    broken(code)
    with pytest.raises(OSError, match=os.strerror(code)):
        write_whole(path, "after")
    with builtins.open(path, encoding="utf-8") as file:
        assert file.read() == "before"
    assert os.listdir(tmp_path) == ["kept"]
