"""iperf3, as text: TCP in one direction at a time.

    [SUM]   0.00-10.00  sec  28.9 GBytes  24.8 Gbits/sec    0             sender

The rate is that of the sender. The receiver's is a little lower, because what is still under way at the end counts
for one end only; which is nearer to the card's rate the output does not tell, and published figures are the sender's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from models.hardware.measurement import NetworkRun
from profiles.imports.commands import command, lines, options
from profiles.imports.finding import Finding
from profiles.imports.opening import Source

NAME = "iperf3"

_RATE = re.compile(
    r"""\s*\[\s*(?P<id>SUM|\d+)\](?P<role>\[[TR]X-[CS]\])?\s+[\d.]+-[\d.]+\s+sec\s+[\d.]+\s\w*Bytes\s+
    (?P<rate>[\d.]+)\s(?P<prefix>[KMGT]?)(?P<unit>bits|Bytes)/sec(?P<rest>.*)$""",
    re.VERBOSE,
)
_START = re.compile(r"\s*(Connecting to host|Accepted connection)")
_PREFIXES = " KMGT"
_VERSION = re.compile(r"\s*iperf (\d+)\.(\d+)")
_THREADS = (3, 16)
"""Version from which each connection has a thread. Source: iperf3 release notes, 3.16."""
_ONE_THREAD = 2.5e9
"""B/s from which one thread may be the limit. Source: ESnet's FAQ of iperf3: 20 to 40 Gbit/s a core."""


@dataclass(slots=True)
class _Test:
    """The lines of one test: its command, and its rates at the end by connection or sum, and by end."""

    line: int
    words: list[str] | None = None
    rates: dict[tuple[str, str], tuple[int, float]] = field(default_factory=dict)
    has_intervals: bool = False
    is_udp: bool = False
    is_both_ways: bool = False
    version: tuple[int, int] | None = None


def recognises(head: str) -> bool:
    """Tell whether a file comes from iperf3."""
    return any(_RATE.match(line) or _START.match(line) for _, line in lines(head))


def read(source: Source, finding: Finding) -> None:
    """Add the runs of a file to a finding."""
    for test in _tests(source.text(), finding):
        if test.rates or test.has_intervals:
            _judge(test, finding)


def _tests(text: str, finding: Finding) -> Iterator[_Test]:
    test = _Test(1)
    for number, line in finding.lines(text):
        words = command(line, NAME)
        if words or (_START.match(line) and (test.rates or test.has_intervals)):
            yield test
            test = _Test(number, words, version=test.version)
        _take(test, number, line)
    yield test


def version_in(text: str) -> tuple[int, int] | None:
    """Return the version that a text tells, such as "iperf 3.9", which iperf3 -V prints."""
    match = _VERSION.match(text)
    return (int(match[1]), int(match[2])) if match else None


def note_one_thread(finding: Finding, line: int | None, version: tuple[int, int] | None, rate: float) -> None:
    """Tell that a rate (B/s) may be that of the one thread which all connections share before version 3.16."""
    if rate <= _ONE_THREAD or (version is not None and version >= _THREADS):
        return
    which = f"iperf {version[0]}.{version[1]}" if version else "iperf3 before 3.16, whose version is not told here,"
    finding.warn(line, f"{which} has one thread for all connections: run several processes, or 3.16 and later")


def _take(test: _Test, number: int, line: str) -> None:
    test.is_udp |= "Datagrams" in line
    test.version = version_in(line) or test.version
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


def _judge(test: _Test, finding: Finding) -> None:
    ids = {name for name, _ in test.rates} - {"SUM"}
    summed = "SUM" if any(name == "SUM" for name, _ in test.rates) else next(iter(ids), "")
    end = "sender" if (summed, "sender") in test.rates else "receiver"
    if reason := refused(test.is_udp, test.is_both_ways):
        finding.leave_out(test.line, NAME, reason)
    elif not test.rates:
        finding.complain(test.line, "iperf3 has no summary (sender, receiver) at its end; let the test run to its end")
    elif summed != "SUM" and len(ids) > 1:
        finding.complain(test.line, f"iperf3 has {len(ids)} connections and no [SUM] line; copy its output to the end")
    else:
        line, rate = test.rates[summed, end]
        stated = next(iter(options(test.words or ()).get("P", ())), "")
        connections = int(stated) if stated.isdigit() else len(ids) or 2  # a sum has at least two
        note_one_thread(finding, line, test.version, rate)
        add_run(finding, line, NAME, rate, connections if summed == "SUM" else 1, end)


def refused(is_udp: bool, is_both_ways: bool) -> str | None:
    """Return why a test has no number for a model, None if it has."""
    if is_udp:
        return "UDP goes at the rate that -b asks for, not at what the card carries"
    return "both directions at once: the model wants one at a time, without --bidir" if is_both_ways else None


def note_both_ways(finding: Finding, line: int | None, sent: float, received: float) -> None:
    """Tell what a card carried in both directions at once (B/s): whether one of them takes from the other."""
    finding.outcome("network, sent beside receiving", "throughput", sent, line)
    finding.outcome("network, received beside sending", "throughput", received, line)


def add_run(
    finding: Finding, line: int | None, tool: str, rate: float, connections: int, end: str, name: str = ""
) -> None:
    """Add the rate (B/s) of a test to a finding."""
    if rate <= 0:
        finding.leave_out(line, tool, "nothing went through")
        return
    finding.runs.append(
        NetworkRun(
            file=finding.label,
            line=line,
            tool=tool,
            rate=rate,
            connections=connections,
            end="sender" if end == "sender" else "receiver",
            name=name,
        )
    )
