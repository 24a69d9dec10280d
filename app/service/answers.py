"""One function for each question of `headroom.py`: the same plans and reports that the command line makes.

Arguments are plain data. Those of a study go by the names of the command line's options, and what is wrong with them is
told in the command line's words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from app.planning import capacity as growing, checking, durability as losses, listing, sensitivity as depending
from app.planning.asking import BY_KEY, asked
from app.planning.cases import chosen_families, validated, with_left_out
from app.planning.comparing import Side, compared, plan_beside, plan_of, side_name
from app.planning.effort import RUNS
from app.planning.linting import advice
from app.planning.loading import Chosen, choose
from app.planning.plans.plan_search import planned
from app.planning.progress import Counted
from app.planning.running import run as run_of
from app.planning.settings import pairs
from app.planning.sizing import sized
from app.planning.studies import study_model
from app.planning.sweeping import candidates_of, points_file, swept
from app.reports import (
    capacity_report,
    compare_document,
    contracts,
    durability_report,
    lint_report,
    sensitivity_document,
)
from app.reports.document import Document
from app.reports.forms import document_text
from app.reports.json_text import plain
from app.reports.library import profile_pages
from app.reports.plan import plan_answer_document
from app.reports.run import run_brief, run_document
from app.reports.size import size_document
from app.reports.sweep import sweep_json, sweep_table
from app.reports.sweep.sweep_document import sections as sections_of_sweep
from app.reports.validation import validation_document
from models.planning.study import Compare, Growth, Plan, Sensitivity, Size, Study, Sweep, kind_of
from models.problem import Problem, ProblemError, refusal
from models.units import either
from models.work import LOOSEST
from profiles.plans.sheet import sheet
from simulator.studies.store import Store

SHOWN = 20  # lines of long tables that a notebook shows, as a terminal does; the data has all

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """The contract of a command, its text for a terminal, what a notebook shows of it, and a table if it has its own.

    `kind` is the word of the contract: "run" of `headroom.run/1`.
    """

    data: Mapping[str, Any]
    text: str
    page: Document
    columns: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The word of the contract: "run" of `headroom.run/1`."""
        return str(self.data["schema"]).removeprefix("headroom.").partition("/")[0]


def _page(page: Document) -> Answer:
    return Answer(page.data, document_text.render(page), page)


def _told(page: Document, brief: Document) -> Answer:
    return Answer(page.data, document_text.render(brief), page)


def load(arguments: Arguments, _: Counted) -> Answer:
    """Return a profile with every value."""
    shown = listing.shown(_chosen(arguments))
    return _told(profile_pages.whole_profile(shown), profile_pages.brief_profile(shown))


def profiles(_: Arguments, __: Counted) -> Answer:
    """Return what ships."""
    return _page(profile_pages.whole_list(listing.listed(), listing.studies(), listing.parts()))


def run(arguments: Arguments, counted: Counted) -> Answer:
    """Return the answer of one run."""
    part = arguments["tolerance"]
    if part is not None and not (isinstance(part, (int, float)) and 0 <= part <= LOOSEST):
        raise refusal("tolerance", f"must be from 0 to {LOOSEST:.1%}", value=part)
    with counted("Simulating"):
        report = run_of(
            _chosen(arguments),
            seed=arguments["seed"],
            replications=arguments["replications"],
            on_event=None,
            tolerance=part,
            interval=arguments["interval"],
        )
    page = run_document.document(report)
    return Answer(
        page.data, document_text.render(run_brief.document(report)), page.only(["answer", "limits", "requests"])
    )


def capacity(arguments: Arguments, counted: Counted) -> Answer:
    """Return what a cluster holds, and how long it meets targets."""
    growth, is_titled = asked(Growth, arguments), arguments["study"] is not None
    report = growing.answered(growth, arguments["workers"], counted, arguments["interval"], is_titled=is_titled)
    return _page(capacity_report.document(report, is_short=True))


def durability(arguments: Arguments, counted: Counted) -> Answer:
    """Return how durable data is."""
    with counted("Simulating"):
        report = losses.study(_chosen(arguments), arguments["paths"], arguments["seed"])
    return _page(durability_report.document(report))


def lint(arguments: Arguments, _: Counted) -> Answer:
    """Return the advice on a design."""
    advised = advice([arguments["profile"]], dict(arguments["set"]))
    return _told(lint_report.document(advised), lint_report.brief(advised))


def sweep(arguments: Arguments, counted: Counted) -> Answer:
    """Return the points of a sweep; those that are stored are not run again."""
    plan = asked(Sweep, arguments)
    where = {key: arguments[key] for key in ("workers", "scheduler", "interval")}
    candidates = candidates_of(plan)
    with Store(points_file(arguments["store"])) as store:
        report = swept(plan, candidates, store, counted, **where)
    page = Document(report.title, sections_of_sweep(report))
    return Answer(sweep_json.contract(report), document_text.render(page), page, sweep_table.flat(report))


def size(arguments: Arguments, counted: Counted) -> Answer:
    """Return the least configuration that meets every target."""
    report = sized(asked(Size, arguments), arguments["workers"], counted, arguments["interval"])
    page = size_document.brief(report, SHOWN)
    return Answer(size_document.contract(report), document_text.render(page), page)


