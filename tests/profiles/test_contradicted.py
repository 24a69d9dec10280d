"""Which documented rates the cards that their own source tells cannot carry, whatever runs on them."""

from __future__ import annotations

import pytest

from app.planning.loading import load_profile
from models import units
from models.jobs.object_load import ObjectLoad
from models.outcome import CONTRADICTED
from models.storage.ceph.system import Ceph
from profiles.loading.catalog import SHIPPED

PROFILES = sorted(path.stem for path in (SHIPPED.root / "published").glob("published-ceph-*.toml"))


def carried(servers: int, data: int, pieces: int, action: str) -> float:
    """Return the bytes that leave servers (GET), or arrive at them (PUT), at least for each byte of an object.

    A GET has the shards of others on their way to the primary, all of the object on its way to the gateway, which runs
    beside the primary once in as many servers, and to the client. A PUT has it arrive at the gateway, at the primary,
    and the other shards where they belong.
    """
    shards = (data - 1) / data if action == "get" else (pieces - 1) / data
    return 1 + (servers - 1) / servers + shards


@pytest.mark.parametrize("name", PROFILES)
def test_only_what_cards_cannot_carry_is_called_contradicted(name: str) -> None:
    loaded, outcomes = load_profile(name)
    scenario = loaded.scenario
    store, load = scenario.storage, scenario.workload
    rates = [outcome for outcome in outcomes if outcome.metric == "throughput" and not outcome.over]
    if not (isinstance(store, Ceph) and isinstance(load, ObjectLoad) and store.gateways == store.servers):
        assert all(outcome.role != CONTRADICTED for outcome in rates)
        return
    group, code = scenario.cluster.groups[store.servers], store.code
    (operation,) = load.mix.values()
    for outcome in rates:
        assert isinstance(outcome.value, float)
        rate = units.parse(f"{outcome.value} {outcome.unit}", "B/s")
        busiest = rate * carried(group.count, code.data, code.pieces, operation.action) / group.count
        assert (outcome.role == CONTRADICTED) == (busiest > group.server.nic.bandwidth), f"{outcome.id}: {busiest:.3g}"
