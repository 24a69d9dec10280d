"""Benchmark output from text to runs, and from the fit to parts that load again."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from models.hardware.calibration import fit
from models.hardware.drive import Drive, chunk_from_rates, interleaved_rate
from models.hardware.measurement import DriveRun, NetworkRun, Run
from models.hardware.server import Controller, Nic
from models.problem import ProblemError
from models.units import parse
from profiles.imports.commands import command, drives_behind, expanded, lines
from profiles.imports.finding import Finding
from profiles.imports.part import drive_part, drive_values, like, quantity, server_part
from profiles.imports.reading import read_files
from profiles.loading.catalog import SHIPPED
from profiles.loading.loader import load, load_text

MEASUREMENTS = SHIPPED.root / "measurements"
DOCUMENT = "MinIO, Performance comparison between MinIO and HDFS, August 2019, 1.3"
H1 = [str(path) for path in sorted((MEASUREMENTS / "h1.16xlarge").glob("*.txt"))]

Read = Callable[..., Finding]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Return a function that reads a text as a file."""

    def reading(text: str | bytes, name: str = "out.txt", **given: Any) -> Finding:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return read_files([str(path)], **given)[0]

    return reading


@pytest.fixture
def complaints(read: Read) -> Callable[..., list[str]]:
    """Return a function that gives the problems of a text, each as "line: message"."""

    def found(text: str | bytes, **given: Any) -> list[str]:
        with pytest.raises(ProblemError) as error:
            read(text, **given)
        return [f"{problem.line}: {problem.message}" for problem in error.value.problems]

    return found


def drive_run(run: Run) -> DriveRun:
    assert isinstance(run, DriveRun)
    return run


def said(reading: Finding) -> list[str]:
    """Return the runs of a reading in words, with their rates in bytes per second."""
    return [f"{run}: {run.rate:.6g}" for run in reading.runs]


def warned(reading: Finding) -> list[str]:
    return [f"{warning.line}: {warning.message}" for warning in reading.warnings]


# --- terminal sessions


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("$ sudo dd if=a of=b 2>&1 | tee log", ["if=a", "of=b"]),
        ("root@host:~# /usr/bin/dd if='a' of=b; sync", ["if=a", "of=b"]),
        ("dd (coreutils) 9.1", None),
        ("we ran add if=x", None),
    ],
)
def test_a_command_line_gives_the_words_of_its_tool(line: str, words: list[str] | None) -> None:
    assert command(line, "dd") == words


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("/mnt/d{1..2}/t{1..2}", ["/mnt/d1/t1", "/mnt/d1/t2", "/mnt/d2/t1", "/mnt/d2/t2"]),
        ("/dev/sd{b..d}", ["/dev/sdb", "/dev/sdc", "/dev/sdd"]),
        ("d{08..10}", ["d08", "d09", "d10"]),
        ("{x,y}/t", ["x/t", "y/t"]),
        ("d{1..99999999}", ["d1..99999999"]),
    ],
)
def test_braces_are_expanded_as_a_shell_does(word: str, names: list[str]) -> None:
    assert expanded(word) == names


def test_lines_that_end_in_a_backslash_are_one_line() -> None:
    assert list(lines("a \\\n b\nc\r\nd\re")) == [(1, "a   b"), (3, "c"), (4, "d"), (4, "e")]


def test_files_lie_on_the_drive_of_their_directory_and_devices_are_drives() -> None:
    assert drives_behind(["/mnt/d1/a", "/mnt/d1/b", "/dev/sdb", "/dev/sdc"]) == {"/mnt/d1", "/dev/sdb", "/dev/sdc"}


# --- dd

DD_READ = "$ dd if=/mnt/d/test of=/dev/null bs=16M iflag=direct\n64+0 records in\n64+0 records out\n"
RESULT = "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 7.83377 s, 137 MB/s\n"


def test_dd_gives_bytes_over_seconds_with_the_direction_of_its_command(read: Read) -> None:
    reading = read(DD_READ + RESULT)
    assert reading.formats == ["dd"]
    assert said(reading) == ["sequential read, 1 stream on 1 drive, 16 MiB: 1.37066e+08"]
    assert (reading.runs[0].line, reading.warnings) == (4, [])


