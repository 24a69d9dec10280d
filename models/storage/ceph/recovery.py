"""When and how fast Ceph makes lost pieces anew: noticed, marked out, then backfilled under throttles.

An OSD that is silent for `heartbeat_grace` is down, and after `down_out_interval` out: then its placement groups move
to others. Each OSD takes part in `max_backfills` of them as the one that sends and in as many as the one that takes;
`max_active` objects of a backfill are under way at a time. Under mClock, the scheduler since Quincy, a backfill takes
at most the limit that the profile gives to best effort, of the rate that an OSD is rated at; under wpq it sleeps
between two objects.

Source: ceph/ceph, src/common/options/osd.yaml.in, mon.yaml.in, doc/rados/configuration/mclock-config-ref.rst. Not
covered: the reservation that mClock holds for clients (a backfill competes as `max_active` streams), recovery from the
log of an OSD that comes back within the interval, scrubs.
"""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Literal

from models.quantity import Model, Quantity, quantity, setting

Profile = Literal["balanced", "high_client_ops", "high_recovery_ops"]
LIMITS = MappingProxyType({"balanced": 0.9, "high_client_ops": 0.7, "high_recovery_ops": 1.0})
"""Part of an OSD that best effort may take, by mClock profile. Source: as above, mclock-config-ref.rst."""
RATED = MappingProxyType({True: 1.5e8, False: 1.2e9})
"""Bytes a second at which an OSD is rated, on a hard drive or not. Source: as above,
osd_mclock_max_sequential_bandwidth_hdd and _ssd."""
ACTIVE = MappingProxyType({True: 3, False: 10})
"""Objects under way, on a hard drive or not. Source: as above, osd_recovery_max_active_hdd and _ssd."""
SLEEP = MappingProxyType({(True, False): 0.1, (True, True): 0.025, (False, False): 0.0, (False, True): 0.0})
"""Seconds between two objects, by hard drive and by database on flash. Source: as above, osd_recovery_sleep_hdd,
_hybrid, _ssd."""


class Recovery(Model):
    """The throttles of recovery and backfill, under the names of `ceph config`."""

    heartbeat_grace: Quantity = quantity(
        "s", "Until a silent OSD is marked down (osd_heartbeat_grace).", default=20.0, ge=0
    )
    down_out_interval: Quantity = quantity(
        "s", "From down to out, when its data moves to others (mon_osd_down_out_interval).", default=600.0, ge=0
    )
    max_backfills: int = setting("Backfills to and from an OSD at a time (osd_max_backfills).", default=1, ge=1)
    max_active: int | None = setting(
        "Objects of an OSD under way (osd_recovery_max_active); default: 3 on hard drives, 10 on flash.",
        default=None,
        ge=1,
    )
    scheduler: Literal["mclock", "wpq"] = setting("Scheduler of OSD operations (osd_op_queue).", default="mclock")
    profile: Profile = setting("mClock profile (osd_mclock_profile).", default="balanced")
    sleep: Quantity | None = quantity(
        "s",
        "Pause after each object under wpq (osd_recovery_sleep); default: 0.1 s on hard drives, 0.025 s with a "
        "database on flash, none on flash.",
        default=None,
        ge=0,
    )

    def active(self, *, spins: bool) -> int:
        """Return the objects of an OSD that are under way; `spins`: on a hard drive."""
        return ACTIVE[spins] if self.max_active is None else self.max_active

    def rate(self, piece: float, alone: float, *, spins: bool, flash_db: bool) -> float:
        """Return the bytes a second of one backfill; the piece of an object, of so many bytes, takes `alone` s."""
        if self.scheduler == "wpq":
            pause = SLEEP[spins, flash_db] if self.sleep is None else self.sleep
            return self.active(spins=spins) * piece / (alone + pause * self.active(spins=spins))
        return min(self.active(spins=spins) * piece / alone, self.most(spins=spins))

    def most(self, *, spins: bool) -> float:
        """Return the bytes a second that backfills may take of an OSD, without end where nothing limits them."""
        return LIMITS[self.profile] * RATED[spins] if self.scheduler == "mclock" else math.inf
