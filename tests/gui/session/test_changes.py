"""What differs from a profile as it was opened, as the command line is told it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.gui.session.command_line import changes
from models.scenario import Scenario
from profiles.loading.loader import load_text

BEFORE = """\
cluster = "12-h1"
storage = "hdfs"
profile.title = "Sorting"

[workload]
use = "terasort"
framework = "yarn-h1"
"""


@pytest.mark.parametrize(
    ("after", "told"),
    [
        (BEFORE, {}),
        (
            BEFORE.replace('"12-h1"', '{ use = "12-h1", groups.workers.count = 24 }'),
            {"cluster.groups.workers.count": "24"},
        ),
        (f'prices = "aws-on-demand-2019"\n{BEFORE}', {"prices": "aws-on-demand-2019"}),
        (f'{BEFORE}input = "2 TB"\n', {"workload.input": "2 TB"}),
        (
            BEFORE.replace('"12-h1"', '{ use = "12-h1", groups.workers.server = "hdd-25gbe" }'),
            {"cluster.groups.workers.server": "hdd-25gbe"},
        ),
    ],
)
def test_changes_are_told_by_value_or_by_the_part_that_brings_them(after: str, told: dict[str, str]) -> None:
    path = Path("profile.toml")
    before = load_text(BEFORE, Scenario, path=path).values
    assert changes(load_text(after, Scenario, path=path), before, after) == told
