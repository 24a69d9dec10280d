"""Observed work on other clusters: the same stages on the hardware and storage of candidates, before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from app.planning.loading import Chosen, choose, profile_in, refusals
from app.planning.progress import Counted
from app.reports.replay_document import ReplayReport, Side
from models.hardware.cluster import Cluster
from models.jobs.observed import Observed
from models.problem import Problem, ProblemError
from models.scenario import Scenario
from simulator.studies.points import Answer, Point, PointFailure
from simulator.studies.runner import Runner


def replayed(
    profile: str,
    candidates: Sequence[str],
    settings: Mapping[str, str],
    *,
    seed: int,
    replications: int,
    workers: int | None,
    counted: Counted,
) -> ReplayReport:
    """Run the observed work of a profile on its own cluster, and on those of candidates.

    Raises:
        ProblemError: a profile is wrong, states no observed work, or cannot run it.
    """
    original = choose(profile_in(profile), settings)
    work = original.scenario.workload
    if not isinstance(work, Observed):
        message = "expected stages as they were observed, as an import of a history writes them; see: simulate compare"
        raise ProblemError([Problem(original.profile, None, "workload.kind", message)])
    chosen = [original, *(choose(profile_in(name)) for name in candidates)]
    scenarios = [original.scenario, *(moved(work, each) for each in chosen[1:])]
    points = [
        Point(scenario=scenario, profile=each.profile, seed=seed, replications=replications)
        for scenario, each in zip(scenarios, chosen, strict=True)
    ]
    with counted("Simulating") as on_done, Runner(workers=workers) as runner:
        answers = runner.run(points, on_done)
    sides = [_side(*each) for each in zip([profile, *candidates], scenarios, answers, strict=True)]
    return ReplayReport(original.title, work, sides, seed, version("headroom"))


def moved(work: Observed, candidate: Chosen) -> Scenario:
    """Return observed work on the cluster and the storage of a candidate, whose executors fill its servers.

    Raises:
        ProblemError: it cannot run there.
    """
    scenario = candidate.scenario
    group = _group(scenario, work.framework.servers)
    places = {"servers": group, "local_dirs": _place(scenario.cluster, group, work.framework.local_dirs)}
    filled = {"executors": 1, "cores": 0, "memory": 0.0}
    framework = work.framework.model_copy(update=places | filled)
    with refusals(candidate.profile):
        found = scenario.model_copy(update={"workload": work.freed().model_copy(update={"framework": framework})})
        return Scenario.model_validate(found)


def _group(scenario: Scenario, wanted: str) -> str:
    """Return the servers for executors: those of the candidate's own work, else of the same name, else the first."""
    own = [name for name in scenario.workload.server_groups().values() if name in scenario.cluster.groups]
    groups = scenario.cluster.groups
    return own[0] if own else wanted if wanted in groups else next(iter(groups))


def _place(cluster: Cluster, group: str, wanted: str) -> str:
    """Return the bay or volume for exchanges and spills: of the same name, else the first that all servers have."""
    servers = [batch.server for batch in cluster.groups[group].batches()]
    known = (*servers[0].bays, *servers[0].volumes)
    shared = [name for name in known if all(name in each.bays or name in each.volumes for each in servers)]
    return wanted if wanted in shared or not shared else shared[0]


def _side(name: str, scenario: Scenario, answer: Answer | PointFailure) -> Side:
    if isinstance(answer, PointFailure):
        raise ProblemError([Problem(name, None, "", answer.reason)])
    work = scenario.workload
    assert isinstance(work, Observed)  # as that is what was moved
    servers = scenario.cluster.groups[work.framework.servers].batches()
    slots = sum(batch.count * work.framework.on(batch.server).slots for batch in servers)
    return Side(Path(name).stem, name, sum(batch.count for batch in servers), slots, scenario.storage.system, answer)
