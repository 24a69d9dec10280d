"""Data as JSON text, the same bytes for the same data."""

from __future__ import annotations

import json
import math
from datetime import date
from typing import Any


def dumps(data: Any) -> str:
    """Return data as JSON text in the order of its keys; numbers that JSON cannot hold become null."""
    return json.dumps(_finite(data), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def value(documented: float | tuple[float, float]) -> float | list[float]:
    """Return a documented number as it is, a band as [low, high]."""
    return list(documented) if isinstance(documented, tuple) else documented


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(entry) for key, entry in data.items()}
    if isinstance(data, (list, tuple)):
        return [_finite(item) for item in data]
    if isinstance(data, date):
        return data.isoformat()
    return None if isinstance(data, float) and not math.isfinite(data) else data
