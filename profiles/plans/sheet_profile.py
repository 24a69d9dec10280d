"""The profile of one candidate of a plan, as a tree: its parts in place, its names bound to its servers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from models.planning.grid import axis
from models.planning.prices import GIVEN
from models.planning.sheet import MOMENTS, Candidate, Demand
from models.planning.study import Plan
from models.problem import Problem, ProblemError, RefusalError
from models.quantity import GROUP, PLACE, extra
from models.scenario import Scenario
from models.storage.contract import StorageModel
from models.storage.protection import protection
from models.units import DAY
from profiles.loading.catalog import SHIPPED
from profiles.loading.loader import Loaded
from profiles.loading.reader import Here, Reader
from profiles.text.schema import Shape, merge
from profiles.text.tree import Array, Leaf, Node, Place, Table, child, dotted

SERVERS, COMPUTE, CLIENTS, OWNED = "servers", "compute", "clients", "owned"
COUNT, COMPUTE_COUNT = f"cluster.groups.{SERVERS}.count", f"cluster.groups.{COMPUTE}.count"
FRAMEWORK = "yarn"
"""What runs MapReduce jobs where a candidate names nothing; containers and heap follow from its servers."""
REQUESTS = 20000
"""Requests of a load that says neither how many nor how long. Assumption: enough to know the slowest hundredth."""
LENGTHS = {"count", "duration"}
"""Keys of a load that say how much of it is measured."""
NOTHING = "nothing is stored, and nothing runs; state what is stored, such as '2 PB', or a workload"
ON_CLIENTS = {"requests", "storing"}
"""Kinds of workloads that need nothing but the customer's clients."""
AS_STATED = ("client", "planning", "failures")
OF_GROWTH = ("start", "stored", "annual_growth", "ingest", "ingest_growth", "retention", "lead_time")
_SHAPE = Shape(Scenario)


def profile_tree(
    loaded: Loaded[Plan],
    path: Path,
    candidate: str,
    run: Sequence[Demand],
    *,
    is_degraded: bool = False,
    is_named: bool = False,
) -> Table:
    """Return the profile of a candidate of the plan in the file `path`, with the workloads of a run.

    Where `is_named`, a single workload is one of many, too.

    Raises:
        ProblemError: with what is wrong with the parts that it names.
    """
    made = _Profile(loaded, path, candidate)
    tree = made.reader.expanded(made.skeleton(run, is_named=is_named), _SHAPE, made.here)
    if made.reader.problems:
        raise ProblemError(made.reader.problems)
    assert isinstance(tree, Table)  # as the skeleton is
    tree = made.completed(tree, run)
    if made.reader.problems:
        raise ProblemError(made.reader.problems)
    return made.degraded(tree) if is_degraded else tree


