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
        "Time of the NameNode for 1,000 names of a directory (dfs.ls.limit).",
        default="1 ms",
        gt=0,
        source="assumed: 1 us a name",
        between=("0.5 ms", "5 ms"),
    )
    rpc_time: Quantity = quantity(
        "s",
        "Round trip of a call beside that.",
        default="0.4 ms",
        ge=0,
        source="prior: a round trip and a call of a Java server",
        between=("0.2 ms", "1 ms"),
    )
    journal_time: Quantity = quantity(
        "s",
        "Until the journal has a change, of many callers at a time.",
        default="2 ms",
        ge=0,
        source="prior: flash 0.5 ms, hard drives 10 ms",
        between=("0.5 ms", "10 ms"),
    )