@pytest.mark.parametrize(
    "result",
    [
        "1073741824 Bytes (1,1 GB, 1,0 GiB) kopiert, 7,83377 s, 137 MB/s",
        "1073741824 octets (1,1 GB, 1,0 GiB) copiés, 7,83377 s, 137 MB/s",
        "1073741824 bytes (1,1 GB) copied, 7.83377 s, 137 MB/s",
        "1073741824 байт (1,1 GB, 1,0 GiB) скопировано, 7,83377 s, 137 MB/s",
        "1073741824字节（1.1 GB，1.0 GiB）已复制，7.83377 s，137 MB/s",  # noqa: RUF001
        "1073741824 bytes (1.0GB) copied, 7.83377 seconds, 130.7MB/s",
    ],
)
def test_dd_is_read_in_every_language(read: Read, result: str) -> None:
    assert read(DD_READ + result).runs[0].rate == pytest.approx(137.0657e6, rel=1e-6)


def test_progress_reports_of_dd_are_not_results(read: Read) -> None:
    progress = (
        "\r268435456 bytes (268 MB, 256 MiB) copied, 2 s, 134 MB/s\r536870912 bytes (537 MB) copied, 4 s, 134 MB/s\n"
    )
    reading = read(
        "$ dd if=/d/t of=/dev/null iflag=direct bs=1M status=progress\n" + progress + "64+0 in\n64+0 out\n" + RESULT
    )
    assert said(reading) == ["sequential read, 1 stream on 1 drive, 1 MiB: 1.37066e+08"]


def test_dd_through_the_page_cache_is_left_out(read: Read) -> None:
    write = "# dd if=/dev/zero of=/d/t bs=1M count=1024\n"
    reading = read("dd if=/d/t of=/dev/null bs=1M\n" + RESULT + write + RESULT)
    assert reading.runs == []
    assert warned(reading) == [
        "2: dd left out: without iflag=direct it measures the page cache in memory",
        "4: dd left out: without oflag=direct it measures the page cache in memory",
    ]


def test_dd_that_flushes_what_it_wrote_is_used_with_a_warning(read: Read) -> None:
    reading = read("dd if=/dev/zero of=/d/t bs=1M conv=fdatasync\n" + RESULT)
    assert said(reading) == ["sequential write, 1 stream on 1 drive: 1.37066e+08"]
    assert warned(reading) == ["2: dd wrote through the page cache and flushed it; oflag=direct would leave it out"]


@pytest.mark.parametrize("operands", ["if=/d/a of=/d/b", "if=/dev/zero of=/dev/null", "if=/d/a"])
def test_dd_from_file_to_file_or_memory_to_memory_measures_no_drive(read: Read, operands: str) -> None:
    reading = read(f"dd {operands} bs=1M iflag=direct oflag=direct\n{RESULT}")
    assert reading.runs == []
    assert "has to read a file into of=/dev/null" in warned(reading)[0]


def test_dd_with_small_blocks_is_used_with_a_warning(read: Read) -> None:
    reading = read("dd if=/d/t of=/dev/null bs=4k iflag=direct\n" + RESULT)
    assert said(reading) == ["sequential read, 1 stream on 1 drive, 4 KiB: 1.37066e+08"]
    assert "small requests wait for each other" in warned(reading)[0]


@pytest.mark.parametrize(
    ("name", "direction", "expected"),
    [("out.txt", "write", "write"), ("disk-read.log", None, "read"), ("Write_1.txt", None, "write")],
)
def test_dd_without_its_command_takes_the_direction_from_the_user_or_the_file_name(
    read: Read, name: str, direction: str | None, expected: str
) -> None:
    reading = read(RESULT, name, direction=direction)
    assert drive_run(reading.runs[0]).direction == expected
    assert warned(reading) == [f"1: dd without its command line: taken as a {expected} with the flag direct"]


@pytest.mark.parametrize("name", ["out.txt", "read-and-write.txt", "already.txt"])
def test_dd_without_command_or_direction_asks_for_it(complaints: Callable[..., list[str]], name: str) -> None:
    (problem,) = complaints(RESULT, name=name)
    assert problem.startswith("1: dd does not say whether it read or wrote: put its command line above the numbers")
    assert problem.endswith("or use --direction read|write")


