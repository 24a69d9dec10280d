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
from app.reports import documents
from app.reports.document import Document
from app.reports.parts import Part
from app.reports.plan_document import document
from models.planning.study import COMMANDS, FOLDER, Sensitivity, Sweep
from models.scenario import Scenario
from profiles.catalog import SHIPPED as SHIPPED_FILES, describe
from profiles.loader import load_text
from tests.laws.miniatures import EVERY, SHIPPED, miniature
from tests.profiles.many import SHORT_DAY

DRAWN = (".html", ".pdf")  # forms that draw charts, which takes seconds a report
OTHER_STUDIES = ("sensitivity", "validation")  # whose sections have tests of their own
STUDIES = SHIPPED_FILES.names(FOLDER)


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
    """Return a shipped profile of each kind of workload, healthy and degraded."""
    kinds = {}
    for entry in describe():
        scenario = choose(entry.name).scenario
        kinds[scenario.workload.kind, scenario.failures is None] = entry.name
    return tuple(kinds.values())


@pytest.mark.parametrize("name", [entry.name for entry in describe()] if SHIPPED == EVERY else SHIPPED)
def test_every_shipped_profile_makes_every_form_that_draws_nothing(name: str) -> None:
    page = report(name)
    assert [section.place for section in page.sections] == sorted({section.place for section in page.sections})
    for suffix in documents.FORMS.keys() - DRAWN:
        assert documents.render(page, suffix)


@pytest.mark.parametrize("name", one_of_each_kind())
@pytest.mark.parametrize("suffix", DRAWN)
def test_every_kind_of_profile_makes_every_form_that_draws_charts(name: str, suffix: str) -> None:
    assert documents.render(report(name), suffix)


def test_how_requests_fare_can_be_left_out(type_, tmp_path) -> None:
    path = tmp_path / "plan.md"
    words = ("report", "get-storagegrid-node-failure", str(path), "--replications", "1")
    left_out = [word for name in (*OTHER_STUDIES, "requests") for word in ("--without", name)]
    assert type_(*words, *left_out[:4]).status == 0
    assert "## Rates and latencies" in path.read_text()
    assert type_(*words, *left_out).status == 0
    assert "## Rates and latencies" not in path.read_text()


@pytest.mark.parametrize("name", STUDIES)
def test_every_shipped_study_makes_every_form(type_, tmp_path, name: str) -> None:
    shipped = SHIPPED_FILES.find(name, [FOLDER])
    assert shipped is not None
    study = tmp_path / "study.toml"
    study.write_text(shipped.read_text().replace(" TB", " GB").replace("samples = 16", "samples = 8"))
    model = study_model(str(study))
    assert model is not None
    words = (COMMANDS[model], "--study", str(study), "--workers", "1")
    if model is not Sensitivity:  # which varies the input itself
        words = (*words, "--set", "workload.input=10 GB")
    files = [str(tmp_path / f"study{suffix}") for suffix in documents.FORMS]
    if model is Sweep:  # whose points are kept, so that it can be asked again for each form
        ended = [type_(*words, "--output", file) for file in files]
    else:
        ended = [type_(*words, *(word for file in files for word in ("--report", file)))]
    assert {each.err for each in ended} == {""}
    assert all(Path(file).read_bytes() for file in files)
