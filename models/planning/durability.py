"""How long until data is lost: mean time to data loss (MTTDL) and the nines of a year.

An object on a set of n = k + m drives is lost when more than m of them are down at once. Blocks in r replicas on
randomly chosen servers are lost when some r drives are down that hold all replicas of a block: with many blocks nearly
every r drives do (Cidon et al., Copysets, USENIX ATC 2013). Both are absorbing Markov chains over drives that fail
alone and servers that take all their drives along (`models.planning.markov`), fed with the time that a repair takes.

A storage node of StorageGRID is lost with its server, or when more of its drives are down at once than its array
survives; objects lie in copies or fragments on any nodes, and are lost when one node too many is down.

Covers neither what operators and software do wrong, nor the loss of a site, which outweigh any number beyond some ten
nines; failures are independent. A drive that fails in a server that is down counts twice, on the safe side.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from models.hardware.cluster import Device, Layout, Node
from models.hardware.drive import Drive
from models.planning.failures import Failures
from models.problem import refusal
from models.storage.hdfs.system import Hdfs
from models.storage.minio.store import MinioStore
from models.storage.minio.system import Minio
from models.storage.storagegrid.system import StorageGrid

if TYPE_CHECKING:
    from models.planning.markov import Kind, State
    from models.scenario import Scenario

YEAR = 365 * 86400.0
"""Seconds of the year in which failure rates are quoted, as in `models.units`."""

KNOWN = "'hdfs', 'minio' and 'storagegrid'"
"""The storage systems whose failures are modelled."""

SPARE_STATES = 2
"""Random placement: failures beyond r that are followed before any further one counts as loss. Assumption: enough, as
each of them is rarer by the ratio of repair to failure time; the result changes in the fifth digit."""


@dataclass(frozen=True, slots=True)
class RepairTime:
    """Seconds from the failure of a full drive, or of a server with all its drives, until all it held is safe again."""

    drive: float
    server: float


@dataclass(frozen=True, slots=True)
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
        raise ValueError(f"the repair times must be > 0 s (got {repair.drive}, {repair.server})")
    if isinstance(scenario.storage, Minio):
        return _of_sets(scenario, scenario.storage, failures, repair)
    if isinstance(scenario.storage, Hdfs):
        return _of_replicas(scenario, scenario.storage, failures, repair)
    if isinstance(scenario.storage, StorageGrid):
        return _of_nodes(scenario, scenario.storage, failures, repair)
    raise refusal("storage.system", f"durability is modelled for {KNOWN} only", found=scenario.storage.system)


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
    return -math.expm1(YEAR / window * math.log1p(-lost))


def _of_sets(scenario: Scenario, spec: Minio, failures: Failures, repair: RepairTime) -> Durability:
    store = MinioStore(spec, Layout(scenario.cluster), 0)
    sets, parity = store.sets, store.size - store.data
    shapes = Counter((len(each), _servers_by_shards(each), _drive_bytes(each)) for each in sets)
    rates = [0.0, 0.0, 0.0]  # losses a second: of all sets, the same without servers, the same by the formula
    objects, windows = 0.0, 0.0  # an unreadable sector loses one object among many, so that it does not count in these
    for (size, by_shards, capacity), many in shapes.items():
        drives, tolerated = size - spec.failed_drives, parity - spec.failed_drives
        unreadable = unreadable_chance((size - parity) * capacity * failures.fill, failures)
        alone = _kind(drives, 1, failures.drive_failures_per_year, repair.drive)
        servers = [_kind(n, held, failures.server_failures_per_year, repair.server) for held, n in by_shards]
        rates[0] += many / _set_mttdl([alone, *servers], tolerated, unreadable)
        objects += many / len(sets) / _set_mttdl([alone, *servers], tolerated, 0.0)
        rates[1] += many / _set_mttdl([alone], tolerated, unreadable)
        rates[2] += many / mttdl_closed_form(drives, tolerated, alone.mttf, alone.mttr)
        windows += many / len(sets) * loss_in_windows(drives, tolerated, failures.drive_failures_per_year, repair.drive)
    return _durability(repair, [1 / rate for rate in rates], 1 / objects, windows, len(sets))


def _servers_by_shards(drives: Sequence[tuple[Node, Device]]) -> tuple[tuple[int, int], ...]:
    """Return how many servers hold how many drives of a set, as (drives, servers)."""
    return tuple(sorted(Counter(Counter(node.index for node, _ in drives).values()).items()))


def _drive_bytes(drives: Sequence[tuple[Node, Device]]) -> float:
    return max(device.drive.capacity for _, device in drives if isinstance(device.drive, Drive))


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


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups of r drives that may hold the replicas of a block, and the blocks that are spread over them."""

    drives: int
    replicas: int
    permitted: float  # part of all groups that the placement may choose
    blocks: float

    @property
    def possible(self) -> float:
        """The number of groups that the placement may choose."""
        return self.permitted * math.comb(self.drives, self.replicas)

    @property
    def used(self) -> float:
        """The expected number of groups that hold a block."""
        return self.possible * -math.expm1(-self.blocks / self.possible)

    def loss(self, down: Sequence[int], more: int) -> float:
        """Return the chance that a block is lost when `more` drives of a server fail while others are down.

        `down` are the drives that each failed component took with it; where these stand is a matter of luck.
        """
        held = (
            -math.expm1(-self.blocks / self.possible * more * math.prod(others))
            for others in combinations(down, self.replicas - 1)
        )
        return -math.expm1(math.fsum(math.log1p(-min(self.permitted * each, 1 - 1e-15)) for each in held))

    def critical(self, down: Sequence[int]) -> float:
        """Return the expected number of blocks of which one replica is left."""
        left = self.drives - self.replicas + 1
        pairs = sum(math.prod(others) for others in combinations(down, self.replicas - 1))
        return self.blocks * pairs * left / math.comb(self.drives, self.replicas)


