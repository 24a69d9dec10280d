"""The options of a plan: each candidate in each of its numbers of servers, as a scenario, and the runs that tell."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import product

from app.planning.carrying import as_sent
from app.planning.loading import rated
from app.planning.points import Candidate as Loaded, candidates
from app.reports.plan.plan_answer import Wanting, servers_of
from models.failures import Fault
from models.hardware import parts
from models.planning.bounds import too_long
from models.planning.grid import Values
from models.planning.sheet import MOMENTS, Demand, Required, Requirements
from models.problem import Problem, ProblemError, RefusalError, refusal
from models.scenario import Scenario
from models.target import plain, target, unknown
from models.work import Metrics
from profiles.plans.sheet import COUNT, Sheet
from profiles.plans.sheet_profile import SERVERS
from simulator.run import measured
from simulator.studies.measures import Measure, by_plain_name, known_of_durability, of_scenario
from simulator.studies.names import absent
from simulator.studies.points import Answer
from simulator.studies.size import Option, margin, named

BEYOND = 4.0
"""Multiple of the largest number of servers of a candidate up to which more are looked at, to say what would mend it.
Assumption: whoever needs more than four times as many wants another design."""
CURVE = 5
"""Numbers of servers that tell a candidate's curve, both ends among them. Assumption: as many show where it bends."""
LIMITS = {"power": "power", "rack_units": "rack_units", "carbon_per_year": "carbon"}
"""Keys of limits by what measures them; that of a cost is the budget."""


def options_of(sheet: Sheet) -> list[Option]:
    """Return the options of all candidates, in their order.

    Raises:
        ProblemError: with all that is wrong with the candidates and the workloads.
    """
    options, problems = list[Option](), list[Problem]()
    for name in sheet.plan.candidates:
        try:
            points = candidates(sheet.whole(name), sheet.settings(name), sheet.points(name))
        except ProblemError as error:
            problems += error.problems
            continue
        options += [_option(name, point) for point in points]
    if problems:
        raise ProblemError(problems)
    return options


def check_measured(sheet: Sheet, options: Iterable[Option]) -> None:
    """See that something is measured by each objective and each limit of the plan, in its unit; nothing is run.

    Raises:
        ProblemError: with all objectives and limits for which there is no measure.
    """
    demands = sheet.plan.requirements.workloads
    of_each = {option.candidate: option.scenario for option in reversed([*options]) if option.scenario is not None}
    problems = [*_unmeasured(sheet, list(of_each.values()))]
    for (i, demand), (name, scenario) in product(enumerate(demands), of_each.items() if demands else ()):
        if demand.name in sheet.plan.candidates[name].absent:
            continue
        try:
            known = {plain(name): unit for name, unit in measured(scenario.alone(demand.name)).items()}
        except RefusalError:
            continue  # it cannot be run, which the search tells
        for j, text in enumerate(demand.objectives):
            key, asked = f"requirements.workloads.{i}.objectives.{j}", target(text)
            try:
                if asked.measure not in known:
                    raise refusal("", unknown(asked.measure, known), value=text)
                asked.value(known[asked.measure])
            except RefusalError as error:
                problems.append(Problem(*sheet.loaded.origin[key], key, f"{error}"))
    if problems:
        raise ProblemError(problems)


def _unmeasured(sheet: Sheet, scenarios: Sequence[Scenario]) -> Iterator[Problem]:
    """Yield the limits that no candidate is measured by, with what one of them would have to state."""
    for required in sheet.plan.requirements.required():
        lacks = [absent(required.target.measure, scenario) for scenario in scenarios] if required.is_limit else []
        if lacks and lacks[0] and all(lacks):
            key = f"requirements.{LIMITS.get(required.target.measure, 'budget')}"
            yield Problem(*sheet.loaded.origin[key], key, lacks[0])


def options_beyond(sheet: Sheet, name: str) -> list[Option]:
    """Return the options of a candidate that has more servers than the plan says, to say what would mend it."""
    return _set_up(sheet, name, list(_further(sheet.points(name))))


class Further:
    """A candidate with more servers than the plan says, up to BEYOND times as many; each is set up when asked for."""

    def __init__(self, sheet: Sheet, name: str, objective: str) -> None:
        self._sheet, self._name, self._objective = sheet, name, objective
        self._points = list(_further(sheet.points(name)))
        self._options: dict[int, Option | None] = {}

    def first(self, fits: Callable[[Option], bool]) -> Option | None:
        """Return the option with the fewest servers that fits, None without one: whom few servers suffice, more do."""
        at = bisect_left(range(len(self._points)), True, key=lambda number: self._fits(number, fits))
        return self._option(at) if at < len(self._points) and self._fits(at, fits) else None

    def _fits(self, number: int, fits: Callable[[Option], bool]) -> bool:
        option = self._option(number)
        return option is not None and fits(option)

    def _option(self, number: int) -> Option | None:
        """Return an option with what closed forms tell of it, None where no such number of servers can be set up."""
        if number not in self._options:
            self._options[number] = option = next(iter(_set_up(self._sheet, self._name, [self._points[number]])), None)
            if option is not None and option.scenario is not None:
                option.measures = of_scenario(option.scenario, [self._objective])
                bound([option], self._sheet.plan.requirements.required())
        return self._options[number]


