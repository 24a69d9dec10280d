"""The documentation is true: its commands run, its links lead somewhere, its names exist, its numbers are today's.

In README.md and docs/*.md

- a block ```console is carried out: each `$ simulate ...` must end with status 0 (```console exit N: with N) and begin
  as the lines below it say, up to a line "...", which tell intervals or do not;
- a block ```toml profile is a whole profile, ```toml drive and ```toml server are parts; other TOML need only parse.
  A first line `# NAME.toml` names the file under which the commands of the page find it;
- a calculation in backticks, followed by `= 12.3` or by a cell with a number, comes to that number.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from app.cli.main import execute
from models.hardware.drive import Drive
from models.hardware.server import Server
from models.planning.study import FOLDER
from models.scenario import Scenario
from profiles.loading.catalog import PROFILES, SHIPPED
from profiles.loading.loader import load
from profiles.shipped.outcomes import documented, families
from tests.extent import IS_WHOLE
from tests.test_floors import FLOORS

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
MODELS = {"profile": Scenario, "drive": Drive, "server": Server}
CODE = ("app", "headroom", "models", "profiles", "simulator")
PARTS = (*CODE, "docs", "tests")
LENGTH = 330  # lines of a page that was written by hand
NEAR = 0.02  # numbers in prose are rounded, and need not be changed for every second that a model moves
STALE = 0.005  # what a number of the validation page may move before the page is to be written anew
WHOLE = 0.8  # per cent: README rounds to whole ones
ANEW = "write them anew: make docs"
# The clusters that others published take minutes.
FAMILIES = [name for name in families() if name != "published" or IS_WHOLE]
LEGEND = 5  # last words of a picture

pytestmark = pytest.mark.usefixtures("one_process_unless_asked")
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
Type = Callable[..., tuple[int, str]]


@dataclass(frozen=True)
class Block:
    """A fenced block: the words behind the fence, and the lines in it."""

    kind: tuple[str, ...]
    lines: tuple[str, ...]


def blocks(page: Path) -> list[Block]:
    fenced = re.findall(r"^```([^\n]*)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [Block(tuple(kind.split()), tuple(text.splitlines())) for kind, text in fenced]


def prose(page: Path) -> str:
    """Return a page without its fenced blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def quoted(page: Path) -> list[str]:
    """Return what stands in backticks, outside of blocks."""
    return re.findall(r"`([^`\n]+)`", prose(page))


def commands(block: Block) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the words of each command of a block, and the lines that it shows below."""
    starts = [at for at, line in enumerate(block.lines) if line.startswith("$ ")]
    for start, end in pairwise([*starts, len(block.lines)]):
        shown = list(block.lines[start + 1 : end])
        yield shlex.split(block.lines[start][2:]), shown[: shown.index("...")] if "..." in shown else shown


def files(page: Path) -> Iterator[tuple[str, Block]]:
    """Yield the TOML blocks of a page that name their file."""
    for block in blocks(page):
        name = re.fullmatch(r"# ([\w-]+\.toml)", block.lines[0])
        if block.kind[:1] == ("toml",) and name:
            yield name[1], block


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a new current directory in which the measurements lie that pages refer to."""
    shutil.copytree(SHIPPED.root / "measurements", tmp_path / "profiles" / "library" / "measurements")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def type_(capfd: pytest.CaptureFixture[str]) -> Type:
    """Return a function that carries out `simulate` with some words, and returns its status and what it printed."""

    def carry_out(*words: str) -> tuple[int, str]:
        capfd.readouterr()
        status = execute(words)
        return status, "".join(capfd.readouterr())

    return carry_out


def lay_out(page: Path, desk: Path) -> None:
    """Write the files of a page."""
    for name, block in files(page):
        (desk / name).write_text("\n".join(block.lines) + "\n", encoding="utf-8")


