"""A page cache by hand: a burst that fits is free, and then the device sets the pace."""

from __future__ import annotations

from functools import partial

import pytest

from models.hardware.server import Memory
from models.work import Pool, Resources, Use, Work, WriteBehind, demand
from simulator.engine import Engine
from tests.models.machines import layout, nvme, server

RATE = 10.0


class Cached:
    """A drive of 10 B/s behind a pool of dirty bytes."""

    def __init__(self, dirty: float) -> None:
        resources = Resources()
        drive = resources.add("drive", kind="drive", group="drive", unit="B", capacity=RATE)
        self.engine = Engine(resources)
        self.pool = Pool("dirty", dirty)
        self.wanted = demand([Use(drive, 1.0, 1.0)])

    def write(self, amount: float, done: list[float]) -> None:
        step = WriteBehind(self.pool, amount, Work(amount, self.wanted))
        self.engine.execute(step, lambda: done.append(self.engine.now))


def test_a_burst_that_fits_is_done_at_once_and_drains_at_the_rate_of_the_device() -> None:
    cached, done = Cached(30.0), list[float]()
    cached.write(30.0, done)
    cached.engine.run()
    assert done == [0.0]
    assert cached.engine.now == 3.0


def test_a_write_that_does_not_fit_waits_for_a_drain() -> None:
    cached, done = Cached(30.0), list[float]()
    for amount in (20.0, 10.0, 10.0):
        cached.write(amount, done)
    cached.engine.run()
    # two drains at 5 B/s: the 10 is out at 2, which lets the third in; the rest, 10 + 10, takes until 4
    assert done == [0.0, 0.0, 2.0]
    assert cached.engine.now == 4.0


def test_an_amount_above_the_pool_takes_all_of_it() -> None:
    cached, done = Cached(30.0), list[float]()
    for amount in (90.0, 10.0):
        cached.write(amount, done)
    cached.engine.run()
    assert done == [0.0, 9.0]
    assert cached.engine.now == 10.0


