"""A project that somebody wrote into: its first mistake is told by key, in words that name no library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from app.gui.session.project_file import read
from app.gui.shell.window import MainWindow
from models.problem import ProblemError

PATIENCE = 60_000  # milliseconds


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ({"profiles": "small"}, "profiles: is not what a project has here: expected a list, [...]; open a backup copy"),
        ({"setups": {"sweep": 5}}, "setups.sweep: is not what a project has here: expected a table, {...}; open"),
        ({"notes": 5}, "notes: is not what a project has here: expected a text; open"),
        ({"seed": -1}, "seed: is not what a project has here: expected at least 0; open"),
        ({"seed": "one"}, "seed: is not what a project has here: expected a whole number; open"),
        ({"colour": 1}, "colour: is not what a project has here: is a key that no project has; open"),
        ({"profiles": [{}]}, "profiles.0.name: is not what a project has here: is missing; open"),
        ({"setups": {"delivery": {"question": "x"}}}, "question: is not what a project has here: expected 'accept' or"),
    ],
)
def test_the_first_mistake_is_told_with_what_is_expected(tmp_path: Path, stated: dict[str, Any], told: str) -> None:
    path = tmp_path / "a.headroom"
    path.write_text(json.dumps({"version": 1, **stated}))
    with pytest.raises(ProblemError) as refused:
        read(path)
    assert told in str(refused.value)


def test_a_run_that_was_written_into_is_told_by_what_is_wrong_with_it(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    with qtbot.waitSignal(window.session.run_finished, timeout=PATIENCE):
        window.actions_.run.trigger()
    window.actions_.keep.trigger()
    path = tmp_path / "a.headroom"
    window.projects.model.save(path)
    for place, value, told in (
        (("playback",), "AAAA", "runs.0.playback: is damaged; open a backup copy, if there is one"),
        (("playback",), "$$", "runs.0.playback: is damaged; open a backup copy, if there is one"),
        (("result", "duration"), -5, "runs.0.result: is not what a project has here: a run takes -5.0 s, expected a"),
        (("scenario",), {}, "runs.0.scenario.profile: is refused by this Headroom: is missing"),
    ):
        data = json.loads(path.read_text())
        within = data["runs"][0]
        for key in place[:-1]:
            within = within[key]
        within[place[-1]] = value
        other = tmp_path / "b.headroom"
        other.write_text(json.dumps(data))
        assert not window.open(str(other))
        box = next(w for w in QApplication.topLevelWidgets() if isinstance(w, QMessageBox) and w.isVisible())
        assert box.text().startswith(f"{other}: {told}")
        box.close()
