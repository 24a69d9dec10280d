"""iozone in throughput mode (-t): many streams, each on a file of its own, on one drive or several.

iozone's kB is 1024 bytes. It starts with

    Children see throughput for 32 initial writers  =  639648.44 kB/sec

A short form that people write down is read as well, if the command stands above it; its MB is taken as 10^6 bytes:

    $ iozone -t 32 -I -r 32K -s 256M -F /mnt/drive{1..8}/tmp{1..4}
    Num drives: 8
    Write: 655 MB/sec
    Read: 1.26 GB/sec
"""

from __future__ import annotations

import re

from models import units
from models.hardware.measurement import Direction, DriveRun
from profiles.imports.commands import binary_bytes, command, drives_behind, expanded, lines, options
from profiles.imports.finding import Finding
from profiles.imports.opening import Source

NAME = "iozone"

_RESULT = re.compile(r"\s*Children see throughput for\s+(\d+)\s+(\S[^=]*)=\s*([\d.]+)\s+(\S+)/sec")
_SHORT = re.compile(r"\s*(Write|Read):\s*([\d.]+)\s*([kKMGT]?B)/s(?:ec)?\s*$")
_BANNER = re.compile(r"\s*Iozone: Performance Test")
_DRIVES = re.compile(r"\s*Num drives:\s*(\d+)")
_DIRECT = re.compile(r"\s*O_DIRECT feature enabled")
_RECORD = re.compile(r"\s*Record Size (\d+) kB", re.IGNORECASE)
_TESTS: dict[str, tuple[Direction, bool]] = {  # direction, and whether it is random
    "initial writers": ("write", False),
    "readers": ("read", False),
    "random readers": ("read", True),
    "random writers": ("write", True),
}


def recognises(head: str) -> bool:
    """Tell whether a file comes from iozone."""
    return any(_RESULT.match(line) or command(line, NAME) for _, line in lines(head))


def read(source: Source, finding: Finding) -> None:
    """Add the runs of a file to a finding."""
    session = _Session(finding)
    for number, line in finding.lines(source.text()):
        session.read(number, line)
    session.close()


class _Session:
    """What the lines so far say of the run whose numbers follow."""

    def __init__(self, finding: Finding) -> None:
        self._finding = finding
        self._options: dict[str, list[str]] = {}
        self._drives: int | None = None
        self._request: float | None = None
        self._is_direct = False
        self._repeats: list[str] = []
        self._found = 0

    def read(self, number: int, line: str) -> None:
        """Take in one line."""
        if _BANNER.match(line):
            self._options, self._drives, self._request, self._is_direct = {}, None, None, False
        elif words := command(line, NAME):
            self._start(words, is_echo="Command line used" in line)
        elif match := _DRIVES.match(line):
            self._drives = int(match[1])
        elif _DIRECT.match(line):
            self._is_direct = True
        elif match := _RECORD.match(line):
            self._request = int(match[1]) * 1024.0
        elif match := _RESULT.match(line):
            self._result(number, int(match[1]), match[2].rstrip(), float(match[3]), match[4])
        elif match := _SHORT.match(line):
            self._short(number, match)

    def close(self) -> None:
        """Say what was not used."""
        if self._repeats:
            self._finding.leave_out(None, ", ".join(dict.fromkeys(self._repeats)), "the models have no use for them")
        if not self._found:
            self._finding.complain(None, "no throughput of iozone: it has to run with -t, such as iozone -I -t 4 -r 1M")

    def _start(self, words: list[str], is_echo: bool) -> None:
        """Begin another run, or take in what iozone echoes of its command line after other lines on the run."""
        self._options = options(words)
        self._drives = len(drives_behind(name for word in self._options.get("F", []) for name in expanded(word))) or 1
        self._is_direct = "I" in self._options or (is_echo and self._is_direct)
        if size := self._option("r"):
            self._request = binary_bytes(size)

    def _option(self, letter: str) -> str | None:
        return next(iter(self._options.get(letter, [])), None)

    def _result(self, line: int, threads: int, test: str, rate: float, unit: str) -> None:
        self._found += 1
        if test not in _TESTS:
            self._repeats.append(test)
        elif unit.lower() not in {"kb", "kbytes"}:
            self._finding.complain(line, f"expected kB/sec (got {unit}/sec); run iozone without -O and -N")
        else:
            direction, random = _TESTS[test]
            self._add(line, direction, random, threads, rate * 1024)

    def _short(self, line: int, match: re.Match[str]) -> None:
        self._found += 1
        threads = self._option("t")
        if threads is None or not threads.isdigit():
            self._finding.complain(line, "the number of threads is missing: put the iozone command above the numbers")
            return
        rate = units.parse(f"{match[2]} {match[3].replace('K', 'k')}/s", "B/s")
        self._add(line, "read" if match[1] == "Read" else "write", False, int(threads), rate)

    def _add(self, line: int, direction: Direction, random: bool, threads: int, rate: float) -> None:
        if not (rate > 0 and threads > 0 and self._drives != 0):
            self._finding.leave_out(line, direction, "there is nothing in it")
        elif not self._is_direct:
            self._finding.leave_out(line, direction, "without -I iozone measures the page cache in memory")
        else:
            self._finding.runs.append(
                DriveRun(
                    file=self._finding.label,
                    line=line,
                    tool=NAME,
                    direction=direction,
                    rate=rate,
                    random=random,
                    drives=self._drives or 1,
                    streams=threads,
                    request=self._request,
                )
            )
