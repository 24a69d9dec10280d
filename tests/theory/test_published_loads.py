"""Loads of S3 requests against published measurements that nothing was fitted to.

Sources: MinIO, "Performance at Scale: MinIO Pushes Past 1.4 terabits per second with 256 NVMe Drives" (183.2 GB/s of
GET and 171.3 GB/s of PUT from 32 i3en.24xlarge); MinIO, "S3 Benchmark: MinIO on NVMe" (8 i3en.24xlarge, network of a
server busy with 84.6 Gbit/s while reading, 77 while writing); MinIO, "Updated NVMe Benchmark: 2.6 Tbps+ for READS" (325
GiB/s of GET from 32 servers that ask themselves); NetApp storagegrid-enable, Vertica Eon mode (4,000 to 10,000 GET of
8 kB a second); dvassallo/s3-benchmark (90th percentile of the first byte 20 ms, 93 MiB/s over a GET of a connection,
8,003 MiB/s to a c5n.18xlarge: its MB has 1024 x 1024 bytes). What the sources leave open (parity, threads, sizes) the
profiles name as assumed.
"""

from __future__ import annotations

import pytest

from models.hardware.server import FRAME_ON_WIRE
from models.scenario import Scenario
from profiles.loading.loader import load
from simulator.result import Result
from simulator.run import simulate

GB = 1e9
GIB, MIB = 2.0**30, 2.0**20
TOLERANCE = 0.25
MTU = 1500


def measured(name: str, **settings: str) -> Result:
    overrides = {key.replace("__", "."): value for key, value in settings.items()}
    return simulate(load(name, Scenario, overrides=overrides).scenario, profile=name)


def throughput(result: Result) -> float:
    return result.metrics["throughput"][0]


def test_thirty_two_minio_servers_read_as_published_and_below_what_their_cards_can_send() -> None:
    rate = throughput(measured("get-minio-nvme", workload__count="6000"))
    assert rate == pytest.approx(183.2 * GB, rel=TOLERANCE)
    assert rate < 32 * 12.5 * GB / (1 + 31 / 32)


def test_thirty_two_minio_servers_write_as_published_and_below_what_their_cards_can_take_in() -> None:
    rate = throughput(measured("put-minio-nvme", workload__count="6000"))
    assert rate == pytest.approx(171.3 * GB, rel=TOLERANCE)
    assert rate < 32 * 12.5 * GB / (1 + 16 / 12 * 31 / 32)


@pytest.mark.slow
def test_servers_that_ask_themselves_read_as_published() -> None:
    rate = throughput(measured("speedtest-minio-nvme", workload__count="1500"))
    assert rate == pytest.approx(325 * GIB, rel=TOLERANCE)


@pytest.mark.parametrize(
    ("name", "card", "published", "tolerance"), [("get", "out", 84.6, TOLERANCE), ("put", "in", 77.0, 0.3)]
)
def test_the_cards_of_eight_minio_servers_are_as_busy_as_published(
    name: str, card: str, published: float, tolerance: float
) -> None:
    """Compare the means of a load that has no pauses here: the published one leaves a quarter of a card unused.

    A busy card spends a part of its time on preambles and gaps, which are in no counter of bytes.
    """
    eight = {"cluster__groups__storage__count": "8", "cluster__groups__clients__count": "8", "storage__parity": "8"}
    result = measured(f"{name}-minio-nvme", **eight, workload__count="4000")
    busy = next(group.utilization_mean for group in result.groups if group.group == f"storage/network {card}")
    counted = (MTU + 14) / (MTU + FRAME_ON_WIRE)
    assert 100 * busy * counted == pytest.approx(published, rel=tolerance)


@pytest.mark.parametrize("threads", [24, 48, 72])
def test_storagegrid_serves_small_ranges_at_the_published_rates(threads: int) -> None:
    result = measured("small-ranges-storagegrid", workload__threads=f"{threads}", workload__duration="10 s")
    assert 4000 * (1 - TOLERANCE) <= result.metrics["request rate"][0] <= 10_000 * (1 + TOLERANCE)


def test_amazon_s3_answers_as_fast_as_published_one_connection_and_many() -> None:
    lone = {"cluster__groups__workers__count": "1", "workload__connections": "1000", "workload__duration": "30 s"}
    lone["workload__mix__column__range"] = "64 MB"
    alone = measured("spark-mix-s3", **lone, workload__threads="1")
    assert alone.metrics["column first byte p90"][0] == pytest.approx(0.020, rel=TOLERANCE)
    column = next(request for request in alone.requests if request.name == "column").latency["p50"].value
    assert 64e6 / column == pytest.approx(93 * MIB, rel=TOLERANCE)
    many = measured("spark-mix-s3", **lone, workload__threads="400")
    assert throughput(many) > 8003 * MIB  # and no more than the card carries each way
    assert all(group.utilization_mean <= 1 for group in many.groups)
