"""A command line as a user types it, carried out in this process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.cli.main import execute
from tests.app.plans import PLAN, written


@dataclass(frozen=True)
class Ended:
    """How a command ended: exit status, and what it wrote to stdout and stderr."""

    status: int
    out: str
    err: str


Type = Callable[..., Ended]
SMALL = ("--profile", "hdfs-terasort", "--set", "workload.input=10 GB")


@pytest.fixture(autouse=True, scope="module")
def in_one_process(one_process_unless_asked: None) -> None:
    """Spare each command the start of processes of its own."""


@pytest.fixture
def type_(capfd: pytest.CaptureFixture[str]) -> Type:
    """Return a function that carries out `simulate` with the words given."""

    def carry_out(*words: str) -> Ended:
        capfd.readouterr()
        status = execute(words)
        return Ended(status, *capfd.readouterr())

    return carry_out


@pytest.fixture
def small() -> tuple[str, ...]:
    """Return the options of a run that is short."""
    return SMALL


@pytest.fixture
def plan(tmp_path: Path) -> Callable[..., str]:
    """Return a function that writes a plan of two stores and returns its path."""

    def write(budget: int = 400_000, deadline: str = "5 min") -> str:
        return written(tmp_path, PLAN.format(budget=budget, deadline=deadline))

    return write
