"""Advice on designs for a terminal, and as JSON: the contract `headroom.lint/1`."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from app.reports.contracts import planning
from app.reports.json_text import dumps
from models.advice import Advice

Found = Sequence[tuple[str, Sequence[Advice]]]
"""The advice by profile, in the order asked for."""


def has_warning(advised: Found) -> bool:
    """Tell whether there is more than hints."""
    return any(piece.is_warning for _, advice in advised for piece in advice)


def render_text(advised: Found) -> str:
    """Return the advice as text."""
    lines = []
    for profile, advice in advised:
        lines.append(f"{profile}: no warning and no hint" if not advice else f"{profile}:")
        for piece in advice:
            line = f"{piece.severity}: {piece.key}: {piece.message}"
            lines += textwrap.wrap(line, 100, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
            lines += textwrap.wrap(f"source: {piece.source}", 100, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines) + "\n"


def render_json(advised: Found) -> str:
    """Return the advice as JSON text."""
    return dumps(contract(advised))


def contract(advised: Found) -> planning.Lint:
    """Return the advice as JSON data."""
    return {
        "schema": "headroom.lint/1",
        "profiles": [{"profile": profile, "advice": list(map(as_data, advice))} for profile, advice in advised],
    }


def as_data(advice: Advice) -> planning.Advice:
    """Return one piece of advice as JSON data."""
    return {
        "rule": advice.rule,
        "severity": advice.severity,
        "key": advice.key,
        "message": advice.message,
        "source": advice.source,
    }
