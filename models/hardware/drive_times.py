"""How long single accesses of a drive take: a turn and a seek that differ, and flash that now and then collects.

A hard drive turns anywhere between not at all and once, and seeks over a way between two random places of the part of
its platters that holds data: of the time beyond `SETTLE`, the square root of the way counts. Flash answers nearly
alike; where it is written, it also erases blocks, for which some accesses wait.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from models.distributions import NOTHING, PARTS, Distribution, Spread, empirical, fixed, mixture
from models.hardware.drive import Direction, Drive

IDLE = Spread(sigma=0.113, share=0.002, times=2.0, tail_sigma=0.557)
"""Flash that nobody writes. Prior: p99 is 1.3 times the median, p99.9 twice, p99.99 five times."""
COLLECTS, COLLECTING, COLLECTING_SIGMA = 0.02, 1.5e-3, 0.843
"""The part of the accesses of written flash that wait for an erasure, the median of how long (s), and the sigma of its
logarithm. Prior (Hao et al., FAST 2016; Li et al., FAST 2019): with writes and collection the 99th percentile is
1.5 ms, 0.5 to 5, and the 99.9th 6 ms, 2 to 20."""
LEAST = 1e-6
"""Seconds beyond its part of the drive that an access takes at least beside which some wait for an erasure."""
SAMPLES = 256
"""Seeks, and turns, of which the times of a hard drive are made. Assumption: enough for the 99.9th percentile."""
WAYS = 15 / 8
"""One over the mean square root of the way between two random places, of which the longest is 1: 2 (2/3 - 2/5)."""


def device_times(drive: Drive, direction: Direction) -> Distribution:
    """Return the device-seconds of an access at random, beside its bytes."""
    if drive.technology != "hdd":
        return _even(drive.access_time(direction))
    return _platters(drive.random_seek, drive.settled, drive.turn)


def delays(drive: Drive, direction: Direction, *, is_written: bool) -> Distribution:
    """Return the seconds that a lone access takes beyond; the drive collects where it `is_written`."""
    mean = drive.access_delay(direction)
    if drive.technology == "hdd" or (mean <= 0 and not is_written):
        return NOTHING
    return _collecting(max(mean, LEAST)) if is_written else IDLE.around(mean)


def commits(drive: Drive) -> Spread:
    """Return how commits lie around their mean: two writes in a row, on flash in its cache, which waits for no erasure.

    Those of a hard drive are log-normal with the deviation of two accesses.
    """
    return _flushed(device_times(drive, "write")) if drive.technology == "hdd" else IDLE


def slowest(drive: Drive, direction: Direction, lanes: int) -> tuple[float, float]:
    """Return how many times as long as one the slowest of so many accesses takes: on the device, and beyond."""
    if lanes == 1:
        return 1.0, 1.0
    return _slowest(device_times(drive, direction), lanes), _slowest_idle(lanes)


@lru_cache
def _slowest(times: Distribution, lanes: int) -> float:
    return times.longest(lanes) / times.mean if times.mean > 0 else 1.0


@lru_cache
def _slowest_idle(lanes: int) -> float:
    return IDLE.longest(lanes)


@lru_cache
def _flushed(times: Distribution) -> Spread:
    away = (times.values / times.mean - 1) ** 2 @ PARTS
    return Spread(math.sqrt(math.log1p(float(away) / 2)))


@lru_cache
def _even(seconds: float) -> Distribution:
    return fixed(seconds)


@lru_cache
def _platters(seek: float, settled: float, turn: float) -> Distribution:
    parts = (np.arange(SAMPLES) + 0.5) / SAMPLES
    ways = np.sqrt(1 - np.sqrt(1 - parts))
    seeks = settled + (seek - settled) * WAYS * ways
    times = np.add.outer(seeks, turn * parts)
    return empirical(times.ravel() * ((seek + turn / 2) / times.mean()))


@lru_cache
def _collecting(mean: float) -> Distribution:
    median = mean / math.exp(IDLE.sigma**2 / 2)
    idle = (1 - COLLECTS) * (1 - IDLE.share), median, IDLE.sigma
    slow = (1 - COLLECTS) * IDLE.share, median * IDLE.times, IDLE.tail_sigma
    return mixture((idle, slow, (COLLECTS, COLLECTING, COLLECTING_SIGMA)))
