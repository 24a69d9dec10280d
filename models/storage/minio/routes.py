"""MinIO, request by request: the stations that a GET or PUT passes, stripe after stripe.

The coordinator asks all drives of the object's set for its metadata, a seek each. A GET then takes stripe after stripe:
k drives read and send their shards at the same time, the coordinator receives, checks and joins them and sends the
stripe to the client. A PUT takes the way back: receive, hash and encode, send, and wait for all n drives.
Bytes that lie together cost no seek beyond `read_chunk` and `write_chunk` of the drive, but the first of a request.

Where drives are down, a stripe is read from the k shards of a random run of those left, and the coordinator computes
what is missing; a PUT writes the shards that are left, with the parity that the release gives it. A replacement takes
writes but holds nothing until it is rebuilt: object by object, k shards are read and one written, by the workers of a
drive, which pause while many requests are in flight (`models.storage.minio.heal`).

Assumptions: shards that lie on the coordinator spare the network 1/N of the bytes on average; each hop passes a stripe
on when it has all of it; the shards that are left lie evenly on the servers that are left, and while a repair lasts it
has yet to rebuild what is read. Not covered: read-ahead over stripes, the scanner, the listing of what to rebuild.

Source: as models/storage/minio/system.py; small objects in their metadata: MinIO 2021, `xl.meta`,
docs/small-file-benchmark.
"""

from __future__ import annotations

import math

from models.hardware.cluster import Layout
from models.requests import Background, Draw, Fan, FirstByte, Pick, Route, Station, Visit, fixed
from models.storage.minio.down import AlikeSets
from models.storage.minio.system import Minio
from models.storage.object_routes import REBUILT, Ends, Variant, in_turns
from models.storage.stations import UNBOUNDED, delay, stations


