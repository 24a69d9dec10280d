"""Observed work on other clusters: the same stages on the hardware and storage of candidates, before and after."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from app.planning.loading import Chosen, choose, profile_in, refusals
from app.planning.progress import Counted
from app.reports.replay_document import ReplayReport, Side
from models.hardware.cluster import Cluster
from models.hardware.server import Server
from models.jobs.observed import Observed
from models.jobs.spark import Executors
from models.jobs.workload import WorkloadModel
from models.problem import Problem, ProblemError
from models.quantity import checked
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
    works: Sequence[WorkloadModel] = original.scenario.workloads or (original.scenario.workload,)
    _check(works, original)
    chosen = [original, *(choose(profile_in(name)) for name in candidates)]
    scenarios = [_on_its_own(original.scenario), *(moved(original.scenario, side) for side in chosen[1:])]
    points = [
        Point(scenario=scenario, profile=side.profile, seed=seed, replications=replications)
        for scenario, side in zip(scenarios, chosen, strict=True)
    ]
    with counted("Simulating") as on_done, Runner(workers=workers) as runner:
        answers = runner.run(points, on_done)
    sides = [_side(*parts) for parts in zip([profile, *candidates], scenarios, answers, strict=True)]
    observed = [work for work in works if isinstance(work, Observed)]
    kinds = [entry.name for entry in original.scenario.workloads]
    return ReplayReport(original.title, observed, sides, seed, version("headroom"), kinds)


def _check(works: Sequence[WorkloadModel], original: Chosen) -> None:
    """Refuse work that is not that of a history: observed stages, or a stream of jobs of a framework.

    Raises:
        ProblemError: some of it is other work.
    """
    is_stream = bool(original.scenario.workloads)
    wrong = [work for work in works if not isinstance(work, Observed) and not (is_stream and _framework(work))]
    if wrong:
        key = "workloads" if is_stream else "workload.kind"
        message = "expected stages as they were observed, as an import of a history writes them; see: simulate compare"
        raise ProblemError([Problem(original.profile, None, key, message)])


def _framework(work: WorkloadModel) -> Any:
    """Return the framework that gives slots to the tasks of a work, None where it has none."""
    return getattr(work, "framework", None)


def _on_its_own(scenario: Scenario) -> Scenario:
    """Return observed work where it was observed, on its storage as simulated: as that of candidates is."""
    return _with(scenario, scenario, lambda work: work.on_simulated_storage() if isinstance(work, Observed) else work)


def _with(there: Scenario, of: Scenario, changed: Callable[[Any], Any]) -> Scenario:
    """Return a scenario with the work of another, changed."""
    if of.workloads:
        scenario = there.with_entries(tuple(changed(entry) for entry in of.workloads))
        return scenario.model_copy(update={"scheduler": of.scheduler})
    return there.model_copy(update={"workload": changed(of.workload), "workloads": ()})


def moved(original: Scenario, candidate: Chosen) -> Scenario:
    """Return imported work on the cluster and the storage of a candidate, whose executors fill its servers.

    Raises:
        ProblemError: it cannot run there.
    """
    with refusals(candidate.profile), checked():
        return Scenario.model_validate(
            _with(candidate.scenario, original, lambda work: _placed(work, candidate.scenario))
        )


def _placed(work: Any, scenario: Scenario) -> Any:
    """Return a work with its framework on the servers of a scenario, without what its own cluster made of it."""
    framework = work.framework
    group = _group(scenario, framework.servers)
    places: dict[str, object] = {"servers": group}
    if "local_dirs" in type(framework).model_fields:
        places["local_dirs"] = _place(scenario.cluster, group, framework.local_dirs)
    if isinstance(work, Observed):
        work, places = work.freed(), places | {"executors": 1, "cores": 0, "memory": 0.0}
    return work.model_copy(update={"framework": framework.model_copy(update=places)})


def _group(scenario: Scenario, wanted: str) -> str:
    """Return the servers for executors: those of the candidate's own work, else of the same name, else the first."""
    own = [name for name in scenario.workload.server_groups().values() if name in scenario.cluster.groups]
    groups = scenario.cluster.groups
    return own[0] if own else wanted if wanted in groups else next(iter(groups))


def _place(cluster: Cluster, group: str, wanted: str) -> str:
    """Return the bay or volume for exchanges and spills: of the same name, else the first that all servers have."""
    servers = [batch.server for batch in cluster.groups[group].batches()]
    known = (*servers[0].bays, *servers[0].volumes)
    shared = [name for name in known if all(name in server.bays or name in server.volumes for server in servers)]
    return wanted if wanted in shared or not shared else shared[0]


def _side(name: str, scenario: Scenario, answer: Answer | PointFailure) -> Side:
    if isinstance(answer, PointFailure):
        raise ProblemError([Problem(name, None, "", answer.reason)])
    work: Any = (scenario.workloads or (scenario.workload,))[0]
    servers = scenario.cluster.groups[work.framework.servers].batches()
    slots = sum(batch.count * _slots(work, batch.server) for batch in servers)
    return Side(Path(name).stem, name, sum(batch.count for batch in servers), slots, scenario, answer)


def _slots(work: Any, server: Server) -> int:
    """Return the tasks that a server runs at a time."""
    framework = work.framework.on(server)
    return framework.slots if isinstance(framework, Executors) else framework.containers
