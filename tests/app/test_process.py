"""The command as its own process: what it imports, what Ctrl+C does, and that equal runs give equal bytes."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
HEAVY = {"numpy", "simpy", "numba", "scipy", "pydantic", "rich", "tomlkit"}
LONG = ("--profile", "hdfs-terasort", "--replications", "1000")


def simulate(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "app", *words]
    return subprocess.run(command, cwd=ROOT, env=os.environ | environment, capture_output=True, check=False)


def imported_by(*words: str) -> set[str]:
    """Return the libraries that a command has imported when it ends."""
    script = f"""
import sys
from app.cli.main import execute
status = execute({words!r})
print(*sorted({{name.partition(".")[0] for name in sys.modules}}))
sys.exit(status)
"""
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    return set(ended.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("words", [(), ("--format", "csv")])
def test_a_run_without_prices_and_interval_imports_neither_bills_nor_plans_of_other_workloads_and_a_document_for_text(
    words: tuple[str, ...],
) -> None:
    script = f"""
import sys
from app.cli.main import execute
assert execute(("hdfs-terasort", "--set", "workload.input=1 GB", "--interval", "none", *{words!r})) == 0
print(*sys.modules)
"""
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    unused = {"models.planning.cost", "simulator.together.run", "simulator.requests.run", "tomlkit"}
    unused |= {"app.reports.document"} if words else set()
    unused |= {"models.jobs.lakehouse_plan", "models.jobs.object_load_plan", "models.requests"}
    assert not unused & set(ended.stdout.splitlines()[-1].split())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts threads as Linux tells them")
def test_numpy_starts_no_threads_in_a_run() -> None:
    script = """
import os, sys
from app.cli.main import main
sys.argv = ["simulate", "hdfs-terasort", "--set", "workload.input=1 GB"]
try:
    main()
except SystemExit:
    print("threads", len(os.listdir("/proc/self/task")))
"""
    others = {name: value for name, value in os.environ.items() if not name.startswith("OPENBLAS")}
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, check=True, env=others)
    assert ended.stdout.endswith(b"threads 1\n")


@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("--version",),
        ("check", "--help"),
        ("validate", "--help"),
        ("--profil", "x"),
        ("profiles", "--help"),
    ],
    ids=" ".join,
)
def test_help_and_mistakes_import_click_alone(words: tuple[str, ...]) -> None:
    imported = imported_by(*words)
    assert "click" in imported
    assert imported & HEAVY == set()


@pytest.mark.parametrize(
    "words", [("profiles",), ("profiles", "hdfs-sort"), ("check", "hdfs-sort"), ("reference",)], ids=" ".join
)
def test_what_runs_nothing_imports_no_engine(words: tuple[str, ...]) -> None:
    assert imported_by(*words) & {"simpy", "numba", "scipy", "rich"} == set()


def test_a_run_that_nobody_watches_imports_neither_a_terminal_library_nor_a_compiler() -> None:
    imported = imported_by("--profile", "hdfs-terasort", "--set", "workload.input=10 GB")
    assert imported & {"rich", "numba", "llvmlite"} == set()


@pytest.mark.parametrize("form", ["json", "text", "csv"])
def test_equal_runs_give_equal_bytes_whatever_the_hash_seed(form: str, small: tuple[str, ...]) -> None:
    words = (*small, "--format", form)
    first, second = (simulate(*words, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert (first.returncode, first.stderr) == (0, b"")
    assert first.stdout == second.stdout


def test_a_reader_that_leaves_early_gets_no_traceback() -> None:
    command = f"{sys.executable} -m app profiles hdfs-sort | head -n 1"
    ended = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.stdout.startswith("hdfs-sort: ")
    assert ended.stderr == ""


LATER = 0.3
"""Seconds between a sign of progress and the signal, in which the command takes the answer in that it has counted."""


def interrupted(*words: str, by: signal.Signals = signal.SIGINT, after: str = "ing") -> tuple[int, str, str]:
    """Signal a command once it shows a word of its progress on a terminal; return its status, stdout and the rest.

    Ctrl+C goes to all of its processes, any other signal to the first.

    Both ends are read to their end, so no process that has them is left.
    """
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "app", *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=end, start_new_session=True
    )
    os.close(end)
    before = read_until(terminal, after)  # Simulating, Fitting
    time.sleep(LATER)
    with ThreadPoolExecutor() as beside:  # a terminal that nobody reads fills up and stops who writes
        shown = beside.submit(read_until, terminal, None)
        (os.killpg if by is signal.SIGINT else os.kill)(process.pid, by)
        out, _ = process.communicate()
        rest = shown.result()
    os.close(terminal)
    assert after in before
    return process.returncode, out.decode(), rest


def read_until(terminal: int, word: str | None) -> str:
    """Return what a terminal shows up to a word, or up to its end."""
    text = ""
    while word is None or word not in text:
        try:
            data = os.read(terminal, 4096)
        except OSError:  # how Linux tells that nobody writes any more
            break
        if not data:
            break
        text += data.decode(errors="replace")
    return text


@pytest.mark.parametrize(
    "words",
    [
        LONG,
        ("demo", "--workers", "1"),
        ("validate", "--workers", "2"),
        ("fit", "--family", "mapreduce", "--workers", "2"),
    ],
    ids=" ".join,
)
def test_ctrl_c_ends_a_run_with_one_line_and_status_130(words: tuple[str, ...]) -> None:
    status, out, shown = interrupted(*words)
    assert (status, out) == (130, "")
    assert shown.rstrip().endswith("Cancelled.")
    assert "Traceback" not in shown


def test_the_workers_of_a_killed_run_end_too() -> None:
    status, out, _ = interrupted("validate", "--workers", "2", by=signal.SIGKILL)
    assert (status, out) == (-signal.SIGKILL, "")


@pytest.mark.parametrize(("by", "workers"), [(signal.SIGTERM, "2"), (signal.SIGINT, "1")])
def test_a_sizing_that_is_stopped_prints_the_best_so_far(by: signal.Signals, workers: str) -> None:
    """The first option is done at once; those behind it sort 40,000 times as much."""
    key = "workload.input"
    words = ("size", "--profile", "hdfs-terasort", "--vary", f"{key}=1 GB,40 TB,45 TB", "--target", "servers <= 12")
    status, out, _ = interrupted(*words, "--workers", workers, by=by, after="33%")
    assert status == 130
    assert "Best so far   input 1 GB" in out
    assert "3 options, 1 simulated, 0 decided without a run, 2 not decided: the search was stopped." in out


EARLY = """
import sys
class Finder:
    def find_spec(self, name, path, target=None):
        if name == "app.cli.main":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Finder())
from app.__main__ import main
main()
"""


def test_ctrl_c_while_the_program_is_still_imported_is_told_in_a_word() -> None:
    ended = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, check=False, cwd=ROOT)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, b"", b"Cancelled.\n")
