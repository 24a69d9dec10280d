"""Every answer says what it was asked: profile, changes, seed, version, and all of the profile, to be asked again."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from profiles.text.dump import dump
from tests.app.conftest import Type

GROWN = ("capacity", "growth-hdfs", "growth.months=12")
RATED = ("durability", "durability-hdfs", "failures.drive_failures_per_year=5 %/y")


@pytest.mark.parametrize(("command", "profile", "setting"), [GROWN, RATED])
def test_an_answer_says_what_was_asked_and_can_be_asked_again(
    type_: Type, tmp_path: Path, command: str, profile: str, setting: str
) -> None:
    data = json.loads(type_(command, profile, "--set", setting, "--seed", "3", "--format", "json").out)
    assert (data["profile"], data["seed"], data["version"]) == (profile, 3, version("headroom"))
    assert data["settings"] == dict([setting.split("=")])
    path = tmp_path / "again.toml"
    path.write_text(dump(data["resolved"]), encoding="utf-8")
    again = json.loads(type_(command, str(path), "--seed", "3", "--format", "json").out)
    named = {"title", "profile", "settings", "sources"}
    assert {k: v for k, v in again.items() if k not in named} == {k: v for k, v in data.items() if k not in named}


@pytest.mark.parametrize(("command", "profile", "setting"), [GROWN, RATED])
def test_a_title_says_that_the_profile_was_changed(type_: Type, command: str, profile: str, setting: str) -> None:
    title = json.loads(type_(command, profile, "--format", "json").out)["title"]
    changed = type_(command, profile, "--set", setting).out
    assert changed.splitlines()[0] == f"{title}, changed"
