"""How many streams a resource has beside which requests are served, by what works do there."""

import numpy as np
import pytest
from numpy.typing import NDArray

from models.work import Resource, Resources, Use, Work, demand
from simulator.engine import Engine
from simulator.together.usage import Usage

DRIVES, ENDLESS = 10, 1e12


def make() -> tuple[Engine, list[Resource]]:
    """Return an engine of ten drives."""
    resources = Resources()
    drives = [resources.add(f"drive-{i}", kind="drive", group="drives", unit="s", capacity=1.0) for i in range(DRIVES)]
    return Engine(resources), drives


def streams_of(engine: Engine) -> NDArray[np.float64]:
    """Return the streams of each resource after a second."""
    usage = Usage(engine, 2)
    usage.wake()
    engine.run(until=1.0)
    return np.asarray(usage.streams(1)[:, 0])


def test_streams_that_read_from_all_drives_are_at_each_for_a_part_of_their_time() -> None:
    engine, drives = make()
    spread = demand([Use(drive, 1 / DRIVES, 1 / DRIVES) for drive in drives], max_rate=1.0)
    for _ in range(40):
        engine.execute(Work(ENDLESS, spread), lambda: None)
    assert streams_of(engine) == pytest.approx([4.0] * DRIVES)


def test_a_stream_that_writes_replicas_is_at_all_of_their_drives() -> None:
    engine, drives = make()
    engine.execute(Work(ENDLESS, demand([Use(drive, 1.0, 1.0) for drive in drives[:3]], max_rate=1.0)), lambda: None)
    assert streams_of(engine) == pytest.approx([1.0] * 3 + [0.0] * 7)


def test_works_that_stand_for_several_streams_count_as_these() -> None:
    engine, drives = make()
    many = demand([Use(drive, 1 / DRIVES, 1 / DRIVES) for drive in drives], max_rate=5.0, weight=5.0)
    engine.execute(Work(ENDLESS, many), lambda: None)
    assert streams_of(engine) == pytest.approx([0.5] * DRIVES)


def test_a_task_is_at_the_processors_where_it_spends_its_time() -> None:
    resources = Resources()
    own, other = (resources.add(name, kind="cpu", group="cpu", unit="s", capacity=1.0) for name in ("own", "other"))
    engine = Engine(resources)
    engine.execute(Work(ENDLESS, demand([Use(own, 9e-9), Use(other, 1e-9)], max_rate=1e6)), lambda: None)
    assert streams_of(engine) == pytest.approx([0.9, 0.1])
