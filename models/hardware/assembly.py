"""How servers are put up: racks, switches, feeds and spare parts, for bills of materials and their costs.

Nothing here changes how fast a cluster is: that is the network's oversubscription and the racks.
"""

from __future__ import annotations

from models.quantity import Model, Quantity, quantity, setting


class Assembly(Model):
    """The rules by which racks are filled and cabled; each default is an assumption that a site replaces."""

    rack_height: int = setting("Rack units of a rack. Assumption: 42 to 52.", default=42, ge=4)
    rack_power: Quantity = quantity(
        "W", "Most power of a rack at work. Assumption: 8 to 12 kW where air cools.", default="10 kW", gt=0
    )
    feed_power: Quantity = quantity(
        "W",
        "Power of one feed; each is there twice, so that one may fail. Default: three phases of 230 V and 16 A"
        " (IEC 60309).",
        default="11 kW",
        gt=0,
    )
    leaf_ports: int = setting(
        "Ports of a switch in the rack, beside its uplinks. Assumption: 48 or 32.", default=48, ge=1
    )
    spine_ports: int = setting("Ports of a switch between the racks. Assumption: 32 or 64.", default=32, ge=2)
    uplink: Quantity = quantity(
        "B/s", "Rate of a link between switches. Assumption: 100 Gbit/s, or 400.", default="100 Gbit/s", gt=0
    )
    drive_failures: Quantity = quantity(
        "1/y",
        "Failures of a drive in a year where [failures] states none. Default: Backblaze, drive statistics of 2023.",
        default="1.4 %/y",
        ge=0,
    )
    spare_time: Quantity = quantity(
        "s", "Time until a part that was ordered is there. Assumption: one to eight weeks.", default="30 d", ge=0
    )
    spare_confidence: Quantity = quantity(
        "1", "Part of the cases in which the spare drives last until then.", default="95 %", ge=0, lt=1
    )
    spare_cables: Quantity = quantity(
        "1", "Spare cables over those in use. Assumption: 2 to 10 %.", default="5 %", ge=0
    )
