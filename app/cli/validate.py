"""`simulate validate`: re-run the documented benchmarks and print the error of each."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.values import OneOf, Whole

if TYPE_CHECKING:
    from app.reports.validation.validation_report import ValidationReport


@click.command("validate")
@click.option("--family", metavar="NAME", help="Only this family of documented outcomes.")
@click.option("--leave-one-out", is_flag=True, help="Also predict each outcome with numbers fitted without it.")
@click.option("--keep", is_flag=True, help="Keep what leaving out came to, so that each validation shows it.")
@click.option("--format", "format_", type=OneOf(["text", "json"]), default="text", show_default=True)
@click.option("--markdown", metavar="FILE", help="Write the page docs/validation.md to a file as well.")
@click.option("--svg", metavar="FILE", help="Draw simulated over documented values into a file as well.")
@click.option("--errors", metavar="FILE", help="Write the errors that predictions rest on to a file as well.")
@click.option("--workers", type=Whole(min=1), help="Processes; default: one per core.")
def command(
    family: str | None,
    leave_one_out: bool,
    keep: bool,
    format_: str,
    markdown: str | None,
    svg: str | None,
    errors: str | None,
    workers: int | None,
) -> int:
    """Re-run the documented benchmarks and say how far off each is.

    Exit status 1 if an error or the count of fitted numbers is outside the targets of its family.
    """
    from app.cli.output import check_writable, each, write
    from app.cli.progress import counted
    from app.planning.cases import chosen_families, validated, with_left_out
    from app.reports.forms import document_text
    from app.reports.validation import parity_svg, validation_document, validation_json, validation_markdown
    from profiles.shipped.outcomes import keep_left_out

    check_writable(
        [(option, name) for option, name in (("--markdown", markdown), ("--svg", svg), ("--errors", errors)) if name]
    )
    families = chosen_families(family)
    report = validated(families, workers, counted)
    if leave_one_out:
        report = with_left_out(report, workers, counted)
    if keep and report.left_out:
        keep_left_out(report.left_out)
    seen = _seen_from(markdown, svg) if markdown and svg else None
    forms = {
        "text": lambda: document_text.render(validation_document.document(report)),
        "json": lambda: validation_json.render(report),
    }
    each(
        lambda: write(markdown, validation_markdown.render(report, seen), "--markdown") if markdown else None,
        lambda: write(svg, parity_svg.render(report), "--svg") if svg else None,
        lambda: write(None, forms[format_]()),
        lambda: _write_errors(errors, report) if errors else None,
    )
    return 0 if report.is_within_targets else 1


def _write_errors(file: str, report: ValidationReport) -> None:
    """Write the errors of a validation beside those that ship of all other families."""
    from app.planning.errors import found
    from profiles.shipped.validated import validated, write_validated

    families = {family.name for family in report.families}
    kept = [row for row in validated() if row.family not in families]
    write_validated([*kept, *found(report)], Path(file))


def _seen_from(page: str, file: str) -> str:
    """Return the path of a file as a link on a page names it."""
    return Path(os.path.relpath(file, Path(page).parent)).as_posix()
