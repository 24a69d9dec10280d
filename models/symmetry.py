"""Servers that are alike: a part of them is simulated, each of which stands for several.

Where all servers of a group are equal, and a workload and its storage system treat them so, what one does the others do
as well, but for chance. So the cluster is divided by a whole number: each server keeps its drives, cards and tasks, the
whole has a part of the tasks, of the bytes, and of what all share, a line or a service. What depends on the whole is
told by it: how many reduces share the output of a map, which part of a shuffle crosses the network.

A storage system may have images of the servers for which one stands (`Layout.standing`): its sets then are those of the
whole, and bytes still cross the network where they would, so that a few servers are enough.

Not covered: the slowest of very many servers is a little slower than the slowest of fewer; racks have fewer servers; a
lone stream that reaches a server and its images has no more than that one server gives.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from models.footprint import bounded, footprint
from models.hardware.cluster import Cluster, Layout
from models.scenario import Scenario

RACK = 4
"""Servers of a rack that are simulated at least. Assumption: enough for replicas in a rack of their own choice."""
RACKS = 2
"""Racks that are simulated at least, where there are several. Assumption: bytes still cross them."""


@dataclass(frozen=True, slots=True)
class Detail:
    """How much of a scenario is simulated one by one.

    That is at least the `fewest` servers of its largest group, None for all, and a `few` where all storage systems have
    images of the others; all are where that group has not `many`. In page caches so many chunks of files are told as
    one, `grain`.
    """

    fewest: int | None = None
    few: int | None = None
    many: int = 0
    grain: float = 1.0

    @classmethod
    def of(cls, tolerance: float | None) -> Detail:
        """Return what goes with a tolerance: all with 0, and of very many servers a part where none is given."""
        if tolerance is None:
            return USUAL
        return ROUGH if tolerance else WHOLE


WHOLE = Detail()
USUAL = Detail(fewest=250, many=2000)
"""Assumption: the time of a sort of 1 PB on 10,000 servers is 0.5 % less with 200 of them than with 1,000, and moves by
as much from one number to twice as many."""
ROUGH = Detail(fewest=14, few=8, grain=4.0)
"""For answers that may be a few per cent off. Assumption: the least servers on which HDFS and a sort were tried, and
with images MinIO and a sort."""
USUALLY_MOVED, ROUGHLY_MOVED = 0.005, 0.1
"""Part by which times moved at most in trials, with the usual servers and with fewer. Measured: the sorts of `USUAL`; a
sort on MinIO alone moved by 5.5 %, and by 10 % beside an import."""


def layout_of(scenario: Scenario, detail: Detail) -> Layout:
    """Return the layout of a scenario in some detail.

    Raises:
        RefusalError: what is simulated one by one takes more memory than there may be.
    """
    part, alike = _part_of(scenario, detail)
    return Layout(bounded(part), alike, detail.grain, scenario.cluster)


def memory_of(scenario: Scenario, detail: Detail) -> float:
    """Return the bytes of memory that a run of a scenario takes at most, in some detail; nothing is laid out."""
    return footprint(_part_of(scenario, detail)[0])


def _part_of(scenario: Scenario, detail: Detail) -> tuple[Cluster, int]:
    """Return the part of a cluster that is simulated one by one, and for how many servers each of it stands."""
    alike = _alike(scenario, detail)
    return _divided(scenario.cluster, alike), alike


def likeness(layout: Layout) -> tuple[str, ...]:
    """Return in words what a reader must know of a layout on which servers stand for others."""
    if layout.alike == 1:
        return ()
    servers, largest = len(layout.nodes), max(map(len, layout.groups.values()))
    moved = USUALLY_MOVED if USUAL.fewest and largest >= USUAL.fewest else ROUGHLY_MOVED
    return (
        f"not exact: {servers:,} of {servers * layout.alike:,} servers were simulated, each of which stands for"
        f" {layout.alike} that are alike; in trials that moved times by up to {moved:.1%}",
    )


def _alike(scenario: Scenario, detail: Detail) -> int:
    """Return for how many servers one can stand."""
    cluster, fewest = scenario.cluster, detail.fewest
    counts = [group.count for group in cluster.groups.values()]
    if fewest is None or max(counts) < detail.many or not _is_divided(scenario):
        return 1
    parts = scenario.each().values()
    storages = [storage for storing in parts for storage in (storing.storage, *storing.workload.origins())]
    if detail.few is not None and all(storage.has_images for storage in storages):
        fewest = detail.few
    whole = math.gcd(*counts)
    for alike in range(min(max(counts) // fewest, whole), 1, -1):
        part = _divided(cluster, alike)
        if whole % alike == 0 and all(storage.is_alike(cluster, part) for storage in storages):
            return alike
    return 1


def _is_divided(scenario: Scenario) -> bool:
    """Return whether all workloads can be divided, all servers are equal, and none is to fail."""
    workloads = [part.workload for part in scenario.each().values()]
    may_fail = scenario.failures is not None and scenario.failures.is_in_run
    is_even = not any(group.later for group in scenario.cluster.groups.values())
    return is_even and not may_fail and all(workload.is_divided for workload in workloads)


def _divided(cluster: Cluster, alike: int) -> Cluster:
    """Return a part of a cluster, with fewer servers in a rack, and fewer racks where there are too few servers."""
    if alike == 1:
        return cluster
    groups = {name: group.model_copy(update={"count": group.count // alike}) for name, group in cluster.groups.items()}
    most = max(group.count for group in groups.values())
    racks = min(cluster.network.racks, max(most // RACK, RACKS))
    return cluster.model_copy(update={"groups": groups, "network": cluster.network.model_copy(update={"racks": racks})})
