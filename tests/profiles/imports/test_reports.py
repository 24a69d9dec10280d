"""Reports of benchmarks, and summaries of systems."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.planning.importing import read as imported, run
from models.hardware.measurement import DriveRun
from models.jobs.bulk_io import BulkIo
from models.scenario import Scenario
from profiles.imports.finding import Finding
from profiles.imports.opening import sources
from profiles.imports.reading import findings
from profiles.loading.loader import load_text
from tests.profiles.imports import report_fixtures as made
from tests.profiles.imports.fixtures import HDFS, IPERF3_TEXT

Read = Callable[..., Finding]
MIB, GIB = 2.0**20, 2.0**30


def works(finding: Finding) -> list[dict[str, Any]]:
    return [{key: value.value for key, value in work.values.items()} for work in finding.workloads]


def measured(finding: Finding) -> dict[tuple[str, str], float]:
    return {(one.about, one.measure): one.value for one in finding.outcomes}


def test_a_line_of_a_job_that_goes_on_and_on_without_a_depth_is_none(read: Read) -> None:
    with_more = made.FIO_2_TEXT + ": (g=1): rw=read, bs=4k-" * 40_000
    assert works(read(with_more)) == works(read(made.FIO_2_TEXT))


def test_a_row_of_percentiles_without_one_is_looked_at_once(read: Read) -> None:
    with_more = made.FIO_2_TEXT + f"    clat percentiles (usec):\n     | {'1' * 200_000}\n"
    assert works(read(with_more)) == works(read(made.FIO_2_TEXT))


def test_a_test_of_dfsio_is_a_file_for_each_task_and_its_time_in_mebibytes(read: Read) -> None:
    finding = read(made.DFSIO)
    work = {"kind": "bulk-io", "processes": 64, "size": GIB}
    assert works(finding) == [{**work, "direction": "write"}, {**work, "direction": "read"}]
    assert [work.outcomes[0].value for work in finding.workloads] == [75.5, 40.25]


def test_a_test_of_dfsio_that_breaks_off_or_appends_is_left_out(read: Read) -> None:
    finding = read(made.DFSIO.replace(": read", ": append").replace("     Test exec time sec: 75.5\n", ""))
    assert works(finding) == []
    assert "a test of the kind append left out" in finding.warnings[-1].message


def test_ior_is_tasks_that_ask_for_blocks_of_a_shared_file(read: Read) -> None:
    finding = read(made.IOR)
    work = {"kind": "bulk-io", "processes": 32, "size": 2 * GIB, "block": MIB, "files": "shared"}
    assert works(finding) == [{**work, "direction": "write"}, {**work, "direction": "read"}]
    assert [work.outcomes[0].value for work in finding.workloads] == [16.0, 8.0]


def test_ior_of_before_3_counts_its_tasks_otherwise(read: Read) -> None:
    old = "IOR-2.10.3: MPI Coordinated Test of Parallel I/O\n\tclients            = 32 (8 per node)\n"
    old += (
        "\txfersize           = 1 MiB\n\taggregate filesize = 64 GiB\nwrite     4096.00    2097152    1024.00    0.1\n"
    )
    assert works(read(old))[0]["processes"] == 32


def test_bulk_input_and_output_lie_on_the_servers_and_run(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(made.DFSIO)
    report, gathered = imported([str(tmp_path / "x")])
    work = load_text(report.profiles[0].text, Scenario, path=tmp_path / "p.toml").scenario.workload
    assert isinstance(work, BulkIo)
    assert (work.processes, work.servers) == (16, ("servers",))
    assert work.size == pytest.approx(GIB, 1e-5)
    ran = run(report, gathered, seed=0, interval="none").profiles[0]
    assert ran.problems == ()
    assert ran.compared[0].simulated


def test_phases_of_io500_have_rates_in_binary_gigabytes(read: Read) -> None:
    assert measured(read(made.IO500)) == pytest.approx(
        {
            ("ior-easy-write", "throughput"): 33.85 * GIB,
            ("ior-easy-write", "duration"): 458.3,
            ("mdtest-easy-write", "rate"): 120_500,
            ("mdtest-easy-write", "duration"): 300.1,
            ("ior-easy-read", "throughput"): 41.2 * GIB,
            ("ior-easy-read", "duration"): 210.0,
        }
    )


def test_phases_of_io500_that_break_its_rules_are_told(read: Read) -> None:
    finding = read(made.IO500.replace("458.300 seconds", "35.013 seconds [INVALID]"))
    (note,) = finding.warnings
    assert (note.line, "may measure a cache" in note.message) == (2, True)


def test_a_report_of_hibench_has_the_time_of_each_run(read: Read) -> None:
    numbers = measured(read(made.HIBENCH))
    assert numbers == {("HadoopTerasort", "duration"): 160.0, ("HadoopTerasort", "throughput"): 2e8}


def test_of_vdbench_the_means_of_runs_count(read: Read) -> None:
    numbers = measured(read(made.VDBENCH))
    assert numbers == {("run 1", "rate"): 1000.0, ("run 1", "throughput"): 4096e3, ("run 1", "mean"): 0.0015}


def test_the_access_log_of_a_gateway_stands_among_other_lines_of_its_log(read: Read) -> None:
    finding = read(made.access_log())
    (work,) = works(finding)
    assert (work["mix.GET.weight"], work["mix.LIST.weight"]) == pytest.approx((2 / 3, 1 / 3), 1e-5)
    assert work["mix.GET.size"] == 2**20
    assert work["rate"] == pytest.approx(2.0, 0.03)
    (half,) = (one.value for one in finding.workloads[0].outcomes if (one.about, one.measure) == ("GET", "p50"))
    assert half == pytest.approx(0.025, 0.05)


def test_a_head_is_told_from_a_get_by_its_request_in_the_ops_log_of_a_gateway(read: Read) -> None:
    heads = made.ops_log().replace('"GET /secret', '"HEAD /secret').replace('"bytes_sent": 1048576', '"bytes_sent": 0')
    (work,) = works(read(heads))
    assert work["mix.HEAD.weight"] == pytest.approx(2 / 3, 1e-5)


def test_the_summary_of_vdbench_names_its_table(read: Read) -> None:
    summary = "Jan 24, 2026    interval        i/o   MB/sec   bytes   read     resp\n"
    assert "import flatfile.html" in read(summary).problems[0].message


def test_the_ops_log_of_a_gateway_is_a_load_on_ceph(read: Read) -> None:
    finding = read(made.ops_log())
    (work,) = works(finding)
    assert (work["mix.GET.weight"], work["mix.PUT.weight"]) == pytest.approx((2 / 3, 1 / 3), 1e-5)
    assert work["rate"] == pytest.approx(2.0, 0.03)
    assert [part.values["product"].value for part in finding.parts] == ["Ceph"]


def test_metrics_of_a_bucket_are_a_load_and_what_it_stores(read: Read) -> None:
    finding = read(made.CLOUDWATCH)
    (work,) = works(finding)
    assert (work["mix.GET.weight"], work["mix.GET.size"], work["mix.PUT.size"]) == (0.9, 1e6, 1e7)
    assert work["rate"] == pytest.approx(10_000 / 600)
    assert [part.values["data"].value for part in finding.parts if part.kind == "stored"] == [2e12]
    assert "in the busiest period 1.28 times as many" in finding.warnings[-1].message


def test_metrics_without_a_known_label_are_told(read: Read) -> None:
    other = {"MetricDataResults": [{"Id": "m1", "Label": "x", "Timestamps": [], "Values": []}]}
    assert "no label names a metric of a bucket" in read(other).problems[0].message


def test_a_check_of_hdfs_tells_the_data_of_replicated_and_coded_files_and_servers(read: Read) -> None:
    finding = read(made.FSCK)
    told = [{key: value.value for key, value in part.values.items()} for part in finding.parts]
    assert told == [{"product": "HDFS"}, {"data": 6.12e12}, *[{}] * 4]


def test_servers_that_are_only_counted_are_counted(tmp_path: Path) -> None:
    (tmp_path / "x").write_text(made.FSCK)
    report, _ = imported([str(tmp_path / "x")])
    assert (
        load_text(report.profiles[0].text, Scenario, path=tmp_path / "p").scenario.cluster.groups["servers"].count == 4
    )


@pytest.mark.parametrize("rate", ["9.41", "23.5", "94.1"])
def test_the_sum_of_drives_is_shared_by_as_many_as_the_server_of_the_measured_network_has(
    tmp_path: Path, rate: str
) -> None:
    (tmp_path / "x").write_text(HDFS)
    (tmp_path / "y").write_text(IPERF3_TEXT.replace("16.7 Gbits", f"{rate} Gbits"))
    report, _ = imported([str(tmp_path / "x"), str(tmp_path / "y")])
    (group,) = load_text(report.profiles[0].text, Scenario, path=tmp_path / "p").scenario.cluster.groups.values()
    assert group.server.bays["data"].count > 1
    assert group.server.raw_capacity() == pytest.approx(191.98e12, rel=1e-5)


def test_the_distribution_of_files_tells_what_is_stored(read: Read) -> None:
    finding = read(made.DISTRIBUTION)
    assert finding.parts[1].values["data"].value == 180e6
    assert "100 files of 1.8 MB in the mean" in finding.warnings[0].message


def test_a_card_in_a_slow_slot_is_told(read: Read) -> None:
    (warning,) = read(made.LSPCI).warnings
    assert warning.message == (
        "a link of the kind ethernet controller: 8 GT/s by 8 lanes, of 8 GT/s by 16 lanes: see its slot"
    )
    quick = read(made.LSPCI.replace("Width x8", "Width x16"))
    assert "all 2 links of cards and drives run as fast as they can" in quick.warnings[0].message


@pytest.mark.parametrize("version", [3, 4, 5])
def test_the_short_form_of_fio_has_rates_and_times_of_each_job(read: Read, version: int) -> None:
    finding = read(made.terse(version))
    assert measured(finding) == pytest.approx(
        {
            ("job 1 read", "throughput"): 4096e3,
            ("job 1 read", "rate"): 1000.0,
            ("job 1 read", "mean"): 0.001,
            ("job 1 read", "p50"): 0.0009,
            ("job 1 read", "p99"): 0.008,
        }
    )
    assert "--output-format=json" in finding.warnings[0].message


def test_the_text_of_fio_gives_rates_and_times_as_outcomes(read: Read) -> None:
    finding = read(made.FIO_TEXT)
    assert finding.runs == []
    assert measured(finding) == pytest.approx(
        {
            ("job 1 read", "throughput"): 390e6,
            ("job 1 read", "rate"): 95_200,
            ("job 1 read", "mean"): 335.5e-6,
            ("job 1 read", "p50"): 330e-6,
            ("job 1 read", "p90"): 420e-6,
            ("job 1 read", "p99"): 510e-6,
            ("job 1 read", "p99.9"): 900e-6,
        }
    )
    assert "does not say what it bypassed" in finding.warnings[0].message


def test_below_a_command_that_bypasses_memory_the_text_of_fio_is_a_run_of_a_drive(read: Read) -> None:
    (run,) = read(f"$ fio --name=x --direct=1 --numjobs=4\n{made.FIO_TEXT}").runs
    assert isinstance(run, DriveRun)
    assert (run.rate, run.random, run.streams, run.depth, run.request) == (390e6, True, 4, 32, 4096)
    assert run.latency == pytest.approx((330e-6, 510e-6))


def test_fio_2_writes_kibibytes_and_calls_them_kb(read: Read) -> None:
    numbers = measured(read(made.FIO_2_TEXT))
    assert (numbers["job 1 read", "throughput"], numbers["job 1 read", "mean"]) == pytest.approx(
        (136198 * 1024, 0.24035)
    )


@pytest.mark.parametrize(("change", "instead"), [("err= 0", "err= 5"), ("jobs=4): err= 0", "jobs=4): err=28")])
def test_a_job_of_fio_that_failed_is_left_out_of_its_text(read: Read, change: str, instead: str) -> None:
    finding = read(made.FIO_TEXT.replace(change, instead))
    assert "fio reports error" in finding.warnings[0].message
    assert measured(finding) == {}


def times(step: int, unit: int, *microseconds: int) -> str:
    """Return a log of times of reads, `step` milliseconds apart, in units of so many in a microsecond."""
    rows = (f"{step * number}, {value * unit}, 0, 4096\n" for number, value in enumerate(microseconds))
    return "".join(rows)


def test_a_log_of_times_of_fio_tells_their_mean_and_percentiles(tmp_path: Path) -> None:
    finding = logged(tmp_path, "run_clat.1.log", times(1, 1000, *[100] * 98, *[900] * 2))
    numbers = measured(finding)
    assert numbers["drive read", "mean"] == pytest.approx(116e-6)
    assert numbers["drive read", "p50"] == pytest.approx(100e-6, rel=0.01)
    assert numbers["drive read", "p99"] == pytest.approx(900e-6, rel=0.01)


def test_means_of_times_have_no_percentiles(tmp_path: Path) -> None:
    text = "0, 90000000, 0, 4096\n" + times(1000, 1000, *[100] * 60)
    assert list(measured(logged(tmp_path, "run_lat.log", text))) == [("drive read", "mean")]


def test_times_below_a_microsecond_are_those_of_fio_2(tmp_path: Path) -> None:
    finding = logged(tmp_path, "run_lat.log", times(1, 1, *[0], *[300] * 20))
    assert measured(finding)["drive read", "p50"] == pytest.approx(300e-6, rel=0.01)


def test_times_whose_unit_nothing_tells_are_left_out(tmp_path: Path) -> None:
    finding = logged(tmp_path, "run_lat.log", times(250, 1, *[0], *[100_000] * 20))
    assert measured(finding) == {}
    assert "whether they are ns, or us of fio before version 3" in finding.warnings[0].message


def logged(folder: Path, name: str, text: str) -> Finding:
    (folder / name).write_text(text)
    with sources([str(folder / name)]) as files:
        return findings(files)[0]


def test_a_log_of_fio_tells_the_steady_rate_and_the_cache_before_it(tmp_path: Path) -> None:
    finding = logged(tmp_path, "run_bw.1.log", made.fio_log())
    assert measured(finding) == {("drive write", "throughput"): 128e6}
    assert finding.warnings[0].message == (
        "the first 20 seconds were 4 times as fast as the second half: a cache; run fio longer, with ramp_time=20s"
    )


def test_a_log_of_fio_that_is_steady_has_no_cache(tmp_path: Path) -> None:
    assert logged(tmp_path, "run_iops.log", made.fio_log(cache=0)).warnings == []


def test_a_log_of_fio_whose_name_does_not_tell_what_it_holds_is_told(tmp_path: Path) -> None:
    assert "its name does not end in" in logged(tmp_path, "x", made.fio_log()).warnings[0].message


def test_both_directions_of_a_card_at_once_stand_beside_each_other(read: Read) -> None:
    test = {"version": "iperf 3.17", "test_start": {"protocol": "TCP", "num_streams": 8}}
    end = {"sum_sent": {"bits_per_second": 94e9}, "sum_sent_bidir_reverse": {"bits_per_second": 80e9}}
    finding = read({"start": test, "end": end})
    assert measured(finding) == {
        ("network, sent beside receiving", "throughput"): 11.75e9,
        ("network, received beside sending", "throughput"): 10e9,
    }


def test_a_stream_of_iperf3_that_failed_says_why(read: Read) -> None:
    finding = read('{"event":"start","data":{"version":"iperf 3.17"}}\n{"event":"error","data":"refused"}\n')
    assert finding.problems[0].message == "iperf3 failed: refused"
