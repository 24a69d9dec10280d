"""Why two scenarios differ: each measure's difference, shared among the parts in which their profiles differ.

Every mixture of the two profiles that the orders of Shapley ask for is simulated, under the same chances, one that is
alike to a run but once for all pairs. Parts that do not go one without the other (a storage system and its client) are
told together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from app.reports import words
from app.reports.explained import Explained, Share
from models.planning.shapley import EXACT, Coalition, coalitions, orders, shapley
from models.problem import Problem, ProblemError
from models.scenario import Scenario
from profiles.editing.alike import called_alike
from profiles.editing.mixing import Differing, differences, mixed
from profiles.loading.loader import Loaded, Variants
from profiles.text.schema import Shape
from simulator.studies.compare import Compared
from simulator.studies.measures import COST_OVER, Measure, measures
from simulator.studies.points import Answer, Point, PointFailure

Finished = Answer | PointFailure
Run = Callable[[Sequence[Point]], Sequence[Finished]]
Parts = frozenset[int]
"""Numbers of the parts that come from the other profile."""


def explained(
    first: tuple[Compared, Loaded[Scenario]],
    other: tuple[Compared, Loaded[Scenario]],
    *,
    seed: int,
    run: Run,
    known: dict[str, Finished],
) -> list[Explained]:
    """Return the differences of two scenarios: of what leads them, of cost and of nines, where both have these.

    What is `known` of mixtures, by the keys of their points, is not run again, and what is run is added.

    Raises:
        ProblemError: nothing differs between the profiles.
    """
    between = _Between(first[1], other[1], len(first[0].answer.durations), seed, run, known)
    if not between.parts:
        text = f"nothing differs between '{first[0].name}' and '{other[0].name}'"
        raise ProblemError([Problem("", None, "--explain", text)])
    between.know(frozenset(), *first)
    between.know(frozenset(range(len(between.parts))), *other)
    blocks = between.blocks()
    names = _names(first[0])
    values = {made: between.measures(_parts(blocks, made), names) for made in coalitions(len(blocks))}
    named = [(Share(*_told([between.parts[i] for i in block]), value=0.0)) for block in blocks]
    return [
        Explained(
            base=first[0].name,
            other=other[0].name,
            measure=name,
            unit=first[0].measures[name].unit,
            before=values[frozenset()][name].value,
            after=values[frozenset(range(len(blocks)))][name].value,
            shares=_shares(named, {made: value[name].value for made, value in values.items()}),
            orders=len(orders(len(blocks))),
            is_exact=len(blocks) <= EXACT,
            runs=between.runs,
            names=between.names,
        )
        for name in names
        if _is_known(name, list(values.values()))
    ]


class _Between:
    """All mixtures of two profiles, each set up and run once.

    `names` are those of groups in the first by what the other calls those that do the same.
    """

    def __init__(
        self,
        one: Loaded[Scenario],
        other: Loaded[Scenario],
        replications: int,
        seed: int,
        run: Run,
        known: dict[str, Finished],
    ) -> None:
        self._one = one.tree
        self._other, self.names = called_alike(one.tree, other.tree, Shape(Scenario))
        self._replications, self._seed, self._run = replications, seed, run
        fine = differences(self._one, self._other)
        self._is_fine = len(fine) <= EXACT
        self.parts: Sequence[Differing] = fine if self._is_fine else differences(self._one, self._other, is_fine=False)
        self._scenarios: dict[Parts, Scenario | None] = {}
        self._answers, self._own = known, set[str]()

    @property
    def runs(self) -> int:
        """How many mixtures the values are of; those that are alike to a run count once."""
        return len(self._own)

    def know(self, parts: Parts, side: Compared, loaded: Loaded[Scenario]) -> None:
        """Take one of the two as it was set up and run."""
        self._scenarios[parts] = loaded.scenario
        self._own.add(key := self._point(loaded.scenario).key)
        self._answers[key] = side.answer

    def blocks(self) -> list[tuple[int, ...]]:
        """Return the parts in the blocks that go one without the other, and run every mixture of these."""
        blocks: list[tuple[int, ...]] = [(i,) for i in range(len(self.parts))]
        while True:
            asked = coalitions(len(blocks))
            wrong = [made for made in asked if self._scenario(_parts(blocks, made)) is None]
            if not wrong:
                self._simulate([_parts(blocks, made) for made in asked])
                wrong = [made for made in asked if not self._is_answered(_parts(blocks, made))]
            if not wrong:
                return blocks
            blocks = _joined(blocks, wrong, asked)

    def measures(self, parts: Parts, names: Sequence[str]) -> dict[str, Measure]:
        """Return what a mixture is measured by, these names among it."""
        scenario = self._scenario(parts)
        assert scenario is not None  # `blocks` has left out what cannot be set up
        answer = self._answers[self._point(scenario).key]
        assert isinstance(answer, Answer)  # likewise
        return measures(scenario, answer, names)

    def _scenario(self, parts: Parts) -> Scenario | None:
        if parts not in self._scenarios:
            chosen = [self.parts[i].name for i in parts]
            tree = mixed(self._one, self._other, chosen, is_fine=self._is_fine)
            try:
                self._scenarios[parts] = Variants.of_tree(tree, Scenario).load({}).scenario
            except ProblemError:
                self._scenarios[parts] = None
        return self._scenarios[parts]

    def _simulate(self, asked: Sequence[Parts]) -> None:
        points = {
            point.key: point
            for parts in asked
            if (scenario := self._scenario(parts)) is not None
            for point in [self._point(scenario)]
        }
        self._own |= points.keys()
        new = {key: point for key, point in points.items() if key not in self._answers}
        self._answers |= dict(zip(new, self._run(list(new.values())), strict=True))

    def _is_answered(self, parts: Parts) -> bool:
        scenario = self._scenario(parts)
        return scenario is not None and isinstance(self._answers[self._point(scenario).key], Answer)

    def _point(self, scenario: Scenario) -> Point:
        """Return the run of a mixture; rules of planning say what may be kept there, and are no part of it."""
        alike = scenario.model_copy(update={"planning": None})
        return Point(scenario=alike, seed=self._seed, replications=self._replications)


def _parts(blocks: Sequence[tuple[int, ...]], made: Coalition) -> Parts:
    return frozenset(i for block in made for i in blocks[block])


def _joined(
    blocks: Sequence[tuple[int, ...]], wrong: Sequence[Coalition], asked: Sequence[Coalition]
) -> list[tuple[int, ...]]:
    """Return the blocks with the two joined whose parting explains most of what cannot be set up."""

    def parted(one: int, other: int, among: Sequence[Coalition]) -> int:
        return sum((one in made) != (other in made) for made in among)

    pairs = combinations(range(len(blocks)), 2)
    one, other = max(pairs, key=lambda pair: (parted(pair[0], pair[1], wrong), -parted(pair[0], pair[1], asked)))
    kept = [block for i, block in enumerate(blocks) if i not in (one, other)]
    return sorted([*kept, (*blocks[one], *blocks[other])])


def _told(parts: Sequence[Differing]) -> tuple[str, Sequence[tuple[str, str | None, str | None]]]:
    return words.listed([part.name for part in parts]), [key for part in parts for key in part.keys]


def _shares(named: Sequence[Share], value: dict[Coalition, float]) -> list[Share]:
    """Return what each block contributes, the largest first."""
    amounts = shapley(len(named), value)
    shares = [Share(share.name, share.keys, amount) for share, amount in zip(named, amounts, strict=True)]
    return sorted(shares, key=lambda share: -abs(share.value))


def _names(first: Compared) -> list[str]:
    """Return the measures whose difference is explained: what leads the run, cost over its years, nines."""
    costs = [name for name in first.measures if name.startswith(COST_OVER)]
    return [first.leading[0], *costs, *(name for name in first.measures if name == "durability")]


def _is_known(name: str, rows: Sequence[Mapping[str, Measure]]) -> bool:
    """Tell whether all mixtures have a measure, in one unit."""
    has = [row[name] for row in rows if name in row and math.isfinite(row[name].value)]
    return len(has) == len(rows) and len({measure.unit for measure in has}) == 1
