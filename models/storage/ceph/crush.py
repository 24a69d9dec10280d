"""Where CRUSH and the balancer put placement groups: on OSDs of hosts, or racks, that differ, the primary first.

CRUSH draws one host after the other, each as often as its weight has it, and again where it, or its rack, has a piece
already; then an OSD of the host; where pieces may share a host, it draws OSDs alone. With straw2 that is a draw by
weight, the capacity of the drives. So the groups of an OSD are as many as chance has it. The balancer then moves pieces
one by one, from the OSD that has most over its share to the one that has most under it, until all are within
`DEVIATION` of it; where it is off, pieces stay where they were drawn. It keeps the rank of a piece, and nobody looks
after primaries: those of an OSD, and of a host, stay as uneven as they were drawn.

Where some servers stand for all, the busiest of them must be as busy as the busiest of all, for whom a closed loop
waits. The most uneven of all parts is that of as many draws, so the part is drawn so often, and that is taken in which
a host has most primaries.

Not covered: classes of drives, primary affinity, the balancer of reads (since Reef, off by default), pools beside one
another.

Source: ceph/ceph, src/crush/mapper.c (crush_choose_firstn, bucket_straw2_choose), src/osd/OSDMap.cc (calc_pg_upmaps),
src/pybind/mgr/balancer; doc/rados/operations, balancer, read-balancer. The spread is that of osdmaptool 16.2
(`tests/models/storage/test_crush.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence as Series

import numpy as np
from numpy.typing import NDArray

from models.problem import refusal
from models.storage.ceph.pool import DEVIATION
from models.storage.placement import mix
from models.values import value

DRAWS = 256
"""Draws after which the racks of a piece are left aside. Assumption: racks of unequal size may have no room else."""
FINALISTS = 4
"""Draws of a part, with the busiest hosts before the balancer, of which the busiest after it is taken. Assumption: it
moves few primaries."""
TARGETS = 64
"""OSDs that are asked to take a piece before another one of the same OSD is tried. Assumption: of so many, one may."""
Numbers = NDArray[np.int64]


@value(eq=False)
class Hosts:
    """The hosts of a pool: the OSDs of each, its weight and its rack.

    Pieces lie on hosts that differ, also in racks that do if `by_rack`, or on any OSDs that differ if `by_osd`.
    """

    osds: Numbers
    weights: NDArray[np.float64]
    racks: Numbers
    by_rack: bool = False
    by_osd: bool = False

    @property
    def parted(self) -> Hosts:
        """What pieces may not share: hosts, or OSDs, each as if it were a host."""
        if not self.by_osd:
            return self
        weights = (self.weights / self.osds)[self.of_osds]
        return Hosts(np.ones(len(weights), np.int64), weights, self.racks[self.of_osds])

    @property
    def of_osds(self) -> Numbers:
        """The number of the host of each OSD."""
        return np.repeat(np.arange(len(self.osds)), self.osds)

    @property
    def firsts(self) -> Numbers:
        """The number of the first OSD of each host."""
        return np.cumsum(self.osds) - self.osds

    def in_a_rack(self, pieces: int) -> int:
        """Return the pieces of a group that a rack may have: one, or as few as can be."""
        return math.ceil(pieces / len(np.unique(self.racks))) if self.by_rack else pieces


def hosts(
    osds: Series[int],
    weights: Series[float],
    racks: Series[int],
    *,
    by_rack: bool = False,
    by_osd: bool = False,
) -> Hosts:
    """Return hosts by their OSDs, the weight of each (B, or any unit; without any all are alike), and their racks."""
    known = np.asarray(weights, dtype=np.float64)
    weighed = known if known.min() > 0 else np.ones(len(known))
    return Hosts(np.asarray(osds, np.int64), weighed, np.asarray(racks, np.int64), by_rack, by_osd)


def placed(among: Hosts, groups: int, pieces: int, salt: int, alike: int = 1, *, balancer: bool = True) -> Numbers:
    """Return the OSDs of the pieces of each group, of shape (groups, pieces): by CRUSH, then by a balancer, if any.

    The hosts are one of so many parts that are `alike`.

    Raises:
        RefusalError: there are fewer hosts, or OSDs, than pieces.
    """
    parted = among.parted
    if pieces > len(parted.osds):
        what = "OSDs" if among.by_osd else "servers"
        raise refusal("replication", f"there are only {len(parted.osds)} {what} to hold pieces", value=pieces)
    salts = [mix(salt, part) for part in range(alike)]
    if alike > 1:
        firsts = [_drawn(among, groups, np.random.Generator(np.random.PCG64(salt))) for salt in salts]
        salts = [salts[at] for at in sorted(range(alike), key=lambda part: -_most(firsts[part]))[:FINALISTS]]
    parts = [crush(parted, groups, pieces, salt) for salt in salts]
    if balancer:
        parts = [balanced(parted, osds) for osds in parts]
    return max(parts, key=lambda osds: _most(among.of_osds[osds[:, 0]]))


def _most(heads: Numbers) -> int:
    """Return the groups of the host that is the primary of most."""
    return int(np.bincount(heads).max())


def _drawn(among: Hosts, count: int, rng: np.random.Generator) -> Numbers:
    """Return hosts that are drawn by their weights."""
    reached = np.cumsum(among.weights) / among.weights.sum()
    return np.minimum(np.searchsorted(reached, rng.random(count), side="right"), len(reached) - 1)


def crush(among: Hosts, groups: int, pieces: int, salt: int) -> Numbers:
    """Return the OSDs that CRUSH draws for the pieces of each group."""
    rng = np.random.Generator(np.random.PCG64(salt))
    chosen = np.empty((groups, pieces), dtype=np.int64)
    for rank in range(pieces):
        rows, times = np.arange(groups), 0
        while rows.size:
            taken = chosen[rows, :rank]
            drawn = _drawn(among, rows.size, rng)
            fits = (taken != drawn[:, None]).all(axis=1)
            if among.by_rack and times < DRAWS:
                in_rack = (among.racks[taken] == among.racks[drawn][:, None]).sum(axis=1)
                fits &= in_rack < among.in_a_rack(pieces)
            chosen[rows[fits], rank] = drawn[fits]
            rows, times = rows[~fits], times + 1
    osds: Numbers = among.firsts[chosen] + np.floor(rng.random(chosen.shape) * among.osds[chosen]).astype(np.int64)
    return osds


def balanced(among: Hosts, drawn: Numbers) -> Numbers:
    """Return the same pieces once the balancer has moved some: no OSD is more than `DEVIATION` away from its share.

    Less is reached where the hosts that may take a piece have no room.
    """
    osds, of_osds = drawn.copy(), among.of_osds
    weights = (among.weights / among.osds)[of_osds]
    share = osds.size * weights / weights.sum()
    held = np.bincount(osds.ravel(), minlength=len(of_osds))
    order, nexts = np.argsort(osds, axis=None, kind="stable"), np.cumsum(held) - held
    ends = nexts + held
    while True:
        over = held - share
        if np.abs(over).max() <= DEVIATION:
            return osds
        givers, takers = np.flatnonzero(over > DEVIATION), np.flatnonzero(over < 0)
        if not givers.size:
            givers, takers = np.flatnonzero(over > 0), np.flatnonzero(over < -DEVIATION)
        givers = givers[nexts[givers] < ends[givers]]
        if not givers.size:
            return osds
        givers = givers[np.argsort(-over[givers], kind="stable")]
        givers = givers[np.sort(np.unique(order[nexts[givers]] // osds.shape[1], return_index=True)[1])]
        takers = takers[np.argsort(over[takers], kind="stable")]
        moved, onto = _moves(among, osds, order[nexts[givers]], takers)
        nexts[givers] += 1
        np.subtract.at(held, osds.ravel()[moved], 1)
        np.add.at(held, onto, 1)
        osds.reshape(-1)[moved] = onto


def _moves(among: Hosts, osds: Numbers, pieces: Numbers, takers: Numbers) -> tuple[Numbers, Numbers]:
    """Return which of some pieces, of groups that differ, move, and onto which of the OSDs that take one each."""
    count, of_osds = osds.shape[1], among.of_osds
    others = of_osds[osds[pieces // count]]
    others[np.arange(len(pieces)), pieces % count] = -1
    racks = np.where(others < 0, -1, among.racks[others])
    onto, is_free = np.full(len(pieces), -1, dtype=np.int64), np.ones(len(takers), dtype=np.bool_)
    left = np.arange(len(pieces))
    for turn in range(min(len(takers), TARGETS)):
        at = (left + turn) % len(takers)
        host = of_osds[takers[at]]
        fits = is_free[at] & (others[left] != host[:, None]).all(axis=1)
        if among.by_rack:
            fits &= (racks[left] == among.racks[host][:, None]).sum(axis=1) < among.in_a_rack(count)
        first = np.unique(at[fits], return_index=True)[1]
        onto[left[fits][first]] = takers[at[fits][first]]
        is_free[at[fits]] = False
        left = left[onto[left] < 0]
    return pieces[onto >= 0], onto[onto >= 0]
