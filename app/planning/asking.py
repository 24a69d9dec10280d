"""What a command is asked: a study's file with what options change of it, or options alone.

Both come to the same model of models/planning/study.py, and their texts are read here: values that are varied, targets,
uncertain inputs. All that is wrong with them is told at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

from app.planning.loading import load_profile
from app.planning.settings import pairs, setting_problems
from app.planning.stated import Stated
from app.planning.studies import refuse_other_kind, seen
from models.planning.grid import Axis, Values, axis, combined
from models.planning.study import (
    FOLDER,
    Compare,
    Growth,
    OfProfile,
    Plan,
    Sensitivity,
    Size,
    Study,
    Sweep,
    kind_of,
    made,
)
from models.planning.uncertain import Input, uncertain
from models.problem import Problem, ProblemError, RefusalError
from models.target import Target, target
from profiles.loading.loader import load
from profiles.loading.overrides import canonical
from profiles.plans.candidates import taken
from profiles.plans.sheet import sheet
from profiles.text.lines import Key

S = TypeVar("S", bound=Study)
P = TypeVar("P", bound=OfProfile)
T = TypeVar("T")

CHANGED = ("seed", "replications", "samples", "sobol", "confidence")
"""Keys of a study's file that the command line changes, in addition to `set`."""
BY_KEY = ("vary", "inputs")
"""Keys that options give as KEY=TEXT."""


@dataclass(frozen=True, slots=True)
class Flag:
    """The option for a key of a study; `missing` is the message where it is not given, "" where it may be left out."""

    name: str
    missing: str = ""


_PROFILE = Flag("--profile", "name a shipped profile or a TOML file, or a --study; see: simulate profiles")
_EXAMPLE = "cluster.groups.workers.count=4..64:4"
_QUESTIONS: Mapping[type[OfProfile], tuple[str, Mapping[str, Flag]]] = {
    Sweep: (
        "{}, varied",
        {"profile": _PROFILE, "vary": Flag("--vary", f"expected KEY=VALUES such as {_EXAMPLE}"), "zip": Flag("--zip")},
    ),
    Size: (
        "Sizing of {}",
        {
            "profile": _PROFILE,
            "vary": Flag("--vary", f"a sizing needs a key to choose, such as {_EXAMPLE}"),
            "targets": Flag("--target", "a sizing needs a target, such as 'duration <= 900 s'"),
            "minimize": Flag("--minimize"),
        },
    ),
    Sensitivity: (
        "What {} depends on",
        {"profile": _PROFILE, "inputs": Flag("--input"), "measure": Flag("--measure")},
    ),
    Growth: ("Growth of {}", {"profile": Flag("PROFILE", _PROFILE.missing), "targets": Flag("--target")}),
}
"""For each kind of study its title, with the profile in it, and the options that make it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Generic[P]):
    """A study of one profile whose texts have been read; what its kind does not have is empty."""

    study: P
    axes: Sequence[Axis] = ()
    points: Sequence[Values] = ()
    targets: Sequence[Target] = ()
    inputs: Sequence[Input] = ()
    stated: Stated | None = None
    """Where its file states what, None where options make it."""


def asked(model: type[P], options: Mapping[str, Any]) -> Asked[P]:
    """Return the study that `--study` names, or that the options of its kind make.

    Raises:
        ProblemError: with all that is wrong with it.
    """
    title, flags = _QUESTIONS[model]
    name, problems = options["study"], setting_problems(options["settings"])
    if name is not None:
        study = from_file(model, options, flags)
        question = _read(study.model_dump(), lambda key: f"{name}: {key}", lambda: study, problems)
        stated_in = Stated.of(name, pairs(options["settings"]))
        _try_all(question, stated_in)
        return replace(question, stated=stated_in)
    given = {**options, **_of_candidate(model, options)}
    stated = {"set": {} if problems else pairs(options["settings"]), **_given(given, flags, problems)}
    rest = {key: options[key] for key in CHANGED if options.get(key) is not None}
    values: dict[str, Any] = {"kind": kind_of(model), "title": title.format(options["profile"]), **stated, **rest}
    return _read(
        stated,
        lambda key: flags[key].name if key in flags else "--set",
        lambda: _made(model, values),
        problems,
    )


def _of_candidate(model: type[P], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the plan of a candidate states for options that are not given: what is varied, and the targets."""
    candidate = taken(options["profile"]) if options["profile"] else None
    if candidate is None:
        return {}
    if model is Sweep and not options["vary"]:
        return {"vary": [f"{key}={values}" for key, values in candidate.varied.items()]}
    return {"targets": candidate.targets} if model is Growth and not options["targets"] else {}


