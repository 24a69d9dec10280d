"""A taste of `make fuzz`, which runs for an hour: every kind of input, a few kills, faults of a disk."""

from __future__ import annotations

import json
import os
import random
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from app.gui.session import project_file
from models.planning.grid import axis
from models.problem import ProblemError, RefusalError
from models.units import parse
from profiles.loading.catalog import SHIPPED, STUDIES
from profiles.loading.overrides import key_of, value_of
from simulator.studies.points import Answer
from simulator.studies.store import Store
from tests.fuzz import running
from tests.fuzz.guards import NO_ROOM, harm
from tests.fuzz.kill import VICTIMS, Victim, killed
from tests.fuzz.mutator import mutated
from tests.fuzz.run import PREFIX, scratch_folder
from tests.fuzz.targets import TARGETS

INPUTS = 50
"""By chance for each target: `.ci/run` tries two minutes of them besides."""


@pytest.mark.parametrize("name", TARGETS)
def test_what_a_target_begins_with_is_mostly_taken(name: str) -> None:
    first = TARGETS[name].seeds()[: 8 if TARGETS[name].share == 1 else 3]
    taken = 0
    for text in first:
        with suppress(RefusalError):
            TARGETS[name].action(text)
            taken += 1
    assert taken > len(first) / 2 or name == "measurements", "what is changed by chance would be refused at once"


def test_the_run_of_the_project_that_is_changed_by_chance_is_taken(tmp_path: Path) -> None:
    (text,) = TARGETS["projects"].seeds()
    (tmp_path / "p.headroom").write_text(text, encoding="utf-8")
    assert [project_file.run_of(run).number for run in project_file.read(tmp_path / "p.headroom").runs] == [1]


@pytest.mark.parametrize("name", TARGETS)
def test_an_input_changed_by_chance_is_taken_or_refused_in_words(name: str) -> None:
    rng, target = random.Random(name), TARGETS[name]
    seeds = target.seeds()
    for _ in range(round(INPUTS * target.share)):
        text = mutated(rng.choice(seeds), seeds, rng)
        assert harm(target.action, text) is None, text[:2000]


def _series(*values: list[object]) -> str:
    """Return what Prometheus says of the bytes that a store holds."""
    series = {"metric": {"__name__": "ceph_pool_stored"}, "values": values}
    return json.dumps({"status": "success", "data": {"resultType": "matrix", "result": [series]}})


BLANKS = " " * 60_000
GROWING = 'extends = "growth-hdfs"\nprices = "on-premises-2024"\n[growth]\n'
OF_FLUX = '[[map]]\ntext = "Flux"\nignore = true\n[[map]]\ntext = "HDD"\npart = '
PLAN = (SHIPPED.root / STUDIES / "hdfs-or-minio.toml").read_text(encoding="utf-8")
FSCK = "FSCK started by hdfs from /a for path / at x\nStatus: HEALTHY\n Total size:\t{} B\n Total blocks:\t6\n"
ONE_MORE = '{ date = "2030-01-01", servers = 1 },'
FOUND = (
    ("maps of quotations", "map = 5"),
    ("maps of quotations", "columns = 5"),
    ("maps of quotations", "[columns]\ntext = 5"),
    ("maps of quotations", f'{OF_FLUX}"currency"'),
    ("maps of quotations", f'{OF_FLUX}"drives.hdd"\neach = {"9" * 400}'),
    ("maps of quotations", f'{OF_FLUX}"drives.hdd"\nsources = 5'),
    ("maps of quotations", f'{OF_FLUX}"chassis.x"\nlarge_bays = "x"'),
    ("growth", f"{GROWING}annual_growth = 1e20\nmonths = 600"),
    ("growth", f'{GROWING}ingest = "1 B/s"\ningest_growth = 1e9\nmonths = 600'),
    ("growth", f'{GROWING}stored = "0 B"'),
    ("growth", f'{GROWING}annual_growth = "-99.9999999999 %"\nmonths = 600'),
    ("growth", f"{GROWING}expansions = []\nmonths = 2"),
    ("growth", f"{GROWING}a{'.b' * 40_000} = 1"),
    ("growth", "x = {" + '"a\\""' + """.'b'""" * 40_000 + " = 1}"),
    ("growth", f'{GROWING}ingest = "1 PB/s"\nexpansions = []\nmonths = 24'),
    ("growth", f'{GROWING}expansions = []\nstart = "9999-12-31"'),
    ("growth", f'{GROWING}expansions = []\nstart = "0001-01-01"'),
    ("growth", f"{GROWING}expansions = [{ONE_MORE * 5000}]"),
    ("growth", f"{GROWING}expansions = [{ONE_MORE * 600}]"),
    ("studies and plans", PLAN.replace('start = "', 'start = "9999-12-31" #')),
    (
        "studies and plans",
        PLAN
        + "".join(f'[candidates.c{i}]\nstorage = "hdfs"\nservers = "hdd-25gbe"\ncount = "8"\n' for i in range(3000)),
    ),
    ("reports of clusters", FSCK.format("9" * 400)),
    ("reports of clusters", FSCK.format("1")),
    (
        "reports of clusters",
        '{"stats": {"total_bytes": 9e15, "total_used_raw_bytes": 0}, "pools": [{"name": "a", "stats": '
        '{"stored": 1e15, "bytes_used": 3e15}}]}',
    ),
    ("reports of clusters", _series([1.8e9, "NaN"], [1.9e9, "+Inf"])),
    ("reports of clusters", _series([1.798e9, "1e9"], [1.7981e9, "1e15"])),
    ("reports of clusters", _series([253402300799, "5e14"])),
    ("measurements", f"$ iozone -I -t 4\n\tChildren see throughput for 4 readers = {BLANKS}"),
    ("imports", f"Counters: 3\n Map-Reduce Framework\n  Killed{BLANKS}"),
    ("imports", f"Live datanodes (1):\nName: a\nConfigured{BLANKS}"),
    ("imports", f"IOR-3.3.0: MPI\nOptions:\napi{BLANKS}"),
    ("imports", f'Meta VERSION="1" .\n{"0" * 200_000}'),
    ("quotations", f"Item;Unit price EUR\n{'1' * 100_000};5\n"),
    ("quotations", "Item;Unit price EUR\n" + f"network card {'1' * 4900};5\n" * 400),
    ("quotations", "Item;Unit price EUR\nDDR5 0 GB;9\nHDD 0.0 TB;9\nCPU 0 cores;9\nSwitch 00 ports 0 GbE;9\n"),
    ("quotations", f"Item;Unit price EUR\nHDD 18 TB;{'9' * 400}\n"),
    ("--target", f"duration <= 5{BLANKS}nine"),
    ("--contract", f"a{BLANKS}"),
    ("--calendar", f"a = 4{BLANKS}"),
    ("answers of plans", running.plans()[2].replace("256 KiB", "99999999999999999999 B")),
    ("answers of plans", running.plans()[2].replace("1 drive", "1000000 drives")),
    ("command lines", f"sensitivity\nhdfs-teragen\n--samples\n{'9' * 40}"),
    ("sheets of workbooks", '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><a>&a;</a>'),
    ("sheets of workbooks", f"<a>{'<c/>' * 3_000_000}</a>"),
    (
        "sheets of workbooks",
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        + "".join(f'<row r="{row}"><c r="XFD{row}"><v>1</v></c></row>' for row in range(1, 20_000))
        + "</sheetData></worksheet>",
    ),
)
"""Inputs that took time or memory without end, or ended in a traceback, before they were bounded."""


