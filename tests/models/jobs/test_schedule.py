"""When workloads run beside others, and what a schedule refuses."""

from __future__ import annotations

import pickle
from typing import Any, get_args

import numpy as np
import pytest
from pydantic import ValidationError

from models.jobs.kinds import Workload
from models.jobs.schedule import Schedule, scheduled
from models.jobs.scheduler import Queue, Scheduler
from models.jobs.storing import Storing
from models.jobs.workload import WorkloadModel

HOUR = 3600.0


def entry(**changes: Any) -> Any:
    return scheduled(Storing)(**{"kind": "storing", "data": 1.0, "name": "night"} | changes)


def starts(**changes: Any) -> tuple[float, ...]:
    times: tuple[float, ...] = entry(**changes).starts(np.random.default_rng(1))
    return times


def test_a_workload_runs_once_where_nothing_else_is_said() -> None:
    assert starts(start=60.0) == (60.0,)


def test_a_period_begins_at_the_start_and_ends_before_until() -> None:
    assert starts(start=HOUR, every=HOUR, until=4 * HOUR) == (HOUR, 2 * HOUR, 3 * HOUR)


def test_arrivals_from_a_list_come_in_order() -> None:
    assert starts(arrivals=(30.0, 10.0)) == (10.0, 30.0)


def test_arrivals_at_random_come_at_their_rate_between_start_and_until() -> None:
    times = starts(start=10.0, arrival_rate=1.0, until=1010.0)
    assert min(times) > 10.0
    assert max(times) < 1010.0
    assert len(times) == pytest.approx(1000, rel=0.1)


def test_a_later_run_is_due_as_much_later_as_it_begins() -> None:
    assert entry(start=HOUR, finish_by=3 * HOUR).due(25 * HOUR, HOUR) == 27 * HOUR


def test_the_rate_of_a_load_follows_the_hours_and_begins_again_after_a_day() -> None:
    from models.jobs.object_load import ObjectLoad, Operation

    hours = tuple(float(hour) for hour in range(24))
    mix = {"get": Operation(action="get", size=1e6)}
    load = scheduled(ObjectLoad)(
        kind="requests", name="s3", clients="c", rate=5.0, mix=mix, duration=HOUR, rate_by_hour=hours
    )
    assert [load.rate_at(time) for time in (0.0, 3.5 * HOUR, 25 * HOUR)] == [0.0, 3.0, 1.0]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"name": "night.1"}, "name = 'night.1': expected letters"),
        ({"every": 60.0}, "until: missing: with every the runs have no end"),
        ({"every": 60.0, "arrivals": (1.0,), "until": 90.0}, "arrivals: goes not with every"),
        ({"start": 60.0, "finish_by": 30.0}, "finish_by = '30 s': must come after the start"),
        ({"objectives": ("quick",)}, "objectives.0: expected a target"),
        ({"rate_by_hour": (1.0,) * 24}, "rate_by_hour: only a load of requests"),
    ],
)
def test_a_schedule_that_cannot_be_is_refused(changes: dict[str, Any], text: str) -> None:
    with pytest.raises(ValidationError) as error:
        entry(**changes)
    assert text in str(error.value)


def test_queues_without_a_capacity_share_what_the_others_leave() -> None:
    scheduler = Scheduler(queues={"a": Queue(capacity=0.5), "b": Queue(), "c": Queue()})
    assert [scheduler.claim(name) for name in "abc"] == [0.5, 0.25, 0.25]


def test_queues_that_promise_more_than_there_is_are_refused() -> None:
    with pytest.raises(ValidationError, match="120 %"):
        Scheduler(queues={"a": Queue(capacity=0.6), "b": Queue(capacity=0.6)})


def test_no_kind_of_workload_has_a_key_of_its_own_that_a_schedule_has() -> None:
    """How often it comes again is a key of all kinds, with one meaning."""
    kinds, shared, keys = get_args(get_args(Workload)[0]), set(WorkloadModel.model_fields), set(Schedule.model_fields)
    clashes = {kind.__name__: (set(kind.model_fields) - shared) & keys for kind in kinds}
    assert {name: clash for name, clash in clashes.items() if clash} == {}
    assert shared & keys == {"every"}


def test_a_workload_with_a_schedule_is_the_same_after_a_way_to_another_process() -> None:
    told = entry(every=100.0, until=300.0)
    assert pickle.loads(pickle.dumps(told)) == told


def test_workloads_that_do_the_same_are_equal_whenever_they_run_and_by_whatever_name() -> None:
    one = entry()
    assert one.once() == entry(name="day", start=60.0, share=2.0, finish_by=3600.0, queue="other").once()
    assert one.once() != entry(data=2.0).once()
    assert one.once() != entry(throttle=1.0).once()