# --- iozone

SHORT = "Num drives: 8\nWrite: 655 MB/sec\nRead: 1.26 GB/sec\n"


def test_the_short_form_of_iozone_takes_threads_drives_and_records_from_its_command(read: Read) -> None:
    reading = read("$ iozone -t 32 -I -r 32K -s 256M -F /mnt/drive{1..8}/tmp{1..4}\n" + SHORT)
    assert said(reading) == [
        "sequential write, 4 streams on each of 8 drives, 32 KiB: 6.55e+08",
        "sequential read, 4 streams on each of 8 drives, 32 KiB: 1.26e+09",
    ]


def test_the_short_form_of_iozone_needs_its_command(complaints: Callable[..., list[str]]) -> None:
    text = "$ iozone -I -r 32K\n" + SHORT
    missing = "the number of threads is missing: put the iozone command above the numbers"
    assert complaints(text) == [f"3: {missing}", f"4: {missing}"]


def test_iozone_prints_kilobytes_of_1024_bytes_and_repeats_are_left_out(read: Read) -> None:
    reading = read((MEASUREMENTS / "examples/hdd-iozone.txt").read_text())
    assert reading.formats == ["iozone"]
    assert said(reading) == [
        "sequential write, 4 streams on each of 12 drives, 1 MiB: 1.431e+09",  # 1397460.94 kB/sec
        "sequential read, 4 streams on each of 12 drives, 1 MiB: 1.542e+09",
    ]
    assert warned(reading) == ["None: rewriters, re-readers left out: the models have no use for them"]


def test_iozone_without_direct_io_is_left_out(read: Read) -> None:
    text = "iozone -t 1 -r 1M\n Children see throughput for  1 readers \t\t=  5649970.31 kB/sec\n"
    assert warned(read(text)) == ["2: read left out: without -I iozone measures the page cache in memory"]


def test_a_run_of_iozone_does_not_inherit_the_flags_of_the_run_before(read: Read) -> None:
    banner = "\tIozone: Performance Test of File I/O\n"
    throughput = "\tChildren see throughput for  1 random readers \t= 1024.00 kB/sec\n"
    direct = (
        banner + "\tO_DIRECT feature enabled\n\tRecord Size 4 kB\n\tCommand line used: iozone -t1 -I -r4k -i0 -i2\n"
    )
    cached = banner + "\tRecord Size 4 kB\n\tCommand line used: iozone -t 1 -r 4k -i 0 -i 2\n"
    reading = read(direct + throughput + cached + throughput)
    assert said(reading) == ["random read, 1 stream on 1 drive, 4 KiB: 1.04858e+06"]
    assert len(reading.warnings) == 1


def test_iozone_without_threads_has_nothing_to_give(complaints: Callable[..., list[str]]) -> None:
    assert "it has to run with -t" in complaints("$ iozone -I -r 32K -s 256M\n")[0]


def test_iozone_in_operations_a_second_is_refused(complaints: Callable[..., list[str]]) -> None:
    text = "iozone -t 4 -I -O\n Children see throughput for  4 readers = 64.00 ops/sec\n"
    assert complaints(text) == ["2: expected kB/sec (got ops/sec); run iozone without -O and -N"]


# --- iperf3

SUMMED = """$ iperf3 -c store-2 -P 2
Connecting to host store-2, port 5201
[  5]   0.00-1.00   sec   952 MBytes  7.98 Gbits/sec    0    767 KBytes
[  7]   0.00-1.00   sec   952 MBytes  7.98 Gbits/sec    0    767 KBytes
[SUM]   0.00-1.00   sec  1.86 GBytes  16.0 Gbits/sec    0
- - - - - - - - - - - - - - - - - - - - - - - - -
[  5]   0.00-1.00   sec  1.95 GBytes  8.38 Gbits/sec    0             sender
[  5]   0.00-1.00   sec  1.95 GBytes  8.38 Gbits/sec                  receiver
[  7]   0.00-1.00   sec  1.95 GBytes  8.37 Gbits/sec    0             sender
[  7]   0.00-1.00   sec  1.95 GBytes  8.37 Gbits/sec                  receiver
[SUM]   0.00-1.00   sec  3.90 GBytes  16.7 Gbits/sec    0             sender
[SUM]   0.00-1.00   sec  3.90 GBytes  16.6 Gbits/sec                  receiver

iperf Done.
"""
SINGLE = """Connecting to host store-2, port 5201
[  5]   0.00-2.00   sec  4.54 GBytes  19.5 Gbits/sec   10             sender
[  5]   0.00-2.00   sec  4.54 GBytes  19.4 Gbits/sec                  receiver
"""


