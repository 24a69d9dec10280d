"""Network cards as people state them: they are sold by bits a second, and bytes are easily written for them."""

from __future__ import annotations

import re

from models.units import convert

CARD = "nic.bandwidth"
"""How the key of a card's rate ends."""
IN_BYTES = re.compile(r"\s*([\d.,]+)\s*([MG])B/s\s*")


def in_bytes(stated: object) -> str:
    """Return what to say of the rate of a card that is stated in bytes, "" for one in bits: either may be meant.

    >>> in_bytes("25 GB/s"), in_bytes("200 Gbit/s")
    ('25 GB/s are 200 Gbit/s, and cards are sold by bits: write 25 Gbit/s if that is meant', '')
    """
    match = IN_BYTES.fullmatch(stated) if isinstance(stated, str) else None
    if match is None:
        return ""
    unit = f"{match[2]}bit/s"
    meant = convert(match[0], unit)
    return f"{match[0].strip()} are {meant}, and cards are sold by bits: write {match[1]} {unit} if that is meant"
