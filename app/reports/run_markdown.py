"""One run as a Markdown page: what the terminal shows, then the source of every number."""

from __future__ import annotations

from collections.abc import Iterator

from app.reports.findings import GROUPS, STAGES, answer, capacity, group_row, stage_row, used_groups
from app.reports.run_report import RunReport
from app.reports.tables import markdown_table


def render(report: RunReport) -> str:
    """Return the whole report as Markdown."""
    return "\n\n".join("\n".join(lines) for lines in _sections(report) if lines) + "\n"


def _sections(report: RunReport) -> Iterator[list[str]]:
    result = report.result
    yield [f"# {report.title}"]
    yield markdown_table(("", "answer"), answer(report))
    yield [f"- changed: `{key} = {value}`" for key, value in report.settings.items()]
    yield [f"- warning: {warning}" for warning in report.warnings]
    yield ["## Stages"]
    yield markdown_table(STAGES, [stage_row(stage) for stage in result.stages])
    yield ["## Utilisation"]
    yield markdown_table(GROUPS, [group_row(group) for group in used_groups(report)])
    yield ["## Capacity"]
    yield [f"{capacity(report)}."]
    yield ["## Sources"]
    yield markdown_table(
        ("key", "kind", "source"), [(f"`{line.key}`", line.kind, line.text) for line in report.sources]
    )
    yield [f"Profile `{result.profile}`, seed {result.seed}, headroom {result.version}."]
