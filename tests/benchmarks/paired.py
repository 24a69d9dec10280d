"""Hold the engine of this checkout against that of a commit: `python tests/benchmarks/paired.py COMMIT`.

Both run each workload in turn on the same machine, so that what else it does meets both; of each the least CPU time
counts, which that disturbs least. Status 1 if a figure is more than `MOST` slower. The figures of both are added to
`history.jsonl`, a line each: the commit, the machine, and CPU seconds by workload.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.benchmarks.scenarios import cores

ROOT = Path(__file__).parents[2]
HISTORY = Path(__file__).with_name("history.jsonl")
MOST = 0.15
"""Part by which a figure may be slower. Assumption: thrice what least times of equal code differ by."""
RUNS = 5
WORKLOADS = ("shuffle 50", "waves 2000 12", "waves 20000 100", "requests 1000000", "timeouts 250")
Times = Mapping[str, float]
Measure = Callable[[Path, str], float]


def measured(root: Path, workload: str) -> float:
    """Return the CPU seconds of a workload on the engine of a checkout."""
    command = [sys.executable, str(root / "tests/benchmarks/engine.py"), *workload.split()]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    ended = subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True, encoding="utf-8")
    return float(json.loads(ended.stdout)["cpu_s"])


def paired(roots: Sequence[Path], workloads: Sequence[str], runs: int, measure: Measure) -> list[dict[str, float]]:
    """Return of each checkout the least CPU seconds of each workload; the checkouts take turns."""
    least: list[dict[str, float]] = [{} for _ in roots]
    for workload in workloads:
        for _ in range(runs):
            for root, times in zip(roots, least, strict=True):
                times[workload] = min(measure(root, workload), times.get(workload, float("inf")))
    return least


def slower(before: Times, after: Times) -> dict[str, float]:
    """Return the part by which figures are slower that are slower by more than may be."""
    changes = {name: after[name] / before[name] - 1 for name in after if before.get(name)}
    return {name: change for name, change in changes.items() if change > MOST}


def keep(history: Path, commit: str, machine: str, times: Times) -> None:
    """Add figures to the history."""
    line = json.dumps({"commit": commit, "machine": machine, "cpu_s": dict(times)})
    with history.open("a", encoding="utf-8") as file:
        file.write(line + "\n")


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """Give a commit in a folder of its own, with its kernels built."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "before"
        _git("worktree", "add", "--detach", str(path), commit)
        try:
            subprocess.run([sys.executable, "-m", "simulator.warm"], cwd=path, check=True)
            yield path
        finally:
            _git("worktree", "remove", "--force", str(path))


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, encoding="utf-8").stdout.strip()


def main() -> int:
    """Measure, keep and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit")
    parser.add_argument("--runs", type=int, default=RUNS)
    options = parser.parse_args()
    with checkout(options.commit) as base:
        before, after = paired((base, ROOT), WORKLOADS, options.runs, measured)
    changed = "+" if _git("status", "--porcelain") else ""
    for commit, times in ((options.commit, before), ("HEAD", after)):
        name = _git("rev-parse", "--short", commit) + (changed if commit == "HEAD" else "")
        keep(HISTORY, name, cores(), times)
    slowed = slower(before, after)
    for name in WORKLOADS:
        mark = "  SLOWER" if name in slowed else ""
        print(f"{name:20} {before[name]:8.3f} s {after[name]:8.3f} s {after[name] / before[name] - 1:+7.1%}{mark}")
    return 1 if slowed else 0


if __name__ == "__main__":
    sys.exit(main())
