"""Exchanges on drives: what page caches do not hold is read segment by segment, with a seek for each."""

from __future__ import annotations

import pytest

from models.hardware.cluster import Layout
from models.hardware.page_cache import PAGE
from models.jobs.exchange import Exchange
from models.outage import Outage
from tests.models.machines import GB, MB, hdd, layout, server

KIB = 1024.0
TURN = 0.010 + 0.5 * 60 / 6e10
"""Seconds of a seek of the drive."""


def drive_seconds(segment: float, *, held: float = 100 * GB) -> float:
    """Return how long drives are busy for a byte fetched, on two servers of one drive whose processes hold memory."""
    where: Layout = layout(compute=(2, server(drives=1, drive=hdd())))
    nodes = where.groups["compute"]
    flow = Exchange(where, nodes, "data", held, ["q"], Outage()).fetch(nodes[0], 50 * GB, segment)
    drives = [use for use in flow.uses if use.resource.kind == "drive"]
    return sum(use.cost / use.resource.capacity[-1] for use in drives)


@pytest.mark.parametrize("segment", [8 * KIB, 64 * KIB, 512 * KIB])
def test_drives_seek_once_for_each_segment_that_is_fetched(segment: float) -> None:
    assert drive_seconds(segment) == pytest.approx(1 / (200 * MB) + TURN / segment)


def test_a_segment_shorter_than_a_page_is_read_with_its_neighbours_of_the_page() -> None:
    assert drive_seconds(100.0) == pytest.approx(drive_seconds(PAGE))


def test_segments_longer_than_what_a_drive_reads_between_two_streams_change_nothing() -> None:
    assert drive_seconds(10 * MB) == pytest.approx(drive_seconds(1 * MB))


@pytest.mark.parametrize(("held", "missing"), [(80 * GB, 0.6), (60 * GB, 0.2), (50 * GB, 0.0)])
def test_what_page_caches_hold_needs_no_drive(held: float, missing: float) -> None:
    """Of 50 GB that were written on each server of 100 GB of memory."""
    assert drive_seconds(8 * KIB, held=held) == pytest.approx(missing * drive_seconds(8 * KIB))


def test_tasks_of_a_server_share_a_fetch_until_a_drive_is_lost() -> None:
    where: Layout = layout(compute=(2, server(drives=2, drive=hdd())))
    nodes, outage = where.groups["compute"], Outage(may_fail=True)
    exchange = Exchange(where, nodes, "data", 100 * GB, ["q"], outage)
    first = exchange.fetch(nodes[0], 50 * GB, MB)
    assert exchange.fetch(nodes[0], 50 * GB, MB) is first
    read = [use for use in first.uses if use.resource.kind == "drive"]
    lost = read[0].resource
    outage.lost.add(lost.index)
    outage.epoch += 1
    left = [use for use in exchange.fetch(nodes[0], 50 * GB, MB).uses if use.resource.kind == "drive"]
    assert [use.resource for use in left] == [use.resource for use in read if use.resource is not lost]
    assert sum(use.cost for use in left) == pytest.approx(sum(use.cost for use in read))
