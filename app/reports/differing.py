"""What differs between profiles: every key, and the same in the few lines that a reader wants first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from app.reports.words import as_stated

Inputs = Mapping[str, Sequence[str | None]]
"""Keys with one text a profile, None where a profile has no such key."""

ABOUT = "profile."
GROUPS = "cluster.groups."
OPTIONAL = ("client", "planning", "growth", "prices", "failures")


def differing(values: Sequence[Mapping[str, object]]) -> dict[str, list[str | None]]:
    """Return the keys whose values are not the same in all profiles, in their order; titles are no inputs."""
    keys = dict.fromkeys(key for side in values for key in side if not key.startswith(ABOUT))
    by_key = {key: [as_stated(side[key]) if key in side else None for side in values] for key in keys}
    return {key: texts for key, texts in by_key.items() if len(set(texts)) > 1}


def summarised(inputs: Inputs, values: Sequence[Mapping[str, object]]) -> dict[str, list[str | None]]:
    """Return the differing keys with other servers told in one line, and so each part that some profiles lack."""
    summary: dict[str, list[str | None]] = {}
    hidden: list[str] = []
    for name in _groups(values):
        told = [_servers(side, name) for side in values]
        if len(set(told)) > 1:
            summary[f"{GROUPS}{name}"] = told
            hidden.append(f"{GROUPS}{name}." if _are_others(values, name) else f"{GROUPS}{name}.count")
    for part in OPTIONAL:
        told = [_part(side, part) for side in values]
        if None in told and len(set(told)) > 1:
            summary[part] = told
            hidden.append(f"{part}.")
    rest = {key: list(texts) for key, texts in inputs.items() if not key.startswith(tuple(hidden))}
    return summary | dict(sorted(rest.items(), key=lambda row: None in row[1]))


def _groups(values: Iterable[Mapping[str, object]]) -> list[str]:
    keys = (key for side in values for key in side if key.startswith(GROUPS))
    return list(dict.fromkeys(key.removeprefix(GROUPS).partition(".")[0] for key in keys))


def _servers(values: Mapping[str, object], group: str) -> str | None:
    """Return "12 × h1.16xlarge", None without the group."""
    count = values.get(f"{GROUPS}{group}.count")
    return None if count is None else f"{count} × {_model(values, group) or 'server'}"


def _model(values: Mapping[str, object], group: str) -> object:
    return values.get(f"{GROUPS}{group}.server.model")


def _are_others(values: Sequence[Mapping[str, object]], group: str) -> bool:
    """Tell whether the group is not everywhere, or of another model somewhere: its single numbers then say little."""
    present = [f"{GROUPS}{group}.count" in side for side in values]
    return not all(present) or len({_model(side, group) for side in values}) > 1


def _part(values: Mapping[str, object], part: str) -> str | None:
    """Return what an optional part is, None without it: the connector of a client, the date of prices."""
    if not any(key.startswith(f"{part}.") for key in values):
        return None
    named = values.get(f"{part}.connector") or values.get(f"{part}.date")
    return "stated" if named is None else f"{named}"
