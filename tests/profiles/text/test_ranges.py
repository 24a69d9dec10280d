"""A number says how sure it is: `[X.ranges]` in a profile, `between=` in a declaration."""

from __future__ import annotations

import pytest

from app.reports.library.reference import KeyLine, Section, render
from models.problem import ProblemError, RefusalError
from models.quantity import extra, quantity
from models.scenario import Scenario
from profiles.editing.edit import set_value, unset_value
from profiles.loading.loader import Loaded, dump, load_text

TEXT = """\
extends = "get-minio-nvme"

[storage]
request_time = "5 ms"
sources.request_time = "prior: a request on an idle server"
ranges.request_time = ["1 ms", "20 ms"]

[workload]
threads = 32
sources.threads = "assumed: as many as there are cores"
ranges.threads = ["0.5 x", "2 x"]

[workload.mix.GET]
size = "64 MiB"
weight = 1
source = "assumed: large objects"
ranges."*" = ["0.5 x", "2 x"]
sources.weight = "documented: it is the only one"
"""


def loaded(text: str = TEXT) -> Loaded[Scenario]:
    return load_text(text, Scenario)


def test_range_is_read_in_the_unit_of_its_number() -> None:
    ranges = loaded().ranges
    assert (ranges["storage.request_time"].low, ranges["storage.request_time"].high) == (0.001, 0.02)
    assert (ranges["workload.threads"].low, ranges["workload.threads"].high) == (16, 64)


def test_range_of_a_table_holds_for_what_is_not_sure_in_it() -> None:
    ranges = loaded().ranges
    assert ranges["workload.mix.GET.size"].low == 32 * 2**20
    assert "workload.mix.GET.weight" not in ranges


def test_numbers_of_one_range_are_off_together() -> None:
    ranges = loaded(TEXT.replace('sources.weight = "documented: it is the only one"\n', "")).ranges
    assert ranges["workload.mix.GET.size"].knob == ranges["workload.mix.GET.weight"].knob
    assert ranges["workload.mix.GET.size"].knob != ranges["workload.threads"].knob


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('ranges.request_time = ["1 ms"]', "expected low and high"),
        ('ranges.request_time = ["1 MB", "2 MB"]', "expected a time"),
        ("ranges.request_time = [1, 2]", "expected a time"),
        ('ranges.request_time = ["6 ms", "7 ms"]', "expected low <= 5 ms <= high"),
        ('ranges.request_time = ["9 ms", "1 ms"]', "expected low <= 5 ms <= high"),
        ('ranges.reqest_time = ["1 ms", "7 ms"]', "there is no such key beside it; did you mean 'request_time'?"),
        ('ranges."*" = ["1 ms", "7 ms"]', "expected factors"),
    ],
)
def test_wrong_range_is_refused_with_its_line(line: str, text: str) -> None:
    with pytest.raises(ProblemError) as refused:
        loaded(TEXT.replace('ranges.request_time = ["1 ms", "20 ms"]', line))
    (problem,) = refused.value.problems
    assert text in problem.message
    assert problem.line == 6
    assert problem.key.startswith("storage.ranges.")


def test_range_of_a_number_that_no_double_holds_is_refused() -> None:
    with pytest.raises(ProblemError, match=r"ranges\.threads: expected a number of at most 308 digits"):
        loaded(TEXT.replace('ranges.threads = ["0.5 x", "2 x"]', f"ranges.threads = [1, 1{'0' * 309}]"))


def test_dumped_profile_has_the_same_ranges_off_together_as_before() -> None:
    once = loaded()
    again = loaded(dump(once.resolved))
    assert again.ranges == once.ranges
    assert dump(again.resolved) == dump(once.resolved)


def test_numbers_whose_ranges_have_one_name_are_off_together() -> None:
    named = TEXT.replace('["1 ms", "20 ms"]', '["1 ms", "20 ms", "clock"]').replace(
        'ranges.threads = ["0.5 x", "2 x"]', 'ranges.threads = ["0.5 x", "2 x", "clock"]'
    )
    ranges = loaded(named).ranges
    assert ranges["storage.request_time"].knob == ranges["workload.threads"].knob == "clock"
    with pytest.raises(ProblemError, match="expected a text as the third entry"):
        loaded(named.replace('"20 ms", "clock"', '"20 ms", 3'))


def test_changed_number_does_not_keep_a_range_that_it_need_not_lie_in() -> None:
    changed = loaded(set_value(TEXT, "storage.request_time", "50 ms"))
    assert "storage.request_time" not in changed.ranges
    assert "storage.request_time" not in load_text(TEXT, Scenario, {"storage.request_time": "50 ms"}).ranges


def test_number_taken_out_takes_its_range_with_it() -> None:
    assert "ranges.threads" not in unset_value(TEXT, "workload.threads")


def test_profile_that_extends_another_keeps_the_ranges_of_what_it_does_not_state() -> None:
    assert "storage.request_time" in loaded(TEXT + '\n[failures]\nreplacement_time = "1 h"\n').ranges


def test_declared_default_must_lie_in_its_range() -> None:
    field = quantity("s", "Seek.", default="8 ms", source="prior: data sheets", between=("7 ms", "12.7 ms"))
    assert extra(field) == {"unit": "s", "source": "prior: data sheets", "between": (0.007, 0.0127)}
    with pytest.raises(RefusalError, match="must hold the default"):
        quantity("s", "Seek.", default="20 ms", between=("7 ms", "12.7 ms"))


def test_reference_prints_source_and_range() -> None:
    line = KeyLine("seek", "s", "number", "Seek.", 0.008, False, {}, (), "prior: data sheets", (0.007, 0.0127))
    page = render([Section("drive", "", "A drive.", None, (line,))])
    assert "8 ms (7 ms to 12.7 ms); prior: data sheets" in page
