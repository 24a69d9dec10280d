"""Times of jobs as the scripts of an acceptance kit write them: `headroom-accept: terasort@1a2b3c4d 1112 s`."""

from __future__ import annotations

import re

from profiles.imports.finding import Finding
from profiles.imports.opening import Source

NAME = "acceptance kit"

_OF_ANOTHER = re.compile(r"headroom-accept: \S+@\w+\s*$", re.MULTILINE)
"""A line that says of which test what follows is: results of another program."""
_LINE = re.compile(r"headroom-accept: (\S+) (?:(\d+(?:\.\d+)?) s|failed)\s*$")


def recognises(head: str) -> bool:
    """Tell whether a script of a kit has written the file."""
    return head.startswith("headroom-accept: ") and _OF_ANOTHER.match(head) is None


def read(source: Source, finding: Finding) -> None:
    """Add the seconds of jobs to a finding."""
    for number, line in source.lines():
        match = _LINE.match(line)
        if match is None:
            finding.complain(number, "expected 'headroom-accept: TEST@KIT SECONDS s', as a script of a kit writes it")
        elif match[2] is None:
            finding.complain(number, f"{match[1].partition('@')[0]} failed: see the log of the job beside this file")
        else:
            finding.outcome(match[1], "duration", float(match[2]), number)