def from_file(model: type[S], options: Mapping[str, Any], flags: Mapping[str, Flag]) -> S:
    """Return the study that `--study` names with what the command line changes of it.

    Profiles that are paths from the study's file become paths from here.

    Raises:
        ProblemError: it is wrong, of another kind, or an option says what the study says itself.
    """
    name, settings = options["study"], pairs(options["settings"])
    refuse_other_kind(name, model)
    study = load(name, model, folders=[FOLDER]).scenario
    if own := [key for key in flags if options.get(key)]:
        raise ProblemError([Problem("", None, "--study", f"states {', '.join(own)} itself; remove these options")])
    changed = {key: options[key] for key in CHANGED if options.get(key) is not None}
    bounded = _made(model, {**study.model_dump(), **changed}) if changed else study
    return bounded.model_copy(update={"set": {**study.set, **settings}, **seen(study, name)})


def _made(model: type[S], values: Mapping[str, Any]) -> S:
    """Return a study of these values.

    Raises:
        ProblemError: what options say is beyond its bounds.
    """
    try:
        return made(model, values)
    except ProblemError as error:
        raise ProblemError([replace(problem, key=f"--{problem.key}") for problem in error.problems]) from None


def checked(model: type[S], name: str) -> Study:
    """Return a study that could be carried out: its texts can be read, its profiles loaded with their changes.

    Raises:
        ProblemError: with all that is wrong with it; of varied keys only the first values are tried.
    """
    options = {"study": name, "settings": ()}
    if issubclass(model, OfProfile):
        return asked(model, options).study
    if issubclass(model, Plan):
        planned = sheet(name)
        planned.check()
        return planned.plan
    study = from_file(model, options, {})
    if isinstance(study, Compare):
        try_sides(study, {}, Stated.of(name, ()))
    return study


def of_study(study: P) -> Asked[P]:
    """Return a study with its texts read; problems of these say under which key of it they stand.

    Raises:
        ProblemError: with every text that is none.
    """
    return _read(study.model_dump(), lambda key: key, lambda: study, [])


