"""Cards with credits against the integral of a token bucket, in closed form and by brute force."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from pydantic import ValidationError

from models.bucket import Bucket
from models.hardware.server import Nic
from models.hardware.volume import Volume, VolumeLink
from models.work import Delay, Resource, Resources, Sequence, Step, Use, Work, demand
from simulator.engine import Engine
from tests.models.machines import GB, card, layout, server

FULL, BASELINE, SIZE = 10.0, 2.0, 400.0
"""Units a second with credits and without, and credits: 50 s at the full rate."""


def link(credits: float = SIZE) -> tuple[Engine, Resource]:
    resources = Resources()
    bucket = Bucket(BASELINE, credits)
    resource = resources.add("link", kind="nic-in", group="links", unit="B", capacity=FULL, bucket=bucket)
    return Engine(resources), resource


def moved(resource: Resource, amount: float, rate: float = math.inf) -> Work:
    return Work(amount, demand([Use(resource, 1.0, 1.0)], max_rate=rate))


def ends(*steps: Step, engine: Engine) -> list[float]:
    """Return when steps end that begin together (s)."""
    times = list[float]()
    for step in steps:
        engine.execute(step, lambda: times.append(engine.now))
    engine.run()
    engine.close()
    return times


@pytest.mark.parametrize("amount", [100.0, 499.0, 500.0, 700.0, 5000.0])
def test_a_transfer_has_the_burst_until_its_credits_are_used_up(amount: float) -> None:
    """(FULL - BASELINE) x 50 s = 400: the burst carries 500 in 50 s."""
    engine, resource = link()
    burst = min(amount, 500.0)
    assert ends(moved(resource, amount), engine=engine) == [pytest.approx(burst / FULL + (amount - burst) / BASELINE)]


def test_credits_last_longer_where_less_than_the_burst_is_taken() -> None:
    """400 credits at 6 - 2 a second last 100 s, in which 600 are moved."""
    engine, resource = link()
    assert ends(moved(resource, 800.0, rate=6.0), engine=engine) == [pytest.approx(100.0 + 200.0 / BASELINE)]


def test_a_transfer_below_the_baseline_takes_no_credits() -> None:
    engine, resource = link()
    steps = Sequence((moved(resource, 2000.0, rate=1.5), moved(resource, 500.0)))
    assert ends(steps, engine=engine) == [pytest.approx(2000.0 / 1.5 + 50.0)]


def test_what_is_not_taken_of_the_baseline_brings_credits_back() -> None:
    """After the burst a rest of 100 s brings back 200, half of what there was: 25 s of the burst."""
    engine, resource = link()
    steps = Sequence((moved(resource, 500.0), Delay(100.0), moved(resource, 250.0 + 20.0)))
    assert ends(steps, engine=engine) == [pytest.approx(50.0 + 100.0 + 25.0 + 20.0 / BASELINE)]


def test_credits_that_are_back_are_never_more_than_at_the_start() -> None:
    engine, resource = link()
    steps = Sequence((moved(resource, 100.0), Delay(1e6), moved(resource, 700.0)))
    assert ends(steps, engine=engine) == [pytest.approx(10.0 + 1e6 + 50.0 + 200.0 / BASELINE)]


def test_many_transfers_have_together_what_a_bucket_gives() -> None:
    """By brute force: what 20 transfers that come at random have moved in steps of a millisecond."""
    rng = np.random.default_rng(3)
    comes, amounts = np.sort(rng.uniform(0, 200, 20)), rng.uniform(20, 80, 20)
    engine, resource = link()
    times = list[float]()
    for come, amount in zip(comes, amounts, strict=True):
        work = moved(resource, float(amount), rate=4.0)
        engine.call_at(float(come), partial(engine.execute, work, lambda: times.append(engine.now)))
    engine.run()
    assert max(times) == pytest.approx(by_brute_force(comes, amounts), rel=0.01)


def by_brute_force(comes: np.ndarray, amounts: np.ndarray, step: float = 0.01) -> float:
    left, credits, time = amounts.copy(), SIZE, 0.0
    while left.any():
        active = (comes <= time) & (left > 0)
        capacity = FULL if credits > 0 else BASELINE
        share = min(4.0, capacity / max(active.sum(), 1))
        left[active] = np.maximum(left[active] - share * step, 0.0)
        credits = min(credits + (BASELINE - share * active.sum()) * step, SIZE)
        time += step
    return time


def test_an_idle_card_does_not_keep_a_run_going() -> None:
    engine, resource = link()
    ends(moved(resource, 500.0), engine=engine)
    assert engine.now == pytest.approx(50.0)


def test_each_direction_of_each_card_has_credits_of_its_own() -> None:
    """Two senders of 1 GB/s for a minute, to two receivers that have it for longer; the second sends half as much."""
    short = card(bandwidth=1 * GB, baseline=0.1 * GB, burst_time=60.0)
    made = layout(senders=(2, server(nic=short)), takers=(2, server(nic=card(bandwidth=1 * GB))))
    engine = Engine(made.resources)
    pairs = zip(made.groups["senders"], made.groups["takers"], (70 * GB, 35 * GB), strict=True)
    works = [Work(amount, demand(made.transfer(source, target))) for source, target, amount in pairs]
    assert sorted(ends(*works, engine=engine)) == [pytest.approx(35.0), pytest.approx(60.0 + 100.0)]


def test_a_baseline_is_below_the_burst() -> None:
    with pytest.raises(ValidationError, match="at most the burst"):
        Nic(bandwidth=1 * GB, baseline=2 * GB)


def test_attached_volumes_share_a_link_with_credits() -> None:
    """Two volumes of 1 GB/s read 30 GB each over a link of 1 GB/s for 40 s, then 0.1 GB/s."""
    link = VolumeLink(bandwidth=1 * GB, baseline=0.1 * GB, burst_time=40.0)
    volume = Volume(size=100 * GB, bandwidth=1 * GB)
    made = layout(servers=(1, server(volumes={"a": volume, "b": volume}, volume_link=link)))
    [node] = made.groups["servers"]
    works = [Work(30 * GB, node.volumes[name].read_demand()) for name in ("a", "b")]
    assert ends(*works, engine=Engine(made.resources)) == [pytest.approx(40.0 + 20 / 0.1)] * 2
