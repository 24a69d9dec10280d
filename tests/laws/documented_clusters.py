"""The documented clusters with changes, run once each, and what arithmetic says of their parts."""

from __future__ import annotations

from functools import cache

from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.result import GroupResult, Result
from simulator.run import simulate

TB = 1e12
JOB_START, CONTAINER_START = 8.0, 3.0  # s, of all profiles
START = JOB_START + CONTAINER_START

# An h1 drive: 205.2 MB/s read and 137.1 MB/s written, 8.5 ms a seek.
WRITE = 1 / 137.1e6 + 8.5e-3 / 1.728e6  # s/B of interleaved direct writes: 81.9 MB/s
READ = 1 / 205.2e6 + 8.5e-3 / 5.757e6  # s/B of interleaved reads: 157.5 MB/s
WRITE_BEHIND = 1 / 137.1e6 + 8.5e-3 / 4194304  # s/B of what the page cache writes: 107 MB/s


@cache
def _scenario(name: str, overrides: tuple[tuple[str, str], ...]) -> Scenario:
    return load(name, Scenario, dict(overrides)).scenario


@cache
def _result(name: str, overrides: tuple[tuple[str, str], ...]) -> Result:
    return simulate(_scenario(name, overrides), profile=name)


def scenario(name: str, overrides: dict[str, str] | None = None) -> Scenario:
    return _scenario(name, tuple((overrides or {}).items()))


def run(name: str, overrides: dict[str, str] | None = None) -> Result:
    return _result(name, tuple((overrides or {}).items()))


def seconds(name: str, overrides: dict[str, str] | None = None) -> float:
    return run(name, overrides).duration


def group(result: Result, name: str) -> GroupResult:
    return next(group_result for group_result in result.groups if group_result.group == name)
