"""Every profile and every study that ships makes its report in every form."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest

from app.planning.loading import choose
from app.planning.plan import Plan, build, run_of
from app.planning.studies import study_model
from app.reports.document import Document
from app.reports.forms import documents
from app.reports.parts import Part
from app.reports.plan.plan_document import document
from models.planning import study as studies
from models.planning.study import COMMANDS, FOLDER, Compare, Sensitivity, Sweep
from models.scenario import Scenario
from profiles.loading.catalog import SHIPPED as SHIPPED_FILES, describe
from profiles.loading.loader import load_text
from tests.app.conftest import Type
from tests.laws.miniatures import EVERY, SHIPPED, miniature, whole
from tests.profiles.many import SHORT_DAY

pytestmark = [] if SHIPPED == EVERY else [pytest.mark.usefixtures("few_requests")]

DRAWN = (".html", ".pdf", ".zip")  # forms that draw charts, which takes seconds a report
OTHER_STUDIES = ("sensitivity", "upkeep", "validation")  # whose sections have tests of their own


@cache
def report(name: str) -> Document:
    """Return the report of a shipped profile in miniature."""
    chosen = choose(name)
    if chosen.scenario.workloads:
        chosen = replace(chosen, loaded=load_text(SHORT_DAY, Scenario))
    elif name in SHIPPED and chosen.scenario.failures is None:
        chosen = replace(chosen, loaded=replace(chosen.loaded, scenario=miniature(name)))
    sections = [part.key for part in Part if part.key not in OTHER_STUDIES]
    plan = Plan(chosen=chosen, sections=sections, replications=1)

    def counted(*_: object) -> NoReturn:
        raise AssertionError("a report without other studies simulates nothing but its run")

    return document(build(plan, run_of(plan), 1, counted))


@cache
def one_of_each_kind() -> tuple[str, ...]:
    """Return a shipped profile of each kind of workload, healthy and degraded, and one with several of them."""
    scenarios = ((name, whole(name)) for name in SHIPPED)
    kinds = {(scenario.workload.kind, scenario.failures is None): name for name, scenario in scenarios}
    return *kinds.values(), next(
        entry.name for entry in SHIPPED_FILES.describe(("studies",)) if whole(entry.name).workloads
    )


def forms(name: str) -> set[str]:
    """Return the forms of a profile's report: without `make laws` as PDF only where servers fail or loads meet."""
    if name not in one_of_each_kind():
        return documents.FORMS.keys() - DRAWN
    has_pdf = SHIPPED == EVERY or whole(name).failures is not None
    return documents.FORMS.keys() - (set() if has_pdf else {".pdf"})


@pytest.mark.parametrize("name", [entry.name for entry in describe()] if SHIPPED == EVERY else one_of_each_kind())
def test_every_shipped_profile_makes_every_form(name: str) -> None:
    page = report(name)
    assert [section.place for section in page.sections] == sorted({section.place for section in page.sections})
    for suffix in forms(name):
        assert documents.render(page, suffix)


def test_how_requests_fare_can_be_left_out(type_: Type, tmp_path: Path) -> None:
    path = tmp_path / "plan.md"
    words = ("report", "get-storagegrid-node-failure", str(path), "--replications", "1")
    left_out = [word for name in (*OTHER_STUDIES, "requests") for word in ("--without", name)]
    assert type_(*words, *left_out[:-2]).status == 0
    assert "## Rates and latencies" in path.read_text()
    assert type_(*words, *left_out).status == 0
    assert "## Rates and latencies" not in path.read_text()


def one_study_of_each_kind() -> tuple[str, ...]:
    names = reversed(SHIPPED_FILES.names(FOLDER))  # the first plan searches a third as long as the last
    return tuple({study_model(name): name for name in names}.values())


@pytest.mark.parametrize("name", SHIPPED_FILES.names(FOLDER) if SHIPPED == EVERY else one_study_of_each_kind())
def test_every_shipped_study_makes_every_form(type_: Type, tmp_path: Path, name: str) -> None:
    shipped = SHIPPED_FILES.find(name, [FOLDER])
    model = study_model(name)
    assert shipped is not None
    assert model is not None
    study = tmp_path / "study.toml"
    less = {" TB": " GB", "samples = 16": "samples = 8", ':2"': ':20"', ':8"': ':72"'}  # work, samples, and servers
    text = shipped.read_text()
    for much, little in less.items():
        text = text.replace(much, little)
    if model is Sensitivity:
        text = text.replace("[set]\n", '[set]\n"workload.reduces" = "48"\n')
    study.write_text(text)
    words: tuple[str, ...] = (COMMANDS[model], "--study", str(study), "--workers", "1")
    if model is Compare:
        words = (*words, "--replications", "1")
    if model not in (Sensitivity, studies.Plan):  # which vary the input themselves, or state what they need
        words = (*words, "--set", "workload.input=2 GB")
    if "minio" not in text:  # where the size of files chooses how many reduces there are
        words = (*words, "--set", "workload.reduces=48")
    files = [str(tmp_path / f"study{suffix}") for suffix in documents.FORMS if suffix != ".zip"]
    if model is Sweep:  # whose points are kept, so that it can be asked again for each form
        ended = [type_(*words, "--output", file) for file in files]
    else:
        ended = [type_(*words, *(word for file in files for word in ("--report", file)))]
    assert {ended_one.err for ended_one in ended} == {""}
    assert all(Path(file).read_bytes() for file in files)
