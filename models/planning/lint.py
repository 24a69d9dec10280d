"""Advice on a design before it is simulated: geometry that wastes, parts that wait for each other, harmful settings.

Each rule is a small function from a scenario to its advice, with the source that warns of it. Rules are about what is
allowed but unwise; what cannot work at all is refused when a scenario is made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from models.advice import Advice
from models.hardware.cards import CARD, in_bytes
from models.hardware.cluster import Group
from models.hardware.drive import interleaved_rate
from models.jobs.lakehouse import Lakehouse
from models.jobs.mapreduce import MapReduce
from models.jobs.mapreduce_parts import unequal
from models.jobs.object_load import ObjectLoad
from models.jobs.spark import Spark
from models.jobs.together import renamed
from models.jobs.workload import WorkloadModel
from models.planning.bill import fetched_of
from models.planning.bounds import nameplate
from models.planning.capacity import Planning, capacity
from models.planning.components import composition
from models.planning.materials import racks_needed
from models.planning.prices import GIVEN
from models.planning.settings import (
    idle_shuffle_slots,
    late_containers,
    renaming_committer,
    renaming_tool,
    small_parts,
    staging_on_root,
)
from models.planning.survival import survives
from models.quantity import LIFE, quantities
from models.scenario import Scenario
from models.storage.domains import Scattered
from models.units import format, format_duration

NOTHING: Mapping[str, object] = MappingProxyType({})
FAST_CARD = 4.0
"""Rate of a card over that of its drives beyond which most of it is idle. Assumption."""
USUAL_MEMORY = 1.5e11
"""Bandwidth of memory (B/s) that most servers have. Source: eight channels of DDR4-3200, of which 74 % are reached."""
LISTED_DIRECTORIES = 10_000
"""Directory listings of one suite beyond which listing shows. Assumption: Spark listed 12,103 in TPC-DS SF 1000
without harm, Hive 156,027 with (NetApp, StorageGRID technical reports, April 2024)."""
USUAL = {"B/s": (1e3, 1e15), "s": (1e-12, LIFE)}
"""Least and largest value by unit. Assumption: a modem is faster, and a cluster is thrown away sooner."""
ASSUMED = "a modem of 1985 carries 300 B/s; hardware is written off after 3 to 7 years"
LEAVING = "clouds charge 0.02 to 0.09 USD for a GB that leaves them, and nothing within a region"


def lint(scenario: Scenario, stated: Mapping[str, object] = NOTHING) -> list[Advice]:
    """Return all advice on a scenario, warnings first; `stated` are keys that somebody has set for it, as typed."""
    all_advice = [*scenario.storage.advice(scenario.cluster), *(advice for rule in RULES for advice in rule(scenario))]
    for name, alone in scenario.each().items():
        of_job = (advice for rule in OF_JOBS for advice in rule(alone))
        all_advice += (replace(advice, key=renamed(advice.key, name) if name else advice.key) for advice in of_job)
        all_advice += without_effect(alone.workload, renamed("workload", name) if name else "workload", stated)
    all_advice += card_in_bytes(stated)
    return sorted(dict.fromkeys(all_advice), key=lambda advice: advice.severity, reverse=True)


def card_in_bytes(stated: Mapping[str, object]) -> Iterator[Advice]:
    """A card of 25 GB/s is one of 200 Gbit/s, which may be meant, or one of 25 Gbit/s that was mistyped."""
    for key, typed in stated.items():
        if key.endswith(CARD) and (text := in_bytes(typed)):
            yield Advice("card-in-bytes", "hint", key, text, "IEEE 802.3: rates of Ethernet are bits a second")


def without_effect(workload: WorkloadModel, key: str, stated: Collection[str]) -> Iterator[Advice]:
    """A part such as an engine serves several kinds of workloads, of which each takes its own keys alone."""
    for at in stated:
        if at.startswith(f"{key}.") and (why := workload.ignored(at.removeprefix(f"{key}."))):
            yield Advice(
                "key-without-effect", "hint", at, f"does nothing: {why}; remove it", f"models.jobs, {workload.kind}"
            )


def _storage_group(scenario: Scenario) -> tuple[str, Group] | None:
    home = scenario.storage.home
    return None if home is None else (home[0], scenario.cluster.groups[home[0]])


def card_against_drives(scenario: Scenario) -> Iterator[Advice]:
    """A card slower than the drives behind it idles them; one many times faster is paid for and not used."""
    if (home := scenario.storage.home) is None:
        return
    name, group = home[0], scenario.storage.grouped(scenario.cluster).groups[home[0]]
    bay = group.server.bays[home[1]]
    drive = bay.drive
    rate = interleaved_rate(drive.read_bandwidth, drive.seek_time, drive.read_chunk) if drive.seek_time else 0.0
    drives = min(bay.count * (rate or drive.read_bandwidth), group.server.shared_rates(drive)["read"])
    card = group.server.nic.sustained
    key, source = f"cluster.groups.{name}.server.nic.bandwidth", "a node's reads pass its drives, then its card"
    text = f"{format(card, 'B/s')} for drives of {format(drives, 'B/s')} together"
    if card < drives:
        yield Advice("card-slower-than-drives", "warning", key, f"{text}: the drives wait; take a faster card", source)
    elif card > FAST_CARD * drives:
        yield Advice("card-idle", "hint", key, f"{text}: most of the card is idle; a slower one would do", source)


def unknown_memory(scenario: Scenario) -> Iterator[Advice]:
    """Fast cards and drives may move more than memory carries, which limits nothing where nobody knows it."""
    for name, group in scenario.cluster.groups.items():
        most = group.server.most_crossing
        if most > USUAL_MEMORY and math.isinf(group.server.memory_bandwidth):
            text = (
                f"cards and drives cross memory with up to {format(most, 'B/s')}, and what it carries is not known, so"
            )
            text += " it limits nothing: name the processor, or state what STREAM measures"
            source = (
                "data sheets of processors: eight channels of DDR4-3200 carry 205 GB/s, of which some 74 % are reached"
            )
            yield Advice("memory-unknown", "hint", f"cluster.groups.{name}.server.memory_bus.bandwidth", text, source)


def uneven_racks(scenario: Scenario) -> Iterator[Advice]:
    """Racks with different numbers of servers fill and load unevenly."""
    if (storage_group := _storage_group(scenario)) is None:
        return
    name, group = storage_group
    racks = scenario.cluster.network.racks
    if racks > 1 and group.count % racks:
        near = racks * round(group.count / racks) or racks
        text = f"{group.count} servers in {racks} racks: some racks hold one more; take {near} or another multiple"
        source = "Apache HDFS Architecture, replica placement: one replica in one rack, the others in another"
        yield Advice("uneven-racks", "warning", f"cluster.groups.{name}.count", text, source)


def one_rack(scenario: Scenario) -> Iterator[Advice]:
    """What stands in one rack goes down with it."""
    if (
        (storage_group := _storage_group(scenario)) is not None
        and scenario.cluster.network.racks == 1
        and storage_group[1].count > 1
    ):
        needed = racks_needed(scenario)
        text = "all servers stand in one rack: its switch or power takes all data away; set the racks you have"
        if needed > 1:
            text = (
                "all servers are taken to stand in one rack, whose switch or power takes all data away; by height and"
                f" power they fill {needed}: state {needed} racks"
            )
        yield Advice("one-rack", "hint", "cluster.network.racks", text, "Apache HDFS Architecture, rack awareness")


def uplinks(scenario: Scenario) -> Iterator[Advice]:
    """An oversubscribed uplink below the rate of the drives of its rack holds cross-rack traffic up."""
    network = scenario.cluster.network
    plate = nameplate(scenario)
    if network.racks == 1 or network.oversubscription == 1 or plate is None:
        return
    cards = sum(group.count * group.server.nic.sustained for group in scenario.cluster.groups.values())
    if cards / network.oversubscription < plate.read_rate:
        text = (
            f"{network.oversubscription:g}: the uplinks carry {format(cards / network.oversubscription, 'B/s')},"
            f" the drives {format(plate.read_rate, 'B/s')}; lower the oversubscription or expect racks to wait"
        )
        yield Advice("uplink-slower-than-drives", "warning", "cluster.network.oversubscription", text, "by arithmetic")


def room_to_rebuild(scenario: Scenario) -> Iterator[Advice]:
    """A store that rebuilds into free space needs the room of a lost server, and servers left to rebuild onto."""
    redundancy = scenario.storage.redundancy(scenario.cluster)
    if (
        not scenario.storage.rebuilds_into_free_space
        or (storage_group := _storage_group(scenario)) is None
        or not redundancy
    ):
        return
    name, group = storage_group
    source = "Apache HDFS Architecture: replicas of a lost DataNode are rebuilt on others"
    placement = scenario.storage.placement(scenario.cluster)
    places = placement.on_server if isinstance(placement, Scattered) else 1
    if (group.count - 1) * places < redundancy.pieces:
        text = f"{group.count} servers for {redundancy.pieces} pieces ({redundancy}): none is left to rebuild onto"
        yield Advice("nowhere-to-rebuild", "warning", f"cluster.groups.{name}.count", f"{text}; add a server", source)
        return
    rules = scenario.planning or Planning()
    reserved = scenario.model_copy(update={"planning": rules.model_copy(update={"rebuild_servers": 1})})
    plan = capacity(reserved)
    if plan.needed > plan.fillable:
        text = (
            f"the data needs {format(plan.needed, 'B')} raw, after the loss of a server"
            f" {format(plan.fillable, 'B')} are left: it cannot rebuild; add servers or drives"
        )
        yield Advice("no-room-to-rebuild", "warning", f"cluster.groups.{name}.count", text, source)


def fragile_servers(scenario: Scenario) -> Iterator[Advice]:
    """A code or a number of copies that one server takes down protects drives only; one that it locks stops jobs."""
    if scenario.storage.placement(scenario.cluster) is None:
        return
    tolerance, key = survives(scenario).servers, scenario.storage.protected_by
    if tolerance.reading < 1:
        text = "the loss of one server loses data: spread shards over more servers, or raise the parity or the copies"
        yield Advice("server-takes-data", "warning", key, text, "by arithmetic")
    elif tolerance.writing < 1:
        text = "while one server is down nothing can be written: spread pieces over more servers, or raise the parity"
        yield Advice("server-stops-writes", "warning", key, text, "MinIO, docs/distributed/SIZING.md; write quorums")


def many_listings(scenario: Scenario) -> Iterator[Advice]:
    """An engine that lists every partition of every query waits for the index of a big bucket."""
    job = scenario.workload
    if not isinstance(job, Lakehouse) or job.engine.listing(job.file_format) != 1:
        return
    probes = job.at_scale().probes
    if probes > LISTED_DIRECTORIES:
        text = (
            f"{probes} directories are listed one after the other; use a table format with a list of its files,"
            " an engine that lists each partition once, or more threads (engine.listing_threads)"
        )
        source = "NetApp, StorageGRID technical reports, April 2024: requests of Hive, Spark and Dremio"
        yield Advice("many-listings", "warning", "workload.probes", text, source)


def more_slots_than_threads(scenario: Scenario) -> Iterator[Advice]:
    """Tasks beyond the hardware threads, or heaps beyond the memory, only wait for each other."""
    job = scenario.workload
    if not isinstance(job, MapReduce):
        return
    server = scenario.cluster.groups[job.framework.servers].server
    framework = job.framework_on(server)
    if framework.containers > server.cpu.threads:
        text = f"{framework.containers} a server with {server.cpu.threads} hardware threads; one a thread is usual"
        yield Advice("too-many-containers", "hint", "workload.framework.containers", text, "Apache Hadoop YARN")
    if framework.heap > server.memory.size:
        text = f"{format(framework.heap, 'B')} on servers of {format(server.memory.size, 'B')}: they would swap"
        yield Advice("heap-above-memory", "warning", "workload.framework.heap", text, "by arithmetic")


def unequal_reduces(scenario: Scenario) -> Iterator[Advice]:
    """Few sampled keys for many reduces give some of these several times as much as others, and fewer are refused."""
    job = scenario.workload
    if not isinstance(job, MapReduce):
        return
    batches = scenario.cluster.groups[job.framework.servers].batches()
    containers = sum(batch.count * job.framework_on(batch.server).running[1] for batch in batches)
    maps = job.maps or containers
    reduces = job.reduce_tasks(containers, maps)
    keys = job.keys(reduces, maps)
    if text := unequal(reduces, containers, keys):
        rule = "unequal-reduces" if keys >= reduces else "fewer-keys-than-reduces"
        yield Advice(rule, "warning", "workload.sampled_keys", text, "Apache Hadoop, TeraInputFormat.createPartitions")


def load_on_credits(scenario: Scenario) -> Iterator[Advice]:
    """Cards that burst on credits carry a short load, and much less of one that goes on."""
    load = scenario.workload
    if not isinstance(load, ObjectLoad):
        return
    source = "EC2 User Guide, instance network bandwidth: bursts last from 5 to 60 minutes"
    for text in load.on_credits(scenario.storage, scenario.cluster):
        yield Advice("load-on-credits", "warning", "workload.credits", text, source)


def costless_operators(scenario: Scenario) -> Iterator[Advice]:
    """An engine that states nothing for an operator of the suite runs it in no time."""
    job = scenario.workload
    if not isinstance(job, Spark):
        return
    used = {stage.operator for query in job.queries for stage in query.stages if stage.inputs}
    costs = {"join": job.engine.join_cpu, "aggregate": job.engine.aggregate_cpu}
    for operator in sorted(used):
        if costs[operator] == 0:
            text = f"{job.engine.name} does not say what a row costs, so that they take no time: state it"
            yield Advice("costless-operator", "warning", f"workload.engine.{operator}_cpu", text, "by arithmetic")


def nearly_full(scenario: Scenario) -> Iterator[Advice]:
    """A store that is filled beyond its limit has no headroom."""
    if scenario.storage.home is None:
        return
    plan = capacity(scenario)
    reserved = (scenario.planning or Planning()).reserved_per_drive
    if plan.needed and not plan.formatted and reserved:
        text = f"{format(reserved, 'B')} of each drive are reserved, and no drive has more: nothing may be filled"
        text = f"{text}; state what is kept free here"
        yield Advice("all-reserved", "warning", "planning.reserved_per_drive", text, "by arithmetic")
    elif plan.needed > 0.9 * plan.fillable:  # Assumption: the last tenth is where balancers and rebuilds need room
        text = f"the data takes {format(plan.needed, 'B')} of {format(plan.fillable, 'B')} that may be filled"
        yield Advice("nearly-full", "warning", "workload", f"{text}; add servers or drives", "by arithmetic")


def unusual_scales(scenario: Scenario) -> Iterator[Advice]:
    """A rate below that of a modem, or a time beyond the life of a cluster, is mostly a unit that was mistaken."""
    for key, value, unit in quantities(scenario, ""):
        low, high = USUAL.get(unit, (0.0, math.inf))
        if value and not low <= abs(value) <= high and math.isfinite(value):
            shown = format_duration(value) if unit == "s" else format(value, unit)
            text = f"{shown} is a {'time' if unit == 's' else 'rate'} that nothing here has"
            yield Advice("unusual-scale", "warning", key, f"{text}; see whether its unit is the one meant", ASSUMED)


def fetched_for_nothing(scenario: Scenario) -> Iterator[Advice]:
    """What leaves a rented store over a line is paid for, more often than not dearly, and a price list may not say."""
    if (prices := scenario.prices) is None:
        return
    for one in fetched_of(scenario):
        store = prices.store(one.rented_as)
        is_stated = store is not None and (store.over_line is not None or store.egress + store.retrieval > 0)
        if one.is_over_line and not is_stated:
            price = 'over_line = "0.05 USD/GB"'
            price = price if store is not None else f'object_store = {{ stored = "0.023 USD/GB-month", {price} }}'
            text = f"what the store asks for {format(one.amount, 'B')} that leave it is in no cost: the price list has"
            text += f" nothing for them; state what a GB costs, such as {price}"
            yield Advice("fetched-for-nothing", "warning", "prices.object_store", text, LEAVING)


def read_for_nothing(scenario: Scenario) -> Iterator[Advice]:
    """What is read from outside a rented store's region is paid for; who stands there has to be said."""
    store, prices = scenario.storage, scenario.prices
    if not store.is_rented or prices is None:
        return
    asks = prices.store(store.rented_as, is_outside=store.is_outside)
    if store.is_outside and (asks is None or (asks.over_line is None and not asks.egress)):
        text = "what the store asks for bytes read from outside is in no cost: the price list has nothing for them;"
        text += ' state what a GB costs, such as over_line = "0.09 USD/GB"'
        yield Advice("read-for-nothing", "warning", "prices.object_store", text, LEAVING)
    elif (
        not store.is_outside
        and asks is not None
        and not asks.egress
        and any(map(_is_read_by_own, scenario.each().values()))
    ):
        text = "the customer's own clients count as within the store's region, where bytes read cost nothing;"
        text += " state outside = true if they are not"
        yield Advice("read-for-nothing", "hint", "storage.outside", text, LEAVING)


