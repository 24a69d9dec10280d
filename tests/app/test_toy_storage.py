"""A storage system as docs/extending.md adds it: its folder alone, and every command and the window know it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
PROFILE = """
[profile]
title = "TeraSort on a system of our own"

[cluster.groups.workers]
server = "hdd-25gbe"
count = 4
[cluster.groups.storage]
server = "hdd-25gbe"
count = 6

[storage]
system = "copies"
servers = "storage"

[workload]
"""
SORT = PROFILE + 'use = "terasort"\nframework = "yarn-h1"\ninput = "8 GB"\n'
LOAD = PROFILE + (
    'kind = "requests"\nclients = "workers"\nthreads = 8\ncount = 2000\ndata = "1 TB"\n'
    '[workload.mix.get]\naction = "get"\nsize = "1 MB"\n'
)
FAULT = 'failures.faults=[{at = "5 s", component = "storage-2"}]'
FAILURES = 'failures = "hdd"\n'
ASK = """
import contextlib, io, json, sys
import models.storage
models.storage.__path__.append(sys.argv[1])
from app.cli.main import execute
answers = {}
for name, words in json.loads(sys.argv[2]).items():
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = execute(words)
    answers[name] = [status, out.getvalue(), err.getvalue()]
from pathlib import Path
from app.gui.application import create
from app.gui.shell.window import MainWindow
from app.gui.session.session import Session
from app.gui.session.settings import Settings
from app.gui.jobs.worker import Worker
settings = Settings(Path(sys.argv[1]) / "window.ini")
qt = create(settings)
session = Session(Worker())
window = MainWindow(session, settings)
session.open(sys.argv[3])
window.show_page("Cluster")
qt.processEvents()
answers["window"] = [[str(problem) for problem in session.problems], session.loaded.scenario.storage.system]
session.worker.close()
print(json.dumps(answers))
"""


def blocks() -> Iterator[tuple[str, str]]:
    """Yield the modules that the page shows, by their paths below models/storage."""
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    yield from re.findall(r"```python\n# models/storage/(\S+)\n(.*?)```", page, flags=re.DOTALL)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what each command says: its status, stdout and stderr."""
    folder = tmp_path_factory.mktemp("toy")
    for path, text in blocks():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    sort, load = folder / "sort.toml", folder / "load.toml"
    sort.write_text(FAILURES + SORT, encoding="utf-8")
    load.write_text(LOAD, encoding="utf-8")
    sized = ["--profile", str(sort), "--vary", "storage.copies=2,3"]
    asked = {
        "check": ["check", str(sort)],
        "run": ["--profile", str(sort), "--format", "json"],
        "failing": ["--profile", str(sort), "--format", "json", "--set", FAULT],
        "requests": ["--profile", str(load), "--format", "json"],
        "durability": ["durability", str(sort), "--format", "json"],
        "lint": ["lint", str(sort), "--set", "storage.copies=1"],
        "capacity": ["capacity", str(sort), "--format", "json"],
        "size": ["size", *sized, "--target", "servers <= 20", "--workers", "1"],
        "sweep": ["sweep", "--profile", str(sort), "--vary", "storage.copies=1,2", "--format", "csv", "--workers", "1"],
        "report": ["--profile", str(sort), "--report", str(folder / "report.html")],
        "wrong": ["--profile", str(sort), "--set", "storage.copies=7"],
        "reference": ["reference"],
    }
    ended = subprocess.run(
        [sys.executable, "-c", ASK, str(folder), json.dumps(asked), str(sort)],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    answer: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    answer["folder"] = folder
    return answer


def test_the_page_shows_all_of_the_folder() -> None:
    files = ["copies/__init__.py", "copies/system.py", "copies/operations.py", "copies/runtime.py"]
    assert [path for path, _ in blocks()] == files


@pytest.mark.parametrize("command", ["check", "run", "failing", "requests", "durability", "capacity", "size", "sweep"])
def test_each_command_answers(command: str, answers: dict[str, Any]) -> None:
    status, _, err = answers[command]
    assert (status, err) == (0, "")


def test_a_run_and_a_load_of_requests_use_its_drives(answers: dict[str, Any]) -> None:
    for command in ("run", "requests"):
        result = json.loads(answers[command][1])
        drives = [
            resource
            for resource in result["resources"]
            if resource["kind"] == "drive" and "storage" in resource["name"]
        ]
        assert sum(drive["bytes"] for drive in drives) > 1e9


def test_a_lost_server_is_rebuilt(answers: dict[str, Any]) -> None:
    failures = json.loads(answers["failing"][1])["failures"]
    assert [fault["component"] for fault in failures["faults"]] == ["storage-2"]
    assert failures["lost"] == 0


def test_it_survives_as_many_servers_as_it_has_copies_to_spare(answers: dict[str, Any]) -> None:
    assert json.loads(answers["durability"][1])["survives_reading"]["servers"] == 2


def test_its_advice_and_its_limits_are_its_own(answers: dict[str, Any]) -> None:
    assert "1: any failure loses data; keep two" in answers["lint"][1]
    assert answers["wrong"][0] == 2
    assert "storage.copies: 7 servers are needed, storage.servers has 6; add servers" in answers["wrong"][2]


def test_the_report_and_the_reference_have_it(answers: dict[str, Any]) -> None:
    assert "copies" in (answers["folder"] / "report.html").read_text(encoding="utf-8")
    assert "Copies of each object." in answers["reference"][1]


def test_the_window_opens_a_profile_with_it(answers: dict[str, Any]) -> None:
    assert answers["window"] == [[], "copies"]
