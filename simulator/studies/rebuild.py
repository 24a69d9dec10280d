"""How long a repair takes: a full drive, and a server full of them, fail on an idle cluster and are rebuilt.

A sample of the lost pieces is rebuilt under the throttles of the storage system, at the rates of its drives and cards;
the time of the whole grows with its bytes. Where all servers share in a rebuild, a large store is simulated in small:
on so many servers that as many pieces fall to each of them as in the whole, as throttles go by the server. Sets of
drives are repaired by themselves, so that fewer servers do as well. Batch work on the cluster would slow the repair
down: a run with faults shows it. A load of requests goes on all the time, so the repair is the one beside it, which its
run with faults tells as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from models.build import build
from models.failures import Failures, Fault
from models.hardware.cluster import Cluster, Layout, Node
from models.jobs.object_load import ObjectLoad
from models.jobs.object_load_plan import ObjectLoadPlan
from models.outage import Outage
from models.planning.durability import RepairTime, known_placement
from models.problem import RefusalError, refusal
from models.scenario import Scenario
from models.storage.contract import Home, Rebuilds
from models.storage.domains import Scattered, SetKind, Sets
from models.storage.kept import object_size
from models.storage.systems import runtime_of
from simulator.engine import Engine
from simulator.rebuild import Rebuild
from simulator.requests.damage import measured_repair, time_to_healthy

MOST = 4000
"""Blocks of the sample at most. Assumption: enough for its ends to weigh some 3 %."""

FEWER = 10
"""Times fewer objects where no throttle goes in rounds: all of them go to what was replaced, so that the sample has
hardly any ends. Assumption: as above."""

SERVERS = 100
"""Servers of the sample at least, where there are more. Assumption: replicas are spread over them as over any more."""

ALONE = 1000
"""Servers of the sample at least where each set of drives is repaired by itself. Assumption: quick to lay out."""


def repair_time(scenario: Scenario, most: int = MOST) -> RepairTime:
    """Return how long it takes until all that a full drive, or a full server, held is safe again.

    `most` pieces are simulated, unless a load of requests goes on beside.

    Counts from the failure: noticing it, replacing what failed where the system needs that, and the repair. What the
    array of its server rebuilds, a drive, takes the time that the profile states.

    Raises:
        RefusalError: the repairs of the storage system are not known.
    """
    scenario = scenario.model_copy(update={"rebalance": None})  # which is over by then
    home, _ = known_placement(scenario, "a repair")
    if isinstance(scenario.workload, ObjectLoad):
        return _beside_load(scenario, home)
    own = scenario.storage.drive_rebuild
    drive = _measured(scenario, home, most, is_server=False) if own is None else own
    return RepairTime(drive, _measured(scenario, home, most, is_server=True))


_known: dict[str, RepairTime] = {}


def known_repair_time(scenario: Scenario) -> RepairTime:
    """Return `repair_time`, simulated once for all scenarios that share what it depends on."""
    parts = {"cluster", "storage", "client", "failures"}
    if isinstance(scenario.workload, ObjectLoad):  # the repair goes on beside it
        parts.add("workload")
    key = scenario.model_dump_json(include=parts)
    if key not in _known:
        _known[key] = repair_time(scenario)
    return _known[key]


def _beside_load(scenario: Scenario, home: Home) -> RepairTime:
    """Return the repair times of a store that serves a load meanwhile; of a server's own array it notices nothing."""
    node = Layout(scenario.cluster).groups[home[0]][0]
    damaged = _load_without(scenario, node.name)
    server = _measured(scenario, home, MOST, is_server=True) if damaged is None else _healthy_after(damaged)
    own = scenario.storage.drive_rebuild
    if own is not None:
        return RepairTime(own, server)
    lone = _load_without(scenario, node.bays[home[1]][0].resource.name)
    drive = _measured(scenario, home, MOST, is_server=False) if lone is None else _healthy_after(lone)
    return RepairTime(drive, server)


def _load_without(scenario: Scenario, component: str) -> ObjectLoadPlan | None:
    """Return the load while a component is down and rebuilt; None where data is lost with it."""
    failures = scenario.failures or Failures()
    alone = failures.model_copy(update={"faults": (Fault(at=0.0, component=component),), "acceleration": 0.0})
    try:
        plan = build(scenario.model_copy(update={"failures": alone}), 0)
    except RefusalError:
        return None
    assert isinstance(plan, ObjectLoadPlan)  # the caller has asked
    return plan


def _healthy_after(damaged: ObjectLoadPlan) -> float:
    """Return the time (s) from the failure until all is safe again, beside the load."""
    return time_to_healthy(damaged, measured_repair(damaged))


def _measured(scenario: Scenario, home: Home, most: int, *, is_server: bool) -> float:
    repair = _alone(scenario, home, most, is_server=is_server)
    wait = scenario.failures.replacement_time if scenario.failures and repair.needs_replacement else 0.0
    return wait + repair.delay + repair.duration


@dataclass(frozen=True, slots=True)
class _Repaired:
    """A repair on an idle cluster: s until the loss is noticed, s that it takes, whether parts are replaced before."""

    delay: float
    duration: float
    needs_replacement: bool


_simulated: dict[str, _Repaired] = {}


