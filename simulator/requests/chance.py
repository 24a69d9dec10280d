"""Chance in the request loop: what a request draws, and the copies of stations to which its choices lead.

It is a hash of seed, request and number of the draw, so a request meets the same luck whatever happens before it.
Source of the hash: lowbias32 (C. Wellons, Prospecting for Hash Functions, 2018, public domain), twice.
"""

from __future__ import annotations

from models.distributions import BODY, BODY_BITS, TAIL, TAIL_BITS
from simulator.compiled import inlined
from simulator.requests.state import BESIDE, DRAWS, MASK, Loop


@inlined
def scrambled(x: int) -> int:
    """Return 32 well-mixed bits; products wrap at 64 bits, of which the low 32 are the same as without wrapping."""
    x ^= x >> 16
    x = (x * 0x7FEB352D) & MASK
    x ^= x >> 15
    x = (x * 0x846CA68B) & MASK
    return x ^ (x >> 16)


@inlined
def drawn(v: Loop, i: int) -> int:
    """Return the next 32 random bits of a token's request."""
    token = v.tokens[i]
    place = (int(token["luck"]) * DRAWS + int(token["draws"])) & MASK
    token["draws"] += 1
    return scrambled(scrambled(place) ^ int(v.clock[0]["seed"]))


@inlined
def value(v: Loop, table: int, bits: int) -> float:
    """Return the value of a table that 32 random bits choose."""
    at = bits >> (32 - BODY_BITS)
    if at >= BODY:
        at = BODY + ((bits >> (32 - TAIL_BITS)) & (TAIL - 1))
    return float(v.tables[table, at])


@inlined
def copy_of(v: Loop, i: int) -> int:
    """Return the station that a token comes to: the copy that its choices lead to, or any."""
    token = v.tokens[i]
    op = v.ops[token["pc"]]
    copies, span = int(op["copies"]), int(op["span"])
    if copies == 1:
        return int(op["at"])
    if op["pick"] < 0:
        if op["pick"] == BESIDE:
            return int(op["at"]) + int(v.tokens[i]["held"][op["span"]]) - int(op["stride"])
        return int(op["at"]) + ((drawn(v, i) * copies) >> 32)
    lane, chosen = int(token["lane"]), int(v.picked[i, op["pick"]])
    if op["parts"] > 0:
        group = (chosen + lane // span) % int(v.picks[op["pick"]]["count"])
        part = group * int(op["parts"]) + lane % span * int(op["stride"])
        return int(op["at"]) + int(v.places[op["places"] + part]) % copies
    first = int(v.picked[i, op["from_pick"]]) if op["from_pick"] >= 0 else 0
    if lane >= span > 1:
        chosen = (chosen + lane // span) % int(v.picks[op["pick"]]["count"])
    number = chosen * int(op["stride"]) + (first + lane) % span
    return int(op["at"]) + number % copies
