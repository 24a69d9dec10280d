"""What commands are asked: studies as files, what the command line changes of them, and what cannot be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.planning.asking import checked
from models.planning.study import FOLDER, KINDS, Sensitivity, Study
from profiles.loading.catalog import SHIPPED
from profiles.loading.loader import load
from tests.app.conftest import Type
from tests.app.plans import TEXT
from tests.narrow import some

COUNT = "cluster.groups.workers.count"
OWN = 'extends = "hdfs-terasort"\n[profile]\ntitle = "Mine"\n[workload]\ninput = "1 GB"\n'


@pytest.mark.parametrize("name", SHIPPED.names(FOLDER))
def test_a_shipped_study_is_of_a_kind_and_its_keys_are_those_of_its_profiles(type_: Type, name: str) -> None:
    ended = type_("check", name)
    assert (ended.status, ended.err) == (0, "")
    assert ended.out.startswith(f"ok  {name}: ")


def test_every_kind_of_study_ships_with_an_example() -> None:
    kinds = {load(name, model, folders=[FOLDER]).scenario.model_dump()["kind"] for name, model in shipped()}
    assert kinds == set(KINDS)


def shipped() -> list[tuple[str, type[Study]]]:
    from app.planning.studies import study_model

    return [(name, some(study_model(name))) for name in SHIPPED.names(FOLDER)]


@pytest.mark.parametrize(
    "words",
    [
        ("few.toml",),
        ("capacity", "few.toml"),
        ("compare", "few.toml", "hdfs-terasort"),
        ("sweep", "--profile", "few.toml", "--vary", "cluster.groups.servers.count=4,8"),
        ("size", "--profile", "few.toml", "--vary", "cluster.groups.servers.count=4,8", "--target", "servers <= 8"),
    ],
)
def test_a_study_in_the_place_of_a_profile_is_told_with_the_command_that_runs_it(
    type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("few.toml").write_text(TEXT, encoding="utf-8")
    ended = type_(*words)
    advice = "run it with: simulate plan --study few.toml; one of its candidates is a profile: few.toml#CANDIDATE"
    assert ended.status == 2
    assert ended.err == f"few.toml:2: kind: expected a profile (got a study of kind 'plan'); {advice}\n"


def test_what_is_wrong_with_choices_of_a_study_is_told_of_each_by_its_key(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(
        f'kind = "sensitivity"\ntitle = "Odd"\nprofile = "hdfs-terasort"\ninputs = {{ "{COUNT}" = "6..12" }}\n'
        '[choices.a]\n"storage.replicaton" = "2"\n[choices.b]\n"storage.replication" = "0"\n'
    )
    ended = type_("check", str(path))
    assert ended.status == 2
    assert "odd.toml:6: choices.a.storage.replicaton: unknown key; did you mean 'replication'?" in ended.err
    assert "odd.toml:8: choices.b.storage.replication: must be at least 1 (got 0)" in ended.err


@pytest.mark.parametrize("profile", ["../mine.toml", "neighbour", "neighbour.toml"])
def test_a_profile_of_a_study_is_looked_for_where_the_study_lies(
    type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, profile: str
) -> None:
    studies = tmp_path / "studies"
    studies.mkdir()
    (tmp_path / "mine.toml").write_text(OWN)
    (studies / "neighbour.toml").write_text(OWN)
    (studies / "few.toml").write_text(
        f'kind = "size"\ntitle = "Few"\nprofile = "{profile}"\n'
        f'targets = ["usable >= 1 TB"]\nvary = {{ "{COUNT}" = "4" }}\n'
    )
    monkeypatch.setenv("HEADROOM_PARTS", str(tmp_path))  # without it a study reaches what lies beside it and below
    monkeypatch.chdir(tmp_path)
    data = json.loads(type_("size", "--study", "studies/few.toml", "--workers", "1", "--format", "json").out)
    assert data["profile"] == ("mine.toml" if profile == "../mine.toml" else str(Path("studies/neighbour.toml")))
    monkeypatch.chdir(studies)
    assert type_("size", "--study", "few.toml", "--workers", "1").status == 0


def test_seed_0_of_the_command_line_replaces_the_seed_of_a_study(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    sides = "".join(f'[scenarios.{name}]\nprofile = "hdfs-terasort"\n' for name in ("a", "b"))
    path.write_text(
        f'kind = "compare"\ntitle = "Two"\nseed = 5\nreplications = 1\n[set]\n"workload.input" = "1 GB"\n{sides}'
    )
    words = ("compare", "--study", str(path), "--workers", "1", "--format", "json")
    assert json.loads(type_(*words).out)["seed"] == 5
    assert json.loads(type_(*words, "--seed", "0").out)["seed"] == 0


def test_set_of_the_command_line_goes_before_that_of_a_scenario(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(
        f"""kind = "compare"
