"""Which scenarios stand side by side: those of a study and the kept runs, in which order and colour. Knows no Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from app.gui.compare.jobs import Comparison, Side, key_of, side_of_run, sides_of_study
from app.gui.session.runs import MOST, Run
from models.planning.study import Compare

FEWEST = 2


class Choice:
    """Scenarios on offer, and which of them are compared: at most six, the baseline first.

    Answers are kept by scenario and chances, so that nothing is run twice.
    """

    def __init__(self) -> None:
        self.study: Compare | None = None
        self.hidden: set[str] = set()
        self.baseline = ""
        self.offered: list[Side] = []
        self._of_study: list[Side] = []
        self._runs: dict[str, Run] = {}
        self._answers: dict[tuple[str, int, int], str] = {}

    @property
    def colours(self) -> frozenset[int]:
        """The colours of the study's scenarios."""
        return frozenset(side.colour for side in self._of_study)

    @property
    def left_out(self) -> list[str]:
        """The names of the scenarios that are wanted and find no room."""
        return [side.name for side in self._wanted()[MOST:]]

    def take_study(self, study: Compare | None, runs: Sequence[Run]) -> None:
        """Offer the scenarios of another study, or of none, beside runs.

        Raises:
            ProblemError: a profile of the study is wrong; none is offered then.
        """
        self.study, self._of_study, self.hidden, self.baseline = None, [], set(), ""
        self._answers = {known: answer for known, answer in self._answers.items() if known[0] in self._runs}
        if study is not None:
            sides = sides_of_study(study)
            wanted = {side.key: number for number, side in enumerate(sides)}
            colours = _colours(wanted, {run.colour for run in runs})
            self._of_study = [replace(side, colour=colours[side.key]) for side in sides]
            self.study = study

    def take_runs(self, runs: Sequence[Run]) -> None:
        """Offer these kept runs beside the scenarios of the study.

        Raises:
            ProblemError: the profile of one cannot be read any more.
        """
        known, before = {side.key: side for side in self.offered}, self._runs
        self._runs = {key_of(run): run for run in runs}
        sides = [known[key] if before.get(key) is run else side_of_run(run) for key, run in self._runs.items()]
        self.offered = _named_apart([*self._of_study, *sides])

    def run_of(self, side: Side) -> Run | None:
        """Return the kept run that a scenario is, None for one of the study."""
        return self._runs.get(side.key)

    def asked(self, seed: int, replications: int) -> Comparison | None:
        """Return what is compared, with the answers that are known; None for fewer than two scenarios.

        All meet the chances of the seed, or without a study those that the first has met.
        """
        shown = self._wanted()[:MOST]
        if len(shown) < FEWEST:
            return None
        first = self._runs.get(shown[0].key)
        if self.study is None and first is not None:
            seed, replications = first.request.seed, first.request.replications
        fixed = {side.key: side.colour for side in shown if side.key in self._runs}
        colours = fixed | _colours({s.key: s.colour for s in shown if s.key not in fixed}, set(fixed.values()))
        return Comparison(
            title=self.study.title if self.study else " against ".join(side.name for side in shown),
            sides=tuple(self._answered(side, colours[side.key], (seed, replications)) for side in shown),
            seed=seed,
            replications=replications,
        )

    def take(self, comparison: Comparison) -> None:
        """Keep the answers of a comparison."""
        for side in comparison.sides:
            self._answers[side.key, comparison.seed, comparison.replications] = side.answer

    def _wanted(self) -> list[Side]:
        shown = [side for side in self.offered if side.name not in self.hidden]
        return sorted(shown, key=lambda side: side.name != self.baseline)

    def _answered(self, side: Side, colour: int, chances: tuple[int, int]) -> Side:
        run, answer = self._runs.get(side.key), self._answers.get((side.key, *chances), "")
        has_met = run is not None and (run.request.seed, run.request.replications) == chances
        return replace(side, colour=colour, answer=answer, result=side.result if has_met and not answer else None)


def _colours(wanted: Mapping[str, int], taken: set[int]) -> dict[str, int]:
    """Return the wanted colours by key or, where these are taken, free ones as long as there are any."""
    colours: dict[str, int] = {}
    for key, colour in wanted.items():
        used = taken | set(colours.values())
        colours[key] = colour if colour not in used else next((i for i in range(MOST) if i not in used), colour)
    return colours


def _named_apart(sides: Sequence[Side]) -> list[Side]:
    """Return all scenarios, no two of one name."""
    by_name: dict[str, Side] = {}
    for side in sides:
        name, number = side.name, 1
        while name in by_name:
            number += 1
            name = f"{side.name} ({number})"
        by_name[name] = replace(side, name=name)
    return list(by_name.values())
