"""A load of S3 requests as a run of requests on an object store, and the same load while components of it are down."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from models.distributions import NOTHING, Distribution, fixed, log_uniform, lognormal
from models.jobs.object_load import ObjectLoad, Operation
from models.jobs.object_load_client import ClientWork
from models.jobs.object_load_connections import Pool, pool_of
from models.jobs.object_load_damage import Damage, damage
from models.plan import Ground
from models.problem import refusal
from models.requests import ENDLESS, Closed, Fan, Kind, Open, Patience, Repeat, RequestRun, Route, Station, Visit
from models.storage.object_routes import Ends, ObjectRoutes, Variant, ends
from models.storage.systems import StorageSystem, routes
from models.storage.tls import TLS_CPU
from models.values import value

IN_FLIGHT = 8192
"""Requests of an open loop under way at most. Assumption: a store with more cannot keep up."""
MOST_IN_FLIGHT = 1 << 15
"""The same where clients give up after a while, and more may wait. Assumption: more would fill memory, with a lane for
each shard."""
OBJECT_SIZE = 67108864.0
"""Bytes of the objects that are rebuilt where the load moves none. Assumption: 64 MiB."""


@value()
class ObjectLoadPlan:
    """A load on the routes of a store, whose `ends` are its clients; with `damage`, also on what is left of it.

    It is one of so many parts of the load that are `alike`.
    """

    job: ObjectLoad
    store: ObjectRoutes
    ends: Ends
    work: ClientWork
    caution: tuple[str, ...] = ()
    damage: Damage | None = None
    alike: int = 1

    @property
    def count(self) -> int:
        """The requests of the load and of all that are alike."""
        return self.job.count or ENDLESS

    def runs(self) -> tuple[RequestRun, ...]:
        """Return the load as one run of requests on the whole store."""
        return (self._run("requests", ((1.0, self.store),)),)

    def degraded(self) -> RequestRun:
        """Return the load on a store of which components are gone."""
        assert self.damage is not None  # the caller has asked
        return self._run("degraded", self.damage.degraded)

    def repair(self, done: float = 0.0) -> RequestRun:
        """Return the load on a store that fills the replacement of what failed, once a part of that is `done`.

        That part of what failed serves as before. In an open loop the store counts as having few requests in flight,
        too few to pause for.
        """
        assert self.damage is not None
        size = self.object_size
        run = self._run(f"with {done:.0%} repaired" if done else "during repair", tuple(self._repaired(done)))
        in_flight = run.loop.clients if isinstance(run.loop, Closed) else 0
        work = tuple(store.rebuilding(size, in_flight) for _, store in self.damage.repair if store.misses_data)
        return replace(run, background=work)

    def damaged(self) -> tuple[RequestRun, ...]:
        """Return the load on a store of which components are gone, and at the moments of their repair."""
        assert self.damage is not None
        later = [moment / (self.damage.moments - 1) for moment in range(1, self.damage.moments)]
        return (self.degraded(), *(self.repair(done) for done in (0.0, *later)))

    def _repaired(self, done: float) -> Iterator[tuple[float, ObjectRoutes]]:
        """Yield the routes to the store once a part of what failed is repaired, with their shares of the requests."""
        assert self.damage is not None
        for share, store in self.damage.repair:
            left = 1 - done if store.misses_data else 1.0
            if left:
                yield share * left, store
            if left < 1:
                yield share * (1 - left), self.store

    @property
    def rebuilt_at_a_time(self) -> float:
        """The bytes that the rebuild of one object makes safe again."""
        assert self.damage is not None
        return next(store.rebuilt(self.object_size) for _, store in self.damage.repair if store.misses_data)

    @property
    def object_size(self) -> float:
        """The mean size (B) of the objects that the load moves; without any, that of objects where nobody says."""
        sizes = [
            (operation.weight, _spread_sizes(operation).mean)
            for operation in self.job.mix.values()
            if operation.size > 0
        ]
        total = sum(weight for weight, _ in sizes)
        return sum(weight * size for weight, size in sizes) / total if sizes else OBJECT_SIZE

    def _run(self, name: str, parts: Sequence[tuple[float, ObjectRoutes]]) -> RequestRun:
        job = self.job
        patience = None if math.isinf(job.timeout) else Patience(job.timeout, job.attempts, job.back_off)
        return RequestRun(
            name=name,
            kinds=tuple(
                kind
                for label, operation in job.mix.items()
                for part in parts
                for kind in self._kinds(label, operation, part)
            ),
            loop=self._loop(),
            count=max(self.count // self.alike, 1),
            warm_up=job.warm_up,
            precision=job.precision,
            patience=patience,
            duration=job.duration or math.inf,
            goes_on=True,
            caution=self.caution,
        )

    def _loop(self) -> Closed | Open:
        if self.job.threads is not None:
            return Closed(self.job.threads * self.ends.group.count)
        assert self.job.rate is not None  # the workload has been validated
        rate = self.job.rate / self.alike
        return Open(rate, self._in_flight(rate))

    def _in_flight(self, rate: float) -> int:
        """Return how many requests may be under way: as many as when all attempts time out, if there is room."""
        job = self.job
        if math.isinf(job.timeout):
            return IN_FLIGHT
        waits = job.back_off * (2.0 ** (job.attempts - 1) - 1)
        return int(min(max(2 * rate * (job.attempts * job.timeout + waits), IN_FLIGHT), MOST_IN_FLIGHT))

    def _kinds(self, name: str, operation: Operation, part: tuple[float, ObjectRoutes]) -> Iterator[Kind]:
        """Yield the kinds of an operation, one for each way in which a part of the store may serve it."""
        size, (share, store) = _sizes(operation), part
        after = self.ends.group.compute(self.ends.pick, once=operation.between_cpu, per_byte=operation.between_byte_cpu)
        think = lognormal(self.job.think, self.job.think_spread) if self.job.think else NOTHING
        for variant in self._variants(store, operation, size.mean):
            label = f"{name} ({variant.note})" if variant.note else name
            yield Kind(label, variant.route, operation.weight * share * variant.share, size, after, think)

    def _variants(self, store: ObjectRoutes, operation: Operation, size: float) -> tuple[Variant, ...]:
        if operation.action == "get":
            return tuple(replace(way, route=self._got(way.route, operation)) for way in _asked_for(store, operation))
        if operation.action == "put":
            return (Variant(self._put(store, operation, size)),)
        if operation.action == "list":
            return (Variant(self._asked(store.list_page())),)
        if operation.action == "delete":
            return (Variant(self._asked(store.delete())),)
        return (Variant(self._asked(store.head(exists=operation.action == "head"))),)

    def _got(self, asked: Route, operation: Operation) -> Route:
        """Return the route of an object by that of what is asked for: its parts, or all of it.

        A downloader learns from the first part how long the object is, and asks for the others then.
        """
        size = operation.part or _sizes(operation).mean
        request, part = self._connected(self.work.takes(asked, size)), operation.part
        if part is None:
            return request
        alone = part / _spread_sizes(operation).mean
        others = Fan((Repeat(request, part),), operation.parts_at_once, chunk=part)
        return Fan(request, 1, alone), Fan((others,), 1, 1 - alone)

    def _put(self, store: ObjectRoutes, operation: Operation, size: float) -> Route:
        part = operation.part
        if part is None:
            return self._connected(self.work.sends(store.put(size), size))
        sent = self._connected(self.work.sends(store.put(part), part))
        note = self._asked(store.note())
        return (*note, Fan((Repeat(sent, part),), operation.parts_at_once, chunk=part), *note)

    def _asked(self, route: Route) -> Route:
        """Return the route of a request that moves no bytes."""
        return self._connected(self.work.asks(route))

    def _connected(self, route: Route) -> Route:
        """Return the route of a request that takes a connection of its client's pool."""
        if self.job.connections is None:
            return route
        group = self.ends.group
        pool = Station(f"{group.group}/connections", self.job.connections, group.count, "connections")
        return (Visit(pool, inside=route, pick=self.ends.pick),)


