"""The file of answers: what goes in comes out, whoever else uses it, and whatever ends its writer."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from models.problem import ProblemError
from simulator.run import simulate
from simulator.studies.points import Answer
from simulator.studies.store import Store
from tests.simulator.small import generation, sort

ROOT = Path(__file__).parents[3]
SORTED, GENERATED = Answer.of(simulate(sort())), Answer.of(simulate(generation()))
WRITER = """
import sys
from pathlib import Path
from simulator.run import simulate
from simulator.studies.points import Answer
from simulator.studies.store import Store
from tests.simulator.small import generation
answer = Answer.of(simulate(generation()))
store = Store(Path(sys.argv[1]))
for i in range(int(sys.argv[3])):
    store.add(f"{sys.argv[2]}{i}", answer)
    print(i, flush=True)
"""


def writer(path: Path, name: str, count: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)


def test_answers_are_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    with Store(tmp_path / "points") as store:
        store.add("a", SORTED)
        store.add("b", GENERATED)
    with Store(tmp_path / "points") as store:
        assert store.find(["a", "b", "c"]) == {"a": SORTED, "b": GENERATED}


def test_the_first_answer_of_a_key_stays(tmp_path: Path) -> None:
    with Store(tmp_path / "points") as store:
        store.add("a", SORTED)
        store.add("a", GENERATED)
        assert (len(store), store.find("a")) == (1, {"a": SORTED})


def test_two_processes_fill_a_new_file_at_once(tmp_path: Path) -> None:
    both = [writer(tmp_path / "points", name, 30) for name in "xy"]
    assert [process.communicate()[0].splitlines()[-1] for process in both] == [b"29", b"29"]
    with Store(tmp_path / "points") as store:
        keys = [f"{name}{i}" for name in "xy" for i in range(30)]
        assert store.find(keys) == dict.fromkeys(keys, GENERATED)


def test_a_writer_that_is_killed_leaves_all_that_it_had_added(tmp_path: Path) -> None:
    process = writer(tmp_path / "points", "x", 1_000_000)
    assert process.stdout is not None
    for _ in range(5):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    count = 5 + len(process.communicate()[0].splitlines())
    with Store(tmp_path / "points") as store:
        assert len(store) in {count, count + 1}
        assert store.find(f"x{i}" for i in range(count)) == {f"x{i}": GENERATED for i in range(count)}


@pytest.mark.parametrize("make", ["text", "database"])
def test_a_file_that_is_no_store_is_refused_and_left_as_it_is(tmp_path: Path, make: str) -> None:
    path = tmp_path / "other"
    if make == "text":
        path.write_text("duration,42\n" * 100)
    else:
        with sqlite3.connect(path) as other:
            other.execute("CREATE TABLE mine (x)")
        other.close()
    before = path.read_bytes()
    with pytest.raises(ProblemError, match=r"other: (cannot be used as a store|is a database, but no store)"):
        Store(path)
    assert path.read_bytes() == before


def test_a_file_in_a_directory_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="unable to open database file"):
        Store(tmp_path / "none" / "points")


OF_ANOTHER_KIND = "a part of it is missing, beyond all bounds, or of another kind"


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("{}", "it has no 'duration'"),
        ("no JSON", "it is no JSON"),
        ("-5", OF_ANOTHER_KIND),
        ('"duration":-5.0,', r"a run takes -5\.0 s, expected a time of 0 or more"),
        ('"duration":NaN,', "a value is no number"),
        ('"duration":"long",', "'long' is no number"),
        (f'"duration":{"9" * 400},', "a whole number has 400 digits"),
        (f'"duration":{"9" * 5000},', "a whole number has 5,000 digits"),
    ],
    ids=range(8),
)
def test_a_damaged_row_is_told_in_words_with_its_file_and_the_way_out(tmp_path: Path, damage: str, why: str) -> None:
    text = SORTED.to_json()
    row = text.replace(f'"duration":{SORTED.duration!r},', damage, 1) if "duration" in damage else damage
    assert row != text
    with Store(tmp_path / "points") as store:
        store.add("a", SORTED)
        store._file.execute("UPDATE points SET answer = ?", (row,))
        with pytest.raises(
            ProblemError, match=rf"points: row a is damaged \({why}\); delete the file, or name another one"
        ):
            store.find(["a"])


def test_a_store_that_another_program_has_locked_is_told_to_be_in_use(tmp_path: Path) -> None:
    Store(tmp_path / "points").__exit__()
    other = sqlite3.connect(tmp_path / "points", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(ProblemError, match="points: is in use by another program; wait until that has ended"):
        Store(tmp_path / "points")
    other.close()


@pytest.mark.parametrize(
    "statements",
    [
        "ALTER TABLE points RENAME TO kept; CREATE VIEW points AS WITH RECURSIVE r(x) AS"
        " (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x AS key, x AS answer FROM r",
        "CREATE TRIGGER each_time BEFORE INSERT ON points BEGIN SELECT randomblob(1000000000); END",
        "CREATE INDEX each_time ON points (hex(zeroblob(10000000)))",
        "DROP TABLE points",
    ],
)
def test_a_store_that_would_have_something_run_is_refused(tmp_path: Path, statements: str) -> None:
    path = tmp_path / "points"
    Store(path).__exit__()
    with sqlite3.connect(path) as file:
        file.executescript(statements)
    file.close()
    with pytest.raises(
        ProblemError, match=r"holds more than the points of a store, or other ones; delete the file, or"
    ):
        Store(path)


def test_an_answer_beyond_all_bounds_is_not_read(tmp_path: Path) -> None:
    with Store(tmp_path / "points") as store:
        store.add("a", SORTED)
    with sqlite3.connect(tmp_path / "points") as file:
        file.execute("UPDATE points SET answer = CAST(zeroblob(70000000) AS TEXT)")
    file.close()
    with Store(tmp_path / "points") as store, pytest.raises(ProblemError, match="too big"):
        store.find(["a"])
