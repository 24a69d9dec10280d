"""The same scenario and seed give the same bytes, in any process; another seed gives other chances."""

from __future__ import annotations

import hashlib
import math
import os
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from models.jobs.mapreduce import MapReduce
from models.storage.hdfs.system import Hdfs
from simulator.result import Result
from simulator.run import simulate
from tests.laws.lone_jobs import time_taken
from tests.laws.miniatures import FEW, SHIPPED, miniature, run
from tests.laws.test_conservation import Bytes

ROOT = Path(__file__).parents[2]
OTHER = 0.06
"""By how much placement and start times move the duration of a cluster of a few servers."""
ASK = "from tests.laws.test_reproducibility import digests; print(*digests(), sep='\\n')"


def digest(result: Result) -> str:
    """Return a hash of all that a result holds, to the last bit of every number."""
    values = [getattr(result, name) for name in Result.__dataclass_fields__]
    with np.printoptions(override_repr=lambda array: f"{array.dtype}{array.shape}{array.tobytes().hex()}"):
        words = repr(values)  # of arrays every bit: NumPy's own words take longer, round, and leave out all but ends
    return hashlib.blake2b(words.encode(), digest_size=16).hexdigest()


def digests() -> list[str]:
    return [digest(run(name)) for name in FEW]


@cache
def elsewhere() -> dict[str, str]:
    """Return the digests that a fresh process comes to, which orders what it hashes in another way."""
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return dict(zip(FEW, ended.stdout.splitlines(), strict=True))


@pytest.mark.parametrize("name", FEW)
def test_the_same_seed_gives_the_same_result_to_the_last_bit_in_any_process_whatever_it_did_before(name: str) -> None:
    assert digest(run(name)) == elsewhere()[name]


def test_a_result_that_went_to_another_process_and_back_is_the_same() -> None:
    result = run(SHIPPED[0])
    assert digest(pickle.loads(pickle.dumps(result))) == digest(result)


def luck(name: str) -> float:
    """Return by what part the drives that reduces draw may move a duration: three deviations of the fullest drive.

    Each reduce merges on a drive that it draws. Of d drives with m reduces each on average, the fullest has a random
    count with a deviation of sqrt(m) pi / sqrt(12 ln d) (Gumbel), two runs differ by sqrt(2) of it, and each reduce
    more writes its part once more and reads back what the page cache does not hold.
    """
    scenario = miniature(name)
    job = scenario.workload
    if not isinstance(job, MapReduce) or not job.has_reduces or not isinstance(scenario.storage, Hdfs):
        return 0.0
    amounts = Bytes(scenario)
    bay = amounts.workers.server.bays[job.framework.local_dirs]
    drives = bay.count * amounts.nodes
    deviation = math.sqrt(amounts.reduces / drives) * math.pi / math.sqrt(12 * math.log(drives))
    read_back = amounts.merged / amounts.mapped - 1
    cost = bay.drive.write_cost("mixed") + read_back * bay.drive.read_cost("mixed")
    return 3 * math.sqrt(2) * deviation * amounts.mapped / amounts.reduces * cost / run(name).duration


@pytest.mark.parametrize("name", FEW)
def test_another_seed_gives_other_chances_but_not_another_answer(name: str) -> None:
    """Placement and start times, and the drives that reduces draw, move the time by a few per cent at most."""
    other = simulate(miniature(name), profile=name, seed=1)
    assert digest(other) != digest(run(name))
    assert time_taken(other) == pytest.approx(time_taken(run(name)), rel=OTHER + luck(name))
