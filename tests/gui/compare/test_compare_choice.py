"""Which scenarios stand side by side: at most six, each with a name and a colour of its own, without a window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.gui.compare.choice import Choice
from app.gui.jobs.run import RunRequest, run_profile
from app.gui.session.runs import Run
from app.gui.session.studies import open_study
from models.planning.study import Compare
from models.scenario import Scenario
from profiles.loading.loader import load_text
from tests.gui.conftest import SMALL


@pytest.fixture(scope="module")
def run() -> Run:
    """Return one run of a small profile."""
    text = SMALL.replace("5 GB", "1 GB")
    scenario = load_text(text, Scenario, path=Path("small.toml")).scenario
    request = RunRequest(name="small", title="Small", text=text, scenario=scenario, base=Path("small.toml").absolute())
    return Run(number=1, request=request, ran=run_profile(lambda *_: None, request), colour=0, is_kept=True)


@pytest.fixture
def study() -> Compare:
    """Return the study of five scenarios that ships."""
    opened = open_study("hdfs-against-minio").study
    assert isinstance(opened, Compare)
    return opened


def test_scenarios_of_a_study_take_the_colours_that_kept_runs_leave(run: Run, study: Compare) -> None:
    choice, kept = Choice(), replace(run, colour=2)
    choice.take_study(study, (kept,))
    choice.take_runs((kept,))
    asked = choice.asked(0, 1)
    assert [side.colour for side in asked.sides] == [0, 1, 3, 4, 5, 2]
    assert choice.colours == {0, 1, 3, 4, 5}


def test_a_run_of_the_colour_of_a_scenario_keeps_it_while_the_scenario_takes_another(run: Run, study: Compare) -> None:
    choice = Choice()
    choice.take_study(study, ())
    choice.take_runs((replace(run, colour=1),))
    asked = choice.asked(0, 1)
    assert asked.sides[-1].colour == 1
    assert len({side.colour for side in asked.sides}) == 6


def test_a_seventh_scenario_finds_no_room_until_another_is_left_out(run: Run, study: Compare) -> None:
    choice = Choice()
    choice.take_study(study, ())
    choice.take_runs((replace(run, colour=5), replace(run, number=2, colour=0)))
    assert len(choice.asked(0, 1).sides) == 6
    assert choice.left_out == ["small #2"]
    choice.hidden = {"HDFS, as much money"}
    assert choice.left_out == []
    colours = [side.colour for side in choice.asked(0, 1).sides]
    assert sorted(colours) == [0, 1, 2, 3, 4, 5]


def test_scenarios_of_one_name_are_told_apart(run: Run) -> None:
    choice = Choice()
    choice.take_runs(tuple(replace(run, number=number, title="Ours", colour=number) for number in range(3)))
    assert [side.name for side in choice.asked(0, 1).sides] == ["Ours", "Ours (2)", "Ours (3)"]


def test_what_met_the_chances_of_the_comparison_is_not_run_again(run: Run, study: Compare) -> None:
    choice = Choice()
    choice.take_study(study, ())
    choice.take_runs((run,))
    asked = choice.asked(0, 1)
    assert asked.missing == 5
    assert not asked.is_cheap
    assert choice.asked(0, 2).missing == 6
    choice.take(replace(asked, sides=tuple(replace(side, answer="{}") for side in asked.sides)))
    assert choice.asked(0, 1).missing == 0
    assert choice.asked(1, 1).missing == 6


def test_without_a_study_the_first_run_says_which_chances_are_met(run: Run) -> None:
    choice = Choice()
    other = replace(run, number=2, colour=1, request=replace(run.request, seed=7))
    choice.take_runs((run, other))
    asked = choice.asked(3, 9)
    assert (asked.seed, asked.replications, asked.missing) == (0, 1, 1)
    choice.baseline = "small #2"
    assert choice.asked(3, 9).seed == 7
    choice.take_runs((run,))
    assert choice.asked(3, 9) is None