def _set_up(sheet: Sheet, name: str, points: Sequence[Values]) -> list[Option]:
    """Return the options of some points of a candidate, without those that cannot be set up."""
    try:
        loaded = candidates(sheet.whole(name), sheet.settings(name), points)
    except ProblemError:
        return []
    return [_option(name, candidate) for candidate in loaded if candidate.scenario is not None]


def _option(name: str, candidate: Loaded) -> Option:
    return Option(candidate.values, candidate.scenario and rated(candidate.scenario), candidate.reason, candidate=name)


def _further(points: Sequence[Values]) -> Iterator[Values]:
    """Yield points with more servers than any has: on by the last step, with what else the last point has."""
    counts = sorted({float(dict(values)[COUNT]) for values in points if COUNT in dict(values)})
    if not counts:  # a rented store without servers of one's own
        return
    step = counts[-1] - counts[-2] if len(counts) > 1 else max(counts[-1] // 4, 1)
    count = counts[-1] + step
    while count <= BEYOND * counts[-1]:
        yield tuple((key, f"{count:g}" if key == COUNT else value) for key, value in points[-1])
        count += step


def is_mendable(name: str, options: Sequence[Option], hard: Sequence[Required]) -> bool:
    """Tell whether a candidate may meet all with more servers: no job of the one with the most is too late by far.

    With so many times the servers a job is done in as many times less at best. Assumption: page caches, which grow with
    the servers, may do more.
    """
    tried = [option for option in options if option.candidate == name and option.answer is not None]
    most = max(tried, key=servers_of, default=None)
    jobs = [need for need in hard if need.target.measure.endswith("duration")]
    return most is None or all(margin_of(job, most) >= 1 - BEYOND for job in jobs)


def margin_of(required: Required, option: Option) -> float:
    """Return the part by which an option meets a requirement; 0 for what is not known of it."""
    measure = measure_of(required, option)
    return margin(required.target, measure) if measure is not None else 0.0


def is_open(required: Required, option: Option) -> bool:
    """Tell whether an option meets a requirement as far as closed forms tell, or a run might tell that it does."""
    if measure_of(required, option) is None and not required.workload:
        return option.scenario is not None and required.target.measure in known_of_durability(option.scenario)
    return margin_of(required, option) >= 0


def shortfall(option: Option, required: Iterable[Required]) -> float:
    """Return the largest part by which an option misses what is required; at most 0 where it misses nothing known."""
    return max((-margin_of(one, option) for one in required), default=0.0)


def distance(option: Option, required: Iterable[Required]) -> tuple[bool, list[float], float]:
    """Return how far an option is from meeting all: whether it was not simulated, what it misses, and how unsurely.

    What it misses most comes first.
    """
    misses = sorted((max(-margin_of(one, option), 0.0) for one in required), reverse=True)
    return option.answer is None, misses, 1 - option.chance


def missed_by_all(options: Sequence[Option], required: Iterable[Required]) -> tuple[Required, ...]:
    """Return what each of some options misses."""
    return tuple(one for one in required if options and all(margin_of(one, option) < 0 for option in options))


def bound(options: Iterable[Option], required: Iterable[Required]) -> None:
    """Let options tell which jobs cannot be done in time, whatever else decided them."""
    targets = [one.target for one in required]
    for option in options:
        assert option.scenario is not None  # only those are asked
        late = too_long(option.scenario, targets)
        option.bounds = {target.measure: least.seconds for target, least in late}


def measure_of(required: Required, option: Option) -> Measure | None:
    """Return what an option has of what is required; of a job that cannot be done in time the least that it takes."""
    name = plain(required.target.measure)
    if name in option.bounds and option.answer is None:
        return Measure(option.bounds[name], "s", False, is_least=True)
    return by_plain_name(option.measures).get(name)


def runs_of(
    scenario: Scenario, requirements: Requirements, day: date | None = None
) -> list[tuple[tuple[Demand, ...], Scenario]]:
    """Return what is simulated of an option: its workloads by their runs, as they are on a day; default: the fullest.

    Raises:
        RefusalError: what is to be down is not there, or cannot be down in such a run.
    """
    factor = requirements.grown(day or requirements.fullest)
    runs = requirements.only([workload.name for workload in scenario.workloads]).runs()
    if not runs:
        return [((), scenario)]
    degraded = _degraded(scenario, requirements)
    pairs = []
    for run in runs:
        growing = {demand.name for demand in run if demand.grows}
        entries = tuple(
            workload.grown(factor) if workload.name in growing and factor != 1 else workload
            for workload in degraded.workloads
        )
        alone = degraded.model_copy(update={"workloads": entries}).only([demand.name for demand in run])
        if alone.failures is not None and alone.failures.is_in_run:
            for part in alone.each().values():
                part.workload.check_faults(part.storage, alone.failures, part.cluster)
        pairs.append((run, alone))
    return pairs


def _degraded(scenario: Scenario, requirements: Requirements) -> Scenario:
    """Return the scenario in which what is to be down fails at the start, and is replaced at once."""
    count, kind = requirements.down()
    if not count:
        return scenario
    home = scenario.storage.home
    if home is None or scenario.failures is None:
        raise refusal(
            "requirements.while_degraded",
            "nobody sees the drives of this store",
            "leave it out",
            value=requirements.while_degraded,
        )
    names = {"server": f"{SERVERS}-{{}}", "drive": f"{SERVERS}-{{}}/{home[1]}-1", "rack": "rack-{}"}
    if not parts.exists(scenario.cluster, names[kind].format(count)):
        whose = "the store has fewer racks" if kind == "rack" else "each is of another server, and the store has fewer"
        raise refusal("requirements.while_degraded", whose, "ask for fewer", value=requirements.while_degraded)
    faults = tuple(Fault(at=0.0, component=names[kind].format(i + 1)) for i in range(count))
    changed = {"faults": faults, "replacement_time": 0.0, "moments": MOMENTS}
    return scenario.model_copy(update={"failures": scenario.failures.model_copy(update=changed)})


def merged(parts: Sequence[tuple[Sequence[Demand], Answer]]) -> Answer:
    """Return the answers of several runs as one: metrics with the names of the workloads, the longest run's limit."""
    longest = max((answer for _, answer in parts), key=lambda answer: answer.duration)
    metrics = {"duration": (longest.duration, "s")}
    for run, answer in parts:
        if len(run) == 1:
            metrics |= {
                f"{run[0].name}.{name}": value for name, value in as_sent(worst_of_states(answer.metrics)).items()
            }
            metrics[f"{run[0].name}.duration"] = (answer.duration, "s")
        else:
            metrics |= answer.metrics
            for demand in run:
                if (worst := answer.metrics.get(f"{demand.name}.worst duration")) is not None:
                    metrics[f"{demand.name}.duration"] = worst
    return replace(longest, metrics=metrics)


def worst_of_states(metrics: Metrics) -> Metrics:
    """Return the metrics of a run with each as it is in the worst state of the store.

    A load that meets faults is measured on the whole store, on what is left of it, and at moments of its repair: "GET
    latency p99", "GET latency p99 degraded" and so on, in one unit. Times are worst when longest, all else when least.
    """
    worst = {}
    for name, (value, unit) in metrics.items():
        states = [other for state, (other, of) in metrics.items() if of == unit and state.startswith(f"{name} ")]
        worst[name] = (max if unit == "s" else min)(value, *states) if states else value, unit
    return worst


def left_open(names: Sequence[str], options: Sequence[Option], required: Sequence[Required]) -> dict[str, Wanting]:
    """Return of candidates in a search that was stopped the cheapest option that is open, else the nearest to meet all.

    What is open meets all that closed forms tell.
    """
    left = {}
    for name in names:
        tried = [option for option in options if option.candidate == name and option.scenario is not None]
        undecided = [option for option in tried if not option.is_decided]
        if undecided:
            cheapest = min(undecided, key=lambda option: option.objective)
            left[name] = Wanting(cheapest, cheapest)
        elif tried:
            left[name] = Wanting(min(tried, key=lambda option: distance(option, required)), None)
    return left


def spread(options: Sequence[Option]) -> list[Option]:
    """Return a few of some options, evenly apart."""
    last = len(options) - 1
    return [options[i] for i in sorted({round(k * last / (CURVE - 1)) for k in range(CURVE)})] if options else []


def so_far(doing: str, options: Sequence[Option]) -> str:
    """Return what stands before the count of runs while options are simulated: what is left, and the best so far."""
    left = sum(not option.is_decided for option in options)
    names = {option.candidate for option in options}
    done = len(names - {option.candidate for option in options if not option.is_decided})
    best = min((option for option in options if option.is_feasible), key=lambda option: option.objective, default=None)
    text = f"; best so far: {best.candidate}, {named(best)}" if best else ""
    count = f"{done} of {len(names)} candidates done, {left} of {len(options)} options not decided yet"
    return f"{doing}; {count}{text}; runs of this round"
