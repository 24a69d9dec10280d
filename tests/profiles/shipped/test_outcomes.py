from __future__ import annotations

from profiles.shipped.outcomes import documented, documented_as, families, family
from profiles.shipped.validated import validated


def test_an_outcome_that_is_read_alone_is_the_one_among_all() -> None:
    assert documented_as(*documented()) == documented()
    for id, outcome in documented().items():
        assert documented_as(id) == {id: outcome}


def test_an_id_that_no_outcome_has_is_left_out() -> None:
    assert documented_as() == documented_as("mapreduce/hdfs/srt") == {}
    assert list(documented_as("mapreduce/hdfs/srt", "mapreduce/hdfs/sort")) == ["mapreduce/hdfs/sort"]


def test_what_was_validated_is_documented_as_it_was_then() -> None:
    known = documented()
    kept = {row.id: (row.unit, row.source) for row in validated()}
    assert kept == {id: (known[id].unit, known[id].source) for id in kept}


def test_what_was_validated_tells_how_many_numbers_were_fitted() -> None:
    assert {row.family: row.fitted for row in validated()}.items() <= {
        (name, family(name).counted) for name in families()
    }
