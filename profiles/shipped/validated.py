"""What was validated, and how far answers were off: written by `simulate validate --errors`, read with every answer.

It ships as `measurements/errors.toml`: a row for each outcome with its error, the kind of question that it answers, and
the features of its run. Families to which nothing was fitted tell how far off answers are of clusters never seen.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from models.values import value
from profiles.loading.catalog import SHIPPED
from profiles.text.files import write_whole

FILE = SHIPPED.root / "measurements" / "errors.toml"


@value()
class Validated:
    """An outcome: `error` is that of simulated over documented, a fraction, `numbers` are features of the run by name.

    `question` is the workload on the storage system, `limit` the kind of resource that held the run up, `assumed` the
    statements of assumed numbers that acted: their being off is part of the error.
    """

    id: str
    family: str
    question: str
    limit: str
    error: float
    numbers: Mapping[str, float]
    assumed: tuple[str, ...]


@cache
def validated() -> tuple[Validated, ...]:
    """Return the rows that ship; none before they were written."""
    if not FILE.is_file():
        return ()
    data = tomllib.loads(FILE.read_text(encoding="utf-8"))
    groups = data.get("assumed", {})
    return tuple(
        Validated(**{**row, "assumed": tuple(groups.get(row["family"], {}).get(row["question"], ()))})
        for row in data.get("outcome", [])
    )


def write_validated(rows: Iterable[Validated], path: Path) -> None:
    """Write rows to a file, by family and id; what is assumed is said once for a question of a family."""
    families: dict[str, dict[str, set[str]]] = {}
    outcomes: list[dict[str, Any]] = []
    for row in sorted(rows, key=lambda row: (row.family, row.id)):
        families.setdefault(row.family, {}).setdefault(row.question, set()).update(row.assumed)
        outcomes.append(
            {
                "id": row.id,
                "family": row.family,
                "question": row.question,
                "limit": row.limit,
                "error": float(f"{row.error:.4g}"),
                "numbers": {name: float(f"{value:.4g}") for name, value in row.numbers.items()},
            }
        )
    assumed = {family: {name: sorted(keys) for name, keys in groups.items()} for family, groups in families.items()}
    import tomlkit  # imported late: only who writes needs it

    text = tomlkit.dumps({"assumed": assumed, "outcome": outcomes})
    write_whole(path, "# Written by `simulate validate --errors`.\n" + text)
