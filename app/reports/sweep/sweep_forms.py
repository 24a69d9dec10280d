"""The forms of a sweep: those of every report, and tables of bare numbers."""

from __future__ import annotations

from app.reports.document import Document
from app.reports.forms import document_text, documents
from app.reports.sweep import sweep_json, sweep_table
from app.reports.sweep.sweep_document import document, sections
from app.reports.sweep.sweep_report import SweepReport

TERMINAL = ".text"


def render(report: SweepReport, form: str) -> str | bytes:
    """Return a sweep in the form of a suffix; ".text" is what a terminal shows."""
    if form == TERMINAL:
        return document_text.render(Document(report.title, sections(report)))
    if form == ".parquet":
        return sweep_table.render_parquet(report)
    own = {".csv": sweep_table.render_csv, ".json": sweep_json.render}
    return own[form](report) if form in own else documents.render(document(report), form)
