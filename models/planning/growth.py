"""How data and cluster grow: the data at a date, the cluster at a date, and the day on which it is full.

    stock(t) = stored x (1 + annual_growth)^t
    kept(t)  = the ingest of the last `retention`, at most since the start; ingest(t) = ingest x (1 + ingest_growth)^t

t is in years of 365 days, the year in which rates and prices are quoted. The data that was there at the start is not
deleted by the retention. Dates are data: nothing here asks what day it is. HDFS fills unequal servers by their free
space once the balancer has run; MinIO takes later servers as a pool with sets of its own; StorageGRID places by free
space.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import MAXYEAR, date, timedelta
from itertools import groupby
from typing import Annotated, Any, Protocol, TypeVar

from pydantic import AfterValidator, BeforeValidator, model_validator

from models.hardware.cluster import Batch, Cluster
from models.hardware.server import Server
from models.jobs.together import APART
from models.planning.capacity import CLOSE, CapacityPlan, capacity, on_cluster
from models.planning.stock import Stocked
from models.problem import refusal
from models.quantity import LARGEST, LEAST, Model, Quantity, checked, part, quantity, setting
from models.units import DAY, YEAR
from models.values import value

DAYS_A_YEAR = YEAR / DAY
MOST_MONTHS = 600
"""Assumption: nobody plans further ahead than fifty years."""
MOST_EXPANSIONS = MOST_MONTHS
"""One a month."""
LEAD_TIME: Any = quantity(
    "s", "Time from an order until servers stand. Assumption: 30 to 180 d.", default=90 * DAY, ge=0
)
"""The field of [growth], which a plan's requirements have, too."""

TOGETHER = 4
"""Days for which targets are asked at once, whatever the number of processes: the same everywhere. Assumption: keeps up
to four cores busy."""


def read_day(value: Any) -> Any:
    """Return text as a date; anything else as it is, for pydantic to judge.

    Raises:
        RefusalError: the text is no date.
    """
    if not isinstance(value, str):
        return value
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise refusal("", "expected a date such as '2027-01-31'", value=value) from None


def _planned(day: date) -> date:
    """Return a day from which months can be counted.

    Raises:
        RefusalError: the longest table would end beyond all dates.
    """
    last = MAXYEAR - MOST_MONTHS // 12 - 1
    if day.year > last:
        raise refusal("", f"must be no later than the year {last}", value=day)
    return day


Day = Annotated[date, BeforeValidator(read_day), AfterValidator(_planned)]


class Expansion(Model):
    """Servers that are added on a date."""

    date: Day = setting("Day from which they hold data, as year-month-day.")
    servers: int = setting("Number of servers that are added.", ge=1)
    server: Server | None = part("hardware/servers", "Their kind; default: that of the group.", default=None)
    group: str | None = setting("Server group that grows; default: that of the storage system.", default=None)


class Growth(Model):
    """How the stored data grows from a date on, and when servers are added."""

    start: Day = setting("Day at which the data is as stated, as year-month-day.")
    stored: Quantity | None = quantity(
        "B", "Data stored at the start, counted once; default: what the workload keeps.", default=None, ge=0
    )
    annual_growth: Quantity = quantity("1", "Part by which that data grows in a year, compound.", default=0.0, gt=-1)
    ingest: Quantity = quantity("B/s", "Further data that comes in.", default=0.0, ge=0, examples=["2 TB/d"])
    ingest_growth: Quantity = quantity("1", "Part by which the ingest grows in a year.", default=0.0, gt=-1)
    retention: Quantity = quantity(
        "s", "Time after which ingested data is deleted; default: never.", default=math.inf, gt=0, examples=["90 d"]
    )
    months: int = setting("Months that the table covers.", default=60, ge=1, le=MOST_MONTHS)
    workload_grows: bool = setting(
        "Whether the data of the job, of a load its requests a second, grows as the stored data does.", default=False
    )
    growing_workloads: tuple[str, ...] = setting(
        "Names of those of many workloads whose data grows so, where not that of all does.", default=()
    )
    expansions: tuple[Expansion, ...] = setting("Servers that are added, by date.", default=())
    lead_time: Quantity = LEAD_TIME

    @model_validator(mode="after")
    def _expansions_follow_the_start(self) -> Growth:
        if (count := len(self.expansions)) > MOST_EXPANSIONS:
            way_out = "state those of a month as one"
            raise refusal("expansions", f"there are {count:,}, expected at most {MOST_EXPANSIONS}", way_out)
        for i, expansion in enumerate(self.expansions):
            if expansion.date <= self.start:
                raise refusal(
                    f"expansions.{i}.date",
                    f"must be after start = {self.start}",
                    "servers that are there at the start belong to the cluster",
                    value=expansion.date,
                )
        return self

    def of(self, name: str) -> Growth:
        """Return it for one of many workloads alone."""
        if not self.growing_workloads:
            return self
        is_growing = self.workload_grows or name in self.growing_workloads
        return self.model_copy(update={"workload_grows": is_growing, "growing_workloads": ()})

    def data_at(self, day: date, stored: float) -> float:
        """Return the bytes stored on a day, from `stored` bytes at the start.

        Raises:
            RefusalError: it is more than can be told, or all has vanished.
        """
        return self.data_after(self.years_until(day), stored)

    def data_after(self, years: float, stored: float) -> float:
        """Return the bytes stored after so many years, from `stored` bytes at the start.

        Raises:
            RefusalError: it is more than can be told, or all has vanished.
        """
        try:
            data = stored * math.exp(years * math.log1p(self.annual_growth)) + self._ingested(years)
        except OverflowError:
            data = math.inf
        if data > LARGEST:
            what = f"comes to more than {LARGEST:g} B within {years:.3g} years"
            raise refusal("growth", what, "state less annual_growth or ingest_growth, or fewer months")
        if stored and data < LEAST:
            raise refusal("growth", f"comes to nothing within {years:.3g} years", "let less vanish, or fewer months")
        return data

    def end(self) -> date:
        """Return the last day of the table."""
        return add_months(self.start, self.months)

    def years_until(self, day: date) -> float:
        """Return the years from the start until a day."""
        return (day - self.start).days / DAYS_A_YEAR

    def _ingested(self, years: float) -> float:
        """Return the bytes that came in during the last `retention` of the first `years`."""
        since = max(years - self.retention / YEAR, 0.0)
        rate = math.log1p(self.ingest_growth)
        if abs(rate) < 1e-9:
            return self.ingest * YEAR * (years - since)
        return self.ingest * YEAR * (math.exp(rate * years) - math.exp(rate * since)) / rate


