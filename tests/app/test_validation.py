"""`simulate validate`, `fit` and `demo`: the reports on made-up outcomes, and the commands on the shipped ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.planning.cases import cases_of, chosen_families
from app.reports import fit_document
from app.reports.comparison_document import Row, Side, verdict
from app.reports.forms import document_text
from app.reports.validation import validation_document, validation_json, validation_markdown
from app.reports.validation.validation_document import parameter_row
from app.reports.validation.validation_report import ValidationReport, targets_in_words
from models.outcome import Chapter, Errors, Family, LeftOut, Parameter, Remark
from profiles.shipped.outcomes import documented
from simulator.result import Bottleneck
from simulator.studies.fit import FittedValue
from simulator.studies.validate import FamilySummary, OutcomeResult, ParameterResult, Validation
from tests.app.conftest import Type

CHUNK = Parameter(
    name="chunk of a drive",
    key="cluster.groups.*.server.bays.data.drive.mixed_chunk",
    file="hardware/drives/mine",
    file_key="mixed_chunk",
    unit="B",
    family="copy",
    low=1e5,
    high=1e7,
    fitted_to=("copy/a",),
    used_by=("copy/a", "copy/b"),
)
COPY = Family(
    name="copy", mean_target=0.07, worst_target=0.2, budget=3, note="A note.\n", parameters=(CHUNK,), title="two copies"
)
A = OutcomeResult("copy/a", "copy", 100.0, 110.0, "s", 0.1, "fitted-to", "copy-a")
B = OutcomeResult("copy/b", "copy", (1.0, 2.0), 1.5, "GB/s", 0.0, "predicted", "copy-b")


def left_out_with(error: float | None) -> LeftOut:
    """Return what leaving out came to: an error of the first copy, or a range if it has none; none of the second."""
    ranges = {"copy/a": (80.0, 2400.0)} if error is None else {}
    return LeftOut("0.1.0", {"copy/a": error, "copy/b": 0.0}, {"copy": {"both": None}}, ranges)


def report(within: bool = True, left_out: LeftOut | None = None) -> ValidationReport:
    summary = FamilySummary(mean_abs_error=0.05, worst=0.1, fitted=1, outcomes=2, within_targets=within)
    validation = Validation((A, B), (ParameterResult(CHUNK, 7.4e5),), {"copy": summary})
    return ValidationReport(validation=validation, families=(COPY,), left_out=left_out)


def text_of(told: ValidationReport) -> str:
    return document_text.render(validation_document.document(told))


def test_the_page_tells_how_many_outcomes_lie_in_their_intervals() -> None:
    """Ten rates of one kind, told half as fast again, give or take five per cent."""
    kinds = ("requests on ceph", "requests on ceph, held up by cpu")
    outcomes = tuple(
        OutcomeResult(f"new/{i}", "new", 1.0, 1.5, "1/s", 0.5 + 0.01 * i, "predicted", "new", kinds=kinds)
        for i in range(-5, 5)
    )
    family = Family(name="new", mean_target=0.07, worst_target=0.2, budget=0, note="", parameters=(), title="clusters")
    summary = FamilySummary(mean_abs_error=0.5, worst=0.55, fitted=0, outcomes=10, within_targets=False)
    validation = Validation(outcomes, (), {"new": summary})
    page = validation_markdown.render(ValidationReport(validation=validation, families=(family,)))
    rows = [line for line in page.splitlines() if line.startswith(("| all |", "| clusters never seen |"))]
    assert [row.split("|")[2].strip() for row in rows] == ["10", "10"]
    assert "| outcomes of | outcomes | in that of 50 % | in that of 80 % | in that of 95 % | mean width |" in page


def test_the_page_tells_of_clusters_never_seen_how_far_off_each_question_is_and_which_way() -> None:
    def outcome(id: str, error: float, unit: str, question: str, source: str) -> OutcomeResult:
        return OutcomeResult(id, "new", 1.0, 1 + error, unit, error, "predicted", "", kinds=(question,), source=source)

    outcomes = (
        outcome("a", 0.5, "1/s", "requests on ceph", "one"),
        outcome("b", 0.1, "1/s", "requests on ceph", "two"),
        outcome("c", -0.2, "s", "requests on ceph", "two"),
        outcome("d", 0.25, "s", "mapreduce on hdfs", "three"),
    )
    family = Family(name="new", mean_target=0.07, worst_target=0.2, budget=0, note="", parameters=(), title="clusters")
    summary = FamilySummary(mean_abs_error=0.26, worst=0.5, fitted=0, outcomes=4, within_targets=False)
    page = validation_markdown.render(
        ValidationReport(validation=Validation(outcomes, (), {"new": summary}), families=(family,))
    )
    ceph = "| requests on ceph | 2 | 3 | 27 % | 20 % | 67 % | +25 % |"
    hdfs = "| mapreduce on hdfs | 1 | 1 | 25 % | 25 % | 0 % | -20 % |"
    assert f"{ceph}\n{hdfs}\n" in page


def test_the_page_has_the_remarks_of_a_family_under_their_chapters() -> None:
    chapter = Chapter("What is missed", "Two are.", (Remark("A copy", "It waits.\n"),))
    page = validation_markdown.render(replace(report(), families=(replace(COPY, chapters=(chapter,)),)))
    assert page.endswith("### What is missed\n\nTwo are.\n\n#### A copy\n\nIt waits.\n")


def test_text_gives_errors_beside_targets_then_each_outcome_then_each_fitted_number() -> None:
    assert text_of(report()) == (
        "Validation\n"
        "\n"
        "copy: 2 documented outcomes\n"
        "---------------------------\n"
        "\n"
        "Targets  mean error 5.0 %, at most 7 %\n"
        "         worst error 10.0 %, at most 20 %\n"
        "         fitted or chosen 1, at most 3\n"
        "         1 of 2 predicted: mean error 0.0 %\n"
        "\n"
        "outcome   documented  simulated    error  role\n"
        "copy/a         100 s    110.0 s  +10.0 %  fitted-to\n"
        "copy/b   1 to 2 GB/s   1.5 GB/s   +0.0 %  predicted\n"
        "\n"
        "fitted number      value  fitted to\n"
        "chunk of a drive  740 kB  a\n"
        "\n"
        "All families\n"
        "------------\n"
        "\n"
        "family  outcomes  predicted  mean error  of predicted   worst  fitted or chosen  mean left out  worst left out"
        "  targets\n"
        "copy           2          1       5.0 %         0.0 %  10.0 %            1 of 3        not run         not run"
        "  met\n"
        "\n"
        "Validation  within the targets\n"
    )


def test_text_names_the_target_that_is_missed() -> None:
    tight = replace(COPY, mean_target=0.04)
    text = text_of(replace(report(within=False), families=(tight,)))
    assert "Targets  mean error 5.0 %, at most 4 %: missed\n" in text
    assert "        not run         not run  MISSED\n" in text
    assert text.endswith("Validation  OUTSIDE THE TARGETS\n")


def test_json_has_the_keys_of_the_contract() -> None:
    data = json.loads(validation_json.render(report()))
    assert list(data) == ["schema", "outcomes", "parameters", "families", "coverage", "interval_width", "coverage_of"]
    assert data["schema"] == "headroom.validation/1"
    assert data["outcomes"][1] == {
        "id": "copy/b",
        "family": "copy",
        "documented": [1.0, 2.0],
        "simulated": 1.5,
        "unit": "GB/s",
        "error": 0.0,
        "role": "predicted",
        "profile": "copy-b",
        "confidence": "text",
        "limit": "",
        "names_the_bottleneck": None,
    }
    assert data["parameters"] == [
        {
            "name": "chunk of a drive",
            "kind": "fitted",
            "value": 7.4e5,
            "unit": "B",
            "family": "copy",
            "fitted_to": ["copy/a"],
        }
    ]
    assert data["families"]["copy"] == {
        "mean_abs_error": 0.05,
        "worst": 0.1,
        "median": 0.0,
        "near": 1.0,
        "bottlenecks": None,
        "fitted": 1,
        "chosen": 0,
        "outcomes": 2,
        "within_targets": True,
        "targets": {
            "mean_abs_error": 0.07,
            "worst": 0.2,
            "median": None,
            "near": None,
            "bottlenecks": None,
            "fitted": 3,
        },
    }


def test_an_outcome_left_out_of_the_fit_stands_beside_its_fitted_error() -> None:
    left_out = report(left_out=left_out_with(0.12))
    text = text_of(left_out)
    assert "  mean error when left out 6.0 %, at most 14 %; worst 12.0 %\n" in text
    assert "          6.0 %          12.0 %  met\n" in text
    assert "copy/a         100 s    110.0 s  +10.0 %  fitted-to   +12.0 %\n" in text
    assert "  without both: not testable\n" in text
    data = json.loads(validation_json.render(left_out))
    assert [outcome["left_out"] for outcome in data["outcomes"]] == [0.12, 0.0]
    assert data["leave_one_out"] == {
        "version": "0.1.0",
        "families": {
            "copy": {
                "mean_abs_error": 0.06,
                "worst": 0.12,
                "outcomes": 2,
                "not_testable": 0,
                "together": {"both": None},
            }
        },
    }


def test_an_outcome_that_is_not_testable_is_told_and_stays_out_of_the_means() -> None:
    left_out = report(left_out=left_out_with(None))
    text = text_of(left_out)
    assert "  mean error when left out 0.0 %, at most 14 %; worst 0.0 %; 1 not testable\n" in text
    assert "+10.0 %  fitted-to  not testable: 80 to 2,400.0 s\n" in text
    first, second = json.loads(validation_json.render(left_out))["outcomes"]
    assert first["left_out"] is None
    assert first["left_out_range"] == [80.0, 2400.0]
    assert "left_out_range" not in second


def test_of_what_is_left_out_as_a_whole_it_is_told_how_much_is_not_testable() -> None:
    family = replace(COPY, left_out_together={"both": ("copy/*",), "one": ("copy/a",)})
    one = Errors(1, 0.06, 0.06)
    left_out = replace(left_out_with(0.12), together={"copy": {"both": one, "one": one}})
    text = text_of(replace(report(left_out=left_out), families=(family,)))
    assert "  without both: mean error 6.0 %, worst 6.0 %, of 1; 1 not testable\n" in text
    assert "  without one: mean error 6.0 %, worst 6.0 %, of 1\n" in text


def test_predictions_worse_than_twice_the_target_are_outside_the_targets() -> None:
    assert report(left_out=left_out_with(0.28)).is_within_targets
    assert not report(left_out=left_out_with(0.29)).is_within_targets
    assert not report(within=False).is_within_targets


def test_the_page_begins_with_all_families_in_a_table_and_their_picture() -> None:
    page = validation_markdown.render(report(), "images/parity.svg")
    table = "| [copy](#copy) | two copies | 2 | 1 | 5.0 % | 0.0 % | 10.0 % | 1 of 3 | not run | not run | met |"
    assert page.startswith("# Validation\n")
    assert f"{validation_markdown.NOT_LEFT_OUT}\n\n| family | what | outcomes |" in page
    assert f"\n{table}\n\n![Simulated over documented values, a panel for each family](images/parity.svg)\n" in page
    assert "![" not in validation_markdown.render(report())


def test_the_page_has_of_each_family_its_targets_note_outcomes_and_fitted_numbers() -> None:
    page = validation_markdown.render(report())
    assert "## copy\n\nTwo copies.\n\n- mean error 5.0 %, at most 7 %\n" in page
    assert "| copy/a | 100 s | 110.0 s | +10.0 % | fitted-to | `copy-a` |\n" in page
    assert "\n\nA note.\n\n| outcome | documented |" in page
    assert page.endswith("| chunk of a drive | 740 kB | a | `profiles/library/hardware/drives/mine.toml` |\n")


def test_the_page_says_what_leaving_out_came_to() -> None:
    page = validation_markdown.render(report(left_out=left_out_with(0.12)))
    assert validation_markdown.LEFT_OUT.format("0.1.0") in page
    assert "| 1 of 3 | 6.0 % | 12.0 % | met |\n" in page
    assert "| copy/a | 100 s | 110.0 s | +10.0 % | fitted-to | +12.0 % | `copy-a` |\n" in page


def test_a_family_without_fitted_numbers_has_no_table_of_them() -> None:
    family = replace(COPY, parameters=(), budget=0)
    plain = ValidationReport(validation=replace(report().validation, parameters=()), families=(family,))
    assert "fitted number |" not in validation_markdown.render(plain)
    assert "fitted number " not in text_of(plain)


def test_a_number_that_is_fitted_to_many_outcomes_counts_them() -> None:
    many = replace(CHUNK, fitted_to=tuple(f"copy/{name}" for name in "abcdef"))
    assert parameter_row(ParameterResult(many, 7.4e5)) == ["chunk of a drive", "740 kB", "6 outcomes, a to f"]


def test_the_order_of_outcomes_counts_where_the_documents_hold_them_apart() -> None:
    simulated = {"a": (100.0, 120.0), "b": (110.0, 90.0), "c": (115.0, 110.0), "d": (300.0, 100.0)}
    outcomes = [
        OutcomeResult(f"copy/{name}", "copy", *pair, "s", 0.0, "predicted", "x") for name, pair in simulated.items()
    ]
    other = OutcomeResult("copy/rate", "copy", 900.0, 1.0, "MB/s", 0.0, "predicted", "x")
    ordered = ValidationReport(validation=Validation((*outcomes, B, other), (), {}), families=(COPY,))
    summary = FamilySummary(mean_abs_error=0.0, worst=0.0, fitted=0, outcomes=6, within_targets=True)
    assert targets_in_words(ordered, COPY, summary)[-1] == (
        "order as documented in 1 of 4 pairs more than 14 % apart; reversed: a and c, a and d, c and d"
    )


def test_a_fit_shows_old_and_new_values_with_what_they_are_fitted_to() -> None:
    assert document_text.render(fit_document.document([FittedValue(CHUNK, 5e5, 7.5e5)])) == (
        "Numbers fitted again to documented outcomes\n"
        "\n"
        "fitted number     in the profile  fitted again   change  fitted to\n"
        "chunk of a drive          500 kB        750 kB  +50.0 %  a\n"
    )


@pytest.mark.parametrize(
    ("simulated", "documented", "words"),
    [
        ((125.0, 100.0), (120.0, 100.0), "MinIO is 25.0 % faster than HDFS (documented 20.0 %)"),
        ((80.0, 100.0), (50.0, 100.0), "MinIO is 20.0 % slower than HDFS (documented 50.0 %)"),
        ((90.0, 100.0), (120.0, 100.0), "MinIO is 10.0 % slower than HDFS (documented 20.0 % faster)"),
    ],
)
def test_a_verdict_says_who_is_faster_and_what_was_documented(
    simulated: tuple[float, ...], documented: tuple[float, ...], words: str
) -> None:
    limit = Bottleneck("workers/cpu", 1.0)
    hdfs, minio = (Side(*row, limit) for row in zip(("HDFS", "MinIO"), simulated, documented, strict=True))
    assert verdict(Row("Sort", hdfs, minio)) == words


def test_demo_compares_the_three_documented_benchmarks(type_: Type) -> None:
    ended = type_("demo")
    assert (ended.status, ended.err) == (0, "")
    lines = ended.out.splitlines()
    verdicts = [line for line in lines if "MinIO is" in line]
    assert [line.split()[0] for line in verdicts] == ["TeraSort", "Sort", "WordCount"]
    assert all("faster than HDFS" in line for line in verdicts)
    assert [line.rsplit("documented ")[-1] for line in verdicts] == ["22.6 %)", "98.4 %)", "39.8 %)"]
    assert max(map(len, lines)) <= 105


def test_every_documented_outcome_that_is_no_input_has_a_case_and_no_other() -> None:
    ids = [case.outcome.id for case in cases_of(chosen_families(None))]
    assert sorted(ids) == sorted(outcome.id for outcome in documented().values() if outcome.role != "input")


def test_every_family_has_a_title_targets_and_a_note() -> None:
    for family in chosen_families(None):
        assert family.title, family.name
        assert 0 < family.mean_target <= (family.worst_target or 1), family.name
        assert len(family.note.split()) > 20, family.name


def test_validate_writes_the_page_with_its_picture_and_tells_by_its_status_whether_it_is_within_the_targets(
    type_: Type, tmp_path: Path
) -> None:
    page, picture = tmp_path / "validation.md", tmp_path / "images" / "parity.svg"
    picture.parent.mkdir()
    ended = type_("validate", "--family", "presto", "--format", "json", "--markdown", str(page), "--svg", str(picture))
    data = json.loads(ended.out)
    assert len(data["outcomes"]) == data["families"]["presto"]["outcomes"] == 8
    assert ended.status == (0 if data["families"]["presto"]["within_targets"] else 1)
    text = page.read_text(encoding="utf-8")
    assert text.count("| presto/") == 8
    assert "](images/parity.svg)" in text
    assert "presto" in picture.read_text(encoding="utf-8")
