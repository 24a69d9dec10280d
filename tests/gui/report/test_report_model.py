"""The sections of a report as a list, and the command that writes the same report, without a window."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.gui.report.jobs import EXPENSIVE, Asked, make
from app.gui.report.model import TITLES, SectionsModel
from app.gui.studies.paper import readable
from app.reports.parts import Part
from tests.gui.conftest import SMALL

SECTIONS = tuple(part.key for part in Part)


def test_sections_stand_in_the_order_of_the_report(qapp: QApplication) -> None:
    assert tuple(TITLES) == SECTIONS
    assert SectionsModel().sections == tuple(name for name in SECTIONS if name not in EXPENSIVE)


def test_a_section_is_chosen_by_its_check_box(qapp: QApplication) -> None:
    model = SectionsModel()
    index = model.index(SECTIONS.index("cost"), 0)
    assert index.flags() & Qt.ItemFlag.ItemIsUserCheckable
    model.setData(index, Qt.CheckState.Unchecked.value, Qt.ItemDataRole.CheckStateRole)
    assert "cost" not in model.sections
    assert index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Unchecked


def test_the_command_names_changes_and_what_is_left_out() -> None:
    asked = Asked(
        profile="hdfs-terasort",
        changes={"workload.input": "2 GB"},
        text="",
        base=Path("x.toml"),
        sections=("question", "cost"),
        seed=4,
    )
    text = asked.command(("question", "cost", "growth"))
    words = "simulate report hdfs-terasort report.html --set 'workload.input=2 GB' --seed 4 --replications 1"
    assert text == f"{words} --without growth"


def test_charts_become_images_in_the_preview() -> None:
    chart = '<svg width="320pt" height="80.5pt"><path/></svg>'
    page = readable(f"<p>a</p>{chart}<p>b</p>")
    assert page.startswith('<p>a</p><img src="data:image/svg+xml;base64,')
    picture = base64.b64decode(page.split("base64,")[1].split('"')[0]).decode()
    assert picture == '<svg width="640" height="161"><path/></svg>'


def test_the_progress_says_that_the_stage_of_a_run_is_being_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADROOM_INTERVAL", "none")
    seen: list[str] = []
    asked = Asked(profile="small", changes={}, text=SMALL, base=Path("small.toml"), sections=("question",))
    make(lambda fraction, doing: seen.append(doing), asked, None)
    assert {"Simulating map", "Simulating reduce"} <= set(seen)
    assert "map" not in seen