def test_iperf3_gives_the_sum_as_the_sender_counts_it(read: Read) -> None:
    reading = read(SUMMED)
    assert reading.formats == ["iperf3"]
    assert said(reading) == ["2 connections, as the sender counts: 2.0875e+09"]  # 16.7 Gbit/s
    assert reading.runs[0].line == 11


def test_iperf3_counts_connections_where_the_command_is_missing(read: Read) -> None:
    assert said(read(SUMMED.partition("\n")[2])) == ["2 connections, as the sender counts: 2.0875e+09"]


def test_several_tests_of_iperf3_in_one_file_are_several_runs(read: Read) -> None:
    assert said(read(SUMMED + SINGLE + SINGLE)) == [
        "2 connections, as the sender counts: 2.0875e+09",
        "1 connection, as the sender counts: 2.4375e+09",
        "1 connection, as the sender counts: 2.4375e+09",
    ]


@pytest.mark.parametrize(
    ("head", "rate", "said_of"),
    [
        ("iperf 3.9\n", "36.7", ["iperf 3.9 has one thread"]),
        ("", "36.7", ["iperf3 before 3.16, whose version is not told here"]),
        ("iperf 3.17\n", "36.7", []),
        ("iperf 3.9\n", "16.7", []),
    ],
)
def test_rates_that_one_thread_may_bound_are_warned_of(read: Read, head: str, rate: str, said_of: list[str]) -> None:
    messages = warned(read(head + SUMMED.replace("16.7 Gbits", f"{rate} Gbits")))
    assert len(messages) == len(said_of)
    assert all(part in message for part, message in zip(said_of, messages, strict=True))


def test_bytes_of_iperf3_are_counted_by_1024(read: Read) -> None:
    reading = read("[  5]   0.00-2.00   sec  4.54 GBytes  2.00 GBytes/sec                  receiver\n")
    assert said(reading) == ["1 connection, as the receiver counts: 2.14748e+09"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "[  5][TX-C]   0.00-1.00   sec  1.57 GBytes  13.5 Gbits/sec    0             sender\n",
            "both directions at once",
        ),
        (
            "[ ID] Interval           Transfer     Bitrate         Jitter    Lost/Total Datagrams\n"
            "[  5]   0.00-1.00   sec  11.9 MBytes   100 Mbits/sec  0.000 ms  0/382 (0%)  sender\n",
            "UDP goes at the rate that -b asks for",
        ),
    ],
)
def test_udp_and_both_directions_at_once_are_left_out(read: Read, text: str, reason: str) -> None:
    reading = read(text)
    assert reading.runs == []
    assert reason in warned(reading)[0]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("\n".join(SUMMED.split("\n")[:5]), "iperf3 has no summary (sender, receiver) at its end"),
        ("\n".join(SUMMED.split("\n")[:9]), "iperf3 has 2 connections and no [SUM] line"),
    ],
)
def test_iperf3_that_was_cut_off_is_refused(complaints: Callable[..., list[str]], text: str, problem: str) -> None:
    assert complaints(text)[0].startswith(f"1: {problem}")


def test_iperf3_json_gives_the_rate_of_the_sender(read: Read) -> None:
    reading = read((MEASUREMENTS / "examples/iperf3-8-connections.json").read_text())
    assert reading.formats == ["iperf3 -J"]
    assert said(reading) == ["8 connections, as the sender counts: 2.92625e+09"]


def test_iperf3_json_of_a_failed_run_is_refused(complaints: Callable[..., list[str]]) -> None:
    text = json.dumps(
        {"start": {}, "intervals": [], "end": {}, "error": "unable to connect to server: Connection refused"}
    )
    assert complaints(text) == ["None: iperf3 failed: unable to connect to server: Connection refused"]


