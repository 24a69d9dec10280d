"""Which part of a cluster is to blame where verdicts of its acceptance differ, in sentences.

Blame follows from what passes: where each drive alone passes and all of a server fail it lies between them, where all
parts pass and the work on them fails it is how these are set up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.reports.words import listed
from models.planning.acceptance import Layer
from models.planning.verdicts import Judged, Verdict


def blame(tests: Sequence[Judged]) -> list[str]:
    """Return in sentences which part is to blame for what failed, and what is too good to be signed."""
    groups = dict.fromkeys(test.expected.group for test in tests)
    parts = [_Group(name, tests) for name in groups]
    texts = [text for part in parts for text in part.blame()]
    work = list(_of_work([test for test in tests if test.expected.layer == "work"], tests))
    return [*texts, *work, *_too_good(tests)]


class _Group:
    """The tests of one kind of server."""

    def __init__(self, name: str, tests: Sequence[Judged]) -> None:
        self._name = name
        self._tests = [test for test in tests if test.expected.group == name]

    def _of(self, layer: Layer) -> list[Judged]:
        return [test for test in self._tests if test.expected.layer == layer]

    def blame(self) -> Iterator[str]:
        slow = [judged for judged in self._of("drive") if judged.verdict == "fail"]
        for bay in dict.fromkeys(judged.expected.bay for judged in slow):
            what = listed([_access(judged) for judged in slow if judged.expected.bay == bay])
            yield (
                f"{self._name}: a drive of '{bay}' alone is too slow ({what}): the drive itself. Compare its model,"
                " firmware and health (smartctl) with the order, and try another one of them."
            )
        for judged in self._of("server"):
            if judged.verdict == "fail":
                yield self._of_server(judged)
        yield from self._of_network()

    def _of_server(self, failed: Judged) -> str:
        direction = failed.expected.direction
        alone = [judged for judged in self._of("drive") if judged.expected.direction == direction]
        alone = [judged for judged in alone if not judged.expected.is_random]
        told = f"{self._name}: all drives at once are too slow ({direction}s)"
        if any(judged.verdict == "fail" for judged in alone):
            return f"{told}, as one of them is alone: mend the drives first."
        if any(judged.verdict == "not measured" for judged in alone):
            return f"{told}, and not each kind of drive was measured alone, which would tell drives from controller."
        return (
            f"{told}, while each alone passes: the controller, its mode or cache, the backplane, or lanes of the bus."
        )

    def _of_network(self) -> Iterator[str]:
        tests = {judged.expected.connections == 1: judged.verdict for judged in self._of("network")}
        one, many = tests.get(True, "not measured"), tests.get(False, "not measured")
        if many == "fail":
            beside = ", as one connection is" if one == "fail" else ""
            yield (
                f"{self._name}: many connections are too slow{beside}: the card or the switch. Compare the negotiated"
                " speed (ethtool), the bond, the slot of the card, cables and drops at the port."
            )
        elif one == "fail":
            beside = " while many together pass" if many in ("pass", "too good") else ""
            yield (
                f"{self._name}: one connection is too slow{beside}: not the card, but windows, MTU, interrupts or the"
                " clock of one core."
            )


def _of_work(work: Sequence[Judged], tests: Sequence[Judged]) -> Iterator[str]:
    failed = _named(work, "fail")
    if not failed:
        return
    parts = [test for test in tests if test.expected.layer != "work"]
    slow, missing = (_named(parts, verdict) for verdict in ("fail", "not measured"))
    told = f"Too slow: {listed(failed)}"
    if slow:
        yield f"{told}, and so are parts: mend {listed(slow)} first, then measure again."
    elif missing:
        yield f"{told}. Nobody can tell why before these are measured: {listed(missing)}."
    else:
        yield f"{told}, and all parts pass: the configuration of the store, of its clients or of the framework."


def _named(tests: Sequence[Judged], verdict: Verdict) -> list[str]:
    return [test.expected.name for test in tests if test.verdict == verdict]


def _too_good(tests: Sequence[Judged]) -> Iterator[str]:
    for test in tests:
        if test.verdict != "too good":
            continue
        if test.expected.layer == "network":
            why = "another card than planned, or both ends on one machine"
        elif test.expected.layer == "work":
            why = "less data than planned, a cache or compression; else the plan is too careful"
        else:
            why = "a cache (direct=1 lost, a file smaller than a cache), or another drive than planned"
        yield f"{test.expected.name} is better than was expected: {why}."


def _access(test: Judged) -> str:
    return f"{'random ' if test.expected.is_random else ''}{test.expected.direction}s"
