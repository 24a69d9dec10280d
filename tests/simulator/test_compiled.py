"""Where compiled kernels are kept: found again wherever the program lies, and copied to where a user may write."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core.dispatcher import Dispatcher

from simulator.compiled import HERE, KERNELS, called, take_over

ASK = """
import json, sys
sys.frozen = {frozen}
from simulator.compiled import cache_folder
from simulator.probe import double
double(21.0)
print(json.dumps([str(cache_folder()), sum(double.stats.cache_hits.values()), sum(double.stats.cache_misses.values())]))
"""
PROBE = """
from simulator.compiled import called

@called
def double(x):
    return 2.0 * x
"""


def lay_out(folder: Path) -> Path:
    """Write what compiles, and a kernel that is compiled at once, as a program in a folder."""
    program = folder / "simulator"
    program.mkdir(parents=True)
    for name in (*KERNELS, "interrupts"):
        shutil.copy(HERE / f"{name}.py", program)
    (program / "__init__.py").touch()
    (program / "probe.py").write_text(PROBE, encoding="utf-8")
    return folder


def asked(program: Path, home: Path, *, frozen: bool, by: str = "python") -> tuple[Path, int, int]:
    """Return the folder of the kernels, and how many were found in it and how many were not, as the program says."""
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.executable = {by!r}\n" + ASK.format(frozen=frozen)],
        cwd=program,
        env=os.environ | {"XDG_CACHE_HOME": str(home), "LOCALAPPDATA": str(home), "HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    folder, found, compiled = json.loads(ended.stdout)
    return Path(folder), found, compiled


def test_kernels_of_a_checkout_lie_beside_their_source(tmp_path: Path) -> None:
    program = lay_out(tmp_path / "checkout")
    folder, found, compiled = asked(program, tmp_path / "home", frozen=False)
    assert folder.parent == program / "simulator" / "__pycache__"
    assert (found, compiled) == (0, 1)


def test_a_packaged_program_keeps_kernels_with_the_user_and_finds_them_after_it_was_moved(tmp_path: Path) -> None:
    home = tmp_path / "home"
    first = lay_out(tmp_path / "first")
    folder, found, compiled = asked(first, home, frozen=True, by=str(first / "simulate"))
    assert folder.is_relative_to(home)
    assert (found, compiled) == (0, 1)
    assert list(first.rglob("kernels-*")) == []

    moved = first.rename(tmp_path / "moved")
    assert asked(moved, home, frozen=True, by=str(moved / "headroom")) == (folder, 1, 0)


def test_a_packaged_program_takes_over_the_kernels_that_it_brings(tmp_path: Path) -> None:
    program = lay_out(tmp_path / "program")
    packed, *_ = asked(program, tmp_path / "builder", frozen=False)
    kept, found, compiled = asked(program, tmp_path / "user", frozen=True)
    assert kept.is_relative_to(tmp_path / "user")
    assert (found, compiled) == (1, 0)
    assert sorted(path.name for path in kept.iterdir()) == sorted(path.name for path in packed.iterdir())


def test_kernels_that_are_there_are_not_taken_over_again(tmp_path: Path) -> None:
    packed, kept = tmp_path / "packed", tmp_path / "home" / "kept"
    packed.mkdir()
    (packed / "kernel").write_text("packed")
    take_over(packed, kept)
    (kept / "kernel").write_text("renewed")
    take_over(packed, kept)
    assert [path.name for path in kept.parent.iterdir()] == ["kept"]
    assert (kept / "kernel").read_text() == "renewed"


def test_a_program_without_kernels_gets_an_empty_folder(tmp_path: Path) -> None:
    take_over(tmp_path / "packed", tmp_path / "kept")
    assert list((tmp_path / "kept").iterdir()) == []


def test_a_home_that_is_a_file_cannot_keep_kernels(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    with pytest.raises(OSError, match="home"):
        take_over(tmp_path / "packed", tmp_path / "home" / "kept")


def test_where_nothing_can_be_kept_a_packaged_program_still_runs(tmp_path: Path) -> None:
    program = lay_out(tmp_path / "program")
    (tmp_path / "home").touch()
    folder, found, compiled = asked(program, tmp_path / "home", frozen=True)
    assert (found, compiled) == (0, 1)
    assert not folder.exists(), "what is of no more use is removed"


@pytest.mark.parametrize("damage", [b"", b"no pickle", None], ids=["emptied", "overwritten", "a wrong byte"])
def test_kernels_that_are_damaged_are_compiled_anew(tmp_path: Path, damage: bytes | None) -> None:
    program = lay_out(tmp_path / "program")
    folder, *_ = asked(program, tmp_path / "home", frozen=False)
    for path in folder.iterdir():
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data if damage is None else damage)
    assert asked(program, tmp_path / "home", frozen=False)[1:] == (0, 1)
    assert asked(program, tmp_path / "home", frozen=False)[1:] == (1, 0)


def test_ctrl_c_waits_until_a_kernel_has_been_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def function(x: float) -> float:
        return 2.0 * x

    def interrupted(self: Dispatcher, signature: object) -> None:
        signal.raise_signal(signal.SIGINT)
        made.append("compiled")

    monkeypatch.setattr(Dispatcher, "compile", interrupted)
    kernel = called(function)
    with pytest.raises(KeyboardInterrupt):
        kernel(21.0)
    assert made == ["compiled"]
