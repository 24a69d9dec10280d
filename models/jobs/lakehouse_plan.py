"""The phases of a suite of queries as runs of requests on a layout and a storage system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from models.hardware.cluster import Layout
from models.jobs.lakehouse import Lakehouse, Range
from models.plan import Ground
from models.requests import Closed, Kind, RequestRun, Route, Station, Visit, fixed, log_uniform
from models.storage.object_routes import Ends, ObjectRoutes, ends
from models.storage.systems import StorageSystem, routes
from models.work import Metrics

BACK_OFF, ATTEMPTS = 0.5, 20
"""Seconds after which a request that the store refused is sent again, and how often in all. Source: Apache Hadoop 3.3,
hadoop-aws: fs.s3a.retry.throttle.interval, fs.s3a.attempts.maximum."""
READING_RATE = "GET requests per second while reading"
"""The metric of a suite, 1/s."""


@dataclass(frozen=True, slots=True)
class LakehousePlan:
    """A suite of queries: runs of requests one after the other, and the seconds that pass outside of them."""

    job: Lakehouse
    storage: StorageSystem
    layout: Layout

    @property
    def _clients(self) -> Ends:
        clients = ends(self.layout, self.job.servers, own_server=False, in_turn=True)
        return replace(clients, back_off=BACK_OFF, attempts=ATTEMPTS)

    @property
    def routes(self) -> ObjectRoutes:
        """The routes of the storage system to the workers."""
        return routes(self.storage, self.layout, self._clients)

    def runs(self) -> tuple[RequestRun, ...]:
        """Return the phases that send requests."""
        return (*self._listing(), self._reading())

    def outside(self) -> tuple[str, float]:
        """Return the name and the seconds of what queries cost outside of reading."""
        speed = self.layout.groups[self.job.driver][0].server.cpu.speed
        return "outside of reading", self.job.queries * self.job.query_cpu / speed

    def metrics(self, seconds: Mapping[str, float]) -> Metrics:
        """Return what is measured of the phases, given the seconds of each by name."""
        return {READING_RATE: (self.job.gets / seconds["reading"], "1/s")}

    def _listing(self) -> tuple[RequestRun, ...]:
        job = self.job
        kinds = (
            Kind("HEAD of a directory", self.routes.head(found=False), weight=job.probes),
            Kind("LIST", self.routes.list_page(), weight=job.lists),
        )
        sent = tuple(kind for kind in kinds if kind.weight > 0)
        count = job.probes + job.lists
        return (
            (RequestRun("listing", sent, Closed(job.listing_threads), count, precision=job.precision),) if sent else ()
        )

    def _reading(self) -> RequestRun:
        job, workers = self.job, self.layout.groups[self.job.servers]
        kinds = [kind for name, each in job.reads.items() for kind in self._gets(name, each)]
        if job.opens:
            kinds.append(Kind("HEAD", (*self._start(), *self.routes.head(found=True)), weight=job.opens))
        clients = Closed(job.slots * len(workers))
        return RequestRun("reading", tuple(kinds), clients, job.gets + job.opens, precision=job.precision)

    def _start(self) -> Route:
        """Return what an open waits for its task, which starts in a slot of its own."""
        job = self.job
        if not job.start_per_open:
            return ()
        slots = job.slots * len(self.layout.groups[job.servers])
        return (Visit(Station(f"{job.servers}/task starts", slots, kind="slots"), fixed(job.start_per_open)),)

    def _gets(self, name: str, each: Range) -> list[Kind]:
        """Return the GETs of ranges of a size, from the drives and from the cache."""
        size = log_uniform(each.low, each.high)
        return [
            Kind(
                f"GET {name} ({way.note})" if way.note else f"GET {name}",
                way.route,
                self.job.gets * each.share * way.share,
                size,
                self._decode(),
            )
            for way in self.routes.get(size.mean, self.job.object_size)
        ]

    def _decode(self) -> tuple[Visit, ...]:
        """Return the visit of a slot to a processor of its worker."""
        clients = self._clients
        steps = clients.group.compute(clients.pick, per_byte=self.job.byte_cpu)
        return tuple(step for step in steps if isinstance(step, Visit))


def plan(job: Lakehouse, ground: Ground) -> LakehousePlan:
    """Return the phases of the suite."""
    return LakehousePlan(job, ground.storage, ground.layout)
