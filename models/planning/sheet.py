"""What a customer requires, and the candidates that may meet it: the two halves of a plan.

Both are written as the customer says them; a candidate becomes a profile for each of its counts (profiles/plans).
Parts are named, or stated as tables, as in a profile; they are read with that profile.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, TypeAlias

from pydantic import ConfigDict, model_validator

from models import units
from models.planning.grid import axis, numbered
from models.planning.growth import LEAD_TIME, Day, Growth, add_months
from models.problem import RefusalError, did_you_mean, refusal
from models.quantity import Model, Quantity, part, quantity, setting
from models.storage.protection import protection
from models.target import Target, plain, target
from models.units import DAY

PartText: TypeAlias = str | dict[str, Any]
"""A part by its name, or as a table."""
ROOM = "effective"
"""The measure of what data has to find room."""
MOST_GROWTH = 10.0
"""Growth a year beyond which nothing is planned. Assumption: nobody plans for more; 30 is 30 % without its sign."""
MONTHS = 12
EXACT = 12
"""Digits of a limit, as it was stated."""
MOMENTS = 3
"""Moments of a repair at which requests are measured: begin, middle and end. Assumption: latencies lie between them."""
_NAME = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
_FAILURES = re.compile(r"\s*(\d{1,9})\s+(drive|server|rack)s?\s*")
DOWN = "expected failures such as '1 server', '2 drives' or '1 rack'"


@dataclass(frozen=True, slots=True)
class Required:
    """One thing that has to be met, in words and as a target.

    `workload` is whose run tells; `is_limit`: more servers make it worse.
    """

    words: str
    target: Target
    workload: str = ""
    is_limit: bool = False


class Demand(Model):
    """A job or a load of requests, with what is demanded of it; its other keys are those of a profile's workload."""

    model_config = ConfigDict(extra="allow")

    name: str = setting("Name of the workload, once in the plan.")
    deadline: Quantity | None = quantity(
        "s", "Time within which each run has to end; default: none.", default=None, gt=0
    )
    objectives: tuple[str, ...] = setting(
        "What is expected of each run, or of its requests.", default=(), examples=["GET latency p99 <= 50 ms"]
    )
    every: Quantity | None = quantity("s", "Period in which it runs again.", default=None, gt=0)
    grows: bool = setting(
        "Whether its data, of a load its requests a second, grows as the stored data does.", default=False
    )
    beside: tuple[str, ...] = setting(
        "Workloads that run at the same time; default: it has the cluster alone.", default=()
    )

    @model_validator(mode="after")
    def _is_named(self) -> Demand:
        if not _NAME.fullmatch(self.name):
            raise refusal("name", "expected letters, digits, - and _, a letter first", value=self.name)
        for i, text in enumerate(self.objectives):
            try:
                target(text)
            except RefusalError as error:
                raise refusal(f"objectives.{i}", f"{error}") from None
        return self

    @property
    def stated(self) -> dict[str, Any]:
        """The keys of the workload itself, as a profile states them."""
        return dict(self.model_extra or {})

    def required(self) -> Iterator[Required]:
        """Yield what is demanded; measures carry the workload's name in front."""
        if self.deadline is not None:
            deadline = Target(plain(f"{self.name}.duration"), "<=", _time(self.deadline))
            yield Required(f"{self.name} is done in time", deadline, self.name)
        for text in self.objectives:
            asked = target(text)
            measured = Target(plain(f"{self.name}.{asked.measure}"), asked.sense, asked.limit)
            yield Required(f"{self.name}: {text.partition(asked.sense)[0].strip()}", measured, self.name)


