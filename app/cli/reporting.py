"""What commands do alike with their options: answers and reports in the forms asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from models.problem import Problem, ProblemError, did_you_mean
from models.units import either

if TYPE_CHECKING:
    from app.reports.document import Document
    from app.reports.locales import Locale

REPORTS = (".html", ".pdf", ".md", ".xlsx", ".pptx", ".zip", ".json", ".csv", ".txt")
OPTION = "--report"


def check_forms(names: Sequence[str], given: str = OPTION) -> None:
    """Refuse names of reports, `given` by an option or argument, whose suffix asks for no form.

    Raises:
        ProblemError: with every one.
    """
    if problems := form_problems(names, given):
        raise ProblemError(problems)


def form_problems(names: Sequence[str], given: str = OPTION) -> list[Problem]:
    """Return what is wrong with the names of reports."""
    return [Problem("", None, given, _message(name)) for name in names if suffix(name) not in REPORTS]


def check_files(options: Mapping[str, Any]) -> None:
    """Refuse an output and reports that cannot be written, before anything is computed for them.

    Raises:
        ProblemError: with every one.
    """
    from app.cli.output import STDOUT, check_writable

    check_forms(options["reports"])
    marks_of(options["locale"])
    output = STDOUT if options["output"] is None else options["output"]
    check_writable([("--output", output), *((OPTION, name) for name in options["reports"])])


def tell(options: Mapping[str, Any], page: Document, *, text: Document, sheet: Document) -> None:
    """Write the reports of a page, and the answer: as text, as the page's data in JSON, or as the tables of a sheet.

    Raises:
        ProblemError: a file cannot be written.
    """
    from app.cli.output import each, write
    from app.reports.forms import document_csv, document_text
    from app.reports.json_text import dumps

    forms = {
        "text": lambda: document_text.render(text),
        "json": lambda: dumps(page.data),
        "csv": lambda: document_csv.render(sheet),
    }
    each(
        lambda: write_reports(page, options["reports"], options["locale"]),
        lambda: write(options["output"], forms[options["format_"]]()),
    )


def write_reports(document: Document, names: Sequence[str], locale: str, option: str = OPTION) -> None:
    """Write a report in the form of each name, `option` of the command, with its numbers as a locale writes them.

    One that cannot be written keeps none of the others from being written.

    Raises:
        ProblemError: files cannot be written, or the locale is not known.
    """
    from app.cli.output import each, write
    from app.reports.forms import documents

    marks = marks_of(locale)

    def write_one(name: str) -> None:
        write(name, documents.render(document, suffix(name), marks), option)

    each(*(partial(write_one, name) for name in names))


def marks_of(locale: str) -> Locale:
    """Return how a locale writes numbers; English asks no library.

    Raises:
        ProblemError: nothing is known of it.
    """
    from app.reports.locales import ENGLISH, locale_of

    return ENGLISH if locale == ENGLISH.name else locale_of(locale)


def suffix(name: str) -> str:
    """Return the suffix of a file name in small letters."""
    return PurePath(name).suffix.lower()


def _message(name: str) -> str:
    near = did_you_mean(suffix(name), REPORTS)
    return f"the suffix chooses the form, expected {either(REPORTS)} (got '{name}'){near}"
