"""Loads of requests beside jobs: what each takes from the other, over the hours, and whether objectives are met."""

from __future__ import annotations

from typing import Any

import pytest

from models.failures import Failures, Fault
from models.jobs.mapreduce import MapReduce
from models.jobs.object_load import ObjectLoad, Operation
from models.jobs.schedule import scheduled
from models.problem import RefusalError
from models.scenario import ProfileInfo, Scenario
from models.storage.minio.system import Minio
from models.units import DAY, HOUR
from simulator.jobs.containers import Containers
from simulator.result import LATENCY, RATE, Result, WorkloadResult
from simulator.run import measured, simulate
from simulator.studies.measures import measures
from simulator.studies.points import Answer
from tests.models.machines import GB, MB, cluster, hdd, server
from tests.simulator.small import framework

pytestmark = pytest.mark.usefixtures("few_requests")


def batch(name: str = "night", **changes: Any) -> Any:
    job = {
        "kind": "mapreduce",
        "framework": framework(servers="compute", containers=8, local_dirs="root"),
        "cpu": 1e-12,
    }
    return scheduled(MapReduce)(**job | {"input": 20 * GB, "map_output": 0.0, "reduces": 0, "name": name} | changes)


def tenant(name: str = "tenant", **changes: Any) -> Any:
    mix = {"GET": Operation(action="get", size=1 * MB)}
    load = {"kind": "requests", "clients": "compute", "rate": 40.0, "duration": 120.0, "mix": mix, "data": 10 * GB}
    return scheduled(ObjectLoad)(**load | {"name": name} | changes)


def many(*entries: Any, failures: Failures | None = None) -> Scenario:
    return Scenario(
        profile=ProfileInfo(title="small"),
        cluster=cluster(storage=(4, server(4, hdd())), compute=(4, server())),
        storage=Minio(system="minio", servers="storage", parity=4),
        workloads=entries,
        failures=failures,
    )


def found(result: Result, name: str) -> WorkloadResult:
    return next(workload for workload in result.workloads if workload.name == name)


@pytest.fixture(scope="module")
def both() -> Result:
    return simulate(many(batch(), tenant(objectives=("p99 <= 100 ms", "GET latency p50 <= 10 s"))))


def test_a_job_takes_longer_by_at_most_what_the_requests_take_of_the_drives(both: Result) -> None:
    night = found(both, "night")
    taken = found(both, "tenant").series["storage/data drives"]
    busy = taken[: int(night.passes[0].end / both.bin_width)].mean()
    assert 1.05 < night.slowdown < 1.05 / (1 - busy)


def test_requests_wait_longer_beside_a_job_than_alone(both: Result) -> None:
    load = found(both, "tenant")
    assert load.slowdown > 1.5
    assert load.metrics["GET latency p99"][0] == pytest.approx(load.slowdown * load.alone["GET latency p99"][0])


def test_all_requests_that_come_are_carried(both: Result) -> None:
    assert found(both, "tenant").metrics["request rate"][0] == pytest.approx(40.0, rel=0.03)


def test_latencies_over_time_are_higher_while_the_job_runs(both: Result) -> None:
    series, end = found(both, "tenant").series[LATENCY], found(both, "night").passes[0].end
    during = series[: int(end / both.bin_width)]
    after = series[int(end / both.bin_width) + 1 : int(120 / both.bin_width)]
    assert during.mean() > 1.5 * after.mean()


def test_the_share_of_an_objective_is_that_of_the_requests_that_came_while_it_was_met(both: Result) -> None:
    hard, easy = found(both, "tenant").objectives
    assert easy.met == 1.0
    assert 0.0 < hard.met < 1.0
    assert found(both, "tenant").met == hard.met


@pytest.fixture(scope="module")
def going_on() -> Result:
    return simulate(many(batch(), tenant(duration=5.0, while_others_run=True)))


