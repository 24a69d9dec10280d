"""How the requests of a run fared, as results and metrics by the kinds of requests."""

from __future__ import annotations

from collections.abc import Iterator

from models.jobs.requests import RequestRun, has_first_byte
from simulator.requests import PERCENTILES, Latency, RequestResult
from simulator.result import RequestsResult, Span


def requests_of(result: RequestResult) -> list[RequestsResult]:
    """Return how requests fared, by kind; kinds without any are left out."""
    return [_of_kind(name, result) for name, count in result.counts.items() if count]


def given_up(run: RequestRun, result: RequestResult) -> list[str]:
    """Return in words what clients gave up."""
    numbers = ((result.timed_out, "attempts timed out"), (result.failed, "requests failed"))
    return [f"{run.name}: {number:,} {what}" for number, what in numbers if number]


def _of_kind(name: str, result: RequestResult) -> RequestsResult:
    rate, bandwidth = result.rates[name], result.bandwidths[name]
    return RequestsResult(
        name=name,
        rate=Span(rate.value, rate.low, rate.high),
        throughput=Span(bandwidth.value, bandwidth.low, bandwidth.high),
        latency=_spans(result.latencies[name]),
        first_byte=_spans(result.first_bytes[name]),
    )


def _spans(latency: Latency) -> dict[str, Span]:
    found = latency.percentiles if latency.count else {}
    return {name: Span(each.value, each.low, each.high) for name, each in found.items()}


def measured_kinds(run: RequestRun) -> Iterator[tuple[str, str]]:
    """Yield what `metrics_of` will say of the kinds of a run, by name, with its unit."""
    for kind in run.kinds:
        for percentile in PERCENTILES:
            yield f"{kind.name} latency {percentile}", "s"
            if has_first_byte(kind.route):
                yield f"{kind.name} first byte {percentile}", "s"
        yield f"{kind.name} request rate", "1/s"
        if kind.size.mean > 0:
            yield f"{kind.name} throughput", "B/s"


def metrics_of(each: RequestsResult) -> Iterator[tuple[str, tuple[float, str]]]:
    """Yield what is measured of a kind of requests, by name."""
    for name, span in each.latency.items():
        yield f"{each.name} latency {name}", (span.value, "s")
    for name, span in each.first_byte.items():
        yield f"{each.name} first byte {name}", (span.value, "s")
    yield f"{each.name} request rate", (each.rate.value, "1/s")
    if each.throughput.value > 0:
        yield f"{each.name} throughput", (each.throughput.value, "B/s")
