"""What strangers' profiles, plans and command lines begin: runs, searches and all that is said of them.

Each is stopped, as Ctrl+C does, before it would count as one that hangs: what is legal may take long.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import io
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from pydantic import ValidationError

from app.cli.failures import CANCELLED, WRONG_INPUT
from app.cli.main import COMMANDS as COMMAND_NAMES, execute
from app.planning.plans.plan_search import planned
from app.planning.progress import uncounted
from app.planning.proposing import proposed
from app.reports.forms import document_text
from app.reports.proposal.document import document
from models.problem import Problem, ProblemError
from models.quantity import stated
from models.scenario import Scenario
from profiles.plans.sheet import sheet_of_text
from simulator import interrupts
from simulator.clock import Cancelled
from simulator.run import simulate
from simulator.studies.points import Answer
from tests.app import plans as small_plans
from tests.fuzz.planning import folder, written
from tests.laws import miniatures, test_many_workloads as many
from tests.profiles.imports.fixtures import FIXTURES

PATIENCE = 2.0
"""Seconds of processor time after which a run is stopped."""
PUBLISHED = (
    "published-aistore-10-2-links",
    "published-beegfs-me4084-read-1",
    "published-ceph-1tib-read-4kb-30",
    "published-ceph-r6515-put-4mib",
    "published-s3-c5-4xlarge-16mib-8",
)
"""Loads of which each states keys that no other profile in miniature does."""


def runs() -> list[str]:
    """Return a small scenario of each kind of work, store, client and redundancy."""
    shipped = [miniatures.miniature(name) for name in miniatures.SHIPPED]
    published = [
        miniatures.changed(miniatures.whole(name), {"workload.duration": lambda _: 0.02}) for name in PUBLISHED
    ]
    return [
        json.dumps(stated(scenario.model_dump()), indent=1)
        for scenario in (*shipped, *published, many.scenario(many.SMALL))
    ]


def ran(text: str) -> None:
    """Simulate a scenario, and keep and read what it came to."""
    try:
        scenario = Scenario.model_validate_json(text)
    except ValidationError:  # profiles of other kinds of input are refused in words
        return
    end = time.process_time() + PATIENCE
    with contextlib.suppress(Cancelled):
        answer = Answer.of(simulate(scenario, should_stop=lambda: time.process_time() > end))
        assert Answer.from_json(answer.to_json()) == answer, "what is kept is what was found"


def plans() -> list[str]:
    """Return plans of which each has its answer in a second."""
    money = '[prices]\nuse = "on-premises-2024"\ndiscount = "10 %"\n[prices.currencies.EUR]\nvalue = "1.08 USD"\n'
    return [
        small_plans.TEXT,
        f'kind = "plan"\ntitle = "t"\n{money}{_REQUIRED.format("400000 EUR")}{_STORE}',
        f'kind = "plan"\ntitle = "t"\nprices = "on-premises-2024"\n{_REQUIRED.format("1 M USD")}{_LOAD}{_STORE}',
    ]


_REQUIRED = '[requirements]\nstart = "2027-01-01"\nyears = 3\nstored = "200 TB"\nbudget = "{}"\ncarbon = "900 t"\n'
_LOAD = """
while_degraded = "1 drive"
[[requirements.workloads]]
name = "store"
kind = "requests"
rate = "200 1/s"
duration = "1 s"
objectives = ["GET latency p99 <= 50 ms"]
[requirements.workloads.mix.GET]
action = "get"
size = "256 KiB"
"""
_STORE = """
[candidates."MinIO"]
storage = "minio-nvme"
servers = { use = "nvme-100gbe", bays.data.count = 8 }
protection = "EC:4"
count = "8..16:4"

