"""Advice on designs as a report, as a short one for a terminal, and as JSON: the contract `headroom.lint/1`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.reports.contracts import planning
from app.reports.contracts.filling import filled
from app.reports.document import Block, Column, Document, Facts, Paragraph, Section, Table
from models.advice import Advice
from models.hardware.measurement import counted

Found = Sequence[tuple[str, Sequence[Advice]]]
"""The advice by profile, in the order asked for."""
COLUMNS = (Column("severity"), Column("key"), Column("advice"), Column("source"))


def has_warning(advised: Found) -> bool:
    """Tell whether there is more than hints."""
    return any(piece.is_warning for _, advice in advised for piece in advice)


def document(advised: Found) -> Document:
    """Return the advice as a report: a section for each profile."""
    sections = [Section("advice", profile, list(blocks(advice))) for profile, advice in advised]
    return Document(_title(advised), sections, contract(advised))


def brief(advised: Found) -> Document:
    """Return the advice for a terminal: what is said of each key, and who says so."""
    told = [(profile, advice) for profile, advice in advised if advice or len(advised) > 1]
    sections = [Section("advice", profile, [*map(_facts, advice)] or list(blocks(advice))) for profile, advice in told]
    return Document(_title(advised), sections)


def blocks(advice: Sequence[Advice]) -> Iterator[Block]:
    """Yield the advice on one design as a table, or that there is none."""
    if not advice:
        yield Paragraph("No warning and no hint.")
        return
    yield Table("Advice", COLUMNS, [(piece.severity, piece.key, piece.message, piece.source) for piece in advice])


def _title(advised: Found) -> str:
    """Return how much advice there is: "Advice on hdfs-terasort: no warning and 1 hint"."""
    pieces = [piece for _, advice in advised for piece in advice]
    warnings = sum(piece.is_warning for piece in pieces)
    about = advised[0][0] if len(advised) == 1 else counted(len(advised), "profile")
    hints = len(pieces) - warnings
    return f"Advice on {about}: {_number(warnings, 'warning')} and {_number(hints, 'hint')}"


def _number(count: int, what: str) -> str:
    return counted(count, what) if count else f"no {what}"


def _facts(piece: Advice) -> Facts:
    return Facts([(piece.severity, f"{piece.key}: {piece.message}"), ("source", piece.source)])


def contract(advised: Found) -> planning.Lint:
    """Return the advice as JSON data."""
    return {
        "schema": "headroom.lint/1",
        "profiles": [{"profile": profile, "advice": list(map(as_data, advice))} for profile, advice in advised],
    }


def as_data(advice: Advice) -> planning.Advice:
    """Return one piece of advice as JSON data."""
    return filled(planning.Advice, advice)
