"""Servers that are alike: a part of them is simulated, each of which stands for several.

Where all servers of a group are equal, and a workload and its storage system treat them so, what one does the others do
as well, but for chance. So the cluster is divided: each server keeps its drives, cards and tasks, the whole has a part
of the tasks, of the bytes, and of what all share: a line, a service, the requests a second of a rented store. A job may
be divided by any number that leaves every group whole servers: 14 of 206 stand for 14.7 each. Loads of requests, and
stores with images of servers, are divided by whole numbers: their parts are copies of each other. What depends on the
whole is told by it: how many reduces share the output of a map, which part of a shuffle crosses the network.

A storage system may have images of the servers for which one stands (`Layout.standing`): its sets then are those of the
whole, and bytes still cross the network where they would, so that a few servers are enough.

Of the clients of a closed loop each must be answered some times before anything is known of the load, so very many of
them take long. Such a load alone goes to a part of the servers as well, with its part of the clients: any of them asks
any server at random, so that queues are as long on a part as on all, and where groups make some servers busier, the
busiest of a part is as busy as that of all. What requests move crosses the network as often as among all servers.

Where many workloads meet, no images are taken: requests share drives with as many streams as there are, which images
would tell too few of. The part then has sets of its own, as many drives a set as the whole, on servers that differ. Its
loads come at their part of the rate. A failure of one component strikes one of the parts (`simulator/together`).

A part that does not divide the whole moves times about as much as one that does. Measured: small sorts on 14 servers,
eight seeds, by 1.6 % where drives limit them with 101 servers, 2.1 % with 98, 2.3 % with 206, 2.5 % with 208 on 16, by
1.4 % with 47 and 1.0 % with 48 on 16; with processors as busy by 0.9 to 1.4 %, and with 48 by 0.2 %. One seed on
12 servers: by less than 0.1 % where processors alone limit them. Copies over a line moved by nothing.

Not covered: the slowest of very many servers is a little slower than the slowest of fewer, and so is the largest of the
unequal reduces of a total order where it happens to run, though one of the part has what it has, and its turn (the run
tells by how much such sorts moved, models/jobs/mapreduce_parts.py); racks have fewer servers; a
lone stream that reaches a server and its images has no more than that one server gives; without images a store's own
traffic for jobs crosses the network as between the servers of the part, and the busiest of its fewer sets is less busy,
so that 99th percentiles are a little low; jobs meet a failure as if each part had it; one process that all requests of
a load pass, such as a NameNode, has only those of the part.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from models.failures import Failures
from models.footprint import bounded, footprint
from models.hardware.cluster import Cluster, Layout
from models.hardware.parts import servers_of
from models.problem import RefusalError
from models.scenario import Scenario
from models.storage.contract import StorageModel
from models.values import value

RACK = 4
"""Servers of a rack that are simulated at least. Assumption: enough for replicas in a rack of their own choice."""
MORE = 2
"""How many times as many servers as needed are simulated where these divide the whole, and more do not. Assumption:
their time is worth less than that each stands for a whole number of others."""
RACKS = 2
"""Racks that are simulated at least, where there are several. Assumption: bytes still cross them."""


@value()
class Detail:
    """How much of a scenario is simulated one by one.

    That is at least the `fewest` servers of its largest group, None for all, and a `few` where all storage systems have
    images of the others; all are where that group has not `many`. In page caches so many chunks of files are told as
    one, `grain`. Without `has_images` no server has any, and a part has sets of its own. Of a load alone at least so
    many requests of its clients are `under_way`; 0: such a load is not divided.
    """

    fewest: int | None = None
    few: int | None = None
    many: int = 0
    grain: float = 1.0
    has_images: bool = True
    under_way: int = 0

    @classmethod
    def of(cls, tolerance: float | None, scenario: Scenario) -> Detail:
        """Return what goes with a tolerance: all with 0, and of very many servers a part where none is given.

        A load of requests alone takes a part where it has very many clients. What many workloads share takes a part of
        fewer servers, and always does so where requests are among them.
        """
        if tolerance == 0:
            return WHOLE
        if not scenario.workloads and scenario.workload.is_divided_beside:
            return LOAD
        workloads = [part.workload for part in scenario.each().values()] if scenario.workloads else []
        if tolerance is None:
            return SHARED if workloads else USUAL
        has_loads = any(workload.is_divided_beside for workload in workloads)
        return replace(SHARED, grain=ROUGH.grain) if has_loads else ROUGH

    @property
    def is_of_load(self) -> bool:
        """Whether it is that of a load of requests alone."""
        return self.under_way > 0


WHOLE = Detail()
USUAL = Detail(fewest=250, many=2000)
"""Assumption: the time of a sort of 1 PB on 10,000 servers is 0.5 % less with 200 of them than with 1,000, and moves by
as much from one number to twice as many."""
ROUGH = Detail(fewest=14, few=8, grain=4.0)
"""For answers that may be a few per cent off. Assumption: the least servers on which HDFS and a sort were tried, and
with images MinIO and a sort."""
SHARED = Detail(fewest=20, many=250, has_images=False)
"""For many workloads, which take the square of the servers to simulate. Assumption: they are few enough for a day of a
thousand servers in a minute, and beyond the pieces of an object. What is divided moves by up to 15 %, so fewer than 250
servers, which take minutes, all are simulated."""
LOAD = Detail(fewest=1, has_images=False, under_way=7000)
"""For loads of requests alone. Assumption: the rate of four rounds of so many requests differs by 0.1 to 0.4 % from one
seed to another."""
LOAD_MOVED = (0.025, 0.04)
"""Part by which rates and latencies of such a load moved at most. Measured: reads and writes of 4 KiB and 4 MB of block
devices on 32 and 63 servers, two seeds and more: rates with three replicas by up to 0.5 %, with a code of eight pieces
on 21 of 63 servers by up to 0.3 %, but for writes of 4 MB, of which seeds lie up to 0.8 % from their mean on all
servers, and up to 2.4 % on the part (its mean of five is 0.1 % more); medians by up to 2 %, in small trials by 3 %.
With uneven placement groups, 32 servers and five seeds: rates by 0.2 % in the mean, 0.5 % from seed to seed."""
USUALLY_MOVED, ROUGHLY_MOVED = 0.005, 0.1
"""Part by which times moved at most in trials, with the usual servers and with fewer. Measured: the sorts of `USUAL`; a
sort on MinIO alone moved by 5.5 %, and by 10 % beside an import."""
SHARED_MOVED = 0.15
"""The same where many workloads meet. Measured: shared-day on 64 servers against 32 of them, two seeds: sorts ended 1.6
to 2.0 % and counts 1.3 to 2.5 % sooner, a copy that waits for its slowest task 8 to 13 %; p50 and p99 of the requests
moved by as much as another seed moves them, -6 to +2 %."""


def layout_of(scenario: Scenario, detail: Detail) -> Layout:
    """Return the layout of a scenario in some detail.

    Raises:
        RefusalError: what is simulated one by one takes more memory than there may be.
    """
    part, alike = _part_of(scenario, detail)
    cluster = bounded(part)
    for storage in {storage.home: storage for storage in reversed(_storages(scenario))}.values():
        cluster = storage.grouped(cluster)
    layout = Layout(cluster, alike, detail.grain, scenario.cluster)
    layout.has_images, layout.fresh = detail.has_images, scenario.fresh()
    layout.spreads_once = detail.grain > 1  # only where somebody gave up exactness
    layout.evens_out = detail != WHOLE
    return layout


def memory_of(scenario: Scenario, detail: Detail) -> float:
    """Return the bytes of memory that a run of a scenario takes at most, in some detail; nothing is laid out."""
    return footprint(_part_of(scenario, detail)[0])


def _part_of(scenario: Scenario, detail: Detail) -> tuple[Cluster, float]:
    """Return the part of a cluster that is simulated one by one, and for how many servers each of it stands."""
    cluster, whole = scenario.cluster, _units(scenario.cluster)
    units = _simulated(scenario, detail)
    alike = whole // units if whole % units == 0 else whole / units
    return _divided(cluster, units), alike


def likeness(layout: Layout, *, is_of_load: bool = False) -> tuple[str, ...]:
    """Return in words what a reader must know of a layout on which servers stand for others.

    It `is_of_load` where a load of requests is alone on it.
    """
    if layout.alike == 1:
        return ()
    servers, largest = len(layout.nodes), max(map(len, layout.groups.values()))
    moved = f"times by up to {USUALLY_MOVED if USUAL.fewest and largest >= USUAL.fewest else ROUGHLY_MOVED:.1%}"
    if not layout.has_images:
        moved = f"times by up to {SHARED_MOVED:.1%}"
    if is_of_load:
        moved = f"rates by up to {LOAD_MOVED[0]:.1%} and latencies by up to {LOAD_MOVED[1]:.1%}"
    others = f"{layout.alike:,.1f}".removesuffix(".0")
    return (
        f"not exact: {servers:,} of {layout.whole_of(servers):,} servers were simulated, each of which stands for"
        f" {others} that are alike; in trials that moved {moved}",
    )


def _units(cluster: Cluster) -> int:
    """Return into how many equal parts of whole servers a cluster can be cut."""
    return math.gcd(*(group.count for group in cluster.groups.values()))


def _simulated(scenario: Scenario, detail: Detail) -> int:
    """Return how many of its equal parts stand for the whole of a cluster.

    They are the fewest of those that divide it, or of all if those are more than twice as many: a cluster of one server
    more or less then does not take ten times as long to simulate.
    """
    cluster, fewest, whole = scenario.cluster, detail.fewest, _units(scenario.cluster)
    counts = [group.count for group in cluster.groups.values()]
    if fewest is None or max(counts) < detail.many or not _is_divided(scenario, detail):
        return whole
    storages = _storages(scenario)
    if detail.few is not None and all(storage.has_images for storage in storages):
        fewest = detail.few

    def stands_for_all(units: int) -> bool:
        part = _divided(cluster, units)
        is_enough = not detail.is_of_load or scenario.workload.under_way(part) >= detail.under_way
        strikes_one = _strikes_one(scenario.failures, part)
        return is_enough and strikes_one and all(_is_alike(storage, cluster, part, detail) for storage in storages)

    least = math.ceil(fewest * whole / max(counts))
    dividing = next((n for n in range(least, whole) if whole % n == 0 and stands_for_all(n)), whole)
    if not _takes_any(storages, detail):
        return dividing
    return next((n for n in range(least, dividing // MORE) if stands_for_all(n)), dividing)


def _storages(scenario: Scenario) -> list[StorageModel]:
    """Return the storage systems of all workloads, and those from which they copy."""
    parts = scenario.each().values()
    return [storage for storing in parts for storage in (storing.storage, *storing.workload.origins())]


def _takes_any(storages: Sequence[StorageModel], detail: Detail) -> bool:
    """Return whether servers may stand for a number of others that is not whole."""
    return detail.has_images and not any(storage.has_images and storage.home is not None for storage in storages)


def _is_alike(storage: StorageModel, cluster: Cluster, part: Cluster, detail: Detail) -> bool:
    """Return whether a storage system does on a part of its servers what it does on all, with or without images."""
    if not (storage.serves_alike(cluster, part) if detail.is_of_load else storage.is_alike(cluster, part)):
        return False
    if detail.has_images or not (storage.has_images or detail.is_of_load) or storage.home is None:
        return True
    try:
        storage.fits(part)
        code = storage.redundancy(part)
    except RefusalError:
        return False
    return (
        code is not None and code == storage.redundancy(cluster) and code.pieces <= part.groups[storage.home[0]].count
    )


def _strikes_one(failures: Failures | None, part: Cluster) -> bool:
    """Return whether each failure of a run strikes a single server that a part has, or a drive of it."""
    named = [fault.component.partition("/")[0] for fault in failures.faults] if failures is not None else []
    return all(sum(len(servers_of(part, group, name)) for group in part.groups) == 1 for name in named)


def _is_divided(scenario: Scenario, detail: Detail) -> bool:
    """Return whether all workloads can be divided, all servers are equal, and none is to fail or has just come.

    Many that go beside each other may be requests, too, and stated components may fail.
    """
    workloads, failures = [part.workload for part in scenario.each().values()], scenario.failures
    beside = not detail.has_images and bool(scenario.workloads)
    may_fail = failures is not None and (failures.acceleration > 0 if beside else failures.is_in_run)
    is_even = scenario.rebalance is None and not any(group.later for group in scenario.cluster.groups.values())
    takes_loads = beside or detail.is_of_load
    are_divided = all(workload.is_divided or (takes_loads and workload.is_divided_beside) for workload in workloads)
    return is_even and not may_fail and are_divided


def _divided(cluster: Cluster, units: int) -> Cluster:
    """Return some of its equal parts, with fewer servers in a rack, and fewer racks where there are too few servers."""
    whole = _units(cluster)
    if units == whole:
        return cluster
    groups = {
        name: group.model_copy(update={"count": group.count * units // whole}) for name, group in cluster.groups.items()
    }
    most = max(group.count for group in groups.values())
    racks = min(cluster.network.racks, max(most // RACK, RACKS))
    return cluster.model_copy(update={"groups": groups, "network": cluster.network.model_copy(update={"racks": racks})})
