"""Running one profile: load, simulate, report."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from app.cli.output import STDOUT, check_writable, each, write
from app.cli.progress import RunProgress
from app.cli.reporting import form_problems, marks_of, suffix
from app.cli.terminal import mention
from app.planning.settings import pairs, setting_problems
from models.problem import Problem, ProblemError, RefusalError
from models.values import value

if TYPE_CHECKING:
    from app.planning.effort import Effort
    from app.reports.locales import Locale
    from app.reports.run.run_report import RunReport


@value(kw_only=True)
class Request:
    """What the user asked for. `settings` are texts by dotted key, in the order given."""

    profile: str
    settings: dict[str, str]
    seed: int
    replications: int
    tolerance: float | None
    interval: Effort
    format: str
    output: str | None
    reports: tuple[str, ...]
    locale: str = "en"

    @classmethod
    def of(
        cls, *, profile: str | None, settings: Sequence[str], tolerance: str | None, format_: str, **rest: Any
    ) -> Request:
        """Return the request that the options state.

        Raises:
            ProblemError: with everything that is wrong with them.
        """
        problems = [*_profile_problems(profile), *setting_problems(settings), *form_problems(rest["reports"])]
        part, wrong = _tolerance(tolerance)
        if problems or wrong:
            raise ProblemError([*problems, *wrong])
        return cls(profile=profile or "", settings=pairs(settings), tolerance=part, format=format_, **rest)


def run(request: Request) -> None:
    """Simulate and write the answer and the reports.

    Raises:
        ProblemError: the profile or a file is wrong.
    """
    targets = [("--report", name) for name in request.reports]
    check_writable([("--output", STDOUT if request.output is None else request.output), *targets])
    marks = marks_of(request.locale)
    report = answer(request)

    def write_report(option: str, name: str) -> None:
        write(name, rendered(report, suffix(name), marks), option)

    each(
        *(partial(write_report, option, name) for option, name in targets),
        lambda: write(request.output, render(report, request.format)),
    )


def render(report: RunReport, form: str) -> str:
    """Return an answer as text, json or csv."""
    if form == "text":
        from app.reports.forms import document_text
        from app.reports.run import run_brief

        return document_text.render(run_brief.document(report))
    text: str = import_module(f"app.reports.run.run_{form}").render(report)
    return text


def rendered(report: RunReport, form: str, marks: Locale) -> str | bytes:
    """Return a report in the form that a file's suffix asks for, with the marks of its numbers."""
    if form in (".json", ".csv"):
        return render(report, form.removeprefix("."))
    from app.reports.forms import documents
    from app.reports.run import run_brief, run_document

    page = run_brief.document(report) if form == ".txt" else run_document.document(report)
    return documents.render(page, form, marks)


def answer(request: Request) -> RunReport:
    """Load and simulate what a request asks for.

    Raises:
        ProblemError: the profile is wrong.
    """
    from app.planning.loading import choose
    from app.planning.running import run
    from models.footprint import MUCH
    from models.symmetry import Detail, memory_of
    from models.units import format

    chosen = choose(request.profile, request.settings)
    taken = memory_of(chosen.scenario, Detail.of(request.tolerance, chosen.scenario))
    if taken > MUCH:
        mention(f"This run may take {format(taken, 'B')} of memory; with a --tolerance it takes less.", err=True)
    rough, is_interval = request.tolerance is None, request.interval != "none"
    with RunProgress(request.replications, may_be_rough=rough, is_interval=is_interval) as progress:
        return run(
            chosen,
            seed=request.seed,
            replications=request.replications,
            on_event=progress,
            tolerance=request.tolerance,
            interval=request.interval,
        )


def _profile_problems(profile: str | None) -> list[Problem]:
    if profile:
        return []
    return [Problem("", None, "--profile", "missing: name a shipped profile (see: simulate profiles) or a TOML file")]


def _tolerance(text: str | None) -> tuple[float | None, list[Problem]]:
    """Return the part that a text states, if any, and what is wrong with it."""
    if text is None:
        return None, []
    from models.units import parse
    from models.work import LOOSEST

    try:
        part = parse(text, "1")
    except RefusalError as error:
        return 0.0, [Problem("", None, "--tolerance", str(error))]
    if 0.0 <= part <= LOOSEST:
        return part, []
    return 0.0, [Problem("", None, "--tolerance", f"must be from 0 to {LOOSEST:.1%} (got {text})")]