@pytest.mark.parametrize(("name", "text"), FOUND, ids=range(len(FOUND)))
def test_an_input_that_once_did_harm_does_none(name: str, text: str) -> None:
    assert harm(TARGETS[name].action, text) is None


@given(st.text(max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_text_is_a_value_a_key_and_an_axis_or_refused(text: str) -> None:
    value_of(text)
    key_of(text)
    with suppress(RefusalError):
        axis("key", text)
    with suppress(RefusalError):
        parse(text, "B/s")


def _recurses(_: str) -> None:
    _recurses(_)


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (_recurses, "traceback"),
        (lambda _: bytearray(2**31), "memory"),
        (lambda _: print(f"SystemError: {NO_ROOM}", file=sys.stderr), "memory"),
        (lambda _: print("Exception ignored in a finalizer", file=sys.stderr), "traceback"),
        (lambda text: {"": None}[text + "key"], "traceback"),
    ],
)
def test_the_guards_tell_what_does_harm(action: Callable[[str], object], kind: str) -> None:
    harmed = harm(action, "")
    assert harmed is not None
    assert harmed[0] == kind


PARENT = """
import os, time
from tests.fuzz.run import end_with_parent
if os.fork() == 0:
    end_with_parent()
    print("begun", flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_a_worker_ends_with_a_fuzzer_that_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as fuzzer:
        assert fuzzer.stdout is not None
        assert fuzzer.stdout.readline() == b"begun\n"
        fuzzer.kill()
        assert fuzzer.communicate(timeout=60)[0] == b"", "the worker, too, has closed its output"


def test_what_a_killed_run_has_left_goes_with_the_next_one_and_what_another_holds_stays(
    tmp_path: Path,
) -> None:
    left, young = (tmp_path / f"{PREFIX}{name}" for name in ("left", "young"))
    for folder in (left, young):
        (folder / "below").mkdir(parents=True)
    os.utime(left, (0, 0))
    with scratch_folder(tmp_path) as held:
        os.utime(held, (0, 0))
        with scratch_folder(tmp_path):
            assert held.is_dir(), "its run goes on"
        assert not left.exists()
        assert young.is_dir(), "its run may be about to lock it"
    assert not held.exists()


def test_a_save_that_is_killed_leaves_a_whole_file(tmp_path: Path) -> None:
    rng = random.Random(0)
    for _ in range(2):
        assert killed(VICTIMS["save"], tmp_path, 1.0, rng) == (True, None)


def test_a_victim_that_ends_in_a_mistake_before_it_is_killed_is_told(tmp_path: Path) -> None:
    mistaken = Victim(lambda folder: ("report", "--no-such-option"), lambda folder: True)
    aimed = random.Random(1)  # it ends itself as it opens a file of the folder, which this one never does
    assert killed(mistaken, tmp_path, 30.0, aimed) == (False, "ended by itself with status 2")


@contextmanager
def _room(size: int) -> Iterator[None]:
    """Let no file grow beyond a size, as on a disk that is full."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


def _fill(store: Store, answer: Answer) -> None:
    for number in range(100):
        store.add(f"{number}", answer)


def test_a_store_on_a_full_disk_keeps_the_points_that_it_has(tmp_path: Path) -> None:
    answer = Answer.from_json(TARGETS["rows of stores"].seeds()[0])
    with Store(tmp_path / "points") as store:
        store.add("a", answer)
        full = _room((tmp_path / "points").stat().st_size)
        with full, pytest.raises(ProblemError, match="cannot be used as a store"):
            _fill(store, answer)
    with Store(tmp_path / "points") as store:
        assert store.find(["a"]) == {"a": answer}
    with sqlite3.connect(tmp_path / "points") as file:
        assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    file.close()
