from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from models.work import Delay, Demand, Parallel, Resource, Resources, Sequence, Use, Work, demand
from simulator.engine import Engine
from simulator.fluid.activities import BINS, FIRST_WIDTH
from simulator.fluid.recorder import Books, spread


class Network:
    """Two drives of 10 B/s in one group, and a link of 12 B/s."""

    def __init__(self) -> None:
        self.resources = Resources()
        self.drives = [self._add(f"drive-{n}", "drives", 10.0) for n in range(2)]
        self.link = self._add("link", "links", 12.0)
        self.engine = Engine(self.resources)

    def _add(self, name: str, group: str, capacity: float) -> Resource:
        return self.resources.add(name, kind="any", group=group, unit="B", capacity=capacity)

    def start(self, amount: float, wanted: Demand, *, tag: int = 0, after: float = 0.0) -> None:
        self.engine.execute(Sequence([Delay(after), Work(amount, wanted)]), lambda: None, tag)

    def run(self, until: float | None = None) -> Books:
        self.engine.run(until)
        return self.engine.close()


@pytest.fixture
def network() -> Network:
    return Network()


def test_what_is_used_counts_cost_and_bytes_apart(network: Network) -> None:
    network.start(30.0, demand([Use(network.drives[0], 0.5, 4.0), Use(network.link, 1.0)]))
    books = network.run()
    assert books.time == 2.5
    assert books.used.tolist() == [15.0, 0.0, 30.0]
    assert books.bytes.tolist() == [120.0, 0.0, 0.0]
    assert books.busy.tolist() == [1.5, 0.0, 2.5]
    assert books.mean.tolist() == pytest.approx([0.6, 0.0, 1.0])
    assert books.peak.tolist() == pytest.approx([0.6, 0.0, 1.0])


def test_works_that_are_partly_done_count_for_the_part(network: Network) -> None:
    network.start(100.0, demand([Use(network.drives[0], 1.0, 1.0)]))
    network.start(100.0, demand([Use(network.drives[0], 1.0, 2.0)]))
    books = network.run(until=4.0)
    assert books.used.tolist() == [40.0, 0.0, 0.0]
    assert books.bytes.tolist() == [60.0, 0.0, 0.0]


def test_blame_goes_to_the_group_that_limits_and_to_the_cap_in_words(network: Network) -> None:
    over = [demand([Use(drive, 1.0), Use(network.link, 1.0)]) for drive in network.drives]
    capped = demand([Use(network.link, 1.0)], max_rate=2.0, cap="one core a task")
    network.start(10.0, over[0], tag=0)  # 5 B/s while the link is shared by three
    network.start(20.0, over[1], tag=1)  # the same until 2, then 10 B/s by its drive until 3
    network.start(8.0, capped, tag=1)
    books = network.run()
    assert books.blame == pytest.approx(
        {(0, "links"): 2.0, (1, "links"): 2.0, (1, "drives"): 1.0, (1, "one core a task"): 4.0}
    )


def test_a_cap_named_like_a_group_is_booked_with_it(network: Network) -> None:
    network.start(10.0, demand([Use(network.drives[0], 1.0)]))
    network.start(10.0, demand([Use(network.link, 1.0)], max_rate=5.0, cap="drives"))
    assert network.run().blame == pytest.approx({(0, "drives"): 3.0})


@pytest.mark.parametrize("rate", [10.0, 10.0 / 3, 0.1])
def test_of_two_limits_that_bind_at_once_the_one_added_first_is_blamed(rate: float) -> None:
    resources = Resources()
    groups = ["out"] * 3 + ["in"] * 3
    ports = [resources.add(f"p{n}", kind="nic", group=g, unit="B", capacity=rate) for n, g in enumerate(groups)]
    engine = Engine(resources)
    for i in range(3):
        for j in range(3):
            engine.execute(Work(1.0, demand([Use(ports[3 + j], 1.0), Use(ports[i], 1.0)])), lambda: None)
    engine.run()
    assert engine.close().blame == pytest.approx({(0, "out"): 9 * 3 / rate})


def test_blame_of_like_works_counts_each_of_them(network: Network) -> None:
    alone = demand([Use(network.drives[0], 1.0)])
    for _ in range(3):
        network.start(10.0, alone)
    network.start(5.0, alone, after=4.0)
    # three works for 3 s, nobody until 4, one for 0.5 s
    assert network.run().blame == pytest.approx({(0, "drives"): 9.5, (0, "latencies"): 4.0})


def test_a_resource_that_is_added_after_the_run_began_is_refused_by_its_name(network: Network) -> None:
    late = network._add("late", "links", 10.0)
    with pytest.raises(ValueError, match="resource 'late' was added after the run began"):
        network.start(1.0, demand([Use(late, 1.0)]))


