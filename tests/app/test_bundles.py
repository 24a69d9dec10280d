"""A bundle is made again by anybody, in any folder, with the command that stands in it."""

from __future__ import annotations

import re
import shlex
import zipfile
from pathlib import Path

import pytest

from tests.app.conftest import Type
from tests.app.plans import HEAD, written

STORE = (
    HEAD
    + """\
stored = "100 TB"
power = "30 kW"
rack_units = 40
carbon = "50 t"

[candidates.HDFS]
storage = "hdfs"
servers = "hdd-25gbe"
count = "4,8"

[candidates.MinIO]
storage = "minio"
servers = "hdd-25gbe"
count = "4,8"
"""
)
SECOND = """
[candidates.plan]
storage = "minio"
servers = "hdd-25gbe"
count = "8"
"""


def unpacked(bundle: Path, folder: Path) -> list[str]:
    """Unpack a bundle into a folder, and return the words of the command that stands in it."""
    with zipfile.ZipFile(bundle) as files:
        files.extractall(folder)
    lines = (folder / "README.txt").read_text().splitlines()
    return shlex.split(next(line for line in lines if line.startswith("    simulate ")))[1:]


@pytest.mark.parametrize(
    "changed",
    [(), ("--set", "prices.discount=30%", "--set", "storage.block_size=64 MiB"), ("--interval", "none")],
)
def test_the_bundle_of_a_plan_is_made_again_byte_for_byte(
    type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: tuple[str, ...]
) -> None:
    mine, yours = tmp_path / "mine", tmp_path / "yours"
    mine.mkdir()
    (mine / "rank.toml").write_text(STORE)
    bundle = mine / "offer.zip"
    assert type_("plan", f"{mine / 'rank.toml'}", *changed, "--report", f"{bundle}").status == 0
    words = unpacked(bundle, yours)
    monkeypatch.chdir(yours)
    again = ["again.zip" if word == "report.html" else word for word in words]
    assert type_(*again).status == 0
    assert (yours / "again.zip").read_bytes() == bundle.read_bytes()
    assert f"{tmp_path}" not in (yours / "report.json").read_text()


def test_the_bundle_of_a_plan_holds_the_parts_that_it_took_and_no_other_file_that_it_names(
    type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, yours = tmp_path / "mine", tmp_path / "yours"
    (mine / ".ssh").mkdir(parents=True)
    (mine / ".ssh" / "id_rsa").write_text("a secret")
    (mine / "token.toml").write_text('token = "a secret"')
    (mine / "latin.toml").write_bytes(b"\xff")
    (mine / "base.toml").write_text('extends = "minio"\nparity = 2\n')
    (mine / "minio.toml").write_text('extends = "base.toml"\nrequest_time = "8 ms"\n')
    named = 'customer = ".ssh/id_rsa"\nauthor = "token.toml"\noffer = "latin.toml"\n'
    text = STORE.replace("[requirements]", f"{named}[requirements]", 1)
    text = text.replace('storage = "minio"', 'storage = "minio.toml"') + SECOND
    (mine / "rank.toml").write_text(text)
    bundle = mine / "offer.zip"
    assert type_("plan", f"{mine / 'rank.toml'}", "--report", f"{bundle}").status == 0
    words = unpacked(bundle, yours)
    made = {"README.txt", "report.html", "report.json", "plan.toml", "minio-found.toml", "plan-found.toml", "hdfs.toml"}
    assert {path.name for path in yours.iterdir()} == {*made, "minio.toml", "base.toml"}
    monkeypatch.chdir(yours)
    assert type_(*words).status == 0


def test_the_question_of_a_plan_names_every_limit(type_: Type, tmp_path: Path) -> None:
    assert type_("plan", written(tmp_path, STORE), "--report", f"{tmp_path / 'offer.md'}").status == 0
    text = (tmp_path / "offer.md").read_text()
    assert "for at most 30 kW, 40 rack units and 50 t of CO2 a year." in text
    assert "Nothing was run: closed forms decide" in text
    assert "limited by nothing, for" not in text


def test_the_bundle_of_a_run_says_with_what_it_was_made_and_gives_the_run_and_its_interval_again(
    type_: Type, tmp_path: Path
) -> None:
    bundle = tmp_path / "run.zip"
    options = ("--seed", "3", "--replications", "2", "--interval", "fast")
    small = ("--set", "workload.input=1 GB", "--set", "workload.reduces=48")
    made = type_("hdfs-terasort", *small, *options, "--report", f"{bundle}")
    words = unpacked(bundle, tmp_path)
    assert words == ["profile.toml", *options, "--report", "report.html"]
    text = (tmp_path / "profile.toml").read_text()
    assert "outcome" not in text  # what was documented is not of what was changed
    again = type_(f"{tmp_path / 'profile.toml'}", *options)
    assert (made.status, again.status) == (0, 0)
    for told in (r"^Duration .*(?=, likely)", r"likely .*"):
        first, second = (re.findall(told, ended.out, re.MULTILINE) for ended in (made, again))
        assert first == second != []
