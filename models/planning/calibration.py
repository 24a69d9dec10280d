"""How far answers of a kind are off: errors found in validation, made into intervals that hold what they promise.

Errors are logarithms of simulated over documented. Answers of one kind are off by less than those of another, and few
of either are known: the scale of a kind is its mean absolute error, drawn towards that of all (shrinkage), so that a
wild guess of one mechanism widens the intervals of that mechanism alone. The error of each outcome over the scale that
the others give is its score, and an interval reaches as far as the scores of so many of n + 1 do as its level asks.
This is normalized conformal prediction: it needs no law of errors, and squares none, of which one outlier rules all.

Outcomes of one source are mostly of one cluster and off together: fifty of them tell little more of the next cluster
than five do. So each source counts as one, for a bias, a scale and a score, and its outcomes share its weight.

Where nothing was fitted, answers of a kind may all be off to one side: told too fast, mostly. That bias is the mean of
their errors, drawn towards that of wider kinds and at last towards none; an interval lies about the answer without it,
and reaches to the answer itself. A fit leaves no bias, so that none is looked for where one was made.

Sources: Papadopoulos, Gammerman, Vovk, Normalized nonconformity measures for regression conformal prediction (2008);
Lei et al., Distribution-free predictive inference for regression, JASA 113 (2018); Dunn, Wasserman, Ramdas,
Distribution-free prediction sets for two-layer hierarchical models, JASA 118 (2023), pooling of CDFs.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import NormalDist, fmean

from models import units
from models.outcome import LeftOut
from models.scenario import Scenario
from models.values import value

LEVELS = (0.5, 0.8, 0.95)
"""Levels for which validation counts how many outcomes lie inside."""
LEVEL = 0.8
"""The level that answers are given at."""
OTHERS = 4
"""Sources of a kind that say as much of its scale as those of the wider kind do. Assumption: 2 to 8."""
FEWEST = 8
"""Errors below which nothing is said of how far answers are off. Assumption: 4 to 10."""
NEXT_TO_NOTHING = 1e-3
"""Part of a documented value below which no simulated one is told from nothing."""
Kinds = tuple[str, ...]


@value()
class Measured:
    """An outcome with its error as a fraction, the kinds of answers that it is of, the widest first, and its source.

    It counts for the bias of its kinds by its `unit`.
    """

    id: str
    family: str
    error: float
    kinds: Kinds
    source: str = ""
    unit: str = "1"


@value()
class Off:
    """How far an answer was off: the logarithm of simulated over documented, and of which kinds it is.

    `way` is 1 for a rate, of which more is faster, -1 for a time, 0 for what is neither. Answers of one source are off
    together; one without a source stands for itself.
    """

    error: float
    kinds: Kinds
    way: int = 0
    source: str = ""


@value()
class Told:
    """How far an outcome was off, and what the others say of it: a bias, and how far intervals reach by level."""

    error: float
    bias: float
    halves: dict[float, float]

    def is_inside(self, level: float) -> bool:
        """Whether the outcome lies in its interval."""
        low, high = reaching(-self.bias, self.halves[level])
        return low <= -self.error <= high

    def width(self, level: float) -> float:
        """Return how wide its interval is, over the answer."""
        low, high = reaching(-self.bias, self.halves[level])
        return math.exp(high) - math.exp(low)


def reaching(shift: float, half: float) -> tuple[float, float]:
    """Return the ends of an interval about a shift, as logarithms over the answer, which lies between them itself."""
    return min(shift - half, 0.0), max(shift + half, 0.0)


def way(unit: str) -> int:
    """Return 1 for the unit of a rate, -1 for that of a time, 0 for any other."""
    return -dict(units.unit(unit).dimension).get("s", 0)


def question(scenario: Scenario) -> str:
    """Return what a scenario asks, in a few words: the workload on the storage system."""
    kind = "several workloads" if scenario.workloads else scenario.workload.kind
    return f"{kind} on {scenario.storage.system}"


def kinds(asked: str, limit: str) -> Kinds:
    """Return the kinds of an answer: its question, and that as held up by a kind of resource."""
    return asked, f"{asked}, held up by {limit.rsplit('/', maxsplit=1)[-1]}"


def pair(one: Kinds, other: Kinds) -> Kinds:
    """Return the kinds of the ratio of two answers: to one question, or to two."""
    return ("of one question" if one[0] == other[0] else "of two questions",)


class Calibration:
    """Errors of outcomes, how far answers are off by them, and to which side where a bias is looked for."""

    def __init__(self, errors: Iterable[Off], *, is_biased: bool = False) -> None:
        self.errors = tuple(errors)
        self._is_biased = is_biased
        self._by_source: dict[str, list[Off]] = defaultdict(list)
        for number, off in enumerate(self.errors):
            self._by_source[off.source or f"{number}"].append(off)
        self._signed, self._absolute = _Means(), _Means()
        for source, offs in self._by_source.items() if is_biased else ():
            self._signed.add(source, [(off.way * off.error, off.kinds) for off in offs if off.way])
        rests = {
            source: [abs(off.error - self._bias(off.kinds, off.way, source)) for off in offs]
            for source, offs in self._by_source.items()
        }
        for source, offs in self._by_source.items():
            self._absolute.add(source, zip(rests[source], (off.kinds for off in offs), strict=True))
        self._scores = sorted(self._weighted(rests)) if self.is_enough else []

    @property
    def is_enough(self) -> bool:
        """Whether there are errors enough to say how far answers are off."""
        return len(self.errors) >= FEWEST

    def count(self, kind: str) -> int:
        """Return how many errors are of a kind."""
        return sum(kind in off.kinds for off in self.errors)

    def bias(self, kinds: Kinds, way: int = 1) -> float:
        """Return the logarithm by which answers of some kinds are told too large; `way` is that of their unit.

        It is 0 where no bias is looked for.
        """
        return self._bias(kinds, way, None)

    def half(self, kinds: Kinds, level: float = LEVEL) -> float:
        """Return how far the interval of an answer reaches to either side, as a logarithm."""
        return self._absolute.mean(kinds) * self._quantile(level)

    def told(self) -> list[Told]:
        """Return what the outcomes of other sources say of each."""
        return [told for source in self._by_source for told in self._told(source)]

    def _told(self, source: str) -> Iterator[Told]:
        beside = (off for other, offs in self._by_source.items() if other != source for off in offs)
        others = Calibration(beside, is_biased=self._is_biased)
        for off in self._by_source[source] if others.is_enough else ():
            halves = {level: others.half(off.kinds, level) for level in LEVELS}
            yield Told(off.error, others.bias(off.kinds, off.way), halves)

    def _bias(self, kinds: Kinds, way: int, without: str | None) -> float:
        if not (self._is_biased and way):
            return 0.0
        return way * self._signed.mean(kinds, prior=OTHERS, without=without)

    def _weighted(self, rests: Mapping[str, Sequence[float]]) -> Iterator[tuple[float, float]]:
        """Yield the score of each outcome, its error over the scale that others give, and its part of a source."""
        for source, offs in self._by_source.items():
            for rest, off in zip(rests[source], offs, strict=True):
                scale = self._absolute.mean(off.kinds, without=source)
                yield (rest / scale if scale > 0 else 0.0), 1 / len(offs)

    def _quantile(self, level: float) -> float:
        """Return the score that so many of all do not exceed, where each source weighs as much, and so does one more.

        Beyond the largest, scores are taken to go on as those of a normal distribution do.
        """
        sources = len(self._by_source)
        rank = level * (sources + 1)
        below = score = 0.0
        for next_score, weight in self._scores:
            if rank <= below + weight:
                return score + (rank - below) / weight * (next_score - score)
            below, score = below + weight, next_score
        asked, known = (NormalDist().inv_cdf(0.5 + part / 2) for part in (level, sources / (sources + 1)))
        return score * max(asked / known, 1.0)


class _Means:
    """Means of values by kind, each drawn towards that of the wider kinds; the values of a source weigh as one."""

    def __init__(self) -> None:
        self._by_kind: dict[str, dict[str, float]] = defaultdict(dict)

    def add(self, source: str, values: Iterable[tuple[float, Kinds]]) -> None:
        """Add the values of a source, each with its kinds."""
        by_kind: dict[str, list[float]] = defaultdict(list)
        for number, kinds in values:
            for kind in ("", *kinds):
                by_kind[kind].append(number)
        for kind, known in by_kind.items():
            self._by_kind[kind][source] = fmean(known)

    def mean(self, kinds: Kinds, *, prior: int = 0, without: str | None = None) -> float:
        """Return the mean of the last kind; that of all is drawn to 0 as by so many `prior` values.

        One source may be left out.
        """
        mean, weight = 0.0, prior
        for kind in ("", *kinds):
            known = [number for source, number in self._by_kind.get(kind, {}).items() if source != without]
            mean, weight = (sum(known) + weight * mean) / ((len(known) + weight) or 1), OTHERS
        return mean


def calibrations(
    tested: Iterable[Measured], fitted: Mapping[str, int], left_out: LeftOut | None
) -> tuple[Calibration, Calibration]:
    """Return how far answers are off where numbers were `fitted` or chosen, so many by family, and where none were.

    An outcome counts as it is predicted by numbers that were fitted without it, where that is known. Else numbers that
    were fitted to some of a family's outcomes make their errors smaller, by the root of the part of the degrees of
    freedom that is left; of a family that leaves none, nothing is known. What is asked beside a benchmark is asked of
    its cluster, where each outcome stands for itself; another cluster never seen is like another source.
    """
    seen, unseen = _pools(tested, fitted, left_out)
    return (
        Calibration(Off(error, outcome.kinds, way(outcome.unit)) for outcome, error in seen),
        Calibration((Off(e, o.kinds, way(o.unit), o.source) for o, e in unseen), is_biased=True),
    )


def differences(
    tested: Iterable[Measured], fitted: Mapping[str, int], left_out: LeftOut | None
) -> tuple[Calibration, Calibration]:
    """Return how far ratios of two answers are off, as `calibrations` does of single ones.

    They are those of two outcomes of one family and source, which are mostly of one cluster: what both are off by alike
    is not in their ratio, a bias of their kind least of all. Assumption: such pairs are like those of two scenarios
    that somebody compares.
    """
    seen, unseen = (_pairs(pool) for pool in _pools(tested, fitted, left_out))
    return Calibration(seen), Calibration(unseen)


def _pairs(pool: Iterable[tuple[Measured, float]]) -> Iterator[Off]:
    for (one, error), (other, beside) in combinations(pool, 2):
        if (one.family, one.source) == (other.family, other.source):
            yield Off(beside - error, pair(one.kinds, other.kinds), source=one.source)


Pool = list[tuple[Measured, float]]


def _pools(tested: Iterable[Measured], fitted: Mapping[str, int], left_out: LeftOut | None) -> tuple[Pool, Pool]:
    """Return the outcomes of families to which something was fitted, and those of others, with their errors."""
    outcomes = list(tested)
    counts = Counter(outcome.family for outcome in outcomes)
    alone = left_out.errors if left_out else {}
    seen: Pool = []
    unseen: Pool = []
    for outcome in outcomes:
        count, error = fitted[outcome.family], alone.get(outcome.id)
        if not count:
            unseen.append((outcome, _logarithm(outcome.error)))
        elif error is not None:
            seen.append((outcome, _logarithm(error)))
        elif count < counts[outcome.family]:
            freedom = 1 - count / counts[outcome.family]
            seen.append((outcome, _logarithm(outcome.error) / math.sqrt(freedom)))
    return seen, unseen


def _logarithm(error: float) -> float:
    return math.log(max(1 + error, NEXT_TO_NOTHING))
