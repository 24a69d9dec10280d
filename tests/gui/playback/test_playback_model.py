"""The picture of a run without a window: what lies where, what it shows at a time, and what has failed."""

from __future__ import annotations

import tracemalloc
import zlib
from dataclasses import replace

import numpy as np
import pytest

from app.gui.jobs import series as playback_series
from app.gui.jobs.series import LEVELS, Series
from app.gui.jobs.steps import finished
from app.gui.playback.model import BASE, Playback, Raster, scene, ticks_of
from models.hardware.cluster import Cluster, Layout
from models.scenario import Scenario
from profiles.loading.loader import load_text
from simulator.result import Bottleneck, FailuresResult, FaultResult, ResourceResult, Result, StageResult
from tests.gui.conftest import SMALL

BINS = 10


def cluster_of(racks: int = 1, oversubscription: float = 1.0) -> Cluster:
    cluster = load_text(SMALL, Scenario).scenario.cluster
    network = cluster.network.model_copy(update={"racks": racks, "oversubscription": oversubscription})
    return cluster.model_copy(update={"network": network})


def result_of(resources: list[ResourceResult], faults: tuple[FaultResult, ...] = (), duration: float = 20.0) -> Result:
    return Result(
        profile="small",
        seed=0,
        version="0",
        duration=duration,
        interval=None,
        bottleneck=Bottleneck("workers/cpu", 1.0),
        next_bottleneck=None,
        stages=(StageResult("map", 0, 12, 4, None), StageResult("reduce", 10, duration, 4, None)),
        resources=tuple(resources),
        groups=(),
        bin_width=2.0,
        metrics={},
        capacity={},
        failures=FailuresResult(duration, faults, 0, 0.0, 0) if faults else None,
    )


def resource(name: str, kind: str, group: str, busy: float = 0.0) -> ResourceResult:
    return ResourceResult(name, kind, group, busy, busy, 0.0, np.full(BINS, busy))


def resources_of(cluster: Cluster) -> list[ResourceResult]:
    known = Layout(cluster).resources
    return [resource(known[i].name, known[i].kind, known[i].group) for i in range(len(known))]


def played(result: Result, cluster: Cluster, series: Series | None = None) -> Playback:
    return finished(Playback.made(result, cluster, series))


def raster_of(playback: Playback, width: int = 900, height: int = 500) -> Raster:
    laid_out = finished(scene(playback.racks, playback.names, width / height))
    return finished(Raster.filled(laid_out, width, height))


