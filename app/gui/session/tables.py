"""Places in the tables of a profile's text: what stands there, and other tables in which something else does."""

from __future__ import annotations

from collections.abc import Collection
from copy import deepcopy
from typing import Any

from profiles.loading.overrides import key_of

Tables = dict[str, Any]
Keys = tuple[str | int, ...]


def keys_of(key: str) -> Keys:
    """Return the steps of a dotted key, those of arrays as numbers."""
    return tuple(int(step) if f"{step}".isdecimal() else step for step in key_of(key) or ())


def at(tables: Any, keys: Keys) -> Any:
    """Return what stands at a place, None for nothing."""
    for key in keys:
        try:
            tables = tables[key]
        except (KeyError, IndexError, TypeError):
            return None
    return tables


def put(tables: Tables, keys: Keys, value: Any) -> Tables:
    """Put a value at a place; a part that is named on the way there is laid under it."""
    changed = deepcopy(tables)
    place: Any = changed
    for key in keys[:-1]:
        below = place.setdefault(key, {}) if isinstance(place, dict) else place[key]
        if isinstance(below, str):
            below = place[key] = {"use": below}
        place = below
    place[keys[-1]] = deepcopy(value)
    return changed


def dropped(tables: Tables, keys: Keys) -> Tables:
    """Take away what the text itself states at a place."""
    changed = deepcopy(tables)
    del at(changed, keys[:-1])[keys[-1]]
    return changed


def free(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken: this one, or with a number behind it."""
    numbered = (name if number == 1 else f"{name}-{number}" for number in range(1, len(taken) + 2))
    return next(used for used in numbered if used not in taken)
