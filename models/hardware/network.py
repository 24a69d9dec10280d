"""The network between servers: racks, their uplinks, and how long a packet is under way."""

from __future__ import annotations

from models.hardware.assembly import Assembly
from models.quantity import Model, Quantity, quantity, setting


class Network(Model):
    """How the racks hang together."""

    racks: int = setting("Racks over which each group is spread evenly.", default=1, ge=1)
    oversubscription: float = setting(
        "Network cards of a rack over its uplink: 1 means that the core never limits.", default=1.0, ge=1
    )
    round_trip: Quantity = quantity(
        "s",
        "Time of a packet to another server and back.",
        default="0.2 ms",
        source="prior: within one data centre or zone",
        between=("0.1 ms", "0.4 ms"),
        ge=0,
    )
    assembly: Assembly = setting("Racks, switches, feeds and spares, for bills of materials.", default=Assembly())