def test_a_load_that_goes_on_while_a_job_runs_ends_with_it(both: Result, going_on: Result) -> None:
    end = found(going_on, "night").passes[0].end
    assert going_on.duration == end == pytest.approx(found(both, "night").passes[0].end, rel=0.02)
    assert next(iter(going_on.leading)) == "duration"
    rates = found(going_on, "tenant").series[RATE]
    assert sum(rates) * going_on.bin_width == pytest.approx(40.0 * end, rel=0.05)


def test_its_latencies_are_those_beside_the_job(both: Result, going_on: Result) -> None:
    during = found(both, "tenant").series[LATENCY][: int(found(both, "night").passes[0].end / both.bin_width)]
    beside = found(going_on, "tenant").metrics["latency p99"][0]
    assert found(both, "tenant").metrics["latency p99"][0] < beside
    assert during.min() <= beside <= during.max() * 1.1
    assert found(going_on, "tenant").metrics["request rate"][0] == pytest.approx(40.0, rel=0.05)


def test_a_closed_loop_goes_on_as_long(going_on: Result) -> None:
    result = simulate(many(batch(), tenant(duration=None, count=10, rate=None, threads=2, while_others_run=True)))
    assert result.duration == found(result, "night").passes[0].end
    assert 0 < found(result, "tenant").metrics["request rate"][0] < found(result, "tenant").alone["request rate"][0]


