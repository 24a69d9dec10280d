"""A worker of a real Dask cluster that answers with anything but what it was asked for."""

from __future__ import annotations

import json
import os
import pickle
import threading
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from models.problem import ProblemError
from simulator.clock import Cancelled
from simulator.studies import dask_runner
from simulator.studies.dask_errors import WorkerError, error_of, read_as_data
from simulator.studies.dask_runner import OtherVersion
from simulator.studies.points import Answer, Point, PointFailure, answer
from simulator.studies.runner import run_points
from tests.models.machines import GB
from tests.simulator.small import sort
from tests.simulator.studies.test_dask_runner import Cluster, cluster_of

pytestmark = pytest.mark.filterwarnings("ignore")  # of the library's own
POINT = Point(scenario=sort(input=GB))


@pytest.fixture(scope="module")
def lies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lies")


@pytest.fixture(scope="module")
def cluster(lies: Path) -> Iterator[Cluster]:
    with cluster_of("--preload", "tests.simulator.studies.lying_worker", LIES=str(lies)) as running:
        yield running


@cache
def truth() -> Answer:
    whole = answer(POINT)
    assert isinstance(whole, Answer)
    return whole


def packed(**changes: Any) -> bytes:
    return json.dumps({"answer": replace(truth(), **changes).to_json()}).encode()


LIES = {
    "no JSON": b"{",
    "a list": b"[]",
    "a number": b"1e400",
    "nothing": b"{}",
    "brackets": b"[" * 100_000,
    "an answer that is none": b'{"answer": 5}',
    "no reason": b'{"reason": ["a"], "is_fault": true}',
    "no number": packed(duration=float("nan")),
    "no number below": packed(metrics={"duration": (float("nan"), "s")}),
    "less than nothing": packed(duration=-5.0),
    "endless": packed(duration=float("inf")),
    "another shape": packed(stages=({"name": 1},)),
    "another kind": packed(bottleneck={"resource": 5, "share": "x"}),
    "words for numbers": packed(capacity={"raw": "much"}),
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES)
def test_what_is_no_answer_is_refused_and_the_next_question_is_answered(
    cluster: Cluster, lies: Path, lie: bytes
) -> None:
    (lies / "a.json").write_bytes(lie)
    with pytest.raises(ProblemError, match=r"a worker answered what is no answer: .*; see what runs on the workers"):
        run_points([POINT], scheduler=cluster.address)
    assert run_points([POINT], scheduler=cluster.address) == [truth()]


@pytest.mark.parametrize("lie", ["huge", "number"])
def test_what_is_no_text_or_beyond_all_bounds_is_refused(cluster: Cluster, lies: Path, lie: str) -> None:
    (lies / f"{lie}.lie").touch()
    with pytest.raises(ProblemError, match="a worker answered what is no answer: no text of at most 64 MiB"):
        run_points([POINT], scheduler=cluster.address)


def test_an_object_that_runs_code_when_it_is_read_is_not_read(cluster: Cluster, lies: Path) -> None:
    (lies / "object.lie").touch()
    with pytest.raises(ProblemError, match="a worker answered what is no answer"):
        run_points([POINT], scheduler=cluster.address)
    assert not (lies / "run").exists()


