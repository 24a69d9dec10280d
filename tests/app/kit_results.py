"""What fio, iperf3 and warp print, and the scripts of an acceptance kit write, made of measured values."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

BLOCK = 4096


def results(contract: Mapping[str, Any], folder: Path, measured: Mapping[str, float] | None = None) -> Path:
    """Write a file for each test of a contract into a folder: what was expected, but for what was `measured`."""
    folder.mkdir(parents=True, exist_ok=True)
    values = {test["name"]: test["expected"] for test in contract["tests"]} | dict(measured or {})
    for test in contract["tests"]:
        name, layer, mark = test["name"], test["layer"], contract["kit"]
        value = values[name]
        if layer in ("drive", "server"):
            text = json.dumps(fio(f"{name}@{mark}", value, drives=drives_of(test["what"])), indent=1)
        elif layer == "network":
            text = json.dumps(iperf3(f"{name}@{mark}", value, int(name.rpartition("-")[2])))
        elif test["unit"] == "s":
            text = f"headroom-accept: {name}@{mark} {value:.0f} s\n"
        else:
            text = f"headroom-accept: {name}@{mark}\n{json.dumps(warp(name.upper(), value))}"
        (folder / f"told-by-content-{name}").write_text(text)
    return folder


def drives_of(what: str) -> int:
    """Return the drives in the words of a test: "reads of all 4 drives at once"."""
    match = re.search(r"(\d+) drives", what)
    return int(match[1]) if match else 1


def fio(name: str, value: float, *, drives: int = 1, depth: int | None = None) -> dict[str, Any]:
    """Return the JSON of fio for a test, whose jobs are on a drive each."""
    end = name.partition("@")[0].rpartition("-")[2]
    is_random = end == "random"
    options = {"rw": {"random": "randread"}.get(end, end), "numjobs": f"{drives}"}
    options |= {"bs": "4k" if is_random else "1M", "iodepth": f"{depth or (1 if is_random else 8)}"}
    options |= {"directory": ":".join(f"/mnt/{i}" for i in range(drives)), "ioengine": "libaio"}
    rate = value * BLOCK if is_random else value
    side = {"bw_bytes": rate / drives, "runtime": 60000}
    nothing = {"bw_bytes": 0, "runtime": 0}
    sides = {"write": side, "read": nothing} if end == "write" else {"read": side, "write": nothing}
    job = {"jobname": name, "groupid": 0, "error": 0, "job options": options, **sides}
    return {"fio version": "fio-3.35", "global options": {"direct": "1"}, "jobs": [job] * drives}


def iperf3(name: str, value: float, connections: int) -> dict[str, Any]:
    """Return the JSON of iperf3 for a test."""
    start = {"version": "iperf 3.17", "test_start": {"protocol": "TCP", "num_streams": connections}}
    return {"start": start, "title": name, "end": {"sum_sent": {"bits_per_second": value * 8}}}


def warp(operation: str, value: float, *, size: float = 2.0**20, threads: int = 8) -> dict[str, Any]:
    """Return warp's summary of one kind of requests."""
    count = 6000
    through = {"measure_duration_millis": 60000, "bytes": value * 60, "objects": count, "ops": count}
    whole = {"total_requests": count, "total_objects": count, "total_errors": 0, "total_bytes": count * size}
    times = {"start_time": "2026-11-02T10:00:00Z", "end_time": "2026-11-02T10:01:00Z"}
    figures = {**whole, **times, "concurrency": threads, "clients": ["a"], "throughput": through}
    return {"v": 2, "commandline": "warp", "final": True, "by_op_type": {operation: figures}}
