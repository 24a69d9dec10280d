"""Workloads of a plan that a candidate does without, or that are otherwise where they run on it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.planning.plans.plan_search import planned
from app.planning.progress import uncounted
from app.planning.proposing import proposed
from app.reports.proposal.asked import question
from profiles.plans.sheet import sheet
from tests.app.conftest import Type
from tests.app.plans import HEAD, written

TWO = """
stored = "50 TB"

[[requirements.workloads]]
name = "hourly"
use = "terasort"
input = "20 GB"
deadline = "5 min"
beside = ["import"]

[[requirements.workloads]]
name = "import"
use = "teragen"
generated = "1 GB"
deadline = "5 min"

[candidates.Whole]
storage = "hdfs"
servers = "hdd-25gbe"
count = "4"

[candidates.Spared]
storage = "hdfs"
servers = "hdd-25gbe"
count = "4"
workloads.hourly = { input = "1 GB" }
workloads.import = { absent = true }
"""


def two(folder: Path, text: str = TWO) -> str:
    """Write a plan whose second candidate needs no import and sorts half, and return its path."""
    return written(folder, f"{HEAD}{text}")


def test_a_candidate_does_without_a_workload_and_has_keys_of_its_own_for_another(type_: Type, tmp_path: Path) -> None:
    report = tmp_path / "told.md"
    ended = type_("plan", two(tmp_path), "--interval", "none", "--format", "json", "--report", f"{report}")
    whole, spared = json.loads(ended.out)["candidates"]
    assert whole["is_feasible"]
    assert spared["is_feasible"]
    took = [
        {met["target"].partition("_")[0]: met["value"] for met in candidate["requirements"] if met["value"]}
        for candidate in (whole, spared)
    ]
    assert 0 < took[1]["hourly"] < took[0]["hourly"]
    assert took[0]["import"] > 0
    assert "import" not in took[1]
    assert "✓ does without" in report.read_text()
    assert type_("check", f"{two(tmp_path)}#spared").status == 0


def test_a_candidate_is_billed_over_the_years_of_its_plan(type_: Type, tmp_path: Path) -> None:
    path = two(tmp_path)
    assert "\nOver 3 years" in type_("bill", f"{path}#spared").out
    swept = type_("sweep", f"{path}#spared", "--vary", "workload.input=1 GB", "--format", "json").out
    assert '"cost_over_3_years"' in swept
    assert "over_5_years" not in swept


def test_the_report_of_a_plan_has_the_cost_of_its_verdict_with_the_spare_parts_of_its_drives(tmp_path: Path) -> None:
    flash = '[candidates.Flash]\nstorage = "minio-nvme"\nservers = "nvme-100gbe"\ncount = "8"\n'
    read = sheet(written(tmp_path, f'{HEAD}stored = "50 TB"\n{flash}'))
    answer = planned(read, 1, uncounted)
    design, option = proposed(read, answer).design, answer.judged[0].option
    assert design is not None
    assert design.cost is not None
    assert option is not None
    assert design.cost.over(3) == pytest.approx(option.objective)


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ("imports = { absent = true }", "no such workload: 'imports'; did you mean 'import'?"),
        ("import = { absent = false }", "expected `absent = true` alone, or keys of the workload"),
        ("import = { deadline = '1 h' }", "what is asked of a workload is the same for all candidates"),
        ("import = { generates = '1 GB' }", "did you mean 'generated'"),
    ],
)
def test_what_a_candidate_cannot_say_of_a_workload_is_refused_with_a_way_out(
    type_: Type, tmp_path: Path, stated: str, message: str
) -> None:
    text = TWO.replace("import = { absent = true }", stated).replace("{ deadline = '1 h' }", '{ deadline = "1 h" }')
    ended = type_("check", two(tmp_path, text.replace("'1 GB'", '"1 GB"')))
    assert ended.status == 2
    assert message in ended.err


def test_the_question_says_when_data_that_comes_in_is_deleted(tmp_path: Path) -> None:
    flash = '[candidates.Flash]\nstorage = "minio-nvme"\nservers = "nvme-100gbe"\ncount = "8"\n'
    read = sheet(written(tmp_path, f'{HEAD}ingest = "600 GB/d"\nretention = "90 d"\n{flash}'))
    asked = question(planned(read, 1, uncounted))
    assert "600 GB more come in a day, as many in all years, and are deleted after 90 d" in asked
