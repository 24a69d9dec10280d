"""A project in one JSON file: the open profile, kept runs with their requests and results, notes, and setups.

Of a result all is kept; the series of single resources lie packed in it, so that a run can be played back, but for
those of the largest clusters, which a run makes again. A file that is cut off, of a newer program, or no project at all
is refused with what to do; nothing is read in part. A file may come from anybody: it is no larger, has no more values
and no longer texts and lists than a window can hold, and its first mistake ends its reading. Knows no Qt.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from functools import cache
from pathlib import Path
from stat import S_ISREG
from typing import Any, Final, Literal

import numpy as np
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import SchemaValidator

from app.gui.jobs.run import Ran, RunRequest
from app.gui.jobs.series import MOST as MOST_PACKED, Series
from app.gui.session.project_words import BACKUP, first_mistake
from app.gui.session.runs import MOST, Run
from app.gui.session.setups import Setups
from app.planning.files import save
from models.problem import Problem, ProblemError, shortened
from models.quantity import MOST_RUNS, stated
from models.scenario import Scenario
from profiles.text.files import why_not
from simulator.result import (
    Bottleneck,
    FailuresResult,
    GroupResult,
    LoadResult,
    ObjectiveResult,
    PassResult,
    RequestsResult,
    Result,
    StageResult,
    TaskResult,
    WorkloadResult,
    check_times,
)

VERSION: Final = 1
SUFFIX = ".headroom"
MOST_BYTES = 250_000_000
"""Of a file: seven runs with all the series that are kept take 150 MB. Assumption: the rest is below 100 MB."""
MOST_VALUES = 6_000_000
"""Commas and brackets of a file. Assumption: 100 MB of numbers have as many, and each takes memory of its own."""
MOST_LETTERS = 1_000_000
"""Of a text, notes among them. Assumption: twice a profile's; a view lays as many out in half a second."""
MOST_OF_LINE = 10_000
"""Letters of a title or a name, which a label shows; of longer ones so much is kept."""
MOST_ROWS = 1_000
"""Of what labels and charts tell line by line, of which a run has some ten."""
MOST_ENTRIES = 200_000
"""Of a list or a table. Assumption: ten times the points of a study, and 200 series of a thousand bins."""
BOUNDS: dict[object, dict[str, object]] = {
    "str": {"max_length": MOST_LETTERS},
    "tuple": {"max_length": MOST_ENTRIES, "fail_fast": True},
    "list": {"max_length": MOST_ENTRIES, "fail_fast": True},
    "dict": {"max_length": MOST_ENTRIES, "fail_fast": True},
}
"""What a project of anybody keeps within, by the type of a value; of each mistake that is told pydantic keeps a kB."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")


class ProfileText(_Part):
    """A profile as it stood in the window; `base` is the file as whose content its relative names are read."""

    name: str
    text: str
    path: str | None
    base: str
    is_changed: bool


class KeptWorkload(_Part):
    """A `WorkloadResult`, its series as plain numbers."""

    name: str
    kind: str
    passes: tuple[PassResult, ...]
    metrics: dict[str, tuple[float, str]]
    alone: dict[str, tuple[float, str]]
    slowdown: float
    objectives: tuple[ObjectiveResult, ...]
    met: float | None
    bottleneck: Bottleneck | None
    taken_by: tuple[tuple[str, float], ...]
    requests: tuple[RequestsResult, ...]
    series: dict[str, tuple[float, ...]]
    waited_for: Bottleneck | None = None

    @classmethod
    def of(cls, workload: WorkloadResult) -> KeptWorkload:
        """Return how a workload fared, to be kept."""
        plain = {name: getattr(workload, name) for name in cls.model_fields if name != "series"}
        return cls(**plain, series={name: tuple(values.tolist()) for name, values in workload.series.items()})

    def fared(self) -> WorkloadResult:
        """Return how the workload fared."""
        plain = {name: getattr(self, name) for name in type(self).model_fields if name != "series"}
        return WorkloadResult(**plain, series={name: np.array(values) for name, values in self.series.items()})


class KeptResult(_Part):
    """A `Result` without its single resources."""

    profile: str
    seed: int
    version: str
    duration: float
    interval: tuple[float, float] | None
    bottleneck: Bottleneck
    next_bottleneck: Bottleneck | None
    stages: tuple[StageResult, ...]
    groups: tuple[GroupResult, ...]
    bin_width: float
    metrics: dict[str, tuple[float, str]]
    capacity: dict[str, float]
    warnings: tuple[str, ...]
    durations: tuple[float, ...]
    failures: FailuresResult | None
    requests: tuple[RequestsResult, ...]
    load: LoadResult | None = None
    leading: dict[str, tuple[float, ...]] = {}
    workloads: tuple[KeptWorkload, ...] = ()
    works: int = 0
    tasks: tuple[TaskResult, ...] = ()

    @model_validator(mode="after")
    def _is_of_a_run(self) -> KeptResult:
        check_times(self.duration, self.durations, (*self.stages, *self.tasks))
        return self

    @classmethod
    def of(cls, result: Result) -> KeptResult:
        """Return a result, to be kept."""
        plain = {name: getattr(result, name) for name in cls.model_fields if name != "workloads"}
        return cls(**plain, workloads=tuple(map(KeptWorkload.of, result.workloads)))

    def result(self) -> Result:
        """Return the result without its single resources."""
        plain = {name: getattr(self, name) for name in type(self).model_fields if name != "workloads"}
        return Result(**plain, workloads=tuple(workload.fared() for workload in self.workloads), resources=())


class KeptRun(_Part):
    """A `Run`; `scenario` is the data from which the same scenario is made, `base` as of its profile.

    `playback` is base64 of the packed series. What has a default was not yet in all files of this version.
    """

    number: int = Field(ge=0)
    colour: int = Field(ge=0)
    title: str = Field(max_length=MOST_OF_LINE)
    is_kept: bool
    name: str = Field(max_length=MOST_OF_LINE)
    about: str = Field(max_length=MOST_OF_LINE)
    text: str
    base: str
    scenario: dict[str, Any]
    seed: int
    replications: int
    changes: dict[str, str]
    headline: str = Field(max_length=MOST_OF_LINE)
    answer: tuple[tuple[str, str], ...] = Field(max_length=MOST_ROWS)
    waterfall: tuple[tuple[str, float], ...] = Field(max_length=MOST_ROWS)
    measures: dict[str, tuple[float, str, bool]]
    utilization: tuple[tuple[str, tuple[float, ...]], ...] = Field(
        validation_alias=AliasChoices("utilization", "utilisation")  # files of earlier programs spell it with an s
    )
    result: KeptResult
    is_edited: bool = False
    no_waterfall: str = ""
    playback: str = Field(default="", max_length=MOST_PACKED * 3 // 2)  # base64 takes a third more
    requests: tuple[tuple[str, ...], ...] = ()


class DamagedError(ValueError):
    """What a run has under a key is not what any program wrote there."""


class _Stated(BaseModel):
    version: Any = None


class Project(_Part):
    """All that a project holds: the open profile first among `profiles`, the last run, too, if it was not kept."""

    version: Literal[1] = VERSION
    profiles: tuple[ProfileText, ...] = ()
    runs: tuple[KeptRun, ...] = Field(default=(), max_length=MOST + 1)
    notes: str = ""
    setups: Setups = Setups()
    seed: int = Field(default=0, ge=0)
    replications: int = Field(default=1, ge=1, le=MOST_RUNS)

    @property
    def summary(self) -> str:
        """What is in it, in words."""
        kept = sum(run.is_kept for run in self.runs)
        parts = [f"the profile {profile.name}" for profile in self.profiles]
        parts += [f"{kept} kept run{'s' if kept > 1 else ''}"] if kept else []
        parts += ["a plan"] if self.setups.plan.text else []
        parts += ["notes"] if self.notes.strip() else []
        return ", ".join(parts) or "nothing"


def kept(run: Run) -> KeptRun:
    """Return a run as a project keeps it."""
    request, ran = run.request, run.ran
    return KeptRun(
        number=run.number,
        colour=run.colour,
        title=run.title[:MOST_OF_LINE],
        is_kept=run.is_kept,
        name=request.name[:MOST_OF_LINE],
        about=request.title[:MOST_OF_LINE],
        text=request.text,
        base=str(request.base),
        scenario=stated(request.scenario.model_dump()),
        seed=request.seed,
        replications=request.replications,
        changes=request.changes,
        is_edited=request.is_edited,
        headline=ran.headline[:MOST_OF_LINE],
        answer=ran.answer,
        waterfall=ran.waterfall,
        measures=ran.measures,
        utilization=tuple((name, tuple(series.tolist())) for name, series in ran.utilization),
        result=KeptResult.of(ran.result),
        no_waterfall=ran.no_waterfall,
        playback=b64encode(ran.playback).decode(),
        requests=ran.requests,
    )


def run_of(entry: KeptRun) -> Run:
    """Return the run that was kept; its result has no single resources, as in the window.

    Raises:
        ValueError: this program refuses its scenario, or its series.
    """
    scenario = Scenario.model_validate_json(json.dumps(entry.scenario))
    request = RunRequest(
        name=entry.name,
        title=entry.about,
        text=entry.text,
        base=Path(entry.base),
        scenario=scenario,
        seed=entry.seed,
        replications=entry.replications,
        changes=entry.changes,
        is_edited=entry.is_edited,
    )
    ran = Ran(
        result=entry.result.result(),
        headline=entry.headline,
        answer=entry.answer,
        waterfall=entry.waterfall,
        measures=entry.measures,
        utilization=tuple((name, np.array(series)) for name, series in entry.utilization),
        no_waterfall=entry.no_waterfall,
        playback=_checked(entry.playback),
        requests=entry.requests,
    )
    colour = entry.colour % (MOST + 1)
    return Run(entry.number, request, ran, colour, title=entry.title, is_kept=entry.is_kept)


def _checked(playback: str) -> bytes:
    """Return packed series.

    Raises:
        DamagedError: they are none.
    """
    try:
        data = b64decode(playback, validate=True)
        Series.unpacked(data)
    except ValueError as error:
        raise DamagedError("playback") from error
    return data


def write(path: Path, project: Project) -> None:
    """Write a project, whole or not at all.

    Raises:
        ProblemError: it cannot be written, or not be read again; what was there is as it was.
    """
    for what, text in (("notes", project.notes), *(("profile", profile.text) for profile in project.profiles)):
        if len(text) > MOST_LETTERS:
            way_out = "nothing is lost, all of it is still in the window: cut it, or keep the rest in a file of its own"
            raise _problem(
                path,
                f"cannot be written: the text of its {what} has {len(text):,} letters, expected at most"
                f" {MOST_LETTERS:,}; {way_out}",
            )
    save(path, project.model_dump_json())


def read(path: Path) -> Project:
    """Return the project of a file.

    Raises:
        ProblemError: it is gone, cut off, of a newer program, or no project.
    """
    try:
        status = path.stat()
        if not S_ISREG(status.st_mode):
            raise _problem(path, "is a folder, a pipe or a device, and no project")
        if status.st_size > MOST_BYTES:
            raise _problem(path, f"is larger than any project: expected at most {MOST_BYTES // 1_000_000} MB")
        data = path.read_bytes()
    except FileNotFoundError:
        raise _problem(path, "no longer exists: it was moved or deleted") from None
    except OSError as error:
        raise _problem(path, f"cannot be read: {why_not(error)}") from None
    if sum(map(data.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise _problem(path, f"holds more than any project: expected at most {MOST_VALUES:,} values")
    version = _version(path, data)
    if type(version) is not int:
        wrong = (
            "it states no version"
            if version is None
            else f"expected a whole number as its version (got {shortened(str(version))})"
        )
        raise _problem(path, f"is not a Headroom project: {wrong}")
    if version > VERSION:
        newer = f"was written by a newer Headroom: version {version}, this one reads up to {VERSION}; update Headroom"
        raise _problem(path, newer)
    try:
        project: Project = _bounded().validate_json(data)
    except ValidationError as error:
        key, text = first_mistake(error)
        raise ProblemError(
            [Problem(str(path), None, key, f"is not what a project has here: {text}; {BACKUP}")]
        ) from None
    return project


def _version(path: Path, data: bytes) -> object:
    """Return what a file states as its version, None for none.

    Raises:
        ProblemError: it is no JSON.
    """
    try:
        return _Stated.model_validate_json(data).version
    except ValidationError as error:
        if error.errors(include_input=False)[0]["type"] != "json_invalid":
            return None
        raise _problem(path, f"is damaged or not a project; {BACKUP}") from None


@cache
def _bounded() -> SchemaValidator:
    """Return what checks a project of anybody: with bounds on all texts, lists and tables that declare none."""
    schema = _with_bounds(Project.__pydantic_core_schema__)
    return SchemaValidator(schema, _use_prebuilt=False)  # not those that its parts have, which know no bounds


def _with_bounds(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_with_bounds(entry) for entry in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: _with_bounds(entry) for name, entry in schema.items()}
    return {**BOUNDS.get(inner.get("type"), {}), **inner}


def _problem(path: Path, message: str) -> ProblemError:
    return ProblemError([Problem(str(path), None, "", message)])
