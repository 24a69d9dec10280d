"""What the command line understands, and how it answers what it does not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import app
from app.cli import main
from app.cli.main import COMMANDS
from tests.app.conftest import Type


def test_bare_simulate_prints_its_help_and_exits_as_wrong_input(type_: Type) -> None:
    ended = type_()
    assert ended.status == 2
    assert "Usage: simulate [OPTIONS] [PROFILE | COMMAND ...]" in ended.err


def test_help_names_every_option_of_a_run_and_every_command(type_: Type) -> None:
    ended = type_("--help")
    assert ended.status == 0
    for option in ("profile", "set", "seed", "replications", "tolerance", "format", "output", "report", "debug"):
        assert f"  --{option}" in ended.out
    for command, meaning in COMMANDS.items():
        assert re.search(rf"^  {command} +{re.escape(meaning)}$", ended.out, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_table_has_help_with_its_examples_on_lines_of_their_own(type_: Type, command: str) -> None:
    ended = type_(command, "--help")
    assert ended.status == 0
    assert f"Usage: simulate {command}" in ended.out
    assert not re.search(r"\\b|Examples:.", ended.out)


def test_version_names_the_program_and_its_version(type_: Type) -> None:
    assert re.fullmatch(r"headroom, version \d+\.\d+\.\d+\n", type_("--version").out)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--profil", "x"], "--profil: no such option; did you mean '--profile'?; see: simulate --help"),
        (
            ["validate", "--familly", "x"],
            "--familly: no such option; did you mean '--family'?; see: simulate validate --help",
        ),
        (
            ["compar", "x"],
            "compar: neither a command nor a shipped profile; did you mean 'compare'?; see: simulate --help",
        ),
        (
            ["speedtest-mino"],
            "speedtest-mino: neither a command nor a shipped profile; did you mean 'speedtest-minio-nvme'?; "
            "see: simulate --help",
        ),
        (
            ["run", "hdfs-sort"],
            "run: neither a command nor a shipped profile; a profile is run by its name alone, simulate hdfs-sort, "
            "a file by one that ends in .toml; see: simulate --help",
        ),
        (
            ["run"],
            "run: neither a command nor a shipped profile; a profile is run by its name alone, simulate PROFILE, "
            "a file by one that ends in .toml; see: simulate --help",
        ),
        (
            ["hdfs-sort", "--seed", "1", "hdfs-terasort"],
            "a run takes one profile (got 'hdfs-sort' and 'hdfs-terasort'); 'compare' takes several; "
            "see: simulate --help",
        ),
        (
            ["hdfs-sort", "check"],
            "'--profile' belongs to a run; give it without 'check', or after it; see: simulate --help",
        ),
        (["--profile"], "--profile: its value is missing; see: simulate --help"),
        (["check", "--help=x"], "--help: takes no value; see: simulate --help"),
        (["capacity", "hdfs-sort", "more"], "expected no further words (got 'more'); see: simulate capacity --help"),
        (
            ["--format", "json", "validate"],
            "'--format' belongs to a run; give it without 'validate', or after it; see: simulate --help",
        ),
        (["check"], "PATH...: missing; see: simulate check --help"),
    ],
)
def test_a_mistyped_command_line_is_answered_with_the_way_out(type_: Type, words: list[str], message: str) -> None:
    ended = type_(*words)
    assert ended.status == 2
    assert ended.out == ""
    assert ended.err == f"{message}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seed", "-1"], "--seed: expected a whole number of at least 0 (got '-1')"),
        (["sweep", "--seed", "one"], "--seed: expected a whole number of at least 0 (got 'one')"),
        (["--replications", "0"], "--replications: expected a whole number of at least 1 (got '0')"),
        (["--format", "jsn"], "--format: expected 'text', 'json' or 'csv' (got 'jsn'); did you mean 'json'?"),
        (["upkeep", "--nines", "nan"], "--nines: expected a number above 0 (got 'nan')"),
        (["size", "--confidence", "2"], "--confidence: expected a part between 0 and 1 such as 90% (got '2')"),
        (["sensitivity", "hdfs-sort", "--sobol", "9"], "--sobol: expected a power of two such as 64 (got 9)"),
    ],
)
def test_a_wrong_value_of_an_option_is_told_as_one_of_a_profile(type_: Type, words: list[str], message: str) -> None:
    ended = type_(*words)
    assert (ended.status, ended.out, ended.err) == (2, "", f"{message}\n")


def test_a_folder_that_is_gone_is_told_with_the_way_out(tmp_path: Path) -> None:
    text = 'mkdir gone; cd gone; rmdir ../gone; exec "$0" -m app hdfs-terasort --interval none'
    environment = {**os.environ, "PYTHONPATH": str(Path(app.__file__).parents[1])}
    ended = subprocess.run(
        ["sh", "-c", text, sys.executable], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert ended.stderr == "the folder in which this was started is gone: change to another one, such as with cd\n"


def test_a_fault_of_the_program_is_one_line_and_a_hint(type_: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(main.COMMANDS, "broken", "A command without a module.")
    ended = type_("broken")
    assert ended.status == 70
    first, second = ended.err.splitlines()
    text, _, path = first.partition("; the traceback is in ")
    assert text == "Internal error: ModuleNotFoundError: No module named 'app.cli.broken'"
    assert "import_module" in Path(path).read_text()
    assert second == "This is a fault of the program, not of the input; --debug shows the traceback here."


def test_a_fault_shows_its_traceback_with_debug_anywhere_on_the_line(
    type_: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(main.COMMANDS, "broken", "A command without a module.")
    with pytest.raises(ModuleNotFoundError):
        type_("broken", "--debug")
