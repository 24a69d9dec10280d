"""`simulate calibrate` from files of measurements to files of parts."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from models.hardware.drive import Drive
from profiles.imports.reading import EXPECTED
from profiles.loading.catalog import SHIPPED
from profiles.loading.loader import load
from tests.app.conftest import Type

ROOT = Path(__file__).parents[2]
DOCUMENT = "MinIO, Performance comparison between MinIO and HDFS, August 2019, 1.3"
H1 = [str(path) for path in sorted((SHIPPED.root / "measurements/h1.16xlarge").glob("*.txt"))]
EXAMPLES = SHIPPED.root / "measurements/examples"
READ, WRITE, IOZONE, IPERF3 = H1


def test_the_command_writes_the_shipped_drive_of_h1(type_: Type, tmp_path: Path) -> None:
    output = tmp_path / "h1-hdd.toml"
    ended = type_("calibrate", *H1, "--like", "h1-hdd", "--origin", DOCUMENT, "--output", str(output))
    assert (ended.status, ended.err) == (0, "")
    assert output.read_bytes() == (SHIPPED.root / "hardware/drives/h1-hdd.toml").read_bytes()
    assert ended.out.splitlines()[-1] == f"written: {output}"


def test_every_measurement_stands_beside_the_model_with_its_residual(type_: Type) -> None:
    ended = type_("calibrate", str(EXAMPLES / "hdd-fio.json"), IPERF3, "--name", "mine")
    lines = [re.sub(r"\s+", " ", line).strip() for line in ended.out.splitlines()]
    assert f"{EXAMPLES}/hdd-fio.json (fio)" in lines
    assert "sequential read, 16 streams on 1 drive, 1 MiB 165.2 MB/s 168.5 MB/s +2.0 % 97.5 ms 212 ms" in lines
    assert "random read, 1 stream on 1 drive, 4 KiB, depth 32 782.3 kB/s – – 158 ms 430 ms" in lines
    assert f"{IPERF3} (iperf3)" in lines
    assert "10 connections, as the sender counts 24.8 Gbit/s 24.8 Gbit/s +0.0 %" in lines
    assert "Drive mine: hdd (78 random reads a second)" in lines
    assert "read_bandwidth 251.3 MB/s measured: hdd-fio.json" in lines


def test_the_report_says_what_was_left_out_and_what_was_taken_from_elsewhere(type_: Type) -> None:
    out = type_("calibrate", str(EXAMPLES / "hdd-fio.json"), str(EXAMPLES / "hdd-iozone.txt")).out
    notes = " ".join(out.partition("\nNotes\n")[2].split())
    assert f"{EXAMPLES}/hdd-iozone.txt: rewriters, re-readers left out: the models have no use for them" in notes
    assert "controller.read_bandwidth: 12 drives together give 78 % of 12 times one: taken as the ceiling" in notes
    assert "the drive sorts the requests that wait" in notes
    assert "capacity: 16 TB is the size of another drive; state --capacity '2 TB', or --like NAME" in notes


def test_a_written_drive_is_loaded_by_its_path(type_: Type, tmp_path: Path) -> None:
    output = tmp_path / "lab.toml"
    ended = type_("calibrate", str(EXAMPLES / "nvme-fio.json"), "--capacity", "3.84 TB", "--output", str(output))
    assert ended.status == 0
    assert output.read_text().startswith("# lab, fitted to measurements with `simulate calibrate`.\n")
    drive = load(output, Drive).scenario
    assert (drive.technology, drive.capacity, drive.seek_time) == ("nvme", 3.84e12, 0)


def test_tables_of_a_server_go_to_a_file_of_their_own(type_: Type, tmp_path: Path) -> None:
    output = tmp_path / "server.toml"
    assert type_("calibrate", IPERF3, "--server-output", str(output), "--origin", DOCUMENT).status == 0
    assert output.read_text() == (
        '[nic]\nefficiency = 1\nbandwidth = "24.8 Gbit/s"\n'
        f'source = "measured: iperf3.txt: iperf3, 10 connections, as the sender counts; {DOCUMENT}"\n'
    )


def test_a_part_on_stdout_stands_alone(type_: Type) -> None:
    ended = type_("calibrate", READ, WRITE, "--technology", "hdd", "--output", "-", "--name", "x")
    assert ended.out.startswith("# x, fitted to measurements")
    assert "residual" in ended.err


def test_a_file_that_is_there_is_overwritten_only_by_force(type_: Type, tmp_path: Path) -> None:
    output = tmp_path / "mine.toml"
    output.write_text("mine")
    words = ("calibrate", READ, WRITE, IOZONE, "--output", str(output))
    ended = type_(*words)
    assert (ended.status, ended.err) == (2, f"--output: '{output}' exists; use --force to overwrite it\n")
    assert output.read_text() == "mine"
    assert type_(*words, "--force").status == 0
    assert output.read_text().startswith("# mine, fitted")


def test_a_measurement_is_never_overwritten(type_: Type, tmp_path: Path) -> None:
    file = tmp_path / "dd-read.txt"
    file.write_text(Path(READ).read_text())
    ended = type_("calibrate", str(file), WRITE, "--output", str(file), "--force", "--technology", "hdd")
    assert ended.status == 2
    assert ended.err == f"--output: cannot write '{file}': the command reads it; name another file\n"
    assert file.read_text() == Path(READ).read_text()


def test_all_problems_of_options_and_files_are_told_at_once(type_: Type, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("hello")
    there = [f"{tmp_path}/none", f"{tmp_path}/note.txt"]
    ended = type_(
        "calibrate", *there, "--capacity", "2 TB/s", "--seek-time", "0 ms", "--output", f"{tmp_path}/no/a.toml"
    )
    assert ended.status == 2
    assert ended.out == ""
    assert ended.err.splitlines() == [
        "--capacity: expected a size such as '64 MiB' or '2 TB' (got '2 TB/s'): 'TB/s' is a rate",
        f"--output: cannot write '{tmp_path}/no/a.toml': '{tmp_path}/no' does not exist; name another file",
        "--seek-time: must be greater than 0 (got '0 ms')",
        f"{tmp_path}/none: cannot be read: no such file or directory; name one that is there",
        f"{tmp_path}/note.txt: not known: {EXPECTED}",
    ]


def test_what_is_missing_is_told_with_the_runs_that_were_left_out(type_: Type, tmp_path: Path) -> None:
    cached = tmp_path / "cached.txt"
    cached.write_text(Path(WRITE).read_text().replace("oflag=direct", ""))
    ended = type_("calibrate", READ, str(cached), "--technology", "hdd")
    assert ended.status == 2
    assert ended.err.splitlines() == [
        "write_bandwidth: no write run shows it: add one of a lone sequential stream, such as: "
        "dd if=/dev/zero of=/mnt/drive/test bs=16M count=64 oflag=direct",
        f"{cached}:4: dd left out: without oflag=direct it measures the page cache in memory",
    ]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            (READ, WRITE),
            "technology: the runs do not tell hard from solid-state drives: add one of several streams on a drive, "
            "or state it: --technology hdd|ssd|nvme",
        ),
        ((IPERF3, "--output", "new.toml"), "--output: nothing to write: the files contain no runs of drives"),
        (
            (READ, WRITE, IOZONE, "--server-output", "new.toml"),
            "--server-output: nothing to write: the files contain no runs of a network, and no ceiling of a controller "
            "shows",
        ),
        (
            (READ, WRITE, IOZONE, "--like", "h1-hd"),
            "--like: nothing is named 'h1-hd' in 'hardware/drives'; did you mean 'h1-hdd'?",
        ),
    ],
)
def test_a_request_that_cannot_be_met_says_what_is_missing(
    type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = type_("calibrate", *words)
    assert (ended.status, ended.err) == (2, problem + "\n")
    assert list(tmp_path.iterdir()) == []


def test_the_commands_of_the_manual_run(type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (ROOT / "docs/calibration.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ simulate (.*)$", page, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    assert len(commands) == 3
    for line in commands:
        words = [str(ROOT / word) if word.startswith("profiles/") else word for word in shlex.split(line)]
        assert type_(*words).status == 0, line
    assert (tmp_path / "h1-hdd.toml").is_file()
