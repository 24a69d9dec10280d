"""What runs of the fuzzer have tried, a line each, so that many runs with other seeds come to a million inputs.

python -m tests.fuzz.tally [FILE]
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.benchmarks.scenarios import cores

ROOT = Path(__file__).parent.parent.parent
TALLY = Path(__file__).with_name("tally.jsonl")
KINDS = ("traceback", "hang", "memory", "unclear")


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run: `inputs` tried of each target, `harm` done of each kind, and the most memory of a process."""

    date: str
    commit: str
    machine: str
    seed: int
    seconds: float
    workers: int
    most_mib: int
    inputs: Mapping[str, int]
    harm: Mapping[str, Mapping[str, int]]

    @classmethod
    def of(cls, counted: Counter[tuple[str, str]], seed: int, seconds: float, workers: int, most_mib: int) -> Run:
        """Return a run of which (target, kind of harm, "" for none) was counted, of this commit on this machine."""
        names = sorted({name for name, _ in counted})
        inputs = {name: sum(count for (of, _), count in counted.items() if of == name) for name in names}
        harm = {name: counts for name in names if (counts := {kind: n for kind in KINDS if (n := counted[name, kind])})}
        return cls(
            date=time.strftime("%Y-%m-%d", time.gmtime()),
            commit=_commit(),
            machine=cores(),
            seed=seed,
            seconds=round(seconds),
            workers=workers,
            most_mib=most_mib,
            inputs=inputs,
            harm=harm,
        )


def keep(run: Run, path: Path) -> None:
    """Add a run to a tally."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(run)) + "\n")


def kept(path: Path) -> list[Run]:
    """Return the runs of a tally."""
    return [Run(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def table(runs: Iterable[Run]) -> str:
    """Return the table of docs/reliability.md: what the runs together have tried, and what did harm."""
    runs = list(runs)
    rows = ["| input | inputs | tracebacks | hangs over 5 s | above 1 GiB | unclear messages |"]
    rows.append("|---|---:|---:|---:|---:|---:|")
    every = Counter[str]()
    for name in dict.fromkeys(name for run in runs for name in run.inputs):
        counts = {kind: sum(run.harm.get(name, {}).get(kind, 0) for run in runs) for kind in KINDS}
        counts = {"inputs": sum(run.inputs.get(name, 0) for run in runs), **counts}
        every.update(counts)
        rows.append(_row(name, counts))
    return "\n".join([*rows, _row("all", every)])


def _row(name: str, counts: Mapping[str, int]) -> str:
    return f"| {name} | {counts['inputs']:,} | {' | '.join(str(counts[kind]) for kind in KINDS)} |"


def _commit() -> str:
    asked = ["git", "rev-parse", "--short", "HEAD"]
    ended = subprocess.run(asked, cwd=ROOT, check=False, capture_output=True, encoding="utf-8")
    return ended.stdout.strip()


def main() -> int:
    """Print what a tally has come to."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else TALLY
    runs = kept(path)
    print(f"{len(runs)} runs, at most {max(run.most_mib for run in runs)} MiB a process\n\n{table(runs)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
