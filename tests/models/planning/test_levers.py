"""Parts made better, one at a time."""

from __future__ import annotations

from typing import Any

import pytest

from models.planning.levers import levers
from models.scenario import Scenario
from profiles.loading.loader import load


def changes(before: Any, after: Any, path: str = "") -> dict[str, float]:
    """Return what differs, as ratios by key."""
    if isinstance(before, dict):
        ratios: dict[str, float] = {}
        for key in before:
            ratios |= changes(before[key], after[key], f"{path}.{key}".removeprefix("."))
        return ratios
    return {} if before == after else {path: after / before}


def pulled(profile: str) -> dict[str, dict[str, float]]:
    scenario = load(profile, Scenario).scenario
    return {lever.name: changes(scenario.model_dump(), lever.scenario.model_dump()) for lever in levers(scenario)}


def test_each_lever_betters_the_numbers_of_one_part_by_a_tenth() -> None:
    by_lever = pulled("hdfs-terasort")
    workers = "cluster.groups.workers"
    assert by_lever["workers: processors 10 % faster"] == {f"{workers}.server.cpu.speed": pytest.approx(1.1)}
    assert by_lever["workers: data drives 10 % faster"] == {
        f"{workers}.server.bays.data.drive.read_bandwidth": pytest.approx(1.1),
        f"{workers}.server.bays.data.drive.write_bandwidth": pytest.approx(1.1),
        f"{workers}.server.bays.data.drive.seek_time": pytest.approx(1 / 1.1),
    }
    assert by_lever["workers: 2 more servers"] == {f"{workers}.count": pytest.approx(14 / 12)}


def test_every_group_of_servers_has_levers_of_its_own() -> None:
    groups = {name.partition(":")[0] for name in pulled("minio-terasort")}
    assert groups == {"storage", "compute"}


def test_servers_that_do_not_fit_the_sets_of_the_store_are_no_lever() -> None:
    for name, changed in pulled("minio-terasort").items():
        assert changed, name
