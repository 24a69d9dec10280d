"""Sizing: of many configurations the one with the least cost, servers or power that meets all targets at once.

Nothing is simulated that need not be. A configuration is decided without a run when a closed form misses a target
(space, price, failures survived, the least time that the job can take), when it is no better in any part than one that
missed a target clearly, or when one that meets them all has less of the objective. What is left is bisected by the
objective. A search that is stopped keeps what it has found.

That more and faster parts never slow a lone job holds for every shipped profile within 1 % (the laws of the tests); a
target counts as clearly missed beyond `MARGIN`. Parts are compared only where all else is equal; where codes differ in
their width, only a job that is too late by much more than the codes differ tells of those with less.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from models.planning.bounds import too_long
from models.planning.grid import Values, in_words
from models.problem import Problem, ProblemError, did_you_mean
from models.scenario import Scenario
from models.target import Target, plain, spelled
from simulator.clock import Cancelled
from simulator.studies.between import between, ends_of
from simulator.studies.dominance import Parts, is_at_least, parts, quicker
from simulator.studies.measures import DURABLE, Measure, by_plain_name, durable, measures, miss, of_scenario
from simulator.studies.names import absent, check, lack, varied
from simulator.studies.points import Answer, PointFailure

MARGIN = 0.05
"""Part by which a target is missed before those with less of everything are given up, too. Assumption: five times what
the order of decisions moves a small cluster."""
OTHER_CODE = 2.0
"""Times as late as what codes of different widths explain that a job is before those with less of everything are given
up, too. Assumption: workloads beside a job, and seeks, may make of a difference of codes twice as much."""
BATCH = 4
"""Configurations that may be simulated at the same time, whatever the number of processes: their answers are taken by
the objective, so that the search is the same on every machine. Assumption: keeps up to four cores busy."""
Finished = Answer | PointFailure
RunAll = Callable[[Sequence[int]], Generator[Finished | None]]
"""Simulates the options of these indices and yields what they come to, in this order, each as soon as it is known.

When it is stopped it yields None for those that are not known, and raises then.
"""


Chance = Callable[["Option"], float]
"""Tells in which part of the cases an option that was simulated meets every target."""


def certain(option: Option) -> float:
    """Take the likely case for all."""
    return 1.0


@dataclass(slots=True)
class Option:
    """One configuration: its values, its scenario or None, and what became of it.

    `reason` says in one line why it was rejected or not needed, "" for those that meet every target; `is_fault`: it was
    rejected because the program failed. `misses` is the largest part by which it misses a target, `late` how many times
    as long as it may a job takes at most. `bounds` are the least seconds of jobs, by closed forms, where these are too
    long. `chance` is that of meeting the targets for the run, where it was asked for. The best is sought of each
    `candidate`.
    """

    values: Values
    scenario: Scenario | None
    reason: str = ""
    objective: float = math.inf
    answer: Answer | None = None
    measures: dict[str, Measure] = field(default_factory=dict)
    bounds: dict[str, float] = field(default_factory=dict)
    is_decided: bool = False
    is_fault: bool = False
    misses: float = 0.0
    late: float = 0.0
    chance: float = 1.0
    candidate: str = ""

    @property
    def is_feasible(self) -> bool:
        """Whether it was simulated and meets every target."""
        return self.is_decided and self.answer is not None and not self.reason


@dataclass(frozen=True, slots=True)
class Sizing:
    """What a search came to: all options in the order given, the best, and how many were simulated.

    `next_best` is the next of those that were simulated: what has more of the objective than one that meets every
    target is not. Where the search `was_stopped`, an option that is not decided may be better than the best so far.
    """

    options: Sequence[Option]
    best: Option | None
    next_best: Option | None
    was_stopped: bool = False

    @property
    def simulated(self) -> int:
        """How many options were simulated."""
        return sum(option.answer is not None for option in self.options)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for: the targets, and the measure of a scenario to be as small as possible.

    Targets for the run have to be met in a part of the cases, the `confidence`, if that is above 0. `at_once` options
    of a candidate are simulated at the same time; with one, the cheapest comes first, and then what its miss suggests,
    beside the next dearer one where no other candidate is open. In the runs the data of the jobs that grow is `grown`
    times that of the start. Of a candidate some measures may not be asked, which it does without: they are `spared`.
    """

    targets: Sequence[Target]
    objective: str
    confidence: float = 0.0
    at_once: int = BATCH
    grown: float = 1.0
    spared: Mapping[str, Collection[str]] = field(default_factory=dict)

    def asked_of(self, option: Option) -> list[Target]:
        """Return the targets that an option has to meet."""
        spared = self.spared.get(option.candidate, ())
        return [target for target in self.targets if target.measure not in spared]

    @classmethod
    def of(cls, targets: Sequence[Target], minimize: str, confidence: float = 0.0) -> Wish:
        """Return what is asked for with the objective as people write it: "cost over 3 years"."""
        return cls(targets, plain(minimize), confidence)

    @property
    def names(self) -> list[str]:
        """The measures that are asked for."""
        return [self.objective, *(target.measure for target in self.targets)]