class _Profile:
    """Makes the profile of a candidate."""

    def __init__(self, loaded: Loaded[Plan], path: Path, name: str) -> None:
        self._plan, self._tree, self._name = loaded.scenario, loaded.tree, name
        self._candidate: Candidate = self._plan.candidates[name]
        self._stated = child(child(self._tree, "candidates"), name)
        self._required = child(self._tree, "requirements")
        self._place = self._stated.place if self._stated else self._tree.place
        self.reader = Reader(SHIPPED)
        self.here = Here(path.parent, (path,))

    def skeleton(self, run: Sequence[Demand], *, is_named: bool) -> Table:
        """Return what the plan states of the profile, each thing at its place."""
        entries: dict[str, Node] = {
            "profile": self._made({"title": f"{self._name}, for: {self._plan.title}"}),
            "cluster": self._cluster(run),
            **{key: node for key in ("storage", *AS_STATED) if (node := child(self._stated, key))},
            **self._workloads(run, is_named=is_named),
        }
        if prices := child(self._stated, "prices") or child(self._tree, "prices"):
            entries["prices"] = prices
        if self._plan.requirements.growth() is not None:
            entries["growth"] = self._growth(run)
        return Table(entries, self._tree.place)

    def completed(self, tree: Table, run: Sequence[Demand]) -> Table:
        """Return a tree whose parts are in place with its protection, its framework and all names bound."""
        entries = dict(tree.entries)
        groups = child(entries["cluster"], "groups")
        assert isinstance(groups, Table)  # as the skeleton has it
        self._check_servers(entries, _SHAPE.below(tree, "storage"), groups, run)
        entries["storage"] = self._protected(entries["storage"], _SHAPE.below(tree, "storage"))
        entries["storage"] = self._bound(entries["storage"], _SHAPE.below(tree, "storage"), _Role(SERVERS, groups))
        for key in ("workload", "workloads"):
            if key in entries:
                entries[key] = self._run_by(entries[key], _SHAPE.below(tree, key), groups)
        if "client" in entries:
            role = _Role(_runs_on(groups), groups)
            entries["client"] = self._bound(entries["client"], _SHAPE.below(tree, "client"), role)
        if "prices" in entries:
            told = self._told(CLIENTS in groups.entries)
            entries["prices"] = merge(entries["prices"], told, _SHAPE.below(tree, "prices"))
        return replace(tree, entries=entries)

    def _check_servers(self, entries: Mapping[str, Node], shape: Shape, groups: Table, run: Sequence[Demand]) -> None:
        """See that data and jobs have servers: a store that is rented needs none, and a load comes from clients."""
        if SERVERS in groups.entries:
            return
        systems = [model for model in shape.chosen(entries["storage"]) if issubclass(model, StorageModel)]
        if not all(system.is_rented for system in systems):
            self._lack("data lies on servers of one's own, as this store is not rented")
        elif COMPUTE not in groups.entries:
            stated = entries.get("workloads", entries.get("workload"))
            nodes = stated.items if isinstance(stated, Array) else (stated,)
            for demand, node in zip(run, nodes, strict=False):  # without any, it stores what the plan stores
                kind = child(node, "kind")
                if isinstance(kind, Leaf) and kind.value not in ON_CLIENTS:
                    self._lack(f"'{demand.name}' computes, which takes servers, rented ones or one's own")

    def _lack(self, reason: str) -> None:
        """Tell that the candidate states no servers, and why it has to."""
        text = f"missing: {reason}; state servers and count"
        self.reader.problems.append(
            Problem(self._place.file, self._place.line, dotted((*self._place.key, "servers")), text)
        )

    def _told(self, has_clients: bool) -> Table:
        """Return what a price list is told: years and currency of the plan, and that the customer's are free."""
        free: Table = self._made({"servers": {GIVEN: {"rack_units": 0}}} if has_clients else {})
        budget, currency = child(self._required, "budget"), self._plan.requirements.currency
        told = {"currency": _made(currency, budget.place)} if budget is not None and currency is not None else {}
        years = child(self._required, "years") or self._made(self._plan.requirements.years)
        return replace(free, entries={**free.entries, "over": years, **told})

    def degraded(self, tree: Table) -> Table:
        """Return a tree in which what the plan says to be down fails at the start, and is replaced at once."""
        count, kind = self._plan.requirements.down()
        groups = child(child(tree, "cluster"), "groups")
        bay = next(iter(_Role(SERVERS, groups).bays), "") if isinstance(groups, Table) else ""
        name = {"server": f"{SERVERS}-{{}}", "drive": f"{SERVERS}-{{}}/{bay}-1", "rack": "rack-{}"}.get(kind, "")
        faults = [{"at": "0 s", "component": name.format(i + 1)} for i in range(count)]
        over = self._made({"faults": faults, "replacement_time": "0 s", "moments": MOMENTS})
        under = tree.entries.get("failures")
        return replace(tree, entries=tree.entries | {"failures": merge(under, over, _SHAPE.below(tree, "failures"))})

    def _cluster(self, run: Sequence[Demand]) -> Table:
        groups: dict[str, Node] = {}
        if self._candidate.count is not None:
            groups[SERVERS] = self._group(child(self._stated, "servers"), self._candidate.count, OWNED)
        if compute := child(self._stated, "compute"):
            groups[COMPUTE] = self._group(compute, self._candidate.compute_count)
        if not groups or any(self._is_requests(demand) for demand in run):
            wanted = child(self._required, "clients") or self._made(self._plan.requirements.clients)
            named = wanted if isinstance(wanted, Table) else Table({"use": wanted}, wanted.place)
            server = replace(named, entries={**named.entries, "model": self._made(GIVEN)})
            groups[CLIENTS] = self._group(server, f"{self._plan.requirements.client_count}")
        network = {"network": node} if (node := child(self._stated, "network")) else {}
        return Table({"groups": Table(groups, self._place), **network}, self._place)

    def _group(self, server: Node | None, count: str, *stated: str) -> Table:
        """Return a group with the first of some counts, and with keys of it that the candidate states."""
        first = int(axis("count", count).values[0])
        entries = {"count": self._made(first)} | ({"server": server} if server else {})
        entries |= {key: node for key in stated if (node := child(self._stated, key))}
        return Table(entries, self._place)

    def _is_requests(self, demand: Demand) -> bool:
        stated = self.reader.expanded(self._workload(demand), _SHAPE.keys(None)["workload"], self.here)
        kind = child(stated, "kind")
        return isinstance(kind, Leaf) and kind.value == "requests"

    def _workload(self, demand: Demand) -> Table:
        """Return the keys of a workload itself."""
        number = [workload.name for workload in self._plan.requirements.workloads].index(demand.name)
        stated = child(child(self._required, "workloads"), number)
        assert isinstance(stated, Table)  # the plan has been read
        shared = replace(stated, entries={key: stated.entries[key] for key in demand.stated})
        own = child(child(self._stated, "workloads"), demand.name)
        if own is None:
            return shared
        joined = merge(shared, own, _SHAPE.keys(None)["workload"])
        assert isinstance(joined, Table)  # as both are
        return joined

    def _workloads(self, run: Sequence[Demand], *, is_named: bool) -> dict[str, Node]:
        if not run:
            asked = self._plan.requirements
            if asked.growth() is None:
                place = self._required.place if self._required else self._place
                raise ProblemError([Problem(place.file, place.line, "requirements.stored", NOTHING)])
            data = f"{asked.stored or asked.stored_at(asked.fullest):.12g} B"
            return {"workload": self._made({"kind": "storing", "data": data})}
        if len(run) == 1 and not is_named:
            return {"workload": self._alone(run[0])}
        return {"workloads": Array(tuple(self._beside(demand, _due(run)) for demand in run), self._place)}

    def _alone(self, demand: Demand) -> Table:
        """Return a workload that runs alone, a job with how often it comes, for what it costs; a load goes on."""
        table = self._workload(demand)
        if demand.every is None or self._is_requests(demand):
            return table
        return replace(table, entries={**self._made({"every": f"{demand.every:.12g} s"}).entries, **table.entries})

    def _beside(self, demand: Demand, until: float) -> Table:
        """Return a workload that runs beside others, again and again until the time at which the longest is due.

        A load goes on while jobs run, so that its latencies are those beside them; one that varies over the day lasts
        for a day at least, so that all of its hours count.
        """
        made: dict[str, Any] = {"name": demand.name, "objectives": list(demand.objectives)}
        if demand.deadline is not None:
            made["finish_by"] = f"{demand.deadline:.12g} s"
        if demand.every is not None:
            made |= {"every": f"{demand.every:.12g} s", "until": f"{max(until, demand.every):.12g} s"}
        others = next(run for run in self._plan.required_of(self._name).runs() if demand in run)
        table = self._workload(demand)
        if len(others) > 1 and not LENGTHS & table.entries.keys() and self._is_requests(demand):
            lasts = DAY if "rate_by_hour" in table.entries else _due(others)
            made |= {"while_others_run": True} | ({"duration": f"{lasts:.12g} s"} if lasts else {})
        return replace(table, entries={**self._made(made).entries, **table.entries})

    def _growth(self, run: Sequence[Demand]) -> Table:
        requirements = self._plan.requirements
        stated = {key: node for key in OF_GROWTH if (node := child(self._required, key))}
        growing = [demand.name for demand in run if demand.grows]
        made: dict[str, Any] = {"stored": "0 B", "months": requirements.months}
        made["workload_grows"] = bool(growing) and len(growing) == len(run)
        if 0 < len(growing) < len(run):
            made["growing_workloads"] = growing
        return Table({**self._made(made).entries, **stated}, self._place)

    def _protected(self, storage: Node, shape: Shape) -> Node:
        models = shape.chosen(storage)
        if self._candidate.protection is None or len(models) != 1 or not isinstance(storage, Table):
            return storage
        system = models[0]
        assert issubclass(system, StorageModel)  # what stands at `storage`
        stated = child(self._stated, "protection")
        place = stated.place if stated else self._place
        try:
            keys = system.protected(protection(self._candidate.protection))
        except RefusalError as error:
            reasons = error.reasons
            self.reader.problems += [
                Problem(place.file, place.line, dotted(place.key), reason.message) for reason in reasons
            ]
            return storage
        kept = {key: node for key, node in storage.entries.items() if keys.get(key, "") is not None}
        chosen = self._made({key: value for key, value in keys.items() if value is not None})
        return merge(replace(storage, entries=kept), chosen, shape)

    def _run_by(self, node: Node, shape: Shape, groups: Table) -> Node:
        """Return a workload, or several, with a framework, bound to the servers that run it."""
        if isinstance(node, Array):
            item = shape.item or Shape(None)
            return replace(node, items=tuple(self._run_by(below, item, groups) for below in node.items))
        if not isinstance(node, Table):
            return node
        kind = child(node, "kind")
        is_load = isinstance(kind, Leaf) and kind.value == "requests"
        role = _Role(CLIENTS if is_load else _runs_on(groups), groups)
        if is_load:  # it goes on for ever, whatever part of it is measured
            length = {} if LENGTHS & node.entries.keys() else {"count": self._made(REQUESTS)}
            node = replace(node, entries={"credits": self._made("spent"), **node.entries, **length})
        if isinstance(kind, Leaf) and kind.value == "mapreduce" and "framework" not in node.entries:
            node = replace(node, entries={**node.entries, "framework": self._framework(shape.below(node, "framework"))})
        return self._bound(node, shape, role)

    def _framework(self, shape: Shape) -> Node:
        stated = child(self._stated, "framework")
        return self.reader.expanded(self._made(FRAMEWORK) if stated is None else stated, shape, self.here)

    def _bound(self, node: Node, shape: Shape, role: _Role) -> Node:
        """Return a part with the groups and places that it names bound to those of a role, but for stated ones."""
        if isinstance(node, Array):
            item = shape.item or Shape(None)
            return replace(node, items=tuple(self._bound(part, item, role) for part in node.items))
        if not isinstance(node, Table) or not shape.models:
            return node
        entries = dict(node.entries)
        for key, below in shape.keys(node).items():
            if below.info is None:
                continue
            there, names = entries.get(key), extra(below.info).get("names")
            if names == GROUP:
                if self._is_open(there) and (there or below.info.is_required()):
                    entries[key] = self._made([role.group] if below.item else role.group)
            elif names == PLACE or key == "bay":
                value = there.value if isinstance(there, Leaf) else below.info.default
                known = role.bays if key == "bay" or role.bays else role.places  # drives, before attached volumes
                if self._is_open(there) and isinstance(value, str) and known and value not in known:
                    entries[key] = self._made(known[0])
            elif there is not None:
                entries[key] = self._bound(there, below, role)
        return replace(node, entries=entries)

    def _is_open(self, node: Node | None) -> bool:
        """Tell whether the plan itself leaves a name open: it does not state it, or only a part does."""
        return node is None or node.place.file != self._tree.place.file

    def _made(self, value: Any) -> Any:
        """Return data as a tree that stands where the candidate does."""
        return _made(value, self._place)


