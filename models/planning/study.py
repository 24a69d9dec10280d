"""Studies of many points, as files in profiles/library/planner state them: one model for each kind, and command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from pydantic import ValidationError, model_validator

from models.planning.grid import MOST
from models.planning.growth import Day
from models.planning.sheet import Candidate, PartText, Requirements
from models.problem import Problem, ProblemError, did_you_mean, refusal, shortened
from models.quantity import MOST_RUNS, Model, Quantity, part, quantity, setting

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

S = TypeVar("S", bound="Study")

FOLDER = "planner"


class Study(Model):
    """What every study states."""

    title: str = setting("One line that says what the study answers.")
    set: dict[str, str] = setting("Changes of every profile of the study, by key, as `--set` takes them.", default={})
    seed: int = setting("Seed of all chances, the same for all points.", default=0, ge=0, le=2**63)


class OfProfile(Study):
    """A study of one profile."""

    profile: str = setting("Profile that is studied: a shipped name, or a path from the study's file.")


class Sweep(OfProfile):
    """A sweep: one profile, with keys of it varied."""

    kind: Literal["sweep"] = setting("Kind of the study.")
    vary: dict[str, str] = setting("Values by key, as `simulate sweep --vary` takes them: 4,8,12 or 4..64:4.")
    zip: bool = setting("Whether the values stand side by side instead of in all combinations.", default=False)
    replications: int = setting("Runs of each point, each with its own chances.", default=1, ge=1, le=MOST_RUNS)


class Compared(Model):
    """One scenario of a comparison."""

    profile: str = setting("Profile: a shipped name, or a path from the study's file.")
    set: dict[str, str] = setting("Changes of the profile, by key, as `--set` takes them.", default={})


class Compare(Study):
    """A comparison: two to six scenarios side by side, the first of which is the baseline."""

    kind: Literal["compare"] = setting("Kind of the study.")
    scenarios: dict[str, Compared] = setting("The scenarios, by the names that the report gives them.")
    replications: int = setting("Runs of each scenario, each with its own chances.", default=5, ge=1, le=MOST_RUNS)


class Size(OfProfile):
    """A sizing: the configuration with the least of one measure that meets several targets."""

    kind: Literal["size"] = setting("Kind of the study.")
    vary: dict[str, str] = setting("Values by key, as `simulate size --vary` takes them: 4,8,12 or 4..64:4.")
    targets: tuple[str, ...] = setting("What has to be met: 'duration <= 900 s', 'survives_writing 1 rack'.")
    minimize: str = setting(
        "Measure to be as small as possible: servers, drives, power, 'cost over 3 years', or what is varied.",
        default="servers",
    )
    replications: int = setting("Runs of each option, each with its own chances.", default=1, ge=1, le=MOST_RUNS)
    confidence: Quantity = quantity(
        "1",
        "Part of the cases in which targets for the run have to be met; 0: in the likely one.",
        default=0.0,
        ge=0,
        lt=1,
    )


class Sensitivity(OfProfile):
    """What an answer depends on: levers, uncertain inputs, and choices to be made before they are known."""

    kind: Literal["sensitivity"] = setting("Kind of the study.")
    measure: str = setting("What is measured, less being better.", default="duration")
    inputs: dict[str, str] = setting(
        "Inputs that are not known exactly, by key: LOW..HIGH, LOW..MIDDLE..HIGH or VALUE +- 5 %.", default={}
    )
    samples: int = setting("Samples of the inputs.", default=64, ge=8, le=MOST)
    sobol: int = setting("Rows of a design for Sobol indices, a power of two; 0 for none.", default=0, ge=0, le=MOST)
    choices: dict[str, dict[str, str]] = setting(
        "Choices to be compared over the samples: changes of the profile, by name.", default={}
    )

    @model_validator(mode="after")
    def _choices_need_inputs(self) -> Sensitivity:
        if self.choices and not self.inputs:
            raise refusal("choices", "are compared while inputs are uncertain", "add a table [inputs]")
        return self

    @model_validator(mode="after")
    def _sobol_is_a_power_of_two(self) -> Sensitivity:
        if self.sobol & (self.sobol - 1):
            raise refusal("sobol", "expected a power of two such as 64, or 0", value=self.sobol)
        return self


class Growth(OfProfile):
    """How long a growing cluster meets its targets: the profile states [growth], the study what has to be met."""

    kind: Literal["growth"] = setting("Kind of the study.")
    targets: tuple[str, ...] = setting("What has to be met: 'duration <= 900 s', 'usable >= 1 PB'.", default=())
    replications: int = setting("Runs of each date, each with its own chances.", default=1, ge=1, le=MOST_RUNS)


MOST_NAMED = 100
"""Candidates, and workloads, of a plan. Assumption: nobody decides between more; each is searched by itself."""


class Plan(Study):
    """A plan: what a customer requires, and the candidates of which the one with the least cost is sought."""

    kind: Literal["plan"] = setting("Kind of the study.")
    customer: str = setting("Who asks.", default="")
    author: str = setting("Who answers.", default="")
    offer: str = setting("Version of the offer.", default="")
    date: Day | None = setting("Date of the offer; none is printed without it.", default=None)
    logo: str = setting("Picture for the report, PNG or JPEG, a file in the folder of the plan or below.", default="")
    prices: PartText | None = part("prices", "Price list of all candidates that name none.", default=None)
    replications: int = setting("Runs of each option, each with its own chances.", default=1, ge=1, le=MOST_RUNS)
    requirements: Requirements = setting("What has to be met.")
    candidates: dict[str, Candidate] = setting("What may meet it, by name.")

    @model_validator(mode="after")
    def _has_candidates(self) -> Plan:
        if not self.candidates:
            raise refusal("candidates", "a plan needs a candidate", 'write a table [candidates."NAME"]')
        for key, named in (("candidates", self.candidates), ("requirements.workloads", self.requirements.workloads)):
            if len(named) > MOST_NAMED:
                raise refusal(key, f"there are {len(named):,}, expected at most {MOST_NAMED}", "make two plans of it")
        self._check_workloads()
        has_prices = self.prices is not None or all(candidate.prices for candidate in self.candidates.values())
        if self.requirements.budget is not None and not has_prices:
            raise refusal("prices", "missing: a budget needs prices", 'for example prices = "on-premises-2024"')
        if self.requirements.carbon is not None and not has_prices:
            raise refusal("prices", "missing: they say what a kWh emits", 'for example prices = "on-premises-2024"')
        return self

    def _check_workloads(self) -> None:
        """Refuse workloads of candidates that the plan has not."""
        names = [demand.name for demand in self.requirements.workloads]
        for candidate, stated in self.candidates.items():
            for name in stated.workloads:
                if name not in names:
                    near = did_you_mean(name, names) or f"; there are {', '.join(names) or 'none'}"
                    raise refusal(f"candidates.{candidate}.workloads", f"no such workload: '{name}'{near}")

    def required_of(self, candidate: str) -> Requirements:
        """Return what has to be met with the workloads that a candidate has."""
        absent, required = self.candidates[candidate].absent, self.requirements
        return required.only([demand.name for demand in required.workloads if demand.name not in absent])


def kind_of(model: type[Study]) -> str:
    """Return the word by which a file says that it is a study of this model."""
    return str(get_args(model.model_fields["kind"].annotation)[0])


COMMANDS: dict[type[Study], str] = {
    Compare: "compare",
    Sweep: "sweep",
    Size: "size",
    Sensitivity: "sensitivity",
    Growth: "capacity",
    Plan: "plan",
}
"""The command that carries a study out."""
KINDS: dict[str, type[Study]] = {kind_of(model): model for model in COMMANDS}
"""The model of each kind of study."""


def made(model: type[S], values: Mapping[str, Any]) -> S:
    """Return a study of values by their keys.

    Raises:
        ProblemError: with all that its bounds refuse.
    """
    try:
        return model(**values)
    except ValidationError as error:
        raise ProblemError([_problem(details) for details in error.errors(include_url=False)]) from None


def _problem(details: ErrorDetails) -> Problem:
    message, typed = details["msg"].replace("Input should be", "must be"), shortened(f"{details['input']}")
    return Problem("", None, ".".join(map(str, details["loc"])), f"{message} (got {typed})")
