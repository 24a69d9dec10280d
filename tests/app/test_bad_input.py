"""What is wrong with the input: every problem at once, on stderr, exit status 2, and never a traceback."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest

from app.planning.loading import refusals
from models.hardware.drive import OF_FLASH
from models.problem import ProblemError, refusal
from models.scenario import Scenario
from profiles.shipped.outcomes import families
from simulator.result import Result
from simulator.run import simulate as simulated
from simulator.studies import points
from tests.app.conftest import Type

LONG = "k" * 100_000
SHORT = f"{'k' * 100} ... {'k' * 100}"

CASES = {
    "no profile": (
        ["--seed", "1"],
        ["--profile: missing: name a shipped profile (see: simulate profiles) or a TOML file"],
    ),
    "unknown profile": (
        ["--profile", "hdfs-tersort"],
        ["no profile is named 'hdfs-tersort'; did you mean 'hdfs-terasort'?"],
    ),
    "missing file": (["--profile", "nowhere/mine.toml"], ["no such file: 'nowhere/mine.toml'"]),
    "set without a value": (
        ["--profile", "hdfs-sort", "--set", "workload.input", "--set", "=3"],
        [
            "--set: expected KEY=VALUE such as cluster.groups.workers.count=24 (got '=3')",
            "--set: expected KEY=VALUE such as cluster.groups.workers.count=24 (got 'workload.input')",
        ],
    ),
    "set of unknown keys and wrong values": (
        [
            *("--profile", "hdfs-sort", "--set", "workload.inptu=1 TB", "--set", "storage.replication=0"),
            *("--set", "cluster.groups.workers.server.nic.bandwidth=25 Gb"),
        ],
        [
            "--set: cluster.groups.workers.server.nic.bandwidth: expected a rate such as '205 MB/s' or '25 Gbit/s'"
            " (got '25 Gb'); did you mean '25 Gbit/s'?",
            "--set: storage.replication: must be at least 1 (got 0)",
            "--set: workload.inptu: unknown key; did you mean 'input'?",
        ],
    ),
    "set to bytes that are no text": (
        ["--profile", "hdfs-sort", "--set", "workload.input=1 TB\udcff"],
        ["--set: workload.input: expected text in UTF-8 (got '1 TB\\udcff')"],
    ),
    "set of a misspelt group": (
        ["--profile", "hdfs-sort", "--set", "cluster.groups.wrkers.count=3"],
        ["--set: cluster.groups.wrkers: there is no such entry; did you mean 'workers'?"],
    ),
    "set of a size in short bits": (
        ["--profile", "hdfs-sort", "--set", "workload.input=500 Gb"],
        [
            "--set: workload.input: expected a size such as '64 MiB' or '2 TB' (got '500 Gb'): 'Gb' is bits;"
            " did you mean 'GB' or 'Gbit'?"
        ],
    ),
    "hard drive that answers as flash does": (
        [
            *("--profile", "hdfs-sort", "--set", "cluster.groups.workers.server=nvme-100gbe"),
            *("--set", "cluster.groups.workers.server.bays.data.drive.technology=hdd"),
        ],
        [
            f"hardware/drives/nvme.toml:{line}: cluster.groups.workers.server.bays.data.drive.{key}:"
            " does not act on a hard drive: seek_time and rpm say how fast it is; remove it"
            for line, key in enumerate(OF_FLASH, 6)
        ],
    ),
    "parts that do not fit together": (
        ["--profile", "hdfs-sort", "--set", "storage.servers=masters", "--set", "workload.framework.servers=wrkers"],
        [
            "--set: storage.servers: the cluster has no such group (it has: workers) (got 'masters')",
            "--set: workload.framework.servers: the cluster has no such group (it has: workers) (got 'wrkers')",
        ],
    ),
    "part of another kind": (
        ["--profile", "hdfs-terasort", "--set", "workload.framework=spark"],
        [
            "--set: workload.framework: 'spark' does not fit here, where 'split_size',"
            " 'least_split' and 'memory_fraction' mean nothing; name one of 'hadoop-1', 'yarn', 'yarn-c5d', 'yarn-h1'"
            " or 'yarn-vm-24vcpu', beside engine = 'spark-2.4', 'spark-3', 'spark-minio' or 'spark-netapp'"
        ],
    ),
    "an engine that is not there, which would have said what a job computes": (
        ["--profile", "hdfs-sort", "--set", "workload.engine=sparc-3"],
        ["--set: workload.engine: nothing is named 'sparc-3' in 'engines'; did you mean 'spark-3'?"],
    ),
    "no server": (
        ["--profile", "hdfs-sort", "--set", "cluster.groups.workers.count=0"],
        ["--set: cluster.groups.workers.count: must be at least 1 (got 0)"],
    ),
    "report of an unknown form": (
        ["--profile", "hdfs-sort", "--report", "a.jsn", "--report", "b"],
        [
            "--report: the suffix chooses the form,"
            " expected '.html', '.pdf', '.md', '.xlsx', '.pptx', '.zip', '.json', '.csv' or '.txt' (got 'a.jsn');"
            " did you mean '.json'?",
            "--report: the suffix chooses the form,"
            " expected '.html', '.pdf', '.md', '.xlsx', '.pptx', '.zip', '.json', '.csv' or '.txt' (got 'b')",
        ],
    ),
    "set of nothing to read": (
        ["hdfs-sort", "--set", "workload.input=0 B"],
        ["--set: workload.input: 0 B are no work: a job reads an input, or writes a generated amount, above 0 B"],
    ),
    "set of a key of 100,000 letters": (
        ["--profile", "hdfs-sort", "--set", f"{LONG}=1"],
        [f"--set: {SHORT}: expected a key such as cluster.network.racks"],
    ),
    "a family of 100,000 letters": (
        ["validate", "--family", LONG],
        [f"--family: no such family: '{SHORT}'; there are {', '.join(families())}"],
    ),
    "a report of 100,000 letters": (
        ["--profile", "hdfs-sort", "--report", f"{LONG}.html"],
        [f"--report: cannot write '{SHORT[:-5]}.html': file name too long; name another file"],
    ),
    "a name with an end of line and an escape": (
        ["--profile", "no\nsuch\x1b[2J.toml"],
        ["no such file: 'no\\u000asuch\\u001b[2J.toml'"],
    ),
    "unknown family": (
        ["validate", "--family", "mapreduc"],
        ["--family: no such family: 'mapreduc'; did you mean 'mapreduce'?"],
    ),
    "family unlike any": (
        ["fit", "--family", "zzz"],
        [f"--family: no such family: 'zzz'; there are {', '.join(families())}"],
    ),
    "profile to show": (
        ["profiles", "minio-srt"],
        ["no profile is named 'minio-srt'; did you mean 'minio-sort'?"],
    ),
}


@pytest.mark.parametrize(("words", "problems"), CASES.values(), ids=CASES)
def test_wrong_input_is_told_with_every_problem_and_nothing_else(
    type_: Type, words: list[str], problems: list[str]
) -> None:
    ended = type_(*words)
    assert ended.err.splitlines() == problems
    assert (ended.status, ended.out) == (2, "")


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (("sweep", "hdfs-sort", "--vary", "storage.replication=2,3", "--replications"), "replications"),
        (("size", "hdfs-sort", "--vary", "storage.replication=2", "--target", "usable >= 1 B", "--replications"), ""),
        (("capacity", "growth-hdfs", "--target", "usable >= 1 B", "--replications"), "replications"),
        (("sweep", "--study", "terasort-servers", "--replications"), "replications"),
        (("sensitivity", "hdfs-sort", "--samples"), "samples"),
        (("sensitivity", "hdfs-sort", "--sobol"), "sobol"),
        (("sensitivity", "--study", "terasort-depends-on", "--samples"), "samples"),
    ],
)
def test_a_count_of_an_option_beyond_its_bound_is_told_with_the_option(
    type_: Type, words: tuple[str, ...], key: str
) -> None:
    ended = type_(*words, f"{2**67}")
    assert (ended.status, ended.out) == (2, "")
    assert re.fullmatch(rf"--{key or 'replications'}: must be less than or equal to \d+ \(got {2**67}\)\n", ended.err)


@pytest.mark.parametrize("words", [("--profile",), ("check",), ("profiles",)], ids=" ".join)
def test_an_outcome_that_nobody_documented_is_told_with_its_line(
    type_: Type, tmp_path: Path, words: tuple[str, ...]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('extends = "hdfs-sort"\n[profile]\ntitle = "Mine"\noutcome = "mapreduce/hdfs/srt"\n')
    ended = type_(*words, str(path))
    message = "no such documented outcome: 'mapreduce/hdfs/srt'; did you mean 'mapreduce/hdfs/sort'?"
    assert ended.err.splitlines() == [f"{path}:4: profile.outcome: {message}"]
    assert (ended.status, ended.out) == (2, "")


def test_every_further_outcome_that_nobody_documented_is_told_with_its_line(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    ids = '"mapreduce/hdfs/srt", "mapreduce/hdfs/sort", "mapreduce/hdfs/terasrt"'
    path.write_text(f'extends = "hdfs-sort"\n[profile]\ntitle = "Mine"\nfurther_outcomes = [{ids}]\n')
    ended = type_("check", str(path))
    message = "profile.further_outcomes.{}: no such documented outcome: 'mapreduce/hdfs/{}'; did you mean '{}'?"
    assert ended.err.splitlines() == [
        f"{path}:4: {message.format(0, 'srt', 'mapreduce/hdfs/sort')}",
        f"{path}:4: {message.format(2, 'terasrt', 'mapreduce/hdfs/terasort')}",
    ]


def test_of_thousands_of_outcomes_that_nobody_documented_all_are_told_and_the_first_are_guessed(
    type_: Type, tmp_path: Path
) -> None:
    path = tmp_path / "mine.toml"
    ids = ", ".join(f'"mapreduce/hdfs/srt{number}"' for number in range(5000))
    path.write_text(f'extends = "hdfs-sort"\n[profile]\ntitle = "Mine"\nfurther_outcomes = [{ids}]\n')
    told = type_("check", str(path)).err.splitlines()
    assert len(told) == 5000
    assert sum(line.endswith("; did you mean 'mapreduce/hdfs/sort'?") for line in told) == 20


def test_what_a_model_refuses_during_a_run_is_a_problem_of_the_profile() -> None:
    with pytest.raises(ProblemError) as raised, refusals("mine.toml"):
        raise refusal("storage.bay", "the servers have no such bay", "name one of theirs", value="fast")
    assert str(raised.value) == "mine.toml: storage.bay: the servers have no such bay; name one of theirs (got 'fast')"


@pytest.mark.parametrize("place", ["simulator.run.simulate", "models.storage.hdfs.system.Hdfs.fits"])
def test_an_error_that_refuses_nothing_is_a_fault_and_not_the_users(
    type_: Type, small: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setattr(place, lambda *_, **__: math.sqrt(-1))
    ended = type_(*small)
    assert ended.status == 70
    first = ended.err.splitlines()[0]
    assert first.startswith("Internal error: ValueError: math domain error; the traceback is in ")
    log = Path(first.rpartition(" is in ")[2]).read_text()
    assert "math.sqrt(-1)" in log


@pytest.mark.parametrize(
    ("command", "words"), [("sweep", ()), ("size", ("--target", "duration <= 1 h"))], ids=["sweep", "size"]
)
def test_a_study_with_a_point_that_a_fault_left_without_answer_shows_it_and_ends_as_a_fault(
    type_: Type,
    small: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    command: str,
    words: tuple[str, ...],
) -> None:
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))  # no point is known from another test

    def simulate(scenario: Scenario, **rest: Any) -> Result:
        if scenario.cluster.groups["workers"].count == 12:
            math.sqrt(-1)
        return simulated(scenario, **rest)

    monkeypatch.setattr(points, "simulate", simulate)
    ended = type_(command, *small, "--vary", "cluster.groups.workers.count=12,13", *words, "--workers", "1")
    assert ended.status == 70
    assert "internal error" in " ".join(ended.out.split())
