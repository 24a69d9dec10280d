"""The throttles of a MinIO rebuild, as the releases ship them."""

from __future__ import annotations

import pytest

from models.storage.minio.heal import Heal
from models.storage.minio.rules import CURRENT


@pytest.mark.parametrize(
    ("release", "processors", "workers"),
    [("2019-07-24", 96, 1), ("2023-09-15", 96, 1), ("2023-09-16", 96, 24), (CURRENT, 8, 4), (CURRENT, 64, 16)],
)
def test_a_drive_has_a_worker_for_each_fourth_processor_since_2023(release: str, processors: int, workers: int) -> None:
    assert Heal().workers(release, processors) == workers
    assert Heal(drive_workers=3).workers(release, processors) == 3


@pytest.mark.parametrize(
    ("release", "in_flight", "seconds"),
    [
        ("2019-07-24", 2, 0.0),
        ("2019-07-24", 3, 60.0),
        ("2021-03-01", 9, 0.0),
        ("2021-03-01", 10, 1.0),
        ("2021-12-10", 99, 0.0),
        ("2021-12-10", 100, 1.0),
        (CURRENT, 0, 0.0),
        (CURRENT, 99, 0.0),
        (CURRENT, 100, 0.25),
    ],
)
def test_a_worker_pauses_while_as_many_requests_are_in_flight_as_the_release_says(
    release: str, in_flight: int, seconds: float
) -> None:
    assert Heal().pause(release, in_flight) == seconds


def test_a_profile_may_lengthen_the_pause_or_do_without() -> None:
    assert Heal(max_io=1, max_sleep=5.0).pause(CURRENT, 1) == 5.0
    assert Heal(max_io=0).pause(CURRENT, 1000) == 0.0
