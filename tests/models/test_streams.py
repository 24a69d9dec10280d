from __future__ import annotations

import subprocess
import sys

import numpy as np

from models.streams import Streams


def draws(seed: int, name: str) -> list[float]:
    return list(Streams(seed).generator(name).random(4))


def test_a_stream_gives_the_same_numbers_in_every_process() -> None:
    program = "from models.streams import Streams; print(Streams(7).generator('hdfs/placement').integers(10**9))"
    runs = {subprocess.check_output([sys.executable, "-c", program], text=True) for _ in range(2)}
    assert runs == {f"{Streams(7).generator('hdfs/placement').integers(10**9)}\n"}


def test_a_stream_does_not_depend_on_which_others_were_asked_for() -> None:
    streams = Streams(1)
    streams.generator("faults").random(100)
    assert streams.generator("hdfs/placement").random(4).tolist() == draws(1, "hdfs/placement")


def test_streams_of_other_names_and_seeds_differ() -> None:
    assert len({draws(seed, name)[0] for seed in (0, 1, 10, -1) for name in ("a", "b", "0/a", "1/a")}) == 16


def test_streams_are_uncorrelated() -> None:
    a, b = (Streams(3).generator(name).random(100_000) for name in ("a", "b"))
    assert abs(float(np.corrcoef(a, b)[0, 1])) < 0.02  # 6 standard errors of 1 / sqrt(n)
