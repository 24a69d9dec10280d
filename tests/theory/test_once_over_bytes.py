"""What a large request takes once of processors and drives, spread over its bytes: nothing lost, nobody slower."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from models.hardware.cluster import Layout
from models.outage import Outage
from models.storage.ceph.runtime import RUNTIME
from models.storage.ceph.system import Ceph
from models.storage.contract import ObjectStore
from models.storage.flow import Flow
from simulator.engine import Engine
from tests.models.machines import MB, hdd, layout, server

LARGE, SMALL = 64 * MB, 0.1 * MB
NAME = 9  # all of whose pieces lie on drives of their own: two on one drive wait for each other

Ask = Callable[[ObjectStore, Layout, float], Flow]


def put(store: ObjectStore, made: Layout, size: float) -> Flow:
    return store.write(NAME, made.groups["clients"][0], size=size)


def get(store: ObjectStore, made: Layout, size: float) -> Flow:
    return store.read(NAME, made.groups["clients"][0], size=size)


def asked(ask: Ask, size: float, *, spreads: bool) -> tuple[Layout, Flow]:
    """Return the flow of a lone request to hard drives, and where it goes."""
    made = layout(storage=(60, server(drives=3, drive=hdd())), gateways=(2, server()), clients=(1, server()))
    made.spreads_once = spreads
    spec = Ceph.model_validate({"system": "ceph", "servers": "storage", "gateways": "gateways"})
    return made, ask(RUNTIME.store(spec, made, 1, Outage()), made, size)


def went(ask: Ask, size: float, *, spreads: bool) -> tuple[float, list[float]]:
    """Return the seconds of a lone request, and what it takes of each resource."""
    made, flow = asked(ask, size, spreads=spreads)
    engine = Engine(made.resources)
    engine.execute(flow.move(size), lambda: None, 0)
    engine.run()
    return engine.now, list(engine.close().used)


@pytest.mark.parametrize("ask", [put, get])
def test_a_lone_request_takes_as_long_and_as_much_of_everything(ask: Ask) -> None:
    apart, together = (went(ask, LARGE, spreads=spreads) for spreads in (False, True))
    assert together[0] == pytest.approx(apart[0], rel=1e-3)
    assert together[1] == pytest.approx(apart[1], rel=1e-9)


@pytest.mark.parametrize("ask", [put, get])
def test_what_it_takes_once_is_many_works_apart_and_none_together(ask: Ask) -> None:
    assert asked(ask, LARGE, spreads=False)[1].opening
    assert not asked(ask, LARGE, spreads=True)[1].opening


@pytest.mark.parametrize("ask", [put, get])
@pytest.mark.parametrize("size", [SMALL, math.inf])
def test_a_request_whose_bytes_take_less_time_or_have_no_end_takes_it_first(ask: Ask, size: float) -> None:
    (_, apart), (_, together) = (asked(ask, size, spreads=spreads) for spreads in (False, True))
    assert together.opening
    assert together.latency == apart.latency
    assert [use[1:] for use in together.uses] == [use[1:] for use in apart.uses]
