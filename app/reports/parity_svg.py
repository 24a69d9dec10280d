"""A validation as a picture: each documented value and below it the simulated one, as bars. SVG, without a library."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from app.reports import words
from app.reports.validation_report import ValidationReport
from simulator.studies.validate import OutcomeResult

WIDTH, ROW, TOP = 760, 40, 40  # of the picture, of one outcome, above the first; pixels as all below
BAR, GAP = 13, 2  # height of a bar, and the space between two
LEFT, LONGEST = 205, 400  # where bars begin, and the length of the longest
DOCUMENTED, PREDICTED, FITTED = "#8c959f", "#0a58a6", "#79aede"
LEGEND = ((DOCUMENTED, "documented"), (PREDICTED, "simulated, predicted"), (FITTED, "simulated, fitted-to"))


def render(report: ValidationReport) -> str:
    """Return the picture of all outcomes; bars of the same unit share a scale, a band shows its upper edge."""
    outcomes = report.validation.outcomes
    height = TOP + ROW * len(outcomes)
    longest: dict[str, float] = {}
    for outcome in outcomes:
        longest[outcome.unit] = max(longest.get(outcome.unit, 0.0), outcome.simulated, _upper(outcome))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" role="img">',
        "<title>Documented and simulated values</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        *(line for x, (colour, said) in enumerate(LEGEND) for line in _bar(LEFT + 165 * x, 12, BAR, colour, said)),
    ]
    for row, outcome in enumerate(outcomes):
        lines += _outcome(outcome, TOP + ROW * row, LONGEST / (longest[outcome.unit] or 1.0))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _outcome(outcome: OutcomeResult, y: int, scale: float) -> Iterator[str]:
    colour = FITTED if outcome.role == "fitted-to" else PREDICTED
    error = words.signed_percent(outcome.error)
    yield f'<text x="{LEFT - 8}" y="{y + 18}" font-size="12" text-anchor="end">{escape(outcome.id)}</text>'
    yield from _bar(LEFT, y, scale * _upper(outcome), DOCUMENTED, words.documented(outcome.documented, outcome.unit))
    simulated = f"{words.simulated(outcome.simulated, outcome.unit)} ({error})"
    yield from _bar(LEFT, y + BAR + GAP, scale * outcome.simulated, colour, simulated)


def _bar(x: int, y: int, length: float, colour: str, said: str) -> Iterator[str]:
    """Yield a bar and the words at its end."""
    yield f'<rect x="{x}" y="{y}" width="{length:.1f}" height="{BAR}" fill="{colour}"/>'
    yield f'<text x="{x + length + 5:.1f}" y="{y + BAR - 2}" font-size="12">{escape(said)}</text>'


def _upper(outcome: OutcomeResult) -> float:
    return outcome.documented[1] if isinstance(outcome.documented, tuple) else outcome.documented
