"""The values that a study varies, and the points they make."""

from __future__ import annotations

import pytest

from models.planning.grid import MOST, Axis, axis, combined, in_words, numbered


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("4,8,12", "4 8 12"),
        ("4", "4"),
        ("4..16:4", "4 8 12 16"),
        ("4..15:4", "4 8 12"),
        ("7..7:1", "7"),
        ("0.1..0.3:0.1", "0.1 0.2 0.3"),
        ("1..3:1, 8,16..32:16", "1 2 3 8 16 32"),
        ("-2..2:2", "-2 0 2"),
        ("1..1000:log7", "1 3 10 32 100 316 1000"),
        ("1..4:log9", "1 2 3 4"),
        ("1.0..100:log5", "1 3.162 10 31.62 100"),
        ("hdfs,minio-nvme", "hdfs minio-nvme"),
        ("../mine.toml,hdfs", "../mine.toml hdfs"),
    ],
)
def test_values_are_lists_ranges_and_log_ranges(text: str, values: str) -> None:
    assert axis("key", text) == Axis("key", tuple(values.split()))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1 TB,500 GB", ("1 TB", "500 GB")),
        ("800 GB..1 TB:100 GB", ("800 GB", "900 GB", "1000 GB")),
        ("800..1000 GB:100", ("800 GB", "900 GB", "1000 GB")),
        ("10 %..30 %:10 %", ("10 %", "20 %", "30 %")),
        ("1 GB..1 TB:log4", ("1 GB", "10 GB", "100 GB", "1000 GB")),
        ("10 Gbit/s..40 Gbit/s:15 Gbit/s", ("10 Gbit/s", "25 Gbit/s", "40 Gbit/s")),
        ("64 MiB..128 MiB:32 MiB", ("64 MiB", "96 MiB", "128 MiB")),
        ("['a', 'b'],['c']", ("['a', 'b']", "['c']")),
        ('"1,2",3', ('"1,2"', "3")),
    ],
)
def test_values_keep_the_units_and_the_words_in_which_they_are_stated(text: str, values: tuple[str, ...]) -> None:
    assert axis("key", text).values == values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected values such as 4,8,12"),
        ("4,,8", "expected values such as 4,8,12"),
        ("4..8", "expected a range such as 4..64:4 or 1..1000:log7; each whole number is 4..8:1"),
        ("4..8:", "each whole number is 4..8:1"),
        ("4 GB..8 GB", r"expected a range such as 4..64:4 or 1..1000:log7 \(got"),
        ("4..8:log", "expected a range such as"),
        ("4..8:0", "by a step above 0"),
        ("8..4:1", "a range goes up"),
        ("4..8:-1", "a range goes up"),
        ("0..8:log3", "the lower end above 0"),
        ("1..8:log1", "two values or more"),
        ("1..2:0.000001", "asks for 1000001 values"),
        ("1..2:log1000000", "asks for 1000000 values"),
        ("4,4..8:2", "the value 4 stands there twice"),
        ("1 GB..2 s:1 GB", "measure different things"),
        ("1 GG..2 GG:1 GG", "unknown unit 'GG'"),
        ("1 GB..2 GB:1e-300 GB", "beyond all scales, expected powers of ten of two digits at most"),
    ],
)
def test_a_text_that_states_no_values_is_refused_with_the_forms_that_do(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        axis("key", text)


def test_all_combinations_are_made_the_last_key_changing_fastest() -> None:
    axes = (Axis("a", ("1", "2")), Axis("b", ("x", "y")))
    assert [dict(point) for point in combined(axes)] == [
        {"a": "1", "b": "x"},
        {"a": "1", "b": "y"},
        {"a": "2", "b": "x"},
        {"a": "2", "b": "y"},
    ]


def test_zipped_values_stand_side_by_side() -> None:
    axes = (Axis("a", ("1", "2")), Axis("b", ("x", "y")))
    assert combined(axes, zipped=True) == [(("a", "1"), ("b", "x")), (("a", "2"), ("b", "y"))]


def test_values_of_different_number_cannot_be_zipped() -> None:
    with pytest.raises(ValueError, match="each key needs as many: a has 2, b has 1"):
        combined((Axis("a", ("1", "2")), Axis("b", ("x",))), zipped=True)


def test_more_points_than_a_study_has_are_refused_before_they_are_made() -> None:
    many = tuple(f"{i}" for i in range(MOST // 10))
    with pytest.raises(ValueError, match=f"asks for {MOST * MOST // 100} points"):
        combined((Axis("a", many), Axis("b", many)))


def test_one_thing_is_said_in_the_singular() -> None:
    counts = (("cluster.groups.servers.count", "1"), ("cluster.groups.workers.count", "12"))
    assert in_words(counts) == ["1 server", "12 workers"]
    assert in_words((("cluster.groups.storage.count", "1"),)) == ["1 storage server"]
    assert numbered("+1", "servers") == "+1 server"
    assert numbered("+11", "servers") == "+11 servers"
    assert [numbered(count, "servers") for count in ("22000", "-1000", "2.5")] == [
        "22,000 servers",
        "-1,000 servers",
        "2.5 servers",
    ]
