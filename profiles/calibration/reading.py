"""What one measurement file says: its runs, what was left out and why, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field

from models.hardware.measurement import Direction, Run
from models.problem import Problem


@dataclass(slots=True)
class Reading:
    """One file, filled by the readers of its formats. `direction` is what a user says of dd without a command line."""

    file: str
    direction: Direction | None = None
    formats: list[str] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def warn(self, line: int | None, message: str) -> None:
        """Note what a user should know of a run that is used."""
        self.warnings.append(Problem(self.file, line, "", message))

    def leave_out(self, line: int | None, what: str, reason: str) -> None:
        """Note a run that is not used, and why."""
        self.warn(line, f"{what} left out: {reason}")

    def complain(self, line: int | None, message: str) -> None:
        """Note what has to be fixed before anything can be fitted."""
        self.problems.append(Problem(self.file, line, "", message))
