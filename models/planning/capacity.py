"""What a cluster holds: from the drives' nameplates to the data that users may keep.

    raw         all drives of the storage system
    formatted   less the file system's own part, and what is reserved on each drive and server
    fillable    formatted x fill limit, or less: what lies there must fit, up to `rebuilt_fill`, onto the servers that
                are left when the planned failures have been rebuilt; less uploads that nobody completed
    usable      fillable over the raw bytes of a stored byte: copies, or a code's parity; small objects take more
    effective   usable x compression ratio

A store answers what fits into the room of its servers (`usable`), whether it rebuilds into free space, and what an
object takes. Drives are counted in decimal bytes, as they are sold. Not covered: snapshots, deleted data that waits in
a trash, an uneven fill before a balancer has run.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from pydantic import model_validator

from models.hardware.bays import BayBatch
from models.hardware.cluster import Cluster
from models.hardware.racks import RackKind, rack_kinds
from models.jobs.storing import Storing
from models.planning.stock import Load, Stocked, Store
from models.problem import RefusalError, refusal
from models.quantity import Model, Quantity, quantity, setting
from models.storage.room import Room, without_first
from models.values import value
from models.work import Metrics

CLOSE = 1e-9
"""Fraction by which data may exceed the room for it: rounding of floats."""


class Planning(Model):
    """Operating rules: what of the drives may be filled, and what data comes to when it is stored."""

    filesystem_overhead: Quantity = quantity(
        "1", "Part of a drive that its file system keeps for itself.", default=0.0, ge=0, lt=1
    )
    reserved_per_drive: Quantity = quantity(
        "B", "Bytes of each drive that the storage system leaves free (dfs.datanode.du.reserved).", default=0.0, ge=0
    )
    reserved_per_server: Quantity = quantity(
        "B", "Bytes of each server that others use: system, logs, metadata of a store.", default=0.0, ge=0
    )
    server_limit: Quantity = quantity("B", "Most that one server may hold, all drives.", default=math.inf, gt=0)
    fill_limit: Quantity = quantity(
        "1", "Part of the formatted bytes that is filled in operation; the rest is headroom.", default=1.0, gt=0, le=1
    )
    rebuild_drives: int = setting("Drives whose simultaneous failure leaves room to rebuild.", default=0, ge=0)
    rebuild_servers: int = setting("Servers whose failure leaves room to rebuild.", default=0, ge=0)
    rebuild_racks: int = setting("Racks whose failure leaves room to rebuild.", default=0, ge=0)
    rebuilt_fill: Quantity = quantity(
        "1", "Part of the formatted bytes that is left which may be full after the rebuild.", default=1.0, gt=0, le=1
    )
    rebuild_waits: bool = setting(
        "Whether a cluster with no server to spare keeps no room: what one of them loses waits for its replacement. If "
        "not, it holds nothing.",
        default=False,
    )
    object_size: Quantity | None = quantity(
        "B", "Usual size of a file or object; default: so large that nothing is rounded.", default=None, gt=0
    )
    pending_uploads: Quantity = quantity(
        "B", "Parts of uploads that were neither completed nor aborted.", default=0.0, ge=0
    )
    compression_ratio: float = setting("Bytes of data over the bytes that are stored for them.", default=1.0, gt=0)

    @model_validator(mode="after")
    def _rebuilding_does_not_empty(self) -> Planning:
        if self.rebuilt_fill < self.fill_limit:
            raise refusal(
                "rebuilt_fill",
                f"is reached after a failure, so it cannot be below fill_limit = {self.fill_limit:g}",
                value=self.rebuilt_fill,
            )
        return self

    @property
    def failures(self) -> str:
        """The failures after which there is room to rebuild, in words: "1 rack and 2 drives"; "" for none."""
        counts = {"rack": self.rebuild_racks, "server": self.rebuild_servers, "drive": self.rebuild_drives}
        parts = [f"{count} {name}{'s' if count > 1 else ''}" for name, count in counts.items() if count]
        return " and ".join(parts)


@value()
class Step:
    """One step from raw to effective: what is left after it (B), and why."""

    name: str
    left: float
    reason: str


@value(kw_only=True)
class CapacityPlan:
    """Bytes on the way from raw to effective, infinite for a store without limit.

    `stored` is the data that the workload keeps, counted once; `needed` the raw bytes that it takes. `limit` says what
    stops the filling, `notes` which rules mean nothing here.
    """

    steps: tuple[Step, ...]
    raw: float
    formatted: float
    fillable: float
    usable: float
    effective: float
    stored: float
    needed: float
    limit: str
    notes: tuple[str, ...] = ()

    @property
    def is_enough(self) -> bool:
        """Whether what the workload keeps fits."""
        return self.needed <= self.fillable * (1 + CLOSE)

    def metrics(self) -> Metrics:
        """Return the plan as values with their units, by name."""
        amounts = {
            "raw": self.raw,
            "formatted": self.formatted,
            "usable": self.usable,
            "effective": self.effective,
            "raw_needed": self.needed,
        }
        return {name: (value, "B") for name, value in amounts.items()}


def capacity(scenario: Stocked) -> CapacityPlan:
    """Return what the storage system of a scenario holds: nothing where too few servers are left to rebuild onto."""
    cluster, store, rules = scenario.cluster, scenario.storage, scenario.planning or Planning()
    raw = store.raw_capacity(cluster)
    rooms = _rooms(store.batches(cluster), rules)
    formatted = sum(room.total for room in rooms) if rooms else math.inf
    factor = store.raw_per_byte(cluster)
    steps = [Step("raw", raw, "all drives"), *_formatting(store, cluster, rules, formatted)]
    for name, data, reason in _filling(store, cluster, rules, rooms):
        steps.append(Step(name, min(data * factor, steps[-1].left), reason))
    fillable, limit = steps[-1].left, steps[-1].reason
    overhead = _object_overhead(store, cluster, rules)
    usable = fillable / factor / overhead
    steps.append(Step("usable", usable, f"{factor:.4g} raw bytes a byte of data" + _object_words(rules, overhead)))
    effective, ratio = usable * rules.compression_ratio, rules.compression_ratio
    steps.append(Step("effective", effective, "no compression" if ratio == 1 else f"compression {ratio:g} : 1"))
    stored, needed = _needed(scenario, factor, overhead, rules)
    return CapacityPlan(
        steps=tuple(steps),
        raw=raw,
        formatted=formatted,
        fillable=fillable,
        usable=usable,
        effective=effective,
        stored=stored,
        needed=needed,
        limit=limit,
        notes=_notes(store, cluster, rules),
    )


def servers_needed(scenario: Stocked) -> int | None:
    """Return the fewest servers of the storage system's group that hold what the workload keeps.

    None where the store has no servers, or they no room. Tried upwards from what the room of one server would do
    without a reserve.

    Raises:
        RefusalError: a thousand counts in a row do not do.
    """
    cluster, store, rules = scenario.cluster, scenario.storage, scenario.planning or Planning()
    batches = store.batches(cluster)
    if not batches:
        return None
    name = store.server_groups()["storage.servers"]
    late = sum(batch.servers for batch in batches[1:])
    first, *_ = _rooms(batches[:1], rules)
    if not first.bytes:
        return None
    needed = capacity(scenario).needed
    least = max(math.floor(needed * (1 - CLOSE) / first.bytes / rules.fill_limit) - late, late + 1)
    for count in range(least, 2 * least + 1000):
        if _is_enough(scenario, with_count(cluster, name, count)):
            return count
    raise refusal("storage.servers", f"{2 * least + 1000} servers do not hold {needed / 1e12:.4g} TB of raw data")


def ceilings(scenario: Stocked) -> tuple[float, float]:
    """Return the most (B/s) that the storage servers deliver to clients over the network, and take from them.

    Reading: drives with several streams each, their controller (and link to volumes), the card, or memory, whichever is
    least, over all servers. Writing: what drives and controllers take over the raw bytes of a byte; each byte comes in
    over a card once. A byte crosses memory at each card and each drive, and when it is received.
    """
    cluster, store = scenario.cluster, scenario.storage
    raw = store.raw_per_byte(cluster)
    reads = writes = cards = memory = 0.0
    batches = store.batches(store.grouped(cluster))
    for batch in batches:
        bay, server, many = batch.bay, batch.server, batch.servers
        shared, nic, limit = server.shared_rates(bay.drive), server.nic.sustained, server.memory_limit
        device = server.memory_bus.crossings(0)
        from_drives = min(bay.count / bay.drive.read_cost(passed=store.bytes_passed), shared["read"])
        reads += many * min(from_drives, nic, limit / (device + server.end_crossings(0)))
        writes += many * min(bay.count / bay.drive.write_cost(lasting=True), shared["write"])
        cards += many * nic
        memory += many * limit / (server.end_crossings() + raw * device)
    if not batches:
        return math.inf, math.inf
    return reads, min(writes / raw, cards, memory)


def storing_metrics(scenario: Stocked) -> Metrics:
    """Return all that is to say of data that is kept: room, servers needed and ceilings, by name."""
    reads, writes = ceilings(scenario)
    servers = servers_needed(scenario)
    counted: Metrics = {} if servers is None else {"servers_needed": (float(servers), "1")}
    rates: Metrics = {"read_ceiling": (reads, "B/s"), "write_ceiling": (writes, "B/s")}
    return capacity(scenario).metrics() | counted | rates


def with_count(cluster: Cluster, group: str, count: int) -> Cluster:
    """Return the cluster with another number of servers in a group; its racks are not checked again."""
    changed = cluster.groups[group].model_copy(update={"count": count})
    return cluster.model_copy(update={"groups": {**cluster.groups, group: changed}})


@value()
class _Variant:
    cluster: Cluster
    storage: Store
    workload: Load
    planning: Planning | None


def on_cluster(scenario: Stocked, cluster: Cluster) -> Stocked:
    """Return what capacity asks of a scenario, on another cluster."""
    return _Variant(cluster, scenario.storage, scenario.workload, scenario.planning)


def keeping(scenario: Stocked, data: float) -> Stocked:
    """Return what capacity asks of a scenario that only keeps `data` bytes, counted before compression."""
    return _Variant(
        scenario.cluster, scenario.storage, Storing.model_construct(kind="storing", data=data), scenario.planning
    )


def _is_enough(scenario: Stocked, cluster: Cluster) -> bool:
    try:
        scenario.storage.fits(cluster)
        return capacity(on_cluster(scenario, cluster)).is_enough
    except RefusalError:  # sets that the drives cannot form, or nothing left to rebuild onto
        return False


def _rooms(batches: Sequence[BayBatch], rules: Planning) -> list[Room]:
    """Return what may hold data on the servers of each batch."""
    return [Room(batch.servers, _room(batch, rules), i) for i, batch in enumerate(batches)]


def _room(batch: BayBatch, rules: Planning) -> float:
    drive = batch.bay.drive.capacity * (1 - rules.filesystem_overhead) - rules.reserved_per_drive
    server = batch.bay.count * max(drive, 0.0)
    return min(max(server - rules.reserved_per_server, 0.0), rules.server_limit)


def _formatting(store: Store, cluster: Cluster, rules: Planning, formatted: float) -> list[Step]:
    reasons = []
    if rules.filesystem_overhead:
        reasons.append(f"file system {100 * rules.filesystem_overhead:.3g} %")
    if rules.reserved_per_drive or rules.reserved_per_server:
        reasons.append("reserved on drives and servers")
    if any(_room(batch, rules) == rules.server_limit for batch in store.batches(cluster)):
        reasons.append(f"at most {rules.server_limit / 1e12:.4g} TB a server")
    return [Step("formatted", formatted, ", ".join(reasons) or "nothing reserved")]


def _filling(store: Store, cluster: Cluster, rules: Planning, rooms: list[Room]) -> list[tuple[str, float, str]]:
    """Return what each rule leaves of the room: its name, data bytes, and its words; the last one is the limit."""
    data = store.usable(cluster, _scaled(rooms, rules.fill_limit))
    filled = rules.fill_limit * sum(room.total for room in rooms)
    is_uneven = data * store.raw_per_byte(cluster) < filled * (1 - CLOSE)
    limits = [("fillable", data, _fill_words(rules, rooms, is_uneven))]
    if rules.failures and store.rebuilds_into_free_space:
        left = _rebuilt(store, cluster, rules)
        if left < limits[0][1] and not _waits(store, cluster, rules):
            words = f"room to rebuild {rules.failures}"
            none = f"after the loss of {rules.failures} too few servers are left to rebuild onto"
            limits.append(("with room to rebuild", left, words if left else none))
    if rules.pending_uploads:
        pending = f"pending uploads {rules.pending_uploads / 1e12:.4g} TB"
        limits.append(("less pending uploads", max(limits[-1][1] - rules.pending_uploads, 0.0), pending))
    return limits


def _rebuilt(store: Store, cluster: Cluster, rules: Planning) -> float:
    """Return the data that fits after the planned failures: none where too few servers are left."""
    return store.usable(cluster, _scaled(_survivors(store, cluster, rules), rules.rebuilt_fill))


def _waits(store: Store, cluster: Cluster, rules: Planning) -> bool:
    """Tell whether no server can be rebuilt onto the others, and the rules let what it loses wait."""
    one = rules.model_copy(update={"rebuild_servers": 1, "rebuild_racks": 0, "rebuild_drives": 0})
    return rules.rebuild_waits and not _rebuilt(store, cluster, one)


def _notes(store: Store, cluster: Cluster, rules: Planning) -> tuple[str, ...]:
    if not rules.failures:
        return ()
    text = f"no room is kept to rebuild {rules.failures}"
    if not store.rebuilds_into_free_space:
        return (f"{text}: the store rebuilds onto what replaces them",)
    if _waits(store, cluster, rules):
        return (f"{text}: too few servers would be left, so what is lost waits for the replacement",)
    return ()


def _fill_words(rules: Planning, rooms: list[Room], is_uneven: bool) -> str:
    if not rooms:
        return "the service has no limit"
    text = f"fill limit {100 * rules.fill_limit:.3g} %" if rules.fill_limit < 1 else "full drives"
    if not is_uneven:
        return text
    if len({room.bytes for room in rooms}) > 1:
        return f"{text}, less what large servers cannot share with small ones"
    return f"{text} of the fullest drive: placement fills the others less"


def _scaled(rooms: Sequence[Room], part: float) -> list[Room]:
    return [Room(room.servers, room.bytes * part, room.batch) for room in rooms]


def _survivors(store: Store, cluster: Cluster, rules: Planning) -> list[Room]:
    """Return the room of the servers that are left after the worst of the planned failures.

    First the racks with most room go, then the servers, then drives, each of another server.
    """
    batches = store.batches(cluster)
    room, drives = [_room(batch, rules) for batch in batches], [batch.bay.count for batch in batches]
    group = cluster.groups[store.server_groups()["storage.servers"]]

    def held(rack: RackKind) -> float:
        return math.fsum(size * count for size, count in zip(room, rack.servers, strict=True))

    left, gone = [0] * len(batches), rules.rebuild_racks
    for rack in sorted(rack_kinds(group, cluster.network.racks), key=held, reverse=True):
        kept = max(rack.racks - gone, 0)
        gone = max(gone - rack.racks, 0)
        left = [there + kept * count for there, count in zip(left, rack.servers, strict=True)]
    servers = [Room(count, room[i], i) for i, count in enumerate(left) if count]
    servers.sort(key=lambda space: (space.bytes, drives[space.batch], space.batch), reverse=True)
    servers = without_first(servers, rules.rebuild_servers)
    servers.sort(key=lambda space: space.bytes / drives[space.batch], reverse=True)
    whole = without_first(servers, rules.rebuild_drives)
    kept_whole = Counter({space.batch: space.servers for space in whole})
    damaged = [
        Room(space.servers - kept_whole[space.batch], space.bytes * (1 - 1 / drives[space.batch]), space.batch)
        for space in servers
        if space.servers > kept_whole[space.batch]
    ]
    return [*whole, *damaged]


def _object_overhead(store: Store, cluster: Cluster, rules: Planning) -> float:
    """Return the raw bytes of an object of the usual size over those of as many bytes in a large one."""
    if rules.object_size is None:
        return 1.0
    plain = store.raw_per_byte(cluster) * rules.object_size
    return max(store.object_bytes(cluster, rules.object_size) / plain, 1.0)


def _object_words(rules: Planning, overhead: float) -> str:
    if rules.object_size is None:
        return ""
    return f", {100 * (overhead - 1):.3g} % more for objects of {rules.object_size / 1e6:.4g} MB"


def _needed(scenario: Stocked, factor: float, overhead: float, rules: Planning) -> tuple[float, float]:
    """Return the data that a workload keeps, and the raw bytes that it takes.

    What a job reads and writes is counted as it lies in the store, data that is only kept as its users count it.
    """
    given, made, replicas = scenario.workload.stored(scenario.cluster)
    if scenario.workload.is_only_kept:
        return given, given / rules.compression_ratio * factor * overhead
    own = scenario.storage.raw_per_byte(scenario.cluster, replicas)
    return given + made, given * factor + made * own
