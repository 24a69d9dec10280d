"""MinIO, request by request: which servers and drives play its roles for a load.

A request draws a set. Where drives are down, it reads from a random run of those left; where some were replaced, it
writes to those as well.

Assumptions: shards that lie on the coordinator spare the network 1/N of the bytes on average; the shards that are left
lie evenly on the servers that are left, and while a repair lasts it has yet to rebuild what is read.
"""

from __future__ import annotations

from dataclasses import replace

from models.hardware.cluster import Layout
from models.problem import refusal
from models.requests import Draw, Pick
from models.storage.described_routes import DescribedRoutes
from models.storage.minio.down import AlikeSets
from models.storage.minio.operations import MinioOperations
from models.storage.minio.system import Minio
from models.storage.object_routes import Ends
from models.storage.stations import Stations, stations
from models.values import value


@value()
class SetChances:
    """Who plays the roles of MinIO by chance, in sets of `size` drives that are `alike`, as requests or rebuilds do."""

    spec: Minio
    servers: Stations
    ends: Ends
    size: int
    alike: AlikeSets
    rebuilds: bool = False

    @property
    def held(self) -> int:
        """Drives of a set that hold their shards."""
        return self.size - self.spec.failed_drives - self.alike.missing

    @property
    def written(self) -> int:
        """Drives of a set that take writes."""
        return self.held + (self.alike.missing if self.alike.is_replaced else 0)

    @property
    def missing(self) -> float:
        """The part of the shards that are lost."""
        return (self.size - self.held) / self.size

    @property
    def short(self) -> int:
        """Shards of a new object that find no place beside those that its code leaves out: none."""
        return 0

    @property
    def misses_data(self) -> bool:
        """Whether drives of these sets have yet to be rebuilt."""
        return self.alike.missing > 0

    @property
    def streams(self) -> int:
        """Objects that are rebuilt at a time."""
        processors = self.servers.nodes[0].server.cpu.threads
        return self.alike.sets * self.spec.heal.workers(self.spec.release, processors)

    @property
    def patience(self) -> tuple[float, int]:
        """The seconds after which a request that was refused comes back, and how often it is sent at most."""
        return self.ends.back_off, self.ends.attempts

    @property
    def count(self) -> int:
        """Servers of the system."""
        return self.servers.count

    def rebuilding(self) -> SetChances:
        """Return who plays the roles for rebuilds of what is lost."""
        return replace(self, rebuilds=True)

    def intact(self, count: int) -> float:
        """Return the chance that so many shards are all there: as many are always read of those that are."""
        return 1.0

    def stations(self, role: str) -> Stations:
        """Return the stations of the servers that play a role."""
        return self.ends.group if role == "client" else self.servers

    def server(self, role: str) -> Pick:
        """Return the server that plays a role, and for further lanes those of further drives."""
        pick = self._pick(role)
        return pick.server or pick

    def drive(self, role: str, bay: str) -> Pick:
        """Return its drive."""
        return self._pick(role)

    def crossing(self, source: str, target: str, lanes: int) -> float:
        """Return the part of the requests whose source and target are two servers."""
        if "client" in (source, target):
            return self.ends.crossing(self.servers)
        return 1 - 1 / self._up / self.servers.alike

    @property
    def _up(self) -> int:
        return self.servers.count if self.alike.is_replaced else self.alike.servers

    def _pick(self, role: str) -> Pick:
        whose = Draw("rebuilt set", self.alike.sets, by_client=True) if self.rebuilds else Draw("set", self.alike.sets)
        match role:
            case "client":
                return self.ends.pick
            case "coordinator":
                return self.ends.pick if self.ends.own_server else Pick(Draw("server", self.ends.asked(self._up)))
            case "source":
                return self._drives_of(whose, self.held, self.alike.servers)
            case "target":
                return self._drives_of(whose, self.written, self._up)
            case "lister":
                return Pick(Draw("drive", 1), self.servers.drives(self.spec.bay) // self.size, stride=1)
        return self._replaced(whose)

    def _drives_of(self, whose: Draw, span: int, servers: int) -> Pick:
        """Return a drive of a set among the first `span`, and those after it for further lanes, on so many servers."""
        start, first = Draw("shard", span), self.alike.first * self.size
        if first == 0 and servers == self.servers.count:
            return Pick(whose, span, start, self.size)
        server = Pick(whose, span, start, self.size, among=servers)
        return Pick(whose, span, start, self.size, first=first, server=server)

    def _replaced(self, whose: Draw) -> Pick:
        """Return a drive of a set that was replaced, on a server that was replaced if some were."""
        alike, away = self.alike, self.servers.count - self.alike.servers
        server = Pick(whose, stride=1, first=alike.servers, among=away) if away else Pick(whose, stride=1)
        place, first = Draw("replaced", alike.missing), alike.first * self.size + self.held
        return Pick(whose, alike.missing, place, self.size, first=first, server=server)


def minio_routes(spec: Minio, layout: Layout, ends: Ends, alike: AlikeSets | None = None) -> DescribedRoutes:
    """Return the routes of MinIO on a layout for clients at the other end, to all sets or to some that are alike."""
    servers = stations(layout, spec.servers, is_written=ends.writes, seconds=ends.group.seconds)
    code, *others = spec.codes(layout.cluster)
    if others:
        text = "a load of requests needs one pool: which of several has an object is not modelled"
        raise refusal(f"cluster.groups.{spec.servers}.later", text, "count all servers as one pool, without later")
    servers = replace(servers, beside=ends.beside(code.drives))
    sets = servers.drives(spec.bay) // code.drives
    chances = SetChances(spec, servers, ends, code.drives, alike or AlikeSets(sets, 0, 0, servers.count))
    up, empty = chances.written, chances.written - chances.held
    return DescribedRoutes(MinioOperations(spec, code, sets, code.drives - up, empty, servers.count), chances)
