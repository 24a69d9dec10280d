"""From a scenario to what the simulator executes: a layout with its resources, and the plan of its workload."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING

from models.hardware.bays import bay_capacity
from models.hardware.cluster import Layout
from models.jobs.schedule import Schedule
from models.jobs.scheduler import Scheduler
from models.outage import Outage
from models.plan import Ground, Plan
from models.planning.capacity import capacity, keeping, storing_metrics
from models.planning.growth import stored_at_start
from models.rebalance import Intake, before
from models.scenario import Scenario
from models.storage.kept import Kept
from models.storage.systems import StorageSystem, runtime_of
from models.symmetry import WHOLE, layout_of
from models.work import Resource

if TYPE_CHECKING:
    from models.jobs.lakehouse_plan import LakehousePlan
    from models.jobs.object_load_plan import ObjectLoadPlan


def build(
    scenario: Scenario, salt: int, layout: Layout | None = None, *, is_alone: bool = True
) -> Plan | LakehousePlan | ObjectLoadPlan:
    """Return the plan of a scenario; `salt` chooses placements and start times.

    A workload that is not alone meets others on its `layout`, for which plans have been built, or will be.
    """
    failures, workload = scenario.failures, scenario.workload
    layout = layout or layout_of(scenario, WHOLE)
    ground = Ground(
        layout=layout,
        storage=scenario.storage.holding(_objects(scenario)),
        client_of=scenario.client_of,
        failures=failures,
        salt=salt,
        outage=Outage(may_fail=failures is not None and failures.is_in_run),
        room=lambda: storing_metrics(scenario),
        named=scenario.client,
        brought=workload.brought,
        throttle=_throttle(workload, layout) if isinstance(workload, Schedule) else None,
        is_alone=is_alone,
        policy=(scenario.scheduler or Scheduler()).policy,
    )
    planned_in = import_module(f"{type(workload).__module__}_plan")
    plan: Plan | LakehousePlan | ObjectLoadPlan = planned_in.plan(workload, ground)
    return _told(plan, ground) if isinstance(plan, Plan) else plan


def intakes(scenario: Scenario, layout: Layout, salt: int) -> list[Intake]:
    """Return how the servers of a layout that have just come take data in; none where none has, or nothing moves."""
    storage, runtime = scenario.storage, runtime_of(scenario.storage)
    held, moved, _ = moving(scenario)
    if not moved or runtime.rebalances is None:
        return []
    return runtime.rebalances(runtime.store(storage, layout, salt, Outage())).intakes(held, moved)


def rebuilds_drives(storage: StorageSystem) -> bool:
    """Tell whether a storage system makes drives anew whole, with all that lay on them."""
    return runtime_of(storage).rebuilds_drives


def kept(scenario: Scenario, layout: Layout) -> Kept | None:
    """Return what the store holds beside the data of its jobs where components may fail that are told to be full.

    None where nothing of the kind is told, or whole drives are rebuilt with all that lies on them.
    """
    failures, storage, home = scenario.failures, scenario.storage, scenario.storage.home
    runtime = runtime_of(storage)
    if failures is None or failures.fill is None or home is None or runtime.repairs is None or runtime.rebuilds_drives:
        return None
    jobs = (part for part in scenario.each().values() if not part.workload.is_divided_beside)
    own = sum(capacity(part).needed for part in jobs)  # of loads nothing is known object by object
    part = failures.fill - own / storage.raw_capacity(scenario.cluster)
    return Kept(storage, home, scenario.client, layout, part) if part > 0 else None


def moving(scenario: Scenario) -> tuple[float, float, float]:
    """Return the raw bytes that are held when servers come, those that move onto them, and those of their drives."""
    rebalance, home = scenario.rebalance, scenario.storage.home
    if rebalance is None or home is None:
        return 0.0, 0.0, 0.0
    old = bay_capacity(before(scenario.cluster, home[0], rebalance.servers), *home)
    new = bay_capacity(scenario.cluster, *home) - old
    held = min(capacity(keeping(scenario, data_stored(scenario))).needed, old)
    return held, scenario.storage.moved_onto(old, new, held), new


def data_stored(scenario: Scenario) -> float:
    """Return the bytes that are stored when servers have just come, counted once."""
    if scenario.rebalance is not None and scenario.rebalance.stored is not None:
        return scenario.rebalance.stored
    if scenario.growth is not None:
        return stored_at_start(scenario)
    given, made, _ = scenario.workload.stored(scenario.cluster)
    return given + made


def _objects(scenario: Scenario) -> float:
    """Return how many objects are stored, as far as it is known.

    Assumption: those that are there are of the size of those that are asked for.
    """
    size = scenario.workload.mean_object()
    if not size:
        return 0.0
    stored = stored_at_start(scenario) if scenario.growth is not None else scenario.workload.stored(scenario.cluster)[0]
    return stored / size


def _throttle(workload: Schedule, layout: Layout) -> Resource | None:
    """Return what carries the bytes a second that a workload reads and writes at most, all its runs together."""
    key = f"{workload.name}/throttle"
    return None if workload.throttle is None else layout.once(key, "throttle", key, "B", workload.throttle)


def _told(plan: Plan, ground: Ground) -> Plan:
    """Return a plan that tells what may fail, what is repaired, and which clients were taken."""
    assumed = tuple(dict.fromkeys(ground.assumed))
    notes = plan.notes
    return replace(
        plan, outage=ground.outage, repairs=ground.repairs, notes=lambda account: (*assumed, *notes(account))
    )
