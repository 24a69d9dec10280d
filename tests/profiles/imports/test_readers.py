"""What each reader takes from a file of its format, and what becomes of bad files."""

from __future__ import annotations

import codecs
import gzip
import json
import math
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from app.planning.importing import read as imported
from models.problem import ProblemError
from models.scenario import Scenario
from profiles.imports.finding import Finding
from profiles.imports.formats import formats, recognised
from profiles.imports.loads import Load
from profiles.imports.opening import sources
from profiles.imports.reading import findings
from profiles.loading.loader import load_text
from tests.profiles.imports import fixtures, report_fixtures
from tests.profiles.imports.fixtures import FIXTURES, ONLY_TOLD

Read = Callable[..., Finding]

PYTHON = re.compile(
    r"\b[A-Z]\w*Error\b|NoneType|attribute|indices|subscript|operand|unhashable|unpack|literal|'(int|str)'"
)
"""What Python says of values that are not as they were expected."""


def parts(finding: Finding) -> list[dict[str, object]]:
    """Return the values of the parts of a finding."""
    return [{"is": part.kind, **{key: value.value for key, value in part.values.items()}} for part in finding.parts]


def works(finding: Finding) -> list[dict[str, object]]:
    """Return the values of the workloads of a finding."""
    return [{key: value.value for key, value in work.values.items()} for work in finding.workloads]


def outcomes(finding: Finding, number: int = 0) -> dict[tuple[str, str], object]:
    """Return what was measured of a workload, to be compared with numbers that are near."""
    return {(one.about, one.measure): pytest.approx(one.value, 0.03) for one in finding.workloads[number].outcomes}


# --- inventories


def test_lscpu_counts_cores_of_all_sockets_nested_or_flat(read: Read) -> None:
    nested = parts(read(FIXTURES["lscpu"]))
    assert nested == [
        {"is": "server", "cpu.threads": 64, "cpu.cores": 32, "cpu.model": "AMD EPYC 7763 64-Core Processor"}
    ]
    flat = {
        "CPU(s)": "64",
        "Core(s) per socket": "16",
        "Socket(s)": "2",
        "Model name": "AMD EPYC 7763 64-Core Processor",
    }
    assert parts(read({"lscpu": [{"field": f"{key}:", "data": text} for key, text in flat.items()]})) == nested


def test_lsblk_leaves_the_system_out(read: Read) -> None:
    finding = read(FIXTURES["lsblk"])
    assert parts(finding) == [{"is": "drive", "technology": "hdd", "capacity": 16000900661248.0}] * 4
    assert [warning.message for warning in finding.warnings] == ["a drive left out: it holds the system (/)"]


@pytest.mark.parametrize(
    ("size", "read_as"), [(1000, 1000.0), ("1000", 1000.0), ("3.6T", 3.6 * 2**40), ("3,6T", 3.6 * 2**40)]
)
def test_sizes_of_lsblk_are_bytes_or_count_by_1024(read: Read, size: object, read_as: float) -> None:
    (part,) = parts(read({"blockdevices": [{"name": "sdb", "type": "disk", "rota": "0", "size": size}]}))
    assert part == {"is": "drive", "technology": "ssd", "capacity": read_as}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ip link", [{"is": "server", "nic.mtu": 9000.0, "nic.links": 2}]),
        ("ethtool", [{"is": "server", "nic.bandwidth": 3.125e9}]),
        ("smartctl", [{"is": "drive", "technology": "hdd", "capacity": 16000900661248.0, "rpm": 7200.0}]),
        ("nvme list", [{"is": "drive", "technology": "nvme", "capacity": 3840755982336.0}] * 2),
        (
            "dmidecode",
            [
                {
                    "is": "server",
                    "cpu.model": "AMD EPYC 7763 64-Core Processor",
                    "memory.size": 2.0**35,
                    "cpu.cores": 16,
                    "cpu.threads": 32,
                }
            ],
        ),
        ("meminfo", [{"is": "server", "memory.size": 263841234 * 1024.0, "memory.dirty_ratio": 0.3}]),
        (
            "hdfs dfsadmin",
            [
                *[{"is": "server", "storage.capacity": 191.98e12}] * 3,
                {"is": "storage", "product": "HDFS"},
                {"is": "stored", "data": 63e12},
            ],
        ),
        ("ceph df", [{"is": "stored", "data": 1e15}, {"is": "storage", "product": "Ceph"}]),
    ],
)
def test_an_inventory_gives_the_parts_of_a_cluster(read: Read, name: str, expected: list[dict[str, object]]) -> None:
    assert parts(read(FIXTURES[name])) == expected


