"""How requests fared, as JSON data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from simulator.result import RequestsResult, Span

if TYPE_CHECKING:
    from app.reports.contracts import run


def requests_json(requests: RequestsResult) -> run.Requests:
    """Return how requests of one kind fared as JSON data."""
    return {
        "name": requests.name,
        "requests_per_s": span_json(requests.rate),
        "bytes_per_s": span_json(requests.throughput),
        "latency_s": {name: span_json(span) for name, span in requests.latency.items()},
        "first_byte_s": {name: span_json(span) for name, span in requests.first_byte.items()},
    }


def span_json(span: Span) -> run.Span:
    """Return a value with its interval as JSON data, null where the sample could not tell."""
    interval = [span.low, span.high] if math.isfinite(span.high - span.low) else None
    return {"value": span.value, "interval": interval}
