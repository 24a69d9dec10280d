"""The summary of `hdfs fsck /`: what HDFS holds before replicas, and how many of these a block has on average."""

from __future__ import annotations

import re

from profiles.imports.dates import day_in
from profiles.imports.finding import Finding
from profiles.imports.hdfs_report import PRODUCT
from profiles.imports.opening import Source

NAME = "hdfs fsck"

_LINE = re.compile(r"\s*(Total size|Average block replication|Number of data-nodes):\s*([\d.]+)")
_SIZE, _MOST_NODES = "Total size", 10_000  # Assumption: no cluster has more data nodes
_ENDED = re.compile(r"FSCK (?:started|ended) ")


def recognises(head: str) -> bool:
    """Tell whether a file comes from hdfs fsck."""
    return (
        re.search(r"^[^\S\n]*Average block replication:", head, re.MULTILINE) is not None or "FSCK started by " in head
    )


def read(source: Source, finding: Finding) -> None:
    """Add what is stored and its replicas to a finding."""
    sums: dict[str, tuple[float, int]] = {}
    day = None
    for number, text in source.lines():
        if _ENDED.match(text):
            day = day_in(text) or day
        elif match := _LINE.match(text):
            before, first = sums.get(match[1], (0.0, number))
            is_more = match[1] == _SIZE  # of replicated files, then of those that are coded
            sums[match[1]] = before * is_more + float(match[2]), first
    if _SIZE not in sums:
        finding.complain(None, "no total size in it: run hdfs fsck / to its end")
        return
    size, line = sums[_SIZE]
    finding.part("storage").put("product", PRODUCT)
    finding.part("stored").put("data", size, "B", line=line)
    finding.sample("stored", day, size, line)
    for node in range(int(min(sums.get("Number of data-nodes", (0.0, 0))[0], _MOST_NODES))):
        finding.part("server", host=f"node {node + 1}", is_listed=True)
    if "Average block replication" in sums:
        replicas, line = sums["Average block replication"]
        finding.sample("replicas", day, replicas, line)
