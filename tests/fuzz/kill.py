"""Kills at chance moments: what was there before is there, whole, and what was finished is kept.

python -m tests.fuzz.kill --kills 500
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.gui.session import project_file
from simulator.studies.store import Store

ROOT = Path(__file__).parent.parent.parent
SIMULATE = (sys.executable, "-m", "app")
SMALL = ("hdfs-terasort", "--set", "workload.input=20 GB")
LOOP = """
import sys
from pathlib import Path
from app.gui.session.project_file import Project, write
print("ready", flush=True)
for i in range(10**9):
    write(Path(sys.argv[1]), Project(notes=f"{i} " * 20_000))
"""


@dataclass(frozen=True)
class Victim:
    """What is killed: a command that works in a folder, in `seconds` if nobody does; `whole` looks at what is left.

    `ready` waits until the first line of its output, so that a kill meets the work rather than the start.
    """

    command: Callable[[Path], tuple[str, ...]]
    whole: Callable[[Path], bool]
    seconds: float
    ready: bool = False


def _project(folder: Path) -> bool:
    path = folder / "saved.headroom"
    if not path.exists():
        return True
    first, *rest = project_file.read(path).notes.split()
    return len(rest) == 19_999 and set(rest) == {first}


def _store(folder: Path) -> bool:
    """Tell whether all points of a store can be read; reading refuses damaged ones."""
    path = folder / "points.sqlite"
    if not path.exists():
        return True
    with Store(path) as store:
        return len(store.find(store.keys())) == len(store)


def _report(folder: Path) -> bool:
    path = folder / "report.html"
    return not path.exists() or path.read_text(encoding="utf-8").rstrip().endswith("</html>")


def _fits(folder: Path) -> bool:
    """Tell whether a fit, which prints what it finds, has left the fitted numbers as they were."""
    return _fitted() == _FITS


def _fitted() -> bytes:
    return b"".join(path.read_bytes() for path in sorted((ROOT / "profiles" / "fits").glob("*.toml")))


_FITS = _fitted()
VICTIMS = {
    "save": Victim(lambda f: (sys.executable, "-c", LOOP, str(f / "saved.headroom")), _project, 1.0, ready=True),
    "sweep": Victim(
        lambda f: (
            *(*SIMULATE, "sweep", *SMALL, "--vary", "cluster.groups.workers.count=4..12:1"),
            *("--store", str(f / "points.sqlite"), "--interval", "none", "--workers", "1"),
        ),
        _store,
        12.0,
    ),
    "report": Victim(lambda f: (*SIMULATE, "report", *SMALL, "--output", str(f / "report.html")), _report, 8.0),
    "fit": Victim(lambda f: (*SIMULATE, "fit", "--family", "sizing"), _fits, 3.0),
}


def killed(name: str, folder: Path, rng: random.Random) -> str | None:
    """Kill one victim at a chance moment; return what was torn, None for nothing."""
    victim = VICTIMS[name]
    process = subprocess.Popen(
        victim.command(folder), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    assert process.stdout is not None
    if victim.ready:
        process.stdout.readline()
    time.sleep(rng.uniform(0, victim.seconds))
    os.killpg(process.pid, signal.SIGKILL)
    process.stdout.close()
    process.wait()
    try:
        return None if victim.whole(folder) else "torn"
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def main() -> int:
    """Kill as often as asked; return 1 if anything was torn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    asked = parser.parse_args()
    rng, torn, parts = random.Random(asked.seed), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as made:
        for number in range(asked.kills):
            name = [*VICTIMS][number % len(VICTIMS)]
            folder = Path(made) / name
            folder.mkdir(exist_ok=True)
            if reason := killed(name, folder, rng):
                print(f"{name}: {reason}", file=sys.stderr, flush=True)
                torn[name] += 1
            parts[name] = len([path for path in folder.iterdir() if ".part" in path.name])
    print(f"seed {asked.seed}\n\n| killed | kills | torn or lost | files left over |\n|---|---:|---:|---:|")
    for place, name in enumerate(VICTIMS):
        print(f"| {name} | {len(range(place, asked.kills, len(VICTIMS)))} | {torn[name]} | {parts[name]} |")
    return 1 if torn else 0


if __name__ == "__main__":
    sys.exit(main())
