"""A setting is told as a limit only for the time in which the stage that it holds up decides the end of a run."""

from __future__ import annotations

from app.reports.held_up import settings
from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.run import simulate

SWITCH = "workload.framework.off_switch"
WORDS = {"workload.input": "200 GB", "workload.framework": "yarn", "workload.reduces": "768"}


def test_heartbeats_that_bring_reduces_while_maps_run_are_no_limit_and_more_of_them_gain_little() -> None:
    scenario = load("hdfs-wordcount", Scenario, WORDS).scenario
    result = simulate(scenario, seed=0)
    maps, reduces = result.stages
    assert reduces.start < maps.end
    assert reduces.decided == reduces.end - maps.end
    assert SWITCH not in settings(scenario, result)
    assert simulate(load("hdfs-wordcount", Scenario, WORDS | {SWITCH: "0"}).scenario).duration > 0.8 * result.duration
