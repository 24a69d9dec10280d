"""`simulate report`: one document from the question to the profile, whole or not at all."""

from __future__ import annotations

import errno
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli import output
from app.planning.loading import choose
from app.planning.running import run
from app.reports.parts import Part
from profiles.text import dump
from tests.app.conftest import Type

SMALL = ("--set", "workload.input=5 GB", "--replications", "2", "--workers", "1", "--without", "validation")
FEW = ("--set", "workload.reduces=48")


Page = Callable[..., str]


@pytest.fixture
def page(type_: Type, tmp_path: Path) -> Page:
    """Return the text of a small report as a page of Markdown, with further words."""

    def write(*words: str) -> str:
        path = tmp_path / "plan.md"
        ended = type_("report", "hdfs-terasort", str(path), *SMALL, *FEW, *words)
        assert (ended.status, ended.out, ended.err) == (0, "", "")
        return path.read_text()

    return write


def headings(text: str) -> list[str]:
    return re.findall(r"^## (.*)$", text, re.MULTILINE)


def test_a_disk_that_fills_meanwhile_keeps_no_other_report_and_not_the_answer(
    type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, content: str | bytes) -> None:
        if path.suffix == ".html":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        path.write_bytes(content.encode() if isinstance(content, str) else content)

    monkeypatch.setattr(output, "write_whole", full)
    ended = type_("report", "hdfs-terasort", str(tmp_path / "a.html"), str(tmp_path / "a.md"), *SMALL, *FEW)
    assert (ended.status, ended.err) == (2, f"FILE: cannot write '{tmp_path / 'a.html'}': no space left on device\n")
    assert "The answer" in (tmp_path / "a.md").read_text()
    assert "THE ANSWER" in ended.out.upper()


def test_the_sections_stand_in_the_order_of_the_question(page: Page) -> None:
    text = page("--against", "minio-terasort", "--set", "prices=aws-on-demand-2019")
    assert headings(text) == [
        "The question",
        "The answer",
        "Beside the alternatives",
        "What limits it, and when",
        "What it depends on",
        "Capacity, from raw to effective",
        "Cost and power",
        "Advice on the design",
        "Assumptions and sources",
        "The profile",
    ]
    assert "393,569 USD" in text


def test_without_a_price_list_the_answer_says_what_is_not_in_the_report(page: Page) -> None:
    assert "| Cost | not known, nor power and what is to be bought: the profile names no price list" in page(
        "--without", "sensitivity"
    )


def test_growth_and_its_day_stand_in_the_report_of_a_profile_that_grows(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "plan.md"
    words = ("report", "growth-hdfs", str(path), *SMALL, "--without", "sensitivity")
    assert type_(*words, "--set", "prices=on-premises-2024").status == 0
    assert "Growth" in headings(path.read_text())
    assert "2031-03-16" in path.read_text()
    assert "| at the start | workers: 12 × hdd-25gbe | 154,702 USD |" in path.read_text()
    assert "| 2028-07-01 | workers: 6 × hdd-25gbe | 85,991 USD |" in path.read_text()  # 6 x (10,000 + 12 x 24 TB x 15)


def test_failure_rates_bring_a_section_on_durability(page: Page) -> None:
    text = page("--set", "failures=hdd", "--without", "sensitivity")
    assert "Failures and durability" in headings(text)
    assert "nines" in text


def test_warnings_of_the_linter_stand_in_the_answer(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "plan.md"
    assert type_("report", "minio-terasort", str(path), *SMALL, "--without", "sensitivity").status == 0
    answer = path.read_text().split("## The answer")[1].split("##")[0]
    assert "Warning" in answer
    assert "client.fs.s3a.buffer.dir: 'root' carries 134.2 MB/s" in answer


def test_the_record_of_validation_is_that_of_the_same_kind_of_job(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "plan.md"
    words = ["--replications", "2", "--workers", "1"]
    skip = [word for part in Part if part is not Part.VALIDATION for word in ("--without", part.key)]
    assert type_("report", "presto-hdfs-q1", str(path), *words, *skip).status == 0
    text = path.read_text()
    assert headings(text) == ["How far to trust it"]
    assert "presto/s3/q4" in text
    assert "mapreduce" not in text


def test_every_form_is_written_from_one_run_with_the_same_bytes_each_time(type_: Type, tmp_path: Path) -> None:
    names = [
        f"{name}{suffix}" for name in "ab" for suffix in (".html", ".pdf", ".xlsx", ".md", ".csv", ".json", ".txt")
    ]
    paths = [str(tmp_path / name) for name in names]
    words = (*SMALL, *FEW, "--without", "sensitivity")
    assert type_("report", "hdfs-terasort", *paths[:7], *words).status == 0
    assert type_("report", "hdfs-terasort", *paths[7:], *words).status == 0
    for first, second in zip(paths[:7], paths[7:], strict=True):
        assert Path(first).read_bytes() == Path(second).read_bytes(), first


@pytest.mark.parametrize("seconds", [0.5, 2.0])
def test_a_report_that_is_killed_leaves_no_half_file(tmp_path: Path, seconds: float) -> None:
    path = tmp_path / "plan.html"
    words = ["report", "hdfs-terasort", str(path), *SMALL]
    process = subprocess.Popen([sys.executable, "-m", "app", *words], stdout=subprocess.DEVNULL)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not path.exists() or path.read_text().endswith("</html>\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["hdfs-terasort", "plan.doc"], "FILE: the suffix chooses the form, expected '.html'"),
        (
            ["hdfs-terasort", "plan.md", "--without", "advise"],
            "--without: there is no section 'advise'; did you mean 'advice'?",
        ),
        (["hdfs-terasrt", "plan.md"], "did you mean"),
        (["hdfs-terasort", "no/such/folder/plan.md"], "FILE: cannot write 'no/such/folder/plan.md'"),
    ],
)
def test_a_mistake_is_told_before_anything_runs(
    type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = type_("report", *words)
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err
    assert list(tmp_path.iterdir()) == []


def test_the_profile_of_a_report_is_written_as_text_once(
    type_: Type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed, texts = dump.printed, list[str]()

    def kept(*rest: Any) -> str:
        texts.append(printed(*rest))
        return texts[-1]

    monkeypatch.setattr(dump, "printed", kept)
    assert type_("hdfs-terasort", "--set", "workload.input=5 GB", "--report", str(tmp_path / "run.zip")).status == 0
    assert len(texts) == 1


def test_a_report_goes_from_one_process_to_another() -> None:
    chosen = choose("hdfs-terasort", {"workload.input": "1 GB"})
    report = run(chosen, seed=0, replications=1, on_event=None)
    assert pickle.loads(pickle.dumps(report)).toml == report.toml != ""
