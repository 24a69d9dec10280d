"""The description of a copy: which files each task gets, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from models.jobs.bulk_io import BulkIo
from models.jobs.copy import Copy, Staging, Tool
from models.problem import RefusalError
from models.storage.amazon_s3.system import AmazonS3
from models.storage.clients.s3a import S3aClient
from tests.models.machines import GB, MB, cluster, server

S3 = AmazonS3(system="amazon-s3", first_byte=0.012, connection_bandwidth=93 * MB, get_rate=5500.0)


def tool(**changes: Any) -> Tool:
    return Tool.model_validate({"servers": ("workers",), "processes": 1} | changes)


def copy(files: int = 56, **changes: Any) -> Copy:
    return Copy(kind="copy", origin=S3, tool=tool(**changes), files=files, size=files * GB)


def dealt(job: Copy, **asked: Any) -> list[list[int]]:
    return [list(share) for share in job.shares(**asked)]


def test_every_file_in_a_queue_is_a_task() -> None:
    assert dealt(copy(files=3, processes=8), processes=8) == [[0], [1], [2]]


def test_ten_million_tasks_of_a_queue_are_told_without_a_list_of_them() -> None:
    tasks = copy(files=10_000_000).shares(processes=8)
    assert len(tasks) == 10_000_000
    assert tasks[-1] == range(9_999_999, 10_000_000)
    assert list(tasks[3:5]) == [range(3, 4), range(4, 5)]


def test_distcp_packs_two_of_56_files_into_a_split_where_20_were_asked_for() -> None:
    # 56 / 20 = 2.8 files of equal size: the third does not fit
    shares = dealt(copy(deal="size", tasks=20), processes=80)
    assert len(shares) == 28
    assert shares[0] == [0, 1]
    assert shares[-1] == [54, 55]


def test_file_larger_than_a_share_is_a_task_of_its_own() -> None:
    assert dealt(copy(files=3, deal="size", tasks=20), processes=80) == [[0], [1], [2]]


def test_last_task_gets_what_is_left() -> None:
    assert dealt(copy(files=7, deal="size", tasks=3), processes=9) == [[0, 1], [2, 3], [4, 5], [6]]


def test_tasks_are_as_many_as_processes_unless_they_are_said() -> None:
    assert len(copy(files=80, deal="size").shares(processes=40)) == 40
    assert len(copy(deal="hash").shares(processes=40)) == 40


@pytest.mark.parametrize("tasks", [1, 10, 40, 80])
def test_every_file_hashes_to_one_task(tasks: int) -> None:
    shares = dealt(copy(deal="hash", tasks=tasks), processes=5)
    assert sorted(file for share in shares for file in share) == list(range(56))


def test_names_that_count_up_hash_to_tasks_in_a_row() -> None:
    # 31 * 31 = 961 is what the last digit of 000000_0 counts: 1 modulo 40, so ten files meet ten tasks in a row
    shares = dealt(copy(files=10, deal="hash"), processes=40)
    first = shares.index([0])
    assert [shares[(first + i) % 40] for i in range(10)] == [[i] for i in range(10)]


def test_names_of_more_than_six_digits_hash_like_those_of_java() -> None:
    shares = copy(files=1_000_200, deal="hash", tasks=19).shares(processes=1)
    for file in (0, 999_999, 1_000_000, 1_000_199):
        code = 1
        for letter in f"{file:06d}_0".encode():
            code = 31 * code + letter
        assert file in shares[code % 2**31 % 19]


@pytest.mark.parametrize("deal", ["size", "hash"])
def test_of_many_files_every_task_keeps_an_equal_part(deal: str) -> None:
    many = copy(files=10_000, deal=deal, tasks=20)
    for share, kept in zip(many.shares(processes=5), many.shares(processes=5, most=1000), strict=True):
        assert list(kept) == list(share)[: len(kept)]
        assert len(kept) == pytest.approx(len(share) / 10, abs=0.5)


def test_of_a_long_queue_the_first_files_are_kept() -> None:
    assert dealt(copy(files=800_000), processes=8, most=2) == [[0], [1]]


def test_copy_stores_its_files_once_in_the_target() -> None:
    assert copy().stored(cluster(core=(1, server()))) == (0.0, 56 * GB, None)


def test_servers_and_places_are_named_with_their_keys() -> None:
    staged = copy(servers=("core", "task"), staging=Staging(place="root"))
    assert staged.server_groups() == {"workload.tool.servers.0": "core", "workload.tool.servers.1": "task"}
    assert staged.places() == {"workload.tool.staging.place": "root"}
    assert copy().places() == {}


def test_tool_that_runs_nowhere_is_refused() -> None:
    with pytest.raises(ValidationError, match="servers: name at least one server group"):
        tool(servers=())


def test_tasks_of_a_queue_are_refused() -> None:
    with pytest.raises(ValidationError, match="tasks: a queue gives out single files"):
        tool(tasks=20)


def test_a_file_of_more_parts_than_an_upload_may_have_is_refused_and_the_way_out_is_told() -> None:
    machines, client = cluster(workers=(2, server())), S3aClient(connector="s3a")
    size = 10_000 * 64 * 2**20  # B, as many parts of the shipped size as there may be
    writes = BulkIo(kind="bulk-io", servers=("workers",), direction="write", size=size)
    copies = copy(files=2).model_copy(update={"size": 2 * size})
    for job in (writes, copies):
        job.check_use(S3, client, machines)
        with pytest.raises(RefusalError, match=r"has 10005 parts, an upload has at most 10000.*write more files"):
            job.model_copy(update={"size": job.size * 1.0005}).check_use(S3, client, machines)
    writes.model_copy(update={"direction": "read", "size": 2 * size}).check_use(S3, client, machines)