def test_a_slow_link_of_a_drive_is_told(read: Read) -> None:
    assert "has its link at 3.0 Gb/s of 6.0 Gb/s" in read(FIXTURES["smartctl"]).warnings[0].message


def test_an_old_smartctl_tells_the_size_of_nvme_elsewhere(read: Read) -> None:
    old = {
        "json_format_version": [1, 0],
        "device": {"name": "/dev/nvme0", "protocol": "NVMe"},
        "nvme_total_capacity": 9,
    }
    assert parts(read(old)) == [{"is": "drive", "technology": "nvme", "capacity": 9.0}]


def test_mc_admin_info_gives_servers_drives_and_sets(read: Read) -> None:
    inventory = parts(read(FIXTURES["mc admin info"]))
    assert inventory.count({"is": "server", "memory.size": 2.0**38}) == 4
    assert inventory.count({"is": "drive", "capacity": 7681501126656.0}) == 32
    assert {"is": "storage", "product": "MinIO", "parity": 4, "set_size": 16} in inventory
    assert {"is": "stored", "data": 120e12} in inventory


def test_ceph_gives_hosts_and_drives_and_tells_the_fullest(read: Read) -> None:
    finding = read(FIXTURES["ceph osd"])
    assert parts(finding).count({"is": "drive", "technology": "hdd", "capacity": 15625879552 * 1024.0}) == 6
    assert len({part.host for part in finding.parts if part.kind == "drive"}) == 3
    assert "the fullest drive is 80 % full, the mean is 47 %" in finding.warnings[0].message


# --- benchmarks of object stores

GET = {"mix.GET.action": "get", "mix.GET.weight": 1.0, "mix.GET.size": 2.0**20}


def test_warp_gives_rate_and_times_of_its_requests(read: Read) -> None:
    finding = read(FIXTURES["warp"])
    assert works(finding) == [{"kind": "requests", "threads": 4, "count": 40, **GET}]
    assert outcomes(finding) == {
        ("GET", "rate"): 40,
        ("GET", "throughput"): 40 * 2**20,
        ("GET", "p50"): 0.1,
        ("GET", "p90"): 0.1,
    }


def test_warp_has_a_workload_for_what_is_done_one_after_the_other(read: Read) -> None:
    first = fixtures.warp().replace("\tGET\t", "\tPUT\t").splitlines()[:-1]
    later = [line.replace("T10:00:0", "T10:01:0") for line in fixtures.warp().splitlines()[1:]]
    workloads = works(read("\n".join([*first, *later])))
    assert ["mix.PUT.action" in work for work in workloads] == [True, False]


@pytest.mark.parametrize(
    ("content", "threads", "measured"),
    [
        (fixtures.WARP_JSON, 16, {("GET", "rate"): 500, ("GET", "throughput"): 500 * 2**20, ("GET", "mean"): 0.02}),
        (fixtures.WARP_ANALYZED, 20, {("PUT", "rate"): 100, ("PUT", "throughput"): 100 * 2**20, ("PUT", "p99"): 0.09}),
    ],
    ids=["since 1.1", "before"],
)
def test_a_summary_of_warp_is_read_of_both_kinds(
    read: Read, content: object, threads: int, measured: dict[tuple[str, str], float]
) -> None:
    finding = read(content)
    assert works(finding)[0]["threads"] == threads
    assert measured.items() <= outcomes(finding).items()


def test_the_last_step_of_a_speed_test_counts(read: Read) -> None:
    finding = read(FIXTURES["mc perf"])
    assert [work["threads"] for work in works(finding)] == [32, 32]
    assert [work.clients for work in finding.workloads] == [8, 8]
    assert outcomes(finding, 1)["GET", "p99.9"] == 0.2


def test_the_workers_of_cosbench_follow_from_rates_and_times(read: Read) -> None:
    (work,) = works(read(FIXTURES["COSBench"]))
    assert work["threads"] == 32  # 800/s of 20 ms and 200/s of 80 ms
    assert (work["mix.GET.weight"], work["mix.PUT.size"]) == (0.8, 64000.0)


