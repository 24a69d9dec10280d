"""The phases of a suite of queries as runs of requests on a layout and a storage system."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import field, replace

from models.distributions import fixed, log_uniform
from models.hardware.cluster import Layout
from models.jobs.lakehouse import COLUMNS, Lakehouse, Range
from models.jobs.lakehouse_exchange import handed_on, rate_of_cards
from models.jobs.object_load_connections import pool_of
from models.jobs.waves import lengthened
from models.plan import Ground
from models.requests import Closed, Kind, RequestRun, Route, Station, Visit
from models.storage.clients.reading import Fetched
from models.storage.flow import LISTING, ONE_CORE, SLOTS
from models.storage.object_routes import Ends, ObjectRoutes, ends
from models.storage.stations import delay
from models.storage.systems import StorageSystem, fetching, routes
from models.units import format, format_duration
from models.values import value
from models.work import Metrics

BACK_OFF, ATTEMPTS = 0.5, 20
"""Seconds after which a request that the store refused is sent again, and how often in all. Source: Apache Hadoop 3.3,
hadoop-aws: fs.s3a.retry.throttle.interval, fs.s3a.attempts.maximum."""
WARM_UP = 0.1
"""Part of the reading that is left out of its rate: at first all slots begin, and short requests are done before long
ones. Assumption (range 0.05 to 0.2): of some 100,000 requests, far more than a long one lasts."""
READING_RATE = "GET requests per second while reading"
"""The metric of a suite, 1/s."""


@value()
class Pause:
    """Seconds in which no request is sent. `limits` says how many each thing holds them up; none: a time of their own.

    `busy` are the seconds for which each copy of a station is busy in all, now or earlier beside the requests.
    """

    name: str
    seconds: float
    limits: Mapping[str, float] = field(default_factory=dict)
    busy: Mapping[str, float] = field(default_factory=dict)


@value()
class LakehousePlan:
    """A suite of queries: runs of requests one after the other, and the seconds that pass outside of them.

    `fetched` is how the columns of a split are, None where requests were counted.
    """

    job: Lakehouse
    storage: StorageSystem
    layout: Layout
    salt: int = 0
    fetched: Fetched | None = None

    def _clients(self, group: str) -> Ends:
        clients = ends(self.layout, group, own_server=False, in_turn=True)
        return replace(clients, back_off=BACK_OFF, attempts=ATTEMPTS, salt=self.salt)

    def routes(self, group: str) -> ObjectRoutes:
        """Return the routes of the storage system to a server group."""
        return routes(self.storage, self.layout, self._clients(group))

    def runs(self) -> tuple[RequestRun, ...]:
        """Return the phases that send requests."""
        return (*self._listing(), self._reading())

    def outside(self, reading: float) -> tuple[Pause, ...]:
        """Return what passes outside of a reading of so many seconds: work that it does not hide, and fixed times."""
        job, servers = self.job, len(self.layout.groups[self.job.servers])
        full, slots = self._pace(), self._tasks / servers
        open_to_all = self._pace(slots)
        behind = self._pace(min(job.engine.exchange_tasks / servers or math.inf, slots))
        work = job.read_bytes / job.overread / job.needless * job.engine.work_cpu
        share, tasks, spread = job.engine.exchange_work, self._tasks, job.engine.task_spread
        behind_exchanges = share / behind * lengthened(job.engine.exchange_tasks or tasks, tasks, spread)
        before = (1 - share) / open_to_all * lengthened(job.readers(tasks), tasks, spread)
        working = work * (behind_exchanges + before)
        processors = f"{job.servers}/cpu"
        limit = {processors: self._named(processors, behind / full, slots)}
        nodes = self.layout.groups[job.servers]
        rate, decoding = rate_of_cards(nodes), job.read_bytes * job.decoding / open_to_all
        driver, worker = (self.layout.groups[group][0].server.cpu.speed for group in (job.driver, job.servers))
        lasts: dict[str, float] = defaultdict(float)
        busy: dict[str, float] = defaultdict(float, {processors: work / full} if working else {})
        for part in job.parts:
            handed, read = handed_on(job, part, nodes, rate), reading * part.wanted
            left = {processors: job.engine.after_reading(read, decoding * part.wanted, working * part.work)}
            for group, seconds in handed.items():
                fetching = self._fetching(group, rate) * part.wanted
                left[group] = job.engine.after_reading(read, fetching, seconds)
                busy[group] += seconds
            slowest = max(left, key=lambda group: left[group])
            lasts[limit.get(slowest, slowest)] += left[slowest]
        pauses = (
            Pause("working after reading", sum(lasts.values()), lasts, busy),
            Pause("fixed time of queries", job.queries * job.engine.fixed_time(job.planned_stages, driver, worker)),
        )
        return tuple(pause for pause in pauses if pause.seconds > 0 or pause.busy)

    def metrics(self, seconds: Mapping[str, float]) -> Metrics:
        """Return what is measured of the phases, given the seconds of each by name."""
        return {READING_RATE: (self.job.gets / seconds["reading"], "1/s"), **self.charged()}

    def charged(self) -> Metrics:
        """Return what a rented store charges for: all requests of the suite by kind, and the bytes that they read."""
        job = self.job
        if self.storage.home is not None:
            return {}
        sent = {"GET": job.gets, "HEAD": job.opens + job.probes, "LIST": job.lists}
        counts = {f"{verb} requests": (float(count), "1") for verb, count in sent.items()}
        return {**counts, "egress": (job.read_bytes, "B")}

    def _named(self, processors: str, used: float, slots: float) -> str:
        """Return what limits work that uses a part of the processors, in so many slots of each worker.

        More cores bring no more tasks behind an exchange, but more slots: these limit where twice as many could do
        twice the work, and else the processors do.
        """
        if used < 1 and 0 < self.job.engine.exchange_tasks / len(self.layout.groups[self.job.servers]) < slots:
            return ONE_CORE
        return processors if 2 * used >= 1 else SLOTS

    def _pace(self, most: float = math.inf) -> float:
        """Return the core-seconds a second of all processors of the workers, on at most so many threads of each."""
        processors = [node.server.cpu for node in self.layout.groups[self.job.servers]]
        return sum(cpu.capacity()[math.ceil(min(most, cpu.threads)) - 1] for cpu in processors)

    def _fetching(self, group: str, rate: float) -> float:
        """Return the seconds for which reading keeps a group of the workers busy that exchanges use, too.

        `rate` (B/s) is what the cards of all workers carry.
        """
        return self.job.read_bytes / rate if group == f"{self.job.servers}/network in" else 0.0

    @property
    def _tasks(self) -> int:
        """Tasks that all workers work on at once."""
        return sum(self.job.engine.tasks(node.server.cpu.threads) for node in self.layout.groups[self.job.servers])

    @property
    def _under_way(self) -> int:
        """Requests of reading tasks that are under way at once: one each, or of columns those that go side by side."""
        if self.fetched is None:
            return self._tasks
        before, sent = self.job.engine.requests, self.job.sent(self.fetched)
        in_turn = before + sent * self.fetched.rounds / self.fetched.gets
        return max(round(self._tasks * (before + sent) / in_turn), 1)

    def _listing(self) -> tuple[RequestRun, ...]:
        job = self.job
        threads = job.engine.listing(job.file_format)
        sender = self.routes(job.driver if threads else job.servers)
        kinds = (
            Kind("HEAD of a directory", sender.head(exists=False), weight=job.probes),
            Kind("LIST", sender.list_page(job.listed_names), weight=job.lists),
        )
        sent = tuple(kind for kind in kinds if kind.weight > 0)
        clients = Closed(threads or self._tasks, slots=LISTING if threads else SLOTS)
        count = job.probes + job.lists
        return (RequestRun("listing", sent, clients, count, precision=job.precision),) if sent else ()

    def _reading(self) -> RequestRun:
        job = self.job
        kinds = [kind for name, read in job.reads.items() for kind in self._gets(name, read)]
        if job.opens:
            kinds.append(Kind("HEAD", (*self._start(), *self.routes(job.servers).head(exists=True)), weight=job.opens))
        clients = Closed(self._under_way, slots=SLOTS)
        count, caution = job.gets + job.opens, self._without_credits()
        return RequestRun("reading", tuple(kinds), clients, count, WARM_UP, job.precision, caution=caution)

    def _without_credits(self) -> tuple[str, ...]:
        """Return in words that cards of the workers burst, which is left out."""
        nic = self.layout.groups[self.job.servers][0].server.nic
        if nic.bucket is None:
            return ()
        lasting, burst = format(nic.sustained, "B/s"), format(nic.rate, "B/s")
        text = f"cards of {self.job.servers} are taken at {lasting}, which they carry for ever: {burst} on credits"
        return (f"{text}, for some {format_duration(nic.burst_time)}, would read faster",)

    def _start(self) -> Route:
        """Return what an open waits for its task, which starts in a slot of its own."""
        job = self.job
        if not job.start_per_open:
            return ()
        return (Visit(Station(f"{job.servers}/task starts", self._tasks, kind="slots"), fixed(job.start_per_open)),)

    def _gets(self, name: str, read: Range) -> list[Kind]:
        """Return the GETs of ranges of a size, from the drives and from the cache."""
        size, opens = log_uniform(read.low, read.high), min(self.job.openings / self.job.gets, 1.0)
        kinds = [
            Kind(
                f"GET {name} ({way.note})" if way.note else f"GET {name}",
                way.route,
                self.job.gets * read.share * way.share,
                size,
                self._decode(),
            )
            for way in self.routes(self.job.servers).get(size.mean, self.job.object_size, opens)
        ]
        if name != COLUMNS or self.fetched is None or not self.fetched.left:
            return kinds
        left = self.fetched.left / self.fetched.gets
        kept = [replace(kind, weight=(1 - left) * kind.weight) for kind in kinds] if left < 1 else []
        return [*kept, *(self._left(kind, left) for kind in kinds)]

    def _left(self, kind: Kind, part: float) -> Kind:
        """Return the part of some GETs whose connections are given up: as many others open new ones.

        What a connection carries in a round trip still comes of what was asked for.
        """
        job, store = self.job, self.routes(self.job.servers)
        pool = pool_of(0, 1, self._clients(job.servers), store, self.layout, tls=self.storage.is_encrypted)
        size, more = kind.size.mean, pool.window.in_flight
        late = delay(f"{job.servers}/window of a new connection", fixed(pool.window.extra(size)))
        route, name = (*pool.opening, *late, *kind.route), f"{kind.name}, left early"
        decoded = self._decode(size / (size + more))
        return Kind(name, route, part * kind.weight, fixed(size + more), decoded)

    def _decode(self, part: float = 1.0) -> tuple[Visit, ...]:
        """Return the visit of a slot to a processor of its worker, which decodes such a part of what comes."""
        clients = self._clients(self.job.servers)
        steps = clients.group.compute(clients.pick, per_byte=part * self.job.decoding)
        return tuple(step for step in steps if isinstance(step, Visit))


def plan(job: Lakehouse, ground: Ground) -> LakehousePlan:
    """Return the phases of the suite."""
    fetch = fetching(ground.client if job.engine.file_system == "hadoop" else None)
    fetched = None if job.gets else fetch(job.longer().column_reads())
    return LakehousePlan(job.at_scale(fetched), ground.storage, ground.layout, ground.salt, fetched)
