"""The forms of a report: which suffix asks for which, and the bytes of each."""

from __future__ import annotations

from importlib import import_module
from pathlib import PurePath

from app.reports.document import Document

FORMS = {
    ".html": "document_html",
    ".pdf": "document_pdf",
    ".md": "document_markdown",
    ".xlsx": "document_xlsx",
    ".csv": "document_csv",
    ".json": "document_json",
    ".txt": "document_text",
}


def form_of(name: str) -> str | None:
    """Return the suffix of a file name if it asks for a form, else None."""
    suffix = PurePath(name).suffix.lower()
    return suffix if suffix in FORMS else None


def render(document: Document, suffix: str) -> bytes:
    """Return a report in the form that a suffix asks for; equal reports give equal bytes."""
    made = import_module(f"app.reports.{FORMS[suffix]}").render(document)
    return made.encode() if isinstance(made, str) else made
