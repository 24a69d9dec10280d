"""iperf3, as text and as JSON (-J): TCP in one direction at a time.

    [SUM]   0.00-10.00  sec  28.9 GBytes  24.8 Gbits/sec    0             sender

The rate is that of the sender. The receiver's is a little lower, because what is still under way at the end counts
for one end only; which is nearer to the card's rate the output does not tell, and published figures are the sender's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from models.hardware.measurement import NetworkRun
from profiles.calibration.commands import command, lines, options
from profiles.calibration.reading import Reading

NAME = "iperf3"
NAME_JSON = "iperf3 -J"

_RATE = re.compile(
    r"""\s*\[\s*(?P<id>SUM|\d+)\](?P<role>\[[TR]X-[CS]\])?\s+[\d.]+-[\d.]+\s+sec\s+[\d.]+\s\w*Bytes\s+
    (?P<rate>[\d.]+)\s(?P<prefix>[KMGT]?)(?P<unit>bits|Bytes)/sec(?P<rest>.*)$""",
    re.VERBOSE,
)
_START = re.compile(r"\s*(Connecting to host|Accepted connection)")
_PREFIXES = " KMGT"


@dataclass(slots=True)
class _Test:
    """The lines of one test: its command, and its rates at the end by connection or sum, and by end."""

    line: int
    words: list[str] | None = None
    rates: dict[tuple[str, str], tuple[int, float]] = field(default_factory=dict)
    has_intervals: bool = False
    is_udp: bool = False
    is_both_ways: bool = False


def recognises(text: str) -> bool:
    """Tell whether a text comes from iperf3."""
    return any(_RATE.match(line) or _START.match(line) for _, line in lines(text))


def parse(text: str, reading: Reading) -> None:
    """Add the runs of a text to a reading."""
    for test in _tests(text):
        if test.rates or test.has_intervals:
            _judge(test, reading)


def _tests(text: str) -> Iterator[_Test]:
    test = _Test(1)
    for number, line in lines(text):
        words = command(line, NAME)
        if words or (_START.match(line) and (test.rates or test.has_intervals)):
            yield test
            test = _Test(number, words)
        _take(test, number, line)
    yield test


def _take(test: _Test, number: int, line: str) -> None:
    test.is_udp |= "Datagrams" in line
    match = _RATE.match(line)
    if match is None:
        return
    test.has_intervals = True
    test.is_both_ways |= match["role"] is not None
    end = re.search(r"\b(sender|receiver)\b", match["rest"])
    if end:
        test.rates[match["id"], end[1]] = number, _rate(match)


def _rate(match: re.Match[str]) -> float:
    """Return a rate in B/s. iperf3 counts bits by thousands and bytes by 1024."""
    power = _PREFIXES.index(match["prefix"] or " ")
    return float(match["rate"]) * (1000.0**power / 8 if match["unit"] == "bits" else 1024.0**power)


def _judge(test: _Test, reading: Reading) -> None:
    ids = {name for name, _ in test.rates} - {"SUM"}
    summed = "SUM" if any(name == "SUM" for name, _ in test.rates) else next(iter(ids), "")
    end = "sender" if (summed, "sender") in test.rates else "receiver"
    if reason := _refusal(test.is_udp, test.is_both_ways):
        reading.leave_out(test.line, NAME, reason)
    elif not test.rates:
        reading.complain(test.line, "iperf3 has no summary (sender, receiver) at its end; let the test run to its end")
    elif summed != "SUM" and len(ids) > 1:
        reading.complain(test.line, f"iperf3 has {len(ids)} connections and no [SUM] line; copy its output to the end")
    else:
        line, rate = test.rates[summed, end]
        stated = options(test.words or ()).get("P", [""])[0]
        connections = int(stated) if stated.isdigit() else len(ids) or 2  # a sum has at least two
        _add(reading, line, NAME, rate, connections if summed == "SUM" else 1, end)


def recognises_json(data: Mapping[str, Any]) -> bool:
    """Tell whether a JSON object comes from iperf3."""
    return {"start", "end"} <= data.keys()


def parse_json(data: Mapping[str, Any], reading: Reading) -> None:
    """Add the run of a JSON object to a reading.

    Raises:
        KeyError, TypeError, ValueError: the object is not as iperf3 writes it.
    """
    if "error" in data:
        reading.complain(None, f"iperf3 failed: {data['error']}")
        return
    test, end = data["start"]["test_start"], data["end"]
    if reason := _refusal(test["protocol"] != "TCP", "sum_sent_bidir_reverse" in end):
        reading.leave_out(None, NAME_JSON, reason)
        return
    _add(reading, None, NAME_JSON, end["sum_sent"]["bits_per_second"] / 8, int(test["num_streams"]), "sender")


def _refusal(is_udp: bool, is_both_ways: bool) -> str | None:
    if is_udp:
        return "UDP goes at the rate that -b asks for, not at what the card carries"
    return "both directions at once; the model wants one at a time, without --bidir" if is_both_ways else None


def _add(reading: Reading, line: int | None, tool: str, rate: float, connections: int, end: str) -> None:
    if rate <= 0:
        reading.leave_out(line, tool, "nothing went through")
        return
    reading.runs.append(
        NetworkRun(
            file=reading.file,
            line=line,
            tool=tool,
            rate=rate,
            connections=connections,
            end="sender" if end == "sender" else "receiver",
        )
    )
