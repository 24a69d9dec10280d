"""How long data moves onto servers that have just come, on an idle cluster: a sample of it is simulated.

Each new server takes some steps of its part in, at the rates of drives, cards, uplinks and throttles; the whole takes
as many times as long. Where many servers come, fewer of them are simulated beside as many fewer of the others, unless
racks share uplinks.
"""

from __future__ import annotations

import math
from collections import Counter
from datetime import date

from models.build import data_stored, intakes, moving
from models.planning.growth import data_at, growth_of, scenario_at
from models.rebalance import Rebalance, before
from models.scenario import Scenario
from models.symmetry import WHOLE, layout_of
from simulator.engine import Engine
from simulator.rebalance import Rebalancing

STEPS = 4
"""Steps of each way that are simulated. Assumption: enough, as all servers go on alike."""

SERVERS = 8
"""Servers that come in the sample, where there are more: of the kind that came last. Assumption: all take in alike."""

SERVERS_A_PIECE = 2
"""Servers of the sample that were there before, for each piece of a block. Assumption: half of them are free."""

_known: dict[str, float] = {}


def just_come(scenario: Scenario, day: date, servers: int) -> Scenario | None:
    """Return a growing scenario as it stands on a day on which so many of its storage servers have just come.

    None where no data moves onto them, or where faults of a run would meet the rebalance, which is not modelled.
    """
    home, failures = scenario.storage.home, scenario.failures
    if not scenario.storage.rebalances or home is None or (failures is not None and failures.is_in_run):
        return None
    standing = scenario_at(scenario, day)
    if servers >= standing.cluster.groups[home[0]].count:
        return None
    rebalance = Rebalance(servers=servers, stored=data_at(scenario, day))
    return standing.model_copy(update={"rebalance": rebalance})


def arrivals(scenario: Scenario) -> list[tuple[date, int]]:
    """Return the days on which storage servers come while a scenario grows, and how many."""
    growth, home = growth_of(scenario), scenario.storage.home
    if home is None:
        return []
    came = Counter[date]()
    for expansion in growth.expansions:
        if (expansion.group or scenario.growing_group()) == home[0] and expansion.date <= growth.end():
            came[expansion.date] += expansion.servers
    return sorted(came.items())


def rebalance_time(scenario: Scenario) -> float:
    """Return the seconds until data has moved onto the servers that have just come, with nothing else to do.

    It is simulated once for all scenarios that share what it depends on; 0 where none has come.
    """
    if scenario.rebalance is None:
        return 0.0
    key = scenario.model_dump_json(include={"cluster", "storage", "rebalance", "workload", "workloads"})
    if key not in _known:
        _known[key] = _simulated(scenario)
    return _known[key]


def _simulated(scenario: Scenario) -> float:
    _, whole, drives = moving(scenario)
    if not whole:
        return 0.0
    small = _in_small(scenario)
    layout = layout_of(small, WHOLE)
    taken_in = intakes(small, layout, 0)
    engine = Engine(layout.resources)
    rebalancing = Rebalancing(engine, taken_in, STEPS)
    rebalancing.start()
    engine.run()
    _, part, fewer = moving(small)
    return rebalancing.sampled * (whole / drives) / (part / fewer)


def _in_small(scenario: Scenario) -> Scenario:
    """Return the scenario with some times fewer servers of each kind, and bytes, where no uplink is shared."""
    rebalance, home, network = scenario.rebalance, scenario.storage.home, scenario.cluster.network
    assert rebalance is not None  # the caller has asked
    assert home is not None  # else no data moves
    times = rebalance.servers / SERVERS
    if times <= 1 or (network.racks > 1 and network.oversubscription > 1):
        return scenario
    there = before(scenario.cluster, home[0], rebalance.servers).groups[home[0]]
    fewer = [batch.model_copy(update={"count": math.ceil(batch.count / times)}) for batch in there.batches()]
    first, *later = fewer
    old = there.model_copy(update={"count": sum(batch.count for batch in fewer), "later": tuple(later)})
    kinds = scenario.cluster.groups[home[0]].batches()
    group = old.with_more(SERVERS, kinds[-1].server).model_copy(update={"server": first.server})
    cluster = scenario.cluster.model_copy(
        update={
            "groups": {**scenario.cluster.groups, home[0]: group},
            "network": network.model_copy(update={"racks": 1}),
        }
    )
    small = scenario.model_copy(
        update={
            "cluster": cluster,
            "rebalance": rebalance.model_copy(update={"servers": SERVERS, "stored": data_stored(scenario) / times}),
        }
    )
    code = scenario.storage.redundancy(cluster)
    return small if code is not None and SERVERS_A_PIECE * code.pieces <= old.count else scenario
