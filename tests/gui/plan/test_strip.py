"""The strip of the plan: closed forms while one writes, the answer after a check, closed forms again after a change."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QPalette, QUndoStack
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.gui.plan.check_view import CheckView
from app.gui.plan.glances import Glances
from app.gui.plan.model import PlanModel
from app.gui.plan.strip import GLANCE, NONE_YET, OF_BEFORE, Strip
from app.gui.session.plan_answer import ShownCandidate, ShownMet, ShownPlan
from tests.app.plans import TEXT

FACTS = {"usable": "300 TB"}
ANSWER = ShownPlan(
    asked="",
    verdict="",
    objective="cost",
    unit="USD",
    limits=(),
    candidates=(
        ShownCandidate(
            name="HDFS", option="6 servers", is_feasible=True, met=(), facts={"time": "9 min"}, mends="", points=()
        ),
    ),
)


def test_the_strip_follows_what_is_typed_before_anything_is_simulated(qtbot: QtBot) -> None:
    stack = QUndoStack()
    model, strip = PlanModel(stack), Strip()
    glances = Glances(model)
    qtbot.addWidget(strip)
    glances.found.connect(strip.show_glance)
    qtbot.waitSignal(glances.found, timeout=10_000).wait()
    assert strip.said.text() == NONE_YET
    model.open(TEXT, Path("plan.toml"))
    qtbot.waitUntil(lambda: "MinIO" in strip.said.text(), timeout=10_000)
    assert strip.said.text().startswith(f"{GLANCE}: <b>MinIO</b>&nbsp;| servers <b>8</b>")
    assert "meets&nbsp;3&nbsp;of&nbsp;3&nbsp;that&nbsp;need&nbsp;no&nbsp;run" in strip.said.text()
    assert "misses" not in strip.said.text()
    model.set("900 TB", "requirements", "stored")
    qtbot.waitUntil(lambda: "meets&nbsp;3" not in strip.said.text(), timeout=10_000)
    assert "| misses <b>Room on 2030-01-01 (at least 3.041&nbsp;PB)</b>&nbsp;| " in strip.said.text()


def test_the_strip_says_why_no_candidate_can_be_looked_at_and_which_field_helps(qtbot: QtBot) -> None:
    model, strip = PlanModel(QUndoStack()), Strip()
    glances = Glances(model)
    qtbot.addWidget(strip)
    glances.found.connect(strip.show_glance)
    model.open(TEXT, Path("plan.toml"))
    model.set("2 M GBP", "requirements", "budget")
    qtbot.waitUntil(lambda: "what GBP is worth; say it under Exchange rate" in strip.said.text(), timeout=10_000)
    assert "currencies.GBP" not in strip.said.text()


def test_an_answer_stands_before_closed_forms_until_the_plan_is_changed(qtbot: QtBot) -> None:
    strip = Strip()
    qtbot.addWidget(strip)
    strip.show_answer(None, is_stale=False)
    assert strip.said.text() == NONE_YET
    strip.show_glance(("MinIO", FACTS, "meets 3 of 3 that need no run"))
    strip.show_answer(ANSWER, is_stale=False)
    assert "9&nbsp;min" in strip.said.text()
    strip.show_answer(ANSWER, is_stale=True)
    assert "usable <b>300&nbsp;TB</b>" in strip.said.text()
    strip.show_glance(None)
    assert strip.said.text().startswith(f"{OF_BEFORE}: <b>HDFS with 6 servers</b>")
    strip.show_glance("No rate says what EUR is worth")
    assert strip.said.text() == "No answer yet. No rate says what EUR is worth"
    assert strip.said.foregroundRole() != QPalette.ColorRole.PlaceholderText


def test_the_strip_is_as_high_as_its_words(qtbot: QtBot) -> None:
    page, strip = QWidget(), Strip()
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    column.addWidget(QLabel(), 1)
    column.addWidget(strip)
    page.resize(600, 400)
    page.show()
    strip.show_glance(("MinIO", {f"measure {i}": "300 TB" for i in range(12)}, "meets 3 of 3 that need no run"))
    qtbot.waitUntil(lambda: strip.said.height() >= strip.said.heightForWidth(strip.said.width()))
    assert strip.said.height() > 2 * strip.fontMetrics().height()
    strip.show_glance(("MinIO", FACTS, "meets 3 of 3 that need no run"))
    qtbot.waitUntil(lambda: strip.said.height() < 2 * strip.fontMetrics().height())


def test_check_and_strip_say_alike_what_meets_all_beyond_its_range(qtbot: QtBot) -> None:
    met = ShownMet(words="Room", said="3.05 PB", is_met=True)
    beyond = ANSWER.candidates[0].model_copy(
        update={"is_feasible": False, "met": (met,), "but": "beyond its range", "option": "60 servers"}
    )
    answer = ANSWER.model_copy(update={"candidates": (beyond,)})
    strip, check = Strip(), CheckView()
    for widget in (strip, check):
        qtbot.addWidget(widget)
    strip.show_answer(answer, is_stale=False)
    check.show_answer(answer)
    assert "meets 1 of 1, beyond its range" in strip.said.text().replace("&nbsp;", " ")
    told = check.mends.text().replace("\N{NO-BREAK SPACE}", " ")
    assert "meets 1 of 1, beyond its range, with 60 servers." in told


def test_a_candidate_that_is_not_sure_is_not_told_as_if_it_were(qtbot: QtBot) -> None:
    strip, check = Strip(), CheckView()
    for view in (strip, check):
        qtbot.addWidget(view)
    doubt = "likely to miss one: Room on 2032-01-01 in 29 % of the cases"
    met = ShownMet(words="Room on 2032-01-01", said="810 TB", is_met=True, margin=0.01, chance=0.29)
    unsure = ANSWER.candidates[0].model_copy(update={"met": (met,), "doubt": doubt})
    shown = ANSWER.model_copy(update={"candidates": (unsure,)})
    strip.show_answer(shown, is_stale=False)
    assert "meets 1 of 1 as calculated, but is likely to miss one" in strip.said.text().replace("&nbsp;", " ")
    check.show_answer(shown)
    assert f"meets all with 6 servers as calculated, but is {doubt}" in check.mends.text().replace("\xa0", " ")
    assert check.model.index(0, 1).data().startswith("≈ ")