def test_two_json_reports_in_one_file_are_two_runs(read: Read) -> None:
    text = (MEASUREMENTS / "examples/iperf3-8-connections.json").read_text()
    assert len(read(text + "\nwarning: a line between them\n" + text).runs) == 2


# --- fio


def job(name: str, group: int, /, moved: float = 1e8, **options: str) -> dict[str, Any]:
    side = {"bw_bytes": moved, "runtime": 1000}
    idle = {"bw_bytes": 0, "runtime": 0}
    is_write = options.get("rw", "read").endswith("write")
    return {
        "jobname": name,
        "groupid": group,
        "error": 0,
        "job options": {"direct": "1", **options},
        "read": idle if is_write else side,
        "write": side if is_write else idle,
        "job_runtime": 1000 * int(options.get("numjobs", "1")),
    }


def report(*jobs: dict[str, Any], **shared: str) -> str:
    return json.dumps({"fio version": "fio-3.33", "global options": shared, "jobs": jobs}, indent=2)


def test_fio_reads_are_told_apart_by_order_streams_and_depth(read: Read) -> None:
    reading = read((MEASUREMENTS / "examples/hdd-fio.json").read_text())
    assert reading.formats == ["fio"]
    assert said(reading) == [
        "sequential read, 1 stream on 1 drive, 1 MiB, depth 8: 2.513e+08",
        "sequential write, 1 stream on 1 drive, 1 MiB, depth 8: 2.43611e+08",
        "sequential read, 4 streams on 1 drive, 1 MiB: 1.71909e+08",
        "sequential read, 16 streams on 1 drive, 1 MiB: 1.65202e+08",
        "sequential write, 4 streams on 1 drive, 1 MiB: 1.18403e+08",
        "random read, 1 stream on 1 drive, 4 KiB: 321116",
        "random read, 1 stream on 1 drive, 4 KiB, depth 32: 782310",
    ]
    assert [run.line for run in reading.runs][:2] == [15, 63]
    assert drive_run(reading.runs[5]).latency == (0.0125, 0.0248)


def test_each_of_several_reports_of_fio_says_its_own_lines(read: Read) -> None:
    text = (MEASUREMENTS / "examples/hdd-fio.json").read_text()
    places = [run.line or 0 for run in read(text).runs]
    both = [run.line for run in read(f"{text}\n{text}").runs]
    assert both == places + [text.count("\n") + 1 + line for line in places]


def test_processes_that_fio_lists_one_by_one_are_added_up(read: Read) -> None:
    one = job("a", 0, directory="/mnt/d1", numjobs="2", bs="1M")
    two = job("b", 0, directory="/mnt/d2", numjobs="2", bs="1M")
    assert said(read(report(one, one, two, two))) == ["sequential read, 2 streams on each of 2 drives, 1 MiB: 4e+08"]


def test_fio_spreads_processes_over_directories_and_lets_each_use_all_files(read: Read) -> None:
    spread = job("a", 0, directory="/d1:/d2:/d3", numjobs="6", bs="1M")
    shared = job("b", 1, filename="/dev/sdb:/dev/sdc", numjobs="2", bs="1M", offset_increment="1G")
    assert said(read(report(spread, shared))) == [
        "sequential read, 2 streams on each of 3 drives, 1 MiB: 1e+08",
        "sequential read, 2 streams on each of 2 drives, 1 MiB: 1e+08",
    ]


def test_global_options_of_fio_hold_for_its_jobs_and_synchronous_engines_have_no_depth(read: Read) -> None:
    shared = {"bs": "256k", "rw": "randread", "iodepth": "16", "ioengine": "psync"}
    reading = read(report(job("a", 0), job("b", 1, ioengine="libaio"), **shared))
    assert said(reading) == [
        "random read, 1 stream on 1 drive, 256 KiB: 1e+08",
        "random read, 1 stream on 1 drive, 256 KiB, depth 16: 1e+08",
    ]


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (job("a", 0, direct="0"), "without direct=1 it measures the page cache in memory"),
        (
            job("a", 0, rw="randrw"),
            "reads and writes, or sequential and random, at the same time; in a job file let each have stonewall",
        ),
        (job("a", 0, rw="trim"), "no model has a number for rw=trim"),
        (job("a", 0, rate="50m"), "rate limits it, not the drive"),
        (job("a", 0, rate_iops="100"), "rate limits it, not the drive"),
        (job("a", 0, 0), "nothing was read or written"),
        (job("a", 0) | {"error": 5}, "fio reports error 5"),
        (
            job("a", 0) | {"job_runtime": 4000},
            "more processes ran than its options say; run it without group_reporting",
        ),
    ],
)
def test_a_job_of_fio_that_measures_something_else_is_left_out(read: Read, entry: dict[str, Any], reason: str) -> None:
    reading = read(report(entry))
    assert reading.runs == []
    assert [warning.message for warning in reading.warnings] == [f"a left out: {reason}"]