@value()
class AddedServers:
    """Servers of one kind that a group gets on a day, `after` so many years."""

    group: str
    server: Server
    count: int
    day: date
    after: float


def added_servers(cluster: Cluster, growth: Growth, growing: str) -> Iterator[AddedServers]:
    """Yield the servers that are added, by date; those of an expansion that names no group go to `growing`."""
    for expansion in sorted(growth.expansions, key=lambda expansion: expansion.date):
        group = expansion.group or growing
        server = expansion.server or cluster.groups[group].server
        yield AddedServers(group, server, expansion.servers, expansion.date, growth.years_until(expansion.date))


class Growing(Stocked, Protocol):
    """What growth asks of a scenario."""

    @property
    def growth(self) -> Growth | None:
        """How its data and its cluster grow."""
        ...

    def growing_group(self) -> str:
        """Return the group that grows when an expansion names none."""
        ...


S = TypeVar("S", bound=Growing)


@value()
class Month:
    """The cluster on the day of a month: servers, what it may hold and what is stored (B), and how full it is."""

    day: date
    servers: int
    raw: float
    effective: float
    stored: float

    @property
    def fill(self) -> float:
        """Part of what may be held that is stored; above 1 it is too full."""
        return self.stored / self.effective if self.effective else math.inf


@value()
class Missed:
    """The first day on which a target is missed, and why."""

    day: date
    cause: str


@value(kw_only=True)
class GrowthPlan:
    """How a scenario fills; `full` is the first day on which the data exceeds what may be held, None if never."""

    months: tuple[Month, ...]
    full: Missed | None


def growth_of(scenario: Growing) -> Growth:
    """Return the growth that a scenario states.

    Raises:
        RefusalError: it states none.
    """
    if scenario.growth is None:
        raise refusal("growth", "missing", 'add a [growth] table with start = "2027-01-01"')
    return scenario.growth


def stored_at_start(scenario: Growing) -> float:
    """Return the data (B) stored when the growth begins."""
    stated = growth_of(scenario).stored
    if stated is not None:
        return stated
    given, made, _ = scenario.workload.stored(scenario.cluster)
    return float(given + made)


def data_at(scenario: Growing, day: date) -> float:
    """Return the data (B) stored on a day, counted once and before compression."""
    return growth_of(scenario).data_at(day, stored_at_start(scenario))


def cluster_at(scenario: Growing, day: date) -> Cluster:
    """Return the cluster with the servers that have been added by a day."""
    groups = dict(scenario.cluster.groups)
    more = defaultdict[str, list[Batch]](list)
    for added in added_servers(scenario.cluster, growth_of(scenario), scenario.growing_group()):
        if added.day <= day:
            more[added.group].append(Batch.model_construct(server=added.server, count=added.count))
    for name, batches in more.items():  # at once: a copy for each batch takes the square of their number
        group = groups[name]
        count = group.count + sum(batch.count for batch in batches)
        groups[name] = group.model_copy(update={"count": count, "later": (*group.later, *batches)})
    return scenario.cluster.model_copy(update={"groups": groups})


