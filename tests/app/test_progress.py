"""What is shown while something goes on: how much of all runs is done."""

from __future__ import annotations

import pytest

from app.cli.progress import CountedRuns, RunProgress, _keep_what_is, busy, counted
from simulator.events import Progress, StageFinished, StageStarted


def test_progress_counts_the_replications_that_have_ended() -> None:
    progress = RunProgress(2, visible=False)
    seen = []
    for fraction in (0.5, 1.0, 0.2, 1.0):
        progress(Progress(fraction, time=0.0))
        seen.append(progress.done)
    assert seen == [0.25, 0.5, 0.6, 1.0]


def test_runs_of_one_task_count_too() -> None:
    progress = RunProgress(4, visible=False)
    for _ in range(3):
        progress(StageStarted("map", 1, 0.0))
        progress(Progress(1.0, 1.0))
        progress(StageFinished("map", 1.0))
    assert progress.done == 0.75


def test_nothing_is_shown_where_nobody_watches(capfd: pytest.CaptureFixture[str]) -> None:
    with RunProgress(1, patience=0.0) as progress, counted("Simulating") as on_done, busy("Fitting"):
        progress(Progress(0.5, 1.0))
        on_done(1, 2)
    assert capfd.readouterr() == ("", "")


def test_what_takes_long_is_told_once_before_it_begins_whoever_watches(capfd: pytest.CaptureFixture[str]) -> None:
    told = long_stage(capfd, RunProgress(2, visible=False, may_be_rough=True))
    assert told.startswith("4,000,000 tasks of map are simulated one by one, which takes 2 min 0 s to 20 min 0 s")
    assert told.count("--tolerance 0.1%") == 1


def test_no_tolerance_is_named_to_who_has_given_one_or_cannot(capfd: pytest.CaptureFixture[str]) -> None:
    told = long_stage(capfd, RunProgress(2, visible=False))
    assert told.endswith(
        "of a processor a run; with larger splits, blocks or parts, or with --interval none it takes less."
    )


def test_who_asks_for_no_interval_is_not_told_to_leave_it_out(capfd: pytest.CaptureFixture[str]) -> None:
    told = long_stage(capfd, RunProgress(2, visible=False, may_be_rough=True, is_interval=False))
    assert told.endswith("a run; with --tolerance 0.1%, with larger splits, blocks or parts it takes less.")


def test_requests_are_no_tasks_that_take_long(capfd: pytest.CaptureFixture[str]) -> None:
    RunProgress(1, visible=False)(StageStarted("reading", 4_000_000, 0.0, are_requests=True))
    assert capfd.readouterr() == ("", "")


def at(monkeypatch: pytest.MonkeyPatch, *seconds: float) -> None:
    """Let a processor have worked so many seconds each time somebody asks."""
    spent = iter(seconds)
    monkeypatch.setattr("time.process_time", lambda: next(spent))