def test_jobs_of_fio_that_read_and_write_at_once_are_left_out(read: Read) -> None:
    reading = read(report(job("a", 0), job("b", 0, rw="write")))
    assert warned(reading) == [
        "6: a, b left out: reads and writes, or sequential and random, at the same time; in a job file let each have"
        " stonewall"
    ]


def test_streams_of_fio_over_the_same_bytes_and_small_requests_are_warned_of(read: Read) -> None:
    reading = read(report(job("a", 0, filename="/dev/sdb", numjobs="4", bs="1M"), job("b", 1, bs="4k")))
    assert [warning.message for warning in reading.warnings] == [
        "a: its processes use the same bytes; give them offset_increment",
        "b: small requests wait for each other; use bs=1M or more, or iodepth=8",
    ]


def test_rates_of_fio_2_are_kibibytes(read: Read) -> None:
    entry = job("a", 0, bs="1M")
    entry["read"] = {"bw": 1000, "runtime": 1000}
    assert read(report(entry)).runs[0].rate == 1024000


@pytest.mark.parametrize(
    "text",
    [
        '{"fio version": "fio-3.33", "jobs": [{"groupid": 0}]}',
        '{"fio version": "fio-3.33", "jobs": [7]}',
        '{"fio version": "fio-3.33", "jobs": 7}',
        report(job("a", 0) | {"job options": {"direct": "1", "numjobs": "many"}}),
        report(job("a", 0) | {"read": {}}),
    ],
)
def test_json_that_is_not_as_fio_writes_it_is_refused(complaints: Callable[..., list[str]], text: str) -> None:
    line, message = complaints(text)[0].split(": ", 1)
    assert message.startswith("not as fio writes it: ")
    assert line == ("1" if text.startswith('{"fio') else "6")


# --- files


def test_a_captured_session_may_hold_several_tools(read: Read) -> None:
    reading = read("".join(Path(path).read_text() for path in H1))
    assert reading.formats == ["dd", "iozone", "iperf3"]
    assert len(reading.runs) == 5


def test_utf_16_of_powershell_is_read(read: Read) -> None:
    assert len(read((DD_READ + RESULT).replace("\n", "\r\n").encode("utf-16")).runs) == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "None: the file is empty: expected what a program wrote "),
        (
            "hello\n",
            "None: not known: expected what a program wrote that docs/import.md lists",
        ),
        (b"\x00\xff\xfe\x80", "None: not known: "),
        ('{"a": 1}', "None: not known: "),
        ('{"fio version": 1,\n"a": \n', "3: JSON syntax: expecting value"),
        ('{"fio version":' + "{" * 100, "1: JSON syntax: "),
        ('{"fio version":' + '{"a":' * 100_000, "None: JSON nested too deeply"),
    ],
)
def test_a_file_of_nothing_known_is_refused(
    complaints: Callable[..., list[str]], text: str | bytes, problem: str
) -> None:
    assert complaints(text)[0].startswith(problem)


def test_all_files_that_cannot_be_read_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    with pytest.raises(ProblemError) as error:
        read_files([str(tmp_path / "empty"), str(tmp_path / "none"), *H1])
    assert [problem.message.partition(":")[0] for problem in error.value.problems] == [
        "the file is empty",
        "cannot be read",
    ]


# --- parts