def test_elbencho_gives_loads_of_buckets_and_rates_of_drives(read: Read) -> None:
    finding = read(FIXTURES["elbencho"])
    assert outcomes(finding)["GET", "throughput"] == 800 * 2**20
    assert [f"{run}" for run in finding.runs] == ["sequential write, 2 streams on each of 4 drives, 1 MiB, depth 8"]


def test_the_mb_of_s3_benchmark_are_counted_anew(read: Read) -> None:
    finding = read(FIXTURES["s3-benchmark"])
    assert outcomes(finding, 1)["GET", "throughput"] == 400 * 2**20
    assert not finding.warnings
    wrong = read(FIXTURES["s3-benchmark"].replace("speed = 400MB", "speed = 419MB"))
    assert "give another speed than the printed one" in wrong.warnings[0].message


# --- logs of requests


def test_an_access_log_gives_the_mix_with_sizes_and_ranges(read: Read) -> None:
    (work,) = works(read(FIXTURES["S3 access log"]))
    assert work["rate"] == pytest.approx(0.5, 0.01)
    assert {key: work[key] for key in work if key.endswith((".weight", ".range"))} == {
        "mix.GET.weight": 0.4,
        "mix.GET range.weight": 0.2,
        "mix.GET range.range": 4096.0,
        "mix.PUT.weight": 0.2,
        "mix.HEAD-MISSING.weight": 0.2,
    }


@pytest.mark.parametrize(
    ("name", "rate", "p50"), [("web log", 1.0, 0.025), ("mc admin trace", 2.0, 0.02), ("StorageGRID audit", 2.0, 0.05)]
)
def test_a_log_gives_rate_and_times(read: Read, name: str, rate: float, p50: float) -> None:
    finding = read(FIXTURES[name])
    assert works(finding)[0]["rate"] == pytest.approx(rate, 0.03)
    assert outcomes(finding)["GET", "p50"] == p50


def test_small_and_large_objects_stay_apart() -> None:
    load = Load()
    for number in range(1000):
        size = 1000.0 if number % 2 else 5e8
        load.add("get", size, size, float(number), 0.01, 1)
    assert {name: kind.mean_size for name, kind in load.named().items()} == {"GET 1 kB": 1000.0, "GET 500 MB": 5e8}


def test_pieces_of_a_log_in_one_folder_are_one_load(tmp_path: Path) -> None:
    lines = FIXTURES["S3 access log"].splitlines(keepends=True)
    for number in range(3):
        (tmp_path / f"2026-{number}").write_text("".join(lines[100 * number : 100 * number + 100]))
    with sources([str(tmp_path)]) as files:
        (finding,) = findings(files)
    assert works(finding)[0]["count"] == 300


# --- utilisation


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (fixtures.SADF, {"cpu": 0.4, "disk": 0.8, "network": 0.2}),
        (fixtures.IOSTAT, {"cpu": 0.6, "disk": 0.5}),
        (fixtures.PROMETHEUS, {"cpu": 0.5, "disk": 0.25}),
        (fixtures.PAGE, {"cpu": 0.2}),
    ],
    ids=["sadf", "iostat", "Prometheus", "page"],
)
def test_counters_give_how_busy_resources_were(read: Read, content: object, expected: dict[str, float]) -> None:
    assert {one.about: one.value for one in read(content).outcomes} == pytest.approx(expected)


# --- networks


STREAM = [
    {"event": "start", "data": {"version": "iperf 3.9", "test_start": {"protocol": "TCP", "num_streams": 8}}},
    {"event": "interval", "data": {"sum": {}}},
    {"event": "end", "data": {"sum_sent": {"bits_per_second": 30e9}}},
]


def test_a_stream_of_iperf3_is_read_and_its_single_thread_told(read: Read) -> None:
    finding = read("\n".join(map(json.dumps, STREAM)))
    assert [run.rate for run in finding.runs] == [3.75e9]
    assert "iperf 3.9 has one thread for all connections" in finding.warnings[0].message


# --- all formats


