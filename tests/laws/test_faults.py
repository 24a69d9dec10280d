"""Failure is state, not a path of its own: a fault after the end of a run changes nothing of it, to the last bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from models.failures import Failures, Fault
from models.jobs.mapreduce import MapReduce
from models.scenario import Scenario
from models.storage.hdfs.system import Hdfs
from models.storage.minio.system import Minio
from profiles.loading.loader import load
from simulator.run import simulate
from tests.extent import IS_WHOLE
from tests.laws.miniatures import SHIPPED, miniature, shipped, whole
from tests.laws.test_reproducibility import digest

LATE = 1e6
"""Seconds after which every shipped run has ended."""

LESS = {"workload.input": "20 GB"}
CHANGES = {
    "as shipped": {},
    "with fewer requests": {"workload.count": "2000"},
    "with a shorter load": {"workload.duration": "5 s"},
    "with abandoned uploads": {"client.abandoned.rate": "1 1/s", "client.abandoned.size": "5 MB", **LESS},
    "with less input": LESS,
    "with objects of several splits": {"workload.object_size": "512 MiB", **LESS},
    "with two replicas of the output": {"workload.output_replication": "2", **LESS},
    "with the magic committer": {"client.fs.s3a.committer.name": "magic", **LESS},
}

LENGTHS = ("workload.count", "workload.duration")
FAULTY = tuple(name for name in SHIPPED if (failures := whole(name).failures) is not None and failures.is_in_run)


def has(scenario: Scenario, key: str) -> bool:
    """Tell whether a scenario has a place for the value at a dotted key; a load states one of its lengths."""
    value: object = scenario
    for name in key.split("."):
        if not hasattr(value, name):
            return False
        value = getattr(value, name)
    return value is not None or key not in LENGTHS


def cases() -> list[tuple[str, str]]:
    """Return the shipped profiles with faults, each with the changes for which it has a place; large ones as a law."""
    scenarios = {name: whole(name) for name in FAULTY}
    return [
        (name, label)
        for name, scenario in scenarios.items()
        for label, changes in CHANGES.items()
        if (changes or IS_WHOLE) and all(has(scenario, key) for key in changes)
    ]


def assert_nothing_fails(scenario: Scenario) -> None:
    """Check that a run whose faults come late is the run without them, but for what it says of those faults."""
    result, healthy = simulate(scenario), simulate(scenario.model_copy(update={"failures": None}))
    assert result.failures is not None
    assert result.failures.faults == ()
    assert result.failures.healthy_duration == healthy.duration
    assert "did not fail at" in result.warnings[-1]
    assert digest(replace(result, failures=None, warnings=result.warnings[:-1])) == digest(healthy)


def late(changes: Mapping[str, str]) -> dict[str, str]:
    return {"failures.faults.0.at": f"{LATE:.0f} s", **changes}


@pytest.mark.parametrize(("name", "label"), cases())
def test_a_shipped_fault_after_the_end_changes_nothing(name: str, label: str) -> None:
    assert_nothing_fails(load(name, Scenario, late(CHANGES[label])).scenario)


@pytest.mark.parametrize(
    "name", [name for name in shipped(MapReduce) if isinstance(miniature(name).storage, Hdfs | Minio)]
)
def test_any_job_that_may_fail_runs_as_if_it_could_not(name: str) -> None:
    scenario = miniature(name)
    assert isinstance(scenario.storage, Hdfs | Minio)
    faults = (Fault(at=LATE, component=f"{scenario.storage.servers}-2"),)
    update = {"failures": Failures(faults=faults)}
    assert_nothing_fails(Scenario.model_validate(scenario.model_copy(update=update)))
