"""The library of compiled kernels: found, refused where it is damaged, and called with what it was compiled for."""

from __future__ import annotations

import ast
import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import llvmlite.binding as llvm
import numpy as np
import pytest

from models.work import Resources
from simulator import building, library
from simulator.compiled import entry
from simulator.engine import Engine
from simulator.fluid.kernel import close
from simulator.fluid.state import Tables
from simulator.library import HERE, KERNELS, LINKED, LOCK, OBJECT, PART, address_of, beside, keep, load, make
from simulator.llvm import machine

ASK = """
import sys
sys.frozen = {frozen}
from simulator.library import address_of
address_of("go")
"""


@pytest.fixture
def kept() -> Path:
    """Return the file of the library that this process uses."""
    address_of("go")
    (path,) = beside().glob(f"*.{LINKED}")
    return path


def test_kernels_lie_beside_their_source_in_a_folder_of_their_text_and_machine(kept: Path) -> None:
    assert kept.parent.parent == HERE / "kernels"
    assert kept.parent.name.endswith(f"-{sys.platform}-{os.uname().machine}")


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("requests", "OLDEST = "),
        ("distributions", "BODY, TAIL = "),
        ("distributions", "BODY_BITS, TAIL_BITS = "),
    ],
)
def test_another_constant_that_kernels_take_from_elsewhere_names_another_library(
    module: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("models", "simulator"):
        shutil.copytree(HERE.parent / folder, tmp_path / folder, ignore=shutil.ignore_patterns("kernels", "*.pyc"))
    monkeypatch.setattr(library, "HERE", tmp_path / "simulator")
    named = library.name.__wrapped__
    assert named() == library.name()
    path = tmp_path / "models" / f"{module}.py"
    text = path.read_text(encoding="utf-8")
    assert text.count(f"\n{line}") == 1
    path.write_text(text.replace(f"\n{line}", f"\n{line}2 * "), encoding="utf-8")
    assert named() != library.name()


def test_all_that_modules_of_kernels_import_names_the_library() -> None:
    texts = library.sources()
    for module in texts.keys() - library.MAKERS:
        for node in ast.parse(texts[module]).body:
            assert not (isinstance(node, ast.ImportFrom) and node.level), f"{module} imports from beside it"
            for name in _imported(node):
                is_ours = name.partition(".")[0] in {"models", "profiles", "simulator"}
                assert not is_ours or name in texts, f"{name}, which {module} imports"


def _imported(node: ast.stmt) -> list[str]:
    """Return the modules that a statement, and those within it, import where it is run, by their whole names."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return []
    names = [part.name for inner in ast.walk(node) if isinstance(inner, ast.Import) for part in inner.names]
    for inner in ast.walk(node):
        if isinstance(inner, ast.ImportFrom) and inner.module:
            below = [f"{inner.module}.{part.name}" for part in inner.names]
            names += [inner.module, *(name for name in below if _is_module(name))]
    return names


def _is_module(name: str) -> bool:
    path = HERE.parent.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


@pytest.mark.parametrize("damage", ["emptied", "cut off", "a wrong byte", "overwritten"])
def test_a_library_that_is_damaged_counts_as_not_there(damage: str, kept: Path, tmp_path: Path) -> None:
    data = bytearray(kept.read_bytes())
    shutil.copy(kept, tmp_path)
    assert load(tmp_path) is not None
    data[len(data) // 2] ^= 1
    damaged: dict[str, bytes | bytearray] = {
        "emptied": b"",
        "cut off": kept.read_bytes()[:-9],
        "a wrong byte": data,
        "overwritten": b"no library",
    }
    (tmp_path / kept.name).unlink()  # written anew: this process has mapped the other one
    (tmp_path / kept.name).write_bytes(damaged[damage])
    assert load(tmp_path) is None


def test_a_library_for_another_system_counts_as_not_there(tmp_path: Path) -> None:
    keep(b"MZ, for another system", tmp_path, LINKED)
    assert load(tmp_path) is None


def test_what_is_kept_may_be_read_by_all_users(tmp_path: Path) -> None:
    assert keep(b"kernels", tmp_path, LINKED).stat().st_mode & 0o444 == 0o444
    assert [path.suffix for path in tmp_path.iterdir()] == [".so"]


def test_kernels_are_kept_nowhere_where_a_file_stands(tmp_path: Path) -> None:
    (tmp_path / "home").touch()
    with pytest.raises(OSError, match="home"):
        make(tmp_path / "home" / "kernels")


def test_where_no_linker_is_llvm_loads_the_kernels(tmp_path: Path) -> None:
    made_for = machine()
    code = llvm.parse_assembly("define i64 @answer() { ret i64 42 }")
    keep(made_for.emit_object(code), tmp_path, OBJECT)
    find = load(tmp_path)
    assert find is not None
    assert find("answer") > 0


def test_a_packaged_program_that_lost_its_kernels_says_so(tmp_path: Path) -> None:
    for folder in ("models", "simulator"):
        shutil.copytree(HERE.parent / folder, tmp_path / folder, ignore=shutil.ignore_patterns("kernels", "*.pyc"))
    home = {name: str(tmp_path / "home") for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME")}
    ended = subprocess.run(
        [sys.executable, "-c", ASK.format(frozen=True)],
        cwd=tmp_path,
        env=os.environ | home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stderr.endswith("install the program again\n")


def test_ctrl_c_while_kernels_are_compiled_leaves_nothing_behind(tmp_path: Path) -> None:
    script = "import sys; from pathlib import Path; from simulator.library import make; make(Path(sys.argv[1]))"
    started = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], cwd=HERE.parent, stderr=subprocess.PIPE, start_new_session=True
    )
    while not (tmp_path / LOCK).exists():
        time.sleep(0.05)
    time.sleep(0.5)  # by now it compiles
    os.killpg(started.pid, signal.SIGINT)
    _, errors = started.communicate(timeout=60)
    assert b"KeyboardInterrupt" in errors
    assert [path.name for path in tmp_path.iterdir()] == [LOCK]


def test_of_processes_that_find_no_kernels_one_compiles_and_the_others_wait(
    kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / f"{PART}left").write_bytes(b"by a process that was killed")
    compile_once = f"""
import shutil, sys, time
time.sleep(0.3)
shutil.copy({str(kept)!r}, sys.argv[2])
with open({str(tmp_path / "compiled")!r}, "a") as file:
    file.write("once ")
"""
    monkeypatch.setattr(library, "BUILD", compile_once)
    texts: list[str] = []
    monkeypatch.setattr(library, "_say", texts.append)
    others = [Thread(target=make, args=(tmp_path,)) for _ in range(3)]
    for other in others:
        other.start()
    for other in others:
        other.join()
    assert (tmp_path / "compiled").read_text() == "once "
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted((LOCK, kept.name, "compiled"))
    assert len([text for text in texts if "Another process compiles the kernels: waiting" in text]) == 2


def test_a_process_that_compiles_and_is_killed_leaves_the_lock_to_others(kept: Path, tmp_path: Path) -> None:
    script = """
import sys, time
from pathlib import Path
from simulator.library import _alone
with _alone(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""
    holder = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], cwd=HERE.parent, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    shutil.copy(kept, tmp_path)
    holder.kill()
    make(tmp_path)  # which would wait for five minutes
    holder.communicate()


def test_one_that_holds_the_lock_for_ever_is_waited_for_no_longer_than_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "PATIENCE", 0.0)
    with library._alone(tmp_path), pytest.raises(OSError, match="another process has compiled kernels into"):
        make(tmp_path)


