"""`simulate profiles`, `check` and `reference`: what ships, what is sound, and what can be said."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from app.planning.checking import title_of
from app.planning.listing import shown
from app.planning.loading import choose
from app.reports.document import MISSING
from models.planning.study import COMMANDS, KINDS
from models.quantity import Model
from models.units import parse
from profiles.loading.catalog import SHIPPED, StudyEntry, describe, names, studies
from tests.app.conftest import Type


def test_the_list_names_every_profile_with_its_title_and_what_is_documented(type_: Type) -> None:
    lines = type_("profiles").out.splitlines()
    for entry in describe():
        (line,) = [line for line in lines if line.startswith(f"{entry.name} ")]
        assert entry.title in line
        assert line.endswith(f" {MISSING}") != bool(entry.documented)
    assert "mapreduce" in lines


def test_the_list_as_json_has_a_schema_and_the_documented_outcomes(type_: Type) -> None:
    data = json.loads(type_("profiles", "--format", "json").out)
    assert data["schema"] == "headroom.profiles/1"
    assert [profile["name"] for profile in data["profiles"]] == [entry.name for entry in describe()]
    (terasort,) = [profile for profile in data["profiles"] if profile["name"] == "hdfs-terasort"]
    assert terasort == {
        "name": "hdfs-terasort",
        "family": "mapreduce",
        "title": "TeraSort 1 TB on HDFS, 3 replicas, 12 h1.16xlarge",
        "documented": {"id": "mapreduce/hdfs/terasort", "metric": "duration", "value": 1005.0, "unit": "s"},
        "further_documented": [],
    }
    assert "h1.16xlarge" in data["parts"]["hardware/servers"]


def test_a_profile_that_reproduces_two_numbers_shows_both(type_: Type) -> None:
    (listed,) = [line for line in type_("profiles").out.splitlines() if line.startswith("hepix-gpfs-20 ")]
    assert listed.endswith(" 168,381; 171 MB/s")
    about = " ".join(type_("profiles", "hepix-gpfs-20").out.split("\n\n")[1].splitlines())
    text = "documented events 168,381 (hepix/gpfs/20/events), read rate 171 MB/s (hepix/gpfs/20/read-rate)"
    assert about == f"family hepix, {text}"


def test_a_profile_that_reproduces_many_numbers_counts_them_in_a_short_row(type_: Type) -> None:
    (listed,) = [line for line in type_("profiles").out.splitlines() if line.startswith("tpch-minio-nvme ")]
    assert listed.endswith("  58.14 s; 48.37 s and 21 more")


@pytest.mark.parametrize("name", [entry.name for entry in describe()])
def test_a_shown_profile_has_a_source_or_the_word_default_beside_every_number(type_: Type, name: str) -> None:
    shown = type_("profiles", name).out
    rows = re.findall(r"^([a-z][\w.]+\.[\w.]+) +(.+?) +(\[\d+\]|default|-)$", shown, re.MULTILINE)
    assert len(rows) > 30
    assert [key for key, value, source in rows if source == "-" and value[0].isdigit()] == []
    assert max(map(len, shown.splitlines())) <= 100


def test_a_shown_profile_gives_values_as_typed_and_defaults_in_round_units(type_: Type) -> None:
    shown = type_("profiles", "minio-terasort").out
    values = dict(re.findall(r"^([a-z][\w.]+\.[\w.]+) +(.+?) +(?:\[\d+\]|default)$", shown, re.MULTILINE))
    assert values["workload.input"] == "1 TB"
    assert values["client.fs.s3a.multipart.size"] == "512 MiB"
    assert values["cluster.groups.compute.server.nic.flow_bandwidth"] == "unlimited"
    assert values["storage.bay"] == "data"


def test_a_shown_profile_as_json_gives_each_value_as_typed_and_in_its_unit(type_: Type) -> None:
    data = json.loads(type_("profiles", "hdfs-terasort", "--format", "json").out)
    assert data["schema"] == "headroom.profile/1"
    values = {value["key"]: value for value in data["values"]}
    bandwidth = values["cluster.groups.workers.server.bays.data.drive.read_bandwidth"]
    assert bandwidth["unit"] == "B/s"
    assert bandwidth["value"] == parse(bandwidth["typed"], "B/s")
    assert bandwidth["source"]["kind"] == "measured"
    assert values["cluster.network.racks"] == {
        **{"key": "cluster.network.racks", "value": 1, "unit": None, "typed": None, "default": True, "source": None}
    }


def test_every_shipped_profile_checks_as_sound(type_: Type) -> None:
    names = [entry.name for entry in describe()]
    ended = type_("check", *names)
    assert ended.status == 0
    assert ended.out.splitlines() == [f"ok  {entry.name}: {entry.title}" for entry in describe()]


FOLDERS = (
    "clients",
    "clusters",
    "frameworks",
    "hardware/drives",
    "hardware/processors",
    "hardware/servers",
    "storage",
    "workloads",
)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_shipped_part_checks_as_what_its_folder_says(type_: Type, folder: str) -> None:
    files = {name: SHIPPED.root / folder / f"{name}.toml" for name in names(folder)}
    ended = type_("check", *(str(path) if path.is_file() else name for name, path in files.items()))
    assert ended.err == ""
    assert {line.split(": ")[1].split(",")[0] for line in ended.out.splitlines()} == {f"a part for {folder}"}


def test_a_part_in_no_folder_of_ours_is_told_by_its_keys(type_: Type, tmp_path: Path) -> None:
    for folder, name in (("hardware/drives", "h1-hdd"), ("storage", "minio"), ("clients", "s3a-staging")):
        path = tmp_path / f"my-{name}.toml"
        path.write_bytes((SHIPPED.root / folder / f"{name}.toml").read_bytes())
        assert type_("check", str(path)).out == f"ok  {path}: a part for {folder}\n"


def test_a_part_may_leave_keys_to_its_profile(type_: Type) -> None:
    ended = type_("check", "sort")
    assert ended.out == "ok  sort: a part for workloads, which leaves framework to its profile\n"


def test_a_part_that_is_checked_again_leaves_nothing_behind(tmp_path: Path) -> None:
    drive = tmp_path / "drive.toml"
    title_of(str(SHIPPED.root / "hardware" / "drives" / "h1-hdd.toml"))
    known = len(Model.__subclasses__())
    drive.write_text((SHIPPED.root / "hardware" / "drives" / "h1-hdd.toml").read_text(encoding="utf-8"))
    assert title_of(str(drive)) == "a part for hardware/drives"
    assert len(Model.__subclasses__()) == known, "a model of its own for each file would be kept for good"


def test_check_tells_all_that_is_wrong_with_a_part(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('technolgy = "hdd"\nread_bandwidth = "100 mb/s"\n')
    ended = type_("check", str(path))
    assert ended.status == 2
    assert f"{path}:1: technolgy: unknown key; did you mean 'technology'?\n" in ended.err
    assert f"{path}:2: read_bandwidth: expected a rate" in ended.err


def test_check_goes_through_all_files_and_lists_all_their_problems(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(
        'extends = "hdfs-terasort"\n[profile]\ntitle = "Broken"\n[workload]\ninput = "1 tb"\nreduces = -1\n'
    )
    ended = type_("check", "hdfs-sort", str(path), "hdfs-srt", "hdfs-wordcount")
    assert ended.status == 2
    assert [line.split(":")[0] for line in ended.out.splitlines()] == ["ok  hdfs-sort", "ok  hdfs-wordcount"]
    assert ended.err.splitlines() == [
        f"{path}:5: workload.input: expected a size such as '64 MiB' or '2 TB' (got '1 tb'); did you mean 'TB'"
        " or 'Tbit'?",
        f"{path}:6: workload.reduces: must be at least 0 (got -1)",
        "no profile is named 'hdfs-srt'; did you mean 'hdfs-sort'?",
    ]


def test_the_reference_has_a_row_for_every_key_that_a_profile_may_state(type_: Type) -> None:
    page = type_("reference").out
    sections = re.split(r"^## ", page, flags=re.MULTILINE)[1:]
    keys = {
        f"{section.split('`')[1]}.{key}"
        for section in sections
        for key in re.findall(r"^\| `([\w.]+)` \|", section, re.MULTILINE)
    }
    known = re.compile("|".join(re.escape(key).replace("NAME", r"\w+").replace(r"\.0", r"\.\d+") for key in keys))
    profiles = [shown(choose(entry.name)) for entry in describe()]
    for stated, is_left_out in {(value.key, value.value is None) for profile in profiles for value in profile.values}:
        general = re.sub(r"\.\d+$", "", stated)  # that of an item of a list is that of the list
        of_kind = re.sub(r"^workloads\.\d+\.", "workload.", general)  # one of many has the keys of its kind
        is_table = any(key.startswith((f"{general}.", f"{of_kind}.")) for key in keys)
        known_row = known.fullmatch(general) or known.fullmatch(stated) or known.fullmatch(of_kind)
        assert known_row or (is_left_out and is_table), general


def test_the_reference_tells_unit_default_and_bounds(type_: Type) -> None:
    lines = type_("reference").out.splitlines()
    assert (
        "| `fs.s3a.multipart.size` | B | Size of a part (fs.s3a.multipart.size); default: of `release`. | 64 MiB |"
        " ≥ 5 MiB, ≤ 5 GiB |" in lines
    )
    assert '## `storage`, system = "minio"' in lines
    assert "| `network.racks` | whole number | Racks over which each group is spread evenly. | 1 | ≥ 1 |" in lines


def test_the_list_names_the_studies_of_the_planner_with_the_command_of_each(type_: Type) -> None:
    text = type_("profiles").out
    assert "simulate compare --study hdfs-against-minio TeraSort on HDFS 3x against MinIO EC:4" in " ".join(
        text.split()
    )
    data = json.loads(type_("profiles", "--format", "json").out)
    assert {"cheapest-terasort": "size"}.items() <= {
        study["name"]: study["command"] for study in data["studies"]
    }.items()


@pytest.mark.parametrize("study", studies(), ids=lambda study: study.name)
def test_a_shown_study_says_how_it_is_run_and_every_key_of_its_file(type_: Type, study: StudyEntry) -> None:
    ended = type_("profiles", study.name)
    assert (ended.status, ended.err) == (0, "")
    about, command, table = ended.out.split("\n\n")
    assert " ".join(about.split()) == f"{study.name}: {study.title}"
    assert command == f"simulate {COMMANDS[KINDS[study.kind]]} --study {study.name}"
    data = json.loads(type_("profiles", study.name, "--format", "json").out)
    assert data["schema"] == "headroom.study/1"
    shown = {value["key"].split(".")[0] for value in data["values"] if not value["default"]}
    assert shown == set(data["resolved"])
    assert re.search(r"^(profile|scenarios\.\S.*\.profile|requirements\.start) +\S", table, re.MULTILINE)


def test_a_study_of_ones_own_is_shown_by_its_path(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('kind = "sweep"\ntitle = "Mine"\nprofile = "hdfs-sort"\nvary."workload.input" = "1 TB,2 TB"\n')
    assert f"simulate sweep --study {path}\n" in type_("profiles", str(path)).out


def test_the_reference_has_every_key_of_every_kind_of_study(type_: Type) -> None:
    page = type_("reference").out
    for model, command in COMMANDS.items():
        section = page.partition(f"## `simulate {command} --study FILE`")[2].partition("\n## ")[0]
        assert set(re.findall(r"^\| `(\w+)", section, re.MULTILINE)) == set(model.model_fields)


def test_the_page_on_profiles_lists_every_kind_of_part(type_: Type) -> None:
    declared = set(re.findall(r"^## `([^`]+)`.*\n\n.* May be named: a file in `([^`]+)`", type_("reference").out, re.M))
    page = (Path(__file__).parents[2] / "docs" / "profiles.md").read_text(encoding="utf-8")
    table = page.partition("\n## Parts\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \| `([^`]+)`", table, re.MULTILINE)
    assert {(key, folder) for keys, folder in rows for key in re.findall(r"`([^`]+)`", keys)} == declared
    listed = json.loads(type_("profiles", "--format", "json").out)["parts"]
    assert {f"profiles/library/{folder}" for folder in listed} == {folder for _, folder in declared}
