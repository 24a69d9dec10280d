"""The question of a mail, told from the first page on by mouse alone and by keyboard alone: the same plan."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.gui.shell.window import MainWindow
from tests.gui.hands import Keyboard, Mouse
from tests.gui.questions import QUESTIONS, tell

TOLD = {
    "hdfs on hdd-25gbe": ({"use": "hdd-25gbe", "bays": {"data": {"count": 36}}}, "24..64:4"),
    "minio-nvme on nvme-100gbe": ("nvme-100gbe", "16..160:8"),
}


@pytest.mark.parametrize("kind", [Mouse, Keyboard])
def test_a_question_can_be_told_with_one_device(
    window: MainWindow, qtbot: QtBot, kind: type[Mouse] | type[Keyboard]
) -> None:
    user, steps = kind(window, qtbot), list[str]()
    window.show_page("Start")
    tell(user, QUESTIONS["mail"], steps.append)
    user.reach("Name of candidate 1") if isinstance(user, Keyboard) else user.push(
        "Back"
    )  # what was typed last is taken
    model = window.pages["Plan"].model
    assert model.is_right
    asked = model.get("requirements")
    assert (asked["stored"], asked["annual_growth"], asked["budget"]) == ("2 PB", "40 %", "1.5 M USD")
    assert (asked["workloads"][0]["input"], asked["workloads"][0]["deadline"]) == ("20 TB", "3 h")
    assert {name: (candidate["servers"], candidate["count"]) for name, candidate in model.candidates.items()} == TOLD
    assert steps == ["1-requirements", "2-candidates"]
