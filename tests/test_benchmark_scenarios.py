"""What the page of performance measures can be run."""

from __future__ import annotations

from tests.benchmarks.scenarios import AFRESH, CASES, FIRST


def test_each_thing_that_people_wait_for_is_a_command_of_words() -> None:
    assert {type(options) for options in (FIRST, *(case.options for case in CASES))} == {tuple}


def test_the_first_run_after_installation_is_a_program() -> None:
    compile(AFRESH, "afresh", "exec")
