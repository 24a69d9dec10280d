"""Measure the engine and what people wait for: `python tests/benchmarks/page.py docs/performance.md` writes it down.

`--runs N` takes the median of N runs of whatever takes a few seconds; what takes longer runs once. `--simgrid PROGRAM`
measures SimGrid side by side: a program that carries out `w1 N`, `w2 M N stream`, `w3 K` or `w4 P` and writes `run_s=`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np

from tests.benchmarks import scenarios
from tests.benchmarks.scenarios import CASES, FIRST, Run
from tests.benchmarks.workloads import MAKESPANS, SIMGRID, TARGETS

Key = tuple[str, tuple[int, ...], float]
Row = Sequence[object]
T = TypeVar("T")

NIC = 3.1e9  # B/s, unless a workload says otherwise
LONG = 5.0  # s; what takes longer runs once
PATIENCE = 60.0  # s; what took SimGrid longer is not measured anew
TOLERANCE = 0.0005
LOOSE: tuple[Key, ...] = tuple(key for key in MAKESPANS if key[0] in ("shuffle", "waves") and key[2] == NIC)
NUMBERS = {"shuffle": "w1", "waves": "w2", "requests": "w3", "timeouts": "w4"}  # as the program for SimGrid calls them
GROWTHS: tuple[tuple[str, tuple[tuple[int, ...], ...], str], ...] = (
    ("shuffle", ((50,), (100,), (200,)), "nodes (flows grow with the square, and so do the rates of each)"),
    ("waves", ((2000, 12), (20000, 100), (100000, 1000)), "tasks"),
    ("requests", ((250000,), (1000000,), (4400000,)), "requests"),
    ("timeouts", ((250,), (500,), (1000,)), "processes"),
)
SERVERS = (120, 360, 1000)

INTRODUCTION = """# Performance

What the program takes, as `make bench` measures it, and beside it what SimGrid takes for the same work. It is written
by that command; numbers of another machine differ. CPU time is what compares: wall time is as long only on a machine
that does nothing else.

- Machine: {cores}; {system}, Python {python}, NumPy {numpy}, numba {numba}, SimPy {simpy}.
- At the start {busy:.1f} processes of others wanted a core.
- Median of {runs} runs; what takes more than {long:g} s runs once.
"""

SIDE_BY_SIDE = """
## The engine beside SimGrid

Four workloads of `tests/benchmarks/workloads.py`, through the same interface as the models: *shuffle*, N(N-1) flows at
once; *waves*, tasks that read from a remote drive, compute and write; *requests* of 256 clients to 3 servers of 64
slots; *timeouts*, 1,000 each of P processes. SimGrid is 4.1 (s4u, C++, one activity a read). Where its figure says
*earlier*, it was measured before, on one core of a quiet machine (`workloads.py` says which), else now, side by side.
*Times* is its wall time over our CPU time, *meant* what we aim at, *off* how far the simulated ends lie apart.

"""

MERGED = """
With `--tolerance 0.05%` a work ends together with another one when at most that part of it is left to do. That is for
flows that all begin at once; the tasks of *waves* wait for each other, and find drives in another order then:

"""

GROWTH = """
## How it grows

CPU seconds of three sizes, and the exponent of the power of the size that fits them best: 1 is linear.

"""

WAITING = """
## What people wait for

Each is a command in a process of its own, its start included; *CPU* adds its workers, *memory* is that of the largest
process.

What a sort on a thousand servers takes is mostly planning its 250,000 tasks, 35 µs each, and 5.3 million works, 1.5 µs
each: what is written drains through page caches piece by piece, which made six times as many of them. With
`--tolerance 0.1%` a few of the servers are simulated, each of which stands for many, not always a whole number: 14
stand for 206. A stage of a million tasks or more says on stderr before it begins how long they may take and what makes
it less: a count of 5 PB on 2,000 servers has 4.7 million. Any other run says so once it has taken a processor 30 s with
as long to go, and a question of many runs when the first have taken 30 s.

