"""The estimate: a lower bound, said to be one, and what follows from a scenario without a run."""

from __future__ import annotations

from app.gui.session.estimate import estimate
from app.gui.session.session import Session
from models.scenario import Scenario
from profiles.loading.loader import load


def scenario_of(name: str, **settings: str) -> Scenario:
    return load(name, Scenario, {key.replace("__", "."): value for key, value in settings.items()}).scenario


def test_the_bound_of_a_job_is_said_with_its_reason() -> None:
    bound = estimate(scenario_of("hdfs-terasort"))
    assert bound.headline == "at least 1 min 35 s (95.0 s): its CPU time on all processors"


def test_work_without_a_closed_form_says_so() -> None:
    bound = estimate(scenario_of("hepix-lustre-20"))
    assert bound.headline == "no closed form for this kind of work: run it"


def test_data_that_does_not_fit_is_said_to_be_too_much() -> None:
    rows = dict(estimate(scenario_of("sizing-hdfs-10pb")).rows)
    assert rows["Room"] == "too little: needs 30 PB of 1.25 PB raw, 400 TB usable"


def test_what_may_fail_is_said_in_numbers() -> None:
    rows = dict(estimate(scenario_of("minio-terasort")).rows)
    assert rows["Survives reading"] == "any 4 drives, any 2 servers, no rack"
    assert rows["Survives writing"] == "any 3 drives, any server, no rack"


def test_a_run_of_what_is_estimated_already_does_not_estimate_it_anew(session: Session) -> None:
    before = session.estimate
    session.check()
    assert session.estimate is before
    session.set_value("workload.input", "6 GB")
    session.check()
    assert session.estimate is not before
