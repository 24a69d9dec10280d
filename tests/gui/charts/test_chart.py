"""Charts answer to the hand: values where the pointer is, one curve alone, a picture to keep."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QTextDocument
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from app.gui.charts.chart import Chart, legend
from app.planning.files import KEPT


def drawn(qtbot: QtBot) -> Chart:
    """Return a chart with two curves."""
    chart = Chart("Duration", "servers")
    chart.resize(400, 300)
    qtbot.addWidget(chart)

    def draw() -> None:
        chart.plot.plot([10, 20, 30], [3.0, 2.0, 1.5], name="HDFS")
        chart.plot.plot([10, 20], [5.0, 4.0], name="MinIO")

    chart.draw(draw)
    return chart


def test_the_values_next_to_a_place_are_said_and_a_linked_chart_points_there(qapp: QApplication, qtbot: QtBot) -> None:
    chart, other = drawn(qtbot), drawn(qtbot)
    chart.link(other)
    assert chart.values_at(21.0) == ["HDFS: 2 at 20", "MinIO: 4 at 20"]
    chart.hovered.emit(21.0)
    assert other._cross.value() == 21.0
    assert other._cross.isVisible()


def test_the_keys_of_a_chart_are_taken_by_nothing_in_it_that_has_no_name(qapp: QApplication, qtbot: QtBot) -> None:
    chart = drawn(qtbot)
    takers = [child for child in chart.findChildren(QWidget) if child.focusPolicy() != Qt.FocusPolicy.NoFocus]
    assert all(taker.accessibleName() for taker in takers)
    assert chart.focusPolicy() == Qt.FocusPolicy.StrongFocus


def test_names_are_letters_on_axes_and_in_legends_and_no_tags(qapp: QApplication, qtbot: QtBot) -> None:
    chart, name = drawn(qtbot), "<img\tsrc='x.png'>"
    chart.label("left", name)
    assert "<img src='x.png'>" in chart.plot.getAxis("left").label.toPlainText()
    assert "<img" not in legend([(name, QColor("black"), "<b>")], is_linked=True)


def test_the_name_of_an_axis_without_room_is_shortened_in_its_middle_and_keeps_its_unit(
    qapp: QApplication, qtbot: QtBot
) -> None:
    chart, name = drawn(qtbot), "duration of what is done in the night (min)"
    axis = chart.plot.getAxis("left")
    chart.resize(300, 200)
    chart.label("left", name)
    chart.show()
    qtbot.waitUntil(lambda: "…" in axis.label.toPlainText())
    assert axis.label.toPlainText().endswith(" (min)")
    assert axis.label.boundingRect().width() <= chart.height()
    chart.resize(300, 800)
    qtbot.waitUntil(lambda: axis.label.toPlainText() == name)


def test_no_name_in_a_legend_is_broken_over_two_lines(qapp: QApplication) -> None:
    text = legend([("ceph-rbd on workers/data drives", QColor("black"), "")])
    assert "ceph-&#8288;rbd&nbsp;on&nbsp;workers/&#8288;data&nbsp;drives" in text


def test_what_is_said_behind_a_long_name_is_seen_and_the_whole_name_is_that_of_the_curve(qapp: QApplication) -> None:
    name = f"{'w' * 60}/data"
    label = QLabel(legend([(name, QColor("black"), "8 %")], is_linked=True), textFormat=Qt.TextFormat.RichText)
    assert f'href="{name}"' in label.text()
    assert label.sizeHint().width() < label.fontMetrics().horizontalAdvance(name)
    assert "…" in label.text()
    assert label.text().endswith("data&nbsp;8&nbsp;%</a></div>")


def test_a_legend_of_arabic_names_is_written_from_left_to_right(qapp: QApplication) -> None:
    page = QTextDocument()
    page.setHtml(legend([("خوادم/cpu", QColor("black"), "15 %")]))
    assert page.firstBlock().textDirection() == Qt.LayoutDirection.LeftToRight


def test_numbers_below_one_stand_on_the_axes_as_they_are(qapp: QApplication, qtbot: QtBot) -> None:
    chart = drawn(qtbot)
    chart.plot.setRange(xRange=(0, 0.5), yRange=(0, 0.4))
    chart.name("Cost", "million USD")
    for side in ("left", "bottom"):
        axis = chart.plot.getAxis(side)
        chart.label(side, "million USD")
        axis.updateAutoSIPrefix()
        assert axis.tickStrings([0.2], axis.autoSIPrefixScale * axis.scale, 0.2) == ["0.2"]


def test_the_arrow_keys_move_the_line_from_point_to_point(qapp: QApplication, qtbot: QtBot) -> None:
    chart, other = drawn(qtbot), drawn(qtbot)
    chart.link(other)
    for key, at in ((Qt.Key.Key_Right, 10), (Qt.Key.Key_Right, 20), (Qt.Key.Key_End, 30), (Qt.Key.Key_Left, 20)):
        qtbot.keyClick(chart, key)
        assert (chart._cross.value(), other._cross.value()) == (at, at)
    assert chart.accessibleDescription() == "HDFS: 2 at 20; MinIO: 4 at 20"


def test_the_legend_shows_a_curve_alone_and_all_again(qapp: QApplication, qtbot: QtBot) -> None:
    chart = drawn(qtbot)
    chart.legend.linkActivated.emit("MinIO")
    assert chart.values_at(10.0) == ["MinIO: 5 at 10"]
    chart.legend.linkActivated.emit("MinIO")
    assert len(chart.values_at(10.0)) == 2


def test_the_picture_is_copied_and_saved(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    chart = drawn(qtbot)
    chart.copy_picture()
    assert QGuiApplication.clipboard().pixmap().size() == chart.grab().size()
    chart.save_picture()
    (dialog,) = chart.findChildren(QFileDialog)
    assert (dialog.defaultSuffix(), Path(dialog.selectedFiles()[0]).name) == ("png", "duration.png")
    dialog.fileSelected.emit(str(tmp_path / "chart.png"))
    dialog.reject()
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_that_cannot_be_saved_is_told_with_the_way_out(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    chart, there = drawn(qtbot), tmp_path / "there.png"
    there.mkdir()
    for path, why in {tmp_path / "gone" / "a.png": "no such file or directory", there: "is a directory"}.items():
        chart.write_picture(path)
        (box,) = chart.findChildren(QMessageBox)
        assert (box.text(), box.textFormat()) == (f"Cannot write {path}: {why}; {KEPT}", Qt.TextFormat.PlainText)
        box.done(0)
        qtbot.waitUntil(lambda: not chart.findChildren(QMessageBox))
    assert [path.name for path in tmp_path.iterdir()] == ["there.png"]
