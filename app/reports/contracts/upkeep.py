"""The contract of upkeep: repair policies and calendars of maintenance."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from app.reports.contracts.common import Number, Toml
from app.reports.contracts.planning import RepairTime


class Policy(TypedDict):
    """A contract with values of keys; `cost_per_year` is null where something has no price."""

    name: str
    contract: str
    replacement_s: float
    spares: int
    values: dict[str, str]
    repair_s: RepairTime
    object_nines: Number
    mttdl_s: Number
    effective: Number
    cost_per_year: Number
    currency: str


class Calendar(TypedDict):
    """Maintenance with so many servers at once; `degraded` is a part of the year, `unreadable` a chance over it."""

    name: str
    times_a_year: float
    server_s: float
    together: int
    rounds: int
    length_s: float
    degraded: float
    survives_servers: int
    unreadable: float


class Degraded(TypedDict):
    """What leads a run on the whole cluster, and while a server is down."""

    values: dict[str, str]
    measure: str
    unit: str
    whole: float
    down: float


class Upkeep(TypedDict):
    """Repair policies and maintenance; `best` is the cheapest policy with the nines that were asked for."""

    schema: Literal["headroom.upkeep/2"]
    title: str
    profile: str
    settings: dict[str, str]
    seed: int
    version: str
    nines: Number
    best: str | None
    policies: list[Policy]
    keep: int
    pieces: int
    spare: int
    islands: int
    calendars: list[Calendar]
    degraded: list[Degraded]
    resolved: Toml
