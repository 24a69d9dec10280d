"""What is named as the limit of work after reading is what makes it faster when there is more of it."""

from __future__ import annotations

import pytest

from models.scenario import Scenario
from models.storage.flow import SLOTS
from simulator.run import simulate
from tests.models.jobs.test_lakehouse import engine, seconds, suite


def working(scenario: Scenario) -> tuple[float, str]:
    """Return the seconds of work after reading, and what limits them."""
    result = simulate(scenario)
    [limit] = [stage.bottleneck for stage in result.stages if stage.name == "working after reading"]
    assert limit is not None
    return seconds(result)["working after reading"], limit.resource


def with_slots(slots: float) -> Scenario:
    return suite(engine(work_cpu=100e-9).model_copy(update={"slots": slots}), gets=200, probes=0, lists=0)


def test_slots_limit_where_twice_as_many_spare_half() -> None:
    few, limit = working(with_slots(0.25))
    assert limit == SLOTS
    assert working(with_slots(0.5))[0] == pytest.approx(few / 2)


def test_processors_limit_where_slots_use_most_of_them() -> None:
    assert working(with_slots(1.0))[1].endswith("/cpu")


def test_requests_that_wait_for_nobody_are_limited_by_the_slots_that_send_them() -> None:
    """Drives that are mostly idle hold nobody up: twice the slots have twice the requests under way."""

    def reading(slots: float) -> tuple[float, str]:
        asked = engine(work_cpu=0.0).model_copy(update={"slots": slots})
        result = simulate(suite(asked, gets=2000, probes=0, lists=0))
        [limit] = [stage.bottleneck for stage in result.stages if stage.name == "reading"]
        assert limit is not None
        return seconds(result)["reading"], limit.resource

    few, limit = reading(0.25)
    assert limit == SLOTS
    assert reading(0.5)[0] < 0.7 * few
