"""What Python answers is what the command line prints, to the byte; what it refuses is refused in the same words."""

from __future__ import annotations

import builtins
import doctest
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import headroom
from app.cli.main import execute
from headroom.process import ask
from tests.narrow import as_a, some

ROOT = Path(__file__).parent.parent.parent
COUNT = "cluster.groups.workers.count"
INPUT = {"workload.input": "10 GB"}
SMALL = INPUT | {"workload.reduces": "48"}
SET = ("--set", "workload.input=10 GB", "--set", "workload.reduces=48")
OUTGROWN = {"growth.stored": "550 TB", "workload.input": "10 GB", "workload.reduces": "48"}


@pytest.fixture
def simulate(capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that carries out a command, and returns what it printed."""

    def carry_out(*words: str) -> str:
        capfd.readouterr()
        execute(words)
        return "".join(capfd.readouterr())

    return carry_out


@pytest.fixture(scope="module")
def small() -> headroom.Profile:
    return headroom.load("hdfs-terasort", SMALL)


Asked = Callable[[headroom.Profile], headroom.Answer]
WRONG: Any = None
"""What callers that check no types may hand on."""
JSON = ("--format", "json")
ALONE = ("--workers", "1")
SURE = ("--interval", "fast")
VARY = f"{COUNT}=4,8"
SAME: dict[str, tuple[Asked, tuple[str, ...]]] = {
    "run": (lambda p: p.run(seed=3), ("hdfs-terasort", *SET, "--seed", "3")),
    "run of several": (lambda p: p.run(replications=2), ("hdfs-terasort", *SET, "--replications", "2")),
    "capacity": (lambda p: p.capacity(interval="fast"), ("capacity", "hdfs-terasort", *SET, *SURE)),
    "durability": (lambda p: p.durability(seed=2), ("durability", "hdfs-terasort", *SET, "--seed", "2")),
    "lint": (lambda p: p.lint(), ("lint", "hdfs-terasort", *SET)),
    "sweep": (
        lambda p: p.sweep({COUNT: [4, 8]}, workers=1, interval="fast"),
        ("sweep", "hdfs-terasort", *SET, "--vary", VARY, *ALONE, *SURE),
    ),
    "size": (
        lambda p: p.size({COUNT: "4,8"}, ["duration <= 60 s"], minimize="drives", workers=1, interval="fast"),
        (
            *("size", "hdfs-terasort", *SET, "--vary", VARY, "--target", "duration <= 60 s", "--minimize", "drives"),
            *(*ALONE, *SURE),
        ),
    ),
    "sensitivity": (
        lambda p: p.sensitivity({COUNT: "8..12"}, samples=8, workers=1),
        ("sensitivity", "hdfs-terasort", *SET, "--input", f"{COUNT}=8..12", "--samples", "8", *ALONE),
    ),
    "compare": (
        lambda p: headroom.compare(
            [headroom.load(name, INPUT) for name in ("hdfs-terasort", "minio-terasort")],
            replications=1,
            workers=1,
            interval="fast",
        ),
        ("compare", "hdfs-terasort", "minio-terasort", *SET[:2], "--replications", "1", *ALONE, *SURE),
    ),
    "study": (
        lambda p: headroom.study("hdfs-outgrown", OUTGROWN, workers=1),
        ("capacity", "--study", "hdfs-outgrown", *(f"--set={key}={value}" for key, value in OUTGROWN.items()), *ALONE),
    ),
    "validate": (lambda p: headroom.validate("sizing", workers=1), ("validate", "--family", "sizing", *ALONE)),
    "profiles": (lambda p: headroom.profiles(), ("profiles",)),
    "profile": (lambda p: headroom.load("hdfs-terasort"), ("profiles", "hdfs-terasort")),
}


@pytest.mark.parametrize("question", SAME)
def test_an_answer_is_what_the_command_prints(
    simulate: Callable[..., str], small: headroom.Profile, question: str
) -> None:
    asked, words = SAME[question]
    answer = asked(small)
    assert answer.to_json() == simulate(*words, *JSON)
    assert f"{answer}" == simulate(*words) or question == "size"  # of which the terminal shows fewer options
    assert answer.to_frame().shape[0] > 0 or question == "lint"
    assert "<" in answer._repr_html_()
    assert vars(pickle.loads(pickle.dumps(answer))) == vars(answer)


def test_attributes_are_plain_and_typed(small: headroom.Profile) -> None:
    run = small.run()
    assert (run.duration, run.bottleneck.resource) == (run.data["duration_s"], run.data["bottleneck"]["resource"])
    assert [stage.end for stage in run.stages] == [stage["end_s"] for stage in run.data["stages"]]
    assert run.metrics["throughput"].unit == "B/s"
    assert some(headroom.load("get-minio-nvme").run().requests[0].latency["p50"].value) > 0


def test_a_fault_of_the_program_has_no_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(headroom.HeadroomError, match=r"internal error: KeyError: 'nothing'") as caught:
        ask("nothing", str(ROOT), {})
    assert caught.value.problems == ()


REFUSED: dict[str, tuple[Callable[[headroom.Profile], object], tuple[str, ...]]] = {
    "profile": (lambda p: headroom.load("hdfs-terasrt"), ("hdfs-terasrt.toml",)),
    "setting": (
        lambda p: headroom.load("hdfs-terasort", {COUNT: "many", "storage.replicas": 3}),
        ("hdfs-terasort", "--set", f"{COUNT}=many", "--set", "storage.replicas=3"),
    ),
    "values": (lambda p: p.sweep({COUNT: "4..8"}), ("sweep", "hdfs-terasort", *SET, "--vary", f"{COUNT}=4..8")),
    "nothing varied": (lambda p: p.sweep({}), ("sweep", "hdfs-terasort", *SET)),
    "target": (
        lambda p: p.size({COUNT: "4"}, ["duraton <= 5 s"]),
        ("size", "hdfs-terasort", *SET, "--vary", f"{COUNT}=4", "--target", "duraton <= 5 s"),
    ),
    "family": (lambda p: headroom.validate("sizng"), ("validate", "--family", "sizng")),
    "study": (lambda p: headroom.check("no-such.toml"), ("check", "no-such.toml")),
}


@pytest.mark.parametrize("question", REFUSED)
def test_a_refusal_has_the_words_of_the_command_line_and_every_problem_as_data(
    simulate: Callable[..., str], small: headroom.Profile, question: str
) -> None:
    asked, words = REFUSED[question]
    with pytest.raises(headroom.HeadroomError) as caught:
        asked(small)
    if question != "profile":
        assert f"{caught.value}\n" == simulate(*words)
    assert len(caught.value.problems) == len(f"{caught.value}".splitlines())
    assert all(problem.expected and problem.message in f"{caught.value}" for problem in caught.value.problems)


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (lambda p: p.run(seed=-1), "seed: must be a whole number, at least 0 (got -1)"),
        (lambda p: p.run(replications=0), "replications: must be a whole number, at least 1 (got 0)"),
        (lambda p: p.run(tolerance=0.5), "tolerance: must be from 0 to 0.1% (got 0.5)"),
        (lambda p: p.size({COUNT: "4"}, "duration <= 5 s"), "targets: is a list of texts; write ['duration <= 5 s']"),
        (lambda p: headroom.load("x", {COUNT: WRONG}), f"{COUNT}: expected a text or a number"),
        (lambda p: headroom.compare([p, p]), "compare: scenarios need names of their own; name them: "),
        (lambda p: headroom.study("hdfs-terasort"), "study: expected a study that ships"),
        (lambda p: p.run().to_frame("stage"), "part: is no table; name one of bottleneck"),
    ],
)
def test_wrong_arguments_are_refused_with_the_way_out(small: headroom.Profile, asked: Asked, text: str) -> None:
    with pytest.raises(headroom.HeadroomError) as caught:
        asked(small)
    assert f"{caught.value}".startswith(text)


def test_without_pandas_only_the_data_frame_is_refused(
    small: headroom.Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported = builtins.__import__

    def without_pandas(name: str, *rest: Any) -> ModuleType:
        if name == "pandas":
            raise ImportError(name)
        return imported(name, *rest)

    run = small.run()
    monkeypatch.setattr(builtins, "__import__", without_pandas)
    with pytest.raises(headroom.HeadroomError, match="pandas: is not installed; install it with: pip install pandas"):
        run.to_frame()
    assert run.data["schema"] == "headroom.run/1"


def test_progress_is_told(small: headroom.Profile) -> None:
    told = []
    small.sweep({COUNT: [3, 5]}, store=":memory:", workers=1, on_done=lambda done, total: told.append((done, total)))
    assert told[-1] == (2, 2)


@pytest.mark.parametrize("module", [headroom, headroom.profile], ids=lambda module: module.__name__)
def test_examples_of_docstrings_run(module: ModuleType) -> None:
    tests = [test for test in doctest.DocTestFinder().find(module) if test.examples]
    assert tests
    for test in tests:
        run_examples(test)


@pytest.mark.parametrize("name", ["README.md", "docs/python.md"])
def test_examples_of_a_page_run(name: str) -> None:
    page = (ROOT / name).read_text(encoding="utf-8")
    text = "".join(re.findall(r"^```pycon\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    run_examples(doctest.DocTestParser().get_doctest(text, {}, name, name, 0))


def run_examples(test: doctest.DocTest) -> None:
    told: list[str] = []
    doctest.DocTestRunner().run(test, out=told.append)
    assert told == []


@pytest.mark.parametrize(
    ("settings", "value", "expected", "way_out"),
    [
        ({COUNT: "many"}, "'many'", "expected a whole number", ""),
        ({"storage.replicaton": 3}, "", "unknown key", "did you mean 'replication'?"),
        (
            {"storage.replication": 50},
            "50",
            "needs as many servers, group 'workers' has 12",
            "lower it or add servers",
        ),
    ],
)
def test_a_problem_is_taken_apart(settings: dict[str, str | int], value: str, expected: str, way_out: str) -> None:
    with pytest.raises(headroom.HeadroomError) as caught:
        headroom.load("hdfs-terasort", settings)
    (problem,) = caught.value.problems
    assert (problem.found, problem.way_out) == (value, way_out)
    assert problem.expected == expected


PLAN = """kind = "plan"
title = "A store"
prices = "on-premises-2024"
[requirements]
start = "2027-01-01"
stored = "100 TB"
[candidates.HDFS]
storage = "hdfs"
servers = "hdd-25gbe"
count = "4,6"
failures = { use = "hdd", fill = 0.0001 }
"""


def test_a_plan_is_answered_as_by_the_command_line_and_as_a_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, encoding="utf-8")
    plan = headroom.plan(path, workers=1)
    assert execute(["plan", f"{path}", "--format", "json", "--workers", "1", "--interval", "none"]) == 0
    assert plan.to_json() == capsys.readouterr().out
    cheaper = as_a(headroom.Plan, headroom.study(path, {"prices.discount": "50 %"}, workers=1))
    assert plan.best == cheaper.best == "HDFS"
    cost = [answer.candidates[0]["option"]["measures"]["cost_over_3_years"]["value"] for answer in (plan, cheaper)]
    assert cost[0] > cost[1]
