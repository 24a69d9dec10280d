"""A sizing in the child process, with the points that sweeps have kept; its answer is plain data. Knows no Qt."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.gui.jobs.run import Reporter
from app.gui.studies.points import Refused
from models.planning.grid import Values
from models.problem import ProblemError
from models.scenario import Scenario
from models.target import target

if TYPE_CHECKING:
    from app.planning.points import Candidate
    from app.reports.size.size_document import SizeReport
    from profiles.loading.loader import Variants
    from simulator.studies.points import Point
    from simulator.studies.size import Finished, Option, Sizing

MINIMIZE, TARGET = "minimize", "target"
"""What a refusal is about, as the key of its problem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeRequest:
    """The profile as TOML text that stands in `base`, what may be chosen, what has to be met and what is to be least.

    `store` is the file that keeps points, `workers` the number of processes. Targets for the run are to be met in a
    part of the cases, the `confidence`; 0: in the likely one.
    """

    name: str
    text: str
    base: Path
    points: tuple[Values, ...]
    targets: tuple[str, ...]
    minimize: str
    seed: int
    replications: int
    workers: int
    store: Path
    confidence: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SizedOption:
    """One option: the verdict in words; `duration` in seconds if it was simulated.

    `chance` is the part of the cases in which it meets the targets for the run, None where that was not asked.
    """

    values: Values
    objective: float | None
    duration: float | None
    verdict: str
    is_feasible: bool
    chance: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sized:
    """The result of a sizing: facts as (label, words), and all options, the answer first, then the nearest to it.

    `unit` is that of the measure to be least.
    """

    answer: tuple[tuple[str, str], ...]
    effort: str
    minimize: str
    unit: str
    options: tuple[SizedOption, ...]

    @property
    def weighed(self) -> tuple[tuple[float, float], ...]:
        """The options of which a chance is known: that, and the measure to be least."""
        pairs = [(option.chance, option.objective) for option in self.options]
        return tuple(sorted((chance, least) for chance, least in pairs if chance is not None and least is not None))


def run_size(report: Reporter, request: SizeRequest) -> Sized | Refused:
    """Search the options of a request."""
    from app.planning.points import candidates
    from profiles.loading.loader import Variants

    variants = Variants.of_text(request.text, Scenario, path=request.base)
    try:
        listed = candidates(variants, {}, request.points)
    except ProblemError as error:
        return Refused(error.problems)
    try:
        return _plain(_searched(report, request, listed, variants))
    except ProblemError as error:
        if all(problem.key in {MINIMIZE, TARGET} for problem in error.problems):  # a measure that is none
            return Refused(error.problems)
        raise


def _searched(
    report: Reporter, request: SizeRequest, listed: Sequence[Candidate], variants: Variants[Scenario]
) -> SizeReport:
    """Return what the search came to, and how sure its answer is."""
    from app.planning.asking import Asked
    from app.planning.effort import asked
    from app.planning.sizing import searched
    from models.planning.study import Size
    from simulator.studies.runner import Runner
    from simulator.studies.store import Store

    study = Size(
        kind="size",
        title="",
        profile=request.name,
        vary={},
        targets=request.targets,
        minimize=request.minimize,
        seed=request.seed,
        replications=request.replications,
        confidence=request.confidence,
    )
    simulated = 0
    with Store(request.store) as store, Runner(store=store, workers=request.workers) as runner:

        def run(points: Sequence[Point], options: Sequence[Option]) -> Generator[Finished | None]:
            nonlocal simulated
            for finished in runner.in_order(points):
                simulated += 1
                decided = sum(option.is_decided for option in options) + 1
                report(decided / len(options), f"{simulated} simulated, {decided} of {len(options)} decided")
                yield finished

        plan = Asked(study=study, targets=tuple(map(target, request.targets)))
        return searched(plan, listed, variants, runner, run, asked())


def _plain(made: SizeReport) -> Sized:
    """Return a sizing in the words of its report."""
    from app.reports.document import Facts, Paragraph
    from app.reports.size.size_document import document

    sizing, wish = made.sizing, made.wish
    (section,) = document(made).only(["answer"]).sections
    facts = next(block for block in section.blocks if isinstance(block, Facts))
    effort = next(block for block in section.blocks if isinstance(block, Paragraph))
    units = [option.measures[wish.objective].unit for option in sizing.options if wish.objective in option.measures]
    return Sized(
        answer=tuple(facts.rows),
        effort=effort.text,
        minimize=wish.objective,
        unit=units[0] if units else "1",
        options=tuple(_option(option, sizing, is_weighed=wish.confidence > 0) for option in _nearest(sizing)),
    )


def _nearest(sizing: Sizing) -> list[Option]:
    """Return the options by how near they come: the answer, the next best, then by the objective."""
    goal = sizing.best.objective if sizing.best else 0.0
    return sorted(
        sizing.options,
        key=lambda option: (option is not sizing.best, option is not sizing.next_best, abs(option.objective - goal)),
    )


def _option(option: Option, sizing: Sizing, *, is_weighed: bool) -> SizedOption:
    verdicts = {id(sizing.best): "the answer", id(sizing.next_best): "the next best"}
    return SizedOption(
        values=option.values,
        objective=option.objective if option.measures else None,
        duration=option.answer.duration if option.answer else None,
        verdict=verdicts.get(id(option)) or option.reason or "meets every target, at more",
        is_feasible=option.is_feasible,
        chance=option.chance if is_weighed and option.answer is not None and option.misses <= 0 else None,
    )