def later_clusters(cluster: Cluster, growth: Growth, growing: str) -> Iterator[tuple[date, Cluster]]:
    """Yield each day on which servers are added, and the cluster after it."""
    for day, servers in groupby(added_servers(cluster, growth, growing), key=lambda one: one.day):
        for one in servers:
            group = cluster.groups[one.group].with_more(one.count, one.server)
            cluster = cluster.model_copy(update={"groups": {**cluster.groups, one.group: group}})
        yield day, cluster


def scenario_at(scenario: S, day: date) -> S:
    """Return the scenario as it stands on a day: the servers added by then, and the data that is only stored.

    The data of jobs grows in proportion where `growth.workload_grows` or `growth.growing_workloads` says so. The
    scenario returned states no growth.

    Raises:
        RefusalError: the job's kind has no single size that could grow, or the parts do not fit each other.
    """
    start, growth = stored_at_start(scenario), growth_of(scenario)
    workload: Any = scenario.workload
    if workload.is_only_kept:
        workload = workload.model_copy(update={"data": data_at(scenario, day)})
    elif growth.workload_grows and start:
        workload = workload.grown(data_at(scenario, day) / start)
    elif growth.growing_workloads and start:
        workload = workload.some_grown(data_at(scenario, day) / start, growth.growing_workloads)
    kind: Any = type(scenario)  # a model, of which the protocol says nothing
    stated = {name: getattr(scenario, name) for name in kind.model_fields}
    stated |= {"cluster": cluster_at(scenario, day), "growth": None}
    with checked():
        if stated.get("workloads"):
            del stated["workload"]  # which follows from them
            context = {APART: not workload.are_beside}
            later: S = kind.model_validate(stated | {"workloads": workload.entries}, context=context)
        else:
            later = kind(**stated | {"workload": workload})
    return later


def grow(scenario: Growing) -> GrowthPlan:
    """Return how a scenario fills from month to month.

    Raises:
        RefusalError: it states no growth.
    """
    growth = growth_of(scenario)
    days = [add_months(growth.start, month) for month in range(growth.months + 1)]
    plans = _Plans(scenario)
    months = tuple(_month(scenario, plans, day) for day in days)
    return GrowthPlan(months=months, full=_full(scenario, plans))


def first_missed(scenario: S, missed: Callable[[Sequence[tuple[date, S]]], Sequence[str | None]]) -> Missed | None:
    """Return the first day on which the cluster is too full or `missed` names a cause for the scenario of that day.

    `missed` is asked for the first day of each month of the table and the day of each expansion, in their order, some
    days at once, up to the day on which the cluster is full. It may simulate.

    Raises:
        RefusalError: the scenario states no growth, or that of a day cannot be built.
    """
    growth, full = growth_of(scenario), _full(scenario, _Plans(scenario))
    dates = {add_months(growth.start, month) for month in range(growth.months + 1)}
    dates |= {expansion.date for expansion in growth.expansions if expansion.date <= growth.end()}
    days = [day for day in sorted(dates) if full is None or day < full.day]
    for i in range(0, len(days), TOGETHER):
        asked = [(day, scenario_at(scenario, day)) for day in days[i : i + TOGETHER]]
        for (day, _), cause in zip(asked, missed(asked), strict=True):
            if cause:
                return Missed(day, cause)
    return full


class _Plans:
    """What the cluster holds on a day, calculated once between two expansions."""

    def __init__(self, scenario: Growing) -> None:
        self._scenario = scenario
        self._dates = sorted(expansion.date for expansion in growth_of(scenario).expansions)
        self._known: dict[int, CapacityPlan] = {}

    def at(self, day: date) -> CapacityPlan:
        """Return what the cluster of a day holds."""
        added = bisect_right(self._dates, day)
        if added not in self._known:
            self._known[added] = capacity(on_cluster(self._scenario, cluster_at(self._scenario, day)))
        return self._known[added]


def _month(scenario: Growing, plans: _Plans, day: date) -> Month:
    plan = plans.at(day)
    batches = scenario.storage.batches(cluster_at(scenario, day))
    servers = sum(batch.servers for batch in batches)
    return Month(day, servers, plan.raw, plan.effective, data_at(scenario, day))


def _full(scenario: Growing, plans: _Plans) -> Missed | None:
    growth, start = growth_of(scenario), stored_at_start(scenario)
    for day in _days(growth.start, growth.end()):
        plan = plans.at(day)
        if growth.data_at(day, start) > plan.effective * (1 + CLOSE):
            return Missed(day, plan.limit)
    return None


def _days(first: date, last: date) -> Iterator[date]:
    for offset in range((last - first).days + 1):
        yield first + timedelta(days=offset)


def add_months(day: date, months: int) -> date:
    """Return the same day some months later, or the last one of a shorter month."""
    index = day.month - 1 + months
    year, month = day.year + index // 12, index % 12 + 1
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    return date(year, month, min(day.day, last.day))