def _alone(scenario: Scenario, home: Home, most: int, *, is_server: bool) -> _Repaired:
    """Return the repair, simulated once however soon parts are replaced and however often they fail."""
    system = scenario.model_dump_json(include={"cluster", "storage", "client"})
    key = f"{system} {_lost(scenario, home, is_server=is_server)} {most} {is_server}"
    if key not in _simulated:
        _simulated[key] = _repaired(scenario, home, most, is_server=is_server)
    return _simulated[key]


def _repaired(scenario: Scenario, home: Home, most: int, *, is_server: bool) -> _Repaired:
    whole = _lost(scenario, home, is_server=is_server)
    cluster, part = _in_small(scenario, home, whole, most)
    layout, outage = Layout(cluster), Outage(may_fail=True, epoch=1)
    rebuilds = _rebuilds(scenario, layout, outage)  # a store may have resources of its own
    engine = Engine(layout.resources)
    node = layout.groups[home[0]][0]
    devices = node.bays[home[1]][: None if is_server else 1]
    resources = _down(layout, node) if is_server else {devices[0].resource.index}
    outage.nodes |= {node.index} if is_server else set()
    repair = rebuilds.repair(resources, is_server)
    if repair.needs_replacement:
        outage.nodes.clear()
        outage.empty |= resources
    else:
        outage.lost |= resources
        engine.lose(resources)
    size, share = rebuilds.piece(object_size(scenario.client))
    pieces = math.ceil(whole * part / share)
    rebuilds.fill([(node, device) for device in devices], min(pieces, most if repair.interval else most // FEWER), size)
    rebuild = Rebuild(engine, repair, lambda: None)
    rebuild.start()
    engine.run()
    rounds = repair.interval * (math.ceil(pieces / repair.batch) - 1)
    duration = max((rebuild.ended_at or 0.0) * whole * part / rebuild.rebuilt, rounds) if rebuild.rebuilt else 0.0
    return _Repaired(repair.delay, duration, repair.needs_replacement)  # without a way back, as of a whole array: 0 s


def _lost(scenario: Scenario, home: Home, *, is_server: bool) -> float:
    """Return the bytes on the drive or the server that fails: the first of all."""
    bay = scenario.cluster.groups[home[0]].batches()[0].server.bays[home[1]]
    fill = scenario.failures.full if scenario.failures else 1.0
    return getattr(bay.drive, "capacity", 0.0) * (bay.count if is_server else 1) * fill


def _in_small(scenario: Scenario, home: Home, whole: float, most: int) -> tuple[Cluster, float]:
    """Return the cluster, with so many servers that no more than the most pieces fall to all of them.

    Beside it the part that it is of the whole. Only where all servers share in a rebuild do fewer of them do as well.
    """
    cluster, placement = scenario.cluster, scenario.storage.placement(scenario.cluster)
    if isinstance(placement, Sets):
        return _of_fewer_sets(scenario, home, placement), 1.0
    group = cluster.groups[home[0]]
    part = 1.0
    if isinstance(placement, Scattered) and scenario.storage.rebuilds_into_free_space:
        part = max(most * placement.unit / whole, SERVERS / group.count)
    if part >= 1:
        return cluster, 1.0
    first, *later = (batch.model_copy(update={"count": math.ceil(batch.count * part)}) for batch in group.batches())
    count = first.count + sum(batch.count for batch in later)
    small = group.model_copy(update={"count": count, "later": tuple(later)})
    groups = {**cluster.groups, home[0]: small}
    return cluster.model_copy(update={"groups": groups}), small.count / group.count


def _of_fewer_sets(scenario: Scenario, home: Home, placement: Sets) -> Cluster:
    """Return the cluster with fewer servers, as a set of drives is repaired by itself; all where they share uplinks.

    Servers are left out by as many as drives of a set, so that those of the server that fails lie on the same ones.
    """
    cluster, group = scenario.cluster, scenario.cluster.groups[home[0]]
    step = math.lcm(*(len(kind.servers) for kind in placement.kinds))
    count = ALONE + (group.count - ALONE) % step
    if group.later or count >= group.count or not (cluster.network.racks == 1 or cluster.network.oversubscription == 1):
        return cluster
    groups = {
        name: other.model_copy(update={"count": min(other.count, count)}) for name, other in cluster.groups.items()
    }
    network = cluster.network.model_copy(update={"racks": min(cluster.network.racks, count)})
    small = cluster.model_copy(update={"groups": groups, "network": network})
    fewer = scenario.storage.placement(small)
    is_alike = isinstance(fewer, Sets) and _kinds(fewer) == _kinds(placement)
    return small if is_alike else cluster


def _kinds(placement: Sets) -> list[SetKind]:
    return [replace(kind, count=1) for kind in placement.kinds]


def _rebuilds(scenario: Scenario, layout: Layout, outage: Outage) -> Rebuilds:
    """Return what rebuilds the store of a scenario.

    Raises:
        RefusalError: nothing does.
    """
    storage, runtime = scenario.storage, runtime_of(scenario.storage)
    if runtime.repairs is None:
        raise refusal("storage.system", "the rebuild of such a store is not modelled", value=storage.system)
    return runtime.repairs(runtime.store(storage, layout, 0, outage))


def _down(layout: Layout, node: Node) -> set[int]:
    return {resource.index for resource in layout.resources if resource.name.startswith(f"{node.name}/")}
