"""Those whom a station serves at once lie in the order in which they end, from wherever their place was sought."""

from __future__ import annotations

from typing import Any

import pytest

from models.distributions import fixed, lognormal
from models.requests import Closed, Kind, RequestRun, Station, Visit
from simulator.requests.loop import advance
from simulator.requests.program import assembled
from simulator.requests.queues import place_of
from simulator.requests.start import loop_state
from simulator.requests.state import NONE, TOKEN_MASK

CPU = Station("cpu", slots=16, copies=2, paces=tuple(1.0 - 0.02 * busy for busy in range(16)))
KINDS = (
    Kind("get", (Visit(CPU, lognormal(0.002, 1.0)), Visit(CPU, fixed(0.001)), Visit(CPU, fixed(0.02)))),
    Kind("head", (Visit(CPU, fixed(0.001)),)),
)


def served(loop: Any, station: int) -> list[int]:
    """Return whom a station serves, the first to end first."""
    tokens, at = [], int(loop.stations[station]["first"])
    while at != NONE:
        tokens.append(at)
        at = int(loop.services[at]["after"])
    return tokens


@pytest.fixture
def loop() -> Any:
    """Return a load on two stations, each of which serves many at once."""
    run = RequestRun("busy", KINDS, Closed(40), 4000)
    return loop_state(run, assembled(run), 3)


def test_those_in_service_lie_in_the_order_in_which_they_end(loop: Any) -> None:
    for target in range(50, 2000, 50):
        advance(loop, target)
        tokens = [served(loop, station) for station in range(CPU.copies)]
        for station, present in enumerate(tokens):
            targets = loop.services["target"][present].tolist()
            assert targets == sorted(targets)
            assert loop.services["before"][present].tolist() == [NONE, *present][:-1]
            assert len(present) == loop.stations[station]["present"]
            assert (loop.services["at"][present] == station).all()
        assert (loop.services["at"] != NONE).sum() == sum(map(len, tokens))


def test_a_place_is_the_same_from_wherever_it_is_sought(loop: Any) -> None:
    advance(loop, 500)
    tokens, elsewhere = served(loop, 0), served(loop, 1)
    targets = [float(loop.services[token]["target"]) for token in tokens]
    assert len(tokens) > 4
    for target in (0.0, *targets, targets[2] + 1e-9, targets[-1] + 1.0):
        behind = sum(other <= target for other in targets)  # of equals, whoever came first ends first
        place = ([NONE, *tokens][behind], [*tokens, NONE][behind])
        assert {place_of(loop, 0, near, target) for near in (*tokens, *elsewhere)} == {place}


def test_alarms_that_a_long_service_leaves_behind_take_no_room_of_other_events() -> None:
    """Each short one beside it sets the alarm anew, a hundred times as often as there is room, and goes elsewhere."""
    shared, link = Station("cpu", slots=16, paces=(1.0,) * 16), Station("link", slots=8)
    kinds = (
        Kind("long", (Visit(shared, fixed(5.0)),), weight=1),
        Kind("short", (Visit(shared, fixed(0.001)), Visit(link, fixed(0.001))), weight=1000),
    )
    run = RequestRun("beside a long one", kinds, Closed(8), 20000)
    loop = loop_state(run, assembled(run), 3)
    stale = 0
    for target in range(10, 10000, 10):
        advance(loop, target)
        gap, queued = int(loop.clock[0]["has_gap"]), int(loop.clock[0]["queued"])
        events = loop.keys[gap : gap + queued] & TOKEN_MASK
        assert len(events) < len(loop.times)
        assert len(set(events[events < 16])) == (events < 16).sum()  # each token at most once
        stale = max(stale, int((events >= 16).sum()))
        assert loop.clock[0]["alarms"] == (events >= 16).sum()
    assert stale == len(loop.times) - 17
