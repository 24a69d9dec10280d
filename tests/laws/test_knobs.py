"""A profile that was written down and read again assumes the same, so that its answer has the same interval."""

from __future__ import annotations

import pytest

from app.planning.assumptions import knobs
from models.scenario import Scenario
from profiles.loading.loader import load, load_text
from profiles.text.dump import dump
from tests.laws.miniatures import SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_profile_from_its_own_text_has_the_same_numbers_off_together_in_the_same_order(name: str) -> None:
    loaded = load(name, Scenario)
    again = load_text(dump(loaded.resolved), Scenario)
    assert [knob.numbers for knob in knobs(again)] == [knob.numbers for knob in knobs(loaded)]