title = "Two"
replications = 1
[set]
"workload.input" = "1 GB"
[scenarios.a]
profile = "hdfs-terasort"
set = {{ "{COUNT}" = "6" }}
[scenarios.b]
profile = "hdfs-terasort"
"""
    )
    words = ("compare", "--study", str(path), "--workers", "1", "--format", "json")
    assert json.loads(type_(*words).out)["inputs"] == {COUNT: ["6", "12"]}
    assert json.loads(type_(*words, "--set", f"{COUNT}=8").out)["inputs"] == {}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["size", "--study", "hdfs-against-minio"],
            "hdfs-against-minio: is of kind 'compare'; run it with: simulate compare --study hdfs-against-minio",
        ),
        (
            ["sweep", "--study", "terasort-servers", "--set", f"{COUNT}=12"],
            f"terasort-servers: vary: {COUNT}: is also set to one value; remove one of the two",
        ),
        (["plan", "cheapest-terasort"], "cheapest-terasort: is of kind 'size'; run it with: simulate size --study"),
        (["plan", "hdfs-terasort"], "hdfs-terasort: is a profile, and no plan; name a file of your own, or 'hdfs-or"),
        (["plan"], "PLAN: missing: name a file of your own, or 'hdfs-or-minio'"),
        (["sweep", "--study", "nosuch"], "no study is named 'nosuch'; there is terasort-servers\n"),
        (["plan", "nosuch"], "no study is named 'nosuch'; there are hdfs-or-minio, import-beside-nightly, rent-or-own"),
        (["sweep", "--study", "hdfs-terasort"], "no study is named 'hdfs-terasort', but a profile is; run it"),
        (
            ["sweep", "--profile", "hdfs-terasort", "--vary", f"{COUNT}=4", "--vary", f"{COUNT}=8"],
            f"--vary: {COUNT}: named twice; give all of its values at once",
        ),
    ],
)
def test_a_study_that_cannot_be_is_told_with_a_way_out(type_: Type, words: list[str], message: str) -> None:
    ended = type_(*words)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith(message)


SENSITIVITY = 'kind = "sensitivity"\ntitle = "t"\nprofile = "hdfs-teragen"\nsamples = 8\n'
UNSURE = '[inputs]\n"workload.cpu" = "1 ns/B..9 ns/B"\n'
SIDES = '[scenarios.a]\nprofile = "hdfs-teragen"\n[scenarios.b]\nprofile = "hdfs-teragen"\n'
COMPARE = f'kind = "compare"\ntitle = "t"\n{{}}{SIDES}'
MANY = '"storage.replication" = "99"\n'
TOO_MANY = "storage.replication: needs as many servers"


@pytest.mark.parametrize(
    ("study", "settings", "problems"),
    [
        (f"{SENSITIVITY}[set]\n{MANY}", (), [f"6: set.{TOO_MANY}"]),
        (f"{SENSITIVITY}[set]\n{MANY}", ("storage.replication=77",), [f"--set: {TOO_MANY}"]),
        (f"{SENSITIVITY}{UNSURE}[choices.b]\n{MANY}", (), [f"8: choices.b.{TOO_MANY}"]),
        (f"{SENSITIVITY}{UNSURE}[choices.b]\n{MANY}", ("storage.replication=2",), [f"8: choices.b.{TOO_MANY}"]),
        (f'{SENSITIVITY}[inputs]\n"storage" = "1..2"\n', (), ["6: inputs.storage: "]),
        (COMPARE.format(f"[set]\n{MANY}"), (), [f"4: set.{TOO_MANY}"]),
        (COMPARE.format("") + f"[scenarios.b.set]\n{MANY}", (), [f"8: scenarios.b.set.{TOO_MANY}"]),
        (COMPARE.format("") + f"[scenarios.b.set]\n{MANY}", ("storage.replication=77",), [f"--set: {TOO_MANY}"]),
        ('kind = "sweep"\ntitle = "t"\nprofile = "hdfs-teragen"\n[vary]\n"storage.repl" = "2,3"\n', (), ["5: vary.s"]),
    ],
)
def test_what_a_study_changes_wrongly_is_told_where_it_states_it(
    type_: Type, tmp_path: Path, study: str, settings: tuple[str, ...], problems: list[str]
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(study)
    command = study.split('"')[1]
    ended = type_(command, "--study", f"{path}", *(word for setting in settings for word in ("--set", setting)))
    assert (ended.status, ended.out) == (2, "")
    told = ended.err.strip().splitlines()
    starts = [problem if problem.startswith("--") else f"{path}:{problem}" for problem in problems]
    assert [line[: len(start)] for line, start in zip(told, starts, strict=True)] == starts


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ('[choices.few]\n"cluster.groups.workers.count" = "3"', "choices: are compared while inputs are uncertain"),
        (
            'inputs = { "workload.cpu" = "1 ns/B..2 ns/B" }\n[choices.none]\n"cluster.groups.workers.count" = "0"',
            "cluster.groups.workers.count: must be at least 1",
        ),
        ('sobol = 12\ninputs = { "workload.cpu" = "1 ns/B..2 ns/B" }', "sobol: expected a power of two such as 64"),
        ('inputs = { "workload.cpuu" = "1 ns/B..2 ns/B" }', "workload.cpuu: unknown key"),
        ('inputs = { "workload.cpu" = "1 ns/B" }', "inputs: workload.cpu: expected a range such as"),
        (
            'inputs = { "workload.cpu" = "1 ns/B..2 ns/B" }\n[choices.mine]\n"workload.cpu" = "1 ns/B"',
            "inputs: workload.cpu: is also set to one value; remove one of the two",
        ),
    ],
)
def test_check_finds_what_is_wrong_with_a_study(tmp_path: Path, changed: str, problem: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'kind = "sensitivity"\ntitle = "Mine"\nprofile = "hdfs-terasort"\n{changed}\n')
    with pytest.raises(ValueError, match=problem.replace("(", r"\(")):
        checked(Sensitivity, str(path))