class MinioRoutes:
    """The routes of MinIO on a layout for clients at the other end, to all sets or to some that are alike."""

    def __init__(self, spec: Minio, layout: Layout, ends: Ends, alike: AlikeSets | None = None) -> None:
        self._spec, self._ends = spec, ends
        self._servers = stations(layout, spec.servers)
        self._drive = self._servers.nodes[0].server.bays[spec.bay].drive
        drives = self._servers.count * self._servers.nodes[0].server.bays[spec.bay].count
        (code,) = spec.codes(layout.cluster)
        size = code.drives
        self._code, self._size, self._data, self._sets = code, size, code.data, drives // size
        self._alike = alike = alike or AlikeSets(self._sets, 0, 0, self._servers.count)
        self._held = size - spec.failed_drives - alike.missing
        self._written = size - spec.failed_drives if alike.is_replaced else self._held
        self._put_data = code.at_write(size - self._written).data
        up = self._servers.count if alike.is_replaced else alike.servers
        chosen = Draw("set", alike.sets)
        self._shard = self._drives_of(chosen, self._held, alike.servers)
        self._place = self._drives_of(chosen, self._written, up)
        self._coordinator = ends.pick if ends.own_server else Pick(Draw("server", up))
        self._remote = 1 - 1 / up
        self._crossing = ends.crossing(self._servers)

    def get(self, size: float, object_size: float) -> tuple[Variant, ...]:
        """Return the routes of a GET of `size` bytes of an object: whole stripes are read and checked."""
        route = self._asked() + self._metadata()
        if object_size / self._data > self._spec.inline_bytes:
            route += self._positioned(size / self._data, self._drive.read_chunk)
        stripe = self._spec.stripe_bytes
        read = min(math.ceil(size / stripe) * stripe, max(object_size, size)) / size if size > 0 else 1.0
        return (Variant(route + in_turns(self._stripe_in(read), size, stripe)),)

    def put(self, size: float) -> Route:
        """Return the route of a PUT."""
        route = self._asked() + in_turns(self._stripe_out(), size, self._spec.stripe_bytes)
        if size / self._put_data > self._spec.inline_bytes:
            seeks = self._missing(size / self._put_data, self._drive.write_chunk)
            route += self._on_drives(self._written, seeks)
        return route + self._metadata()

    def note(self) -> Route:
        """Return the route of what begins or completes a multipart upload: metadata on all drives of the set."""
        return self._asked() + self._metadata()

    def head(self, *, found: bool) -> Route:
        """Return the route of a HEAD: all drives of the set are asked, whether the object exists or not."""
        return self._asked() + self._metadata()

    def list_page(self) -> Route:
        """Return the route of a LIST page: a drive of each set is asked, and the coordinator merges their answers."""
        asked = self._servers.seek(self._spec.bay, Pick(Draw("drive", 1), self._sets, stride=1), self._accesses)
        fan = (Fan(asked, self._sets),) if asked else ()
        return self._asked() + fan + self._servers.compute(self._coordinator, once=self._spec.list_cpu)

    def delete(self) -> Route:
        """Return the route of a DELETE: metadata on all drives of the set."""
        return self._asked() + self._metadata()

    @property
    def misses_data(self) -> bool:
        """Whether drives of these sets have yet to be rebuilt."""
        return self._alike.missing > 0

    def rebuilding(self, size: float, in_flight: float) -> Background:
        """Return the work that rebuilds shards of objects of `size` bytes on the drives that were replaced."""
        spec, alike, servers, shard = self._spec, self._alike, self._servers, size / self._data
        pause = spec.heal.pause(spec.release, in_flight / servers.count)
        whose, away = Draw("rebuilt set", alike.sets, by_client=True), servers.count - alike.servers
        source = self._drives_of(whose, self._held, alike.servers)
        rebuilder = Pick(whose, stride=1, first=alike.servers, among=away) if away else Pick(whose, stride=1)
        place = Draw("replaced", alike.missing)
        first = alike.first * self._size + self._held
        target = Pick(whose, alike.missing, place, self._size, first=first, server=rebuilder)
        stripe = (
            Fan(servers.read(spec.bay, source) + servers.send(source, self._remote), self._data, 1 / self._data),
            *servers.receive(rebuilder, self._remote),
            *servers.compute(rebuilder, per_byte=spec.bitrot_cpu + spec.encode_cpu / self._code.parity),
            Fan(servers.write(spec.bay, target), 1, 1 / self._data),
        )
        route = (
            *delay(f"{spec.servers}/request time", fixed(spec.request_time)),
            *self._on_drives(self._held, self._accesses, source),
            *self._on_drives(self._data, self._missing(shard, self._drive.read_chunk), source),
            *in_turns(stripe, size, spec.stripe_bytes),
            *self._on_drives(1, self._missing(shard, self._drive.write_chunk) + self._accesses, target),
            Visit(Station(REBUILT, UNBOUNDED, kind="delay")),
            *(delay(f"{spec.servers}/heal max_sleep", fixed(pause)) if pause else ()),
        )
        workers = spec.heal.workers(spec.release, servers.nodes[0].server.cpu.threads)
        return Background(route, alike.sets * workers, size)

    def rebuilt(self, size: float) -> float:
        """Return the bytes that the rebuild of an object of `size` bytes makes safe again: those of one shard."""
        return size / self._data

    def _drives_of(self, whose: Draw, span: int, servers: int) -> Pick:
        """Return a drive of a set among the first `span`, and those after it for further lanes, on so many servers."""
        start, first = Draw("shard", span), self._alike.first * self._size
        if first == 0 and servers == self._servers.count:
            return Pick(whose, span, start, self._size)
        server = Pick(whose, span, start, self._size, among=servers)
        return Pick(whose, span, start, self._size, first=first, server=server)

    @property
    def _accesses(self) -> float:
        return self._spec.metadata_seeks * (1 - self._spec.cached_reads)

    def _asked(self) -> Route:
        waited = delay(f"{self._spec.servers}/request time", fixed(self._spec.request_time))
        return waited + self._servers.compute(self._coordinator, once=self._spec.request_cpu)

    def _metadata(self) -> Route:
        return self._on_drives(self._written, self._accesses)

    def _positioned(self, shard: float, chunk: float) -> Route:
        seeks = self._missing(shard, chunk) * (1 - self._spec.cached_reads)
        return self._on_drives(self._data, seeks, self._shard)

    def _missing(self, shard: float, chunk: float) -> float:
        """Return the part of a first seek that the cost per byte of a shard does not contain."""
        return max(1 - shard / chunk, 0.0)

    def _on_drives(self, count: int, seeks: float, pick: Pick | None = None) -> Route:
        route = self._servers.seek(self._spec.bay, pick or self._place, seeks)
        return (Fan(route, count),) if route else ()

    def _stripe_in(self, read: float) -> Route:
        """Return the route of a stripe to the client, of which `read` times its bytes are read."""
        spec, servers = self._spec, self._servers
        rebuilt = spec.encode_cpu * self._data * (self._size - self._held) / self._size / self._code.parity
        shard = servers.read(spec.bay, self._shard, (1 - spec.cached_reads) * read)
        shard += servers.send(self._shard, self._remote * read)
        return (
            *((Fan(shard, self._data, 1 / self._data),) if shard else ()),
            *servers.receive(self._coordinator, self._remote * read),
            *servers.compute(self._coordinator, per_byte=(spec.bitrot_cpu + rebuilt) * read),
            FirstByte(),
            *servers.send(self._coordinator, self._crossing),
            *self._ends.group.receive(self._ends.pick, self._crossing),
        )

    def _stripe_out(self) -> Route:
        """Return the route of a stripe from the client to all drives of its set."""
        spec, servers, expansion = self._spec, self._servers, self._written / self._put_data
        shard = servers.receive(self._place, self._remote) + servers.write(spec.bay, self._place)
        return (
            *self._ends.group.send(self._ends.pick, self._crossing),
            *servers.receive(self._coordinator, self._crossing),
            *servers.compute(self._coordinator, per_byte=spec.hash_cpu + spec.encode_cpu + spec.bitrot_cpu * expansion),
            *servers.send(self._coordinator, self._remote * expansion),
            Fan(shard, self._written, 1 / self._put_data),
        )
