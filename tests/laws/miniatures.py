"""The shipped profiles in miniature: few servers, and little data a server.

Every size that a job meets on its way shrinks by the same factor (data, splits, parts, sort buffers, memory for heaps
and page cache), so that waves of tasks, merges, cached and dirty shares stay what they are in the profile. What fails
does so as many times sooner, and is waited for as much less, so that it comes as far in a job as in the profile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from models.jobs.lakehouse import Lakehouse
from models.jobs.mapreduce import MapReduce
from models.jobs.object_load import ObjectLoad
from models.jobs.spark import Spark
from models.quantity import Model
from models.scenario import Scenario
from models.storage.domains import Scattered
from models.storage.storagegrid.system import StorageGrid
from profiles.loading import catalog
from profiles.loading.loader import load
from simulator.result import Result
from simulator.run import simulate
from tests.extent import IS_WHOLE
from tests.narrow import as_a


@cache
def whole(name: str) -> Scenario:
    """Return a shipped profile as it is."""
    return load(name, Scenario).scenario


def _takes_time(name: str) -> bool:
    """Tell whether a profile runs one workload; what is only kept takes no time, many have tests of their own."""
    scenario = whole(name)
    return not scenario.workloads and not scenario.workload.is_only_kept


FOLDERS = ("benchmarks", "studies")  # published clusters are large, and run whole in their family
EVERY = tuple(entry.name for entry in catalog.SHIPPED.describe(FOLDERS) if _takes_time(entry.name))
SERVERS = 4  # of each group; with eight drives each they form two sets of 16
SMALLER = 4  # times, each of the sizes
SHORTER = 8  # times, the sample of a closed loop and the requests of a suite
LENGTHS = ("sample", "queries", "gets", "opens", "probes", "lists", "count", "duration")
QUERIES = 3 if IS_WHOLE else 2  # of a suite
REQUESTS = 100  # times, the requests of a suite
STUDY = "terasort-100tb-1000-nodes"
MEMORY = "cluster.groups.*.server.memory.size"
SIZES = (
    "workload.input",
    "workload.generated",
    "workload.file_size",
    "workload.framework.heap",
    "workload.framework.sort_memory",
    MEMORY,
    "storage.block_size",
    "client.fs.s3a.block.size",
    "client.fs.s3a.multipart.size",
    "client.fs.s3a.multipart.threshold",
)
FAULTS = (
    "failures.faults.*.at",
    "failures.replacement_time",
    "workload.framework.node_expiry",
    "storage.dead_node_time",
)
"""Keys of the moments at which something fails, and of how long others wait for what is gone."""

Change = Callable[[Any], Any]


def kind_of(name: str) -> tuple[object, ...]:
    """Return what tells a shipped profile from others that run the same on the same."""
    scenario = whole(name)
    client = scenario.client_of(scenario.storage)
    of_client = None if client is None else client.connector
    protected = scenario.storage.redundancy(scenario.cluster)
    fails = scenario.failures is not None and scenario.failures.is_in_run
    return scenario.workload.kind, scenario.storage.system, of_client, protected, fails


def _first_of_each_kind() -> tuple[str, ...]:
    """Return a shipped profile of each kind, the first in the list."""
    return tuple({kind_of(name): name for name in reversed(EVERY)}.values())[::-1]


SHIPPED = EVERY if IS_WHOLE else _first_of_each_kind()
"""The profiles that are held to the laws: with `make laws` all of them, otherwise one of each kind."""
_EACH = {part: name for name in reversed(SHIPPED) for part in kind_of(name)[:2]}
FEW = SHIPPED if IS_WHOLE else tuple(name for name in SHIPPED if name in _EACH.values())
"""Of these the first of each kind of work and on each storage system, for laws that run each profile once more."""


def times(factor: float) -> Change:
    """Return what multiplies a number, and rounds it if it counts something."""
    return lambda value: round(value * factor) if isinstance(value, int) else value * factor


def changed(scenario: Scenario, changes: Mapping[str, Change]) -> Scenario:
    """Return the scenario with the values at some keys changed; `*` stands for any name."""
    data = _stated(scenario.model_dump())
    for key, change in changes.items():
        for table, name in _places(data, key.split(".")):
            table[name] = change(table[name])
    return Scenario.model_validate(data)


def acts(name: str, changes: Mapping[str, Change]) -> bool:
    """Tell whether the miniature of a shipped profile has values that some changes would change."""
    places = ((place, change) for key, change in changes.items() for place in _places(_data(name), key.split(".")))
    return any(change(table[step]) != table[step] for (table, step), change in places)


@cache
def _data(name: str) -> dict[str, Any]:
    return as_a(dict, _stated(miniature(name).model_dump()))


@cache
def miniature(name: str) -> Scenario:
    """Return a shipped profile in miniature: of a loop a shorter sample, of a suite fewer queries or requests.

    A load of requests stays whole: in a short one too little is rebuilt to tell how long a repair takes.
    The thousand servers of the study keep more than reduces fetch from one by one.
    """
    scenario = whole(name)
    if isinstance(scenario.workload, ObjectLoad):
        scenario = scenario.model_copy(update={"failures": None})
    if isinstance(scenario.workload, Spark):
        shorter = {
            "workload.queries": lambda queries: queries[:QUERIES],
            "workload.engine.query_time": times(1 / SHORTER),
        }
        return changed(scenario, shorter)
    if isinstance(scenario.workload, Lakehouse):
        counts = ("gets", "opens", "probes", "lists", "wanted", "engine.query_time")
        return changed(scenario, {f"workload.{key}": times(1 / REQUESTS) for key in counts})
    if not isinstance(scenario.workload, MapReduce):
        return changed(scenario, {f"workload.{key}": times(1 / SHORTER) for key in LENGTHS})
    if isinstance(scenario.storage, StorageGrid):  # small as it is, but for the uploads that others left to be listed
        return changed(scenario, {"client.abandoned.rate": times(0)})
    placement = scenario.storage.placement(scenario.cluster)
    pieces = placement.redundancy.pieces if isinstance(placement, Scattered) else 1
    kept = 36 if name == STUDY else max(SERVERS, pieces)
    fewer = kept / scenario.cluster.groups[scenario.workload.framework.servers].count
    changes = {key: times(1 / SMALLER) for key in (*SIZES, *FAULTS)}
    changes |= {"cluster.groups.*.count": lambda count: min(count, kept), "workload.maps": times(fewer)}
    changes["cluster.network.racks"] = lambda racks: min(racks, kept)
    for amount in ("workload.input", "workload.generated"):  # as much as of so few servers, where there must be more
        changes[amount] = times(fewer / SMALLER * min(SERVERS / kept, 1.0))
    if name == STUDY:  # with a quarter of the containers in a quarter of the memory, for a quarter of the data
        changes |= {"cluster.network.racks": lambda racks: 6, "workload.framework.containers": times(1 / 4)}
        changes |= {key: times(1 / SMALLER / 4) for key in ("workload.framework.heap", MEMORY)}
        changes |= {"workload.input": times(fewer / SMALLER / 4)}
    return changed(scenario, changes)


def shipped(workload: type[Model]) -> tuple[str, ...]:
    """Return the names of the shipped profiles that run a kind of workload."""
    return tuple(name for name in SHIPPED if isinstance(miniature(name).workload, workload))


@cache
def run(name: str) -> Result:
    """Return how the miniature of a shipped profile goes."""
    return simulate(miniature(name), profile=name)


def _stated(data: Any) -> Any:
    """Return data without infinite numbers and without None: both only ever stand for a default."""
    if isinstance(data, (tuple, list)):
        return tuple(_stated(item) for item in data)
    if not isinstance(data, dict):
        return data
    return {name: _stated(value) for name, value in data.items() if value is not None and value != float("inf")}


def _places(data: Any, path: list[str]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the tables that hold a key, and its last step; of a list of tables all."""
    if isinstance(data, tuple):
        data = dict(enumerate(data))
    for name in list(data) if path[0] == "*" else [path[0]]:
        if name in data and len(path) == 1:
            yield data, name
        elif name in data:
            yield from _places(data[name], path[1:])