def block_groups(scenario: Scenario) -> Groups:
    """Return the groups of drives that may hold a block of an HDFS that is filled as its `failures` say."""
    spec, failures = scenario.storage, scenario.failures
    assert isinstance(spec, Hdfs)  # the callers have asked
    assert failures is not None
    nodes = Layout(scenario.cluster).groups[spec.servers]
    drives = sum(len(node.bays[spec.bay]) for node in nodes)
    stored = spec.raw_capacity(scenario.cluster) * failures.fill / spec.replication
    permitted = _permitted(nodes, drives, spec.replication)
    return Groups(drives, spec.replication, permitted, max(stored / spec.block_size, 1.0))


def _of_replicas(scenario: Scenario, spec: Hdfs, failures: Failures, repair: RepairTime) -> Durability:
    nodes, groups = Layout(scenario.cluster).groups[spec.servers], block_groups(scenario)
    drives, replicas = groups.drives, groups.replicas
    errors = unreadable_chance(spec.block_size, failures)
    of_drives, of_servers = failures.drive_failures_per_year, failures.server_failures_per_year
    alone = _kind(drives, 1, of_drives, repair.drive)
    servers = [
        _kind(many, held, of_servers, repair.server)
        for held, many in sorted(Counter(len(node.bays[spec.bay]) for node in nodes).items())
    ]
    one = [_kind(replicas, 1, of_drives, repair.drive), _kind(replicas, 1, of_servers, repair.server)]
    mttdl = [
        _replica_mttdl([alone, *servers], groups, errors),
        _replica_mttdl([alone], groups, errors),
        mttdl_closed_form(drives, replicas - 1, alone.mttf, alone.mttr),
    ]
    windows = loss_in_windows(replicas, replicas - 1, of_drives, repair.drive)
    return _durability(repair, mttdl, _set_mttdl(one, replicas - 1, errors), windows, groups.used)


def _replica_mttdl(kinds: Sequence[Kind], groups: Groups, errors: float) -> float:
    """Return the mean time (s) until a block has lost all its replicas; `errors` are those of reading one block."""
    from models.planning.markov import Loss, mean_time_to_loss

    kinds = [kind for kind in kinds if kind.mttf < math.inf]

    def down(state: State) -> list[int]:
        return [kind.drives for number, kind in zip(state, kinds, strict=True) for _ in range(number)]

    return mean_time_to_loss(
        kinds,
        Loss(
            by_failure=lambda state, k: groups.loss(down(state), kinds[k].drives),
            in_repair=lambda state: -math.expm1(-errors * groups.critical(down(state))),
            is_deepest=lambda state: sum(state) >= groups.replicas + SPARE_STATES,
        ),
    )


def _permitted(nodes: Sequence[Node], drives: int, replicas: int) -> float:
    """Return the part of all groups of r drives that HDFS may choose: on r servers, and in the racks of its policy.

    The second replica lies in another rack than the first and the third in that of the second; of further replicas
    only the servers count. Source: Apache HDFS Architecture, "Replica Placement".
    """
    racks, servers = Counter(node.rack for node in nodes), len(nodes)
    allowed = math.comb(servers, replicas)
    if len(racks) > 1 and replicas == 2:
        allowed -= sum(math.comb(size, 2) for size in racks.values())
    if len(racks) > 1 and replicas == 3:
        allowed = sum(math.comb(size, 2) * (servers - size) for size in racks.values())
    return allowed * (drives / servers) ** replicas / math.comb(drives, replicas)


def node_mttf(scenario: Scenario, spec: StorageGrid, failures: Failures, rebuild: float) -> tuple[float, float]:
    """Return the mean time (s) until a storage node is lost with its drives, and the same by its drives alone.

    `rebuild` (s) is the time of the array for a drive. That all of a node counts as lost with one drive too many is on
    the safe side: a dynamic disk pool then loses some stripes.
    """
    node = Layout(scenario.cluster).groups[spec.servers][0]
    alone = YEAR / failures.drive_failures_per_year
    array = mttdl_closed_form(len(node.bays[spec.bay]), spec.array_parity, alone, rebuild)
    return 1 / (1 / array + failures.server_failures_per_year / YEAR), array


def _of_nodes(scenario: Scenario, spec: StorageGrid, failures: Failures, repair: RepairTime) -> Durability:
    nodes = scenario.cluster.groups[spec.servers].count
    pieces, data = spec.pieces()
    tolerated = pieces - data
    both, array = node_mttf(scenario, spec, failures, repair.drive)

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
