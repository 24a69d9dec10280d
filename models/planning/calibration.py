"""How far answers of a kind are off: errors found in validation, made into intervals that hold what they promise.

Errors are logarithms of simulated over documented. Answers of one kind are off by less than those of another, and few
of either are known: the scale of a kind is its mean absolute error, drawn towards that of all (shrinkage), so that a
wild guess of one mechanism widens the intervals of that mechanism alone. The error of each outcome over the scale that
the others give is its score, and an interval reaches as far as the scores of so many of n + 1 do as its level asks.
This is normalized conformal prediction: it needs no law of errors, and squares none, of which one outlier rules all.

Sources: Papadopoulos, Gammerman, Vovk, Normalized nonconformity measures for regression conformal prediction (2008);
Lei et al., Distribution-free predictive inference for regression, JASA 113 (2018).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist

from models.outcome import Family, LeftOut
from models.scenario import Scenario

LEVELS = (0.5, 0.8, 0.95)
"""Levels for which validation counts how many outcomes lie inside."""
LEVEL = 0.8
"""The level that answers are given at."""
OTHERS = 4
"""Outcomes of a kind that say as much of its scale as those of the wider kind do. Assumption: 2 to 8."""
FEWEST = 8
"""Errors below which nothing is said of how far answers are off. Assumption: 4 to 10."""
NEXT_TO_NOTHING = 1e-3
"""Part of a documented value below which no simulated one is told from nothing."""
Kinds = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """An outcome with its error as a fraction, the kinds of answers that it is of, the widest first, and its source."""

    id: str
    family: str
    error: float
    kinds: Kinds
    source: str = ""


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
    """Errors of outcomes as logarithms, each with its kinds, and how far answers are off by them."""

    def __init__(self, errors: Iterable[tuple[float, Kinds]]) -> None:
        self.errors = [(abs(error), ("", *kinds)) for error, kinds in errors]
        self._sums: dict[str, float] = defaultdict(float)
        self._counts: dict[str, int] = defaultdict(int)
        for error, known in self.errors:
            for kind in known:
                self._sums[kind] += error
                self._counts[kind] += 1
        self._scores = sorted(self._score(*each) for each in self.errors) if self.is_enough else []

    @property
    def is_enough(self) -> bool:
        """Whether there are errors enough to say how far answers are off."""
        return len(self.errors) >= FEWEST

    def count(self, kind: str) -> int:
        """Return how many errors are of a kind."""
        return self._counts.get(kind, 0)

    def half(self, kinds: Kinds, level: float = LEVEL) -> float:
        """Return how far the interval of an answer reaches to either side, as a logarithm."""
        return self._scale(("", *kinds)) * self._quantile(level)

    def halves(self) -> list[tuple[float, dict[float, float]]]:
        """Return the absolute error of each outcome, and how far an interval reaches that the others give, by level."""
        found = []
        for i, (error, (_, *known)) in enumerate(self.errors):
            others = Calibration((each, kinds[1:]) for each, kinds in self.errors[:i] + self.errors[i + 1 :])
            if others.is_enough:
                found.append((error, {level: others.half(tuple(known), level) for level in LEVELS}))
        return found

    def _scale(self, kinds: Kinds, without: float | None = None) -> float:
        """Return the mean absolute error of the last kind, drawn towards those of the wider ones."""
        left, scale, weight = 0.0 if without is None else without, 0.0, 0
        for kind in kinds:
            total, count = self._sums.get(kind, 0.0) - left, self._counts.get(kind, 0) - (without is not None)
            scale, weight = (total + weight * scale) / (count + weight), OTHERS
        return scale

    def _score(self, error: float, kinds: Kinds) -> float:
        scale = self._scale(kinds, error)
        return error / scale if scale > 0 else 0.0

    def _quantile(self, level: float) -> float:
        """Return the score that so many of the scores and of one more do not exceed.

        Beyond the largest, scores are taken to go on as those of a normal distribution do.
        """
        last = len(self._scores)
        rank = level * (last + 1)
        if rank > last:
            asked, known = (NormalDist().inv_cdf(0.5 + part / 2) for part in (level, last / (last + 1)))
            return self._scores[-1] * asked / known
        scores = [0.0, *self._scores, self._scores[-1]]
        below = int(rank)
        return scores[below] + (rank - below) * (scores[below + 1] - scores[below])


def calibrations(
    tested: Iterable[Measured], families: Mapping[str, Family], left_out: LeftOut | None
) -> tuple[Calibration, Calibration]:
    """Return how far answers are off where numbers were fitted or chosen, and on clusters to which nothing was.

    An outcome counts as it is predicted by numbers that were fitted without it, where that is known. Else numbers that
    were fitted to some of a family's outcomes make their errors smaller, by the root of the part of the degrees of
    freedom that is left; of a family that leaves none, nothing is known.
    """
    one, other = (((error, each.kinds) for each, error in pool) for pool in _pools(tested, families, left_out))
    return Calibration(one), Calibration(other)


def differences(
    tested: Iterable[Measured], families: Mapping[str, Family], left_out: LeftOut | None
) -> tuple[Calibration, Calibration]:
    """Return how far ratios of two answers are off, as `calibrations` does of single ones.

    They are those of two outcomes of one family and source, which are mostly of one cluster: what both are off by alike
    is not in their ratio. Assumption: such pairs are like those of two scenarios that somebody compares.
    """
    seen, unseen = (_pairs(pool) for pool in _pools(tested, families, left_out))
    return Calibration(seen), Calibration(unseen)


def _pairs(pool: Iterable[tuple[Measured, float]]) -> Iterator[tuple[float, Kinds]]:
    for (one, error), (other, beside) in combinations(pool, 2):
        if (one.family, one.source) == (other.family, other.source):
            yield beside - error, pair(one.kinds, other.kinds)


Pool = list[tuple[Measured, float]]


def _pools(tested: Iterable[Measured], families: Mapping[str, Family], left_out: LeftOut | None) -> tuple[Pool, Pool]:
    """Return the outcomes of families to which something was fitted, and those of others, with their errors."""
    outcomes = list(tested)
    counts = Counter(each.family for each in outcomes)
    alone = left_out.errors if left_out else {}
    seen: Pool = []
    unseen: Pool = []
    for each in outcomes:
        fitted, error = families[each.family].counted, alone.get(each.id)
        if not fitted:
            unseen.append((each, _logarithm(each.error)))
        elif error is not None:
            seen.append((each, _logarithm(error)))
        elif fitted < counts[each.family]:
            freedom = 1 - fitted / counts[each.family]
            seen.append((each, _logarithm(each.error) / math.sqrt(freedom)))
    return seen, unseen


def width(half: float) -> float:
    """Return how wide an interval is, over the answer."""
    return math.exp(half) - math.exp(-half)


def _logarithm(error: float) -> float:
    return math.log(max(1 + error, NEXT_TO_NOTHING))
