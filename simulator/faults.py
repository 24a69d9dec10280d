"""Faults in a run: when they strike, what goes down with them, and the repair that goes on behind the job's back.

The storage system says what a repair consists of (`models.outage.Repair`); here it is started at its pace and competes
with the job for the same drives and cards. A run with faults ends with its job; its repairs are followed to their end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from models.failures import Failures, Fault
from models.hardware.cluster import Layout
from models.outage import Outage, Repairs
from models.plan import Plan
from models.storage.kept import Kept
from models.units import YEAR
from models.values import value
from simulator.engine import Engine
from simulator.jobs.run import JobRun
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


@value(eq=False)
class Party:
    """What meets the faults: a run, if it is one, what it is told is down, and how its data is rebuilt."""

    run: JobRun | None
    outage: Outage
    repairs: Sequence[Repairs]


def party(run: JobRun, plan: Plan) -> Party:
    """Return the run of a plan as one that meets faults."""
    return Party(run, plan.outage, plan.repairs)


@value()
class Struck:
    """A fault that has struck, and the repairs of what each run has in each system."""

    fault: Fault
    rebuilds: Sequence[Rebuild]

    @property
    def result(self) -> FaultResult:
        """What the fault came to."""
        ended = max((rebuild.ended_at or 0.0 for rebuild in self.rebuilds), default=self.fault.at)
        rebuilt = sum(rebuild.rebuilt for rebuild in self.rebuilds)
        return FaultResult(self.fault.component, self.fault.at, rebuilt, ended)

    @property
    def is_repaired(self) -> bool:
        """Whether all repairs have ended."""
        return all(rebuild.ended_at is not None for rebuild in self.rebuilds)


class Faults:
    """The faults of one simulation, which all its runs meet, and what the store has `kept` beside their data."""

    def __init__(self, engine: Engine, layout: Layout, failures: Failures, kept: Kept | None = None) -> None:
        self._engine, self._layout, self._failures = engine, layout, failures
        self._parties: dict[str | None, Party] = {}
        if kept is not None:
            self._parties[None] = Party(None, kept.outage, [kept])
        self._runs: list[JobRun] = []
        self._state = Outage(may_fail=True)
        self._struck: list[Struck] = []
        self._is_over = False
        self._known = {resource.name: resource.index for resource in layout.resources}

    def join(self, joined: Party, workload: str = "") -> None:
        """Let a run meet what comes, and know what is down already; it replaces what its workload has stored before."""
        self._parties[workload] = joined
        if joined.run is not None:
            self._runs.append(joined.run)
        outage, state = joined.outage, self._state
        outage.nodes |= state.nodes
        outage.lost |= state.lost
        outage.epoch += len(self._struck)

    def schedule(self, rng: np.random.Generator) -> None:
        """Let the faults come, those of the scenario and those drawn at its rates."""
        for fault in (*self._failures.faults, *self._drawn(rng)):
            self._engine.call_at(fault.at, partial(self._strike, fault))

    def follow(self) -> tuple[FaultResult, ...]:
        """Go on until all repairs have ended, without further faults; return what each fault came to."""
        self._is_over = True
        for run in self._runs:
            run.halt()
        while not all(struck.is_repaired for struck in self._struck):
            self._engine.run(self._engine.now + STEP)
        return tuple(struck.result for struck in self._struck)

    def spans(self) -> tuple[tuple[float, float], ...]:
        """Return from when to when (s) what each fault took was missing; without end where it still is."""
        ends = [[rebuild.ended_at for rebuild in struck.rebuilds] for struck in self._struck]
        return tuple(
            (struck.fault.at, max(filter(None, healed)) if healed and None not in healed else math.inf)
            for struck, healed in zip(self._struck, ends, strict=True)
        )

    def missed(self) -> list[str]:
        """Return in words which faults of the scenario did not strike."""
        struck = [one.fault for one in self._struck]
        return missed(fault for fault in self._failures.faults if fault not in struck)

    @property
    def lost(self) -> float:
        """Bytes that have no way back."""
        return sum(system.lost() for party in self._parties.values() for system in party.repairs)

    @property
    def refused(self) -> int:
        """Writes that found too few drives for their quorum."""
        return sum(party.outage.refused for party in self._parties.values())

    @property
    def redone(self) -> int:
        """Tasks that were started once more."""
        return sum(run.redone for run in self._runs)

    def _drawn(self, rng: np.random.Generator) -> list[Fault]:
        """Return the first failure of each drive and server at the accelerated rates."""
        faults: list[Fault] = []
        faster = self._failures.acceleration
        if not faster:
            return faults
        for node in self._layout.nodes:
            drives = [device.resource.name for devices in node.bays.values() for device in devices]
            yearly = [(node.name, self._failures.server_failures_per_year)]
            yearly += [(drive, self._failures.drive_failures_per_year) for drive in drives]
            for name, rate in yearly:
                at = rng.exponential()  # drawn for all, so that a changed rate changes no other's luck
                if rate:
                    faults.append(Fault(at=at * YEAR / (rate * faster), component=name))
        return faults

    def _strike(self, fault: Fault) -> None:
        nodes, resources = self._down_with(fault.component)
        resources -= self._state.lost
        if self._is_over or not resources:
            return
        for outage in self._outages():
            outage.nodes |= nodes
            outage.lost |= resources
            outage.epoch += 1
        for party in self._parties.values():
            if party.run is not None:
                party.run.lose(nodes, resources)
        self._engine.lose(resources)
        systems = [system for party in self._parties.values() for system in party.repairs]
        repairs = [system.repair(resources, bool(nodes)) for system in systems]
        rebuilds = [Rebuild(self._engine, repair, lambda: self._on_rebuilt(struck, resources)) for repair in repairs]
        struck = Struck(fault, rebuilds)
        self._struck.append(struck)
        wait = self._failures.replacement_time
        if not repairs or any(repair.needs_replacement for repair in repairs):
            self._engine.call_after(wait, lambda: self._replace(nodes, resources))
        for repair, rebuild in zip(repairs, rebuilds, strict=True):
            self._engine.call_after(repair.delay + (wait if repair.needs_replacement else 0.0), rebuild.start)

    def _outages(self) -> Iterator[Outage]:
        yield self._state
        yield from (party.outage for party in self._parties.values())

    def _down_with(self, component: str) -> tuple[set[int], set[int]]:
        """Return the nodes and resources that go down with a component."""
        if component in self._known:
            return set(), {self._known[component]}
        nodes = [node for node in self._layout.nodes if component in (node.name, f"rack-{node.rack + 1}")]
        names = tuple(f"{node.name}/" for node in nodes)
        return {node.index for node in nodes}, {i for name, i in self._known.items() if name.startswith(names)}

    def _replace(self, nodes: set[int], resources: set[int]) -> None:
        """Put an empty component in the place of a failed one; a server takes no tasks of its jobs any more."""
        for outage in self._outages():
            outage.nodes -= nodes
            outage.lost -= resources
            outage.empty |= resources
            outage.epoch += 1
        self._engine.restore(resources)

    def _on_rebuilt(self, struck: Struck, resources: set[int]) -> None:
        if not struck.is_repaired:
            return
        for outage in self._outages():
            outage.empty -= resources
            outage.epoch += 1