@pytest.mark.parametrize("pieces", [1, 10, 40])
def test_in_the_long_run_writes_are_done_at_the_rate_of_the_device(pieces: int) -> None:
    """One writer of pieces of 10 in a row: three drain at a time, and end together every 3 s."""
    cached, done = Cached(30.0), list[float]()

    def next_write() -> None:
        if len(done) < pieces:
            step = WriteBehind(cached.pool, 10.0, Work(10.0, cached.wanted))
            cached.engine.execute(step, written)

    def written() -> None:
        done.append(cached.engine.now)
        next_write()

    next_write()
    cached.engine.run()
    assert done == pytest.approx([3.0 * (piece // 3) for piece in range(pieces)])
    assert cached.engine.now == pytest.approx(pieces * 10 / RATE)


# through the page cache of a server


SPEED = 100e6  # B/s at which a drive writes
SERVER_MEMORY = 40e9


class Writing:
    """Writers on one server with some drives, of whose memory a share may be dirty."""

    def __init__(self, drives: int = 1, **memory: float) -> None:
        drive = nvme(write_bandwidth=SPEED)
        ratios = {"dirty_ratio": 0.2, "dirty_background_ratio": 0.1} | memory
        machines = layout(workers=(1, server(drives=drives, drive=drive, memory=Memory(size=SERVER_MEMORY, **ratios))))
        self.node = machines.nodes[0]
        self.cache = self.node.page_cache(0.0)
        self.engine = Engine(machines.resources)
        self.ended: list[float] = []

    def write(self, amount: float, drive: int = 0) -> None:
        step = self.cache.write(self.node.bays["data"][drive], amount)
        self.engine.execute(step, lambda: self.ended.append(self.engine.now))

    @property
    def room(self) -> float:
        return self.cache.room(self.node.bays["data"][0]).capacity


def test_room_lies_midway_between_where_both_thresholds_meet_and_the_limit() -> None:
    assert Writing().room == pytest.approx(0.175 * SERVER_MEMORY)
    assert Writing(dirty_background_ratio=0.5).room == pytest.approx(0.175 * SERVER_MEMORY)  # half of the limit then
    assert Writing(drives=4).room == pytest.approx(0.175 * SERVER_MEMORY / 4)


def test_write_larger_than_the_room_goes_at_the_speed_of_memory_while_there_is_room_and_of_the_drive_beyond() -> None:
    writing = Writing()
    writing.write(3 * writing.room)
    writing.engine.run()
    chunk = 3 * writing.room / 64
    assert writing.ended[0] == pytest.approx(2 * writing.room / SPEED, abs=2 * chunk / SPEED)
    assert writing.engine.now == pytest.approx(3 * writing.room / SPEED)  # every byte is drained


def test_equal_writers_of_a_drive_take_turns_chunk_by_chunk() -> None:
    """The first one fills the room before the others come, and ends that much earlier; these end together."""
    writing = Writing()
    for _ in range(5):
        writing.write(3 * writing.room)
    writing.engine.run()
    chunk = 3 * writing.room / 64
    assert writing.ended[-1] == pytest.approx(14 * writing.room / SPEED, rel=0.01)
    assert writing.ended[0] >= writing.ended[-1] - 5 * (writing.room + 5 * chunk) / SPEED
    assert writing.ended[1] >= writing.ended[-1] - 5 * chunk / SPEED


def test_large_files_keep_all_drives_busy_at_once() -> None:
    writing = Writing(drives=4)
    for drive in range(4):
        writing.write(3 * writing.room, drive)
    writing.engine.run()
    assert writing.engine.now == pytest.approx(3 * writing.room / SPEED)


def test_writer_to_an_idle_drive_does_not_wait_for_those_of_a_busy_one() -> None:
    writing = Writing(drives=2)
    for _ in range(4):
        writing.write(2 * writing.room, 0)
    writing.write(0.9 * writing.room, 1)
    writing.engine.run()
    assert writing.ended[0] == 0.0


def test_lone_writer_has_all_that_may_be_dirty_before_anybody_is_paused_however_many_drives_idle() -> None:
    """Twelve drives: its own has a twelfth of 17.5 %; it goes at the speed of memory up to 15 % of the memory."""
    writing = Writing(drives=12)
    amount = 0.2 * SERVER_MEMORY
    writing.write(amount)
    writing.engine.run()
    assert writing.ended[0] == pytest.approx(0.05 * SERVER_MEMORY / SPEED, abs=2 * amount / 64 / SPEED)
    assert writing.engine.now == pytest.approx(amount / SPEED)


def test_drive_that_comes_late_has_its_part_though_another_has_more_than_its_own() -> None:
    writing = Writing(drives=2)
    writing.write(SERVER_MEMORY, 0)  # fills 15 % at once, of which 8.75 % is its part
    writing.write(0.08 * SERVER_MEMORY, 1)
    writing.engine.run()
    assert writing.ended[0] == 0.0


def test_all_drives_together_hold_no_more_dirty_than_where_writers_and_drives_settle() -> None:
    """Each of four writers leaves dirty what its drive has a part of, whoever came first."""
    writing = Writing(drives=4)
    for drive in range(4):
        writing.write(4 * writing.room, drive)
    writing.engine.run()
    assert writing.ended == pytest.approx([3 * writing.room / SPEED] * 4, abs=2 * 4 * writing.room / 64 / SPEED)


def test_what_is_lent_goes_in_turn_to_the_writers_that_wait() -> None:
    """Room for 40 in common and for 10 of each writer's own, one drive of 10 B/s below them, pieces of 10."""
    cached, common = Cached(10.0), Pool("server", 40.0)
    rooms, done = [Pool(f"own {n}", 10.0, common) for n in range(2)], list[tuple[int, float]]()

    def note(writer: int) -> None:
        done.append((writer, cached.engine.now))

    for writer in (0, 0, 0, 0, 0, 0, 0, 1, 1, 1):
        piece = WriteBehind(rooms[writer], 10.0, Work(10.0, cached.wanted))
        cached.engine.execute(piece, partial(note, writer))
    cached.engine.run()
    assert done[:5] == [(0, 0.0)] * 4 + [(1, 0.0)]  # the common room to who came first, then each to his own
    five_drains_of_2, then_four = 5.0, 9.0  # seconds at which they end, together
    assert done[5:] == [*((writer, five_drains_of_2) for writer in (0, 1, 0, 1)), (0, then_four)]


@pytest.mark.parametrize("share", [0.5, 0.99, 1.01, 4.0])
@pytest.mark.parametrize("writers", [1, 3])
def test_writing_without_a_page_cache_is_never_faster(share: float, writers: int) -> None:
    cached, dry = Writing(), Writing(dirty_ratio=0.0)
    for _ in range(writers):
        cached.write(share * cached.room)
        dry.write(share * cached.room)
    cached.engine.run()
    dry.engine.run()
    assert max(cached.ended) <= max(dry.ended) * (1 + 1e-9)
    assert dry.engine.now == pytest.approx(writers * share * cached.room / SPEED)


@pytest.mark.parametrize(("through", "kept"), [(0.0, 1.0), (20e9, 1.0), (40e9, 1.0), (80e9, 0.5), (400e9, 0.1)])
def test_bytes_are_kept_as_far_as_they_were_the_latest(through: float, kept: float) -> None:
    assert Writing().cache.kept(through) == pytest.approx(kept)
