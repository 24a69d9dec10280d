"""The NameNode: one server that answers what is asked of names, from memory, and notes each change in its journal.

Source of its rates: Shvachko, "HDFS scalability: the limits to growth", ;login: 35(2), April 2010: 126,119 lookups of
block locations or 5,600 creations of files a second, all clients together.
"""

from __future__ import annotations

from models.quantity import Model, Quantity, quantity


class NameNode(Model):
    """How long the NameNode takes, which runs on a server of its own."""

    lookup_time: Quantity = quantity(
        "s", "Time of the NameNode for a lookup (open, stat), one after the other.", default=1 / 126119, gt=0
    )
    update_time: Quantity = quantity(
        "s", "Time of the NameNode for a change (create, add a block, delete).", default=1 / 5600, gt=0
    )
    listing_time: Quantity = quantity(
        "s",
        "Time of the NameNode for 1,000 names of a directory (dfs.ls.limit). Assumption: 1 us a name, 0.5 to 5.",
        default="1 ms",
        gt=0,
    )
    rpc_time: Quantity = quantity(
        "s", "Round trip of a call beside that. Assumption: 0.2 to 1 ms.", default="0.4 ms", ge=0
    )
    journal_time: Quantity = quantity(
        "s",
        "Until the journal has a change, of many callers at a time. Assumption: 0.5 ms on flash to 10 ms on drives.",
        default="2 ms",
        ge=0,
    )
