"""Which rack and server each resource of a result belongs to, read from its name and the cluster. Knows no Qt.

Runs of jobs name a resource after its server, "workers-3/data-2"; runs of requests number all that are alike,
"storage/data drives-17", server after server; what no server has
("amazon-s3/get-requests") stands in a rack of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.gui.jobs.steps import FEW, Steps
from models.hardware.cluster import Cluster
from simulator.result import ResourceResult

PROCESSORS = {"cpu"}
DRIVES = {"drive", "volume"}
FEWER = FEW // 10  # servers, each of some resources


@dataclass(slots=True)
class Place:
    """A server, or a service, and the numbers of its resources by how they are drawn."""

    name: str
    processors: list[int] = field(default_factory=list)
    drives: list[int] = field(default_factory=list)
    links: list[int] = field(default_factory=list)

    def add(self, number: int, kind: str) -> None:
        """Take a resource."""
        numbers = self.processors if kind in PROCESSORS else self.drives if kind in DRIVES else self.links
        numbers.append(number)


@dataclass(slots=True)
class Rack:
    """Servers that stand together, and the uplinks of their rack."""

    name: str
    places: list[Place] = field(default_factory=list)
    uplinks: list[int] = field(default_factory=list)


def racks_of(resources: Sequence[ResourceResult], cluster: Cluster) -> Steps[list[Rack]]:
    """Return the racks of a cluster with all resources in their places, those without any left out, in pieces."""
    racks = [Rack(f"rack-{r + 1}") for r in range(cluster.network.racks)]
    homes = _homes(cluster, len(racks))
    servers, services = _Places(), _Places()
    uplinks = {rack.name: rack for rack in racks}
    for number, resource in enumerate(resources):
        if number % FEW == 0:
            yield
        owner = resource.name.partition("/")[0]
        if owner in homes:
            servers[owner].add(number, resource.kind)
        elif owner in uplinks:
            uplinks[owner].uplinks.append(number)
        elif owner not in cluster.groups:
            services[owner].add(number, resource.kind)
    yield from _add_numbered(resources, cluster, servers, services)
    for name in sorted(servers, key=lambda server: homes[server]):
        racks[homes[name][1]].places.append(servers[name])
    if services:
        racks.append(Rack("services", list(services.values())))
    return [rack for rack in racks if rack.places]


def names_of(resources: Sequence[ResourceResult], racks: Sequence[Rack]) -> Steps[list[str]]:
    """Return the name of each resource on its server, as failures have it: "storage-3/data-2" for a numbered drive."""
    names = [resource.name for resource in resources]
    for at, place in enumerate(place for rack in racks for place in rack.places):
        if at % FEWER == 0:
            yield
        counts: dict[str, int] = {}
        for number in (*place.processors, *place.drives, *place.links):
            owner, _, what = resources[number].group.partition("/")
            counts[what] = counts.get(what, 0) + 1
            if names[number].startswith(f"{owner}/") and owner != place.name:
                drive = f"{what.removesuffix(' drives')}-{counts[what]}"
                names[number] = f"{place.name}/{drive if resources[number].kind in DRIVES else what}"
    return names


class _Places(dict[str, Place]):
    """Places by name, each made when it is first asked for: many servers of a large run have images of others alone."""

    def __missing__(self, name: str) -> Place:
        place = self[name] = Place(name)
        return place


def _homes(cluster: Cluster, racks: int) -> dict[str, tuple[int, int]]:
    """Return the place of each server in their order, and its rack, as `models.hardware.cluster.Layout` has them."""
    names = ((f"{name}-{i + 1}", i % racks) for name, group in cluster.groups.items() for i in range(group.count))
    return {name: (order, rack) for order, (name, rack) in enumerate(names)}


def _add_numbered(
    resources: Sequence[ResourceResult], cluster: Cluster, servers: _Places, services: _Places
) -> Steps[None]:
    """Hand the resources that are numbered over a whole group out to its servers, in equal parts.

    What cannot be shared equally, as one station for a whole group, is a service of that group.
    """
    alike: dict[tuple[str, str], list[int]] = {}
    for number, resource in enumerate(resources):
        if number % FEW == 0:
            yield
        owner = resource.name.partition("/")[0]
        if owner in cluster.groups and owner not in servers:
            alike.setdefault((owner, resource.group), []).append(number)
    for (owner, _), numbers in alike.items():
        count = cluster.groups[owner].count
        for k, number in enumerate(numbers):
            if k % FEW == 0:
                yield
            is_shared = len(numbers) % count != 0
            place = services[owner] if is_shared else servers[f"{owner}-{k * count // len(numbers) + 1}"]
            place.add(number, resources[number].kind)
