"""A command takes its profile as a word or after --profile, and says so where it is given twice or not at all."""

from __future__ import annotations

import pytest

COMMANDS = {
    "capacity": (),
    "durability": (),
    "sweep": ("--vary", "cluster.groups.workers.count=12", "--workers", "1"),
    "size": ("--vary", "cluster.groups.workers.count=12", "--target", "usable >= 1 TB", "--workers", "1"),
}
PROFILE = "durability-hdfs"
SMALL = ("--set", "workload.input=1 GB", "--format", "json")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_profile_is_a_word_or_follows_its_option(type_, command: str) -> None:
    word = type_(command, PROFILE, *COMMANDS[command], *SMALL)
    option = type_(command, *COMMANDS[command], *SMALL, "--profile", PROFILE)
    assert (word.status, word.err) == (0, "")
    assert option == word


@pytest.mark.parametrize("command", [*COMMANDS, "sensitivity"])
def test_a_profile_that_is_given_twice_is_refused(type_, command: str) -> None:
    ended = type_(command, PROFILE, "--profile", "growth-hdfs")
    assert ended.status == 2
    assert f"the profile is given twice, as '{PROFILE}' and as --profile 'growth-hdfs'" in ended.err


def test_a_profile_that_nothing_can_stand_for_is_missed(type_) -> None:
    ended = type_("durability")
    assert ended.status == 2
    assert "Missing argument" in ended.err