"""

WHERE = "\n## Where it goes\n"
"""From here on the page is looked into by hand, and stays as it is."""


def repeated(once: Callable[[], T], runs: int, seconds: Callable[[T], float]) -> list[T]:
    """Return what so many runs come to, or the first alone if it took long."""
    times = [once()]
    while len(times) < runs and seconds(times[0]) <= LONG:
        times.append(once())
    return times


def measured(key: Key, runs: int, tolerance: float = 0.0) -> dict[str, Any]:
    """Return the line of a workload in the middle by CPU time."""
    workload, size, nic = key
    command = [sys.executable, str(Path(__file__).parent / "engine.py"), workload, *map(str, size)]
    environment = {**os.environ, "NIC": str(nic), "TOLERANCE": str(tolerance)}

    def once() -> dict[str, Any]:
        output = subprocess.run(command, env=environment, check=True, capture_output=True, encoding="utf-8").stdout
        print(output.strip(), file=sys.stderr, flush=True)
        return dict(json.loads(output))

    lines = repeated(once, runs, _cpu)
    return sorted(lines, key=_cpu)[len(lines) // 2]


def _cpu(line: dict[str, Any]) -> float:
    return float(line["cpu_s"])


def simgrid(key: Key, runs: int, program: str | None) -> tuple[float, str]:
    """Return the seconds that SimGrid takes for a workload, and how to write them down."""
    workload, size, nic = key
    if program is None or SIMGRID[key] > PATIENCE:
        return SIMGRID[key], f"{SIMGRID[key]:g} (earlier)"
    command = [program, NUMBERS[workload], *map(str, size), *(["stream"] if workload == "waves" else [])]
    environment = {**os.environ, "NIC": str(nic)}

    def once() -> float:
        ended = subprocess.run(command, env=environment, check=True, capture_output=True, encoding="utf-8")
        seconds = re.search(r"run_s=([0-9.]+)", ended.stdout + ended.stderr)
        if seconds is None:
            raise SystemExit(f"{' '.join(command)} wrote no run_s=: {ended.stdout}")
        return float(seconds[1])

    spent = repeated(once, runs, float)
    print(command, spent, file=sys.stderr, flush=True)
    return statistics.median(spent), f"{statistics.median(spent):.3g}"


def side_by_side(runs: int, program: str | None) -> tuple[list[Row], dict[Key, float]]:
    """Return a row for each workload, and its CPU time (s)."""
    rows: list[Row] = []
    times: dict[Key, float] = {}
    for key, makespan in MAKESPANS.items():
        line = measured(key, runs)
        times[key] = line["cpu_s"]
        seconds, written = simgrid(key, runs, program)
        rate = seconds / line["cpu_s"]
        off = f"{abs(line['makespan'] / makespan - 1):.3%}"
        figures = [f"{line['wall_s']:.2f}", f"{line['cpu_s']:.2f}", written, f"{rate:.1f}"]
        rows.append([_name(key), *figures, TARGETS.get(key, ""), off, f"{line['rss_mb']:.0f}"])
    return rows, times


def merged(times: dict[Key, float], runs: int) -> Iterator[Row]:
    """Yield a row for each workload whose works may end together."""
    for key in LOOSE:
        line = measured(key, runs, TOLERANCE)
        off = f"{abs(line['makespan'] / MAKESPANS[key] - 1):.3%}"
        yield [_name(key), f"{times[key]:.2f}", f"{line['cpu_s']:.2f}", off]


def growth(times: dict[Key, float], runs: int) -> Iterator[Row]:
    """Yield a row for each workload, and one for TeraSort on more and more servers."""
    for workload, sizes, what in GROWTHS:
        keys: list[Key] = [(workload, size, NIC) for size in sizes]
        spent = [times[key] if key in times else measured(key, runs)["cpu_s"] for key in keys]
        yield _growth(workload, [size[0] for size in sizes], spent, what)
    alone = ("--interval", "none")  # one run each
    spent = [_waited((*scenarios.terasort(servers), *alone), 1).cpu for servers in SERVERS]
    yield _growth("TeraSort, 100 GB a server", SERVERS, spent, "servers")


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Return the power of the size that fits the seconds best."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def waiting(runs: int) -> Iterator[Row]:
    """Yield a row for each thing that people wait for."""
    for case in CASES:
        waited = _waited(case.options, runs)
        memory = f"{waited.memory:.0f}" + (f" (at most {case.memory:.0f})" if case.memory else "")
        yield [case.title, f"{waited.wall:.2f}", f"{waited.cpu:.2f}", case.target or "", memory]
    first = scenarios.run(FIRST, is_first=True)
    yield [
        "TeraSort, a first run without compiled kernels",
        f"{first.wall:.2f}",
        f"{first.cpu:.2f}",
        "",
        f"{first.memory:.0f}",
    ]
    by_title = scenarios.documented()
    slowest = max(by_title, key=lambda name: by_title[name].cpu)
    for title, run in (
        ("median", scenarios.median(list(by_title.values()))),
        (f"slowest, {slowest}", by_title[slowest]),
    ):
        heading = f"each of {len(by_title)} documented runs: {title}"
        yield [heading, f"{run.wall:.2f}", f"{run.cpu:.2f}", 1.5, f"{run.memory:.0f}"]
    key = scenarios.keystroke()
    yield ["estimate in the window, a keystroke", f"{key.wall:.3f}", f"{key.cpu:.3f}", "", ""]


def page(runs: int, program: str | None, kept: str) -> str:
    """Measure everything and return the page, with what is `kept` of the one before at its end."""
    busy = os.getloadavg()[0]
    rows, times = side_by_side(runs, program)
    names = ("numpy", "numba", "simpy")
    return "".join(
        (
            INTRODUCTION.format(
                cores=scenarios.cores(),
                system=platform.system(),
                python=platform.python_version(),
                busy=busy,
                runs=runs,
                long=LONG,
                **{name: version(name) for name in names},
            ),
            SIDE_BY_SIDE,
            _table(("workload", "wall s", "CPU s", "SimGrid s", "times", "meant", "off", "memory MB"), rows),
            MERGED,
            _table(("workload", "exact, CPU s", "CPU s", "off"), merged(times, runs)),
            GROWTH,
            _table(("work", "sizes", "CPU s", "exponent", "of"), growth(times, runs)),
            WAITING,
            _table(("what", "wall s", "CPU s", "target s", "memory MB"), waiting(runs)),
            kept,
        )
    )


def _waited(options: Sequence[str], runs: int) -> Run:
    """Return the median of a command, of one run if it takes long."""
    taken = repeated(lambda: scenarios.run(options), runs, lambda run: run.cpu)
    print(" ".join(options), taken, file=sys.stderr, flush=True)
    return scenarios.median(taken)


def _name(key: Key) -> str:
    workload, size, nic = key
    return " ".join([workload, *(f"{number:,}" for number in size), *([f"NIC={nic:g}"] if nic != NIC else [])])


def _growth(name: str, sizes: Sequence[int], seconds: Sequence[float], what: str) -> Row:
    listed = ", ".join(f"{size:,}" for size in sizes), ", ".join(f"{spent:.2f}" for spent in seconds)
    return [name, *listed, f"{exponent(sizes, seconds):.2f}", what]


def _table(head: Sequence[str], rows: Iterator[Row] | list[Row]) -> str:
    lines = [head, [":--", *["--:"] * (len(head) - 1)], *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--simgrid", metavar="PROGRAM")
    options = parser.parse_args()
    by_hand = "".join(options.file.read_text(encoding="utf-8").partition(WHERE)[1:])
    options.file.write_text(page(options.runs, options.simgrid, by_hand), encoding="utf-8")
