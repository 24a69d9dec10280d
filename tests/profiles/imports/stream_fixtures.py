"""Traces of many jobs, in formats of archives."""

from __future__ import annotations


def swim(count: int = 300, gap: int = 20) -> str:
    """Return a trace in which small maps, shuffles and generators take turns, and each hundredth job is large."""
    lines = []
    for number in range(count):
        taken, shuffled, made = ((4e6, 0, 2e6), (2e8, 1e8, 5e7), (0, 0, 3e7))[number % 3]
        if number % 100 == 99:
            taken, shuffled, made = 8e10, 4e10, 4e9
        at = number * gap
        lines.append(f"job{number}\t{at}\t{gap}\t{taken:.0f}\t{shuffled:.0f}\t{made:.0f}\tsecret/key\n")
    return "".join(lines)


def swf(count: int = 40, gap: int = 600) -> str:
    """Return a trace of a batch system of 4 nodes of 8 processors: jobs on one processor and on sixteen take turns."""
    lines = ["; Version: 2.2", "; Computer: secret-host", "; MaxNodes: 4", "; MaxProcs: 32", ";"]
    for number in range(count):
        run, processors = (300, 1) if number % 2 else (1200, 16)
        lines.append(
            f"{number + 1} {number * gap} 30 {run} {processors} {run - 60} -1 {processors} -1 -1 1 1 1 -1 -1 1 -1 -1"
        )
    lines.append(f"{count + 1} {count * gap} 5 -1 8 -1 -1 8 -1 -1 5 1 1 -1 -1 1 -1 -1")
    return "\n".join([*lines, ""])


FIXTURES = {"SWIM trace": swim(), "Standard Workload Format": swf()}