def sensitivity(arguments: Arguments, counted: Counted) -> Answer:
    """Return what an answer depends on."""
    design = depending.plan_of(asked(Sensitivity, arguments))
    page = sensitivity_document.document(depending.study(design, arguments["workers"], counted))
    return _page(page.only(sensitivity_document.SHORT))


def compare(arguments: Arguments, counted: Counted) -> Answer:
    """Return profiles side by side: those of a study, or `sides` of (name or None, profile, settings)."""
    if arguments["study"] is not None:
        plan = plan_of(arguments)
    else:
        sides = [Side(name or side_name(profile), profile, changes) for name, profile, changes in arguments["sides"]]
        plan = plan_beside(sides, arguments)
        _refuse_namesakes(sides)
    report = compared(plan, arguments["workers"], counted)
    page = compare_document.brief(report, SHOWN)
    return Answer(compare_document.contract(report), document_text.render(page), page)


def plan(arguments: Arguments, counted: Counted) -> Answer:
    """Return which candidate of a plan meets all that is required for the least money."""
    plan_file = sheet(arguments["study"]).changed(pairs(arguments["settings"]))
    plan_file.check()
    answered = planned(plan_file, arguments["workers"], counted, effort=arguments["interval"])
    page = plan_answer_document.brief(answered)
    return Answer(plan_answer_document.contract(answered), document_text.render(page), page)


def validate(arguments: Arguments, counted: Counted) -> Answer:
    """Return the documented benchmarks, run again."""
    report = validated(chosen_families(arguments["family"]), arguments["workers"], counted)
    if arguments["leave_one_out"]:
        report = with_left_out(report, arguments["workers"], counted)
    return _page(validation_document.document(report))


def check(arguments: Arguments, _: Counted) -> str:
    """Return what a file is, if nothing is wrong with it."""
    return checking.title_of(arguments["path"])


def schema(arguments: Arguments, _: Counted) -> str:
    """Return the JSON Schema of a contract, as text."""
    return plain(contracts.schema(arguments["name"]))


STUDIES: dict[type[Study], Callable[[Arguments, Counted], Answer]] = {
    Compare: compare,
    Sweep: sweep,
    Size: size,
    Sensitivity: sensitivity,
    Growth: capacity,
    Plan: plan,
}


def study(arguments: Arguments, counted: Counted) -> Answer:
    """Return the answer to a study, whatever its kind.

    Raises:
        ProblemError: there is no such study, or it is wrong.
    """
    name = arguments["study"]
    model = study_model(name)
    answer = next((STUDIES[kind] for kind in STUDIES if kind is model), None)
    if answer is None:
        expected = f"expected a study that ships, or a file whose kind is one of {', '.join(map(kind_of, STUDIES))}"
        raise ProblemError([Problem("", None, "study", f"{expected} (got '{name}')")])
    return answer(arguments, counted)


ASKED: tuple[Callable[[Arguments, Counted], Answer | str], ...] = (
    *(load, profiles, run, capacity, durability, lint, sweep, size, sensitivity, compare, plan, validate),
    *(check, schema, study),
)
QUESTIONS = {function.__name__: function for function in ASKED}
"""The functions by the word that asks for each."""

LEAST = {"seed": 0, "replications": 1, "workers": 1, "samples": 8, "sobol": 0, "paths": 100}


def answer(question: str, arguments: Arguments, counted: Counted) -> Answer | str:
    """Return the answer to a question.

    Raises:
        RefusalError: something is wrong with what is asked.
    """
    for name, least in LEAST.items():
        number = arguments.get(name)
        if number is not None and (type(number) is not int or number < least):
            raise refusal(name, f"must be a whole number, at least {least}", value=number)
    effort = arguments.get("interval", "none")
    if not isinstance(effort, str) or effort not in RUNS:
        raise refusal("interval", f"expected {either(RUNS)}", value=effort)
    by_key = {"settings": arguments.get("set", {}), **{key: arguments[key] for key in BY_KEY if key in arguments}}
    by_option = {option: [f"{key}={text}" for key, text in texts.items()] for option, texts in by_key.items()}
    given = {name: tuple(value) if isinstance(value, list) else value for name, value in arguments.items()}
    try:
        return QUESTIONS[question]({**given, **by_option}, counted)
    except ValidationError as error:  # of a study that no text was read for
        details = error.errors(include_url=False)
        raise ProblemError(
            Problem("", None, ".".join(map(str, detail["loc"])), detail["msg"]) for detail in details
        ) from None


def _chosen(arguments: Arguments) -> Chosen:
    return choose(arguments["profile"], arguments["set"])


def _refuse_namesakes(sides: Sequence[Side]) -> None:
    """Refuse scenarios that the report could not tell apart.

    Raises:
        RefusalError: two are called alike.
    """
    names = [side.name for side in sides]
    if twice := [name for name in names if names.count(name) > 1]:
        way_out = "name them: compare({'as it is': one, 'with more servers': other})"
        raise refusal("compare", "scenarios need names of their own", way_out, value=twice[0])
