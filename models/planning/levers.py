"""What could be bought better: the parts of a scenario, each a little faster or more, one at a time.

The gain of a lever is what the simulated job saves; it is worth at most that part of the yearly cost of all machines,
for which the same work would be done in less time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from models.quantity import stated
from models.scenario import Scenario

STEP = 0.1
"""Part by which a lever betters something. Assumption: the next better part of a price list is some 10 % away."""


@dataclass(frozen=True, slots=True)
class Lever:
    """One thing made better: what in words, and the scenario with it."""

    name: str
    scenario: Scenario


def levers(scenario: Scenario, step: float = STEP) -> list[Lever]:
    """Return the levers of a scenario: drives, cards, processors, memory, its bus, volumes, servers of each group."""
    changes = []
    for name, group in scenario.cluster.groups.items():
        for words, paths in _parts(scenario, name):
            data = scenario.cluster.model_dump()
            server = data["groups"][name]["server"]
            changed = [_better(server, path, step) for path in paths]
            if any(changed):
                changes.append(_lever(scenario, f"{name}: {words} {100 * step:g} % {_adverb(words)}", data))
        data = scenario.cluster.model_dump()
        data["groups"][name]["count"] = group.count + max(math.ceil(group.count * step), 1)
        changes.append(_lever(scenario, f"{name}: {data['groups'][name]['count'] - group.count} more servers", data))
    return [lever for lever in changes if lever is not None]


def _adverb(words: str) -> str:
    return "more" if words == "memory" else "faster"


def _parts(scenario: Scenario, group: str) -> Iterator[tuple[str, Sequence[tuple[str, ...]]]]:
    server = scenario.cluster.groups[group].server
    for bay in server.bays:
        drive = ("bays", bay, "drive")
        rates = [(*drive, key) for key in ("read_bandwidth", "write_bandwidth", "seek_time")]
        controller = [("controller", key) for key in ("read_bandwidth", "write_bandwidth")]
        yield f"{bay} drives", [*rates, *controller]
    for volume in server.volumes:
        yield f"{volume} volume", [("volumes", volume, key) for key in ("bandwidth", "iops")]
    if server.has_volumes:
        yield "links to volumes", [("volume_link", key) for key in ("bandwidth", "baseline")]
    yield "network cards", [("nic", key) for key in ("bandwidth", "flow_bandwidth", "baseline")]
    yield "processors", [("cpu", "speed")]
    yield "memory", [("memory", "size")]
    if math.isfinite(server.memory_limit):
        yield "memory bus", [("memory_bus", "bandwidth"), ("cpu", "memory_bandwidth")]


def _better(server: dict[str, Any], path: Sequence[str], step: float) -> bool:
    """Better one number of a server in place; tell whether there was one."""
    *above, key = path
    for name in above:
        server = server[name]
    value = server[key]
    if not value or math.isinf(value):
        return False
    server[key] = value / (1 + step) if key == "seek_time" else value * (1 + step)
    return True


def _lever(scenario: Scenario, name: str, cluster: dict[str, Any]) -> Lever | None:
    """Return the lever, None where the better cluster does not fit the storage system: sets of drives, racks."""
    data = scenario.model_dump() | {"cluster": cluster}
    try:
        return Lever(name, Scenario.model_validate(stated(data)))
    except ValidationError:
        return None
