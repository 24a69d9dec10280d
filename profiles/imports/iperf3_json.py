"""iperf3 -J, or --json-stream with an object a line: TCP in one direction at a time.

Before version 3.16 all connections share one thread, which ends at 20 to 40 Gbit/s, whatever the card could do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from profiles.imports.finding import Finding
from profiles.imports.iperf3 import add_run, note_both_ways, note_one_thread, refused, version_in
from profiles.imports.objects import objects
from profiles.imports.opening import Source

NAME = "iperf3 -J"

_BEGIN = re.compile(r'^[^\S\n]*\{\s*("start"\s*:\s*\{|"event"\s*:\s*"start")', re.MULTILINE)


def recognises(head: str) -> bool:
    """Tell whether a file holds JSON of iperf3."""
    return _BEGIN.search(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Add the runs of a file to a finding.

    Raises:
        KeyError, TypeError, ValueError: an object is not as iperf3 writes it.
    """
    parts: dict[str, Any] = {}
    for line, data in objects(source.text(), finding):
        if "event" not in data:
            _take(data, line, finding)
            continue
        parts[data["event"]] = data["data"]
        if data["event"] in {"end", "error"}:
            _take(parts, line, finding)


def _take(data: Mapping[str, Any], line: int, finding: Finding) -> None:
    if "error" in data:
        finding.complain(None, f"iperf3 failed: {data['error']}")
        return
    test, end = data["start"]["test_start"], data["end"]
    back = end.get("sum_sent_bidir_reverse")
    if reason := refused(test["protocol"] != "TCP", back is not None):
        finding.leave_out(None, NAME, reason)
        if back and test["protocol"] == "TCP":
            sent, received = (float(side["bits_per_second"]) / 8 for side in (end["sum_sent"], back))
            note_both_ways(finding, line if line > 1 else None, sent, received)
        return
    rate = end["sum_sent"]["bits_per_second"] / 8
    note_one_thread(finding, None, version_in(data["start"].get("version", "")), rate)
    name = str(data.get("title", ""))
    add_run(finding, line if line > 1 else None, NAME, rate, int(test["num_streams"]), "sender", name)