[candidates."Ceph"]
storage = "ceph"
servers = "hdd-25gbe"
count = "8"
"""


def answered(text: str) -> None:
    """Answer a plan, and write the report to be signed."""
    sheet = sheet_of_text(text, folder() / "plan.toml")
    sheet.check()
    with _stopped():
        answer = planned(sheet, 1, uncounted)
        document_text.render(document(proposed(sheet, answer)))


RUN = ("hdfs-teragen", "--set", "workload.generated=2 GB")
STORE = ("durability-minio", "--set", "storage.parity=2", "--seed", "3")
COMMANDS = (
    (*RUN, "--seed", "1", "--replications", "2", "--tolerance", "0.1%", "--interval", "none", "--locale", "de-CH"),
    ("compare", RUN[0], "hdfs-terasort", "--set", "workload.cpu=20 ns/B", "--replications", "1", "--format", "csv"),
    ("sweep", *RUN, "--vary", "cluster.groups.workers.count=4..8:4", "--vary", "storage.replication=2,3", "--zip"),
    ("size", *RUN, "--vary", "cluster.groups.workers.count=4,8", "--target", "duration <= 9 s", "--minimize", "drives"),
    ("size", *RUN, "--vary", "storage.replication=2,3", "--target", "usable >= 1 TB", "--confidence", "90%"),
    ("sensitivity", *RUN, "--input", "workload.cpu=1 ns/B..9 ns/B", "--samples", "8", "--measure", "duration"),
    ("sensitivity", *RUN, "--input", "workload.cpu=5 ns/B +- 5 %", "--sobol", "8", "--seed", "2"),
    ("bill", "growth-hdfs", "--set", "prices=on-premises-2024", "--format", "csv", "--locale", "fr"),
    ("capacity", "growth-hdfs", "--target", "usable >= 1 PB", "--set", "growth.months=24", "--interval", "fast"),
    ("durability", *STORE, "--check", "100"),
    ("upkeep", *STORE, "--contract", "next day = 24 h, 3 %", "--nines", "9", "--keep", "0"),
    ("upkeep", *STORE, "--maintenance", "upgrades = 4/y, 20 min", "--vary", "storage.parity=2,4"),
    ("purchase", "growth-hdfs", "--set", "prices=on-premises-2024", "--lead-time", "90 d", "--order-cost", "9 USD"),
    ("purchase", "growth-hdfs", "--set", "prices=on-premises-2024", "--lot", "4", "--replications", "1"),
    ("track", "growth-hdfs", "fsck.txt", "--target", "usable >= 1 PB"),
    ("calibrate", "fio.json", "--technology", "nvme", "--capacity", "2 TB", "--name", "d", "--like", "nvme"),
    (
        "calibrate",
        "dd.txt",
        "fio.json",
        "--direction",
        "write",
        "--technology",
        "hdd",
        "--seek-time",
        "8 ms",
        "--origin",
        "the machine room",
    ),
    ("import", "fio.json", "fsck.txt", "--check", "--direction", "read", "--format", "json"),
    ("accept", "growth-hdfs", "fio.json", "--data", "500 GB", "--seed", "1"),
    ("prices", "import", "offer.csv", "--like", "on-premises-2024", "--date", "2026-11", "--rate", "EUR=1.08 USD"),
    ("prices", "rank", "growth-hdfs", "on-premises-2024", "on-premises-2026", "--format", "json"),
    ("lint", *RUN, "--format", "json"),
    ("check", RUN[0], "hdfs-or-minio", "terasort-servers"),
    ("profiles", "minio-sort", "--format", "json"),
    ("plan", "hdfs-or-minio#MinIO on NVMe", "--set", "prices.discount=30%", "--interval", "none"),
    ("schema", "headroom.run/1"),
    ("fit", "--family", "sizing"),
)
"""Words of `simulate`; those of outputs are left out, lest a change by chance leads one elsewhere."""
WITHOUT_WORKERS = {
    "bill",
    "calibrate",
    "check",
    "durability",
    "import",
    "lint",
    "prices",
    "profiles",
    "reference",
    "schema",
}


def command_lines() -> list[str]:
    """Return command lines, a word a line."""
    return ["\n".join(words) for words in COMMANDS]


def carried_out(text: str) -> None:
    """Carry out the words of a command line, a word a line, in a folder with a few files."""
    words = text.split("\n")
    if words[0] in COMMAND_NAMES and words[0] not in WITHOUT_WORKERS:
        words += ["--workers", "1"]
    told = io.StringIO()
    with (
        Path(os.devnull).open("w", encoding="utf-8") as nowhere,
        _apart(),
        mock.patch.object(sys, "stderr", told),
        mock.patch.object(sys, "stdout", nowhere),
    ):
        status = execute(["--debug", *words])
    message = told.getvalue()
    if status == WRONG_INPUT:
        raise ProblemError([Problem("", None, "command line", message)])
    assert status in (0, 1, CANCELLED), f"exit status {status}"


@contextlib.contextmanager
def _apart() -> Iterator[None]:
    """Work in a folder with a few files, keep nothing, start no processes, and stop in time."""
    place, before = _files(), Path.cwd()
    apart = {name: str(place) for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
    one_core = mock.patch.object(os, "sched_getaffinity", return_value={0})
    with mock.patch.dict(os.environ, {**apart, "HEADROOM_INTERVAL": "none"}), one_core, _stopped():
        os.chdir(place)
        try:
            yield
        finally:
            os.chdir(before)


@functools.cache
def _files() -> Path:
    """Return a folder with files that command lines name."""
    written("Item;Qty;Unit price EUR\nHDD 18 TB SATA;48;310,00\n", "commands/offer.csv")
    for name, fixture in (("fio.json", "fio"), ("fsck.txt", "hdfs fsck"), ("dd.txt", "dd")):
        path = written(FIXTURES[fixture], f"commands/{name}")
    return path.parent


@contextlib.contextmanager
def _stopped() -> Iterator[None]:
    """Stop a block as Ctrl+C does, after its time; what a library made of that stop is taken for it, as by `simulate`.

    Callbacks of the garbage collector (Hypothesis has one) are set aside: an exception in one is told as an error of
    its own, and stops nothing.
    """
    aside, gc.callbacks[:] = list(gc.callbacks), []
    before = signal.signal(signal.SIGVTALRM, interrupts.meet)
    with mock.patch.object(interrupts, "_met", []):
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
            try:
                yield
            finally:  # here, lest its time ends where nothing meets it
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        except KeyboardInterrupt:
            pass
        except Exception:
            if not interrupts.met():
                raise
    signal.signal(signal.SIGVTALRM, before)
    gc.callbacks[:] = aside
