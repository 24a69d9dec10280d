"""The search over all candidates of a plan: the best of each, and of one that meets not all what comes nearest."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import date
from importlib.metadata import version
from itertools import chain

from app.planning.drawing import NO_DRAWS, NOTHING
from app.planning.effort import Effort
from app.planning.plans.plan_dates import first_missed
from app.planning.plans.plan_draws import Again, Drawn, chances, drawn, least_regret
from app.planning.plans.plan_flips import flips
from app.planning.plans.plan_maps import maps
from app.planning.plans.plan_nearest import anew, cheapest_open, furthest, is_blind
from app.planning.plans.plan_options import (
    check_measured,
    distance,
    left_open,
    measure_of,
    merged,
    missed_by_all,
    options_of,
    runs_of,
    so_far,
    spread,
)
from app.planning.predicting import basis_of, prediction
from app.planning.progress import Counted, OnDone
from app.reports.plan.plan_answer import Judged, Met, PlanAnswer, Ran, Wanting
from app.reports.plan.plan_decision import LeastRegret
from app.reports.prediction_report import Prediction
from models.planning.prediction import ends
from models.planning.sheet import Demand, Required
from models.problem import RefusalError
from models.scenario import Scenario
from models.target import plain
from models.work import LOOSEST
from profiles.plans.sheet import Sheet
from simulator.clock import Cancelled
from simulator.studies.measures import DURABLE, by_plain_name, durable, measures
from simulator.studies.points import Answer, Point, PointFailure
from simulator.studies.runner import Runner, in_order
from simulator.studies.size import Finished, Option, Sizing, Wish, margin, size
from simulator.studies.store import Store


def planned(
    sheet: Sheet, workers: int | None, counted: Counted, store: Store | None = None, effort: Effort = "none"
) -> PlanAnswer:
    """Answer a plan: of each candidate the option with the least cost that meets all, or the one that comes nearest.

    Runs that a store has are not made again.

    Ctrl+C stops the search; the answer is then of what was found so far. Assumed numbers are drawn for it: by closed
    forms always, in small runs with the effort "fast", in all with "full".

    Raises:
        ProblemError: with all that is wrong with the plan.
    """
    with Runner(store=store, workers=workers) as runner:
        search = _Search(sheet, runner, counted, effort)
        try:
            return search.answer()
        except KeyboardInterrupt:  # between two runs, or while the answer is put together: what is known makes one
            return search.answer_of_what_is_known()


def curves(sheet: Sheet, workers: int | None, counted: Counted, store: Store | None = None) -> Iterator[list[Option]]:
    """Yield of each candidate some of its numbers of servers, from the fewest to the most, as they were simulated.

    Runs that a store has are not made again.

    Raises:
        ProblemError: with all that is wrong with the plan.
    """
    with Runner(store=store, workers=workers) as runner:
        search = _Search(sheet, runner, counted, "none")
        options = [option for option in options_of(sheet) if option.scenario is not None]
        for name in sheet.plan.candidates:
            yield search.simulated(spread([option for option in options if option.candidate == name]))


class _Search:
    """The state of one search."""

    def __init__(self, sheet: Sheet, runner: Runner, counted: Counted, effort: Effort) -> None:
        self._sheet, self._plan, self._effort = sheet, sheet.plan, effort
        self._runner, self._counted = runner, counted
        self._required = tuple(sheet.plan.requirements.required())
        self._known, self._beyond = dict[str, Finished](), list[Option]()
        self._parts: dict[int, list[tuple[Sequence[Demand], Scenario, Answer]]] = {}
        self._drawn, self._sure = dict[int, Drawn](), dict[int, Mapping[str, float]]()
        self._doing, self._was_stopped = "Simulating", False

    def answer_of_what_is_known(self) -> PlanAnswer:
        """Return the answer of the runs that have finished; none is begun."""
        self._was_stopped = True
        return self.answer()

    def answer(self) -> PlanAnswer:
        plan = self._plan
        options = options_of(self._sheet)
        check_measured(self._sheet, options)
        wish = self._wish(options, self._required)
        sizing = self._sized(options, wish)
        if sizing.was_stopped and not self._was_stopped:
            return self.answer_of_what_is_known()
        best_of = {name: self._best(options, name) for name in plan.candidates}
        nearest, regret = self._weighed(best_of, options, wish)
        judged = [self._judged(name, best, nearest.get(name), wish.objective) for name, best in best_of.items()]
        return PlanAnswer(
            plan=plan,
            path=f"{self._sheet.path}",
            sizing=replace(sizing, was_stopped=self._was_stopped),
            objective=wish.objective,
            judged=tuple(judged),
            flips=tuple(flips(plan, judged, wish.objective)),
            runs=len(self._known),
            effort=self._effort,
            version=version("headroom"),
            maps=() if self._was_stopped else tuple(maps(self._sheet, [*options, *self._beyond], wish.objective)),
            regret=regret,
            beyond=tuple(self._beyond),
        )

    def _weighed(
        self, best_of: Mapping[str, Option | None], options: Sequence[Option], wish: Wish
    ) -> tuple[Mapping[str, Wanting], LeastRegret | None]:
        """Return what comes nearest of candidates without a best, and what is regretted least, unless it is stopped."""
        left = [name for name, best in best_of.items() if best is None]
        nearest: Mapping[str, Wanting] = {}
        if self._was_stopped:
            return left_open(left, options, self._required), None
        try:
            nearest = self._nearest(left, options, wish)
            return nearest, self._regret(best_of, nearest, wish.objective)
        except (Cancelled, KeyboardInterrupt):
            self._was_stopped = True
            return nearest, None

    def simulated(self, options: Sequence[Option]) -> list[Option]:
        """Return options with what their runs tell; those that cannot be run are left out."""
        wish = self._wish(options, self._required)
        names = [name for name in wish.names if name not in DURABLE]
        ran = []
        for option, finished in zip(options, self._run(options, options), strict=True):
            if isinstance(finished, Answer) and option.scenario is not None:
                option.answer, option.is_decided = finished, True
                option.measures = measures(option.scenario, finished, names, grown=wish.grown)
                ran.append(option)
        return ran

    def _wish(self, options: Sequence[Option], required: Sequence[Required]) -> Wish:
        """Return what is sought: the least cost, of candidates without prices the least servers."""
        requirements = self._plan.requirements
        has_prices = self._plan.prices is not None or all(stated.prices for stated in self._plan.candidates.values())
        objective = requirements.cost if has_prices else "servers"
        grown = requirements.grown(requirements.fullest)
        spared = {
            name: {need.target.measure for need in required if need.workload in stated.absent}
            for name, stated in self._plan.candidates.items()
        }
        targets = [need.target for need in required]
        return Wish(targets, objective, requirements.confidence, at_once=1, grown=grown, spared=spared)

    def _sized(self, options: Sequence[Option], wish: Wish) -> Sizing:
        def run(batch: Sequence[int]) -> Generator[Finished | None]:
            return self._run([options[i] for i in batch], options)

        return size(options, wish, run, self._chance)

    def _run(self, batch: Sequence[Option], options: Sequence[Option]) -> Generator[Finished | None]:
        """Simulate the runs of some options and yield what each came to, in their order; none is run twice."""
        with self._counted(so_far(self._doing, options)) as on_done:
            yield from in_order(len(batch), self._each(batch, on_done))

    def _each(self, batch: Sequence[Option], on_done: OnDone) -> Generator[tuple[int, Finished]]:
        """Yield (index, what it came to) of options, each once the last of its runs has finished."""
        asked = [self._asked(option) for option in batch]
        left = dict(enumerate(asked))
        points = [point for runs in asked if not isinstance(runs, PointFailure) for _, point in runs]
        with closing(self._finishing(points, on_done)) as finishing:
            for _ in chain([None], finishing):
                for i, runs in list(left.items()):
                    if isinstance(runs, PointFailure):
                        del left[i]
                        yield i, runs
                    elif all(point.key in self._known for _, point in runs):
                        del left[i]
                        yield i, self._finished(batch[i], runs)

    def _finishing(self, points: Sequence[Point], on_done: OnDone) -> Generator[None]:
        """Simulate points, none twice, and yield whenever one has finished."""
        new = [point for point in points if point.key not in self._known]
        if new and self._was_stopped:
            raise Cancelled
        done = 0
        with closing(self._runner.each(new)) as finished:
            for i, answer in finished:
                self._known[new[i].key], done = answer, done + 1
                on_done(done, len(new))  # what is told as done is kept, whenever a stop comes
                yield

    def _simulate(self, points: Sequence[Point], on_done: OnDone) -> None:
        """Simulate points, none twice."""
        for _ in self._finishing(points, on_done):
            pass

    def _asked(self, option: Option) -> list[tuple[Sequence[Demand], Point]] | PointFailure:
        assert option.scenario is not None  # only those are asked for
        return self._asked_of(option.scenario, self._plan.requirements.fullest)

    def _when_fullest(self, scenario: Scenario) -> list[tuple[Sequence[Demand], Point]]:
        """Return the runs that tell of a scenario on the fullest day; none where it cannot be run."""
        asked = self._asked_of(scenario, self._plan.requirements.fullest)
        return [] if isinstance(asked, PointFailure) else asked

    def _asked_of(self, scenario: Scenario, day: date) -> list[tuple[Sequence[Demand], Point]] | PointFailure:
        """Return the runs that tell of a scenario as it is on a day, or why there are none."""
        plan = self._plan
        try:
            runs = runs_of(scenario, plan.requirements, day)
        except RefusalError as error:
            return PointFailure(f"{error}")
        return [
            (
                run,
                Point(
                    scenario=alone,
                    profile=plan.title,
                    seed=plan.seed,
                    replications=plan.replications,
                    tolerance=LOOSEST,
                ),
            )
            for run, alone in runs
        ]

    def _finished(self, option: Option, asked: Sequence[tuple[Sequence[Demand], Point]]) -> Finished:
        parts = []
        for run, point in asked:
            finished = self._known[point.key]
            if isinstance(finished, PointFailure):
                return finished
            parts.append((run, point.scenario, finished))
        self._parts[id(option)] = parts
        return merged([(run, answer) for run, _, answer in parts])

    def _best(self, options: Sequence[Option], name: str) -> Option | None:
        feasible = [option for option in options if option.candidate == name and option.is_feasible]
        return min(feasible, key=lambda option: option.objective, default=None)

    def _nearest(self, names: Sequence[str], options: Sequence[Option], wish: Wish) -> dict[str, Wanting]:
        """Return of candidates that meet not all what comes nearest, and what would mend it.

        What would mend it meets all but the limits, with as many servers as that takes.
        """
        hard = [required for required in self._required if not required.is_limit]
        self._doing = "Looking for what would mend a miss"
        self._beyond = anew(self._sheet, names, options, self._required, wish.objective)
        self._try_out([choice for choice in self._beyond if not choice.is_decided], hard, wish.objective)
        nearest = {}
        for name in names:
            tried = [choice for choice in options if choice.candidate == name and choice.scenario is not None]
            seen = [*tried, *(choice for choice in self._beyond if choice.candidate == name)]
            mending = self._best(self._beyond, name)
            known = [*tried, *filter(None, [mending])]
            if mending is None and (bid := cheapest_open(seen, hard, wish.objective)) is not None:
                is_tried = is_blind(seen, hard)
                if is_tried:
                    self._try_out([bid], hard, wish.objective)
                mending = None if is_tried and bid.is_decided and not bid.is_feasible else bid
            near = min(known, key=lambda choice: distance(choice, self._required), default=None)
            if near is not None:
                nearest[name] = Wanting(near, mending, missed_by_all(seen, hard), furthest(seen))
        return nearest

    def _try_out(self, options: Sequence[Option], hard: Sequence[Required], objective: str) -> None:
        """Simulate options as far as that tells which meets all but the limits, unless the search was stopped."""
        priced = [choice for choice in options if objective in choice.measures]
        for choice in priced:
            choice.is_decided, choice.reason = False, ""
        if priced and not self._was_stopped and self._sized(priced, self._wish(priced, hard)).was_stopped:
            self._was_stopped = True

    def _judged(self, name: str, best: Option | None, wanting: Wanting | None, objective: str) -> Judged:
        option = best or (wanting.option if wanting else None)
        is_asked = any(one.target.measure in DURABLE for one in self._required)
        if option is not None and option.scenario is not None and (is_asked or option.answer is not None):
            option.measures |= durable(option.scenario)
        met = tuple(self._met(required, option) for required in self._required) if option else ()
        reasons = () if best or wanting else ("no option of it can be set up",)
        further = self._ran(wanting.furthest) if wanting else ()
        is_beyond = any(option is choice for choice in self._beyond)
        return Judged(name, option, best is not None, met, wanting, reasons, self._ran(option), further, is_beyond)

    def _ran(self, option: Option | None) -> tuple[Ran, ...]:
        told = self._parts.get(id(option), ())
        return tuple(Ran(tuple(demand.name for demand in run), scenario, answer) for run, scenario, answer in told)

    def _met(self, required: Required, option: Option) -> Met:
        measure = measure_of(required, option)
        if required.workload in self._plan.candidates[option.candidate].absent:
            return Met(required, None, math.inf, None)
        if measure is None:
            return Met(required, None, None, None)
        spare, drawn = margin(required.target, measure), self._drawn.get(id(option))
        sure = self._prediction(required, option) if required.workload else None
        chance = sure.chance(required.target) if sure is not None else None
        if drawn is not None and not required.workload:
            name, known = required.target.measure, self._sure.get(id(option), {})
            chance = known[name] if name in known else drawn.chance(required, measure)
        comes = spare < 0 and not required.is_limit  # limits are exceeded once and for all
        begun = self._plan.requirements.start if measure.is_least else None
        missed = (begun or self._first_missed(required, option)) if comes else None
        return Met(required, measure, spare, chance, missed, sure)

    def _first_missed(self, required: Required, option: Option) -> date | None:
        """Return the day on which what is missed on the fullest one is first missed; None if that is not known."""

        def holds(day: date) -> bool | None:
            assert option.scenario is not None  # it has measures
            asked = self._asked_of(option.scenario, day)
            if isinstance(asked, PointFailure):
                return None
            if self._was_stopped:
                return None
            try:
                with self._counted("Looking for the day of the first miss") as on_done:
                    self._simulate([point for _, point in asked], on_done)
            except (Cancelled, KeyboardInterrupt):
                self._was_stopped = True
                return None
            finished = [(run, self._known[point.key]) for run, point in asked]
            told = [(run, answer) for run, answer in finished if isinstance(answer, Answer)]
            if len(told) < len(finished):
                return None
            measure = by_plain_name(measures(option.scenario, merged(told), ())).get(required.target.measure)
            return None if measure is None else margin(required.target, measure) >= 0

        effective = option.measures["effective"].value
        return first_missed(required, self._plan.requirements, effective, holds)

    def _regret(
        self, best_of: Mapping[str, Option | None], nearest: Mapping[str, Wanting], objective: str
    ) -> LeastRegret | None:
        """Return which candidate loses least over the draws of all that is assumed; keeps what is drawn."""
        told = {name: best or (nearest[name].option if name in nearest else None) for name, best in best_of.items()}
        weighed = {name: best or (nearest[name].mending if name in nearest else None) for name, best in best_of.items()}
        with self._counted("Drawing what is assumed") as on_done:

            def run(points: Sequence[Point]) -> Sequence[Finished]:
                self._simulate(points, on_done)
                return [self._known[point.key] for point in points]

            every = {id(option): option for option in [*_present(told).values(), *_present(weighed).values()]}
            self._drawn = drawn(
                self._sheet, list(every.values()), objective, Again(self._effort, self._when_fullest, run)
            )
        return least_regret(self._required, _present(weighed), self._drawn, objective)

    def _chance(self, option: Option) -> float:
        """Return in which part of the cases an option meets all but limits: the least of its requirements."""
        told = [(required, self._prediction(required, option)) for required in self._required if required.workload]
        self._sure[id(option)] = known = chances(self._sheet, option, self._required)
        every = [sure.chance(required.target) for required, sure in told if sure is not None]
        return min([*every, *known.values()], default=1.0)

    def _prediction(self, required: Required, option: Option) -> Prediction | None:
        """Return between what a measure of a run lies, by what answers of its kind were off by; None if unknown.

        Where the run was repeated for the draws, what these do comes on top, on the safe side: errors of validation
        hold some of the assumed numbers already.
        """
        for run, scenario, answer in self._parts.get(id(option), ()):
            if required.workload not in [demand.name for demand in run]:
                continue
            measure = measure_of(required, option)
            if measure is None:
                return None
            told = required.target.measure, measure.unit, measure.value
            about = basis_of(scenario, answer, required.workload, told)
            if about is None:
                return None
            sure = prediction(about, NO_DRAWS)
            drawn = self._drawn.get(id(option))
            moved = drawn.spread(plain(required.target.measure), measure) if drawn is not None else NOTHING
            shift, variance = sure.shift + moved.shift, sure.variance + moved.variance
            low, high = ends(measure.value, shift, variance)
            return replace(sure, low=low, high=high, shift=shift, variance=variance)
        return None


def _present(options: Mapping[str, Option | None]) -> dict[str, Option]:
    return {name: option for name, option in options.items() if option is not None}
