"""Reads the documented outcomes and the fitted numbers that ship with the profiles, and writes new values back."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from models import units
from models.outcome import Chapter, Choice, Errors, Family, LeftOut, Outcome, Parameter, Remark
from profiles.loading.catalog import SHIPPED
from profiles.text.files import write_whole

FITTED, CHOSEN = "fitted", "chosen"
"""Kinds of a `[[parameter]]`: a search finds its value again, or somebody picked it; without a kind it is fitted."""
LEFT_OUT, NOT_TESTABLE = "measurements/left_out.toml", "not testable"
OUTCOMES, ROW = "measurements/outcomes.toml", "[[outcome]]"
_FEW = 50
"""Ids for which rows are looked through in place of being parsed. Assumption: 20 to 100 take as long."""
KEPT = "# Errors of outcomes predicted by numbers fitted without them: `simulate validate --leave-one-out --keep`."


@cache
def documented() -> dict[str, Outcome]:
    """Return the documented outcomes by id."""
    return {row["id"]: _outcome(row) for row in _read(SHIPPED.root / OUTCOMES)["outcome"]}


@cache
def documented_as(*ids: str) -> dict[str, Outcome]:
    """Return those of the documented outcomes that some ids name, by id; of the others none is parsed."""
    if len(ids) > _FEW:
        return {id: documented()[id] for id in ids if id in documented()}
    known: dict[str, Outcome] = {}
    if ids:
        _, *rows = (SHIPPED.root / OUTCOMES).read_text(encoding="utf-8").split(ROW)
        for text in rows:
            if any(id in text for id in ids):
                (row,) = tomllib.loads(ROW + text)["outcome"]
                known[row["id"]] = _outcome(row)
    return {id: known[id] for id in ids if id in known}


def families() -> list[str]:
    """Return the names of the families that have fits or targets."""
    return sorted(path.stem for path in (SHIPPED.root / "fits").glob("*.toml"))


def family(name: str) -> Family:
    """Return the targets and fitted numbers of a family.

    Raises:
        FileNotFoundError: no such family ships.
    """
    data = _read(SHIPPED.root / "fits" / f"{name}.toml")
    by_kind: dict[str, list[dict[str, Any]]] = {FITTED: [], CHOSEN: []}
    for row in data.pop("parameter", []):
        by_kind[row.pop("kind", FITTED)].append(row)
    parameters = tuple(_parameter(row, name) for row in by_kind[FITTED])
    choices = tuple(_choice(row, name) for row in by_kind[CHOSEN])
    together = {group: tuple(ids) for group, ids in data.pop("left_out_together", {}).items()}
    chapters = tuple(_chapter(**row) for row in data.pop("chapters", []))
    return Family(
        name=name,
        parameters=parameters,
        choices=choices,
        left_out_together=together,
        chapters=chapters,
        **data,
    )


def _chapter(title: str, note: str = "", remarks: Sequence[Mapping[str, str]] = ()) -> Chapter:
    return Chapter(title, note, tuple(Remark(**row) for row in remarks))


def left_out() -> LeftOut | None:
    """Return what leaving outcomes out came to when it was last kept, None if it never was."""
    path = SHIPPED.root / LEFT_OUT
    if not path.is_file():
        return None
    data = _read(path)
    errors = {id: _testable(error) for id, error in data["errors"].items()}
    together = {
        name: {group: Errors(**row) if row else None for group, row in groups.items()}
        for name, groups in data.get("together", {}).items()
    }
    ranges = {id: (float(low), float(high)) for id, (low, high) in data.get("ranges", {}).items()}
    return LeftOut(data["version"], errors, together, ranges)


def keep_left_out(fresh: LeftOut) -> Path:
    """Write what leaving outcomes out came to beside what is kept of other outcomes, and return the file."""
    path, known = SHIPPED.root / LEFT_OUT, left_out()
    errors = {**(known.errors if known else {}), **fresh.errors}
    together = {**(known.together if known else {}), **fresh.together}
    before = {id: ends for id, ends in known.ranges.items() if id not in fresh.errors} if known else {}
    ranges = {**before, **fresh.ranges}
    data = {
        "version": fresh.version,
        "errors": {id: NOT_TESTABLE if error is None else round(error, 4) for id, error in sorted(errors.items())},
        "ranges": {id: [float(f"{end:.4g}") for end in ends] for id, ends in sorted(ranges.items())},
        "together": {
            name: {group: _row(row) if row else {} for group, row in groups.items()}
            for name, groups in sorted(together.items())
        },
    }
    import tomlkit  # imported late, as below: only who writes needs it

    write_whole(path, f"{KEPT}\n{tomlkit.dumps(data)}")
    return path


def _testable(error: float | str) -> float | None:
    return None if isinstance(error, str) else error


def _row(errors: Errors) -> dict[str, float | int]:
    return {"count": errors.count, "mean": round(errors.mean, 4), "worst": round(errors.worst, 4)}


def write_value(parameter: Parameter, value: float, *, digits: int = 4) -> Path:
    """Replace a fitted number in its part file, leave all else as it is, and return the file."""
    import tomlkit

    path = SHIPPED.root / f"{parameter.file}.toml"
    document = tomlkit.parse(path.read_text(encoding="utf-8"))
    *tables, key = parameter.file_key.split(".")
    table: Any = document
    for name in tables:
        table = table[name]
    table[key] = units.format(value, parameter.unit, digits) if parameter.unit != "1" else float(f"{value:.{digits}g}")
    write_whole(path, tomlkit.dumps(document))
    return path


def _outcome(row: dict[str, Any]) -> Outcome:
    value = row["value"]
    return Outcome(
        id=row["id"],
        family=row["id"].split("/")[0],
        metric=row["metric"],
        value=(float(value[0]), float(value[1])) if isinstance(value, list) else float(value),
        unit=row["unit"],
        source=row["source"],
        role=row.get("role", ""),
        note=row.get("note", ""),
        over=row.get("over", ""),
        weight=float(row.get("weight", 1.0)),
        confidence=row.get("confidence", "text"),
        bottlenecks=tuple(row.get("bottlenecks", ())),
        mean_of=tuple(row.get("mean_of", ())),
    )


def _parameter(row: dict[str, Any], family_name: str) -> Parameter:
    lists = {key: tuple(row[key]) for key in ("fitted_to", "used_by")}
    return Parameter(**{**row, **lists, "family": family_name})


def _choice(row: dict[str, Any], family_name: str) -> Choice:
    lists = {key: tuple(row.get(key, ())) for key in ("fitted_to", "keys")}
    return Choice(**{**row, **lists, "family": family_name})


def _read(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)
