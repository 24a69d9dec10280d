"""Library: a card, a recent file or a dropped one, and it is open, ready to run."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPointF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from app.gui.library.model import CARD, GROUPS, QUESTIONS, cards
from app.gui.library.page import LibraryPage
from app.gui.library.picture import SIZE, Drawn, draw_servers, drawn_groups
from app.gui.look import theme
from app.gui.look.icons import STROKES
from app.gui.session.runs import MOST
from app.gui.session.studies import UNCHANGED, open_study, shipped_studies
from app.gui.shell.window import MainWindow
from profiles.loading.catalog import describe
from profiles.shipped.comparisons import comparison
from tests.gui.conftest import SMALL
from tests.gui.hands import drop

STUDY = """\
kind = "sweep"
title = "Mine"
profile = "mine.toml"
seed = 4

[vary]
"workload.input" = "1 GB,2 GB"
"""


def library_of(window: MainWindow) -> LibraryPage:
    page = window.show_page("Library")
    assert isinstance(page, LibraryPage)
    return page


def press(window: MainWindow, qtbot: QtBot, searched: str) -> None:
    """Search, and click on the first card."""
    library = library_of(window)
    qtbot.keyClicks(library.search, searched)
    place = library.cards.visualRect(library.cards.model().index(0, 0)).center()
    qtbot.mouseClick(library.cards.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_a_click_on_a_card_opens_its_profile(window: MainWindow, qtbot: QtBot) -> None:
    press(window, qtbot, "mapreduce hdfs-terasort")
    assert window.session.document.name == "hdfs-terasort"
    assert window.page == "Cluster"


def test_a_comparison_opens_on_its_page_with_the_first_challenger_to_change(window: MainWindow, qtbot: QtBot) -> None:
    press(window, qtbot, "hdfs against minio")
    assert window.page == "Compare"
    assert window.pages["Compare"].chosen_study == "hdfs-against-minio"
    assert window.pages["Compare"].run_button.isEnabled()
    assert window.session.document.name == "hdfs-terasort"
    assert window.session.changes() == {"prices": "aws-on-demand-2019"}
    assert not window.isWindowModified()


def test_a_sweep_opens_with_its_axis_seed_and_prices_ready_to_start(window: MainWindow, qtbot: QtBot) -> None:
    press(window, qtbot, "terasort-servers")
    page = window.pages["Sweep"]
    assert window.page == "Sweep"
    assert page.axes.rows == (("cluster.groups.workers.count", "4..60:8"),)
    assert page.start_button.isEnabled()
    page.copy_command()
    assert "--set prices=aws-on-demand-2019 --vary cluster.groups.workers.count=4..60:8" in page.message.text()


def test_a_sizing_opens_with_targets_and_choices_ready_to_start(window: MainWindow, qtbot: QtBot) -> None:
    press(window, qtbot, "nightly-terasort")
    page = window.pages["Size"]
    assert window.page == "Size"
    assert page.targets.texts == ("duration <= 1 min", "usable >= 100 TB", "survives_writing_servers >= 1")
    assert page.targets_view.least.currentText() == "cost_over_5_years"
    assert [key for key, _ in page.axes.rows] == ["cluster.groups.workers.server", "cluster.groups.workers.count"]
    assert page.start_button.isEnabled()


@pytest.mark.parametrize("name", [study.name for study in shipped_studies()])
def test_every_shipped_study_opens_and_can_be_run(window: MainWindow, name: str) -> None:
    opened = open_study(name)
    assert window.open_study(name)
    assert window.page == opened.page
    assert window.session.is_valid
    assert (window.session.seed, window.session.replications) == (opened.study.seed, opened.replications)


def test_a_comparison_of_many_changes_is_offered_in_parts_that_find_room() -> None:
    parts = [open_study(study.name).study for study in shipped_studies() if study.name.startswith("s3a-tuning/")]
    assert [next(iter(part.scenarios)) for part in parts] == [UNCHANGED] * len(parts)
    assert max(len(part.scenarios) for part in parts) == MOST
    assert sum(len(part.scenarios) - 1 for part in parts) == len(comparison("s3a-tuning").rows)


def test_a_part_that_a_comparison_does_not_have_is_told(window: MainWindow) -> None:
    assert not window.open_study("hdfs-against-minio/TeraSorte")
    told = window.findChild(QMessageBox)
    assert "did you mean 'TeraSort'?" in told.text()
    told.close()


def test_every_card_has_a_question_and_every_profile_a_card() -> None:
    listed = cards()
    assert {card.name for card in listed if not card.kind} == {entry.name for entry in describe()}
    assert [card.question for card in listed if not card.question.startswith("Published: ")] == sorted(
        (card.question for card in listed if card.question in QUESTIONS), key=QUESTIONS.index
    )


def row_of(library: LibraryPage, name: str) -> QModelIndex:
    """Return the card of a name, the only one that is shown."""
    model = library.cards.model()
    return next(index for row in range(model.rowCount()) if (index := model.index(row, 0)).data(CARD).name == name)


def test_a_card_shows_the_servers_of_its_profile_when_it_is_looked_at(window: MainWindow, qtbot: QtBot) -> None:
    library = library_of(window)
    library.show_question("Published: Hadoop jobs")
    index = row_of(library, "minio-terasort")
    qtbot.waitUntil(lambda: bool(index.data(GROUPS)))
    assert index.data(GROUPS) == (Drawn("storage", 12, True), Drawn("compute", 12, True))
    assert index.data(Qt.ItemDataRole.ToolTipRole).endswith("minio-terasort\n12 storage, 12 compute")


def colours_of(groups: tuple[Drawn, ...]) -> Counter[str]:
    """Return how many pixels of which colour the picture of some groups has."""
    image = QImage(SIZE, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    draw_servers(painter, QPointF(), groups)
    painter.end()
    return Counter(
        image.pixelColor(x, y).name()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    )


def test_groups_of_servers_are_drawn_by_their_counts_each_in_its_colour() -> None:
    first, second = (theme.series_colour(number).name() for number in range(2))
    few = colours_of((Drawn("storage", 4, True), Drawn("clients", 2, True)))
    assert few[first] == 2 * few[second] > 0
    many = colours_of((Drawn("storage", 2000, True), Drawn("clients", 1000, True)))
    assert many[first] == 2 * many[second] > few[first]
    assert colours_of((Drawn("clients", 4, False),))[first] < few[first]
    assert colours_of(()) == {}


def test_a_profile_that_cannot_be_read_has_no_picture() -> None:
    assert drawn_groups("no such profile") == ()


def test_every_kind_of_study_has_a_sign() -> None:
    assert {card.kind for card in cards()} - {""} <= STROKES.keys()


def test_a_question_narrows_the_cards_and_words_are_searched_everywhere(window: MainWindow, qtbot: QtBot) -> None:
    library = library_of(window)
    library.show_question("Published: SQL with Presto")
    assert library.cards.model().rowCount() == 8
    qtbot.keyClicks(library.search, "minio sort")
    assert library.questions.currentIndex().row() == 0
    assert library.cards.model().rowCount() > 1
    qtbot.keyClicks(library.search, " nonsense")
    assert library.cards.model().rowCount() == 0


def test_a_dropped_file_is_opened_and_recent(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "dropped.toml"
    path.write_text(SMALL, encoding="utf-8")
    drop(window, path)
    qtbot.waitUntil(lambda: window.session.document.path == path)
    assert [recent.file for recent in window.session.recent] == [str(path)]


def test_a_dropped_study_opens_on_its_page_with_the_profile_beside_it(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "mine.toml").write_text(SMALL, encoding="utf-8")
    path = tmp_path / "study.toml"
    path.write_text(STUDY, encoding="utf-8")
    drop(window, path)
    qtbot.waitUntil(lambda: window.page == "Sweep")
    assert window.session.document.path == tmp_path / "mine.toml"
    assert window.seed.value() == 4
    assert [recent.file for recent in window.session.recent] == [str(path), str(tmp_path / "mine.toml")]


def test_a_study_that_is_wrong_is_told_and_the_open_profile_stays(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(STUDY.replace("seed = 4", 'seed = "four"'), encoding="utf-8")
    assert not window.open(str(path))
    told = window.findChild(QMessageBox)
    assert "study.toml:4: seed: " in told.text()
    told.close()
    assert window.session.document.name == "small"


def test_a_file_that_is_gone_is_told_and_the_open_profile_stays(window: MainWindow, tmp_path: Path) -> None:
    assert not window.open(str(tmp_path / "gone.toml"))
    told = window.findChild(QMessageBox)
    assert told is not None
    assert "no such profile or file" in told.text()
    told.close()
    assert window.session.document.name == "small"


def test_storage_and_framework_narrow_the_cards(window: MainWindow) -> None:
    library = library_of(window)
    library.storage.setCurrentText("ceph")
    cards = library.cards.model()
    shown = [cards.index(row, 0).data(CARD) for row in range(cards.rowCount())]
    assert shown
    assert {card.storage for card in shown} == {"ceph"}
    library.framework.setCurrentText("spark")
    assert all(cards.index(row, 0).data(CARD).framework == "spark" for row in range(cards.rowCount()))