class Requirements(Model):
    """What has to be met, over the whole horizon: on the day on which most is stored."""

    start: Day = setting("Day on which operation begins, as year-month-day.")
    years: float = setting("Years that the plan covers.", default=3.0, gt=0, le=20)
    stored: Quantity | None = quantity("B", "Data at the start, counted once.", default=None, gt=0, examples=["2 PB"])
    annual_growth: Quantity = quantity("1", "Part by which that data grows in a year, compound.", default=0.0, gt=-1)
    ingest: Quantity = quantity("B/s", "Further data that comes in.", default=0.0, ge=0, examples=["2 TB/d"])
    ingest_growth: Quantity = quantity("1", "Part by which the ingest grows in a year, compound.", default=0.0, ge=0)
    retention: Quantity = quantity(
        "s", "Time after which ingested data is deleted; default: never.", default=math.inf, gt=0, examples=["90 d"]
    )
    lead_time: Quantity = LEAD_TIME
    survives_reading: str | None = setting(
        "Failures after which all data can still be read.", default=None, examples=["2 servers"]
    )
    survives_writing: str | None = setting(
        "Failures after which new data can still be written, too.", default=None, examples=["1 server"]
    )
    while_degraded: str | None = setting(
        "What is down while deadlines and objectives are met; default: nothing.", default=None, examples=["1 drive"]
    )
    durability: float | None = setting("Nines of an object's durability over a year.", default=None, gt=0)
    budget: str | None = setting(
        "Most that all years together may cost, with its currency.", default=None, examples=["1.5 M USD"]
    )
    power: Quantity | None = quantity("W", "Most power, with the building's share.", default=None, gt=0)
    rack_units: float | None = setting("Most rack units.", default=None, gt=0)
    carbon: Quantity | None = quantity(
        "kg", "Most CO2 in a year, by the price list's grams a kWh.", default=None, gt=0, examples=["40 t"]
    )
    confidence: Quantity = quantity(
        "1",
        "Part of the cases in which all but limits has to be met; 0: in the likely one.",
        default=0.0,
        ge=0,
        lt=1,
    )
    clients: PartText = part(
        "hardware/servers",
        "Machines of the customer that send requests; they are there and cost nothing.",
        default="nvme-100gbe",
    )
    client_count: int = setting("How many of these there are. Assumption: 4 to 16.", default=8, ge=1)
    workloads: tuple[Demand, ...] = setting("Jobs and loads of requests, with what is demanded of them.", default=())

    @model_validator(mode="after")
    def _texts_can_be_read(self) -> Requirements:
        for key in ("survives_reading", "survives_writing", "while_degraded"):
            text = getattr(self, key)
            if text is not None and not _FAILURES.fullmatch(text):
                raise refusal(key, DOWN, value=text)
        for key in ("annual_growth", "ingest_growth"):
            if (growth := getattr(self, key)) > MOST_GROWTH:
                expected = f"expected at most '{100 * MOST_GROWTH:g} %', such as '30 %'"
                raise refusal(key, expected, value=growth)
        if self.budget is not None and self.currency is None:
            expected = f"expected an amount in {units.either(units.CURRENCIES)}, such as '1.5 M USD'"
            raise refusal("budget", expected, value=self.budget)
        return self

    @model_validator(mode="after")
    def _workloads_fit(self) -> Requirements:
        names = [workload.name for workload in self.workloads]
        for i, demand in enumerate(self.workloads):
            if demand.name in names[:i]:
                raise refusal(f"workloads.{i}.name", "another workload has this name", value=demand.name)
            for other in demand.beside:
                if other not in names or other == demand.name:
                    near = did_you_mean(other, names) or f"; there are {', '.join(names)}"
                    raise refusal(
                        f"workloads.{i}.beside", f"there is no other workload of this name{near}", value=other
                    )
            if demand.grows and self.stored is None:
                raise refusal(f"workloads.{i}.grows", "what it grows with is not known", 'state stored = "2 PB"')
        return self

    @property
    def currency(self) -> str | None:
        """The currency of the budget, in which costs are told; None without a budget."""
        for currency in units.CURRENCIES if self.budget is not None else ():
            with suppress(RefusalError):
                if units.parse(self.budget or "", currency) > 0:
                    return currency
        return None

    @property
    def months(self) -> int:
        """The months that the plan covers."""
        return max(round(self.years * MONTHS), 1)

    @property
    def end(self) -> Day:
        """The last day of the plan."""
        return add_months(self.start, self.months)

    @property
    def fullest(self) -> Day:
        """The day on which most is stored: the last one, but where data vanishes.

        Then data falls, rises by what comes in until the first of that is deleted, and falls on.
        """
        days = [self.end]
        if self.annual_growth < 0:
            deleted = math.ceil(self.retention / DAY) if self.retention < (self.end - self.start).days * DAY else 0
            days += [self.start + timedelta(days=deleted), self.start]
        return max(days, key=self.stored_at)

    def growth(self) -> Growth | None:
        """Return how the data grows; None where none is stated."""
        if self.stored is None and not self.ingest:
            return None
        stated: dict[str, Any] = {} if math.isinf(self.retention) else {"retention": self.retention}
        return Growth(
            start=self.start,
            stored=self.stored or 0.0,
            annual_growth=self.annual_growth,
            ingest=self.ingest,
            ingest_growth=self.ingest_growth,
            months=self.months,
            lead_time=self.lead_time,
            **stated,
        )

    def stored_at(self, day: Day) -> float:
        """Return the data (B) on a day, counted once; 0 where none is stated."""
        growth = self.growth()
        return growth.data_at(day, self.stored or 0.0) if growth is not None else 0.0

    def grown(self, day: Day) -> float:
        """Return how many times the data of the start that on a day is, which jobs that grow follow."""
        return self.stored_at(day) / self.stored if self.stored else 1.0

    def down(self) -> tuple[int, str]:
        """Return how many parts of which kind are down while deadlines are met; none is (0, "")."""
        match = _FAILURES.fullmatch(self.while_degraded or "")
        return (int(match[1]), match[2]) if match else (0, "")

    def required(self) -> Iterator[Required]:
        """Yield all that has to be met: by the cluster as such first, then by each workload, then the limits."""
        if stored := self.stored_at(self.fullest):
            yield Required(f"Room on {self.fullest}", Target(ROOM, ">=", units.format(stored, "B", EXACT)))
        for key, word in (("survives_reading", "read"), ("survives_writing", "written")):
            if text := getattr(self, key):
                yield Required(f"Any {text} may fail, data is {word}", target(f"{key} {text}"))
        if self.durability is not None:
            yield Required("Nines of an object over a year", Target("durability", ">=", f"{self.durability:g}"))
        down = f" with {self.while_degraded} down" if self.while_degraded else ""
        for demand in self.workloads:
            yield from (replace(need, words=need.words + down) for need in demand.required())
        if self.budget is not None:
            yield Required(
                f"Cost of {numbered(f'{self.years:g}', 'years')}", Target(self.cost, "<=", self.budget), is_limit=True
            )
        if self.power is not None:
            yield Required("Power", Target("power", "<=", units.format(self.power, "W", EXACT)), is_limit=True)
        if self.rack_units is not None:
            yield Required(
                "Rack units", Target("rack_units", "<=", units.format(self.rack_units, "1", EXACT)), is_limit=True
            )
        if self.carbon is not None:
            yield Required(
                "CO2 a year", Target("carbon_per_year", "<=", units.format(self.carbon, "kg", EXACT)), is_limit=True
            )

    @property
    def has_limits(self) -> bool:
        """Whether there is something that more servers make worse, such as a budget."""
        return any(need.is_limit for need in self.required())

    @property
    def all_but_limits(self) -> str:
        """All that more servers may meet, in words."""
        return "all but the limits" if self.has_limits else "every requirement"

    @property
    def cost(self) -> str:
        """The measure of what all years together cost."""
        return plain(f"cost over {self.years:g} years")

    def only(self, names: Collection[str]) -> Requirements:
        """Return them with some of the workloads alone, beside each other as before."""
        if len(kept := [demand for demand in self.workloads if demand.name in names]) == len(self.workloads):
            return self
        beside = {demand.name: tuple(other for other in demand.beside if other in names) for demand in kept}
        fewer = tuple(demand.model_copy(update={"beside": beside[demand.name]}) for demand in kept)
        return self.model_copy(update={"workloads": fewer})

    def runs(self) -> tuple[tuple[Demand, ...], ...]:
        """Return the workloads by the runs in which they meet each other: those beside each other in one."""
        left, runs = list(self.workloads), []
        while left:
            together = [left.pop(0)]
            while more := [demand for demand in left if any(_are_beside(demand, other) for other in together)]:
                together += more
                left = [demand for demand in left if demand not in more]
            runs.append(tuple(workload for workload in self.workloads if workload in together))
        return tuple(runs)


