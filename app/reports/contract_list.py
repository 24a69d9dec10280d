"""The contracts of JSON output as a report: by which word each is known, and what it is."""

from __future__ import annotations

from app.reports.contracts import CONTRACTS, id_of
from app.reports.document import Column, Document, Section, Table


def document() -> Document:
    """Return the contracts, a row each."""
    rows = [(name, id_of(contract), _what(contract.__doc__ or "")) for name, contract in CONTRACTS.items()]
    table = Table("Contracts", (Column("name"), Column("schema"), Column("what it is")), rows)
    return Document("Contracts of JSON output", [Section("contracts", "", [table])])


def _what(text: str) -> str:
    """Return the first clause of what a contract says of itself."""
    return text.partition(".")[0].partition(";")[0]
