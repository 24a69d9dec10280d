"""The process behind the Python interface: nothing of ours in the user's, and nothing of the user's in ours."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import headroom
from headroom import process
from tests.narrow import some

ROOT = Path(__file__).parent.parent.parent
COUNT = "cluster.groups.workers.count"
LIGHT = """
import sys
before = set(sys.modules)
import headroom
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before}))
"""
HEAVY = {"numpy", "pydantic", "pandas", "numba", "app", "models", "simulator", "profiles", "asyncio", "multiprocessing"}
STUDY = f"""
import headroom
sweep = headroom.load("hdfs-terasort", {{"workload.input": "1 GB"}}).sweep(
    {{"{COUNT}": [4, 6]}}, workers=2, store="points.sqlite"
)
print("swept", [point.duration > 0 for point in sweep.points])
"""
NAMESAKES = """
import models, simulator, profiles, app.planning
assert (models.WHOSE, simulator.WHOSE, profiles.WHOSE, app.planning.WHOSE) == ("mine",) * 4
print("mine")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a user's folder in which every name of ours is taken, and each shows who imports it."""
    (tmp_path / "app").mkdir()
    for name in ("models.py", "simulator.py", "profiles.py", "app/__init__.py", "app/planning.py"):
        (tmp_path / name).write_text("WHOSE = 'mine'\nimport sys\nprint('imported', __name__)\n")
    return tmp_path


def python(folder: Path, *words: str, **environment: str) -> str:
    """Run Python in a folder with the repository on its path, as an editable installation has it; return its output."""
    ended = subprocess.run(
        [sys.executable, *words], cwd=folder, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_import_brings_nothing_heavy_and_nothing_of_ours(tmp_path: Path) -> None:
    assert set(python(tmp_path, "-c", LIGHT).split()) & HEAVY == set()


ORDERS = {"before": NAMESAKES + STUDY, "after": STUDY + NAMESAKES}
IMPORTED = [f"imported {name}" for name in ("models", "simulator", "profiles", "app", "app.planning")]


@pytest.mark.parametrize(
    ("way", "order"),
    [
        ("script", "before"),
        pytest.param("command", "before", marks=pytest.mark.slow),
        ("exec", "after"),
        pytest.param("path", "before", marks=pytest.mark.slow),
    ],
)
def test_files_called_like_packages_of_ours_stay_the_users(folder: Path, way: str, order: str) -> None:
    (folder / "study.py").write_text(ORDERS[order])  # without a guard: workers must not run it again
    words = {
        "script": ["study.py"],
        "command": ["-c", ORDERS[order]],
        "exec": ["-c", "exec(open('study.py').read(), {'__name__': '__main__'})"],
        "path": ["-P", "study.py"],
    }[way]
    printed = python(folder, *words, **({"PYTHONPATH": str(folder)} if way == "path" else {})).splitlines()
    mine, swept = [*IMPORTED, "mine"], ["swept [True, True]"]
    assert printed == (mine + swept if order == "before" else swept + mine)


def test_a_process_that_has_died_is_replaced(tmp_path: Path) -> None:
    headroom.profiles()
    ours = some(process._mine()._running)
    ours.kill()
    ours.wait()
    assert headroom.profiles().profiles


def endless(profile: headroom.Profile) -> None:
    while True:
        profile.run(replications=50)


def test_an_interrupt_ends_the_work_and_the_next_question_is_answered() -> None:
    profile = headroom.load("hdfs-terasort")
    ours = some(process._mine()._running)
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        endless(profile)
    assert ours.poll() is not None
    assert profile.run(seed=1).duration > 0


def test_a_process_that_ends_while_it_answers_is_told() -> None:
    profile = headroom.load("hdfs-terasort")
    ours = some(process._mine()._running)
    threading.Timer(0.3, ours.kill).start()
    with pytest.raises(headroom.HeadroomError, match="the process that answers has ended with status -9"):
        endless(profile)


def test_threads_share_a_process() -> None:
    answers = []
    profile = headroom.load("hdfs-terasort", {"workload.input": "1 GB"})
    threads = [threading.Thread(target=lambda: answers.append(profile.run().to_json())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert len(set(answers)) == 1


FORK = """
import os, headroom
profile = headroom.load("hdfs-terasort", {"workload.input": "1 GB"})
before = profile.run().duration
child = os.fork()
after = profile.run().duration
if not child:
    os._exit(0 if after == before else 1)
assert os.waitpid(child, 0)[1] == 0
assert profile.run().duration == before
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks")
def test_a_fork_has_a_process_of_its_own(tmp_path: Path) -> None:
    python(tmp_path, "-W", "ignore", "-c", FORK)


def test_paths_begin_where_the_profile_was_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.toml").write_text('extends = "hdfs-terasort"\n[profile]\ntitle = "Mine"\n')
    monkeypatch.chdir(tmp_path)
    mine = headroom.load(Path("mine.toml"), {"workload.input": "1 GB"})
    monkeypatch.chdir("/")
    assert mine.run().duration > 0
    assert mine.run().data["profile"] == "mine.toml"
