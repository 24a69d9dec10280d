"""What was validated, and how far answers were off: written by `simulate validate --errors`, read with every answer.

It ships as `measurements/errors.json`, which is read in a twentieth of the time of TOML: a row for each outcome with
its error, the kind of question that it answers, and the features of its run. Families to which nothing was fitted tell
how far off answers are of clusters never seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from models.values import value
from profiles.loading.catalog import SHIPPED
from profiles.text.files import write_whole

FILE = SHIPPED.root / "measurements" / "errors.json"
DIGITS = 4
"""Digits to which errors and features are kept."""


@value(kw_only=True)
class Validated:
    """An outcome: `error` is that of simulated over documented, a fraction, `numbers` are features of the run by name.

    `question` is the workload on the storage system, `limit` the kind of resource that held the run up, `assumed` the
    statements of assumed numbers that acted: their being off is part of the error. So many numbers of its family were
    `fitted` or chosen. `unit` and `source` are those in which and by which it was documented.
    """

    id: str
    family: str
    question: str
    limit: str
    error: float
    unit: str
    source: str
    numbers: Mapping[str, float]
    assumed: tuple[str, ...] = ()
    fitted: int = 0


@cache
def validated() -> tuple[Validated, ...]:
    """Return the rows that ship; none before they were written."""
    if not FILE.is_file():
        return ()
    data = json.loads(FILE.read_text(encoding="utf-8"))
    groups, fitted = data["assumed"], data["fitted"]
    return tuple(
        Validated(**row, assumed=tuple(groups[row["family"]][row["question"]]), fitted=fitted[row["family"]])
        for row in data["outcomes"]
    )


def write_validated(rows: Iterable[Validated], path: Path) -> None:
    """Write rows to a file, a line each, by family and id; what is assumed is said once for a question of a family."""
    assumed: dict[str, dict[str, set[str]]] = {}
    fitted: dict[str, int] = {}
    lines: list[str] = []
    for validated in sorted(rows, key=lambda row: (row.family, row.id)):
        assumed.setdefault(validated.family, {}).setdefault(validated.question, set()).update(validated.assumed)
        fitted[validated.family] = validated.fitted
        row: dict[str, Any] = asdict(validated)
        del row["assumed"], row["fitted"]
        row |= {
            "error": _rounded(validated.error),
            "numbers": {name: _rounded(number) for name, number in validated.numbers.items()},
        }
        lines.append(json.dumps(row, ensure_ascii=False))
    by_family = {family: {name: sorted(keys) for name, keys in groups.items()} for family, groups in assumed.items()}
    parts = {"fitted": fitted, "assumed": by_family}
    before = "".join(f'"{name}": {json.dumps(part, indent=1)},\n' for name, part in parts.items())
    outcomes = ",\n".join(lines)
    write_whole(path, f'{{{before}"outcomes": [\n{outcomes}\n]}}\n')


def _rounded(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")
