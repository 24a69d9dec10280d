"""Faults in a run: when they strike, what goes down with them, and the repair that goes on behind the job's back.

The storage system says what a repair consists of (`models.outage.Repair`); here it is started at its pace and competes
with the job for the same drives and cards. A run with faults ends with its job; its repairs are followed to their end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np

from models.failures import Failures, Fault
from models.plan import Plan
from models.planning.durability import YEAR
from simulator.engine import Engine
from simulator.jobs import JobRun
from simulator.rebuild import Rebuild
from simulator.result import FaultResult

STEP = 60.0
"""Seconds of simulated time between two looks at whether all repairs have ended. Assumption: a minute."""


def missed(faults: Iterable[Fault]) -> list[str]:
    """Return in words that some faults did not strike."""
    return [
        f"{fault.component} did not fail at {fault.at:g} s: the run had ended, or it was down already"
        for fault in faults
    ]


@dataclass(frozen=True, slots=True)
class Struck:
    """A fault that has struck, and its repair."""

    fault: Fault
    rebuild: Rebuild


class Faults:
    """The faults of one run."""

    def __init__(self, engine: Engine, run: JobRun, plan: Plan, failures: Failures) -> None:
        assert plan.repairs is not None  # the scenario has been validated
        layout = plan.layout
        self._engine, self._run, self._layout = engine, run, layout
        self._outage, self._repairs, self._failures = plan.outage, plan.repairs, failures
        self._struck: list[Struck] = []
        self._is_over = False
        self._known = {layout.resources[i].name: i for i in range(len(layout.resources))}

    def schedule(self, rng: np.random.Generator) -> None:
        """Let the faults come, those of the scenario and those drawn at its rates."""
        for fault in (*self._failures.faults, *self._drawn(rng)):
            self._engine.call_at(fault.at, partial(self._strike, fault))

    def follow(self) -> tuple[FaultResult, ...]:
        """Go on until all repairs have ended, without further faults; return what each fault came to."""
        self._is_over = True
        while any(struck.rebuild.ended_at is None for struck in self._struck):
            self._engine.run(self._engine.now + STEP)
        return tuple(
            FaultResult(each.fault.component, each.fault.at, each.rebuild.rebuilt, each.rebuild.ended_at or 0.0)
            for each in self._struck
        )

    def missed(self) -> list[str]:
        """Return in words which faults of the scenario did not strike."""
        struck = [each.fault for each in self._struck]
        return missed(fault for fault in self._failures.faults if fault not in struck)

    def _drawn(self, rng: np.random.Generator) -> list[Fault]:
        """Return the first failure of each drive and server at the accelerated rates."""
        found: list[Fault] = []
        faster = self._failures.acceleration
        if not faster:
            return found
        for node in self._layout.nodes:
            drives = [device.resource.name for devices in node.bays.values() for device in devices]
            yearly = [(node.name, self._failures.server_failures_per_year)]
            yearly += [(drive, self._failures.drive_failures_per_year) for drive in drives]
            for name, rate in yearly:
                at = rng.exponential()  # drawn for all, so that a changed rate changes no other's luck
                if rate:
                    found.append(Fault(at=at * YEAR / (rate * faster), component=name))
        return found

    def _strike(self, fault: Fault) -> None:
        nodes, resources = self._down_with(fault.component)
        resources -= self._outage.lost
        if self._is_over or not resources:
            return
        self._outage.nodes |= nodes
        self._outage.lost |= resources
        self._outage.epoch += 1
        self._run.lose(nodes, resources)
        self._engine.lose(resources)
        repair = self._repairs.repair(resources, bool(nodes))
        rebuild = Rebuild(self._engine, repair, lambda: self._on_healthy(resources))
        self._struck.append(Struck(fault, rebuild))
        if repair.needs_replacement:
            wait = self._failures.replacement_time
            self._engine.call_after(wait, lambda: self._replace(nodes, resources))
            self._engine.call_after(wait + repair.delay, rebuild.start)
        else:
            self._engine.call_after(repair.delay, rebuild.start)

    def _down_with(self, component: str) -> tuple[set[int], set[int]]:
        """Return the nodes and resources that go down with a component."""
        if component in self._known:
            return set(), {self._known[component]}
        nodes = [node for node in self._layout.nodes if component in (node.name, f"rack-{node.rack + 1}")]
        names = tuple(f"{node.name}/" for node in nodes)
        return {node.index for node in nodes}, {i for name, i in self._known.items() if name.startswith(names)}

    def _replace(self, nodes: set[int], resources: set[int]) -> None:
        """Put an empty component in the place of a failed one; a server takes no tasks of this job any more."""
        self._outage.nodes -= nodes
        self._outage.lost -= resources
        self._outage.empty |= resources
        self._outage.epoch += 1
        self._engine.restore(resources)

    def _on_healthy(self, resources: set[int]) -> None:
        self._outage.empty -= resources
        self._outage.epoch += 1