def test_a_delay_is_booked_on_what_it_stands_for(network: Network) -> None:
    network.engine.execute(Sequence((Delay(2.0, "container starts"), Delay(1.0))), lambda: None)
    assert network.run().blame == {(0, "container starts"): 2.0, (0, "latencies"): 1.0}


def test_lanes_share_each_second_of_what_waits_for_them(network: Network) -> None:
    """Four lanes hold a task up for 2 s, as one work holds up another: each counts for a quarter of that."""
    lanes = Parallel([Work(5.0, demand([Use(network.drives[0], 1.0)]))] * 4)
    network.engine.execute(Sequence((lanes, Delay(3.0))), lambda: None)
    network.start(6.0, demand([Use(network.drives[1], 1.0)], max_rate=2.0, cap="one stream"))
    assert network.run().blame == pytest.approx({(0, "drives"): 2.0, (0, "latencies"): 3.0, (0, "one stream"): 3.0})


def test_what_a_lane_begins_once_others_have_ended_counts_for_more(network: Network) -> None:
    """The first second counts for both of two lanes, the two that follow for the one that is left."""
    lanes = Parallel((Delay(1.0, "short"), Sequence((Delay(1.0, "long"), Delay(2.0, "alone")))))
    network.engine.execute(lanes, lambda: None)
    assert network.run().blame == pytest.approx({(0, "short"): 0.5, (0, "long"): 0.5, (0, "alone"): 2.0})


def test_lanes_within_a_lane_share_what_it_has(network: Network) -> None:
    inner = Parallel((Delay(1.0, "inner"), Delay(1.0, "inner"), Delay(1.0, "inner")))
    network.engine.execute(Parallel((inner, Delay(1.0, "outer"))), lambda: None)
    assert network.run().blame == pytest.approx({(0, "inner"): 0.5, (0, "outer"): 0.5})


def test_what_holds_works_up_is_known_while_they_are_under_way(network: Network) -> None:
    for _ in range(2):
        network.start(10.0, demand([Use(network.drives[0], 1.0)]))
    network.engine.run(until=0.5)
    assert network.engine.held_up(0).works == pytest.approx({"drives": 1.0})
    network.engine.run(until=0.75)
    assert network.engine.held_up(0).works == pytest.approx({"drives": 1.5})
    assert network.run().blame == pytest.approx({(0, "drives"): 4.0})


def test_a_drive_that_gives_all_it_has_to_its_streams_is_fully_busy() -> None:
    resources = Resources()
    drive = resources.add("drive", kind="drive", group="drives", unit="B", capacity=(10.0, 4.0))
    engine = Engine(resources)
    for amount in (4.0, 14.0):
        engine.execute(Work(amount, demand([Use(drive, 1.0)])), lambda: None)
    engine.run()
    books = engine.close()
    assert books.time == 3.0  # 2 s at 2 + 2 B/s, then 10 left at 10 B/s
    assert books.busy.tolist() == [3.0]
    assert books.utilization == pytest.approx(np.ones_like(books.utilization))


def test_the_series_shows_when_it_was_busy(network: Network) -> None:
    network.start(10.0, demand([Use(network.drives[0], 1.0)], max_rate=5.0), after=2.0)
    books = network.run(until=8.0)
    middle = (np.arange(books.utilization.shape[1]) + 0.5) * books.bin_width
    expected = np.where((middle > 2.0) & (middle < 4.0), 0.5, 0.0)
    assert books.utilization[0] == pytest.approx(expected)


@pytest.mark.parametrize("end", [0.1, 0.25, 3.0, 1000.0])
def test_bins_double_their_width_until_the_run_fits(network: Network, end: float) -> None:
    network.start(end * 5.0, demand([Use(network.drives[0], 1.0)], max_rate=5.0))
    books = network.run()
    bins = books.utilization.shape[1]
    assert books.bin_width in {FIRST_WIDTH * 2**n for n in range(40)}
    assert (bins - 1) * books.bin_width < end <= bins * books.bin_width
    assert bins >= BINS / 2 or books.bin_width == FIRST_WIDTH
    assert books.utilization[0] == pytest.approx(np.full(bins, 0.5))


def test_nothing_has_been_used_at_the_start(network: Network) -> None:
    books = network.engine.close()
    assert books.used.tolist() == books.mean.tolist() == books.peak.tolist() == [0.0, 0.0, 0.0]
    assert books.blame == {}


@given(st.floats(0, 64), st.floats(0, 64), st.floats(0.01, 1))
def test_what_is_spread_over_bins_adds_up(one: float, other: float, share: float) -> None:
    bins = np.zeros((16, 2))
    start, end = sorted((one, other))
    spread(bins, 1, start, end, share, 4.0)
    assert bins[:, 0].sum() == 0.0
    assert bins[:, 1].sum() == pytest.approx(share * (end - start), abs=1e-12)
    assert bins.max() <= share * 4.0 * (1 + 1e-12)