def test_the_shipped_drive_of_h1_is_what_its_measurements_give() -> None:
    readings = read_files(H1)
    result = fit([run for reading in readings for run in reading.runs])
    values = drive_values(result, like("h1-hdd"), origin=DOCUMENT)
    shipped = SHIPPED.root / "hardware/drives/h1-hdd.toml"
    assert drive_part("h1-hdd", result, values, DOCUMENT) == shipped.read_text(encoding="utf-8")
    assert {key for key, value in values.items() if value.source.startswith("measured: ")} == {
        *("read_bandwidth", "write_bandwidth"),
        *("read_chunk", "write_chunk"),
    }


def test_the_shipped_network_card_of_h1_is_what_its_measurement_gives() -> None:
    result = fit([run for reading in read_files(H1) for run in reading.runs])
    server = tomllib.loads((SHIPPED.root / "hardware/servers/h1.16xlarge.toml").read_text(encoding="utf-8"))
    assert tomllib.loads(server_part(result))["nic"]["bandwidth"] == server["nic"]["bandwidth"] == "24.8 Gbit/s"
    assert "controller" not in server


def example(*names: str) -> tuple[list[Run], str]:
    """Return the runs of some examples, and the text of their drive part."""
    runs = [
        run for reading in read_files([str(MEASUREMENTS / "examples" / name) for name in names]) for run in reading.runs
    ]
    result = fit(runs)
    assert result.kind is not None
    values = drive_values(result, like(result.kind.technology), "16 TB")
    return runs, drive_part("mine", result, values)


@pytest.mark.parametrize("names", [("hdd-fio.json", "hdd-iozone.txt"), ("nvme-fio.json",)])
def test_a_written_drive_loads_again_with_a_source_for_every_number(tmp_path: Path, names: tuple[str, ...]) -> None:
    (tmp_path / "mine.toml").write_text(example(*names)[1], encoding="utf-8")
    loaded = load(tmp_path / "mine.toml", Drive)
    assert loaded.unsourced == ()
    assert loaded.scenario.capacity == 16e12
    assert str(loaded.sources["capacity"]) == "assumed: stated to the calibration"
    assert names[0] in str(loaded.sources["read_bandwidth"])


def test_chunks_of_another_drive_are_scaled_to_the_fitted_seek_time() -> None:
    written, shipped = load_text(example("hdd-fio.json")[1], Drive), like("hdd")
    drive, other = written.scenario, shipped.scenario
    assert drive.seek_time / drive.mixed_chunk == pytest.approx(other.seek_time / other.mixed_chunk, rel=1e-3)
    assert drive.writeback_chunk == other.writeback_chunk == 4 * 2**20  # what the kernel writes at a time
    for name in ("mixed_chunk", "writeback_chunk"):  # and how sure they are goes with them
        scale, limits, others = getattr(drive, name) / getattr(other, name), written.ranges[name], shipped.ranges[name]
        assert (limits.low, limits.high) == pytest.approx((scale * others.low, scale * others.high), rel=1e-3)
    assert not {"seek_time", "read_bandwidth"} & written.ranges.keys()  # measured


def test_solid_drives_take_no_seeks_from_a_hard_drive() -> None:
    readings = read_files([str(MEASUREMENTS / "examples/nvme-fio.json")])
    result = fit(readings[0].runs)
    assert list(drive_values(result, like("h1-hdd"))) == [
        "capacity",
        "read_bandwidth",
        "write_bandwidth",
        "read_latency",
    ]


def test_a_drive_without_seeks_leaves_its_chunk_at_the_default() -> None:
    def run(direction: Any, rate: float, streams: int) -> DriveRun:
        return DriveRun(file="a", line=1, tool="fio", direction=direction, rate=rate, streams=streams)

    result = fit([run("read", 2e8, 1), run("read", 2.1e8, 4), run("write", 1e8, 1)], "hdd")
    values = drive_values(result, like("hdd"))
    assert "read_chunk" not in values
    assert values["write_chunk"].source.startswith(str(like("hdd").sources["write_chunk"]))


def test_tables_of_a_server_load_as_its_controller_and_network_card() -> None:
    names = ("hdd-fio.json", "hdd-iozone.txt", "iperf3-8-connections.json", "iperf3-1-connection.txt")
    tables = tomllib.loads(server_part(fit(example(*names)[0])))
    nic, controller = (
        {k: v for k, v in tables[name].items() if k not in {"source", "sources"}} for name in ("nic", "controller")
    )
    assert Nic.model_validate(nic) == Nic(bandwidth=23.41e9 / 8, flow_bandwidth=14.2e9 / 8, efficiency=1)
    assert Controller.model_validate(controller) == Controller(read_bandwidth=1.542e9)
    assert tables["controller"]["source"].startswith("measured: hdd-iozone.txt: iozone, sequential read, 4 streams")


