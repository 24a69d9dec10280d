"""`simulate demo NAME`: what single changes make of a study, and a name that does not ship."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
CHANGE = 35  # columns of the longest change


def percentages(line: str) -> list[float]:
    return [float(each) for each in re.findall(r"[+-][\d.]+(?= %)", line)]


def test_a_study_shows_what_each_change_makes_of_time_requests_and_capacity(type_):
    ended = type_("demo", "s3a-tuning", "--workers", "1")
    assert (ended.status, ended.err) == (0, "")
    title, table, reasons = ended.out.split("\n\n")
    header, baseline, *rows = table.splitlines()
    assert title.startswith("Sort of 192 GB on StorageGRID through S3A")
    assert header.split() == ["change", "duration", "requests", "capacity", "limited", "by"]
    assert baseline.startswith("baseline ")
    assert len(rows) == len(reasons.splitlines()) == 14
    assert max(map(len, ended.out.splitlines())) <= 125
    shown = {row[:CHANGE].strip(): percentages(row) for row in rows}
    section = README.partition("`simulate demo s3a-tuning`")[2].partition("\n## ")[0]
    lines = [line.split("|") for line in section.splitlines() if line.startswith("| ")]
    said = {line[1].strip(): percentages("|".join(line[2:4])) for line in lines[1:]}
    assert len(said) == 8
    for what, values in said.items():
        assert values == pytest.approx(shown[what], abs=1.5, rel=0.01), what


def test_a_comparison_that_does_not_ship_is_refused_with_the_nearest(type_):
    ended = type_("demo", "s3a-tunings")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == "demo: no such comparison: 's3a-tunings'; did you mean 's3a-tuning'?\n"