def test_clients_that_wait_for_answers_are_not_told_to_lower_a_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among themselves they share what there is; beside a job there may be too many of them."""
    clients: dict[str, Any] = {"duration": None, "count": 1000, "rate": None, "threads": 64}
    assert not simulate(many(tenant(**clients), tenant("other", **clients))).warnings
    monkeypatch.setattr("simulator.together.result.MOST", 0.4)  # which these do not leave to the job
    (told,) = simulate(many(batch(), tenant(**clients, while_others_run=True))).warnings
    assert told.endswith("others get 60% of it, and latencies grow; let fewer clients send at once, or add servers")


HALVED = (1.0, 0.5) * 12


def test_a_load_that_follows_its_hours_lasts_for_all_of_them_beside_a_short_job() -> None:
    result = simulate(many(batch(), tenant(rate=4.0, rate_by_hour=HALVED, while_others_run=True)))
    assert result.duration == DAY
    assert found(result, "night").passes[0].end < HOUR
    assert _hourly(result) == pytest.approx([4.0, 2.0] * 12, rel=0.02)


def test_a_load_that_follows_its_hours_follows_them_again_until_a_longer_job_has_ended() -> None:
    slow = batch(throttle=20 * GB / (30 * HOUR))
    result = simulate(many(slow, tenant(rate=4.0, rate_by_hour=HALVED, while_others_run=True)))
    assert result.duration == found(result, "night").passes[0].end == pytest.approx(30 * HOUR, rel=1e-3)
    assert _hourly(result) == pytest.approx([4.0, 2.0] * 15, rel=0.02)


def test_a_job_that_cannot_end_is_told_beside_a_load_that_follows_its_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Containers, "_start", lambda *_: False)  # nobody gets a container
    with pytest.raises(RefusalError, match="not all can end"):
        simulate(many(batch(), tenant(rate=4.0, rate_by_hour=HALVED, while_others_run=True)))


def _hourly(result: Result) -> list[float]:
    """Return the requests a second in the middle of each hour."""
    rates = found(result, "tenant").series[RATE]
    return [float(rates[int((hour + 0.5) * HOUR / result.bin_width)]) for hour in range(int(result.duration // HOUR))]


def test_without_a_job_a_load_lasts_as_long_as_it_says() -> None:
    assert simulate(many(tenant(duration=5.0, while_others_run=True))).duration == 5.0


@pytest.mark.parametrize(
    ("stated", "text"),
    [
        ({"start": 3.0}, "start: goes not with while_others_run"),
        ({"every": 9.0, "until": 99.0}, "every: goes not with while_others_run"),
    ],
)
def test_what_goes_on_begins_with_the_others(stated: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        tenant(while_others_run=True, **stated)


def test_only_a_load_goes_on_while_others_run() -> None:
    with pytest.raises(ValueError, match="only a load of requests goes on"):
        batch(while_others_run=True)


def test_who_took_the_drives_from_the_requests_is_told(both: Result) -> None:
    taken = dict(found(both, "tenant").taken_by)
    assert taken["night"] > 0.1
    assert sum(taken.values()) == pytest.approx(1.0)


def test_what_is_told_to_be_taken_is_what_requests_waited_for(both: Result) -> None:
    load = found(both, "tenant")
    assert load.waited_for is not None
    assert load.waited_for.resource == "storage/data drives"
    assert 0.0 < load.waited_for.share < 1.0


def test_the_requests_a_second_over_time_add_up_to_those_that_were_carried(both: Result) -> None:
    load = found(both, "tenant")
    came = load.series[RATE].sum() * both.bin_width
    assert came == pytest.approx(120.0 * load.metrics["request rate"][0], rel=0.02)


def test_what_works_and_requests_use_adds_up_to_what_the_drives_did(both: Result) -> None:
    whole = next(group for group in both.groups if group.group == "storage/data drives").utilization_mean
    parts = [found(both, name).series["storage/data drives"].mean() for name in ("night", "tenant")]
    assert sum(parts) == pytest.approx(whole, rel=0.02)


def test_the_metrics_are_those_that_were_named_before(both: Result) -> None:
    assert set(both.metrics) <= set(measured(many(batch(), tenant())))


def test_a_load_that_sets_the_end_leaves_the_time_of_the_runs_to_rank_by(both: Result) -> None:
    names = ["night.duration", "tenant.latency p99"]
    assert both.duration == pytest.approx(120.0)
    assert list(both.leading) == ["run time", *names]
    assert both.metrics["run time"] == both.metrics["night.duration"]
    assert both.metrics["request rate"] == both.metrics["tenant.request rate"]


def test_of_slowdowns_less_is_better_and_of_met_objectives_more(both: Result) -> None:
    values = measures(many(batch(), tenant()), Answer.of(both), ())
    assert not values["tenant.slowdown"].is_more_better
    assert not values["tenant.failed"].is_more_better
    assert values["tenant.objectives met"].is_more_better


def test_a_load_among_one_fares_as_alone() -> None:
    long = many(tenant(duration=2000.0))
    result, alone = found(simulate(long), "tenant"), simulate(long.alone("tenant"))
    assert result.slowdown == pytest.approx(1.0, rel=0.02)
    assert result.metrics["GET latency p50"][0] == pytest.approx(alone.metrics["GET latency p50"][0], rel=0.05)


def test_a_load_whose_rate_varies_takes_of_the_drives_by_the_hour() -> None:
    hours = (1.0, 0.5) + (0.0,) * 22
    result = simulate(many(tenant(rate_by_hour=hours, duration=2 * HOUR)))
    taken = found(result, "tenant").series["storage/data drives"]
    hour = int(HOUR / result.bin_width)
    assert taken[: hour - 1].mean() == pytest.approx(2 * taken[hour + 1 : 2 * hour - 1].mean())
    assert found(result, "tenant").metrics["request rate"][0] == pytest.approx(30.0, rel=0.03)


def test_a_closed_load_beside_a_job_carries_less_than_alone() -> None:
    result = simulate(many(batch(), tenant(rate=None, threads=2, duration=120.0)))
    load = found(result, "tenant")
    assert load.metrics["request rate"][0] < 0.97 * load.alone["request rate"][0]


def test_a_failed_drive_slows_the_requests_until_it_is_rebuilt() -> None:
    failures = Failures(faults=(Fault(at=10.0, component="storage-1/data-1"),))
    result = simulate(many(batch(), tenant(), failures=failures))
    assert result.failures is not None
    assert found(result, "tenant").metrics["GET latency p99"][0] > 0


def test_equal_seeds_give_equal_answers() -> None:
    asked = many(batch(input=2 * GB), tenant(duration=10.0))
    assert simulate(asked, seed=2).metrics == simulate(asked, seed=2).metrics
