"""A drive's cost of a byte, and what n streams make of it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from models.hardware.drive import Access, Direction, Drive, chunk_from_rates, interleaved_rate
from models.hardware.drive_classes import INNER, outermost
from tests.models.machines import MB, hdd, nvme

# The drives of an h1.16xlarge as the MinIO benchmark measured them: dd for a lone stream, iozone with 32 streams on
# 8 drives, 1260 MB/s read and 655 MB/s written in all.
READERS, WRITERS = 1260 / 8 * MB, 655 / 8 * MB
H1 = Drive(
    technology="hdd",
    capacity=2e12,
    read_bandwidth=205 * MB,
    write_bandwidth=137 * MB,
    seek_time=0.0085,
    read_chunk=chunk_from_rates(205 * MB, READERS, 0.0085),
    write_chunk=chunk_from_rates(137 * MB, WRITERS, 0.0085),
    writeback_chunk=4194304.0,
    mixed_chunk=0.47 * MB,
)
PATHS: list[tuple[Direction, Access]] = [
    ("read", "direct"),
    ("read", "buffered"),
    ("read", "mixed"),
    ("write", "direct"),
    ("write", "buffered"),
    ("write", "mixed"),
]


def total_rate(drive: Drive, way: Direction, access: Access, streams: int) -> float:
    """Return the rate (B/s) of equal streams together, as the engine shares it."""
    cost, alone = drive.write_cost(access), drive.write_bandwidth
    if way == "read":
        cost, alone = drive.read_cost(access), drive.read_bandwidth
    table = drive.stream_capacity()
    return min(table[min(streams, len(table)) - 1] / cost, streams * alone)


SPEEDS = {"capacity": 2e12, "read_bandwidth": 200 * MB, "write_bandwidth": 200 * MB}


@pytest.mark.parametrize(
    ("capacity", "rpm", "rate"),
    [(1, 7200, 105), (4, 7200, 173), (16, 7200, 268), (4, 5400, 150), (0.6, 10_000, 168)],
)
def test_a_hard_drive_that_states_its_class_alone_is_as_fast_as_data_sheets_say(
    capacity: float, rpm: int, rate: float
) -> None:
    drive = Drive.model_validate({"technology": "hdd", "capacity": capacity * 1e12, "rpm": rpm})
    assert drive.read_bandwidth == drive.write_bandwidth == pytest.approx(0.88 * rate * MB, rel=0.12)
    seek_and_half_a_turn = {5400: 16.6e-3, 7200: 12.7e-3, 10_000: 7e-3}[rpm]
    assert drive.access_time() == pytest.approx(seek_and_half_a_turn, rel=0.02)
    assert drive.stream_capacity()[0] > 1  # streams seek


@pytest.mark.parametrize("part", [0.01, 0.25, 0.5, 1.0])
def test_the_outermost_part_of_a_drive_takes_the_time_of_its_tracks(part: float) -> None:
    steps = 100_000
    areas = (part * (step + 0.5) / steps for step in range(steps))
    seconds = sum(1 / math.sqrt(1 - area * (1 - INNER**2)) for area in areas) / steps
    assert outermost(part) == pytest.approx(1 / seconds, rel=1e-6)


@pytest.mark.parametrize(("stroke", "part"), [(1.0, 0.88), (0.5, 0.88), (0.25, 0.934), (0.01, 0.981)])
def test_a_drive_of_which_little_is_filled_is_faster_up_to_what_a_file_system_leaves_of_its_outer_tracks(
    stroke: float, part: float
) -> None:
    drive = Drive.model_validate({"technology": "hdd", "capacity": 1e12, "stroke": stroke})
    assert drive.read_bandwidth == drive.write_bandwidth == pytest.approx(part * 110 * MB, rel=1e-3)
    stated = Drive.model_validate({"technology": "hdd", "capacity": 1e12, "stroke": stroke, "read_bandwidth": 1e8})
    assert stated.read_bandwidth == 1e8


def test_flash_that_states_its_link_alone_is_as_its_class() -> None:
    drive = Drive.model_validate({"technology": "nvme", "capacity": 3.84e12, "interface": "pcie-4"})
    assert (drive.read_bandwidth, drive.write_bandwidth, drive.seek_time) == (6700 * MB, 4000 * MB, 0)
    with pytest.raises(ValueError, match="read_bandwidth: missing; state it, or the interface"):
        Drive.model_validate({"technology": "nvme", "capacity": 3.84e12})


@pytest.mark.parametrize(
    ("capacity", "times"), [(3.84, 1), (6.4, 2), (1.6, 2), (7.68, 1), (2.0, 1), (0.2, 1), (4.0, 1)]
)
def test_flash_on_pcie_with_the_capacities_for_mixed_use_sustains_twice_the_writes(capacity: float, times: int) -> None:
    drive = Drive.model_validate({"technology": "nvme", "capacity": capacity * 1e12, "interface": "pcie-4"})
    assert drive.flash is not None
    assert drive.flash.of("write") == (16e-6, times * 170e3)
    assert drive.flash.of("read") == (80e-6, 1e6)
    sata = Drive.model_validate({"technology": "ssd", "capacity": capacity * 1e12})
    assert sata.flash is not None
    assert sata.flash.of("write") == (50e-6, 30e3)
    stated = drive.model_copy(update={"write_iops": 50e3})
    assert stated.flash is not None
    assert stated.flash.of("write") == (16e-6, 50e3)


def test_streams_on_a_drive_without_seeks_share_all_that_it_does() -> None:
    assert Drive.model_validate({"technology": "hdd", "seek_time": "0 s", **SPEEDS}).stream_capacity() == (1.0,)
    assert Drive.model_validate({"technology": "ssd", **SPEEDS}).seek_time == 0


def test_a_chunk_without_a_seek_time_is_refused_since_it_does_nothing() -> None:
    refused = "read_chunk: acts only with a seek_time; state that, too, or remove read_chunk"
    with pytest.raises(ValueError, match=refused):
        Drive.model_validate({"technology": "ssd", "read_chunk": "1 MB", **SPEEDS})


@pytest.mark.parametrize(("way", "access"), PATHS)
def test_a_lone_stream_gets_the_sequential_rate(way: Direction, access: Access) -> None:
    assert total_rate(H1, way, access, 1) == pytest.approx({"read": 205 * MB, "write": 137 * MB}[way])


def test_four_readers_of_an_h1_drive_share_what_iozone_measured() -> None:
    assert total_rate(H1, "read", "direct", 4) == pytest.approx(157.5 * MB)


def test_four_direct_writers_of_an_h1_drive_share_what_iozone_measured() -> None:
    assert total_rate(H1, "write", "direct", 4) == pytest.approx(81.875 * MB)


def test_page_cache_writes_longer_runs_than_direct_writers() -> None:
    # 4 MiB a seek: 4.194 MB / (4.194 MB / 137 MB/s + 8.5 ms) = 4.194 / (0.030615 + 0.0085) = 107.2 MB/s
    assert total_rate(H1, "write", "buffered", 4) == pytest.approx(107.2 * MB, rel=1e-3)


def test_reads_and_writes_that_meet_seek_most() -> None:
    # 0.47 MB a seek: 0.47 / (0.47 / 205 + 0.0085) = 43.55 MB/s read, 0.47 / (0.47 / 137 + 0.0085) = 39.40 MB/s written
    assert total_rate(H1, "read", "mixed", 64) == pytest.approx(43.55 * MB, rel=1e-3)
    assert total_rate(H1, "write", "mixed", 64) == pytest.approx(39.40 * MB, rel=1e-3)


def test_interleaved_streams_share_c_over_c_by_s_plus_t() -> None:
    # 1 MB takes 5 ms at 200 MB/s and 10 ms to seek: 15 ms, 66.7 MB/s
    assert interleaved_rate(200 * MB, 0.010, 1 * MB) == pytest.approx(1 * MB / 0.015)


@pytest.mark.parametrize("streams", [2, 3, 100])
def test_more_streams_than_two_share_the_same_total(streams: int) -> None:
    assert total_rate(hdd(), "read", "direct", streams) == pytest.approx(interleaved_rate(200 * MB, 0.010, 1 * MB))


def test_segments_shorter_than_a_chunk_cost_a_seek_each() -> None:
    # 0.1 MB: 0.5 ms to read, 10 ms to seek
    assert hdd().read_cost(segment=0.1 * MB) * 0.1 * MB == pytest.approx(0.0105)


def test_segments_longer_than_a_chunk_change_nothing() -> None:
    assert hdd().read_cost(segment=5 * MB) == hdd().read_cost()


@pytest.mark.parametrize("streams", [1, 2, 50])
def test_drive_without_seeks_gives_any_number_of_streams_its_sequential_rate(streams: int) -> None:
    assert nvme().stream_capacity() == (1.0,)
    assert total_rate(nvme(), "read", "mixed", streams) == pytest.approx(2e9)
    assert total_rate(nvme(), "write", "mixed", streams) == pytest.approx(1e9)


def test_segments_cost_flash_an_operation_unless_their_bytes_cost_more() -> None:
    assert nvme(read_iops=500e3).read_cost(segment=1000) == pytest.approx(1 / 500e3 / 1000)
    assert nvme(read_iops=500e3).read_cost(segment=4096) == pytest.approx(1 / 2e9, rel=0.05)
    assert nvme(read_iops=500e3).read_cost(segment=1e6) == pytest.approx(1 / 2e9)


def test_of_half_its_time_a_drive_takes_twice_as_long_for_bytes_seeks_turns_and_operations() -> None:
    cached = nvme(sustained_write=250 * MB, write_cache=1e9, read_iops=500_000, read_latency=100e-6)
    for whole in (hdd(rpm=7200), cached):
        half = whole.slowed(0.5)
        taken = [(drive.read_cost(), drive.write_cost(lasting=True), drive.access_time()) for drive in (whole, half)]
        assert taken[1] == pytest.approx([2 * seconds for seconds in taken[0]])


def test_a_lone_access_to_flash_lasts_its_latency_of_which_the_drive_is_busy_for_an_operation() -> None:
    drive = nvme(read_iops=500_000, read_latency=100e-6)
    assert (drive.access_time(), drive.access_delay()) == pytest.approx((2e-6, 98e-6))
    assert hdd().access_delay() == 0


def test_the_cost_of_bytes_contains_a_seek_for_each_chunk_of_their_direction_or_on_flash_all_of_an_operation() -> None:
    drive = hdd(read_chunk=4 * MB, write_chunk=1 * MB)
    assert [drive.contained(way, 8 * MB) for way in ("read", "write")] == pytest.approx([0.020, 0.080])
    assert drive.contained("read", 8 * MB, segment=2 * MB) == pytest.approx(0.040)
    assert nvme().contained("write", 8 * MB) == pytest.approx(0.008)


def test_interleaved_rate_not_below_the_sequential_one_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^interleaved rate 2e\+08 B/s must be below the sequential rate 2e\+08 B/s$"):
        chunk_from_rates(200 * MB, 200 * MB, 0.010)


@given(st.floats(1e6, 1e10), st.floats(1e-5, 1e-1), st.floats(1e3, 1e9))
def test_chunk_and_interleaved_rate_are_inverses(bandwidth: float, seek: float, chunk: float) -> None:
    rate = interleaved_rate(bandwidth, seek, chunk)
    if rate < bandwidth * 0.999:  # nearer to it the difference of the rates is rounding
        assert chunk_from_rates(bandwidth, rate, seek) == pytest.approx(chunk, rel=1e-6)


@given(
    read=st.floats(1e6, 1e10),
    write=st.floats(1e6, 1e10),
    seek=st.just(0.0) | st.floats(1e-9, 0.1),
    chunk=st.floats(1e3, 1e9),
    mixed=st.floats(1e3, 1e9),
)
def test_costs_are_positive_and_no_more_streams_are_faster_than_each_alone(
    read: float, write: float, seek: float, chunk: float, mixed: float
) -> None:
    drive = hdd(read_bandwidth=read, write_bandwidth=write, seek_time=seek, read_chunk=chunk, mixed_chunk=mixed)
    for way, access in PATHS:
        alone = read if way == "read" else write
        assert 0 < total_rate(drive, way, access, 8) <= alone * (1 + 1e-9)
        assert total_rate(drive, way, access, 1) == pytest.approx(alone)
    assert math.isfinite(max(drive.stream_capacity()))