@pytest.mark.parametrize(
    ("text", "way_out"),
    [
        ("Linux 5.8\n\navg-cpu:  %user   %nice\n", "iostat -o JSON -x 60"),
        ("NAME  MAJ:MIN RM  SIZE\nsda 8:0 0 20G\n", "lsblk -J -b -O"),
        ("Timestamp,Op-Count,,\n,read,write\n", "wN-NAME.csv"),
    ],
)
def test_a_form_that_cannot_be_used_is_told_with_the_one_that_can(read: Read, text: str, way_out: str) -> None:
    (problem,) = read(text).problems
    assert problem.message.endswith(way_out)


def test_binary_counters_of_sar_are_told_with_what_makes_json_of_them(read: Read) -> None:
    (problem,) = read(b"\x96\xd5\x75\x21\x0c\x00\x00\x00" + bytes(64)).problems
    assert problem.message.endswith("sadf -j saNN")


ALL = FIXTURES | ONLY_TOLD


def test_every_format_has_a_file_on_which_it_is_tried() -> None:
    assert {reader.NAME for reader in formats()} == set(ALL)


@pytest.mark.parametrize("name", ALL)
def test_a_file_is_told_by_its_content_alone(name: str) -> None:
    assert [reader.NAME for reader in recognised(ALL[name])] == [name]


CODINGS: dict[str, Callable[[str], bytes]] = {
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "BOM": lambda text: codecs.BOM_UTF8 + text.encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "gzip": lambda text: gzip.compress(text.encode()),
}


@pytest.mark.parametrize("name", FIXTURES)
def test_a_file_says_the_same_in_any_coding(read: Read, name: str) -> None:
    plain = read(FIXTURES[name])
    for coded in (read(coding(FIXTURES[name])) for coding in CODINGS.values()):
        assert list(coded.told()) == list(plain.told()) != []
        assert (parts(coded), works(coded), coded.runs) == (parts(plain), works(plain), plain.runs)


SPOILED: dict[str, Callable[[str], str]] = {
    "cut off": lambda text: text[: len(text) // 2],
    "a line of rubbish": lambda text: text.replace("\n", "\n\x00\x7f%%\n", 1) if text.count("\n") > 1 else text[:-3],
    "a number that is none": lambda text: text.replace("0", "many", 3),
    "numbers of another language": lambda text: re.sub(r"(?<=\d)\.(?=\d)", ",", text),
    "a number beyond all": lambda text: re.sub(r"\d+", "9" * 400, text, count=5),
    "a negative number": lambda text: re.sub(r"(?<![\w.])(?=[1-9])", "-", text, count=20),
    "keys and no values": lambda text: re.sub(r'(":\s*)[\d.]+', r"\1null", text),
}


@pytest.mark.parametrize("name", ALL)
def test_a_bad_file_is_told_and_ends_no_import(read: Read, name: str) -> None:
    for spoil in SPOILED.values():
        finding = read(spoil(ALL[name]))
        told = list(finding.told())
        assert finding.problems or told or finding.warnings
        assert all(problem.file for problem in [*finding.problems, *finding.warnings])


@pytest.mark.parametrize("text", ["", " \n\n", "Filesystem 1K-blocks Used\n/dev/sda1 1 1\n", '{"a": [1, 2]}'])
def test_a_file_of_nothing_known_is_one_problem(read: Read, text: str) -> None:
    assert len(read(text).problems) == 1


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(list(ALL)), place=st.floats(0, 0.999), junk=st.binary(min_size=1, max_size=6))
def test_no_bytes_end_in_a_traceback(tmp_path: Path, name: str, place: float, junk: bytes) -> None:
    data = ALL[name].encode()
    at = int(place * len(data))
    (tmp_path / "x").write_bytes(data[:at] + junk + data[at + len(junk) :])
    with suppress(ProblemError), sources([str(tmp_path / "x")]) as files:  # refused where it begins like an archive
        findings(files)


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(ProblemError), sources(["nowhere"]):
        pass


def test_sizes_in_the_names_of_requests_have_no_point_that_would_part_a_key() -> None:
    load = Load()
    for number in range(100):
        size = (6.28e6, 1.05e9, 5e8, 12.5)[number % 4]
        load.add("get", size, size, float(number), 0.01, 1)
    assert list(load.named()) == ["GET 12 B", "GET 6280 kB", "GET 500 MB", "GET 1050 MB"]