def test_what_a_worker_prints_or_warns_of_is_not_heard(
    cluster: Cluster, lies: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (lies / "printed.lie").touch()
    with pytest.raises(ProblemError):
        run_points([POINT], scheduler=cluster.address)
    assert "from a worker" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("lie", ["silent", "withheld"])
def test_a_worker_that_never_answers_is_given_up_when_the_user_says_so(cluster: Cluster, lies: Path, lie: str) -> None:
    (lies / f"{lie}.lie").touch()
    is_tired = threading.Event()
    threading.Timer(1.0, is_tired.set).start()
    with pytest.raises(Cancelled):
        run_points([POINT], scheduler=cluster.address, should_stop=is_tired.is_set)


@pytest.mark.parametrize("lie", ["raised", "raised-whole"])
def test_an_error_of_a_worker_is_the_answer_of_its_point_and_runs_nothing_here(
    cluster: Cluster, lies: Path, lie: str
) -> None:
    (lies / f"{lie}.lie").touch()
    (failure,) = run_points([POINT], scheduler=cluster.address)
    assert isinstance(failure, PointFailure)
    assert failure.is_fault
    ran = lies / "run-by-error"
    assert f"{os.getpid()}" not in (ran.read_text().split() if ran.exists() else [])


def test_an_error_is_read_as_words_whatever_it_would_run(lies: Path) -> None:
    told = error_of(pickle.dumps(OtherVersion("a worker has Headroom 1, expected 2")))
    assert (type(told).__name__, f"{told}") == ("OtherVersion", "a worker has Headroom 1, expected 2")
    assert isinstance(error_of(pickle.dumps(Touches(lies / "touched"))), WorkerError)
    assert not (lies / "touched").exists()
    assert f"{error_of(b'no pickle')}" == "an error that cannot be read (ValueError)"
    assert f"{error_of(pickle.dumps(5))}" == "an error that is none"


def doubled() -> bytes:
    """Return an error with lists in lists, of which each doubles what it takes to write them out."""
    nested: list[Any] = []
    for _ in range(60):
        nested = [nested, nested]
    return pickle.dumps(ValueError(nested))


BOMBS = {
    "lists in lists": (doubled(), "ValueError: 1 objects without a word"),
    "a far place": (b"\x80\x02]r\xff\xff\xff\x7f.", "WorkerError: an error that cannot be read (ValueError)"),
    "large": (pickle.dumps(ValueError("a" * 2**20)), "WorkerError: an error that cannot be read (ValueError)"),
    "long": (pickle.dumps(ValueError("a" * 5_000, 1)), f"ValueError: {'a' * 1_000}"),
    "its own words": (b"cx\nE\n(ctblib.\nu\nN}X\x07\x00\x00\x00__str__h\x00s\x86b.", ""),
}


@pytest.mark.parametrize(("packed", "told"), BOMBS.values(), ids=BOMBS)
def test_an_error_that_would_fill_the_memory_is_told_in_a_word(packed: bytes, told: str) -> None:
    error = error_of(packed)
    assert f"{type(error).__name__}: {error}".startswith(told)


def test_whatever_kind_an_object_says_that_it_has_only_bytes_are_read(lies: Path) -> None:
    from distributed import protocol
    from distributed.protocol.serialize import ToPickle

    module: Any = protocol
    pickled: Any = ToPickle
    bomb = Touches(lies / "touched")
    read_as_data()
    sent = {"a": module.to_serialize(bomb), "b": module.to_serialize(b"text"), "c": pickled(bomb)}
    heard = module.loads([bytes(frame) for frame in module.dumps(sent)])
    assert heard["b"] == b"text"
    assert isinstance(heard["a"], WorkerError)
    assert isinstance(heard["c"], WorkerError)
    header = {"serializer": "dask", "type": "x", "type-serialized": pickle.dumps(bomb), "sub-header": {}}
    assert module.deserialize(header, [b"text"]) == b"text"
    assert not (lies / "touched").exists()


class Touches:
    """An object that runs code when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.system, (f"touch {self.path}",)


def test_a_cluster_whose_last_worker_has_died_is_told(
    cluster: Cluster, lies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run_points([POINT], scheduler=cluster.address) == [truth()]
    monkeypatch.setattr(dask_runner, "PATIENCE", 2.0)
    (lies / "dies.lie").touch()
    with pytest.raises(ProblemError, match="no worker within 2 s; start one with: dask worker tcp"):
        run_points([POINT], scheduler=cluster.address)


def test_a_stored_answer_keeps_its_text(lies: Path) -> None:
    assert Answer.from_json(truth().to_json()).to_json() == truth().to_json()
    assert asdict(Answer.from_json(truth().to_json())) == asdict(truth())
