"""The picture of a validation: bars whose lengths and words are those of the outcomes."""

from __future__ import annotations

from xml.etree import ElementTree

from app.reports import parity_svg
from app.reports.parity_svg import BAR, DOCUMENTED, FITTED, LEGEND, LONGEST, PREDICTED
from app.reports.validation_report import ValidationReport
from simulator.studies.validate import OutcomeResult, Validation

SLOW = OutcomeResult("copy/slow", "copy", 200.0, 100.0, "s", -0.5, "fitted-to", "slow")
FAST = OutcomeResult("copy/fast", "copy", 50.0, 75.0, "s", 0.5, "predicted", "fast")
RATE = OutcomeResult("copy/<rate>", "copy", (1.0, 4.0), 2.0, "GB/s", 0.0, "predicted", "rate")
SVG = "{http://www.w3.org/2000/svg}"


def picture(*outcomes: OutcomeResult) -> ElementTree.Element:
    report = ValidationReport(validation=Validation(outcomes, (), {}), families=())
    return ElementTree.fromstring(parity_svg.render(report))


def bars(*outcomes: OutcomeResult) -> list[tuple[str, float]]:
    """Return colour and length of every bar below the legend."""
    rows = picture(*outcomes).findall(f"{SVG}rect[@height='{BAR}']")
    return [(row.attrib["fill"], float(row.attrib["width"])) for row in rows[len(LEGEND) :]]


def texts(*outcomes: OutcomeResult) -> list[str | None]:
    return [text.text for text in picture(*outcomes).findall(f"{SVG}text")][len(LEGEND) :]


def test_bars_are_as_long_as_their_values_and_the_largest_fills_the_width():
    lengths = [length for _, length in bars(SLOW, FAST)]
    assert lengths == [LONGEST, LONGEST / 2, LONGEST / 4, LONGEST * 3 / 8]


def test_values_of_different_units_do_not_share_a_scale():
    assert [length for _, length in bars(SLOW, RATE)] == [LONGEST, LONGEST / 2, LONGEST, LONGEST / 2]


def test_colours_tell_fitted_from_predicted():
    assert [colour for colour, _ in bars(SLOW, FAST)] == [DOCUMENTED, FITTED, DOCUMENTED, PREDICTED]


def test_every_bar_says_its_value_and_the_simulated_one_its_error():
    assert texts(SLOW) == ["copy/slow", "200 s", "100.0 s (-50.0 %)"]


def test_a_band_is_named_whole_and_names_are_escaped():
    assert texts(RATE) == ["copy/<rate>", "1 to 4 GB/s", "2 GB/s (+0.0 %)"]


def test_validate_refuses_a_page_and_a_picture_in_one_file_before_it_runs(type_, tmp_path):
    ended = type_("validate", "--markdown", str(tmp_path / "both"), "--svg", str(tmp_path / "both"))
    assert ended.status == 2
    assert "--svg: cannot write" in ended.err
