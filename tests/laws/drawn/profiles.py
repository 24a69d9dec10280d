"""Profiles drawn of all that the library has, the same for a number each time: any store, work, server and drive.

A store with what runs on it, as somebody might put them together: on servers of its own or on those that compute, of a
kind or of several, in racks, with settings turned, alone or with other work beside it, and something that fails.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from random import Random

from pydantic.fields import FieldInfo

from models.failures import Failures, Fault
from models.problem import RefusalError
from models.quantity import extra
from models.scenario import Scenario
from profiles.loading import catalog
from profiles.loading.loader import load_text
from profiles.text.dump import dump
from profiles.text.lines import Key
from profiles.text.schema import Shape
from profiles.text.tree import Leaf
from tests.laws.drawn.library import (
    DRIVES,
    ENTRIES,
    INSTANCES,
    SERVERS,
    Data,
    part,
    server,
    settings,
    shipped,
    with_names,
)
from tests.laws.drawn.work import work

COMPUTE, STORE, OTHERS = "workers", "storage", "gateways"
TURNED = 3
"""Settings that are turned at most, each to another choice or by a factor of two."""


@dataclass(frozen=True)
class Failing:
    """Something that fails in a profile: what, by its name, and after which part of the time without it."""

    component: str
    after: float
    replaced: float

    def in_(self, scenario: Scenario, duration: float) -> Scenario:
        """Return the scenario in which it fails, which without it takes so long (s).

        Raises:
            RefusalError: its workload cannot meet that.
        """
        fault = Fault(at=self.after * duration, component=self.component)
        failures = Failures(faults=(fault,), replacement_time=self.replaced)
        return Scenario.model_validate(scenario.model_copy(update={"failures": failures}))


@cache
def text(number: int) -> str:
    """Return the profile of a number."""
    draw = Random(f"drawn {number}")
    data = _profile(draw, number)
    turned = _turned(draw, data)
    return dump(turned)


def scenario(number: int) -> Scenario:
    """Return the profile of a number as a scenario.

    Raises:
        ProblemError: what was drawn does not go together.
    """
    return load_text(text(number), Scenario).scenario


def failing(number: int) -> Failing | None:
    """Return what fails in the profile of a number; in most of them nothing does."""
    draw = Random(f"failing {number}")
    if draw.random() > 0.3:
        return None
    groups = load_text(text(number), Scenario).scenario.cluster.groups
    name = draw.choice([*groups, "rack"])
    if name == "rack":
        return Failing("rack-1", draw.uniform(0.1, 0.9), 1.0)
    of = f"{name}-{draw.randint(1, groups[name].count)}"
    bays = groups[name].server.bays
    if bays and draw.random() < 0.5:
        bay = draw.choice([*bays])
        of = f"{name}-1/{bay}-{draw.randint(1, bays[bay].count)}"
    return Failing(of, draw.uniform(0.1, 0.9), draw.choice((0.0, 1.0, 60.0)))


def _profile(draw: Random, number: int) -> Data:
    workers = draw.choice((1, 2, 3, 3, 4, 5, 6, 8))
    stores = draw.choice((2, 3, 4, 4, 5, 6, 8, 9, 12, 14))
    counts = {COMPUTE: workers, STORE: stores, OTHERS: draw.choice((1, 2))}
    groups = {name: _group(draw, count) for name, count in counts.items()}
    data: Data = {"profile": {"title": f"Drawn profile {number}"}, "cluster": {"groups": groups}}
    if draw.random() < 0.3:
        data["cluster"]["network"] = {
            "racks": draw.choice((2, 3)),
            "oversubscription": draw.choice((1.0, 2.0, 4.0)),
        }
    data["storage"], client = _store(draw)
    many = draw.choice((2, 3)) if draw.random() < 0.2 else 1
    jobs = [work(draw, workers, is_alone=many == 1) for _ in range(many)]
    client = draw.choice([client, *(brought for _, brought in jobs)])
    if draw.random() < 0.2:
        client = {"use": draw.choice(catalog.names("clients"))}
    if client is not None and draw.random() < 0.7:
        data["client"] = client
    if many == 1:
        ((data["workload"], _),) = jobs
    else:
        data["workloads"] = [{"name": f"work-{i}", **_schedule(draw), **job} for i, (job, _) in enumerate(jobs)]
    return _named(draw, data)


def _schedule(draw: Random) -> Data:
    """Return when a workload comes beside others, mostly once."""
    start = draw.choice((0, 0, 5, 30))
    again = {"every": "40 s", "until": f"{start + 100} s"} if draw.random() < 0.2 else {}
    return {"start": f"{start} s", **again, **({"throttle": "200 MB/s"} if draw.random() < 0.1 else {})}


def _store(draw: Random) -> tuple[Data, Data | None]:
    if draw.random() < 0.6:
        return part("storage", draw.choice(catalog.names("storage"))), None
    whole = shipped(draw.choice(ENTRIES))
    return whole["storage"], whole.get("client")


def _group(draw: Random, count: int) -> Data:
    machine = _server(draw)
    group: Data = {"count": count, "server": machine}
    if count > 1 and draw.random() < 0.2:
        other = _server(draw)
        other["bays"] = {bay: _drives(draw, {}) for bay in machine["bays"]}
        if draw.random() < 0.5:  # the same servers with other drives
            other = machine | {"bays": other["bays"]}
        group["later"] = [{"count": draw.randint(1, count - 1), "server": other}]
    return group


def _server(draw: Random) -> Data:
    machine = server(draw.choice(draw.choice((SERVERS, SERVERS, INSTANCES))))
    bays = machine.setdefault("bays", {})
    if not bays:
        bays["data"] = _drives(draw, {})
    first = next(iter(bays))
    if draw.random() < 0.5:
        bays[first]["count"] = draw.choice((1, 2, 2, 4, 4, 8, 8, 12, 24))
    if draw.random() < 0.3:
        bays[first] = _drives(draw, bays[first])
    if draw.random() < 0.2:
        bays["more"] = _drives(draw, {})
    if draw.random() < 0.5:
        machine["memory"]["size"] = f"{draw.choice((8, 16, 32, 64, 256))} GiB"
    if draw.random() < 0.3:
        cores = draw.choice((2, 8, 16, 32, 64))
        machine["cpu"] |= {"cores": cores, "threads": 2 * cores}
    if draw.random() < 0.2:
        rate, links = draw.choice((1, 2.5, 10, 40, 200, 400)), draw.choice((1, 2))
        machine["nic"] = {"bandwidth": f"{rate} Gbit/s", "links": links}
    return machine


def _drives(draw: Random, bay: Data) -> Data:
    count = bay.get("count") or draw.choice((1, 2, 4, 8, 12))
    return {"drive": {"use": draw.choice(DRIVES)}, "count": count}


def _named(draw: Random, data: Data) -> Data:
    """Return a profile in which parts name groups of its cluster, and drives of their servers."""
    groups = data["cluster"]["groups"]
    home = draw.choice((STORE, STORE, COMPUTE))

    def group(leaf: Leaf, key: Key) -> Leaf:
        if key[0] == "storage":
            return replace(leaf, value=home if key[-1] == "servers" else draw.choice((home, OTHERS)))
        if "origin" in key:
            return replace(leaf, value=draw.choice((STORE, home)) if key[-1] == "servers" else STORE)
        return replace(leaf, value=OTHERS if draw.random() < 0.1 or key[-1] == "driver" else COMPUTE)

    def place(leaf: Leaf, key: Key) -> Leaf:
        machine = groups[home if key[0] == "storage" else STORE if "origin" in key else COMPUTE]["server"]
        return replace(leaf, value=draw.choice([*machine["bays"], *machine.get("volumes", {})]))

    return with_names(data, group, place)


def _turned(draw: Random, data: Data) -> Data:
    """Return a profile with a few settings turned, the same where what was drawn does not go together anyway."""
    count = draw.randint(0, TURNED)
    try:
        whole = load_text(dump(data), Scenario).scenario
    except RefusalError:
        return data
    for _ in range(count):
        at = draw.choice([key for key in ("storage", "client", "workload") if data.get(key)])
        key, value, info = draw.choice(settings(getattr(whole, at)))
        table = data[at]
        for step in key[:-1]:
            table = table.setdefault(step, {})
        table[key[-1]] = _other(draw, value, info)
    return data


def _other(draw: Random, value: object, info: FieldInfo) -> object:
    """Return another choice, or half of a number or twice."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, dict):
        return value
    if not isinstance(value, (int, float)):
        return draw.choice(Shape(info.annotation).choices)
    factor, unit = draw.choice((0.5, 2.0)), extra(info).get("unit")
    other = max(round(value * factor), 1) if isinstance(value, int) else value * factor
    return f"{other:g} {unit}" if unit else other
