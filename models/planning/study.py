"""Studies of many points, as files in profiles/planner state them: one model for each kind."""

from __future__ import annotations

from typing import Literal

from models.quantity import Model, setting

FOLDER = "planner"


class Sweep(Model):
    """A sweep: one profile, with keys of it varied."""

    kind: Literal["sweep"] = setting("Kind of the study.")
    title: str = setting("One line that says what the study answers.")
    profile: str = setting("Profile whose keys are varied: a shipped name, or a path from the study's file.")
    set: dict[str, str] = setting("Changes of the profile that hold for all points, by key.", default={})
    vary: dict[str, str] = setting("Values by key, as `simulate sweep --vary` takes them: 4,8,12 or 4..64:4.")
    zip: bool = setting("Whether the values stand side by side instead of in all combinations.", default=False)
    seed: int = setting("Seed of all chances, the same for all points.", default=0, ge=0)
    replications: int = setting("Runs of each point, each with its own chances.", default=1, ge=1)


class Compared(Model):
    """One scenario of a comparison."""

    profile: str = setting("Profile: a shipped name, or a path from the study's file.")
    set: dict[str, str] = setting("Changes of the profile, by key.", default={})


class Compare(Model):
    """A comparison: two to six scenarios side by side, the first of which is the baseline."""

    kind: Literal["compare"] = setting("Kind of the study.")
    title: str = setting("One line that says what the study answers.")
    scenarios: dict[str, Compared] = setting("The scenarios, by the names that the report gives them.")
    set: dict[str, str] = setting("Changes that hold for all scenarios, by key.", default={})
    seed: int = setting("Seed of all chances, the same for all scenarios.", default=0, ge=0)
    replications: int = setting("Runs of each scenario, each with its own chances.", default=5, ge=1)


class Size(Model):
    """A sizing: the configuration with the least of one measure that meets several targets."""

    kind: Literal["size"] = setting("Kind of the study.")
    title: str = setting("One line that says what the study answers.")
    profile: str = setting("Profile whose keys are varied: a shipped name, or a path from the study's file.")
    set: dict[str, str] = setting("Changes of the profile that hold for all options, by key.", default={})
    vary: dict[str, str] = setting("Values by key, as `simulate size --vary` takes them: 4,8,12 or 4..64:4.")
    targets: tuple[str, ...] = setting("What has to be met: 'duration <= 900 s', 'survives 1 rack'.")
    minimize: str = setting("Measure to be as small as possible: cost, servers, drives, power.", default="servers")
    seed: int = setting("Seed of all chances, the same for all options.", default=0, ge=0)
    replications: int = setting("Runs of each option, each with its own chances.", default=1, ge=1)


class Sensitivity(Model):
    """What an answer hangs on: levers, uncertain inputs, and choices to be made before they are known."""

    kind: Literal["sensitivity"] = setting("Kind of the study.")
    title: str = setting("One line that says what the study answers.")
    profile: str = setting("Profile that is studied: a shipped name, or a path from the study's file.")
    set: dict[str, str] = setting("Changes of the profile that hold throughout, by key.", default={})
    measure: str = setting("What is measured, less being better.", default="duration")
    inputs: dict[str, str] = setting(
        "Inputs that are not known exactly, by key: LOW..HIGH, LOW..MIDDLE..HIGH or VALUE +- 5 %.", default={}
    )
    samples: int = setting("Samples of the inputs.", default=64, ge=8)
    sobol: int = setting("Rows of a design for Sobol indices, a power of two; 0 for none.", default=0, ge=0)
    choices: dict[str, dict[str, str]] = setting(
        "Choices to be compared over the samples: changes of the profile, by name.", default={}
    )
    seed: int = setting("Seed of samples and chances.", default=0, ge=0)
