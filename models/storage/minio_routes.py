"""MinIO, request by request: the stations that a GET or PUT passes, stripe after stripe.

The coordinator asks all drives of the object's set for its metadata, a seek each. A GET then takes stripe after stripe:
k drives read and send their shards at the same time, the coordinator receives, checks and joins them and sends the
stripe to the client. A PUT takes the way back: receive, hash and encode, send, and wait for all n drives.
Bytes that lie together cost no seek beyond `read_chunk` and `write_chunk` of the drive, but the first of a request.

Assumptions: shards that lie on the coordinator spare the network 1/N of the bytes on average; each hop passes a stripe
on when it has all of it. Not covered: read-ahead over stripes, heals, the scanner.

Source: as models/storage/minio.py; small objects in their metadata: MinIO 2021, `xl.meta`, docs/small-file-benchmark.
"""

from __future__ import annotations

import math

from models.hardware.cluster import Layout
from models.jobs.requests import Draw, Fan, FirstByte, Pick, Route, fixed
from models.storage.minio import Minio, set_size
from models.storage.object_routes import Ends, Variant, in_turns
from models.storage.stations import delay, stations


class MinioRoutes:
    """The routes of MinIO on a layout for clients at the other end."""

    def __init__(self, spec: Minio, layout: Layout, ends: Ends) -> None:
        self._spec, self._ends = spec, ends
        self._servers = stations(layout, spec.servers)
        self._drive = self._servers.nodes[0].server.bays[spec.bay].drive
        drives = self._servers.count * self._servers.nodes[0].server.bays[spec.bay].count
        size = set_size(drives, spec.set_size)
        self._data, self._shards = size - spec.parity, size - spec.failed_drives
        self._sets = drives // size
        self._shard = Pick(Draw("set", self._sets), self._shards, Draw("shard", self._shards), size)
        self._coordinator = ends.pick if ends.own_server else Pick(Draw("server", self._servers.count))
        self._remote = 1 - 1 / self._servers.count
        self._crossing = ends.crossing(self._servers)

    def get(self, size: float, object_size: float) -> tuple[Variant, ...]:
        """Return the routes of a GET of `size` bytes of an object: whole stripes are read and checked."""
        route = self._asked() + self._metadata()
        if object_size > self._spec.inline_size:
            route += self._positioned(size / self._data, self._drive.read_chunk)
        stripe = self._spec.stripe
        read = min(math.ceil(size / stripe) * stripe, max(object_size, size)) / size if size > 0 else 1.0
        return (Variant(route + in_turns(self._stripe_in(read), size, stripe)),)

    def put(self, size: float) -> Route:
        """Return the route of a PUT."""
        route = self._asked() + in_turns(self._stripe_out(), size, self._spec.stripe)
        if size > self._spec.inline_size:
            seeks = self._missing(size / self._data, self._drive.write_chunk)
            route += self._on_drives(self._shards, seeks)
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
    def _accesses(self) -> float:
        return self._spec.metadata_seeks * (1 - self._spec.cached_reads)

    def _asked(self) -> Route:
        waited = delay(f"{self._spec.servers}/request time", fixed(self._spec.request_time))
        return waited + self._servers.compute(self._coordinator, once=self._spec.request_cpu)

    def _metadata(self) -> Route:
        return self._on_drives(self._shards, self._accesses)

    def _positioned(self, shard: float, chunk: float) -> Route:
        return self._on_drives(self._data, self._missing(shard, chunk) * (1 - self._spec.cached_reads))

    def _missing(self, shard: float, chunk: float) -> float:
        """Return the part of a first seek that the cost per byte of a shard does not contain."""
        return max(1 - shard / chunk, 0.0)

    def _on_drives(self, count: int, seeks: float) -> Route:
        route = self._servers.seek(self._spec.bay, self._shard, seeks)
        return (Fan(route, count),) if route else ()

    def _stripe_in(self, read: float) -> Route:
        """Return the route of a stripe to the client, of which `read` times its bytes are read."""
        spec, servers = self._spec, self._servers
        rebuilt = spec.encode_cpu * self._data * spec.failed_drives / (self._data + spec.parity) / spec.parity
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
        spec, servers, expansion = self._spec, self._servers, self._shards / self._data
        shard = servers.receive(self._shard, self._remote) + servers.write(spec.bay, self._shard)
        return (
            *self._ends.group.send(self._ends.pick, self._crossing),
            *servers.receive(self._coordinator, self._crossing),
            *servers.compute(self._coordinator, per_byte=spec.hash_cpu + spec.encode_cpu + spec.bitrot_cpu * expansion),
            *servers.send(self._coordinator, self._remote * expansion),
            Fan(shard, self._shards, 1 / self._data),
        )
