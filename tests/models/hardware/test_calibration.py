"""Fits of measured rates, against numbers that one can check by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, strategies as st

from models.hardware.calibration import HALF_TURN, Fit, fit
from models.hardware.drive import interleaved_rate
from models.hardware.measurement import Direction, DriveRun, NetworkRun
from models.problem import ProblemError

MB = 1e6


def run(direction: Direction, rate: float, **given: Any) -> DriveRun:
    """Return a run of one stream on one drive at a rate in MB/s."""
    return DriveRun(file="a.txt", line=1, tool="fio", direction=direction, rate=rate * MB, **given)


def seek(reads_per_second: float, **given: Any) -> DriveRun:
    """Return a run of random reads of 4 KiB."""
    request = given.pop("request", 4096.0)
    return run("read", reads_per_second * request / MB, random=True, request=request, **given)


def net(gbits: float, connections: int) -> NetworkRun:
    return NetworkRun(file="n.txt", line=None, tool="iperf3", rate=gbits * 1e9 / 8, connections=connections)


LONE = [run("read", 200), run("write", 100)]


def notes(result: Fit) -> dict[str, str]:
    return {note.key: note.message for note in result.notes}


def test_a_lone_stream_gives_the_bandwidth_and_several_give_the_chunk() -> None:
    result = fit([*LONE, run("read", 150, streams=4), run("write", 60, streams=4)], seek_time=0.01)
    assert result.kind is not None
    assert result.kind.technology == "hdd"
    assert {key: estimate.value for key, estimate in result.drive.items()} == pytest.approx(
        {
            "read_bandwidth": 200 * MB,
            "write_bandwidth": 100 * MB,
            "seek_time": 0.01,
            "read_chunk": 6 * MB,  # 0.01 s / (1/150 - 1/200) s/MB
            "write_chunk": 1.5 * MB,  # 0.01 s / (1/60 - 1/100) s/MB
        }
    )
    assert result.controller == {}


@given(
    bandwidth=st.floats(10, 299),
    left=st.floats(0.01, 0.94),
    seek_time=st.floats(1e-4, 0.1),
    streams=st.integers(2, 64),
)
def test_the_fitted_drive_gives_every_single_measurement_back(
    bandwidth: float, left: float, seek_time: float, streams: int
) -> None:
    runs = [run("read", bandwidth), run("write", bandwidth), run("read", bandwidth * left, streams=streams)]
    result = fit(runs, seek_time=seek_time)
    drive = {key: estimate.value for key, estimate in result.drive.items()}
    rate = interleaved_rate(drive["read_bandwidth"], drive["seek_time"], drive["read_chunk"])
    assert rate == pytest.approx(bandwidth * left * MB, rel=1e-9)
    assert [result.predict(drive_run) for drive_run in runs] == pytest.approx(
        [drive_run.rate for drive_run in runs], rel=1e-9
    )


def test_repeated_runs_give_their_geometric_mean_and_leave_residuals() -> None:
    result = fit([run("read", 180), run("read", 245), run("write", 100)], "hdd")
    assert result.drive["read_bandwidth"].value == pytest.approx(210 * MB)  # 180 x 245 = 210 x 210
    assert result.predict(run("read", 180)) == pytest.approx(210 * MB)


def test_random_reads_one_at_a_time_give_the_seek_time() -> None:
    result = fit([*LONE, seek(80)])
    assert result.drive["seek_time"].value == pytest.approx(1 / 80 - HALF_TURN - 4096 / 200e6)
    assert result.predict(seek(80)) == pytest.approx(80 * 4096)


def test_random_reads_of_several_sizes_are_joined_by_least_squares_of_relative_errors() -> None:
    runs = [seek(100), seek(50, request=1048576.0)]
    first, second = 0.010 - 4096 / 200e6, 0.020 - 1048576 / 200e6  # with half a turn each alone: 9.98 and 14.76 ms
    expected = (first / 0.010**2 + second / 0.020**2) / (1 / 0.010**2 + 1 / 0.020**2)
    assert fit([*LONE, *runs]).drive["seek_time"].value == pytest.approx(expected - HALF_TURN)


def test_a_stated_seek_time_goes_before_a_measured_one() -> None:
    estimate = fit([*LONE, seek(80)], seek_time=0.004).drive["seek_time"]
    assert (estimate.value, estimate.runs) == (0.004, ())


def test_without_random_reads_the_seek_time_is_an_assumption() -> None:
    estimate = fit(LONE, "hdd").drive["seek_time"]
    assert (estimate.value, estimate.runs) == (0.0085, ())
    assert estimate.reason.startswith("8.5 ms, the seek time of 7200 rpm data sheets")


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (seek(190, depth=32), "the drive sorts the requests that wait, so no seek time follows from it"),
        (seek(190, streams=4), "the drive sorts the requests that wait, so no seek time follows from it"),
        (run("write", 1, random=True, request=4096.0), "caches take random writes in, and no model says how fast"),
    ],
)
def test_a_random_run_that_no_model_covers_is_named_and_not_fitted(other: DriveRun, reason: str) -> None:
    result = fit([*LONE, other], "hdd")
    assert result.drive["seek_time"].runs == ()
    assert result.predict(other) is None
    assert f"a.txt:1: {other}: not fitted: {reason}" in map(str, result.notes)


def test_several_streams_as_fast_as_one_mean_that_no_seeks_show() -> None:
    result = fit([*LONE, run("write", 60, streams=4), run("read", 210, streams=4)], "hdd")
    assert math.isinf(result.drive["read_chunk"].value)
    assert result.predict(run("read", 210, streams=4)) == 200 * MB
    assert notes(result)["read_chunk"] == "none: several streams are as fast as one, so no seeks show"


def test_a_chunk_that_no_run_tells_is_left_to_others() -> None:
    result = fit([*LONE, run("write", 60, streams=4)])
    assert "read_chunk" not in result.drive
    assert notes(result)["read_chunk"] == "not fitted: no read run of several streams on a drive"


def test_runs_alike_that_are_too_far_apart_for_one_drive_are_told() -> None:
    (told,) = [note for note in map(str, fit([*LONE, run("read", 3200)], "nvme").notes) if "other drives" in note]
    assert told.startswith("a.txt:1: sequential read, 1 stream on 1 drive: 200 MB/s here, 3.2 GB/s elsewhere; ")
    zones = fit([*LONE, run("read", 110)], "hdd").notes
    assert not [note for note in map(str, zones) if "other drives" in note]


# --- controller


def test_drives_that_together_stay_below_their_number_times_one_show_the_ceiling_of_the_controller() -> None:
    together = run("read", 900, drives=8, streams=32)
    result = fit([*LONE, run("read", 150, streams=4), together])  # 8 x 150 = 1200
    assert result.controller["read_bandwidth"].value == 900 * MB
    assert result.drive["read_chunk"].runs == (run("read", 150, streams=4),)
    assert result.predict(together) == 900 * MB
    assert (
        notes(result)["controller.read_bandwidth"] == "8 drives together give 75 % of 8 times one: taken as the ceiling"
    )


def test_drives_that_add_up_show_no_ceiling_and_join_the_fit() -> None:
    result = fit([*LONE, run("read", 150, streams=4), run("read", 1176, drives=8, streams=32)])
    assert result.controller == {}
    assert result.predict(run("read", 150, streams=4)) == pytest.approx(math.sqrt(150 * 147) * MB)
    assert notes(result)["controller.read_bandwidth"] == "none: 8 drives together give 98 % of 8 times one"


def test_without_the_same_run_on_one_drive_the_loss_is_read_as_seeks() -> None:
    result = fit([*LONE, run("read", 1200, drives=8, streams=32)], seek_time=0.01)
    assert result.controller == {}
    assert result.drive["read_chunk"].value == pytest.approx(6 * MB)
    assert notes(result)["controller.read_bandwidth"].startswith("not fitted: no run of one drive compares")


def test_one_stream_a_drive_is_compared_with_one_stream() -> None:
    result = fit([*LONE, run("read", 1200, drives=8, streams=8), run("read", 1000, drives=8, streams=32)], "hdd")
    assert result.controller["read_bandwidth"].value == 1200 * MB  # of 1600
    assert result.drive["read_chunk"].runs == (run("read", 1000, drives=8, streams=32),)  # well below the ceiling


def test_a_ceiling_is_not_taken_for_seeks() -> None:
    runs = [*LONE, run("read", 1200, drives=8, streams=8), run("read", 1190, drives=8, streams=32)]
    assert "read_chunk" not in fit(runs, "hdd").drive


# --- solid drives


def test_a_solid_drive_has_the_best_rate_that_it_has_shown() -> None:
    runs = [run("read", 1400), run("read", 3000, streams=8), run("write", 1000)]
    result = fit(runs)
    assert {key: estimate.value for key, estimate in result.drive.items()} == {
        "read_bandwidth": 3000 * MB,
        "write_bandwidth": 1000 * MB,
    }
    assert notes(result)["read_bandwidth"].startswith("a lone stream gets 1.4 GB/s of it")


FAST = [run("read", 3000), run("write", 2000)]


def test_reads_at_several_queue_depths_give_latency_and_operations_a_second() -> None:
    """A drive of 100 us and 400,000 a second: one read in flight ends 10,000 a second, 32 of them 320,000."""
    curve = [seek(min(depth / 1e-4, 4e5), depth=depth) for depth in (1, 8, 32, 128, 256)]
    result = fit([*FAST, *curve])
    assert result.drive["read_latency"].value == pytest.approx(1e-4)
    assert result.drive["read_iops"].value == pytest.approx(4e5)
    assert [result.predict(drive_run) for drive_run in curve] == pytest.approx([drive_run.rate for drive_run in curve])
    assert notes(result) == {}


def test_a_queue_that_is_not_deep_enough_tells_no_operations_a_second() -> None:
    result = fit([*FAST, seek(1e4), seek(7e4, depth=8)])
    assert sorted(result.drive) == ["read_bandwidth", "read_latency", "write_bandwidth"]


def test_without_reads_one_at_a_time_the_depth_says_nothing() -> None:
    result = fit([*FAST, seek(4e5, depth=256)])
    assert sorted(result.drive) == ["read_bandwidth", "write_bandwidth"]
    assert "one at a time and many" in notes(result)[""]


def test_large_random_reads_of_a_solid_drive_tell_its_bandwidth_at_most() -> None:
    result = fit([*FAST, seek(2000, request=2.0**20), seek(1e4)])
    assert result.drive["read_latency"].value == pytest.approx(1e-4)
    assert result.predict(seek(1e6, request=16384.0, depth=1000)) == pytest.approx(3000 * MB)


def test_solid_drives_need_no_run_on_one_drive_alone() -> None:
    runs = [run("read", 24000, drives=8, streams=64), run("write", 12800, drives=8, streams=64)]
    result = fit(runs)
    assert result.drive["read_bandwidth"].value == 3000 * MB
    assert result.controller == {}
    assert result.predict(runs[1]) == 12800 * MB


def test_solid_drives_behind_a_controller_show_its_ceiling() -> None:
    result = fit([run("read", 3000), run("write", 1000), run("read", 12000, drives=8, streams=32)])
    assert result.controller["read_bandwidth"].value == 12000 * MB
    assert result.drive["read_bandwidth"].value == 3000 * MB


# --- what tells the technology


@pytest.mark.parametrize(
    ("runs", "technology", "reason"),
    [
        ([run("read", 601)], "nvme", "faster than the SATA link"),
        ([run("read", 540)], "ssd", "faster than hard drives"),
        ([run("read", 200), seek(2001, depth=32)], "ssd", "2001 random reads a second"),
        ([run("read", 200), seek(78)], "hdd", "78 random reads a second"),
        (
            [run("read", 200), run("read", 191, streams=4)],
            "ssd",
            "several read streams on a drive get 96 % of a lone one",
        ),
        (
            [run("read", 200), run("read", 188, streams=4)],
            "hdd",
            "several read streams on a drive get 94 % of a lone one",
        ),
    ],
)
def test_the_rates_tell_the_technology(runs: list[DriveRun], technology: str, reason: str) -> None:
    kind = fit([*runs, run("write", 100)]).kind
    assert kind is not None
    assert (kind.technology, kind.reason) == (technology, reason)


def test_all_that_is_missing_is_said_at_once() -> None:
    with pytest.raises(ProblemError) as error:
        fit([run("read", 200)])
    assert [problem.key for problem in error.value.problems] == ["technology", "write_bandwidth"]
    assert "dd if=/dev/zero of=/mnt/drive/test bs=16M count=64 oflag=direct" in str(error.value)


def test_several_streams_alone_do_not_tell_the_bandwidth_of_a_hard_drive() -> None:
    with pytest.raises(ProblemError, match="read_bandwidth: no read run shows it"):
        fit([run("read", 150, streams=4), run("write", 100)], "hdd")


# --- network


def test_several_connections_give_the_card_and_one_gives_the_flow() -> None:
    result = fit([net(23, 4), net(24.8, 10), net(9.4, 1)])
    assert {key: estimate.value for key, estimate in result.nic.items()} == {
        "bandwidth": 3.1e9,
        "flow_bandwidth": 1.175e9,
    }
    assert result.predict(net(18, 2)) == pytest.approx(18.8e9 / 8)
    assert result.kind is None


def test_a_connection_that_fills_the_card_has_no_limit_of_its_own() -> None:
    result = fit([net(9.8, 10), net(9.4, 1)])
    assert list(result.nic) == ["bandwidth"]
    assert notes(result)["nic.flow_bandwidth"] == "not fitted: one connection fills the card"


def test_one_connection_alone_may_not_fill_the_card() -> None:
    result = fit([net(9.4, 1)])
    assert result.predict(net(9.4, 1)) == 9.4e9 / 8
    assert "may not fill the card" in notes(result)["nic.bandwidth"]


@pytest.mark.parametrize("wrong", [{"rate": 0.0}, {"rate": math.nan}, {"rate": 1.0, "drives": 0}])
def test_a_run_without_rate_or_drives_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected a number from 1 to"):
        DriveRun(file="a", line=1, tool="dd", direction="read", **wrong)


@pytest.mark.parametrize(
    ("run_", "words"),
    [
        (run("read", 1), "sequential read, 1 stream on 1 drive"),
        (
            run("write", 1, drives=8, streams=32, request=32768.0),
            "sequential write, 4 streams on each of 8 drives, 32 KiB",
        ),
        (
            run("read", 1, drives=8, streams=12, request=1000.0),
            "sequential read, 1.5 streams on each of 8 drives, 1000 B",
        ),
        (seek(100, depth=32), "random read, 1 stream on 1 drive, 4 KiB, depth 32"),
        (net(1, 10), "10 connections, as the sender counts"),
    ],
)
def test_a_run_says_what_it_measures(run_: DriveRun | NetworkRun, words: str) -> None:
    assert str(run_) == words