def test_a_run_that_has_taken_long_tells_what_is_left_as_it_went_so_far_and_goes_now(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []
    at(monkeypatch, 0.0, 0.0, 4.0, 40.0, 80.0, 240.0)
    progress = RunProgress(1, visible=False, may_be_rough=True)
    for done in (0.0, 0.1, 0.5, 0.52, 0.6):
        progress(Progress(done, time=0.0))
        told.append(" ".join(capfd.readouterr().err.split()))
    assert told[:2] == ["", ""]
    assert told[2].startswith(
        "50% of the tasks have ended after 40 s of a processor; the others take 40 s to 45 s more; with"
    )
    assert told[3] == "", "it was told lately"
    assert "the others take 2 min 40 s to 13 min 20 s more; with --tolerance 0.1%, with larger splits" in told[4]


def test_a_run_that_takes_long_at_the_least_tells_so_within_seconds_and_again_when_others_do(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []
    at(monkeypatch, 0.0, 0.0, 4.0, 5.0, 10.0, 29.0, 31.0)
    progress = RunProgress(1, visible=False)
    for done in (0.0, 0.02, 0.025, 0.05, 0.145, 0.155):
        progress(Progress(done, time=0.0))
        told.append(" ".join(capfd.readouterr().err.split()))
    assert [bool(text) for text in told] == [False, False, True, False, False, True]
    assert told[2].startswith("2% of the tasks have ended after 5 s of a processor; the others take 3 min 15 s more;")


def heard(monkeypatch: pytest.MonkeyPatch, spent: float, event: Progress) -> RunProgress:
    """Return the progress of a run of which this is heard once it has taken a processor so many seconds."""
    at(monkeypatch, 0.0, 0.0, spent)
    progress = RunProgress(1, visible=False)
    progress(Progress(0.0, time=0.0, shown=0.0))
    progress(event)
    return progress


def test_a_run_that_may_be_short_tells_nothing_within_seconds(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tenth of all in 5 s: of nine to come each takes 0.3 to 6 times as long, 10 s to 4 min 55 s in all."""
    progress = heard(monkeypatch, 5.0, Progress(0.1, time=0.0, shown=0.0))
    assert progress.left == pytest.approx((10, 295))
    assert capfd.readouterr() == ("", "")


def test_what_tasks_of_other_stages_take_is_told_as_a_range(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fifth of all in 40 s, as long for another fifth, and for three fifths to come 0.3 to 6 times as long each."""
    progress = heard(monkeypatch, 40.0, Progress(0.2, time=0.0, shown=0.4))
    assert progress.left == pytest.approx((40 + 3 * 0.3 * 40, 40 + 3 * 6 * 40))
    told = " ".join(capfd.readouterr().err.split())
    assert (
        "the others take 1 min 16 s to 12 min 40 s more, for nothing shows yet how long tasks of other stages" in told
    )


def test_replications_to_come_take_as_long_as_this_one_and_then_as_those_that_have_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at(monkeypatch, 0.0, 5.0, 10.0, 12.0)
    progress = RunProgress(3, visible=False)
    progress(Progress(0.5, time=0.0, shown=0.5))
    assert progress.left == pytest.approx((1.5 + 2 * 6.5, 30 + 2 * 35))
    progress(Progress(1.0, time=0.0))
    assert progress.left == pytest.approx((20, 20))
    progress(Progress(0.25, time=0.0, shown=0.5))
    assert progress.left == pytest.approx((17.5, 17.5)), "the first one shows how long all take"


def test_a_run_that_is_about_to_end_tells_nothing(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, 0.0, 30.0, 36.0, 40.0)
    progress = RunProgress(1, visible=False)
    for done in (0.8, 0.9, 1.0):
        progress(Progress(done, time=0.0))
    assert capfd.readouterr() == ("", "")


def test_that_many_runs_take_long_is_told_once_for_all_turns_of_a_question(capfd: pytest.CaptureFixture[str]) -> None:
    runs = CountedRuns(patience=0.0)
    for _ in range(2):
        with runs("Simulating") as on_done:
            for done in range(5):
                on_done(done, 4)
    told = " ".join(capfd.readouterr().err.split())
    assert told.startswith("1 run has ended after")
    assert told.count("3 to come take") == 1
    assert told.endswith(
        "with fewer of them, with larger splits, blocks or parts, or with --interval none it takes less."
    )


def test_turns_of_one_run_each_are_told_when_the_next_one_begins(capfd: pytest.CaptureFixture[str]) -> None:
    runs = CountedRuns(patience=0.0)
    for _ in range(3):
        with runs("Simulating") as on_done:
            on_done(0, 1)
            on_done(1, 1)
    assert capfd.readouterr().err.count("1 to come takes") == 1


def test_runs_that_take_no_time_are_told_of_no_more_than_others(capfd: pytest.CaptureFixture[str]) -> None:
    with CountedRuns()("Simulating") as on_done:
        for done in range(5):
            on_done(done, 4)
    assert capfd.readouterr() == ("", "")


def long_stage(capfd: pytest.CaptureFixture[str], progress: RunProgress) -> str:
    """Return what is told on stderr of a stage of four million tasks that begins twice, after a short one."""
    for tasks in (1_000, 4_000_000, 4_000_000):
        progress(StageStarted("map", tasks, 0.0))
    return " ".join(capfd.readouterr().err.split())


def test_what_was_there_before_the_first_of_many_runs_is_not_looked_through_after_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frozen = []
    monkeypatch.setattr("gc.freeze", lambda: frozen.append("what is there"))
    _keep_what_is.cache_clear()
    with counted("Simulating") as on_done:
        assert not frozen
        for done in range(3):
            on_done(done, 2)
    assert frozen == ["what is there"]