def test_files_of_the_same_name_are_told_apart_by_their_path(tmp_path: Path) -> None:
    paths = [tmp_path / "a" / "dd.txt", tmp_path / "b" / "dd.txt"]
    for path, operands in zip(
        paths, ("if=/d/t of=/dev/null iflag=direct", "if=/dev/zero of=/d/t oflag=direct"), strict=True
    ):
        path.parent.mkdir()
        path.write_text(f"$ dd {operands} bs=1M\n{RESULT}")
    runs = [run for reading in read_files([str(path) for path in paths]) for run in reading.runs]
    values = drive_values(fit(runs, "hdd"), like("hdd"))
    assert values["read_bandwidth"].source.startswith(f"measured: {paths[0]}: dd, sequential read")


@given(bandwidth=st.floats(2e7, 3e8), left=st.floats(0.05, 0.94), seek_time=st.floats(1e-3, 0.03))
def test_the_digits_that_are_written_keep_the_measured_rate_within_a_thousandth(
    bandwidth: float, left: float, seek_time: float
) -> None:
    chunk = chunk_from_rates(bandwidth, left * bandwidth, seek_time)
    fitted = {"read_bandwidth": bandwidth, "seek_time": seek_time, "read_chunk": chunk}
    units = {"read_bandwidth": "B/s", "seek_time": "s", "read_chunk": "B"}
    written = [parse(quantity(key, value), units[key]) for key, value in fitted.items()]
    assert interleaved_rate(*written) == pytest.approx(left * bandwidth, rel=1e-3)


def test_every_run_of_the_document_is_given_back() -> None:
    runs = [run for reading in read_files(H1) for run in reading.runs]
    result = fit(runs)
    assert [result.predict(run) for run in runs] == pytest.approx([run.rate for run in runs], rel=1e-9)
    assert [run.end for run in runs if isinstance(run, NetworkRun)] == ["sender"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("$ iperf3 -c host -P\n[SUM] 0.00-10.00 sec 1 GBytes 1.2.3 Gbits/sec 0 sender\n", 2),
        (f"$ iozone -I -t 4 -r 1M\n\tChildren see throughput for {'9' * 5000} readers = 1.0 kB/sec\n", 2),
        (f"$ iozone -I -t 4\n\tChildren see throughput for 4 readers = {'9' * 400} kB/sec\n", 2),
        ('{"start": {"test_start": {"protocol": "TCP", "num_streams": Infinity}},'
         ' "end": {"sum_sent": {"bits_per_second": 1e9}}}', 1),
        ('{"fio version": "fio-3", "jobs": [{"groupid": 0, "jobname": "j", "job options": {"rw": "read", "direct":'
         ' "1"}, "read": {"bw_bytes": 1e400, "runtime": 1}}]}', 1),
        (f'{{"fio version": {"9" * 5000}, "jobs": []}}', None),
    ],
)  # fmt: skip
def test_numbers_that_no_tool_writes_are_a_problem_of_the_line_and_the_file(
    complaints: Callable[..., list[str]], text: str, line: int | None
) -> None:
    (complaint,) = complaints(text)
    assert complaint.startswith(f"{line}: ")
    assert "writes" in complaint


def test_an_option_without_its_value_is_left_alone(read: Read) -> None:
    text = (
        "$ iperf3 -c host -P\n[  5] 0.00-10.00 sec 1.0 GBytes 0.8 Gbits/sec 0 sender\n"
        "[SUM] 0.00-10.00 sec 1.0 GBytes 1.0 Gbits/sec 0 sender\n"
    )
    (run,) = read(text).runs
    assert isinstance(run, NetworkRun)
    assert run.connections == 1


def test_braces_that_no_shell_could_expand_are_left_as_they_are() -> None:
    word = "/mnt/" + "{a,b}" * 60
    assert expanded(word) == [word]
