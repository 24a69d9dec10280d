"""Upkeep: what a technician's contract and a calendar of maintenance do to how well data survives and can be read.

A piece of an object is down while its drive or server has failed and is not yet healed, and its server also while it is
maintained. An object can be read while no more pieces are down than it spares:

    P(unreadable) = P(more than m of n pieces are down), each with a chance of p, independently: binomial
    in maintenance  one piece is down for certain: more than m - 1 of the other n - 1

p is the rate of failures times the time to heal. Maintained servers come back with their data, so that upgrades cost
time in which less may fail, and no data. Source of the sums: the steady state of alternating renewal, such as Barlow
and Proschan, Mathematical Theory of Reliability, 1965.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from models import units
from models.failures import Failures
from models.planning.durability import RepairTime, known_placement
from models.planning.survival import survives
from models.problem import refusal
from models.storage.domains import Arrays, Scattered, Sets
from models.storage.redundancy import spare
from models.units import YEAR

if TYPE_CHECKING:
    from models.scenario import Scenario

_CONTRACT = re.compile(r"([^=,]+)=([^,]+)(?:,(.+))?")
_SPARES = re.compile(r"(\d{1,9}) spares?")
_CALENDAR = re.compile(r"([^=,]+)=([^,]+),([^,]+)")
CONTRACT = "expected NAME = TIME, PRICE such as '4 h on site = 4 h, 3 %'; a price is money a server and year, a part of"
CONTRACT += " the capital a year, or '1 spare' in the rack"
CALENDAR = "expected NAME = TIMES A YEAR, TIME A SERVER such as 'upgrades = 4/y, 20 min'"


@dataclass(frozen=True, slots=True)
class Contract:
    """How soon what failed is replaced (s), and what that costs a year: a part of the capital, and money a server.

    `spares` servers stand in the rack for it.
    """

    name: str
    time: float
    share: float = 0.0
    a_server: float = 0.0
    spares: int = 0

    def per_year(self, capital: float, servers: int) -> float:
        """Return what it costs a year for servers of a capital."""
        return self.share * capital + self.a_server * servers


CONTRACTS = ("1 spare in the rack = 0 s, 1 spare", "4 h on site = 4 h, 3 %", "next day = 24 h")
"""Contracts that are compared where none is stated. Assumption: service within 4 h costs 2 to 6 % of the capital a year
more than on the next day, which the maintenance of a price list covers."""
CALENDARS = ("upgrades = 4/y, 20 min",)
"""Maintenance that is looked at where none is stated. Assumption: 2 to 12 upgrades a year, 10 to 40 min a server for
draining, restart and catching up."""


def contract(text: str, currency: str) -> Contract:
    """Return the contract that a text states.

    Raises:
        RefusalError: it cannot be read.
    """
    name, lasts, *costs = _parts(_CONTRACT, text, CONTRACT)
    time = _amount(lasts, "s")
    if not costs:
        return Contract(name, time)
    (price,) = costs
    if spares := _SPARES.fullmatch(price):
        return Contract(name, time, spares=int(spares[1]))
    if price.endswith("%"):
        return Contract(name, time, share=_amount(price, "1"))
    return Contract(name, time, a_server=_amount(price, currency))


@dataclass(frozen=True, slots=True)
class Calendar:
    """Maintenance that comes `times` a year to each server and takes it away for `each` (s)."""

    name: str
    times: float
    each: float


def calendar(text: str) -> Calendar:
    """Return the maintenance that a text states.

    Raises:
        RefusalError: it cannot be read.
    """
    name, often, length = _parts(_CALENDAR, text, CALENDAR)
    times = often.replace("/", " 1/", 1) if "1/" not in often else often
    return Calendar(name, _amount(times, "1/s") * YEAR, _amount(length, "s"))


def _amount(text: str, unit: str) -> float:
    """Return an amount that is not below nothing.

    Raises:
        RefusalError: it is, or cannot be read.
    """
    amount = units.parse(text, unit)
    if amount < 0:
        raise refusal("", "must be at least 0", value=text)
    return amount


def _parts(pattern: re.Pattern[str], text: str, expected: str) -> list[str]:
    """Return what stands between the marks of a text, without blanks around it.

    Raises:
        RefusalError: it has other parts than are expected, or an empty one.
    """
    match = pattern.fullmatch(text)
    parts = [part.strip() for part in match.groups() if part is not None] if match else []
    if not all(parts) or not parts:
        raise refusal("", expected, value=text)
    return parts


@dataclass(frozen=True, slots=True)
class Rolled:
    """A calendar carried out: servers `together`, in so many `rounds`, which take `length` (s) for all servers.

    `degraded` is the part of a year in which some server is away; any `survives` servers may fail meanwhile while all
    can be read. `unreadable` is the chance that an object cannot be read, over the whole year.
    """

    calendar: Calendar
    together: int
    rounds: int
    length: float
    degraded: float
    survives: int
    unreadable: float


@dataclass(frozen=True, slots=True)
class Domains:
    """Where the pieces of an object lie: `pieces` on servers of which `spare` pieces may be away.

    `on_server` pieces stand on one server; there are `islands` of servers that share no object, of `servers` in all.
    """

    pieces: int
    spare: int
    on_server: int
    islands: int
    servers: int

    def together(self, keep: int) -> int:
        """Return how many servers may be away at once while any `keep` more may fail and all can be read; 0: none."""
        away = self.spare // self.on_server - keep
        return max(away, 0) * self.islands

    def survives(self, away: int) -> int:
        """Return how many servers more may fail, whichever, while so many are away, spread over the islands."""
        return max(self.spare // self.on_server - math.ceil(away / self.islands), 0)


def domains(scenario: Scenario) -> Domains:
    """Return where the pieces of an object lie.

    Raises:
        RefusalError: nothing is known of that.
    """
    home, placement = known_placement(scenario, "maintenance")
    servers = scenario.cluster.groups[home[0]].count
    match placement:
        case Sets():
            kind = min(placement.kinds, key=lambda set_kind: set_kind.reading / len(set_kind.servers))
            held = max(kind.servers.count(server) for server in set(kind.servers))
            in_island = len(set(kind.servers))
            pieces = len(kind.servers) - kind.missing
            return Domains(pieces, kind.reading, held, max(servers // in_island, 1), servers)
        case Scattered():
            code = placement.redundancy
            return Domains(code.pieces, spare(code), min(placement.on_server, code.pieces), 1, servers)
        case Arrays():
            pieces = placement.redundancy.pieces
            return Domains(pieces, survives(scenario).servers.reading, 1, 1, servers)


def check_heals(scenario: Scenario) -> None:
    """Check that what fails can be healed from what is left.

    Raises:
        RefusalError: there is no redundancy, so that no contract brings lost data back.
    """
    storage, (_, placement) = scenario.storage, known_placement(scenario, "upkeep")
    redundancy = storage.redundancy(scenario.cluster) if isinstance(placement, Sets) else placement.redundancy
    if redundancy is not None and spare(redundancy) == 0:
        text = f"{redundancy}: what fails is lost, and nothing heals it, whichever contract; upkeep compares how soon"
        raise refusal(storage.protected_by, text, "store with redundancy; simulate durability tells what is lost")


def down_chance(failures: Failures, repair: RepairTime) -> float:
    """Return the chance that a piece is down at any moment, with its drive or its server, until that has healed."""
    rates = failures.drive_failures_per_year * repair.drive + failures.server_failures_per_year * repair.server
    busy = rates / YEAR
    return busy / (1 + busy)


def unreadable(pieces: int, spare: int, chance: float) -> float:
    """Return the chance that more than `spare` of some pieces are down, each with a chance; 1 where none may be."""
    if spare < 0:
        return 1.0
    terms = (math.comb(pieces, k) * chance**k * (1 - chance) ** (pieces - k) for k in range(spare + 1, pieces + 1))
    return math.fsum(terms)


def rolled(layout: Domains, plan: Calendar, together: int, chance: float) -> Rolled:
    """Return a calendar carried out with so many servers at once."""
    rounds = math.ceil(layout.servers / together)
    length = rounds * plan.each
    away = min(plan.times * plan.each / YEAR * layout.pieces / layout.on_server, 1.0)
    healthy = unreadable(layout.pieces, layout.spare, chance)
    rest = layout.pieces - layout.on_server
    meanwhile = unreadable(rest, layout.spare - layout.on_server, chance)
    return Rolled(
        calendar=plan,
        together=together,
        rounds=rounds,
        length=length,
        degraded=min(plan.times * length / YEAR, 1.0),
        survives=layout.survives(together),
        unreadable=(1 - away) * healthy + away * meanwhile,
    )


def ways(layout: Domains, keep: int) -> list[int]:
    """Return how many servers at once are worth looking at: one, one of each island, and as many as may be away."""
    return sorted({1, min(layout.islands, layout.servers), min(layout.together(keep), layout.servers)} - {0})