@pytest.mark.parametrize("script", ["raise SystemExit(3)", "import os; os.kill(os.getpid(), 9)"])
def test_a_compilation_that_fails_or_is_killed_is_tried_elsewhere(
    script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "BUILD", script)
    monkeypatch.setattr(library, "_folders", lambda: [tmp_path / "first", tmp_path / "second"])
    with pytest.raises(RuntimeError, match=r"cannot be compiled \(.* ended with status .*NUMBA_DISABLE_JIT=1"):
        library._library.__wrapped__()
    assert [len([*folder.iterdir()]) for folder in sorted(tmp_path.iterdir())] == [1, 1]


def test_kernels_that_find_no_room_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        keep(b"kernels", tmp_path, LINKED)
    assert list(tmp_path.iterdir()) == []


def tables_of_two_drives() -> Tables:
    resources = Resources()
    for name in ("first", "second"):
        resources.add(name, kind="drive", group="drives", unit="B", capacity=1.0)
    return Engine(resources).activities.tables


def test_a_kernel_refuses_tables_that_it_was_not_compiled_for() -> None:
    tables = tables_of_two_drives()
    close(tables, 0.0)
    with pytest.raises(TypeError, match="close was compiled for other tables"):
        close(tables._replace(places=np.zeros(8)), 0.0)
    with pytest.raises(TypeError, match="close was compiled for other tables"):
        close(tables._replace(bins=tables.bins.T), 0.0)


def test_an_entry_follows_tables_that_grow() -> None:
    tables = tables_of_two_drives()
    ended = entry(close)
    for width in (1.0, 2.0):
        tables = tables._replace(state=tables.state.copy())
        tables.state["width"] = width
        ended(tables, width * tables.bins.shape[0])
        assert tables.state["width"] == 2 * width, "the bins of these tables were merged"


@pytest.mark.slow
def test_kernels_are_compiled_with_a_linker_and_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "linked")
    assert [path.suffix for path in (tmp_path / "linked").glob("*.*o")] == [".so"]
    monkeypatch.setenv("PATH", str(tmp_path))
    make(tmp_path / "object")
    assert [path.suffix for path in (tmp_path / "object").glob("*.*o")] == [".o"]
    find = load(tmp_path / "object")
    assert find is not None
    assert all(find(name) for name in ("go", "close", "withdraw", "advance", "reserve", "go_layout"))
    assert building.OPTIONS["error_model"] == "numpy"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_kernel_reaches_beyond_its_tables() -> None:
    """Uncompiled, an index that lies outside raises; compiled, it would read or write anywhere."""
    tests = [f"tests/simulator/{name}.py" for name in ("test_engine", "jobs/test_speculation", "test_failures")]
    endless = "test_a_sequence_that_comes_again_within_others_is_written_once_for_all[100]"  # ten million steps
    command = [sys.executable, "-m", "pytest", "-q", *tests, "--deselect", f"{tests[0]}::{endless}"]
    plain = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    ended = subprocess.run(command, cwd=HERE.parent, env=plain, check=False)
    assert ended.returncode == 0


def test_every_module_with_kernels_is_compiled() -> None:
    """One that is left out would run as plain Python, and a change of it would leave the kept library as it was."""
    marks = re.compile(r"^@(compiled|inlined|spliced|called)$", re.MULTILINE)
    modules = (path for path in HERE.rglob("*.py") if marks.search(path.read_text(encoding="utf-8")))
    assert {".".join(path.relative_to(HERE).with_suffix("").parts) for path in modules} <= {*KERNELS}
