"""What no hand has written: a file that is beyond bounds ends in a message with file and way out, and soon."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from models.planning.grid import axis
from models.problem import ProblemError, RefusalError, did_you_mean
from models.quantity import MOST
from models.scenario import Scenario
from models.units import parse
from profiles.loading import reader
from profiles.loading.loader import load, load_text
from profiles.loading.overrides import key_of
from profiles.text.toml import DEEPEST, LARGEST
from profiles.text.tree import dotted

BLANKS = " " * 60_000


def complaint(text: str) -> str:
    with pytest.raises(ProblemError) as error:
        load_text(text, Scenario)
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "way_out"),
    [
        (f"a = {'[' * 5000}{']' * 5000}", "take some away"),
        (f"a = {'{b = ' * 900}1{'}' * 900}", "take some away"),
        (f"[{'.'.join('a' * 3000)}]", "take some away"),
        (f"a = {'9' * 5000}", "shorten it"),
        (f"a = 1{'9' * 60_000}a b", "shorten it"),
        (f"[workload]\nreduces = 0x{'f' * 5000}", "shorten it"),
        (f"a = [{{ b = 0b{'1' * 20_000} }}]", "shorten it"),
        ("a = 1\n" * LARGEST, "make parts of it files of their own"),
        ('extends = "a\\u0000b"', "name another one"),
    ],
)
def test_a_file_beyond_the_bounds_is_refused_with_the_way_out(text: str, way_out: str) -> None:
    message = complaint(text)
    assert message.startswith("profile.toml")
    assert way_out in message


@pytest.mark.parametrize(
    "row", [f"a = 1{BLANKS}[x", f"a = 1{BLANKS}GB x'", f"{BLANKS}[a{BLANKS}]]", f"a{BLANKS}b", f"[{' ' * 900}\n" * 99]
)
def test_a_long_row_of_blanks_is_a_syntax_problem_like_any_other(row: str) -> None:
    assert complaint(row).startswith("profile.toml:1: TOML syntax")


def test_tables_within_each_other_are_read_down_to_the_bound() -> None:
    assert "take some away" not in complaint(f"[{'.'.join('a' * (DEEPEST - 1))}]")
    assert "take some away" in complaint(f"[{'.'.join('a' * DEEPEST)}]")


def test_of_thousands_of_problems_the_first_are_told() -> None:
    lines = complaint("".join(f"k{i} = 1\n" for i in range(3000))).splitlines()
    assert any("there are more than 500 problems" in line for line in lines)
    assert len(lines) < 600


def test_files_that_extend_each_other_without_end_are_refused(tmp_path: Path) -> None:
    for i in range(40):
        (tmp_path / f"{i}.toml").write_text(f'extends = "{i + 1}.toml"\n')
    with pytest.raises(ProblemError, match="more than 30 files lead here"):
        load(tmp_path / "0.toml", Scenario)


@pytest.mark.parametrize("use", ["hdd-25gbe", "m5.xlarge", "bays.toml"])
def test_a_small_profile_that_names_a_part_again_and_again_is_bounded_with_all_its_parts(
    use: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "MOST_VALUES", 1000)
    bays = "".join(f'[bays.b{i}]\ndrive = "hdd"\ncount = 1\n' for i in range(9))
    (tmp_path / "bays.toml").write_text(f'cpu = "epyc-7302"\nmemory = "64 GB"\nnic.bandwidth = "1 GB/s"\n{bays}')
    groups = (f'[cluster.groups.g{i}]\nserver = "{use}"\ncount = 1\n' for i in range(200))
    (tmp_path / "many.toml").write_text("".join(groups))
    with pytest.raises(ProblemError) as error:
        load(tmp_path / "many.toml", Scenario)
    (told,) = [problem for problem in error.value.problems if "name fewer, or smaller ones" in problem.message]
    assert (Path(told.file).name, told.key.split(".")[-1]) == ("many.toml", "server")


@pytest.mark.parametrize("name", ["x" * 300, "x" * 300 + ".toml", "x" * 5000])
def test_a_name_that_no_file_can_have_is_told_as_one_that_is_not_there(name: str) -> None:
    with pytest.raises(ProblemError, match="no file has this name, which is too long"):
        load(name, Scenario)
    assert did_you_mean(name, ["x" * 300]) == ""


def test_what_has_no_name_is_never_what_somebody_meant() -> None:
    assert did_you_mean("", ["", "a"]) == ""


@pytest.mark.parametrize("text", [f"1 G{BLANKS}Bx", f"{'1' * 60_000} GB", f"1{BLANKS}x"])
def test_a_long_quantity_is_refused_and_shown_in_short(text: str) -> None:
    with pytest.raises(RefusalError, match="expected a size") as error:
        parse(text, "B")
    assert len(str(error.value)) < 500


@pytest.mark.parametrize("text", ["1..1e400:log3", "1..2:log" + "9" * 5000, "9" * 5000 + "..10:1", "1..2:1e-400"])
def test_a_range_of_numbers_beyond_all_is_refused(text: str) -> None:
    with pytest.raises(RefusalError):
        axis("a", text)


def test_a_key_of_thousands_of_steps_is_none() -> None:
    assert key_of(".".join("a" * 5000)) is None


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        ({"workload.reduces": f"{MOST + 1}"}, "workload.reduces: must be at most 10,000,000"),
        ({"cluster.groups.workers.server.nic.bandwidth": "1 GB/s, 9"}, "expected a rate"),
        ({"cluster.groups.workers.server.nic.bandwidth": "0.000001 B/s"}, "beyond all scales, expected 0, or 1 B/s"),
        ({"workload.input": "9999999 EB"}, "beyond all scales, expected 0, or 0.001 B to"),
        ({"workload.map_output": "5e-324"}, r"beyond all scales, expected 0, or 1e-30 to 1e\+30 \(got 4.94066e-324\)"),
        ({"workload.framework.sort_factor": "1979-05-27"}, r"expected a whole number \(got 1979-05-27\)"),
    ],
)
def test_counts_and_scales_that_nothing_has_are_refused_by_their_key(setting: dict[str, str], text: str) -> None:
    with pytest.raises(ProblemError, match=text):
        load("hdfs-terasort", Scenario, setting)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=20), min_size=1, max_size=3))
def test_a_key_that_is_written_is_read_as_it_was(steps: list[str]) -> None:
    assert key_of(dotted(tuple(steps))) == tuple(steps)
