"""COSBench's `wN-NAME.csv`: each stage is a workload. Times are ms, rounded to 10 ms in the percentiles; rates bytes/s.

The file does not say how many workers there were: by Little's law it is the requests under way, rate times time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from profiles.imports.finding import Finding, Measure
from profiles.imports.loads import COUNT, MOVES
from profiles.imports.objects import note_bad_lines
from profiles.imports.opening import Source
from profiles.text.cells import cells_of

NAME = "COSBench"

_ACTIONS = {"read": "get", "write": "put", "delete": "delete", "list": "list", "filewrite": "put"}
_PREPARATIONS = {"init", "prepare", "cleanup", "dispose"}
_TIMES: dict[str, Measure] = {"Avg-ResTime": "mean", "90%-ResTime": "p90", "95%-ResTime": "p95", "99%-ResTime": "p99"}
_ROUNDING = 0.010
"""Steps of COSBench's percentiles (s). Source: cosbench, CSVWorkloadExporter and its histogram."""
_ALL = 0.99
"""Part of requests that has to succeed. Assumption: below, what failed was load as well."""


class _Row(NamedTuple):
    line: int
    cells: Mapping[str, str]

    def number(self, key: str) -> float:
        """Return a number, 0 for "N/A"."""
        text = self.cells[key].strip().rstrip("%")
        return 0.0 if text in {"N/A", ""} else float(text)


def recognises(head: str) -> bool:
    """Tell whether a file is COSBench's table of stages."""
    return head.startswith("Stage,Op-") and ",Succ-Ratio" in head.partition("\n")[0]


def read(source: Source, finding: Finding) -> None:
    """Add a workload for each stage to a finding.

    Raises:
        KeyError: the header lacks a column.
    """
    header: list[str] = []
    stages: dict[str, list[_Row]] = {}
    bad: list[int] = []
    for number, line in source.lines():
        cells = cells_of(line)
        if number == 1:
            header = cells
        elif cells and len(cells) < len(header) - 2:
            bad.append(number)
        elif cells:
            stages.setdefault(cells[0], []).append(_Row(number, dict(zip(header, cells, strict=False))))
    note_bad_lines(bad, finding)
    for rows in stages.values():
        _state([row for row in rows if _is_used(row, finding)], finding)


def _is_used(row: _Row, finding: Finding) -> bool:
    kind = row.cells["Op-Type"]
    if kind in _PREPARATIONS:
        return False
    if kind not in _ACTIONS:
        finding.leave_out(row.line, kind, "a load has no such request")
        return False
    if row.number("Succ-Ratio") < 100 * _ALL:
        ratio = row.cells["Succ-Ratio"]
        finding.warn(row.line, f"only {ratio} of the requests succeeded: rate and times are of these")
    return row.number("Op-Count") > 0


def _state(rows: list[_Row], finding: Finding) -> None:
    if not rows:
        return
    work = finding.work("requests", line=rows[0].line)
    under_way = sum(row.number("Throughput") * row.number("Avg-ResTime") / 1000 for row in rows)
    rates = sum(row.number("Throughput") for row in rows)
    work.put("threads", max(round(under_way), 1), line=rows[0].line)
    work.put("count", min(int(sum(row.number("Op-Count") for row in rows)), COUNT), line=rows[0].line)
    for row in rows:
        action = _ACTIONS[row.cells["Op-Type"]]
        name = action.upper()
        work.put(f"mix.{name}.action", action, line=row.line)
        work.put(f"mix.{name}.weight", round(row.number("Throughput") / rates, 6), line=row.line)
        work.outcome(name, "rate", row.number("Throughput"), row.line)
        if action in MOVES:
            work.put(f"mix.{name}.size", row.number("Byte-Count") / row.number("Op-Count"), "B", line=row.line)
            work.outcome(
                name,
                "throughput",
                row.number("Byte-Count") / row.number("Op-Count") * row.number("Throughput"),
                row.line,
            )
        for key, measure in _TIMES.items():
            seconds = row.number(key) / 1000
            if measure == "mean" or seconds > _ROUNDING:
                work.outcome(name, measure, seconds, row.line)
