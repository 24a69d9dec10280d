"""Operating rules in words: what of the drives may be filled, and whose rules they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from models.planning.capacity import Planning
from models.scenario import Scenario
from models.units import format

KEY = "planning"
"""The key of a profile for its operating rules."""


def rules(scenario: Scenario, usual: Mapping[str, str]) -> str:
    """Return the operating rules of a scenario; `usual` names the parts that its profile takes without naming them."""
    stated = ", ".join(_words(scenario.planning or Planning())) or "drives may be full, nothing is reserved"
    if KEY in usual:
        return f"{stated} ({usual[KEY]}, the usual ones of '{scenario.storage.system}': the profile states none)"
    return stated


def _words(planning: Planning) -> Iterator[str]:
    if planning.fill_limit < 1:
        yield f"filled to {100 * planning.fill_limit:.3g} %"
    if planning.failures:
        yield f"room to rebuild {planning.failures} up to {100 * planning.rebuilt_fill:.3g} %"
    if planning.reserved_per_drive:
        yield f"{format(planning.reserved_per_drive, 'B')} of each drive reserved"
    if planning.reserved_per_server:
        yield f"{format(planning.reserved_per_server, 'B')} of each server reserved"
    if planning.server_limit < float("inf"):
        yield f"at most {format(planning.server_limit, 'B')} a server"
    if planning.object_size is not None:
        yield f"objects of {format(planning.object_size, 'B')}"
    if planning.compression_ratio != 1:
        yield f"compressed {planning.compression_ratio:g} : 1"
