"""What of an operation of an OSD goes to wake up for it, and to calls of the kernel.

Source: measured with Ceph 16.2, one OSD with tcmalloc on one server of two busy cores, 4 KiB, 1 to 64 connections with
1 to 256 operations under way on each: least squares over medians of five rounds of what one takes with n others on its
connection, 1 - w + w / (1 + n) of what it takes alone. With 16 in all, where an OSD often waits for work, reads are up
to 31 % dearer; those rounds are left out.
"""

from __future__ import annotations

from models.quantity import Model, Quantity, quantity


class Wakeups(Model):
    """Parts of operations that those share which are under way at once on a connection to an OSD."""

    read: Quantity = quantity(
        "1",
        "Part of osd_read_cpu that reads share which are under way at once on a connection: wakeups, calls of the "
        "kernel. A closed loop tells how many those are; requests at a rate, and of jobs, come alone.",
        default=0.45,
        ge=0,
        le=1,
        source="prior: measured with Ceph 16.2, 1 to 64 connections, 64 or 256 under way in all: within 11 % at each, "
        "0.34 to 0.48 by round",
        between=(0.33, 0.55),
    )
    write: Quantity = quantity(
        "1",
        "The same part of osd_write_cpu.",
        default=0.28,
        ge=0,
        le=1,
        source="prior: as above, 64 in all: within 12 %, 0.2 to 0.46 by round",
        between=(0.2, 0.46),
    )