def _asked_for(store: ObjectRoutes, operation: Operation) -> tuple[Variant, ...]:
    """Return how a store may serve one request of a get: for an object, a range or a part of it."""
    return store.get(operation.part or _sizes(operation).mean, _spread_sizes(operation).mean)


def _sizes(operation: Operation) -> Distribution:
    """Return the bytes that requests of an operation move."""
    if operation.action not in ("get", "put"):
        return NOTHING
    return _spread_sizes(operation) if operation.range is None else fixed(operation.range)


def _spread_sizes(operation: Operation) -> Distribution:
    """Return the sizes of the objects of an operation."""
    if operation.largest_size is not None:
        return log_uniform(operation.size, operation.largest_size)
    return lognormal(operation.size, operation.size_spread)


def plan(job: ObjectLoad, ground: Ground) -> ObjectLoadPlan:
    """Return the load on the routes of the store, and what failures do to it."""
    layout, failures = ground.layout, ground.failures
    seconds, in_turn = job.lasts(layout.whole), job.threads is not None
    clients = ends(layout, job.clients, own_server=job.own_server, in_turn=in_turn, seconds=seconds)
    clients = replace(
        clients,
        endpoints=job.endpoints,
        back_off=job.back_off,
        attempts=job.attempts,
        writes=any(operation.action in ("put", "delete") for operation in job.mix.values()),
        under_way=job.threads or 0,
        is_alone=ground.is_alone,
        salt=ground.salt,
    )
    store = routes(ground.storage, layout, clients)
    work = replace(_work(job, ground.storage, clients), pool=_pool(job, ground, clients, store))
    caution = tuple(job.on_credits(ground.storage, layout.whole))
    if failures is None or not failures.is_in_run:
        return ObjectLoadPlan(job, store, clients, work, caution, alike=layout.parts)
    struck = damage(ground.storage, failures, layout, clients)
    return ObjectLoadPlan(job, store, clients, work, caution, struck, layout.parts)


def _pool(job: ObjectLoad, ground: Ground, clients: Ends, store: ObjectRoutes) -> Pool | None:
    """Return the connections of the clients; None where each request finds one.

    Raises:
        RefusalError: the store is a file system, whose clients keep theirs.
    """
    if job.idle_connections is None:
        return None
    if ground.storage.interface != "objects":
        text = "clients of a file system keep their connections"
        raise refusal("workload.idle_connections", text, "leave it out", value=job.idle_connections)
    return pool_of(job.idle_connections, job.processes, clients, store, ground.layout, tls=ground.storage.is_encrypted)


def _work(job: ObjectLoad, storage: StorageSystem, clients: Ends) -> ClientWork:
    """Return what a client spends on requests of an object store; clients of file systems spend what those say."""
    group, pick = clients.group, clients.pick
    prepared = group.compute(pick, per_byte=job.prepare_cpu)
    if storage.interface != "objects":
        return ClientWork(prepared=prepared)
    encryption = TLS_CPU["native"] if storage.is_encrypted else 0.0
    return ClientWork(
        group.compute(pick, once=job.request_cpu),
        group.compute(pick, per_byte=job.byte_cpu + encryption),
        prepared,
    )
