"""Where a study's file states what is wrong with a profile that it changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from models.planning.study import FOLDER
from models.problem import Problem
from profiles.loading.catalog import SHIPPED
from profiles.loading.overrides import canonical
from profiles.text.lines import Key, locate
from profiles.text.provenance import COMMAND_LINE
from profiles.text.toml import text_of


@dataclass(frozen=True)
class Stated:
    """A study's file with the line of each of its keys, but for what the command line sets instead."""

    file: str
    lines: Mapping[Key, int]

    @classmethod
    def of(cls, name: str, settings: Iterable[str]) -> Stated:
        """Return what the study of a shipped name or a file, which could be read, states beside some `--set`."""
        lines = locate(text_of(SHIPPED.find(name, [FOLDER]) or Path(name)))
        by_hand = [key for key in lines if key[-2:-1] == ("set",) and _leads(f"{key[-1]}", settings)]
        return cls(name, {key: line for key, line in lines.items() if key not in by_hand})

    def placed(self, problem: Problem, *tables: Key) -> Problem:
        """Return a problem of a change where the first of some tables of the study that has the key states it.

        What is wrong with the command line, or with the profile itself, stays where it is.
        """
        for table in tables if problem.file == COMMAND_LINE else ():
            if own := [key for key in self.lines if key[:-1] == table and _leads(f"{key[-1]}", [problem.key])]:
                line = self.lines[max(own, key=lambda key: len(f"{key[-1]}"))]
                return replace(problem, file=self.file, line=line, key=".".join((*map(str, table), problem.key)))
        return problem


def _leads(written: str, others: Iterable[str]) -> bool:
    """Tell whether a key leads to one of some others, or one of them to it."""
    key = f"{canonical(written)}."
    return any(key.startswith(other) or other.startswith(key) for other in (f"{canonical(it)}." for it in others))
