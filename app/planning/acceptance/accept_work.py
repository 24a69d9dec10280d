"""The work with which a whole cluster is accepted: requests by warp to an object store, Hadoop's own jobs on HDFS."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from app.planning.loading import Chosen
from models.jobs.mapreduce import MapReduce
from models.jobs.object_load import ObjectLoad
from models.planning.acceptance import Expected
from models.problem import Problem, ProblemError
from models.scenario import Scenario
from models.units import format
from profiles.loading.loader import dump, load_text

OBJECT = 64 * 2.0**20
"""Bytes of an object. Source: mc support perf object, objects of 64 MiB."""
THREADS = 32
"""Requests that a client has under way. Source: mc support perf object, 32 concurrent requests a server."""
COUNT = 5000
"""Requests that are simulated. Assumption: enough to know the rate to a hundredth."""
MOST_DATA = 1e12
"""Bytes that jobs sort at most, else twice what all memory holds, so that no cache does. Source: TeraSort's usual 1 TB;
Assumption: twice."""
RECORD = 100
"""Bytes of a record. Source: Apache Hadoop, TeraGen.java."""
DFSIO_FILE = 10e9
"""Bytes of a file of TestDFSIO. Assumption: more than the page cache may keep back of each."""
KEPT = ("cluster", "storage", "planning")
"""Parts of a profile that a test keeps; its own workload, its client, growth and prices do not act."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is run on the whole cluster: its name, what it is in words, the group that runs it, and its workload.

    `measure` is what is compared; `command` are the words of a Hadoop job, in which @ stands for its folder. `action`,
    `size` (B), `threads` and `clients` are those of a load of requests, and `most` (B/s) is what their cards carry.
    """

    name: str
    what: str
    group: str
    workload: dict[str, Any]
    measure: Literal["throughput", "duration"]
    command: str = ""
    action: str = ""
    size: float = 0.0
    threads: int = 0
    clients: int = 0
    most: float = math.inf

    def expected(self, value: float) -> Expected:
        """Return the test of this work, of which so much is expected (B/s or s)."""
        unit = "s" if self.measure == "duration" else "B/s"
        return Expected(name=self.name, layer="work", group=self.group, what=self.what, unit=unit, value=value)


def works(chosen: Chosen, data: float | None) -> list[Work]:
    """Return the work for a storage system, with so much `data` (B) for jobs; none for one that is only mounted.

    Raises:
        ProblemError: it cannot run on the cluster.
    """
    storage = chosen.scenario.storage
    if storage.interface == "objects":
        return list(_requests(chosen.scenario))
    if storage.has_own_client and not storage.is_local and storage.home is not None:
        return list(_jobs(chosen, storage.home[0], data))
    return []


def chosen_for(work: Work, chosen: Chosen) -> Chosen:
    """Return the profile of a piece of work on the cluster of a profile.

    Raises:
        ProblemError: it cannot run there.
    """
    return _with(chosen, work.workload, work.name, f"{work.what}: {chosen.title}")


def _with(chosen: Chosen, workload: Mapping[str, Any], name: str, title: str) -> Chosen:
    resolved = chosen.loaded.resolved
    data = {key: resolved[key] for key in KEPT if key in resolved}
    data |= {"profile": {"title": title}, "workload": workload}
    try:
        return replace(chosen, loaded=load_text(dump(data), Scenario, path=Path(f"{name}.toml")), outcomes=())
    except ProblemError as error:
        messages = (f"{name}: {problem.key}: {problem.message}" for problem in error.problems)
        raise ProblemError(Problem(chosen.profile, None, "", message) for message in messages) from None


def _requests(scenario: Scenario) -> Iterator[Work]:
    own = next((part.workload for part in scenario.each().values() if isinstance(part.workload, ObjectLoad)), None)
    group = own.clients if own else _runs_jobs(scenario)
    threads = own.threads if own and own.threads else THREADS
    clients = scenario.cluster.groups[group].count
    cards = sum(batch.count * batch.server.nic.sustained for batch in scenario.cluster.groups[group].batches())
    is_apart = group not in scenario.storage.server_groups().values()
    for action in ("put", "get"):
        mine = [operation for operation in own.mix.values() if operation.action == action] if own else []
        size = mine[0].mean_size if mine else OBJECT
        yield Work(
            name=action,
            what=f"{action.upper()} of objects of {_binary(size)} by {threads} threads on each of {clients} clients",
            group=group,
            workload={
                "kind": "requests",
                "clients": group,
                "threads": threads,
                "count": COUNT,
                "mix": {action.upper(): {"action": action, "size": f"{size:.0f} B"}},
            },
            measure="throughput",
            action=action,
            size=size,
            threads=threads,
            clients=clients,
            most=cards if is_apart else math.inf,
        )


def _runs_jobs(scenario: Scenario) -> str:
    """Return the group of the workload's own servers, else that of the store, else the first."""
    named = [*scenario.workload.server_groups().values(), *scenario.storage.server_groups().values()]
    return next((name for name in named if name in scenario.cluster.groups), next(iter(scenario.cluster.groups)))


def _jobs(chosen: Chosen, home: str, data: float | None) -> Iterator[Work]:
    scenario, framework = chosen.scenario, {"use": "yarn", "servers": home}
    own = scenario.workload
    if isinstance(own, MapReduce):
        framework = chosen.loaded.resolved["workload"]["framework"]
    else:
        probe = {"use": "terasort", "input": "1 GB", "framework": framework}
        own = _with(chosen, probe, "terasort", "Containers").scenario.workload
        assert isinstance(own, MapReduce)  # as that is what was asked for
    group = own.framework.servers
    servers = scenario.cluster.groups[group]
    slots = sum(batch.count * own.on(batch.server).framework.containers for batch in servers.batches())
    memory = sum(batch.count * batch.server.memory.size for batch in servers.batches())
    bytes = data or min(2 * memory, MOST_DATA)
    sized, rows = f"{bytes:.0f} B", round(bytes / RECORD)
    yield Work(
        name="teragen",
        what=f"TeraGen of {format(bytes, 'B', 4)} with {slots} maps",
        group=group,
        workload={"use": "teragen", "generated": sized, "maps": slots, "framework": framework},
        measure="duration",
        command=f'hadoop jar "$EXAMPLES" teragen -D mapreduce.job.maps={slots} {rows} "@/in"',
    )
    yield Work(
        name="terasort",
        what=f"TeraSort of {format(bytes, 'B', 4)} with {slots} reduces",
        group=group,
        workload={"use": "terasort", "input": sized, "reduces": slots, "framework": framework},
        measure="duration",
        command=f'hadoop jar "$EXAMPLES" terasort -D mapreduce.job.reduces={slots} "@/in" "@/out"',
    )
    processes = max(slots // servers.count, 1)
    files = processes * servers.count
    size = min(DFSIO_FILE, bytes / files)
    for direction in ("write", "read"):
        yield Work(
            name=f"testdfsio-{direction}",
            what=f"TestDFSIO -{direction} of {files} files of {format(size, 'B', 4)}",
            group=group,
            workload={
                "use": "testdfsio-write",
                "servers": [group],
                "processes": processes,
                "direction": direction,
                "size": f"{size:.0f} B",
            },
            measure="duration",
            command=f'hadoop jar "$TESTS" TestDFSIO -D test.build.data="@/dfsio" -{direction}'
            f' -nrFiles {files} -size {size:.0f}B -resFile "$here/dfsio.log"',
        )


def _binary(size: float) -> str:
    return f"{size / 2**20:.4g} MiB"
