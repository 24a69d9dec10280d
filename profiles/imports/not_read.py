"""Files that are told, but lack what a profile needs; another form of the same does not."""

from __future__ import annotations

import re

from profiles.imports.finding import Finding
from profiles.imports.opening import Source

NAME = "not read"

_FORMS = (
    (
        "\\A(PK\x03\x04|\x1f\ufffd\x08|BZh\\d1AY|\ufffd7zXZ|\\(\ufffd/\ufffd|7z\ufffd\ufffd|Rar!\x1a|\ufffdSNAPPY)",
        "packed twice, or in a way that is not read: unpack it, and import what is in it",
    ),
    (r"^avg-cpu:\s+%user", "the columns of iostat's text differ by version: run iostat -o JSON -x 60"),
    (r"\ANAME\s+MAJ:MIN", "the columns of lsblk's text hold blanks: run lsblk -J -b -O"),
    (
        "\\A\ufffd\ufffd[p-v]!",
        "binary counters of sar: turn them into JSON on their server, sadf -j saNN",
    ),  # 0xd596, 0x21..
    (r"\AAvro-Binary", "Avro without JSON: set mapreduce.jobhistory.jhist.format=json, or import the job's output"),
    (
        r"\A\d{13} [0-9a-f]+:[0-9a-f]+ eJ",
        "a packed log of profiles: unpack it, impala-profile-tool < FILE > profiles.txt",
    ),
    (
        r"^\w{3} \d+, \d{4}\s+interval\s+i/o\s+MB/sec",
        "vdbench has a table for programs: import flatfile.html beside it",
    ),
    (r"\ATimestamp,Op-Count,", "COSBench has a table for each stage: import that of the workload, wN-NAME.csv"),
    (r"^Linux \S+ \(\S+\).*_\w+_.*\(\d+ CPU\)", "the text of sar depends on the language: run sadf -j saNN"),
)
"""What tells a form, and the way out."""


def recognises(head: str) -> bool:
    """Tell whether a file has one of these forms."""
    return _way_out(head) is not None


def read(source: Source, finding: Finding) -> None:
    """Say which other form to import."""
    if way_out := _way_out(source.head()):
        finding.complain(None, way_out)


def _way_out(head: str) -> str | None:
    return next((way_out for form, way_out in _FORMS if re.search(form, head, re.MULTILINE)), None)