def trials(question: Asked[P], name: str) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield what loads the profile of a study, named so, with its changes, and in each of its choices: "" is none.

    Each raises ProblemError with all that is wrong; of varied keys only the first values are tried.
    """
    study = question.study
    varied = dict(question.points[0]) if question.points else {number.key: number.typical for number in question.inputs}

    def tried(settings: Mapping[str, str]) -> None:
        with _named_at(name, "profile"):
            load_profile(study.profile, {**study.set, **settings, **varied})

    yield "", partial(tried, {})
    for choice, settings in study.choices.items() if isinstance(study, Sensitivity) else ():
        yield choice, partial(tried, settings)


@contextmanager
def _named_at(file: str, key: str) -> Iterator[None]:
    """Say of a problem without a place, such as a profile that is not there, that it stands at a key of a file."""
    try:
        yield
    except ProblemError as error:
        placed = [p if p.file or p.key else replace(p, file=file, key=key) for p in error.problems]
        raise ProblemError(placed) from None


def try_sides(study: Compare, settings: Mapping[str, str], stated: Stated) -> None:
    """Load the scenarios of a comparison with their changes, over which the command line's settings go.

    Raises:
        ProblemError: with all that is wrong with them.
    """
    problems = list[Problem]()
    for key, side in study.scenarios.items():
        try:
            with _named_at(stated.file, f"scenarios.{key}.profile"):
                load_profile(side.profile, {**study.set, **side.set, **settings})
        except ProblemError as error:
            problems += [stated.placed(problem, ("scenarios", key, "set"), ("set",)) for problem in error.problems]
    if problems:
        raise ProblemError(problems)


def _try_all(question: Asked[P], stated: Stated) -> None:
    """Load the profile of a study in each of its choices.

    Raises:
        ProblemError: with all that is wrong with it; of varied keys only the first values are tried.
    """
    problems = list[Problem]()
    for choice, try_one in trials(question, stated.file):
        try:
            try_one()
        except ProblemError as error:
            tables: list[Key] = [("vary",), ("inputs",), ("choices", choice), ("set",)]
            problems += [stated.placed(problem, *tables) for problem in error.problems]
    if problems:
        raise ProblemError(problems)


def _given(options: Mapping[str, Any], flags: Mapping[str, Flag], problems: list[Problem]) -> dict[str, Any]:
    """Return what the options say, by the key of a study."""
    given: dict[str, Any] = {}
    for key, flag in flags.items():
        if options[key]:
            given[key] = _by_key(flag.name, options[key], problems) if key in BY_KEY else options[key]
        elif flag.missing:
            problems.append(Problem("", None, flag.name, f"missing: {flag.missing}"))
    return given


def _by_key(option: str, texts: Iterable[str], problems: list[Problem]) -> dict[str, str]:
    values: dict[str, str] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not key or not equals:
            message = f"expected KEY=VALUES such as cluster.groups.workers.count=4..64:4 (got '{text}')"
            problems.append(Problem("", None, option, message))
        elif key in values:
            problems.append(Problem(option, None, key, "named twice; give all of its values at once"))
        else:
            values[key] = value
    return values


def _read(
    stated: Mapping[str, Any], place: Callable[[str], str], study: Callable[[], P], problems: list[Problem]
) -> Asked[P]:
    """Return the study with its texts read; `place` says where a key of it stands."""
    axes = _each(axis, stated.get("vary", {}), place("vary"), problems)
    inputs = _each(uncertain, stated.get("inputs", {}), place("inputs"), problems)
    targets = _targets(stated.get("targets", ()), place("targets"), problems)
    points: Sequence[Values] = ()
    try:
        points = combined(axes, zipped=stated.get("zip", False)) if axes else ()
    except RefusalError as error:
        problems.append(Problem("", None, place("vary"), str(error)))
    problems += _set_and_varied(stated, place)
    if problems:
        raise ProblemError(problems)
    return Asked(study=study(), axes=axes, points=points, targets=targets, inputs=inputs)


def _each(read: Callable[[str, str], T], texts: Mapping[str, str], place: str, problems: list[Problem]) -> list[T]:
    values = []
    for key, text in texts.items():
        try:
            values.append(read(key, text))
        except RefusalError as error:
            problems.append(Problem(place, None, key, str(error)))
    return values


def _targets(texts: Iterable[str], place: str, problems: list[Problem]) -> list[Target]:
    targets = []
    for text in texts:
        try:
            targets.append(target(text))
        except RefusalError as error:
            problems.append(Problem("", None, place, str(error)))
    return targets


def _set_and_varied(stated: Mapping[str, Any], place: Callable[[str], str]) -> list[Problem]:
    """Return a problem for each key whose change would be lost, because the study varies it."""
    varied = {canonical(key): place(name) for name in BY_KEY for key in stated.get(name, ())}
    changes = [stated.get("set", {}), *stated.get("choices", {}).values()]
    changed = dict.fromkeys(canonical(key) for settings in changes for key in settings)
    message = "is also set to one value; remove one of the two"
    return [Problem(varied[key], None, key, message) for key in changed if key in varied]


def targets_of(texts: Iterable[str]) -> list[Target]:
    """Return the targets that the texts of `--target` state.

    Raises:
        ProblemError: with every one that is none.
    """
    problems: list[Problem] = []
    targets = _targets(texts, "--target", problems)
    if problems:
        raise ProblemError(problems)
    return targets
