"""What the drive of a packaged program counts as wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli.main import COMMANDS as KNOWN
from package.drive import COMMANDS, Ended, differences, kernels, listing


def ended(status: int = 0, out: bytes = b"1008.4 s", files: dict[str, bytes] | None = None) -> Ended:
    return Ended(status, out, b"", files or {}, 1.0)


@pytest.mark.parametrize(
    ("packed", "source", "expected"),
    [
        (ended(), ended(), []),
        (ended(status=70), ended(), ["status"]),
        (ended(out=b"1008.5 s"), ended(), ["out"]),
        (ended(files={"run.pdf": b"a"}), ended(files={"run.pdf": b"b"}), ["run.pdf"]),
        (ended(), ended(files={"run.pdf": b"b"}), ["run.pdf"]),
    ],
)
def test_runs_differ_in_status_output_and_files(packed: Ended, source: Ended, expected: list[str]) -> None:
    assert differences(packed, source) == expected


def test_a_folder_that_a_program_writes_into_is_not_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "simulate").write_text("before")
    before = listing(tmp_path)
    assert listing(tmp_path) == before
    folder = tmp_path / "simulator" / "kernels" / "made-for-this"
    folder.mkdir(parents=True)
    (folder / "digest.so").touch()
    assert listing(tmp_path) != before
    assert kernels(tmp_path) == {"digest.so"}


def test_every_command_that_is_driven_exists() -> None:
    assert {words[0] for words in COMMANDS if not words[0].startswith("--")} <= KNOWN.keys()
