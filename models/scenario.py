"""The one input of a simulation: a cluster, a storage system with its client, and a workload."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from pydantic import ValidationInfo, model_validator

from models.failures import Failures
from models.hardware.cluster import Cluster
from models.hardware.places import check_place
from models.jobs.kinds import Entry, Workload
from models.jobs.schedule import Scheduled
from models.jobs.scheduler import Scheduler
from models.jobs.together import APART, MOST_WORKLOADS, Together, seen_as
from models.planning.capacity import Planning, capacity
from models.planning.growth import Growth, later_clusters
from models.planning.prices import Prices
from models.problem import Reason, RefusalError, did_you_mean, refusal
from models.quantity import PLACE, Model, named, part, setting
from models.rebalance import Rebalance, before
from models.storage.clients.s3a import S3aClient
from models.storage.systems import Client, StorageSystem, usual_client
from models.units import format


class ProfileInfo(Model):
    """What a profile is about."""

    title: str = setting("One line that says what is run on what.")
    family: str = setting("Documented outcomes that it belongs to, or 'study'.", default="study", inherited=False)
    outcome: str | None = setting("Id of the documented outcome that it reproduces.", default=None, inherited=False)
    further_outcomes: tuple[str, ...] = setting(
        "Ids of further documented outcomes of the same run.", default=(), inherited=False
    )


class Scenario(Model):
    """Everything a run needs to know."""

    exclusive = ("workload", "workloads")
    profile: ProfileInfo = setting("What the profile is about.")
    cluster: Cluster = part("clusters", "Servers and network.")
    storage: StorageSystem = part("storage", "Storage system.")
    client: Client | None = part("clients", "Client of an object store.", default=None)
    workload: Workload = part("workloads", "What is run.", default=None, left_out=lambda it: isinstance(it, Together))
    workloads: tuple[Entry, ...] = part(
        "workloads", "What is run beside each other, in place of workload.", default=(), left_out=lambda them: not them
    )
    scheduler: Scheduler | None = setting("Queues that give containers to workloads.", default=None)
    planning: Planning | None = part("planning", "Operating rules: headroom, reserves, compression.", default=None)
    growth: Growth | None = part("growth", "How the data and the cluster grow.", default=None)
    prices: Prices | None = part("prices", "What machines, power, space and a rented store cost.", default=None)
    failures: Failures | None = part("failures", "What breaks, and how often.", default=None)
    rebalance: Rebalance | None = setting("Servers that have just come, onto which data moves.", default=None)

    @model_validator(mode="after")
    def _parts_fit(self, info: ValidationInfo) -> Scenario:
        if self.workloads:
            self._many_fit(are_beside=not (info.context or {}).get(APART))
            return self
        if self.workload is None:
            raise refusal("workload", "missing: what is run", "write a table [workload], or tables [[workloads]]")
        _all_hold(self._growing_exist, self._comes_again, self._alone_fits)
        return self

    def _comes_again(self) -> None:
        if self.workload.every is not None and self.workload.goes_on:
            raise refusal("workload.every", "what goes on all the time does not come again", "remove it")

    def _alone_fits(self) -> None:
        groups = {**self.storage.server_groups(), **self.workload.server_groups()}
        _all_hold(*(partial(self._group_exists, name, key) for key, name in groups.items()))
        _all_hold(
            partial(self.storage.fits, self.cluster),
            *(partial(origin.fits, self.cluster) for origin in self.workload.origins()),
            self._output_fits,
            self._client_fits,
            self._places_exist,
            self._use_fits,
        )
        _all_hold(self._data_fits, self._growth_fits, self._failures_fit, self._rebalance_fits)

    def _many_fit(self, *, are_beside: bool) -> None:
        """Refuse workloads that do not fit the other parts, each as if it were alone, or do not fit each other."""
        if self.workload is not None and not isinstance(self.workload, Together):
            raise refusal("workload", "goes not with [[workloads]]", "remove one of them")
        if (count := len(self.workloads)) > MOST_WORKLOADS:
            way_out = "state those that are alike as one that comes again (every, arrivals or arrival_rate)"
            raise refusal("workloads", f"there are {count:,}, expected at most {MOST_WORKLOADS:,}", way_out)
        self.__dict__["workload"] = Together.model_construct(
            kind="together", entries=self.workloads, are_beside=are_beside
        )
        queues_exist = (partial(self._queue_exists, i) for i in range(len(self.workloads)))
        _all_hold(self._names_differ, self._growing_exist, *queues_exist)
        _all_hold(*(partial(self._entry_fits, entry, are_beside=are_beside) for entry in self.workloads))
        _all_hold(self._data_fits)

    def _names_differ(self) -> None:
        known = set[str]()
        for i, entry in enumerate(self.workloads):
            if entry.name in known:
                raise refusal(f"workloads.{i}.name", "another workload has this name", value=entry.name)
            known.add(entry.name)

    def _growing_exist(self) -> None:
        names = [entry.name for entry in self.workloads]
        for i, name in enumerate(self.growth.growing_workloads if self.growth is not None else ()):
            if name not in names:
                near = did_you_mean(name, names)
                hint = "" if names else "a single workload has none: state workload_grows = true"
                raise refusal(f"growth.growing_workloads.{i}", f"no workload has this name{near}", hint, value=name)

    def _queue_exists(self, number: int) -> None:
        entry = self.workloads[number]
        known = (self.scheduler or Scheduler()).names
        if entry.queue is not None and entry.queue not in known:
            near = did_you_mean(entry.queue, known) or f"; there are {', '.join(known)}"
            raise refusal(f"workloads.{number}.queue", f"the scheduler has no such queue{near}", value=entry.queue)

    def _entry_fits(self, entry: Scheduled, *, are_beside: bool) -> None:
        try:
            if are_beside:
                entry.check_beside()
            self.alone(entry.name)._alone_fits()
        except RefusalError as error:
            raise seen_as(error, entry.name) from None

    def each(self) -> dict[str, Scenario]:
        """Return the scenario with each of its many workloads alone, by name, or itself, by "", where it has one."""
        return {entry.name: self.alone(entry.name) for entry in self.workloads} or {"": self}

    def alone(self, name: str, *, is_whole: bool = False) -> Scenario:
        """Return the scenario with one of its many workloads as the only one, which then takes no samples if asked.

        Raises:
            KeyError: there is no such workload.
        """
        entry = {entry.name: entry for entry in self.workloads}[name]
        changed = {"workload": entry.whole() if is_whole else entry, "workloads": ()}
        growth = self.growth if self.growth is None else self.growth.of(name)
        return self.model_copy(update={**changed, "growth": growth})

    def only(self, names: Collection[str]) -> Scenario:
        """Return the scenario with some of its many workloads; with one of them it is as if there were no others."""
        kept = tuple(entry for entry in self.workloads if entry.name in names)
        if len(kept) == 1:
            return self.alone(kept[0].name)
        return self.with_entries(kept)

    def with_entries(self, entries: tuple[Scheduled, ...]) -> Scenario:
        """Return the scenario with other workloads beside each other, which are not checked."""
        together = Together.model_construct(kind="together", entries=entries)
        return self.model_copy(update={"workloads": entries, "workload": together})

    def capacity(self) -> dict[str, float]:
        """Return raw and usable bytes of the storage system, and the raw bytes that the run keeps there."""
        plan = capacity(self)
        pending = self._abandoned() * self.storage.raw_per_byte(self.cluster)
        return {"raw": plan.raw, "usable": plan.usable, "needed": plan.needed + pending}

    def _abandoned(self) -> float:
        """Return the bytes of uploads in the store that were never completed."""
        if not isinstance(self.client, S3aClient) or self.storage.interface != "objects":
            return 0.0
        return self.client.pending(self.storage.uploads_expire) * self.client.abandoned.size

    def _use_fits(self) -> None:
        self.workload.check_use(self.storage, self.client_of(self.storage), self.cluster)

    def _group_exists(self, name: str, key: str) -> None:
        if name not in self.cluster.groups:
            known = ", ".join(self.cluster.groups)
            raise refusal(key, f"the cluster has no such group (it has: {known})", value=name)

    def _output_fits(self) -> None:
        replicas = self.workload.stored(self.cluster)[2]
        if replicas is not None:
            self.storage.check_output(self.cluster, replicas)

    def client_of(self, storage: StorageSystem) -> Client | None:
        """Return the client through which the workload uses a storage system; None is a file system's own.

        It is the profile's where that speaks to such a system, otherwise what the workload brings, or the usual one.
        """
        for client in (self.client, self.workload.brought):
            if client is not None and storage.interface in client.speaks:
                return client
        return usual_client(storage, self.workload.stages_at)

    def _client_fits(self) -> None:
        ends = [self.storage, *self.workload.origins()]
        if self.client is not None and not any(storage.interface in self.client.speaks for storage in ends):
            text = f"speaks to a store of {' or '.join(self.client.speaks)}, and {self.storage.system!r} is one of"
            raise refusal(
                "client.connector", f"{text} {self.storage.interface}", "remove [client]", value=self.client.connector
            )

    def _places_exist(self) -> None:
        places = self.workload.places()
        if self.client is not None and not self.workload.only_reads:
            places |= named(self.client, "client", PLACE)
        if (brought := self.workload.brought) is not None and self.client_of(self.storage) is brought:
            places |= self.workload.brought_places()
        for group in self.workload.place_groups():
            for key, place in places.items():
                check_place(self.cluster, group, place, key)

    def _failures_fit(self) -> None:
        failures = self.failures
        if failures is None:
            return
        failures.fits(self.cluster)
        if failures.is_in_run:
            self.workload.check_faults(self.storage, failures, self.cluster)

    def _data_fits(self) -> None:
        held = self.capacity()
        raw, needed = held["raw"], held["needed"]
        if needed > raw and not self.workload.is_only_kept:
            raise refusal(
                "workload",
                f"the data needs {format(needed, 'B')} of raw capacity, storage.servers has {format(raw, 'B')}",
                "add drives or servers, or lower the data, the replicas or the parity",
            )

    def _rebalance_fits(self) -> None:
        """Refuse servers that have just come where no data moves, or where too few were there before."""
        rebalance, storage = self.rebalance, self.storage
        if rebalance is None:
            return
        if not storage.rebalances or storage.home is None:
            text = "data of such a store does not move onto servers that come: they fill as data comes"
            raise refusal("rebalance", f"{text} (system {storage.system!r})", "leave it out")
        if self.failures is not None and self.failures.is_in_run:
            text = "failures of a run during a rebalance are not modelled"
            raise refusal("rebalance", text, "leave out one of [rebalance] and the faults of [failures]")
        group = storage.home[0]
        if rebalance.servers >= (count := self.cluster.groups[group].count):
            text = f"must be fewer than the {count} servers of group {group!r}"
            raise refusal("rebalance.servers", text, "some held the data before", value=rebalance.servers)
        try:
            storage.fits(before(self.cluster, group, rebalance.servers))
        except RefusalError as error:
            raise refusal("rebalance.servers", f"without them: {error.reasons[0].expected}") from None

    def fresh(self) -> dict[str, int]:
        """Return how many servers of a group have just come and hold nothing yet."""
        home = self.storage.home
        return {} if self.rebalance is None or home is None else {home[0]: self.rebalance.servers}

    def growing_group(self) -> str:
        """Return the group that grows when an expansion names none: that of the storage servers, or the first."""
        return self.storage.server_groups().get("storage.servers", next(iter(self.cluster.groups)))

    def _growth_fits(self) -> None:
        if self.growth is None:
            return
        for i, expansion in enumerate(self.growth.expansions):
            self._group_exists(expansion.group or self.growing_group(), f"growth.expansions.{i}.group")
        try:
            for _, cluster in later_clusters(self.cluster, self.growth, self.growing_group()):
                self.storage.fits(cluster)
        except RefusalError as error:
            raise refusal("growth.expansions", str(error)) from None


def _all_hold(*checks: Callable[[], None]) -> None:
    """Make all checks, none of which rests on another.

    Raises:
        RefusalError: with the reasons of all that do not hold.
    """
    refused: list[Reason] = []
    for check in checks:
        try:
            check()
        except RefusalError as error:
            refused += error.reasons
    if refused:
        raise RefusalError(*dict.fromkeys(refused))
