"""`make fuzz`: inputs by chance for as long as asked, what does harm kept in files that replay it, and a table.

python -m tests.fuzz.run --seconds 3600 --tally tests/fuzz/tally.jsonl
python -m tests.fuzz.run --replay build/fuzz/profiles-1a2b3c4d.txt

What inputs are written to lies in memory where the system has a file system there, so that no time goes to a disk.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import fcntl
import gc
import hashlib
import importlib
import multiprocessing
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.guards import harm
from tests.fuzz.mutator import mutated
from tests.fuzz.tally import Run, keep, table
from tests.fuzz.targets import TARGETS

PATIENCE = 60.0
"""Seconds of a processor without news after which a worker hangs in compiled code, and is killed."""
ASLEEP = 1200.0
"""Seconds without news after which one waits for ever; on a busy machine many go by before it has begun."""
NEWS = 1.0
"""Seconds after which a worker tells what it has tried."""
IN_MEMORY = "/dev/shm"
PREFIX = "headroom-fuzz-run-"
SETTLED = 60.0
"""Seconds after which a folder that nobody has locked is left over."""
PR_SET_PDEATHSIG = 1
"""What asks Linux for a signal at the death of the parent. Source: prctl(2)."""
NATIVE = "compiled code"
LATE = "scipy.optimize", "scipy.special", "scipy.stats"
"""Modules that the program imports where they are first needed."""
Counts = Counter[tuple[str, str]]


def main() -> int:
    """Run or replay; return 1 if any input did harm."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--target", choices=[*TARGETS], action="append")
    parser.add_argument("--into", type=Path, default=Path("build/fuzz"))
    parser.add_argument("--tally", type=Path, help="add what was tried to this file")
    parser.add_argument("--replay", type=Path)
    asked = parser.parse_args()
    if asked.replay:
        return _replay(asked.replay)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that what is written goes, too
    with scratch_folder(Path(IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else tempfile.gettempdir())) as scratch:
        os.environ["TMPDIR"] = f"{scratch}"  # of the workers
        return _fuzz(asked, scratch)


@contextlib.contextmanager
def scratch_folder(place: Path) -> Iterator[Path]:
    """Give a folder for what is tried, and take away those that runs which were killed have left there.

    Each is locked as long as its run lasts, whatever ends that.
    """
    for left in place.glob(f"{PREFIX}*"):
        if _is_left(left):
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir=place, ignore_cleanup_errors=True) as scratch:
        held = os.open(scratch, os.O_RDONLY)
        try:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield Path(scratch)
        finally:
            os.close(held)


def _is_left(folder: Path) -> bool:
    """Tell whether no run has a folder any more; one that has just made it has yet to lock it."""
    try:
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:  # gone, a link, or another user's
        return False
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return time.time() - os.fstat(held).st_mtime > SETTLED
    except OSError:
        return False
    finally:
        os.close(held)


def _replay(path: Path) -> int:
    name, _, text = path.read_bytes().decode("utf-8", errors="surrogatepass").partition("\n")
    harmed = harm(TARGETS[name].action, text, on_error=traceback.print_exception)
    print(f"{name}: {': '.join(harmed) if harmed else 'no harm'}")
    return 1 if harmed else 0


def _fuzz(asked: argparse.Namespace, scratch: Path) -> int:
    asked.into.mkdir(parents=True, exist_ok=True)
    names = asked.target or [*TARGETS]
    news: multiprocessing.Queue[Counts] = multiprocessing.get_context("spawn").Queue()
    end = time.time() + asked.seconds
    workers = [_Worker(asked, names, i, end, news, scratch) for i in range(asked.workers)]
    counted = Counts()
    began = time.time()
    try:
        while any(worker.is_going for worker in workers):
            time.sleep(0.5)
            while not news.empty():
                counted.update(news.get())
            for worker in workers:
                counted[NATIVE, "hang"] += worker.look_after()
    except KeyboardInterrupt:
        print("ended by hand: what was tried until now counts", file=sys.stderr)
    while not news.empty():
        counted.update(news.get())
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    seconds = min(time.time() - began, asked.seconds)
    run = Run.of(counted, asked.seed, seconds, asked.workers, most)
    print(f"seed {asked.seed}, {seconds:g} s on {asked.workers} processes, at most {most} MiB each\n")
    print(table([run]))
    if asked.tally:
        keep(run, asked.tally)
    if run.harm:
        print(f"\nInputs that did harm are in {asked.into}; what one does, and its traceback, tells:", file=sys.stderr)
        print(f"  {sys.executable} -m tests.fuzz.run --replay {asked.into}/FILE", file=sys.stderr)
    return 1 if run.harm else 0


