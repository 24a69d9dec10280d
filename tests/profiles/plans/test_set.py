"""`--set` of a plan: each key as messages of a plan spell it, for the candidates and the workloads that have it."""

from __future__ import annotations

import pytest

from models.jobs.mapreduce import MapReduce
from models.problem import ProblemError
from models.scenario import Scenario
from models.storage.clients.s3a import S3aClient
from profiles.plans.sheet import Sheet
from tests.narrow import as_a
from tests.profiles.plans.test_sheet import HEAD, JOB, LOAD, candidate, read

DELAY, COMMITTER, PARITY = "framework.locality_delay", "client.fs.s3a.committer.name", "storage.parity"
WEEKLY = JOB.replace("nightly", "weekly")
TWO = candidate("hdfs") + candidate("minio").replace("candidates.A", "candidates.B")


def scenarios(sheet: Sheet, name: str) -> list[Scenario]:
    """Return the profiles of a candidate: of each of its runs, and of all workloads."""
    sheet.check()
    return [sheet.loaded_at(name, sheet.points(name)[0], run).scenario for run in (*sheet.runs(name), None)]


def delays(sheet: Sheet, name: str) -> dict[str, int]:
    """Return the delay of each MapReduce job, by the name of its workload, "" where it has none."""
    return {
        key: alone.workload.framework.locality_delay
        for scenario in scenarios(sheet, name)
        for key, alone in scenario.each().items()
        if isinstance(alone.workload, MapReduce)
    }


@pytest.mark.parametrize("work", [JOB, JOB + LOAD, JOB + WEEKLY + LOAD])
def test_a_key_of_the_framework_of_a_candidate_holds_for_all_jobs_that_it_runs(work: str) -> None:
    shipped = delays(read(HEAD + work + TWO), "B")
    assert shipped.keys() <= {"", "nightly", "weekly"}
    assert set(shipped.values()) == {40}
    for name in "AB":
        assert delays(read(HEAD + work + TWO).changed({DELAY: "0"}), name) == dict.fromkeys(shipped, 0)


def test_a_key_of_a_framework_is_refused_where_nothing_runs_on_one() -> None:
    with pytest.raises(ProblemError, match="framework: unknown key"):
        read(HEAD + LOAD + TWO).changed({DELAY: "0"}).check()


@pytest.mark.parametrize("work", [JOB, JOB + LOAD])
def test_a_setting_of_a_client_or_a_store_holds_for_the_candidates_that_have_it(work: str) -> None:
    changed = read(HEAD + work + TWO).changed({COMMITTER: "magic", PARITY: "4", "storage.block_size": "1 GiB"})
    for scenario in scenarios(changed, "B"):
        assert as_a(S3aClient, scenario.client).fs.s3a.committer.name == "magic"
        assert scenario.storage.model_dump()["parity"] == 4
    for scenario in scenarios(changed, "A"):
        assert scenario.client is None
        assert scenario.storage.model_dump()["block_size"] == 2**30


@pytest.mark.parametrize(("key", "message"), [("storage.partiy", "did you mean 'parity'"), ("client.fsx", "fsx")])
def test_a_setting_that_no_candidate_has_is_refused(key: str, message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        read(HEAD + JOB + TWO).changed({key: "4"}).check()


def test_what_is_set_by_hand_goes_before_what_a_candidate_sets_itself() -> None:
    stated = candidate("hdfs", 'set = { "storage.block_size" = "512 MiB" }\n')
    (scenario, _) = scenarios(read(HEAD + JOB + stated).changed({"storage.block_size": "1 GiB"}), "A")
    assert scenario.storage.model_dump()["block_size"] == 2**30
