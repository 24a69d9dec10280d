"""A command takes its profile as a word or after --profile, and says so where it is given twice or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.cli.main import COMMANDS as ALL
from profiles.loading.catalog import PROFILES, names
from tests.app.conftest import Type

COMMANDS = {
    "": ("--seed", "1"),
    "capacity": (),
    "durability": (),
    "sweep": ("--vary", "cluster.groups.workers.count=12", "--workers", "1"),
    "size": ("--vary", "cluster.groups.workers.count=12", "--target", "usable >= 1 TB", "--workers", "1"),
}
PROFILE = "durability-hdfs"
SMALL = ("--set", "workload.input=1 GB", "--set", "workload.reduces=24", "--format", "json")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_profile_is_a_word_or_follows_its_option(type_: Type, command: str) -> None:
    named = (command,) if command else ()
    word = type_(*named, PROFILE, *COMMANDS[command], *SMALL)
    option = type_(*named, *COMMANDS[command], *SMALL, "--profile", PROFILE)
    assert (word.status, word.err) == (0, "")
    assert option == word


@pytest.mark.parametrize("command", [*COMMANDS, "sensitivity"])
def test_a_profile_that_is_given_twice_is_refused(type_: Type, command: str) -> None:
    named = (command,) if command else ()
    ended = type_(*named, PROFILE, "--profile", "growth-hdfs")
    assert ended.status == 2
    assert f"the profile is given twice, as '{PROFILE}' and as --profile 'growth-hdfs'" in ended.err


def test_a_profile_that_nothing_can_stand_for_is_missed(type_: Type) -> None:
    ended = type_("durability")
    assert ended.status == 2
    assert ended.err == "PROFILE: missing; see: simulate durability --help\n"


def test_options_may_stand_on_both_sides_of_a_profile_that_is_run(type_: Type) -> None:
    words = ("--seed", "3", PROFILE, *SMALL)
    assert type_(*words) == type_("--profile", PROFILE, *SMALL, "--seed", "3")
    twice = type_("--profile", "growth-hdfs", PROFILE)
    assert (twice.status, "the profile is given twice" in twice.err) == (2, True)


def test_a_file_is_run_by_its_name_and_a_command_of_that_name_wins(
    type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mine.toml", "check"):
        (tmp_path / name).write_text(f'extends = "{PROFILE}"\n')
    assert type_("mine.toml", *SMALL).out == type_("--profile", "mine.toml", *SMALL).out != ""
    assert "PATH...: missing" in type_("check").err


def test_no_shipped_profile_has_the_name_of_a_command() -> None:
    assert not {name for folder in PROFILES for name in names(folder)} & set(ALL)


@pytest.mark.parametrize("command", ["compare", "lint"])
def test_several_profiles_are_words_or_follow_their_options(type_: Type, command: str) -> None:
    small = ("--set", "workload.input=1 GB", "--set", "workload.reduces=24", "--format", "json")
    pair = ("hdfs-terasort", "hdfs-sort")
    words = type_(command, *pair, *small)
    assert type_(command, *(word for name in pair for word in ("--profile", name)), *small) == words
    assert words.out != ""
    mixed = type_(command, "hdfs-terasort", "--profile", "minio-terasort")
    assert "give the profiles either all as words or each after --profile" in mixed.err


def test_a_report_takes_its_profile_before_the_files_or_after_its_option(type_: Type, tmp_path: Path) -> None:
    one, other = str(tmp_path / "one.md"), str(tmp_path / "other.md")
    words = ("--set", "workload.input=1 GB", "--set", "workload.reduces=24", "--replications", "1", "--workers", "1")
    without = [word for name in ("comparison", "sensitivity", "validation") for word in ("--without", name)]
    assert type_("report", PROFILE, one, *words, *without).status == 0
    assert type_("report", "--profile", PROFILE, other, *words, *without).status == 0
    with open(one) as first, open(other) as second:
        assert first.read() == second.read()
    for missing in ((PROFILE,), ("--profile", PROFILE)):
        assert f"missing: a FILE after '{PROFILE}', whose suffix chooses the form" in type_("report", *missing).err
    assert "PROFILE FILE...: missing" in type_("report").err