@each_page
def test_commands_of_a_page_run_and_begin_as_it_shows(
    page: Path, desk: Path, type_: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(page, desk)
    kinds = {("console",), ("sh",)} | ({("console", "long")} if IS_WHOLE else set())
    for block in [block for block in blocks(page) if block.kind in kinds or block.kind[:2] == ("console", "exit")]:
        status = int(block.kind[2]) if block.kind[1:2] == ("exit",) else 0
        for words, shown in commands(block):
            if words[0] == "simulate":
                is_sure = any("likely" in line for line in shown)
                monkeypatch.setenv("HEADROOM_INTERVAL", "fast" if is_sure else "none")
                ended, printed = type_(*words[1:])
                assert ended == status, f"{shlex.join(words)}\n{printed}"
                assert printed.splitlines()[: len(shown)] == shown, shlex.join(words)


@each_page
def test_profiles_and_parts_of_a_page_load(page: Path, desk: Path) -> None:
    lay_out(page, desk)
    named = {block: name for name, block in files(page)}
    for block in [block for block in blocks(page) if block.kind[:1] == ("toml",)]:
        tomllib.loads("\n".join(block.lines))
        if len(block.kind) > 1:
            load(desk / named[block], MODELS[block.kind[1]])


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_picture_of_the_window_in_the_repository_is_shown() -> None:
    shown = set(re.findall(r"screenshots/([\w-]+\.png)", "".join(page.read_text(encoding="utf-8") for page in PAGES)))
    assert shown == {picture.name for picture in (ROOT / "docs/screenshots").iterdir()}


@each_page
def test_links_of_a_page_lead_to_a_file_and_a_heading(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"https?:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


def test_the_reference_is_what_the_command_prints(type_: Type) -> None:
    page = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    assert type_("reference") == (0, page), "write it anew: make reference"


def keys() -> list[list[str]]:
    """Return the steps of every key of a profile, NAME where a name of the user's choice stands."""
    named, section = [], ""
    for line in (ROOT / "docs" / "reference.md").read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"## `([^`]+)`", line):
            section = heading[1]
        elif row := re.match(r"\| `([^`]+)` \|", line):
            named.append(f"{section}.{row[1]}".split("."))
    return named


def is_known(key: str, known: list[list[str]]) -> bool:
    """Tell whether a key, or a table that a key is in, is one of a profile's."""
    steps = key.split(".")
    return any(
        len(steps) <= len(path) and all(k in {"NAME", s} for k, s in zip(path, steps, strict=False)) for path in known
    )


@each_page
def test_keys_that_a_page_names_exist(page: Path) -> None:
    known = keys()
    text = re.sub(r"^```console exit.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    stated = set(re.findall(r"(?<![\w./-])((?:cluster|storage|client|workload)(?:\.[\w-]+)+)", text))
    stated |= {f"client.{key}" for key in re.findall(r"(?<![\w.])(fs\.s3a(?:\.\w+)+)", text)}
    assert [key for key in stated if not key.endswith((".toml", ".py", ".md")) and not is_known(key, known)] == []


@cache
def words_of_the_code() -> frozenset[str]:
    """Return every word with an underscore in the code."""
    code = (path.read_text(encoding="utf-8") for part in CODE for path in (ROOT / part).rglob("*.py"))
    return frozenset(word for text in code for word in re.findall(r"\w*_\w*", text))


@each_page
def test_files_profiles_and_words_of_the_code_that_a_page_names_exist(page: Path) -> None:
    names = {name for folder in PROFILES for name in SHIPPED.names(folder)}
    for words in quoted(page):
        if re.fullmatch(rf"({'|'.join(PARTS)})(/[\w.*-]+)+/?", words):
            assert list(ROOT.glob(re.sub(r"\b[A-Z]+\b", "*", words.rstrip("/")))), words
        if re.fullmatch(r"(hdfs|minio)-[a-z]+", words):
            assert words in names, words
        for word in re.findall(r"(?<![\w./-])[a-z]+(?:_[a-z0-9]+)+(?![\w./(-])", words):
            assert word in words_of_the_code()
    for name in re.findall(r"--profile ([a-z][\w-]+)(?![\w.-])", page.read_text(encoding="utf-8")):
        assert name in names, name
    for name in re.findall(r"--study ([a-z][\w-]+)(?![\w.-])", page.read_text(encoding="utf-8")):
        assert name in SHIPPED.names(FOLDER), name


@each_page
def test_calculations_of_a_page_come_to_what_it_says(page: Path) -> None:
    number = r"([\d.]+)"
    arithmetic = r"`([\d.e+*/() -]+)`"
    for calculation, result in re.findall(rf"{arithmetic}(?: = | \| ){number}", prose(page)):
        value = eval(calculation, {"__builtins__": {}})
        assert value == pytest.approx(float(result), rel=0.005), calculation


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows(page: Path, heading: str) -> list[list[str]]:
    """Return the rows of all tables of a page whose first column has a heading."""
    tables = re.findall(
        rf"^\| {heading} \|.*\n\|[-:|]+\|\n((?:\|.*\n)*)", page.read_text(encoding="utf-8"), re.MULTILINE
    )
    return [cells(line) for table in tables for line in table.splitlines()]


VALIDATION = ROOT / "docs" / "validation.md"


def records(page: Path, heading: str) -> list[dict[str, str]]:
    """Return the rows of all tables of a page whose first column has a heading, by the titles of their columns."""
    listed: list[dict[str, str]] = []
    table_of = re.compile(rf"^\| {heading} \|.*\n\|[-:|]+\|\n(?:\|.*\n)+", re.MULTILINE)
    for table in table_of.findall(page.read_text(encoding="utf-8")):
        titles, _, *lines = table.splitlines()
        listed += [dict(zip(cells(titles), cells(line), strict=True)) for line in lines]
    return listed


def percent(cell: str) -> float:
    return float(cell.removesuffix(" %"))


def test_the_readme_sums_up_every_family_of_the_validation_page() -> None:
    page = {re.sub(r"[\[\]]|\(.*\)", "", row["family"]): row for row in records(VALIDATION, "family")}
    readme = {row["family"].strip("`"): row for row in records(ROOT / "README.md", "family")}
    assert list(readme) == list(page)
    for name, row in readme.items():
        full = page[name]
        assert (row["what"], row["outcomes"]) == (full["what"], full["outcomes"]), name
        assert row["fitted or chosen"] == full["fitted or chosen"].split()[0], name
        for title in ("mean error", "worst", "mean left out"):
            if full[title] == "not run":
                assert row[title] == "not run", (name, title)
                continue
            assert percent(row[title]) == pytest.approx(percent(full[title]), abs=WHOLE), (name, title)


def alike(shown: str, again: str) -> bool:
    """Tell whether two cells say the same, but for what a number may move before it is to be written anew."""
    number = r"[-+]?\d+(?:\.\d+)?"
    pairs = zip(re.findall(number, shown), re.findall(number, again), strict=False)
    same = re.sub(number, "0", shown) == re.sub(number, "0", again)
    return same and all(float(a) == pytest.approx(float(b), rel=STALE, abs=100 * STALE) for a, b in pairs)


def words(picture: Path) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)", picture.read_text(encoding="utf-8"))


def test_validation_page_has_every_family_and_outcome() -> None:
    known = [outcome.id for outcome in documented().values() if outcome.role != "input"]
    assert sorted(row["outcome"] for row in records(VALIDATION, "outcome")) == sorted(known), ANEW
    assert len(records(VALIDATION, "family")) == len(families()), ANEW


@pytest.mark.parametrize("family", FAMILIES)
def test_validation_page_and_picture_are_what_validate_writes(family: str, type_: Type, tmp_path: Path) -> None:
    page, picture = tmp_path / "validation.md", tmp_path / "parity.svg"
    arguments = ("--family", family, "--format", "json", "--markdown", str(page), "--svg", str(picture))
    _, printed = type_("validate", *arguments)
    known = [outcome.id for outcome in documented().values() if outcome.role != "input" and outcome.family == family]
    assert sorted(outcome["id"] for outcome in json.loads(printed)["outcomes"]) == sorted(known)
    for heading in ("family", "outcome", "fitted number"):
        shown = {row[heading]: row for row in records(VALIDATION, heading)}
        stale = [
            (title, shown[row[heading]][title], row[title])
            for row in records(page, heading)
            for title in row
            if "left out" not in title and title != "targets" and not alike(shown[row[heading]][title], row[title])
        ]
        assert stale == [], ANEW
    drawn, whole = words(picture)[:-LEGEND], words(ROOT / "docs/images/parity.svg")
    starts = range(len(whole) - len(drawn) + 1)
    assert any(all(map(alike, whole[start:], drawn)) for start in starts), ANEW


def test_runs_by_hand_stand_beside_what_validate_finds() -> None:
    outcomes = records(VALIDATION, "outcome")
    simulated = {row["profile"].strip("`"): float(row["simulated"].split()[0].replace(",", "")) for row in outcomes}
    for run in rows(ROOT / "docs" / "models.md", "run"):
        assert float(run[-1]) == pytest.approx(simulated[run[0].strip("`")], rel=NEAR), run[0]


def test_assumptions_move_the_results_as_the_readme_says(type_: Type) -> None:
    for *_, instead, run, result in rows(ROOT / "README.md", "not documented"):
        setting = instead.strip("`")
        status, out = type_("--profile", run.strip("`"), "--set", setting, "--format", "csv")
        assert status == 0, setting
        duration = float(re.search(r"^run,[^,]*,duration,([\d.]+),s$", out, re.MULTILINE)[1])
        assert float(result.split()[0]) == pytest.approx(duration, rel=NEAR), setting


def test_the_readme_has_the_import_table_that_is_tested() -> None:
    for package, ours, outside in rows(ROOT / "README.md", "package"):
        floor = FLOORS[package.strip("`")]
        assert set(re.findall(r"[\w.]+", ours)) == floor.ours, package
        assert set(re.findall(r"\w+", outside)) == floor.outside, package


@each_page
def test_pages_are_short(page: Path) -> None:
    assert page.stem in {"reference", "validation"} or len(page.read_text(encoding="utf-8").splitlines()) <= LENGTH
