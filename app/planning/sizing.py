"""A sizing: the options that a profile leaves, searched for the least that meets every target."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from app.planning.asking import Asked
from app.planning.loading import Chosen, rated
from app.planning.points import Candidate, candidates
from app.planning.progress import Counted
from models.planning.study import Size
from models.target import Target, plain
from profiles.plans.candidates import variants_of

if TYPE_CHECKING:
    from app.planning.effort import Effort
    from app.planning.predicting import Alike
    from app.reports.prediction_report import Prediction
    from app.reports.size.size_document import SizeReport
    from models.scenario import Scenario
    from profiles.loading.loader import Variants
    from simulator.studies.points import Point
    from simulator.studies.runner import Runner
    from simulator.studies.size import Finished, Option


def sized(plan: Asked[Size], workers: int | None, counted: Counted, interval: Effort = "none") -> SizeReport:
    """Search the options of a sizing.

    Raises:
        ProblemError: no option can be built, or a target names what nothing is measured by.
    """
    from simulator.studies.runner import Runner

    study = plan.study
    variants = variants_of(study.profile)
    listed = candidates(study.profile, study.set, plan.points, plan.stated)
    with counted("Simulating") as on_done, Runner(workers=workers) as runner:
        return searched(plan, listed, variants, runner, lambda points, _: runner.in_order(points, on_done), interval)


def searched(
    plan: Asked[Size],
    listed: Sequence[Candidate],
    variants: Variants[Scenario],
    runner: Runner,
    run: Callable[[Sequence[Point], Sequence[Option]], Generator[Finished | None]],
    interval: Effort,
) -> SizeReport:
    """Search the candidates of a sizing; with a confidence, an interval of each that meets the targets decides.

    What assumed numbers do is drawn at the first of them, and taken for the others. `run` runs some points of all
    options in their order.

    Raises:
        ProblemError: a target names what nothing is measured by.
    """
    from app.planning.predicting import Alike
    from app.reports.size.size_document import SizeReport
    from simulator.studies.points import Point
    from simulator.studies.size import Option, Wish, size

    study = plan.study
    options = [
        Option(candidate.values, candidate.scenario and rated(candidate.scenario), candidate.reason)
        for candidate in listed
    ]

    def point(option: Option) -> Point:
        assert option.scenario is not None  # only those are asked for
        return Point(scenario=option.scenario, profile=study.profile, seed=study.seed, replications=study.replications)

    def choose(option: Option) -> Chosen:
        settings = {**study.set, **dict(option.values)}
        return Chosen(study.profile, study.set, variants.load(settings))

    wish = Wish.of(plan.targets, study.minimize, study.confidence)
    effort: Effort = "fast" if study.confidence and interval == "none" else interval
    surety = Surety(Alike(seed=study.seed, effort=effort, run=runner.run), plan.targets, choose)
    sizing = size(options, wish, lambda batch: run([point(options[i]) for i in batch], options), surety.chance)
    return SizeReport(
        title=study.title,
        sizing=sizing,
        wish=wish,
        profile=study.profile,
        seed=study.seed,
        version=version("headroom"),
        settings=study.set,
        usual={candidate.values: candidate.usual for candidate in listed},
        prediction=surety.of(sizing.best) if sizing.best else None,
    )


@dataclass(frozen=True, slots=True)
class Surety:
    """How sure the answers of options are, with the same draws for all; `choose` returns the profile of one."""

    alike: Alike
    targets: Sequence[Target]
    choose: Callable[[Option], Chosen]

    def of(self, option: Option) -> Prediction | None:
        """Return the interval of the answer of an option that was simulated, or that closed forms answer."""
        if option.scenario is None or option.answer is None:
            return None
        return self.alike.predict(option.scenario, option.answer, lambda: self.choose(option))

    def chance(self, option: Option) -> float:
        """Return the chance that an option meets the targets for its run."""
        prediction = self.of(option)
        asked = [target for target in self.targets if prediction and target.measure == plain(prediction.measure)]
        return min((prediction.chance(target) for target in asked if prediction), default=1.0)