@dataclass(frozen=True, slots=True)
class _Role:
    """The group of servers that does something, among all groups."""

    group: str
    groups: Table

    @property
    def _server(self) -> Node | None:
        return child(child(self.groups, self.group), "server")

    @property
    def bays(self) -> list[str]:
        """The bays of its servers."""
        bays = child(self._server, "bays")
        return list(bays.entries) if isinstance(bays, Table) else []

    @property
    def places(self) -> list[str]:
        """Bays and volumes of its servers."""
        volumes = child(self._server, "volumes")
        return [*self.bays, *(volumes.entries if isinstance(volumes, Table) else ())]


def _runs_on(groups: Table) -> str:
    """Return the group of servers on which jobs run: those of their own, else those of the data, else the clients."""
    return next((name for name in (COMPUTE, SERVERS) if name in groups.entries), CLIENTS)


def _due(run: Sequence[Demand]) -> float:
    """Return when the longest of some workloads is due (s), 0 where none is."""
    return max((demand.deadline or demand.every or 0.0 for demand in run), default=0.0)


def _made(value: Any, place: Place) -> Any:
    if isinstance(value, dict):
        return Table({key: _made(entry, place) for key, entry in value.items()}, place)
    if isinstance(value, (list, tuple)):
        return Array(tuple(_made(entry, place) for entry in value), place)
    return Leaf(value, place)
