"""A validation as the page docs/validation.md: all families in a table and a picture, then each in full."""

from __future__ import annotations

from collections.abc import Iterator

from app.reports.tables import markdown_table
from app.reports.validation.coverage import Coverage, by_population, coverage
from app.reports.validation.validation_document import (
    CHOICES,
    choice_row,
    outcome_header,
    outcome_row,
    parameter_row,
    summary_header,
    summary_row,
)
from app.reports.validation.validation_report import Asked, ValidationReport, targets_in_words
from models.outcome import Family
from models.planning.calibration import LEVELS
from simulator.studies.validate import FamilySummary

INTRODUCTION = """\
# Validation

Written by `simulate validate --markdown`. Every outcome is simulated as a user would, from a shipped profile; no model
knows an outcome. The error is (simulated - documented) / documented; for a documented band it is 0 inside and the
distance to the nearer edge outside.

**What counts.** A number is *fitted* if a search found it by documented outcomes (`simulate fit` finds it again), and a
value, switch, reading or rule is *chosen* if somebody picked it with outcomes in sight. Both count, against one budget
for each family. An outcome is *fitted-to* if a number was fitted to it or anything chosen acts on it, *predicted* if
neither, and an *answer* if it is a document's own arithmetic. One *in words* has no documented number: the band is our
reading; one from *memory* nobody could look up any more; one that is *contradicted* the hardware of its own source
cannot reach, by bytes and cards alone. Their errors are shown and count nowhere. The tables of what was chosen say what
the outcome would come to otherwise: with what ships, or by the other reading.

**Left out** is the stricter test: outcomes are predicted by numbers that were fitted without them, one after the other
and by whole systems or classes of queries. A fit begins at points spread over the bounds of its numbers, never at the
values that ship. What was chosen is not chosen again. An outcome that nothing is fitted to keeps its error. A mean that
is documented tells each of its outcomes by the rest: it is not heard where one of them is left out, nor they where it
is. The mean error may be twice the target.

An outcome is *not testable*, and stays out of the means, if the others do not tell it: if fits of them that are as good
predict it differently. This is a convention, one for all families. A fit is as good as the best if the squares of its
errors (0 inside a band) sum up to no more than the best's and the square of the family's mean target: as if one outcome
more were missed by that. Such fits are looked for along what changes the prediction most, up to half and to twice the
bounds, since bounds only say where a search begins: what nothing but a bound holds is not told. They differ if one is
further from the best than what is left out may be missed by, twice the mean target, since the error would then hang on
which of them was found. The table says between which values they range. Where none of them comes that near to the
document, the outcome is missed whichever is right, and counts with the error of the best fit. The search need not meet
all such fits: with descents from all eight of its points in place of three, an error of `presto` moved by 1.5 points,
and no outcome became testable or ceased to be.

**Published clusters** are the strictest: the family `published` has clusters that others ran. Their profiles were
written without their results, from hardware and settings alone; nothing is fitted to them or chosen for them.

Each family has targets for its mean and its worst absolute error. The order of two outcomes counts if the documents
hold them further apart than twice the target of the mean."""
LEFT_OUT = (
    "The columns *left out* were made by `simulate validate --leave-one-out` at version {}; *not run* says where not."
)
INTERVALS = """\
**Intervals** hold what they promise if as many outcomes lie in them as their level says. Each of a benchmark is
predicted by the errors of all others. One of a cluster never seen is predicted by those of all other sources, since
outcomes of one source are off together: each source weighs as much as another, however many outcomes it has, and the
side to which answers of a kind lean counts. The width is that of 80 %, over the answer."""
BY_QUESTION = "By question, with how much faster than documented the middle outcome is:"
QUESTIONS = ("question", ">sources", ">outcomes", ">mean error", ">median", ">within 20 %", ">middle speed")
NOT_LEFT_OUT = "Leaving out was not run for this page: `simulate validate --leave-one-out` does it, and takes minutes."


def render(report: ValidationReport, picture: str | None = None) -> str:
    """Return the whole validation as a Markdown page; `picture` is the path of its picture as seen from the page."""
    name, *titles = summary_header()
    rows = [_summary(report, family, summary) for family, summary in report.summaries()]
    sections = [
        INTRODUCTION,
        NOT_LEFT_OUT if report.left_out is None else LEFT_OUT.format(report.left_out.version),
        "\n".join(markdown_table((name, "what", *titles), rows)),
    ]
    if picture:
        sections.append(f"![Simulated over documented values, a panel for each family]({picture})")
    if (inside := coverage(report)) is not None:
        sections += [INTERVALS, "\n".join(_intervals({"all": inside, **by_population(report)}))]
    for family, summary in report.summaries():
        sections += ["\n".join(lines) for lines in _family(report, family, summary)]
    return "\n\n".join(sections) + "\n"


def _intervals(told: dict[str, Coverage]) -> list[str]:
    titles = ("outcomes of", ">outcomes", *(f">in that of {100 * level:.0f} %" for level in LEVELS), ">mean width")
    rows = [
        (
            name,
            f"{reach.count}",
            *(f"{100 * share:.0f} %" for share in reach.shares.values()),
            f"{100 * reach.width:.0f} %",
        )
        for name, reach in told.items()
    ]
    return markdown_table(titles, rows)


def _summary(report: ValidationReport, family: Family, summary: FamilySummary) -> list[str]:
    name, *cells = summary_row(report, family, summary)
    return [f"[{name}](#{name})", family.title, *cells]


def _asked(one: Asked) -> tuple[str, ...]:
    errors = (f"{100 * error:.0f} %" for error in (one.mean, one.median, one.near))
    lean = f"{100 * one.lean:+.0f} %".replace("+0", "0").replace("-0", "0")
    return one.question, f"{one.sources}", f"{one.count}", *errors, lean


def _family(report: ValidationReport, family: Family, summary: FamilySummary) -> Iterator[list[str]]:
    profiles = [outcome.profile for outcome in report.outcomes(family)]
    rows = [outcome_row(report, outcome) for outcome in report.outcomes(family)]
    yield [f"## {family.name}"]
    yield [f"{family.title[:1].upper()}{family.title[1:]}."] if family.title else []
    yield [f"- {line}" for line in targets_in_words(report, family, summary)]
    yield [family.note.strip()]
    if not family.counted and len(asked := report.by_question(family)) > 1:
        yield [BY_QUESTION]
        yield markdown_table(QUESTIONS, [_asked(one) for one in asked])
    header = (*outcome_header(report), "profile")
    yield markdown_table(header, [[*row, f"`{name}`"] for row, name in zip(rows, profiles, strict=True)])
    fitted = [
        [*parameter_row(result), f"`profiles/library/{result.parameter.file}.toml`"]
        for result in report.parameters(family)
    ]
    if fitted:
        yield markdown_table(("fitted number", ">value", "fitted to", "stands in"), fitted)
    chosen = [[*choice_row(result), f"`{result.choice.file}`"] for result in report.choices(family)]
    if chosen:
        yield markdown_table((*CHOICES, "stands in"), chosen)
    for chapter in family.chapters:
        yield [f"### {chapter.title}"]
        yield [chapter.note.strip()]
        for remark in chapter.remarks:
            yield [f"#### {remark.title}"]
            yield [remark.text.strip()]
