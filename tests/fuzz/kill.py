"""Kills at chance moments: what was there before is there, whole, and what was finished is kept.

python -m tests.fuzz.kill --kills 500

A file is written in a hundredth of a second of a command that takes seconds, so every other kill is aimed: the process
ends itself as it is about to open, rename or remove a file of its folder for the first to sixth time.
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
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from app.gui.session import project_file
from app.planning.checking import title_of
from profiles.loading.catalog import SHIPPED
from simulator.studies.store import Store
from tests.profiles.imports.fixtures import FIXTURES

NEWS = 50  # kills after which it is told how many were
ROOT = Path(__file__).parent.parent.parent
SIMULATE = (sys.executable, "-m", "app")
SMALL = ("hdfs-terasort", "--set", "workload.input=20 GB")
QUICK = ("--without", "validation", "--interval", "none", "--replications", "1")
LOOP = """
import sys
from pathlib import Path
from app.gui.session.project_file import Project, write
print("ready", flush=True)
for i in range(10**9):
    write(Path(sys.argv[1]), Project(notes=f"{i} " * 20_000))
"""


AIMED = """
import os, runpy, signal, sys
folder, left = sys.argv[1], int(sys.argv[2])
del sys.argv[1:3]
def meets(event, args):
    global left
    if event in ("os.rename", "os.remove") or event == "open" and args[2] & (os.O_WRONLY | os.O_RDWR):
        left -= str(args[0]).startswith(folder)
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(meets)
runpy.run_module("app", run_name="__main__", alter_sys=True)
"""
AIMS = 6


@dataclass(frozen=True)
class Victim:
    """What is killed: words of `simulate` that work in a folder.

    `whole` looks at what is left. A `loop` is a command of its own instead, whose first line of output is waited for.
    """

    words: Callable[[Path], tuple[str, ...]]
    whole: Callable[[Path], bool]
    loop: tuple[str, ...] = ()

    def seconds(self, folder: Path) -> float:
        """Return how long it works if nobody kills it.

        Raises:
            CalledProcessError: it does not come to a good end.
        """
        if self.loop:
            return 1.0
        began = time.monotonic()
        subprocess.run((*SIMULATE, *self.words(folder)), cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
        return time.monotonic() - began


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


def _measured(folder: Path) -> Path:
    """Return files to import."""
    (folder / "said").mkdir(exist_ok=True)
    for name in ("lscpu", "lsblk", "fio", "warp"):
        (folder / "said" / name).write_text(FIXTURES[name], encoding="utf-8")
    return folder / "said"


def _imported(folder: Path) -> bool:
    """Tell whether all that was written is a profile or a part of one; `title_of` refuses what is not."""
    return all(title_of(str(path)) for path in (folder / "made").glob("*.toml"))


def _fits(folder: Path) -> bool:
    """Tell whether a fit, which prints what it finds, has left the fitted numbers as they were."""
    return _fitted() == _FITS


def _fitted() -> bytes:
    return b"".join(path.read_bytes() for path in sorted((SHIPPED.root / "fits").glob("*.toml")))


_FITS = _fitted()
VICTIMS = {
    "save": Victim(lambda f: (str(f / "saved.headroom"),), _project, (sys.executable, "-c", LOOP)),
    "sweep": Victim(
        lambda f: (
            *("sweep", *SMALL, "--vary", "cluster.groups.workers.count=4..12:1"),
            *("--store", str(f / "points.sqlite"), "--interval", "none", "--workers", "1"),
        ),
        _store,
    ),
    "report": Victim(lambda f: ("report", SMALL[0], str(f / "report.html"), *SMALL[1:], *QUICK), _report),
    "import": Victim(
        lambda f: ("import", str(_measured(f)), "--output", str(f / "made"), "--force", "--interval", "none"),
        _imported,
    ),
    "fit": Victim(lambda f: ("fit", "--family", "sizing"), _fits),
}


def killed(victim: Victim, folder: Path, seconds: float, rng: random.Random) -> tuple[bool, str | None]:
    """Start a victim and kill it; return whether it was, or had ended before, and what was torn, None for nothing."""
    words, aim = victim.words(folder), rng.randrange(1, AIMS + 1) if rng.random() < 1 / 2 else None
    start = victim.loop or ((sys.executable, "-c", AIMED, str(folder), str(aim)) if aim else SIMULATE)
    process = subprocess.Popen(
        (*start, *words), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    assert process.stdout is not None
    if victim.loop:
        process.stdout.readline()
    with suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=rng.uniform(0, seconds) if victim.loop or not aim else None)
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    was_killed = process.returncode == -signal.SIGKILL
    if not was_killed and process.returncode:  # it would never be killed where that means anything
        return False, f"ended by itself with status {process.returncode}"
    try:
        return was_killed, None if victim.whole(folder) else "torn"
    except Exception as error:
        return was_killed, f"{type(error).__name__}: {error}"


def main() -> int:
    """Kill as often as asked; return 1 if anything was torn."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    asked = parser.parse_args()
    rng, parts = random.Random(asked.seed), Counter[str]()
    kills, torn = Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as made:
        folders = {name: Path(made) / name for name in VICTIMS}
        seconds = {}
        for name, victim in VICTIMS.items():
            folders[name].mkdir()
            with tempfile.TemporaryDirectory() as once:  # a store that is complete leaves the next sweep nothing to do
                seconds[name] = victim.seconds(Path(once))
        while kills.total() < asked.kills:
            name = min(VICTIMS, key=lambda key: kills[key])
            folder = folders[name]
            was_killed, reason = killed(VICTIMS[name], folder, seconds[name], rng)
            kills[name] += was_killed
            if was_killed and kills.total() % NEWS == 0:
                print(f"{kills.total()} kills, {torn.total()} torn or lost", file=sys.stderr, flush=True)
            if reason:
                print(f"{name}, seed {asked.seed}: {reason}", file=sys.stderr, flush=True)
                torn[name] += 1
            parts[name] = len([path for path in folder.rglob("*") if path.name.endswith(".part")])
    print(f"seed {asked.seed}\n\n| killed | kills | torn or lost | files left over |\n|---|---:|---:|---:|")
    for name in VICTIMS:
        print(f"| {name} | {kills[name]} | {torn[name]} | {parts[name]} |")
    print(f"| all | {kills.total()} | {torn.total()} | {parts.total()} |")
    return 1 if torn else 0


if __name__ == "__main__":
    sys.exit(main())
