"""How long until data is lost: mean time to data loss (MTTDL) and the nines of a year.

An object on a set of n = k + m drives is lost when more than m of them are down at once. Blocks with pieces on randomly
chosen servers are lost when some drives are down that hold one piece more of a block than it spares: all r of its
replicas, or m + 1 of a code; with many blocks nearly any so many drives do (Cidon et al., Copysets, USENIX ATC 2013).
Where pieces may share a server, or a drive, the groups are of places on any of them, and a server takes many along.
Both are absorbing Markov chains over drives that fail alone and servers that take all their drives along
(`models.planning.markov`), fed with the time that a repair takes.

A storage node with an array is lost with its server, or when more of its drives are down at once than its array
survives; objects lie in copies or fragments on any nodes, and are lost when one node too many is down.

Covers neither what operators and software do wrong, nor the loss of a site, which outweigh any number beyond some ten
nines; failures are independent. A drive that fails in a server that is down counts twice, on the safe side.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from models.failures import Failures
from models.hardware.bays import bay_batches
from models.planning.block_groups import Groups, block_groups, by_drives, lying
from models.problem import refusal
from models.storage.contract import Home
from models.storage.domains import Arrays, Placement, Scattered, Sets
from models.units import YEAR
from models.values import value

if TYPE_CHECKING:
    from models.planning.markov import Kind, State
    from models.scenario import Scenario

SPARE_STATES = 2
"""Random placement: failures beyond r that are followed before any further one counts as loss. Assumption: enough, as
each of them is rarer by the ratio of repair to failure time; the result changes in the fifth digit."""


@value()
class RepairTime:
    """Seconds from the failure of a full drive, or of a server with all its drives, until all it held is safe again."""

    drive: float
    server: float


@value()
class Durability:
    """How durable data is. Times in seconds; losses are chances within a year, 0 to 1.

    `mttdl` and `annual_loss` are those of the first loss of anything in the system, `object_mttdl` and `object_loss`
    those of one object or block. `drives_only` is the MTTDL if no server were ever lost, `closed_form` the same by
    the formula of the literature. `in_windows` is the chance of losing one object as `loss_in_windows` counts it, of
    drives only. `groups` is the number of sets, or of groups of drives that may hold a block.
    """

    repair: RepairTime
    mttdl: float
    annual_loss: float
    object_mttdl: float
    object_loss: float
    drives_only: float
    closed_form: float
    in_windows: float
    groups: float

    @property
    def nines(self) -> float:
        """The nines of losing nothing at all in a year."""
        return nines(self.annual_loss)

    @property
    def object_nines(self) -> float:
        """The nines of not losing a given object in a year."""
        return nines(self.object_loss)


def durability(scenario: Scenario, repair: RepairTime) -> Durability:
    """Return the durability of a scenario's storage system with failures at the rates of its `failures`.

    Raises:
        RefusalError: there are no failure rates, a repair takes no time, or the system is not covered.
    """
    failures = check_rates(scenario)
    if not (repair.drive > 0 and repair.server > 0):
        text = f"the repair times must be > 0 s (of a drive {repair.drive:g} s, of a server {repair.server:g} s)"
        raise refusal("storage", text, "more servers, of which others are left to repair one from, take their time")
    home, placement = known_placement(scenario, "durability")
    match placement:
        case Sets():
            return _of_sets(placement, failures, repair)
        case Scattered():
            return _of_scattered(scenario, home, placement, repair)
        case Arrays():
            return _of_arrays(scenario, home, placement, repair)


def known_placement(scenario: Scenario, what: str) -> tuple[Home, Placement]:
    """Return the servers and the drives that hold a scenario's bytes, and their failure domains.

    Raises:
        RefusalError: nothing is known of them.
    """
    home, placement = scenario.storage.home, scenario.storage.placement(scenario.cluster)
    if home is None or placement is None:
        text = f"{what} follows from where bytes lie, which this store hides"
        raise refusal("storage.system", text, value=scenario.storage.system)
    return home, placement


def check_rates(scenario: Scenario) -> Failures:
    """Return the failures of a scenario.

    Raises:
        RefusalError: there are no rates among them.
    """
    if scenario.failures is None or not scenario.failures.drive_failures_per_year:
        raise refusal("failures.drive_failures_per_year", "missing", 'name the rates, such as failures = "hdd"')
    return scenario.failures


def annual_loss(mttdl: float) -> float:
    """Return the chance of a loss within a year, 0 to 1."""
    return -math.expm1(-YEAR / mttdl)


def nines(loss: float) -> float:
    """Return the nines of a chance of loss: 11.1 for 7.4e-12; infinite for none."""
    return -math.log10(loss) if loss > 0 else math.inf


def unreadable_chance(read: float, failures: Failures) -> float:
    """Return the chance that a rebuild which reads so many bytes meets an unreadable sector."""
    return -math.expm1(8 * read * math.log1p(-failures.bit_error_rate))


def mttdl_closed_form(drives: int, tolerated: int, mttf: float, mttr: float) -> float:
    """Return the MTTDL (s) of drives of which `tolerated` may be down, for mttr << mttf (s) and one repair at a time.

    MTTF^(m+1) / (n (n-1) ... (n-m) MTTR^m), with m tolerated failures of n drives.

    Source: Patterson, Gibson and Katz, RAID, 1988, for m = 1; Chen et al., ACM Computing Surveys 26, 1994, for m = 2.
    """
    return mttf * (mttf / mttr) ** tolerated / math.perm(drives, tolerated + 1)


def loss_in_windows(drives: int, tolerated: int, failures_per_year: float, window: float) -> float:
    """Return the yearly chance of loss, 0 to 1, if failed drives are replaced together at the ends of windows of time.

    Data is lost if more than `tolerated` drives fail within one `window` (s); failures that straddle the end of a
    window do not meet, so this is more hopeful than a chain in which each repair takes as long.

    Source: Backblaze, erasure-coding-durability, durability.py, revision 37f758d, 2018.
    """
    fails = -math.expm1(-failures_per_year * window / YEAR)
    lost = math.fsum(
        math.comb(drives, i) * fails**i * (1 - fails) ** (drives - i) for i in range(tolerated + 1, drives + 1)
    )
    return -math.expm1(YEAR / window * math.log1p(-lost)) if lost < 1 else 1.0  # all fail within a long window


def _of_sets(placement: Sets, failures: Failures, repair: RepairTime) -> Durability:
    rates = [0.0, 0.0, 0.0]  # losses a second: of all sets, the same without servers, the same by the formula
    objects, windows = 0.0, 0.0  # an unreadable sector loses one object among many, so that it does not count in these
    for kind in placement.kinds:
        many, drives, tolerated = kind.count, len(kind.servers) - kind.missing, kind.reading
        read = (drives - tolerated) * kind.capacity * failures.full
        unreadable = unreadable_chance(read, failures)
        alone = _kind(drives, 1, failures.drive_failures_per_year, repair.drive)
        by_shards = Counter(Counter(kind.servers).values())
        servers = [
            _kind(number, held, failures.server_failures_per_year, repair.server)
            for held, number in sorted(by_shards.items())
        ]
        rates[0] += many / _set_mttdl([alone, *servers], tolerated, unreadable)
        objects += many / placement.count / _set_mttdl([alone, *servers], tolerated, 0.0)
        rates[1] += many / _set_mttdl([alone], tolerated, unreadable)
        rates[2] += many / mttdl_closed_form(drives, tolerated, alone.mttf, alone.mttr)
        lost = loss_in_windows(drives, tolerated, failures.drive_failures_per_year, repair.drive)
        windows += many / placement.count * lost
    return _durability(repair, [1 / rate for rate in rates], 1 / objects, windows, placement.count)


def _set_mttdl(kinds: Sequence[Kind], tolerated: int, unreadable: float) -> float:
    """Return the mean time (s) until more shards of one set are gone than it tolerates.

    `unreadable` is the chance that the rebuild of a drive meets an unreadable sector when no other shard is left.
    """
    from models.planning.markov import Loss, mean_time_to_loss

    kinds = [kind for kind in kinds if kind.mttf < math.inf]

    def gone(state: State) -> int:
        return sum(down * kind.drives for down, kind in zip(state, kinds, strict=True))

    return mean_time_to_loss(
        kinds,
        Loss(
            by_failure=lambda state, k: float(gone(state) + kinds[k].drives > tolerated),
            in_repair=lambda state: unreadable if gone(state) == tolerated else 0.0,
            is_deepest=lambda state: gone(state) >= tolerated,
        ),
    )


def _of_scattered(scenario: Scenario, home: Home, placement: Scattered, repair: RepairTime) -> Durability:
    failures = check_rates(scenario)
    groups = block_groups(scenario, placement)
    drives, pieces, tolerated = groups.drives // placement.on_drive, groups.pieces, groups.size - 1
    errors = unreadable_chance(placement.unit, failures)
    of_drives, of_servers = failures.drive_failures_per_year, failures.server_failures_per_year
    alone = _kind(drives, placement.on_drive, of_drives, repair.drive)
    servers = [
        _kind(many, held * placement.on_drive, of_servers, repair.server)
        for held, many in sorted(by_drives(scenario.cluster, home).items())
    ]
    of_an_object = 0.0
    for chance, on_drives, on_servers in lying(placement, sum(kind.count for kind in servers), drives):
        ones = [_kind(many, held, of_drives, repair.drive) for held, many in sorted(on_drives.items())]
        ones += [_kind(many, held, of_servers, repair.server) for held, many in sorted(on_servers.items())]
        of_an_object += chance / _set_mttdl(ones, tolerated, errors)
    mttdl = [
        _group_mttdl([alone, *servers], groups, errors),
        _group_mttdl([alone], groups, errors),
        mttdl_closed_form(drives, tolerated // placement.on_drive, alone.mttf, alone.mttr),
    ]
    windows = loss_in_windows(pieces, tolerated // placement.on_drive, of_drives, repair.drive)
    return _durability(repair, mttdl, 1 / of_an_object, windows, groups.used)


def _group_mttdl(kinds: Sequence[Kind], groups: Groups, errors: float) -> float:
    """Return the mean time (s) until a block has lost more pieces than it spares.

    `errors` are those of reading one block.
    """
    from models.planning.markov import Loss, mean_time_to_loss

    kinds = [kind for kind in kinds if kind.mttf < math.inf]

    def down(state: State) -> list[int]:
        return [kind.drives for number, kind in zip(state, kinds, strict=True) for _ in range(number)]

    return mean_time_to_loss(
        kinds,
        Loss(
            by_failure=lambda state, k: groups.loss(down(state), kinds[k].drives),
            in_repair=lambda state: -math.expm1(-errors * groups.critical(down(state))),
            is_deepest=lambda state: sum(state) >= groups.size + SPARE_STATES,
        ),
    )


def node_mttf(scenario: Scenario, home: Home, parity: int, rebuild: float) -> tuple[float, float]:
    """Return the mean time (s) until a storage node is lost with its drives, and the same by its drives alone.

    Its array survives the loss of `parity` drives, and takes `rebuild` s for one. That all of a node counts as lost
    with one drive too many is on the safe side: a dynamic disk pool then loses some stripes.
    """
    failures, first = check_rates(scenario), bay_batches(scenario.cluster, *home)[0]
    alone = YEAR / failures.drive_failures_per_year
    array = mttdl_closed_form(first.bay.count, parity, alone, rebuild)
    return 1 / (1 / array + failures.server_failures_per_year / YEAR), array


def _of_arrays(scenario: Scenario, home: Home, placement: Arrays, repair: RepairTime) -> Durability:
    nodes = scenario.cluster.groups[home[0]].count
    pieces, tolerated = placement.redundancy.pieces, placement.spare
    both, array = node_mttf(scenario, home, placement.parity, repair.drive)

    def chain(count: int, mttf: float) -> float:
        return _set_mttdl([_kind(count, 1, YEAR / mttf, repair.server)], tolerated, 0.0)

    mttdl = [chain(nodes, both), chain(nodes, array), mttdl_closed_form(nodes, tolerated, array, repair.server)]
    windows = loss_in_windows(pieces, tolerated, YEAR / array, repair.server)
    return _durability(repair, mttdl, chain(pieces, both), windows, math.comb(nodes, pieces))


def _kind(count: int, drives: int, failures_per_year: float, mttr: float) -> Kind:
    from models.planning.markov import Kind

    return Kind(count, drives, YEAR / failures_per_year if failures_per_year else math.inf, mttr)


def _durability(
    repair: RepairTime, mttdl: Sequence[float], object_mttdl: float, windows: float, groups: float
) -> Durability:
    """Return the durability; `mttdl` is of everything, without losses of servers, and that by the formula."""
    whole, drives_only, closed_form = mttdl
    return Durability(
        repair=repair,
        mttdl=whole,
        annual_loss=annual_loss(whole),
        object_mttdl=object_mttdl,
        object_loss=annual_loss(object_mttdl),
        drives_only=drives_only,
        closed_form=closed_form,
        in_windows=windows,
        groups=groups,
    )
