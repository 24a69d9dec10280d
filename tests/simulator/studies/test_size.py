"""A sizing finds what simulating everything finds, and says why each option is out."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from functools import cache, partial

import pytest

from app.planning.points import candidates
from models.planning.bounds import least_duration
from models.planning.grid import axis, combined
from models.problem import ProblemError
from models.scenario import Scenario
from models.target import target
from profiles.loading.loader import load
from simulator.clock import Cancelled
from simulator.run import simulate
from simulator.studies.points import Answer, Point, answer
from simulator.studies.size import Finished, Option, Sizing, Wish, size

WORKERS = "cluster.groups.workers"
RENTED = "price of machines that are rented"
SPACES = {
    "servers and their kind": (
        "hdfs-terasort",
        {"workload.input": "20 GB"},
        {f"{WORKERS}.count": "4..16:2", f"{WORKERS}.server": "h1.16xlarge,hdd-25gbe,nvme-25gbe"},
        ("duration <= 45 s", "usable >= 20 TB", "survives_reading 2 servers"),
        "servers",
    ),
    RENTED: (
        "hdfs-wordcount",
        {"workload.input": "60 GB", "prices": "aws-on-demand-2019"},
        {f"{WORKERS}.count": "4..12:1", f"{WORKERS}.server": "h1.16xlarge,i3en.24xlarge", "storage.replication": "2,3"},
        ("duration <= 120 s", "usable >= 20 TB"),
        "cost_per_year",
    ),
    "parity and servers of an object store": (
        "minio-terasort",
        {"workload.input": "20 GB"},
        {"storage.parity": "2,4,8", "cluster.groups.storage.count": "4,8,12", "cluster.groups.compute.count": "4,8,12"},
        ("duration <= 80 s", "usable >= 60 TB", "survives_reading 2 drives"),
        "servers",
    ),
    "nothing is enough": (
        "hdfs-terasort",
        {"workload.input": "20 GB"},
        {f"{WORKERS}.count": "3,4,5"},
        ("duration <= 5 s",),
        "servers",
    ),
}


@cache
def point(space: str, index: int) -> Finished:
    """Simulate one option, once."""
    profile, *_ = SPACES[space]
    scenario = _candidates(space)[index].scenario
    assert scenario is not None
    return answer(Point(scenario=scenario, profile=profile))


@cache
def _candidates(space: str):  # type: ignore[no-untyped-def]
    profile, settings, vary, _, _ = SPACES[space]
    return candidates(profile, settings, combined([axis(key, text) for key, text in vary.items()]))


def options(space: str) -> list[Option]:
    return [Option(candidate.values, candidate.scenario, candidate.reason) for candidate in _candidates(space)]


def wish(space: str) -> Wish:
    return Wish([target(text) for text in SPACES[space][3]], SPACES[space][4])


def sized(space: str) -> Sizing:
    return size(options(space), wish(space), lambda batch: (point(space, i) for i in batch))


def only(space: str, index: int, batch: Sequence[int]) -> Generator[Finished]:
    """Answer the options of a batch, of which there is one, as the one at an index."""
    return (point(space, index) for _ in batch)


def exhaustive(space: str) -> list[float]:
    """Return the objectives of all options that meet every target, by simulating every one, the least first."""
    costs = []
    for i, option in enumerate(options(space)):
        if option.scenario is not None:
            alone = size([option], wish(space), partial(only, space, i))
            if alone.best is not None:
                costs.append(alone.best.objective)
    return sorted(costs)


@pytest.mark.parametrize(
    "space", [pytest.param(space, marks=[pytest.mark.slow] if space == RENTED else []) for space in SPACES]
)
def test_the_search_finds_the_optimum_of_simulating_everything(space: str) -> None:
    sizing, everything = sized(space), exhaustive(space)
    assert [option.objective for option in (sizing.best,) if option] == everything[:1]
    assert sizing.next_best is None or sizing.next_best.objective in everything[1:]


@pytest.mark.parametrize("space", SPACES)
def test_nothing_is_simulated_that_has_more_of_the_objective_than_one_that_is_known_to_meet_every_target(
    space: str,
) -> None:
    asked: list[int] = []

    def run(batch: Sequence[int]) -> Generator[Finished]:
        for i in batch:
            asked.append(i)
            yield point(space, i)

    sizing = size(options(space), wish(space), run)
    least = math.inf
    for i in asked:
        option = sizing.options[i]
        assert option.objective <= least
        if option.is_feasible:
            least = option.objective


def test_a_search_that_is_stopped_says_what_it_has_found() -> None:
    space = "servers and their kind"

    def run(batch: Sequence[int]) -> Generator[Finished]:
        for i in batch:
            if any(option.is_feasible for option in searched):
                raise Cancelled("cancelled by the user")
            yield point(space, i)

    searched = options(space)
    sizing = size(searched, wish(space), run)
    assert sizing.was_stopped
    assert sizing.best is not None
    left = [option for option in sizing.options if option.reason == "not decided: the search was stopped"]
    assert left
    assert all(option.objective <= sizing.best.objective for option in left)


@pytest.mark.parametrize("space", SPACES)
def test_every_option_but_the_answers_says_why_in_one_line(space: str) -> None:
    for option in sized(space).options:
        assert option.reason or option.is_feasible
        assert "\n" not in option.reason


@pytest.mark.parametrize("space", list(SPACES)[:3])
def test_part_of_the_space_is_decided_without_a_run(space: str) -> None:
    sizing = sized(space)
    assert 0 < sizing.simulated < len(sizing.options)
    assert sizing.simulated == sum(option.answer is not None for option in sizing.options)


def test_of_codes_of_other_widths_a_job_that_is_too_late_by_far_tells_too() -> None:
    points = combined([axis("cluster.groups.storage.count", "5,7,9,10,16")])
    listed = candidates("minio-terasort", {"workload.input": "20 GB"}, points)
    scenarios = [candidate.scenario for candidate in listed if candidate.scenario is not None]
    assert (
        len({scenario.storage.redundancy(scenario.cluster) for scenario in scenarios}) > 2
    )  # sets are as wide as servers divide
    likely = answer(Point(scenario=scenarios[0]))
    assert isinstance(likely, Answer)

    def searched(times: float) -> list[Option]:
        """Return the options where the job takes as many times as long as it may."""
        tried = [Option(candidate.values, candidate.scenario, candidate.reason) for candidate in listed]
        late = replace(likely, duration=times * 900.0, metrics=likely.metrics | {"duration": (times * 900.0, "s")})
        wish = Wish([target("duration <= 15 min")], "servers", at_once=1)
        size(tried, wish, lambda batch: (late for _ in batch))
        return tried

    by_far, by_little = searched(6.0), searched(1.1)
    assert [option.answer is not None for option in by_far] == [True, False, False, False, True]
    assert "no better in any respect than 16 storage servers" in by_far[1].reason
    assert [option.answer is not None for option in by_little] == [True, True, True, False, True]  # 10 are coded as 16


def test_a_target_that_nothing_is_measured_by_is_refused_with_the_measures() -> None:
    with pytest.raises(
        ProblemError, match=r"target: there is no measure 'durations'; did you mean 'duration'\? There are .*duration, "
    ):
        size(options("nothing is enough"), Wish([target("durations <= 5 s")], "servers"), _never)


def test_all_names_that_are_none_are_told_at_once_before_anything_runs() -> None:
    wrong = Wish([target("duraton <= 5 s"), target("throughput >= 5 s"), target("cost_per_job <= 5 USD")], "server")
    with pytest.raises(ProblemError) as refused:
        size(options("nothing is enough"), wrong, _never)
    assert [f"{problem}".partition(" There")[0] for problem in refused.value.problems] == [
        "minimize: nothing is measured by 'server' without a run; did you mean 'servers'?",
        "target: 'cost_per_job' needs a price list, such as prices = \"on-premises-2024\"",
        "target: there is no measure 'duraton'; did you mean 'duration'?",
        "target: throughput >= 5 s: expected a rate such as '205 MB/s' or '25 Gbit/s' (got '5 s'): 's' is a time",
    ]


def test_an_objective_without_prices_is_refused() -> None:
    with pytest.raises(ProblemError, match="minimize: 'cost_over_3_years' needs a price list"):
        size(options("nothing is enough"), Wish([target("duration <= 5 s")], "cost_over_3_years"), _never)


def _never(batch: Sequence[int]) -> Generator[Finished]:
    raise AssertionError(f"{batch} are run")
    yield  # makes a generator of it


@pytest.mark.parametrize("name", ["hdfs-terasort", "hdfs-sort", "hdfs-wordcount", "minio-terasort", "minio-wordcount"])
def test_no_job_is_done_before_its_least_duration(name: str) -> None:
    scenario = load(name, Scenario, {"workload.input": "50 GB"}).scenario
    bound = least_duration(scenario)
    assert 0 < bound.seconds < simulate(scenario).duration


def _searched(late: Callable[[int], float], counts: str) -> tuple[list[Option], list[list[int]]]:
    """Return servers with hard drives of which so many are late by a factor, and those of each turn that were asked."""
    points = combined([axis(f"{WORKERS}.count", counts)])
    listed = candidates("hdfs-terasort", {"workload.input": "20 GB"}, points)
    assert listed[0].scenario is not None
    likely = answer(Point(scenario=listed[0].scenario))
    assert isinstance(likely, Answer)
    tried, turns = (
        [Option(candidate.values, candidate.scenario, candidate.reason) for candidate in listed],
        list[list[int]](),
    )

    def run(batch: Sequence[int]) -> Generator[Finished]:
        turns.append([int(tried[i].values[0][1]) for i in batch])
        for servers in turns[-1]:
            seconds = 900.0 * late(servers)
            yield replace(likely, duration=seconds, metrics=likely.metrics | {"duration": (seconds, "s")})

    size(tried, Wish([target("duration <= 15 min")], "servers", at_once=1), run)
    return tried, turns


def test_where_one_candidate_is_left_two_numbers_of_servers_are_simulated_at_a_time() -> None:
    """As much dearer as the last one missed by, and the next: 28 x 1.2 is 33.6, and 40 x 1.02 is 40.8."""
    late = {28: 1.2, 36: 1.03, 40: 1.02, 44: 0.97, 48: 0.9}
    tried, turns = _searched(lambda servers: late[servers], "28,32,36,40,44,48")
    assert turns == [[28], [36, 40], [44, 48]]
    assert [option.is_feasible for option in tried] == [False, False, False, False, True, False]


def test_between_two_that_missed_nothing_is_simulated_that_would_miss_clearly_by_them() -> None:
    late = {28: 1.2, 36: 1.03, 40: 0.9}
    tried, turns = _searched(lambda servers: late[servers], "28,32,36,40")
    assert 32 not in [servers for turn in turns for servers in turn]
    assert "lies between 28 workers and 36 workers" in tried[1].reason
