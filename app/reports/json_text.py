"""Data as JSON text, the same bytes for the same data."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import date
from typing import Any

from app.reports.media import shown


def dumps(contract: Mapping[str, Any]) -> str:
    """Return a contract of app/reports/contracts as JSON text in the order of its keys.

    Numbers that JSON cannot hold become null.
    """
    return plain(_finite(contract))


def plain(data: Any) -> str:
    """Return data that JSON can hold as JSON text, in which nothing is hidden."""
    return shown(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def value(documented: float | tuple[float, float]) -> float | list[float]:
    """Return a documented number as it is, a band as [low, high]."""
    return list(documented) if isinstance(documented, tuple) else documented


def _finite(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {key: _finite(entry) for key, entry in data.items()}
    if isinstance(data, (list, tuple)):
        return [_finite(item) for item in data]
    if isinstance(data, date):
        return data.isoformat()
    return None if isinstance(data, float) and not math.isfinite(data) else data