def test_threads_without_cores_are_two_a_core(tmp_path: Path) -> None:
    for threads, cores in ((1, 1), (8, 4)):
        lines = "".join(f'node_cpu_seconds_total{{cpu="{n}",mode="idle"}} 800\n' for n in range(threads))
        (tmp_path / "x").write_text(f"# HELP node_cpu_seconds_total x\n{lines}")
        report, _ = imported([str(tmp_path / "x")])
        cluster = load_text(report.profiles[0].text, Scenario, path=tmp_path / "profile.toml").scenario.cluster
        assert (cluster.groups["servers"].server.cpu.cores, cluster.groups["servers"].server.cpu.threads) == (
            cores,
            threads,
        )


def test_a_time_that_is_wrong_makes_no_days_of_ages(read: Read) -> None:
    finding = read(FIXTURES["RGW ops log"].replace("2026-", "0026-", 1))
    assert len(finding.workloads) == 1
    assert "one of them is wrong, so that its days are left out" in " ".join(note.message for note in finding.warnings)


@pytest.mark.parametrize("name", ["COSBench", "elbencho"])
def test_a_cell_beyond_what_tables_hold_is_told(read: Read, name: str) -> None:
    finding = read(f"{FIXTURES[name]}{'x' * 200_000},1\n")
    (problem,) = finding.problems
    assert problem.line == FIXTURES[name].count("\n") + 1
    assert f"not as {name} writes it: a cell of more than 131,072 letters; a quotation mark" in problem.message


def test_a_message_names_what_was_expected_and_found_and_where_in_words(read: Read) -> None:
    job = {"jobname": "a", "groupid": 0, "job options": {"direct": "1"}, "read": {"bw_bytes": 1e6}}
    damaged: dict[str, object] = {
        "it has no 'jobname'": {"groupid": 0},
        "it has no 'groupid'": {"jobname": "a", "read": {}},
        "expected an object, found a number, at or just before 'global options'": 7,
        "it has no 'runtime'": {**job, "job_runtime": 4},
        "expected a number, found an object, at or just before 'bw_bytes'": {
            **job,
            "job_runtime": 0,
            "read": {"bw_bytes": {}, "runtime": 1},
        },
        "expected a number, found 'many', at or just before 'job_runtime'": {
            **job,
            "job options": {"direct": "1", "numjobs": "many"},
        },
    }
    for expected, entry in damaged.items():
        (problem,) = read({"fio version": "fio-3.33", "jobs": [entry]}).problems
        assert problem.line == 1
        assert problem.message == f"not as fio writes it: {expected}; run it again, or leave this out"


def places_in(data: object, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of each value of JSON, of lists the first alone."""
    entries = data.items() if isinstance(data, dict) else enumerate(data[:1]) if isinstance(data, list) else ()
    for key, value in entries:
        yield (*here, key)
        yield from places_in(value, (*here, key))


@pytest.mark.parametrize("name", ["fio", "iperf3 -J", "sysstat", "warp summary", "Trino query", "Dremio profile"])
def test_no_message_of_a_damaged_file_speaks_python(read: Read, name: str) -> None:
    whole = json.loads(FIXTURES[name])
    for number, (*above, last) in enumerate(places_in(whole)):
        damaged = json.loads(FIXTURES[name])
        reduce(getitem, above, damaged)[last] = (None, 7, "abc", [], {}, math.inf)[number % 6]
        for problem in read(damaged).problems:
            assert not PYTHON.search(problem.message), problem.message


@pytest.mark.parametrize(
    ("begin", "piece"),
    [
        ("", "[AUDT:[RSLT(FC32):"),
        ("", " beast: 0x1: a - "),
        (' beast: 0x1: a - u [12/Jun/2024:13:10:07 +0000] "GET ', "/"),
        ('a b c [06/Feb/2019:00:00:38 +0000] "GET ', "/"),
    ],
)
def test_a_line_of_a_megabyte_is_read_in_one_pass(read: Read, begin: str, piece: str) -> None:
    """Where each place of it is tried again from the next one, it takes minutes."""
    logs = (FIXTURES["web log"], FIXTURES["StorageGRID audit"], report_fixtures.access_log())
    line = begin + piece * (10**6 // len(piece))
    for log in logs:
        assert read(f"{log}{line}\n").workloads
