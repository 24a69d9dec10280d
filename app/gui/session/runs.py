"""Runs that the window holds: what was asked, the result, and the colour that it keeps everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from app.gui.jobs.run import Ran, RunRequest
from models.scenario import Scenario
from simulator.result import Result

if TYPE_CHECKING:
    from simulator.studies.points import Answer

MOST = 6
"""Scenarios that may be kept side by side: as many as there are colours."""


@dataclass(frozen=True)
class Run:
    """One simulated scenario. `number` counts the runs of a session; `colour` is the index of its series colour."""

    number: int
    request: RunRequest
    ran: Ran
    colour: int
    title: str = ""
    is_kept: bool = False

    @property
    def result(self) -> Result:
        """The result of the simulation."""
        return self.ran.result

    @property
    def scenario(self) -> Scenario:
        """What was simulated."""
        return self.request.scenario

    @property
    def label(self) -> str:
        """What charts call the run."""
        return self.title or f"{self.request.name} #{self.number}"

    @cached_property
    def answer(self) -> Answer:
        """What studies keep of the result. Imports the simulator: for child processes and after the first paint."""
        from simulator.studies.points import Answer

        return Answer.of(self.result)
