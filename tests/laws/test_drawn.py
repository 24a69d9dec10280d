"""Profiles drawn of all that the library has break no law, or are refused in words (`tests/laws/drawn`).

`make laws` holds 200 of them, `make laws DRAWN=1000` those from number 1000 on; `make drawn` counts them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.extent import DRAWN, IS_WHOLE
from tests.laws.drawn.hold import Held, hold

ROOT = Path(__file__).parents[2]
NUMBERS = [DRAWN + number for number in (range(200) if IS_WHOLE else (0, 4, 6, 7, 8))]
ASK = "import json; from tests.laws.drawn.hold import digests; print(json.dumps([*digests({})]))"
each_number = pytest.mark.parametrize("number", NUMBERS)


@cache
def held(number: int) -> Held:
    return hold(number)


@cache
def elsewhere() -> dict[int, list[str]]:
    """Return the digests that a fresh process comes to, which orders what it hashes in another way."""
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": f"{ROOT}"}
    ask = [sys.executable, "-c", ASK.format(NUMBERS)]
    ended = subprocess.run(ask, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    return dict(zip(NUMBERS, json.loads(ended.stdout), strict=True))


@each_number
def test_a_drawn_profile_breaks_no_law_or_is_refused_in_words(number: int) -> None:
    assert held(number).broken == []


@each_number
def test_a_drawn_profile_has_the_same_results_to_the_last_bit_in_any_process(number: int) -> None:
    assert held(number).digests == elsewhere()[number]


def test_most_of_what_is_drawn_goes_together() -> None:
    """Else the laws would say little."""
    assert sum(not held(number).refused for number in NUMBERS) > len(NUMBERS) / 2
