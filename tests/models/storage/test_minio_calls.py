"""What a request takes of MinIO's processors, by release."""

from __future__ import annotations

import pytest

from models.problem import RefusalError
from models.storage.described import ByteRange
from models.storage.minio.calls import CALLS, calls_of
from models.storage.minio.operations import MinioOperations
from models.storage.minio.rules import Code, rules_of
from models.storage.minio.system import Minio
from models.storage.operation import Operation
from models.storage.stages import Compute, Lanes, Stage

OLD, NEW = "2019-07-24", "2025-10-15"
SMALL = 4096.0


def spent(operation: Operation) -> float:
    """Return the reference core-seconds that an operation takes once, where each drive is another server's."""

    def of(stages: tuple[Stage, ...]) -> float:
        total = 0.0
        for stage in stages:
            if isinstance(stage, Compute):
                total += stage.once
            elif isinstance(stage, Lanes):
                total += stage.count * of(stage.stages)
        return total

    return of(operation.stages)


def operations(release: str, servers: int = 4, **changes: float) -> MinioOperations:
    """Return the operations on a set of 12 + 4 drives of so many servers."""
    spec = Minio.model_validate({"system": "minio", "servers": "storage", "parity": 4, "release": release} | changes)
    return MinioOperations(spec, Code(16, 4, rules_of(release)), servers=servers)


def get(release: str, **changes: float) -> float:
    return spent(operations(release, 4, **changes).get(ByteRange(SMALL, SMALL)))


def test_a_small_put_calls_each_drive_twice_and_each_server_for_locks() -> None:
    calls = calls_of(NEW)
    expected = calls.request + calls.call * (2 * 16 + 2 * 4) + 16 * (2 * calls.drive + calls.note)
    assert spent(operations(NEW).put(SMALL)) == pytest.approx(expected)


def test_a_small_get_of_2019_opens_a_shard_on_each_data_drive() -> None:
    calls = calls_of(OLD)
    asked = 2 * 16 + 12
    expected = calls.request + calls.call * (asked + 2 * 4) + asked * calls.drive + 12 * calls.open
    assert get(OLD) == pytest.approx(expected)


def test_requests_take_less_of_processors_than_they_did() -> None:
    assert get(NEW) < get(OLD) / 4
    assert spent(operations(NEW).put(SMALL)) < spent(operations(OLD).put(SMALL)) / 4


def test_more_servers_take_locks_up_to_one_a_drive() -> None:
    heads = [spent(operations(NEW, servers).head()) for servers in (1, 8, 16, 32)]
    assert heads == sorted(heads)
    assert heads[-1] == heads[-2]


def test_what_is_stated_holds_in_place_of_what_the_release_takes() -> None:
    free = {"call_cpu": 0.0, "drive_cpu": 0.0, "open_cpu": 0.0, "note_cpu": 0.0}
    assert get(OLD, request_cpu=0.002, **free) == pytest.approx(0.002)


def test_releases_are_known_from_the_first_whose_rules_are() -> None:
    assert calls_of(CALLS[0].since) is CALLS[0]
    with pytest.raises(RefusalError, match="release"):
        calls_of("2019-01-01")