def size(options: Sequence[Option], wish: Wish, run: RunAll, chance: Chance = certain) -> Sizing:
    """Return the option that meets every target with the least of the objective; of equal ones the faster one.

    `chance` is asked about each option that meets every target in the likely case, if the wish has a confidence.

    Ctrl+C and a run that raises Cancelled stop the search, which returns what it has found.

    Raises:
        ProblemError: a target or the objective names what nothing is measured by, or is in another unit; told before
            anything runs.
    """
    search = _Search(options, wish, chance)
    search.decide_by_closed_forms()
    was_stopped = False
    try:
        while batch := search.next_batch():
            search.try_out(batch, run)
    except (Cancelled, KeyboardInterrupt):
        was_stopped = True
        search.leave_undecided()
    best, next_best = search.found
    for option in (best, next_best):
        if option is not None and option.scenario is not None:
            option.measures |= durable(option.scenario)
    return Sizing(options, best, next_best, was_stopped)


class _Search:
    """The state of one search."""

    def __init__(self, options: Sequence[Option], wish: Wish, chance: Chance) -> None:
        self._chance = chance
        self._options = options
        self._wish = wish
        self._parts: dict[int, Parts] = {}
        self._missed: list[Option] = []
        self._is_durability_asked = any(name in DURABLE for name in wish.names)
        self._cheap = [name for name in wish.names if name not in DURABLE]

    @property
    def found(self) -> tuple[Option | None, Option | None]:
        """The two best that meet every target, as far as known."""
        feasible = sorted((option for option in self._options if option.is_feasible), key=_rank)
        return (feasible[0] if feasible else None), (feasible[1] if len(feasible) > 1 else None)

    def decide_by_closed_forms(self) -> None:
        """Reject what cannot be run, and what misses a target by what is known without a run.

        Raises:
            ProblemError: a name is not known.
        """
        for option in self._options:
            option.is_decided = option.scenario is None
            if option.scenario is not None:
                option.measures = of_scenario(option.scenario, self._cheap) | varied(option.values, self._cheap)
        self._check_names()
        for option in self._undecided():
            assert option.scenario is not None  # what has none is decided
            self._judge(option, is_whole=False)
            if not option.is_decided:
                self._judge_by_bound(option, option.scenario)

    def try_out(self, batch: Sequence[int], run: RunAll) -> None:
        """Simulate options, those with less of the objective first, until the answers so far decide the others.

        Those that an answer is not needed of are waited for, too, where few are simulated: what was is then the same,
        however long each takes.
        """
        options = [self._options[i] for i in batch]
        with closing(run(batch)) as answers:
            for option, finished in zip(options, answers, strict=False):
                if finished is not None and not option.is_decided:
                    self._take(option, finished)
                    self._drop()
                if self._wish.at_once > 1 and all(choice.is_decided for choice in options):
                    return

    def leave_undecided(self) -> None:
        """Say of what is not decided that nobody looked."""
        for option in self._undecided():
            option.reason = "not decided: the search was stopped"

    def next_batch(self) -> list[int]:
        """Return the options to be simulated next, none when all is decided."""
        self._drop()
        left: dict[str, list[int]] = {}
        for i, option in enumerate(self._options):
            if not option.is_decided:
                left.setdefault(option.candidate, []).append(i)
        for places in left.values():
            places.sort(key=lambda i: (self._options[i].objective, i))
        return [i for places in left.values() for i in self._next_of(places, is_alone=len(left) == 1)]

    def _next_of(self, left: list[int], *, is_alone: bool) -> list[int]:
        """Return those of a candidate's undecided options, ordered by the objective, to be simulated next."""
        count = self._wish.at_once
        if len(left) <= count:
            return left
        if count == 1:
            return self._suggested(left, 2 if is_alone else 1)
        places = {round((k + 1) * (len(left) - 1) / (count + 1)) for k in range(count)}
        return [left[place] for place in sorted(places)]

    def _suggested(self, left: list[int], most: int) -> list[int]:
        """Return the options to be simulated next: as much dearer than the last one as that missed by, and beyond.

        The cheapest alone at first; half of what is left where an option that is dearer than all meets every target.
        """
        candidate = self._options[left[0]].candidate
        tried = [option for option in self._options if option.candidate == candidate and option.answer is not None]
        if not tried:
            return left[:1]
        if any(option.is_feasible for option in tried):
            return [left[len(left) // 2]]
        dearest = max(tried, key=lambda option: option.objective)
        wanted = dearest.objective * (1 + dearest.misses)
        place = next((k for k, i in enumerate(left) if self._options[i].objective >= wanted), len(left) - 1)
        return left[place : place + most]

    def _take(self, option: Option, finished: Finished) -> None:
        """Take the answer of an option in."""
        if isinstance(finished, PointFailure):
            option.reason, option.is_fault, option.is_decided = finished.reason, finished.is_fault, True
            return
        assert option.scenario is not None  # only those are simulated
        option.answer = finished
        own = varied(option.values, self._cheap)
        option.measures = measures(option.scenario, finished, self._cheap, grown=self._wish.grown) | own
        self._judge(option, is_whole=False)
        if not option.reason:
            option.measures |= durable(option.scenario) if self._is_durability_asked else {}
            self._judge(option, is_whole=True)
        if not option.reason and self._wish.confidence:
            self._judge_by_chance(option)
        if option.reason:
            self._missed.append(option)
        option.is_decided = True

    def _check_names(self) -> None:
        """Refuse names that no option is measured by.

        Raises:
            ProblemError: with all of them.
        """
        scenarios = [option.scenario for option in self._options if option.scenario is not None]
        if not scenarios:
            return
        name, problems = self._wish.objective, list[Problem]()
        known = sorted({name for option in self._options for name in option.measures})
        if name not in known:
            own = {key for option in self._options for key in varied(option.values, map(plain, dict(option.values)))}
            near = did_you_mean(name, [*known, *own]) or f"; there are {', '.join([*known, *sorted(own)])}"
            text = absent(name, scenarios[0]) or f"nothing is measured by '{name}' without a run{near}"
            problems.append(Problem("", None, "minimize", text))
        try:
            check(self._wish.targets, scenarios)
        except ProblemError as error:
            problems += error.problems
        if problems:
            raise ProblemError(problems)

    def _judge(self, option: Option, *, is_whole: bool) -> None:
        """Reject an option that misses a target; where the measures are not all there, by those that are."""
        assert option.scenario is not None  # only those are judged
        measured, reasons = by_plain_name(option.measures), list[str]()
        if self._wish.objective in option.measures:
            option.objective = option.measures[self._wish.objective].value
        else:
            reasons.append(lack(self._wish.objective, option.scenario))
        for target in self._wish.asked_of(option):
            measure = measured.get(target.measure)
            if measure is None:
                reasons += [lack(target.measure, option.scenario)] if is_whole else []
            elif text := miss(target, measure):
                reasons.append(text)
                if target.measure not in DURABLE:  # larger drives take longer to rebuild: more need not be better
                    option.misses = max(option.misses, -margin(target, measure))
                if target.measure.endswith("duration"):
                    option.late = max(option.late, 1 - margin(target, measure))
        if reasons:
            option.reason, option.is_decided = "; ".join(reasons), True

    def _judge_by_chance(self, option: Option) -> None:
        option.chance = self._chance(option)
        if option.chance < self._wish.confidence:
            text = f"meets every target in {option.chance:.0%} of the cases, not in {self._wish.confidence:.0%}"
            option.reason = text.replace("%", " %")

    def _judge_by_bound(self, option: Option, scenario: Scenario) -> None:
        for target, bound in too_long(scenario, self._wish.targets):
            option.reason, option.is_decided = target.missed(bound.seconds, "s", bound.reason), True
            option.bounds[target.measure] = bound.seconds

    def _drop(self) -> None:
        """Decide what need not be simulated, by what has been."""
        self._drop_the_worse()
        self._drop_the_weaker()

    def _drop_the_worse(self) -> None:
        """Decide those that have more of the objective than one that meets every target."""
        best_of: dict[str, Option] = {}
        for option in sorted((choice for choice in self._options if choice.is_feasible), key=_rank):
            best_of.setdefault(option.candidate, option)
        for option in self._undecided():
            best = best_of.get(option.candidate)
            if best is not None and option.objective > best.objective:
                objective = spelled(self._wish.objective)
                less = "fewer servers" if objective == "servers" else f"less ({objective})"
                option.reason = f"not needed: with {named(best)} every target is met with {less}"
                option.is_decided = True

    def _drop_the_weaker(self) -> None:
        """Decide those that are no better in any respect than one that missed a target clearly."""
        clear = [option for option in self._missed if option.misses > MARGIN]
        for option in self._undecided() if len(self._missed) > 1 else ():
            ends = ends_of(option, self._missed, self._parts_of)
            if ends is not None and between(option, *ends) > MARGIN:
                option.reason = f"lies between {named(ends[0])} and {named(ends[1])}, which both miss: {ends[1].reason}"
                option.is_decided = True
        for option in self._undecided() if clear else ():
            rivals = (choice for choice in clear if choice.candidate == option.candidate)
            stronger = next((rival for rival in rivals if self._tells_of(rival, option)), None)
            if stronger is not None:
                option.reason = f"no better in any respect than {named(stronger)}, which misses: {stronger.reason}"
                option.is_decided = True

    def _undecided(self) -> Iterator[Option]:
        return (option for option in self._options if not option.is_decided)

    def _tells_of(self, strong: Option, weak: Option) -> bool:
        """Tell whether one that missed a target is no worse in any part, so that the other one misses it, too."""
        ours, theirs = self._parts_of(strong), self._parts_of(weak)
        is_alike = ours.code == theirs.code
        is_clear = is_alike or strong.late > OTHER_CODE * quicker(theirs.code, ours.code)
        return is_clear and is_at_least(ours, theirs)

    def _parts_of(self, option: Option) -> Parts:
        assert option.scenario is not None  # only those are undecided or have missed by a run
        if id(option) not in self._parts:
            self._parts[id(option)] = parts(option.scenario)
        return self._parts[id(option)]


def _rank(option: Option) -> tuple[float, float]:
    """Return what the options that meet every target are ordered by: the objective, then the duration."""
    assert option.answer is not None  # they have been simulated
    return option.objective, option.answer.duration


def named(option: Option) -> str:
    """Return the values of an option in words."""
    return ", ".join(in_words(option.values))


def margin(target: Target, measure: Measure) -> float:
    """Return the part of its limit by which a target is met, negative where it is missed; infinite for a limit of 0."""
    limit = target.value(measure.unit)
    above = measure.value - limit
    better = above if target.sense == ">=" else -above
    return better / abs(limit) if limit else math.copysign(math.inf, better)
