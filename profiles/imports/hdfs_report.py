"""`hdfs dfsadmin -report`: data nodes, what they hold, and how much of it is used.

The configured capacity is less what `dfs.datanode.du.reserved` keeps back. A report of a pair of name nodes tells every
node twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from profiles.imports.dates import day_in
from profiles.imports.finding import Finding
from profiles.imports.opening import Source

NAME = "hdfs dfsadmin"
PRODUCT = "HDFS"
REPLICAS = 3
"""Source: Apache Hadoop hdfs-default.xml, dfs.replication."""

_LINE = re.compile(r"\s*([A-Z][\w\s%]*):\s*(.*)$")
_LIVE, _DEAD = re.compile(r"Live datanodes", re.IGNORECASE), re.compile(r"Dead datanodes", re.IGNORECASE)
Node = tuple[int, dict[str, str]]


def recognises(head: str) -> bool:
    """Tell whether a file comes from hdfs dfsadmin -report."""
    return re.search(r"^Configured Capacity: \d+", head, re.MULTILINE) is not None and "DFS Used: " in head


def read(source: Source, finding: Finding) -> None:
    """Add servers and the data on them to a finding.

    Raises:
        KeyError, ValueError: the report is not as HDFS writes it.
    """
    seen: set[str] = set()
    used, day = 0.0, None
    for line, fields in _nodes(source):
        if fields["Name"] in seen:
            continue
        seen.add(fields["Name"])
        if "DFS Remaining" not in fields:
            finding.warn(line, "the report breaks off in a node")
        day = day or day_in(fields.get("Last contact", ""))
        size = float(fields["Configured Capacity"].split()[0])
        used += float(fields.get("DFS Used", "0").split()[0])
        if size <= 0:
            finding.leave_out(line, "a data node", "it has no capacity: it is dead or has no drives")
            continue
        part = finding.part("server", host=f"node {len(seen)}", is_listed=True)
        part.put("storage.capacity", size, "B", line=line)
    if not seen:
        finding.complain(None, "no data node in it: run hdfs dfsadmin -report as the user of HDFS")
        return
    finding.part("storage").put("product", PRODUCT)
    if used > 0:
        finding.sample("used", day, used)
        finding.part("stored").put("data", used / REPLICAS, "B")
        finding.warn(None, f"what is used is taken as {REPLICAS} replicas of the data")


def _nodes(source: Source) -> Iterator[Node]:
    """Yield the live nodes: their line, and what is said of them by key."""
    node: Node | None = None
    is_live = True
    for number, line in source.lines():
        is_live = bool(_LIVE.match(line)) or (is_live and not _DEAD.match(line))
        match = _LINE.match(line)
        if match is None:
            continue
        key = match[1].rstrip()
        if key == "Name":
            if node:
                yield node
            node = (number, {}) if is_live else None
        if node:
            node[1].setdefault(key, match[2])
    if node:
        yield node
