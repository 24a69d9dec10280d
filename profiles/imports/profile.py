"""Writes findings as profiles: one for each workload, or one that only keeps data. What no file says is shipped."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from models import units
from models.hardware.calibration import Fit, Technology, fit
from models.hardware.server import Server
from models.problem import Problem, ProblemError, RefusalError
from models.storage.systems import keeps_objects
from profiles.imports.background import background
from profiles.imports.finding import Finding, Outcome, Part, PartKind, Value, Workload
from profiles.imports.part import drive_table, drive_values, like, server_tables
from profiles.imports.processors import observed_speed, processor
from profiles.imports.schemes import library
from profiles.imports.servers import Clash, Group, Host, hosts, technologies, whole
from profiles.loading.catalog import SHIPPED
from profiles.loading.loader import dump, load

SERVERS, CLIENTS, DATA = "servers", "clients", "data"
NOTE = "# Written by `simulate import`: measured numbers name file and line, the rest is taken from the library.\n"
STORED = "100 TB"
"""Data where no file says how much is kept. Assumption."""
MOST_PROFILES = 100
"""Profiles of one import. Assumption: nobody reads more, and each is run."""
_GIGABIT = 1.25e8  # B/s


@dataclass(slots=True)
class Imported:
    """What findings come to: TOML texts by the names of their files, and all that has to be told of them.

    `measured` are the outcomes of each text; `assumed` is what was taken from the library, by key; `odd` are servers
    that are not as the others; `fit` is what measured rates of drives and networks were fitted to; `busy` is how busy
    servers were by the hour, which is their background where `is_background`.
    """

    texts: dict[str, str] = field(default_factory=dict)
    measured: dict[str, list[Outcome]] = field(default_factory=dict)
    assumed: dict[str, str] = field(default_factory=dict)
    clashes: list[Clash] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    fit: Fit | None = None
    busy: dict[str, Value] = field(default_factory=dict)
    is_background: bool = False

    def add(self, name: str, data: Mapping[str, Any], measured: list[Outcome]) -> None:
        """Take in a profile."""
        self.texts[name] = NOTE + dump(data)
        self.measured[name] = measured


class Tree:
    """TOML data that is filled number by number, each with its source beside it."""

    def __init__(self) -> None:
        self.data: dict[str, Any] = {}

    def put(self, key: str, value: object, source: str = "") -> None:
        """State a value at a dotted key, in which numbers count the tables of a list from 0."""
        *above, last = key.split(".")
        table: Any = self.data
        for step, below in zip(above, [*above[1:], last], strict=True):
            table = _below(table, step, [] if below.isdigit() else {})
        if isinstance(table, list):
            _at(table, int(last), value)
            return
        table[last] = value
        if source:
            table.setdefault("sources", {})[last] = source

    def measured(self, table: str, values: Mapping[str, Value]) -> None:
        """State measured values below a table."""
        for key, value in values.items():
            self.put(f"{table}.{key}", value.text, value.source)


def _below(table: Any, step: str, made: Any) -> Any:
    if isinstance(table, list):
        return _at(table, int(step), made)
    return table.setdefault(step, made)


def _at(items: list[Any], place: int, made: Any) -> Any:
    if place == len(items):
        items.append(made)
    return items[place]


def imported(findings: Sequence[Finding], *, with_background: bool = False) -> Imported:
    """Return the profiles that findings come to; how busy servers were becomes their background where that is asked.

    Utilisation that is kept so is nothing to compare with: it was there without the work.
    """
    made = Imported(is_background=with_background)
    parts = [part for finding in findings for part in finding.parts]
    collected, made.clashes = hosts([part for part in parts if not part.is_listed])
    listed, more = hosts([part for part in parts if part.is_listed])
    made.clashes += more
    alike, made.odd = whole(list(collected.values()), list(listed.values()))
    technology = _technology([*collected.values(), *listed.values()], findings, made)
    made.busy = background(parts)
    cluster = _Cluster(alike, technology, made)
    jobs = [(finding, [work]) for finding in findings for work in finding.workloads]
    jobs += [(finding, finding.stream) for finding in findings if finding.stream]
    told = [one for finding in findings for one in finding.outcomes]
    beside = [one for one in told if not (with_background and one.measure == "utilisation")]
    if len(jobs) > MOST_PROFILES:
        message = f"{len(jobs)} workloads: the first {MOST_PROFILES} were taken; import fewer files at a time"
        made.notes.append(Problem("", None, "", message))
        del jobs[MOST_PROFILES:]
    if not jobs:
        made.add("profile.toml", _profile(cluster, None, [], parts), beside)
    for number, (finding, works) in enumerate(jobs):
        measured = [one for work in works for one in work.outcomes]
        data = _profile(cluster, finding, works, parts)
        made.add(_file_name(jobs, number), data, [*measured, *(beside if number == 0 else [])])
    return made


def _file_name(jobs: Sequence[tuple[Finding, Sequence[Workload]]], number: int) -> str:
    """Return the name of the file of a workload: by the label of what was read, numbered where it holds several."""
    if len(jobs) == 1:
        return "profile.toml"
    finding, works = jobs[number]
    label = re.sub(r"[^a-z0-9]+", "-", finding.label.lower()).strip("-")
    if works is finding.stream or len(finding.workloads) == 1:
        return f"{label}.toml"
    return f"{label}-{finding.workloads.index(works[0]) + 1}.toml"


def _technology(servers: Sequence[Host], findings: Sequence[Finding], made: Imported) -> str:
    """Return what most drives are, by the inventory, else by their rates."""
    kinds = [name for name, _ in technologies(servers).most_common() if name]
    made.fit = _fitted(findings, kinds, made.notes)
    if made.fit and made.fit.kind:
        return made.fit.kind.technology
    return kinds[0] if kinds else str(library()["cluster"]["technology"])


def _fitted(findings: Sequence[Finding], kinds: Sequence[str], notes: list[Problem]) -> Fit | None:
    """Return drives and networks fitted to the measured rates, None where there are none or too few."""
    runs = [run for finding in findings for run in finding.runs]
    stated: Technology | None = next((known for known in get_args(Technology) if known in kinds[:1]), None)
    if not runs:
        return None
    try:
        fitted = fit(runs, stated)
    except ProblemError as error:
        notes += error.problems
        return None
    notes += fitted.notes
    return fitted


@dataclass(slots=True)
class _Cluster:
    """What all profiles of an import have in common: groups of equal servers."""

    groups: list[Group]
    technology: str
    made: Imported

    def state(self, tree: Tree) -> None:
        """State the servers in a profile."""
        for number, group in enumerate(self.groups or [None]):
            name = SERVERS if number == 0 else f"{SERVERS}-{number + 1}"
            self._group(tree, f"cluster.groups.{name}", group)

    def base(self, group: Group | None) -> str:
        """Return the shipped server that is nearest to those of a group."""
        card = group.host.values.get("nic.bandwidth") if group else None
        rate = card.value / _GIGABIT if card and isinstance(card.value, float) else library()["cluster"]["card"]
        if self.made.fit and "bandwidth" in self.made.fit.nic:
            rate = self.made.fit.nic["bandwidth"].value / _GIGABIT
        known: Mapping[str, str] = library()["server"][self.technology]
        return known[min(known, key=lambda name: abs(int(name) - rate))]

    def _group(self, tree: Tree, key: str, group: Group | None) -> None:
        server, base = f"{key}.server", self.base(group)
        count = group.count if group else library()["cluster"]["servers"]
        source = "measured: servers that were told of" if group else "assumed: no file says how many"
        tree.put(f"{key}.count", count, source)
        tree.put(f"{server}.use", base)
        self.made.assumed[server] = base
        if group:
            self._processor(tree, f"{server}.cpu", group.host.values)
            rest = {
                name: value for name, value in group.host.values.items() if not name.startswith(("cpu.", "storage."))
            }
            tree.measured(server, rest)
            self._bays(tree, f"{server}.bays", group)
        self._calibrated(tree, server)
        if self.made.is_background and key.endswith(f".{SERVERS}"):
            tree.measured(f"{server}.background", self.made.busy)

    @staticmethod
    def _processor(tree: Tree, key: str, values: Mapping[str, Value]) -> None:
        fields = {name[4:]: value for name, value in values.items() if name.startswith("cpu.")}
        model = fields.pop("model", None)
        if model and (known := processor(str(model.value))):
            tree.put(f"{key}.use", known)
        tree.measured(key, fields)
        counts = {name: fields[name].value for name in ("cores", "threads") if name in fields}
        if isinstance(told := counts.get("threads"), int) and "cores" not in counts:
            counts["cores"] = max(told // 2, 1)
            tree.put(f"{key}.cores", counts["cores"], "assumed: two threads a core")
        if counts and counts.get("cores") == counts.get("threads"):
            tree.put(f"{key}.smt_yield", 1.0, fields["threads"].source)

    def state_speed(self, tree: Tree, key: str, work: Workload) -> None:
        """State what a CPU second of observed work is worth, where the processor is told of."""
        values = self.groups[0].host.values if self.groups else {}
        slots = [
            work.values[f"framework.{name}"].value
            for name in ("executors", "cores")
            if f"framework.{name}" in work.values
        ]
        speed = observed_speed(values, math.prod(int(f"{slot}") for slot in slots) if slots else None)
        if speed is not None:
            source = f"{values['cpu.model'].source}; its speed as shipped, with all slots busy"
            tree.put(f"{key}.speed", round(speed, 4), source)

    def _bays(self, tree: Tree, key: str, group: Group) -> None:
        host = group.host
        if not host.drives and (whole := host.values.get("storage.capacity")):
            self._equal_drives(tree, f"{key}.{DATA}", group, whole)
        kinds = sorted(host.kinds().items(), key=lambda entry: (-host.count(entry[1]), -entry[0][1]))
        named: set[str] = set()
        for (technology, _), bays in kinds:
            name = DATA if not named else technology or "other"
            while name in named:
                name += "-2"
            named.add(name)
            drive = host.drives[bays[0]]
            tree.put(f"{key}.{name}.count", host.count(bays), next((v.source for v in drive.values()), ""))
            tree.put(f"{key}.{name}.drive.use", technology or self.technology)
            tree.measured(f"{key}.{name}.drive", drive)

    def _equal_drives(self, tree: Tree, key: str, group: Group, size: Value) -> None:
        """State the drives of a server of which only the sum is told: as many as the shipped server has."""
        count = load(self.base(group), Server, folders=["hardware/servers"]).scenario.bays[DATA].count
        assert isinstance(size.value, float)  # as bytes are
        tree.put(f"{key}.drive.use", self.technology)
        source = f"{size.source}; the sum over {count} drives as in {self.base(group)}"
        tree.put(f"{key}.drive.capacity", units.format(size.value / count, "B", 6), source)

    def _calibrated(self, tree: Tree, server: str) -> None:
        """State what measured rates were fitted to; the size of a drive stays what an inventory says."""
        fitted = self.made.fit
        if fitted is None:
            return
        for name, table in server_tables(fitted).items():
            _over(tree, f"{server}.{name}", table)
        if fitted.kind:
            table = drive_table(fitted, drive_values(fitted, like(fitted.kind.technology)))
            if self.groups and self.groups[0].host.drives:
                table.pop("capacity", None)
                table["sources"].pop("capacity", None)
            tree.put(f"{server}.bays.{DATA}.drive.use", fitted.kind.technology)
            _over(tree, f"{server}.bays.{DATA}.drive", table)


def _over(tree: Tree, key: str, table: Mapping[str, Any]) -> None:
    """State the values of a table with the sources beside them."""
    sources = table.get("sources", {})
    for name, value in table.items():
        if name == "ranges":
            for ranged, ends in value.items():
                tree.put(f"{key}.ranges.{ranged}", ends)
        elif name not in {"source", "sources"}:
            tree.put(f"{key}.{name}", value, sources.get(name, table.get("source", "")))


def _of(parts: Sequence[Part], kind: PartKind) -> list[Part]:
    return [part for part in parts if part.kind == kind]


def _profile(
    cluster: _Cluster, finding: Finding | None, works: Sequence[Workload], parts: Sequence[Part]
) -> dict[str, Any]:
    """Return one profile as TOML data: the cluster, and a workload, a stream of them, or data that is only kept."""
    tree = Tree()
    is_stream = finding is not None and works is finding.stream
    work = works[0] if works else None
    kind = str(work.values["kind"].value) if work else "storing"
    tree.put("profile.title", "Imported: a stream of jobs" if is_stream else f"Imported: {kind}")
    cluster.state(tree)
    if kind == "requests" and work:
        _clients(tree, cluster, work)
    for part in _of(parts, "network"):
        tree.measured("cluster.network", part.values)
    _storage(tree, kind, _of(parts, "storage"), cluster.made)
    if library()["framework"].get(kind):
        _client(tree, _of(parts, "client"), cluster.made)
    for number, workload in enumerate(works):
        key = f"workloads.{number}" if is_stream else "workload"
        _work(tree, key, workload, parts)
        if kind == "observed" and finding:
            for part in [*_of(parts, "framework"), *_of(finding.parts, "framework")]:  # its own file counts more
                tree.measured(f"{key}.framework", part.values)
            cluster.state_speed(tree, key, workload)
    stored = next((part.values["data"] for part in _of(parts, "stored")), None)
    if not work:
        tree.put("workload.kind", kind)
    if kind == "requests" and stored:
        tree.put("workload.data", stored.text, stored.source)
    elif not work:
        tree.put("workload.data", stored.text if stored else STORED, stored.source if stored else "assumed: not told")
    return tree.data


def _work(tree: Tree, key: str, workload: Workload, parts: Sequence[Part]) -> None:
    """State a workload, and of a job of MapReduce what settings say of all of them."""
    kind = str(workload.values["kind"].value)
    if framework := library()["framework"].get(kind):
        tree.put(f"{key}.framework.use", framework)
        tree.put(f"{key}.framework.servers", SERVERS)
    for part in _of(parts, "job") if kind == "mapreduce" else ():
        tree.measured(key, part.values)
    tree.measured(key, workload.values)
    if kind == "bulk-io":
        _processes(tree, key)


def _processes(tree: Tree, key: str) -> None:
    """Lay the processes of bulk input or output on the servers, with as many bytes in all."""
    count = int(tree.data["cluster"]["groups"][SERVERS]["count"])
    table = tree.data[key]
    total = int(table["processes"])
    try:
        share = max(round(total / count), 1)
        size = units.parse(table["size"], "B") * total / (share * count)
    except (OverflowError, RefusalError):  # numbers beyond all, which the model refuses by their key
        return
    table["processes"] = share
    tree.put(f"{key}.size", units.format(size, "B", 6), table["sources"]["size"])
    tree.put(f"{key}.servers", [SERVERS])


def _clients(tree: Tree, cluster: _Cluster, work: Workload) -> None:
    """State the machines that send requests: like the servers, of the library."""
    base = cluster.base(cluster.groups[0] if cluster.groups else None)
    key = f"cluster.groups.{CLIENTS}"
    source = f"measured: {work.label}" if work.clients else "assumed: no file says how many"
    tree.put(f"{key}.count", work.clients or 1, source)
    tree.put(f"{key}.server.use", base)
    cluster.made.assumed[f"{key}.server"] = base
    tree.put("workload.clients", CLIENTS)


def _storage(tree: Tree, kind: str, told: Sequence[Part], made: Imported) -> None:
    """State the storage system: the shipped one of the product's name, else the usual one of the kind of workload."""
    products = sorted((known for part in told if (known := _shipped(part))), key=lambda known: known[0])
    usual: Mapping[str, str] = library()["storage"]
    name = products[0][1] if products else usual.get(kind, usual["other"])
    if not products:
        made.assumed["storage"] = name
    shipped = tomllib.loads((SHIPPED.root / "storage" / f"{name}.toml").read_text(encoding="utf-8"))
    tree.put("storage.use", name)
    if "servers" in shipped:
        tree.put("storage.servers", SERVERS)
    few = library()["few"]
    if tree.data["cluster"]["groups"][SERVERS]["count"] < few["servers"]:
        for key in (key for key in few["keys"] if key in shipped):
            tree.put(f"storage.{key}", 1, "assumed: fewer servers were told of than copies are usual")
    for part in told:
        if not (known := _shipped(part)) or known[1] == name:
            tree.measured("storage", {key: part.values[key] for key in part.values if key not in {"product", "kind"}})


def _client(tree: Tree, told: Sequence[Part], made: Imported) -> None:
    """State the client of Hadoop, where data lie in an object store."""
    if not (values := next((part.values for part in told if part.values), None)):
        return
    name = tree.data["storage"]["use"]
    if not keeps_objects(SHIPPED.says("storage", name, "system")):
        source = next(iter(values.values()))
        message = f"settings of S3A are left out, as data lie on {name}; they are for object stores"
        made.notes.append(Problem(source.file, source.line, "", message))
        return
    tree.put("client.connector", "s3a")
    tree.measured("client", values)
    tree.put("client.fs.s3a.buffer.dir", DATA, "assumed: no file says on which drives its folder lies")


def _shipped(part: Part) -> tuple[int, str] | None:
    """Return the shipped storage system of a product, or of the kind of paths, which counts less; None for neither."""
    if product := part.values.get("product"):
        return 0, re.sub(r"\W+", "-", str(product.value).lower())
    return (1, str(part.values["kind"].value)) if "kind" in part.values else None
