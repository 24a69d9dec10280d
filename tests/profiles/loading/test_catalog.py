"""What ships: names and titles, without validating anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.scenario import ProfileInfo, Scenario
from profiles.loading import catalog
from profiles.loading.catalog import Catalog
from profiles.loading.loader import load


@pytest.fixture
def shipped(tmp_path: Path) -> Catalog:
    files = {
        "benchmarks/sort.toml": 'nonsense = 1\n[profile]\ntitle = "Sort"\nfamily = "mapreduce"\noutcome = "sort/1"',
        "benchmarks/copy.toml": '[profile]\ntitle = "Copy"\nfamily = "copy"',
        "studies/plain.toml": "",
        "servers/h1.16xlarge.toml": "",
        "servers/notes.txt": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return Catalog(tmp_path)


def test_a_name_is_the_stem_of_a_file(shipped: Catalog) -> None:
    assert shipped.names("servers") == ("h1.16xlarge",)
    assert shipped.names("nowhere") == ()


def test_a_name_is_found_in_the_first_folder_that_has_it(shipped: Catalog) -> None:
    assert shipped.find("plain", ("benchmarks", "studies")) == shipped.root / "studies/plain.toml"
    assert shipped.find("../servers/h1.16xlarge", ("benchmarks",)) is None


def test_profiles_are_described_by_family_and_name(shipped: Catalog) -> None:
    listed = [(entry.name, entry.family, entry.title, entry.documented) for entry in shipped.describe()]
    assert listed == [("plain", "", "", ()), ("copy", "copy", "Copy", ()), ("sort", "mapreduce", "Sort", ("sort/1",))]


def test_a_file_is_shown_as_its_reader_knows_it(
    shipped: Catalog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path / "studies")
    assert shipped.shown(shipped.root / "benchmarks/sort.toml") == "benchmarks/sort.toml"
    assert Catalog(tmp_path / "servers").shown(Path.cwd() / "mine.toml") == "mine.toml"
    assert shipped.shown(Path("/elsewhere/mine.toml")) == "/elsewhere/mine.toml"


def test_every_shipped_profile_has_a_title_and_a_family() -> None:
    assert [entry.name for entry in catalog.describe() if not (entry.title and entry.family)] == []


def test_a_profile_of_ones_own_does_not_join_the_family_that_it_extends(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('extends = "hdfs-sort"\n[profile]\ntitle = "Mine"\n', encoding="utf-8")
    assert load(mine, Scenario).scenario.profile == ProfileInfo(title="Mine", family="study")


def test_every_shipped_profile_is_of_the_family_that_it_states() -> None:
    stated = {entry.name: entry.family or "study" for entry in catalog.describe()}
    assert {name: load(name, Scenario).scenario.profile.family for name in stated} == stated


def test_no_shipped_request_is_named_by_what_another_does() -> None:
    """A profile that extends another one may turn reads into writes, whose answer then names what is written."""
    actions = {"GET", "PUT", "LIST", "DELETE", "HEAD"}
    for entry in catalog.describe():
        scenario = load(entry.name, Scenario).scenario
        for part in scenario.each().values():
            for name, operation in getattr(part.workload, "mix", {}).items():
                assert name not in actions or name == operation.action.upper(), entry.name


def test_what_ships_is_read_once() -> None:
    assert catalog.describe() is catalog.describe()
