"""The forms of a report: which suffix asks for which, and the bytes of each."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from app.reports.locales import ENGLISH, Locale

if TYPE_CHECKING:
    from app.reports.document import Document

FORMS = {
    ".html": "document_html",
    ".pdf": "document_pdf",
    ".md": "document_markdown",
    ".xlsx": "document_xlsx",
    ".pptx": "document_pptx",
    ".zip": "document_zip",
    ".csv": "document_csv",
    ".json": "document_json",
    ".txt": "document_text",
}
READ = (".html", ".pdf", ".md", ".pptx", ".txt", ".zip")
"""Forms whose numbers are text; a workbook has formats of the program that shows it."""


def render(document: Document, suffix: str, locale: Locale = ENGLISH) -> bytes:
    """Return a report in the form that a suffix asks for; equal reports give equal bytes.

    Forms that people read have their numbers as the locale writes them.
    """
    from app.reports.forms.localized import localized  # imported late: who asks for the forms alone needs no document

    read = localized(document, locale) if suffix in READ else document
    made = import_module(f"app.reports.forms.{FORMS[suffix]}").render(read)
    return made.encode() if isinstance(made, str) else made
