from __future__ import annotations

from profiles.shipped.outcomes import documented, documented_as


def test_an_outcome_that_is_read_alone_is_the_one_among_all() -> None:
    assert documented_as(*documented()) == documented()
    for id, outcome in documented().items():
        assert documented_as(id) == {id: outcome}


def test_an_id_that_no_outcome_has_is_left_out() -> None:
    assert documented_as() == documented_as("mapreduce/hdfs/srt") == {}
    assert list(documented_as("mapreduce/hdfs/srt", "mapreduce/hdfs/sort")) == ["mapreduce/hdfs/sort"]
