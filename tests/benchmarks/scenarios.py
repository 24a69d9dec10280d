"""What people wait for, measured as they meet it: each command in a process of its own, its start included."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.gui.session.estimate import estimate
from models.scenario import Scenario
from profiles.loading import catalog
from profiles.loading.loader import load

POINTS = 200  # of the sweep
KEYSTROKES = 20  # of which the median is taken
RACK = 40  # servers, as in the shipped studies
DAY = 24  # servers of the day that workloads share, as it ships
TERABYTES = 0.1  # a server, as in the shipped studies
KEYS = 100  # sampled a server, as in the study of a thousand: so few for all would let one reduce hold up the others


@dataclass(frozen=True, slots=True)
class Run:
    """What a run took: `wall` and `cpu` in seconds, `memory` (MB) of its largest process."""

    wall: float
    cpu: float
    memory: float


@dataclass(frozen=True, slots=True)
class Case:
    """Something that people wait for: the options of `simulate`, and the most seconds and MB it should take."""

    title: str
    options: tuple[str, ...]
    target: float | None = None
    memory: float | None = None


def terasort(servers: int) -> tuple[str, ...]:
    """Return the options that run the study of a thousand servers on others, each with as much data."""
    settings = {
        "cluster.groups.workers.count": str(servers),
        "cluster.network.racks": str(servers // RACK),
        "workload.input": f"{servers * TERABYTES:g} TB",
        "workload.sampled_keys": str(servers * KEYS),
    }
    stated = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
    return ("--profile", "terasort-100tb-1000-nodes", *stated)


def shared_day(servers: int) -> tuple[str, ...]:
    """Return the options that run the day of 24 servers on others, half of which store, each with as much to do."""
    times = servers / DAY
    settings = {
        "cluster.groups.storage.count": f"{servers // 2}",
        "cluster.groups.compute.count": f"{servers // 2}",
        "workloads.night.input": f"{2 * times:g} TB",
        "workloads.hourly.input": f"{256 * times:g} GiB",
        "workloads.dashboards.rate": f"{150 * times:g} 1/s",
        "workloads.dashboards.data": f"{2 * times:g} TB",
        "workloads.tenant.rate": f"{40 * times:g} 1/s",
        "workloads.tenant.data": f"{10 * times:g} TB",
        "workloads.backup.files": f"{2000 * times:.0f}",
        "workloads.backup.size": f"{2 * times:g} TB",
        "workloads.backup.throttle": f"{250 * times:g} MB/s",
    }
    stated = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
    return ("--profile", "shared-day", "--interval", "none", *stated)


FIRST = ("--profile", "hdfs-terasort")
HUGE = ("--set", "cluster.groups.workers.count=100000", "--set", "workload.input=10 PB")
PRICED = (*FIRST, *HUGE, "--set", "prices=on-premises-2026")
RANKED = ("hdfs-terasort", "on-premises-2026", "on-premises-2024")
CASES = (
    Case("`simulate --help`", ("--help",), 0.4),
    Case("TeraSort as documented", FIRST, 1.5),
    Case("TeraSort, 100 TB on 1,000 servers", ("--profile", "terasort-100tb-1000-nodes"), 10.0),
    Case("TeraSort, 1 PB on 10,000 servers", ("--profile", "terasort-1pb-10000-nodes"), 20.0, 600.0),
    Case("TeraSort, 10 PB on 100,000 servers", terasort(100_000), 60.0),
    Case("bill of 100,000 servers", ("bill", *PRICED), 5.0),
    Case("ranking of two price lists for them", ("prices", "rank", *RANKED, *HUGE), 5.0),
    Case("durability of their data", ("durability", *PRICED), 5.0),
    Case("repair policies and maintenance of them", ("upkeep", *PRICED), 5.0),
    Case("a day that five workloads share on 1,000 servers", shared_day(1000), 60.0),
    Case("TPC-DS on Dremio, until its rates are sure to 0.5 %", ("--profile", "tpcds-dremio")),
    Case(
        "TPC-DS on Dremio, all 4.4 million requests",
        ("--profile", "tpcds-dremio", "--set", "workload.precision=0"),
    ),
    Case(
        f"sweep of {POINTS} points: TeraSort by its input",
        ("sweep", "--profile", "hdfs-terasort", "--vary", f"workload.input=500 GB..2 TB:log{POINTS}", "--workers", "2"),
        40.0,
    ),
    Case("size of 504 options", ("size", "--study", "cheapest-terasort", "--workers", "2"), 10.0),
    Case("plan of an import beside a job each night", ("plan", "import-beside-nightly", "--workers", "2"), 300.0),
    Case("validation, all families", ("validate",), 30.0),
)


AFRESH = """
import sys
from pathlib import Path
from app.cli.main import execute
from simulator.library import make
make(Path(sys.argv[1]))
sys.exit(execute(sys.argv[2:]))
"""


def run(options: Sequence[str], *, is_first: bool = False) -> Run:
    """Run a command of `simulate` and return what it took, with that of the processes it started.

    A first run without compiled kernels makes them.

    Raises:
        RuntimeError: it failed; that a target is missed (status 1) is no failure.
    """
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        kept = {**os.environ, "XDG_DATA_HOME": folder}  # where a sweep keeps its points: none is known from before
        program = ("-c", AFRESH, folder) if is_first else ("-m", "app")
        process = subprocess.Popen([sys.executable, *program, *options], stdout=output, env=kept)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise RuntimeError(f"simulate {' '.join(options)}: status {process.returncode}")
    return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)  # KiB on Linux


def median(runs: Sequence[Run]) -> Run:
    """Return the run in the middle by CPU time, with the median wall time of all."""
    middle = sorted(runs, key=lambda timed: timed.cpu)[len(runs) // 2]
    return replace(middle, wall=statistics.median(timed.wall for timed in runs))


def documented() -> dict[str, Run]:
    """Return what each documented run takes."""
    names = [entry.name for entry in catalog.describe() if entry.folder == "benchmarks" and entry.family != "sizing"]
    return {name: run(("--profile", name)) for name in names}


def keystroke() -> Run:
    """Return what the estimate takes that follows each keystroke in the window: a profile is read, and its bounds."""
    runs = []
    for number in range(KEYSTROKES):
        wall, cpu = time.perf_counter(), time.process_time()
        estimate(load("hdfs-terasort", Scenario, {"cluster.groups.workers.count": str(12 + number)}).scenario)
        runs.append(Run(time.perf_counter() - wall, time.process_time() - cpu, 0.0))
    return median(runs)


def cores() -> str:
    """Return the name of the processor and how many cores of it there are."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{os.cpu_count()} cores of {names[0] if names else 'an unknown processor'}"
