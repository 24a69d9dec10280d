"""How the requests of a run fared: results and metrics by the kinds of requests, and warnings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from models.requests import FirstByte, Open, RequestRun, Route, Station, parts_of
from simulator.requests.beyond import beyond
from simulator.requests.estimates import PERCENTILES, Latency
from simulator.requests.run import RequestResult
from simulator.result import LoadResult, RequestsResult, Span

COUNTS = ("timed out", "retries", "refused", "failed")
"""What is counted of a load beside its requests."""


def counts_of(result: RequestResult) -> dict[str, float]:
    """Return what is counted of a load beside its requests, by `COUNTS`."""
    return {name: float(getattr(result, name.replace(" ", "_"))) for name in COUNTS}


def requests_of(result: RequestResult) -> list[RequestsResult]:
    """Return how requests fared, by kind; kinds without any are left out."""
    return [_of_kind(name, result) for name, count in result.counts.items() if count]


def load_of(run: RequestRun, result: RequestResult) -> LoadResult:
    """Return what a load comes to, of all kinds together."""
    rate = result.throughput
    return LoadResult(
        rate=Span(rate.value, rate.low, rate.high),
        throughput=sum(bandwidth.value for bandwidth in result.bandwidths.values()),
        offered=run.loop.rate if isinstance(run.loop, Open) else None,
        is_overloaded=result.is_overloaded,
    )


def leading_of(load: LoadResult, requests: Sequence[RequestsResult]) -> dict[str, tuple[float, ...]]:
    """Return the metrics that answer a load: what it carries, and the 99th percentile of each kind if it is known."""
    tails = {f"{request.name} latency p99": request.latency["p99"] for request in requests if request.latency}
    known = {name: (span.value,) for name, span in tails.items() if math.isfinite(span.high - span.low)}
    moved = {"throughput": (load.throughput,)} if load.throughput else {}
    return {"request rate": (load.rate.value,), **moved, **known}


def requests_in(run: RequestRun, result: RequestResult) -> int:
    """Return the requests of a run: those that were simulated, and those that were left out as it stopped early."""
    ended = result.done + result.failed
    if not result.stopped_early:
        return ended
    return run.count if math.isinf(run.duration) else round(ended * result.duration / result.simulated)


def warnings_of(run: RequestRun, result: RequestResult, alike: int = 1) -> list[str]:
    """Return in words what is not as it was asked for, or cannot be said, each with the way out.

    Both are of all requests, of which each that was simulated may stand for several that are `alike`.
    """
    measured = *_overloaded(run, result), *_simulated(run, result, alike), *_given_up(result), *_unended(run, result)
    warnings = *run.caution, *measured, *_unknown(run, result)
    return [f"{run.name}: {warning}" for warning in warnings]


def _overloaded(run: RequestRun, result: RequestResult) -> Iterator[str]:
    if result.is_overloaded and isinstance(run.loop, Open):
        yield (
            f"overloaded: of the {_amount(run.loop.rate)} requests a second of workload.rate the store carries "
            f"{_amount(result.throughput.value)}, the others wait longer and longer; "
            f"all {_needed(run, run.loop.rate, result)}; "
            "lower workload.rate, add servers, or state workload.timeout, after which clients give up"
        )


def _needed(run: RequestRun, rate: float, result: RequestResult) -> str:
    """Return how many of the busiest stations a rate needs: as many times more as requests come faster than they go.

    Where a limit on their rate refuses them it is prefixes that are needed.
    """
    for name, many in beyond(run).items():
        what, _, _ = name.partition(" ")
        return f"need {math.ceil(many):,} prefixes of such {what}"
    shares: dict[Station, float] = {}
    for use in result.stations:
        shares[use.station] = shares.get(use.station, 0.0) + use.utilization / use.station.copies
    station = max(shares, key=lambda station: shares[station])
    has = station.slots * station.copies
    needed = math.ceil(has * shares[station] * rate / result.throughput.value - 1e-9)
    return f"need {needed:,} of {station.name}, there are {has:,}"


def _simulated(run: RequestRun, result: RequestResult, alike: int) -> Iterator[str]:
    """Say how much was simulated where that is less than was asked for, or more."""

    def stand_for(number: int) -> str:
        return f", as {number // alike:,} that each stand for {alike}" if alike > 1 else ""

    is_count, ended = math.isinf(run.duration), result.done + result.failed
    if ended > run.count or result.simulated > run.duration:
        asked = f"workload.count = {run.count:,}" if is_count else f"workload.duration = {run.duration:g} s"
        took, stood = (f"{ended:,} requests", stand_for(ended)) if is_count else (f"{result.simulated:.3g} s", "")
        told = f"{asked} is too short to reach a steady rate, so {took} were simulated{stood}"
        if not result.is_overloaded:
            yield f"{told}; state at least as much"
    elif result.stopped_early:
        width, whole = 100 * result.throughput.half_width, requests_in(run, result)
        some = f"{whole:,}" if is_count else f"some {whole:,}"
        told = f"{ended:,} of {some} requests simulated{stand_for(ended)}"
        yield f"{told}, their rate is known to ±{width:.2g} %"


def _given_up(result: RequestResult) -> Iterator[str]:
    numbers = ((result.timed_out, "attempts timed out"), (result.failed, "requests failed"))
    return (f"{number:,} {what}" for number, what in numbers if number)


def _unended(run: RequestRun, result: RequestResult) -> Iterator[str]:
    """Say of which kinds of a load no request ended, so that it is measured without them."""
    names = [name for name, count in result.counts.items() if not count]
    if run.goes_on and names and len(names) < len(result.counts):
        longer = "workload.count" if math.isinf(run.duration) else "workload.duration"
        yield f"no request of {', '.join(names)} ended, so what is said is of the others alone; raise {longer}"


def _unknown(run: RequestRun, result: RequestResult) -> Iterator[str]:
    """Say which percentiles of a load the sample is too small for, and how large it would have to be."""
    if not run.goes_on or result.is_overloaded:
        return
    unknown = {name: latency for name, latency in result.latencies.items() if latency.unknown and latency.count}
    if not unknown:
        return
    text = "; ".join(f"{', '.join(latency.unknown)} of {name}" for name, latency in unknown.items())
    name, most = max(unknown.items(), key=lambda pair: pair[1].needed / pair[1].count)
    needed = math.ceil(most.needed / most.count * (result.done + result.failed))
    is_count = math.isinf(run.duration)
    least = needed if is_count else math.ceil(needed * result.simulated / result.done)
    amount = f"workload.count = {_rounded(least):,}" if is_count else f"workload.duration = {_rounded(least):,} s"
    all_of_it = "workload.precision = 0"
    takes = all_of_it if least <= (run.count if is_count else run.duration) else f"{amount} and {all_of_it}"
    yield f"too few requests to state {text}; {most.unknown[0]} of {name} takes {takes}"


def _amount(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _rounded(number: int) -> int:
    """Return a number rounded up to two digits."""
    step = int(10 ** max(len(str(number)) - 2, 0))
    return math.ceil(number / step) * step


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
    estimates = latency.percentiles if latency.count else {}
    return {name: Span(estimate.value, estimate.low, estimate.high) for name, estimate in estimates.items()}


def measured_kinds(run: RequestRun) -> Iterator[tuple[str, str]]:
    """Yield what `metrics_of` will say of the kinds of a run, by name, with its unit."""
    for kind in run.kinds:
        for percentile in PERCENTILES:
            yield f"{kind.name} latency {percentile}", "s"
            if _has_first_byte(kind.route):
                yield f"{kind.name} first byte {percentile}", "s"
        yield f"{kind.name} request rate", "1/s"
        if kind.size.mean > 0:
            yield f"{kind.name} throughput", "B/s"


def metrics_of(kind: RequestsResult) -> Iterator[tuple[str, tuple[float, str]]]:
    """Yield what is measured of a kind of requests, by name."""
    for name, span in kind.latency.items():
        yield f"{kind.name} latency {name}", (span.value, "s")
    for name, span in kind.first_byte.items():
        yield f"{kind.name} first byte {name}", (span.value, "s")
    yield f"{kind.name} request rate", (kind.rate.value, "1/s")
    if kind.throughput.value > 0:
        yield f"{kind.name} throughput", (kind.throughput.value, "B/s")


def _has_first_byte(route: Route) -> bool:
    """Tell whether a client of a route has a first byte before the request is done."""
    return any(isinstance(step, FirstByte) or any(map(_has_first_byte, parts_of(step))) for step in route)