def rented_idle(scenario: Scenario) -> Iterator[Advice]:
    """Rented servers that keep no data cost what they cost while no job runs, unless they are given back."""
    prices, jobs = scenario.prices, scenario.workloads
    if prices is None or prices.rented_part < 1 or prices.term == "reserved":
        return
    keeping = scenario.storage.server_groups().values()
    for name, group in scenario.cluster.groups.items():
        users = [job for job in jobs if name in job.server_groups().values()]
        is_left = name not in keeping and users and all(job.every for job in users)
        if is_left and composition(group.server, prices, name).hourly:
            text = f"the servers of '{name}' are paid for all hours, with a job or without; if they are given back"
            text += ' after it, state the part in which they are up, such as prices.rented_part = "10 %"'
            yield Advice("rented-idle", "warning", "prices.rented_part", text, "clouds bill instances by the second")


def _is_read_by_own(one: Scenario) -> bool:
    """Tell whether a load reads for machines that are the customer's own."""
    load = one.workload
    if not isinstance(load, ObjectLoad) or not load.read_bytes():
        return False
    return one.cluster.groups[load.clients].server.model == GIVEN


RULES: tuple[Callable[[Scenario], Iterator[Advice]], ...] = (
    card_against_drives,
    unknown_memory,
    uneven_racks,
    one_rack,
    uplinks,
    room_to_rebuild,
    fragile_servers,
    nearly_full,
    fetched_for_nothing,
    read_for_nothing,
    rented_idle,
    unusual_scales,
)
OF_JOBS: tuple[Callable[[Scenario], Iterator[Advice]], ...] = (
    staging_on_root,
    small_parts,
    renaming_committer,
    renaming_tool,
    late_containers,
    many_listings,
    more_slots_than_threads,
    unequal_reduces,
    idle_shuffle_slots,
    load_on_credits,
    costless_operators,
)