def _time(seconds: float) -> str:
    """Return a time in the largest unit of which it is a whole number."""
    scales = {unit: units.parse(f"1 {unit}", "s") for unit in ("d", "h", "min")}
    unit = next((unit for unit, scale in scales.items() if seconds % scale == 0), "s")
    return f"{seconds / scales.get(unit, 1.0):.12g} {unit}"


def _are_beside(one: Demand, other: Demand) -> bool:
    return one.name in other.beside or other.name in one.beside


COUNTS = ("count", "compute_count")
COUNT = re.compile(r"[1-9]\d{0,6}", re.ASCII)
EXPECTED = "expected whole numbers from 1 to 9,999,999, the most that are simulated, such as 6..48:2"
"""A value of these keys."""


ABSENT = "absent"
"""Key of a candidate's workload that says that it does without it."""


class Candidate(Model):
    """A storage system on servers of one kind, in some numbers: a profile for each of them."""

    storage: PartText = part("storage", "Storage system.")
    protection: str | None = setting(
        "How data is kept through failures; default: as the storage system says.", default=None, examples=["EC 4+2"]
    )
    servers: PartText | None = part(
        "hardware/servers", "Servers that hold the data; a store that is rented needs none.", default=None
    )
    count: str | None = setting("How many of them, as `--vary` takes values.", default=None, examples=["6..48:2"])
    owned: int = setting("How many of these are there already and are not bought.", default=0, ge=0)
    compute: PartText | None = part(
        "hardware/servers", "Servers that run the jobs; default: those that hold the data.", default=None
    )
    compute_count: str = setting("How many of these, as `--vary` takes values.", default="8", examples=["4..16:4"])
    framework: PartText | None = part(
        "frameworks", "What runs MapReduce jobs; default: a container a hardware thread.", default=None
    )
    network: dict[str, Any] = setting("Network, as [cluster.network] states it.", default={})
    client: PartText | None = part("clients", "Client of an object store; default: the usual one.", default=None)
    planning: PartText | None = part("planning", "Operating rules; default: the usual ones.", default=None)
    failures: PartText | None = part("failures", "What breaks; default: usual rates of its drives.", default=None)
    prices: PartText | None = part("prices", "Price list; default: that of the plan.", default=None)
    workloads: dict[str, dict[str, Any]] = setting(
        "What is otherwise of workloads where they run on it, by name: keys of theirs, or `absent = true` of one that"
        " it does without.",
        default={},
    )
    vary: dict[str, str] = setting("Further keys of its profile with their values, as `--vary` takes them.", default={})
    set: dict[str, str] = setting("Further keys of its profile, as `--set` takes them.", default={})

    @model_validator(mode="after")
    def _texts_can_be_read(self) -> Candidate:
        if (self.servers is None) != (self.count is None):
            missing = "servers" if self.servers is None else "count"
            raise refusal(missing, "missing: servers and their count stand together", "state it, or neither")
        if self.owned and self.servers is None:
            raise refusal("owned", "of which servers?", "state servers and count, too", value=self.owned)
        texts = {"compute_count": self.compute_count} | ({"count": self.count} if self.count is not None else {})
        texts |= {f'vary."{key}"': text for key, text in self.vary.items()}
        for key, text in texts.items():
            try:
                values = axis(key, text).values
                if wrong := next((value for value in values if key in COUNTS and not COUNT.fullmatch(value)), None):
                    raise refusal("", EXPECTED, value=wrong)
            except RefusalError as error:
                raise refusal(key.partition(".")[0], f"{error}") from None
        if self.protection is not None:
            try:
                protection(self.protection)
            except RefusalError as error:
                raise refusal("protection", f"{error}") from None
        return self

    @model_validator(mode="after")
    def _workloads_are_otherwise(self) -> Candidate:
        for name, keys in self.workloads.items():
            for key in keys:
                if key in Demand.model_fields:
                    reason = "what is asked of a workload is the same for all candidates"
                    raise refusal(f"workloads.{name}.{key}", reason, "state it in requirements.workloads")
            if ABSENT in keys and (keys[ABSENT] is not True or len(keys) > 1):
                raise refusal(f"workloads.{name}", "expected `absent = true` alone, or keys of the workload")
        return self

    @property
    def absent(self) -> frozenset[str]:
        """The workloads that it does without."""
        return frozenset(name for name, keys in self.workloads.items() if ABSENT in keys)