class _Worker:
    """A process that tries inputs, and is started anew where it dies or gives no news."""

    def __init__(
        self, asked: argparse.Namespace, names: list[str], number: int, end: float, news: object, scratch: Path
    ) -> None:
        self._what = asked.into, names, end, news
        self._seed, self._number, self._lives, self._is_over = asked.seed, number, 0, False
        self._now = scratch / f"worker-{number}.now"
        self._start()

    def _start(self) -> None:
        self._lives += 1
        seed = f"{self._seed}-{self._number}-{self._lives}"
        arguments = (*self._what, seed, self._now)
        self._process = multiprocessing.get_context("spawn").Process(target=_work, args=arguments, daemon=True)
        self._now.write_bytes(b"")
        self._seen = 0.0, 0.0
        self._process.start()

    @property
    def is_going(self) -> bool:
        return self._process.is_alive()

    def _worked(self) -> float:
        """Return the seconds of a processor that the process has had, 0 once it is gone."""
        try:
            told = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")

    def look_after(self) -> int:
        """Start a worker anew that hangs or has died; return how many did."""
        if self._is_over:
            return 0
        changed = self._now.stat().st_mtime
        if self._seen[0] != changed:
            self._seen = changed, self._worked()
        is_late = self._worked() - self._seen[1] > PATIENCE or time.time() - changed > ASLEEP
        has_died = not self._process.is_alive() and self._process.exitcode != 0
        if not (is_late and self._process.is_alive()) and not has_died:
            return 0
        if has_died and not self._now.read_bytes():
            sys.exit("a worker cannot begin: see above")
        self._process.kill()
        self._process.join()
        _keep(self._what[0], self._now.read_bytes())
        self._is_over = time.time() >= self._what[2]
        if not self._is_over:
            self._start()
        return 1


def _work(into: Path, names: list[str], end: float, news: multiprocessing.Queue[Counts], seed: str, now: Path) -> None:
    """Try inputs until the end, told to `news` as how many of each target did which harm, "" for none."""
    end_with_parent()
    for module in LATE:  # one that a limit of an input cuts off while it is imported stays broken for all that follow
        importlib.import_module(module)
    rng = random.Random(seed)
    seeds = {name: TARGETS[name].seeds() for name in names}
    shares = [TARGETS[name].share for name in names]
    tried, told = Counts(), time.time()
    gc.collect()
    gc.freeze()  # what is there stays, and need not be looked through again
    while (moment := time.time()) < end:
        (name,) = rng.choices(names, shares)
        text = mutated(rng.choice(seeds[name]), seeds[name], rng)
        content = f"{name}\n{text}".encode(errors="surrogatepass")
        now.write_bytes(content)
        harmed = harm(TARGETS[name].action, text)
        tried[name, harmed[0] if harmed else ""] += 1
        if harmed:
            path = _keep(into, content)
            print(f"{path}: {': '.join(harmed)}", file=sys.stderr, flush=True)
        if harmed or moment > told + NEWS:
            news.put(tried)
            tried, told = Counts(), moment
    news.put(tried)


def end_with_parent() -> None:
    """Let this process be killed as soon as its parent ends, whatever ends that, and whatever it does then itself."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    parent = multiprocessing.parent_process()
    if parent is not None and not parent.is_alive():  # it ended before we asked
        sys.exit(1)


def _keep(into: Path, content: bytes) -> Path:
    name = content.partition(b"\n")[0].decode().replace(" ", "-").strip("-")
    path = into / f"{name}-{hashlib.sha256(content).hexdigest()[:8]}.txt"
    path.write_bytes(content)
    return path


if __name__ == "__main__":
    sys.exit(main())
