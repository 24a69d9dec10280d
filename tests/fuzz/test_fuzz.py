"""A taste of `make fuzz`, which runs for an hour: every kind of input, a few kills, faults of a disk."""

from __future__ import annotations

import errno
import os
import random
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from models.planning.grid import axis
from models.problem import ProblemError, RefusalError
from models.units import parse
from profiles.files import write_whole
from profiles.overrides import key_of, value_of
from simulator.studies.points import Answer
from simulator.studies.store import Store
from tests.fuzz.guards import harm
from tests.fuzz.kill import killed
from tests.fuzz.mutator import mutated
from tests.fuzz.targets import TARGETS

INPUTS = 100


@pytest.mark.parametrize("name", TARGETS)
def test_an_input_changed_by_chance_is_taken_or_refused_in_words(name: str) -> None:
    rng, target = random.Random(name), TARGETS[name]
    seeds = target.seeds()
    for _ in range(INPUTS):
        text = mutated(rng.choice(seeds), seeds, rng)
        assert harm(target.action, text) is None, text[:2000]


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
    [(_recurses, "traceback"), (lambda _: bytearray(2**31), "memory"), (lambda _: {}["key"], "traceback")],
)
def test_the_guards_tell_what_does_harm(action, kind):
    found = harm(action, "")
    assert found is not None
    assert found[0] == kind


def test_a_save_that_is_killed_leaves_a_whole_file(tmp_path: Path) -> None:
    rng = random.Random(0)
    for _ in range(2):
        assert killed("save", tmp_path, rng) is None


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
def test_a_disk_that_fails_leaves_what_was_there_and_nothing_beside_it(tmp_path, monkeypatch, call, code):
    path = tmp_path / "kept"
    write_whole(path, "before")

    def fail(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OSError, match=os.strerror(code)):
        write_whole(path, "after")
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]
    assert path.read_text() == "before"


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
