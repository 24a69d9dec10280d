"""The contracts of what is bought: bills of materials, and purchases over time."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from app.reports.contracts.common import Number, Toml
from app.reports.contracts.planning import Moving


class Material(TypedDict):
    """Equal things to buy: `count` in use and `spares`, less those `there`; `price` of one, null for none."""

    group: str
    kind: str
    name: str
    count: float
    spares: int
    there: float
    price: Number
    power_w: float


class Slot(TypedDict):
    """What stands in a rack from unit `first`, counted from 1 at the bottom."""

    first: int
    height: int
    name: str
    group: str


class Rack(TypedDict):
    """A rack; `power_w` is at work, `feeds` counts both sides."""

    name: str
    height: int
    power_w: float
    feeds: int
    slots: list[Slot]


class Bill(TypedDict):
    """What has to be bought for a cluster; the sums are null where something has no price."""

    schema: Literal["headroom.bill/1"]
    title: str
    profile: str
    settings: dict[str, str]
    version: str
    currency: str
    listed: Number
    paid: Number
    unpriced: list[str]
    notes: list[str]
    set_up: dict[str, str]
    power_w: float
    materials: list[Material]
    leaves: int
    spines: int
    uplinks: int
    racks: list[Rack]
    resolved: Toml


class Quarter(TypedDict):
    """What comes at the start of a quarter, and how many servers there are and are needed then."""

    date: str
    order_by: str | None
    bought: int
    written_off: int
    servers: int
    needed: int
    cause: str
    paid: float
    spread_s: float
    rebalance: Moving | None


class Purchase(TypedDict):
    """What to buy when; `present` is the net present cost, `at_once` that of buying all at the start.

    `beside` is the net present cost of what they need beside them and of all that does not grow; it comes on top. Where
    it was stopped so many quarters are `left` at the end that are not known.
    """

    schema: Literal["headroom.purchase/1"]
    title: str
    profile: str
    settings: dict[str, str]
    seed: int
    version: str
    targets: list[str]
    lot: int
    lead_days: float
    simulated: int
    left: int
    currency: str
    years: float
    initial: int
    present: float
    paid: float
    at_once: float
    beside: float
    quarters: list[Quarter]
    resolved: Toml


class PriceList(TypedDict):
    """What a profile costs by a list; the sums are null where it has no price for something."""

    name: str
    date: str
    capital: Number
    over_years: Number
    present_over_years: Number
    unpriced: list[str]


class Offers(TypedDict):
    """What a profile costs by several price lists, over the years of the first, the cheapest first."""

    schema: Literal["headroom.offers/1"]
    profile: str
    currency: str
    years: float
    lists: list[PriceList]


class PlanOffer(TypedDict):
    """What a candidate of a plan comes to with a price list; `cost` is of its best option, or of the nearest."""

    name: str
    candidate: str
    is_feasible: bool
    cost: Number
    met: list[str]
    missed: list[str]


class PlanOffers(TypedDict):
    """What a plan comes to by several price lists, the cheapest that meets all first."""

    schema: Literal["headroom.plan-offers/1"]
    title: str
    objective: str
    unit: str
    offers: list[PlanOffer]