def test_every_resource_is_drawn_inside_its_server_and_can_be_pointed_at() -> None:
    cluster = cluster_of(racks=3, oversubscription=2.0)
    playback = played(result_of(resources_of(cluster)), cluster)
    raster = raster_of(playback)
    for number in range(len(raster.scene.names)):
        box = raster.scene.cell(number)
        left, top, right, bottom = raster.rectangle(box)
        assert raster.resource_at((left + right) // 2, (top + bottom) // 2) == number
        owner = raster.scene.find(box.name.partition("/")[0])
        assert owner is not None
        assert owner.x <= box.x
        assert box.x + box.width <= owner.x + owner.width
        assert owner.y <= box.y
        assert box.y + box.height <= owner.y + owner.height


def test_servers_stand_in_the_racks_in_which_the_simulation_puts_them() -> None:
    cluster = cluster_of(racks=5)
    playback = played(result_of(resources_of(cluster)), cluster)
    drawn = {place.name: rack.name for rack in playback.racks for place in rack.places}
    assert drawn == {node.name: f"rack-{node.rack + 1}" for node in Layout(cluster).nodes}


def test_resources_that_are_numbered_over_a_group_are_handed_out_server_by_server() -> None:
    cluster = cluster_of()
    count = cluster.groups["workers"].count
    drives = [resource(f"workers/data drives-{i + 1}", "drive", "workers/data drives") for i in range(2 * count)]
    shared = [
        resource("workers/cpu", "cpu", "workers/cpu"),
        resource("amazon-s3/get-requests", "requests", "amazon-s3"),
    ]
    playback = played(result_of([*drives, *shared]), cluster)
    assert [place.drives for place in playback.racks[0].places] == [[2 * i, 2 * i + 1] for i in range(count)]
    assert [place.name for place in playback.racks[1].places] == ["amazon-s3", "workers"]


def test_a_pixel_has_the_shade_of_its_resource_at_the_time() -> None:
    cluster = cluster_of()
    resources = resources_of(cluster)
    resources[3].utilization[4] = 1.0
    playback = played(result_of(resources), cluster)
    raster = raster_of(playback)
    left, top, *_ = raster.rectangle(raster.scene.cell(3))
    colours = np.arange(LEVELS + 3, dtype=np.uint32)
    assert raster.pixels(playback.levels(7.9), colours)[top, left] == 0
    assert raster.pixels(playback.levels(8.0), colours)[top, left] == LEVELS - 1
    assert raster.pixels(playback.levels(8.0), colours)[0, 0] == BASE


def test_the_busiest_groups_come_first_and_idle_ones_not_at_all() -> None:
    resources = [
        resource("workers-1/cpu", "cpu", "workers/cpu", 0.5),
        resource("workers-2/cpu", "cpu", "workers/cpu", 0.3),
        resource("workers-1/data-1", "drive", "workers/data drives", 0.9),
        resource("workers-1/root", "volume", "workers/root volume"),
    ]
    playback = played(result_of(resources), cluster_of())
    names, shares = zip(*playback.busiest(3.0), strict=True)
    assert names == ("workers/data drives", "workers/cpu")
    assert shares == pytest.approx((0.9, 0.4), abs=0.5 / (LEVELS - 1))
    assert playback.stage_at(11.0) == "map, reduce"


def test_two_runs_share_the_longer_time_and_the_finer_bins() -> None:
    cluster = cluster_of()
    short = played(result_of(resources_of(cluster)), cluster)
    long = played(result_of(resources_of(cluster), duration=50.0), cluster)
    assert ticks_of([short, long]) == (50.0, 2.0)
    assert short.bin_at(49.0) == BINS - 1


def test_nothing_is_busy_after_the_end_of_a_run() -> None:
    playback = played(result_of([resource("workers-1/cpu", "cpu", "workers/cpu", 1.0)]), cluster_of())
    assert (playback.levels(20.0)[0], playback.utilization(0, 20.0)) == (LEVELS - 1, 1.0)
    assert (playback.levels(20.1)[0], playback.utilization(0, 20.1)) == (0, 0.0)


def test_a_run_whose_series_were_not_kept_has_no_pictures() -> None:
    assert played(result_of([]), cluster_of()).bins == 0


def test_packed_series_come_back_within_half_a_level_and_without_floats() -> None:
    known = resources_of(cluster_of())
    busy = [replace(result, utilization=np.linspace(0, i / len(known), BINS)) for i, result in enumerate(known)]
    packed = Series.of(busy).packed()
    series = Series.unpacked(packed)
    assert [result.name for result in series.resources] == [result.name for result in known]
    expected = np.array([result.utilization for result in busy])
    assert np.abs(series.levels / (LEVELS - 1) - expected).max() <= 0.5 / (LEVELS - 1) + 1e-12
    assert len(packed) < expected.nbytes / 4
    assert all(result.utilization.size == 0 for result in series.resources)


def test_series_that_are_cut_off_are_refused() -> None:
    packed = Series.of(resources_of(cluster_of())).packed()
    with pytest.raises(ValueError, match="series of a run cannot be read"):
        Series.unpacked(packed[: len(packed) // 2])


def test_series_of_too_large_a_run_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playback_series, "MOST", 100)
    assert Series.of(resources_of(cluster_of())).packed() == b""
    assert played(result_of([]), cluster_of(), Series.unpacked(b"")).bins == 0


def test_a_numbered_drive_has_the_name_that_failures_have() -> None:
    count = 12 * 8
    drives = [resource(f"workers/data drives-{i + 1}", "drive", "workers/data drives") for i in range(count)]
    playback = played(result_of(drives), cluster_of())
    assert playback.names[:9] == [*(f"workers-1/data-{i + 1}" for i in range(8)), "workers-2/data-1"]
    assert raster_of(playback).scene.find("workers-3/data-2") is not None


def _packed(text: bytes, levels: int, tail: bytes = b"") -> bytes:
    return zlib.compress(text + b"\n" + bytes(levels) + tail, level=1)  # as each process that collects tests does


@pytest.mark.parametrize(
    "packed",
    [
        _packed(b"[1]", 100_000_000),  # a bomb: more than the one level that it says
        _packed(b"[1]" + b" " * 40_000_000, 0),  # one in the names
        _packed(b"[1" + b",[]" * 1_000_000 + b"]", 0),  # lists that take 20 times their text
        _packed(b'[9999999999,["a","cpu","g",0,0,0]]', 10),
        _packed(b'[-1,["a","cpu","g",0,0,0]]', 0),
        _packed(b'["8",["a","cpu","g",0,0,0]]', 8),
        _packed(b'[8,["a","cpu","g",0,0,0]]', 7),
        _packed(b'[8,["a","cpu","g",0,0,0]]', 8, b"more"),
        _packed(b"[8,8]", 8),
        _packed(b"[0" + b',["a","cpu","g",0,0,0]' * (playback_series.MOST_RESOURCES + 1) + b"]", 0),
        _packed(b'[8,["' + b"a" * 2000 + b'","cpu","g",0,0,0]]', 8),
        _packed(b'[8,["a",7,"g",0,0,0]]', 8),
        _packed(b'[8,["a","cpu","g",NaN,0,0]]', 8),
        _packed(b'[8,["a","cpu","g",0,0,1' + b"0" * 400 + b"]]", 8),
        _packed(b'[8,{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}]', 8),
        _packed(b"{}", 0),
        _packed(b"[" * 10_000, 0),
        zlib.compress(b"no line"),
    ],
    ids=range(18),
)
def test_series_that_are_not_what_they_say_are_refused_in_little_memory(packed: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="cannot be read"):
            Series.unpacked(packed)
        assert tracemalloc.get_traced_memory()[1] < 80_000_000
    finally:
        tracemalloc.stop()
