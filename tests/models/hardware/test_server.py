"""Processors, memory and volumes of a server."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, strategies as st

from models.hardware.background import Background
from models.hardware.server import Bay, Cpu, Memory
from models.hardware.volume import Volume
from tests.models.machines import nvme, server


def test_one_thread_gets_one_core() -> None:
    assert Cpu(cores=32, threads=64, speed=0.8, smt_yield=1.25).capacity()[0] == pytest.approx(0.8)


def test_as_many_threads_as_cores_get_a_core_each() -> None:
    assert Cpu(cores=32, threads=64, speed=0.8, smt_yield=1.25).capacity()[31] == pytest.approx(0.8 * 32)


def test_all_threads_get_the_cores_times_the_yield() -> None:
    capacity = Cpu(cores=32, threads=64, speed=0.8, smt_yield=1.25).capacity()
    assert len(capacity) == 64
    assert capacity[-1] == pytest.approx(0.8 * 32 * 1.25)


def test_processor_without_second_threads_ignores_the_yield() -> None:
    assert Cpu(cores=4, threads=4, speed=1.0, smt_yield=1.25).capacity() == (1.0, 2.0, 3.0, 4.0)


@given(st.integers(1, 64), st.integers(1, 4), st.floats(0.1, 3), st.floats(0, 1))
def test_more_threads_never_slow_a_processor_down_and_each_adds_less(
    cores: int, per_core: int, speed: float, gain: float
) -> None:
    capacity = Cpu(cores=cores, threads=cores * per_core, speed=speed, smt_yield=1 + gain * (per_core - 1)).capacity()
    added = [after - before for before, after in zip((0.0, *capacity), capacity, strict=False)]
    assert min(added) >= -1e-9
    assert all(later <= earlier + 1e-9 for earlier, later in itertools.pairwise(added))


def test_page_cache_is_the_memory_that_no_process_holds() -> None:
    assert Memory(size=256e9).page_cache(200e9) == 56e9


def test_processes_that_hold_more_than_the_memory_leave_no_page_cache() -> None:
    assert Memory(size=256e9).page_cache(300e9) == 0.0


def test_volume_is_held_by_its_throughput_where_operations_are_large() -> None:
    # 3000 operations of 256 KiB a second would be 786 MB/s
    assert Volume(size=100e9, bandwidth=128 * 2**20, iops=3000.0).rate() == 128 * 2**20


def test_volume_is_held_by_its_operations_where_they_are_few() -> None:
    assert Volume(size=100e9, bandwidth=128 * 2**20, iops=100.0, io_size=262144.0).rate() == 100 * 262144


def test_raw_capacity_counts_the_drives_of_all_bays() -> None:
    bays = {"data": Bay(drive=nvme(capacity=2e12), count=8), "fast": Bay(drive=nvme(capacity=1e12), count=2)}
    assert server(bays=bays).raw_capacity() == 18e12


def test_what_others_use_makes_threads_drives_and_cards_slower_by_a_part() -> None:
    whole = server()
    busy = {"cpu": (0.2,), "drives": (0.5,), "network": (0.25,)}
    left = whole.model_copy(update={"background": Background.model_validate(busy)}).beside_others()
    assert left.cpu.capacity() == pytest.approx([0.8 * rate for rate in whole.cpu.capacity()])
    assert left.nic.sustained == pytest.approx(0.75 * whole.nic.sustained)
    for name, bay in whole.bays.items():
        slowed = left.bays[name].drive
        assert slowed.read_cost() == pytest.approx(2 * bay.drive.read_cost())
        assert slowed.write_cost() == pytest.approx(2 * bay.drive.write_cost())
        assert slowed.stream_capacity() == pytest.approx(bay.drive.stream_capacity())
        assert slowed.access_time() >= bay.drive.access_time()


def test_a_server_that_nobody_else_uses_stays_as_it_is() -> None:
    assert (whole := server()).beside_others() is whole


def test_the_hour_picks_what_others_use_and_without_one_it_is_the_mean_of_the_day() -> None:
    night = (0.5,) * 6 + (0.1,) * 18
    assert Background(cpu=night, hour=3).left("cpu") == pytest.approx(0.5)
    assert Background(cpu=night, hour=12).left("cpu") == pytest.approx(0.9)
    assert Background(cpu=night).left("cpu") == pytest.approx(0.8)
    assert Background(cpu=(0.3,), hour=23).left("cpu") == pytest.approx(0.7)


@pytest.mark.parametrize("stated", [(1.0,), (-0.1,), (0.1, 0.2), (0.1,) * 25])
def test_parts_that_are_none_are_refused(stated: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"expected parts from 0|state one number"):
        Background(cpu=stated)
