"""Headroom for notebooks and scripts: what `simulate` answers, as objects.

>>> import headroom
>>> run = headroom.load("hdfs-terasort", {"workload.input": "10 GB"}).run(seed=0)
>>> print(f"{run.duration:.1f} s, limited by {run.bottleneck.resource}")
23.3 s, limited by job setup

A profile is a shipped name or the path of a TOML file. Its methods are the commands of the same name. Each returns an
answer with plain attributes, with `data`, which is the whole contract of the command, and with `to_json`, `to_frame`
and `to_html`. Times are seconds, sizes bytes, rates bytes a second, shares and errors fractions. What is wrong with the
input is told by a `HeadroomError`, which holds every problem as data.

Nothing is computed in this process: another one, which starts with the first question and ends with this one, imports
the models and the simulator. So it does not matter what files here are called (`models.py`), and studies that take
several processes need no `if __name__ == "__main__"`. Ctrl+C ends it; the next question starts another one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from headroom.answers import (
    Answer,
    Bottleneck,
    Capacity,
    Compare,
    Durability,
    Lint,
    Measure,
    Option,
    Outlook,
    Point,
    Prediction,
    Profiles,
    Requests,
    Resource,
    Run,
    Scenario,
    Sensitivity,
    Size,
    Span,
    Stage,
    Sweep,
    Validation,
    Workload,
)
from headroom.errors import HeadroomError, Problem, refused
from headroom.planned import Plan
from headroom.process import OnDone, ask
from headroom.profile import Profile, Value, Values, settings_of

__all__ = [
    "Answer",
    "Bottleneck",
    "Capacity",
    "Compare",
    "Durability",
    "HeadroomError",
    "Lint",
    "Measure",
    "OnDone",
    "Option",
    "Outlook",
    "Plan",
    "Point",
    "Prediction",
    "Problem",
    "Profile",
    "Profiles",
    "Requests",
    "Resource",
    "Run",
    "Scenario",
    "Sensitivity",
    "Size",
    "Span",
    "Stage",
    "Sweep",
    "Validation",
    "Value",
    "Values",
    "Workload",
    "check",
    "compare",
    "load",
    "plan",
    "profiles",
    "schema",
    "study",
    "validate",
]

Name = str | os.PathLike[str]
KINDS: dict[str, type[Answer]] = {
    "capacity": Capacity,
    "compare": Compare,
    "plan": Plan,
    "sensitivity": Sensitivity,
    "size": Size,
    "sweep": Sweep,
}


def load(profile: Name, settings: Mapping[str, Value] | None = None) -> Profile:
    """Return a profile, by shipped name or path, with changes by key as `--set` makes them.

    Raises:
        HeadroomError: with all that is wrong with it.

    >>> import headroom
    >>> headroom.load("hdfs-terasort").title
    'TeraSort 1 TB on HDFS, 3 replicas, 12 h1.16xlarge'
    >>> headroom.load("hdfs-terasort", {"cluster.groups.workers.count": "many"})
    Traceback (most recent call last):
    headroom.HeadroomError: --set: cluster.groups.workers.count: expected a whole number (got 'many')
    """
    folder, changes = os.getcwd(), settings_of(settings or {})
    return Profile(ask("load", folder, {"profile": os.fspath(profile), "set": changes}), changes, folder)


def profiles() -> Profiles:
    """Return what ships: profiles, studies and parts.

    >>> import headroom
    >>> "hdfs-terasort" in [profile["name"] for profile in headroom.profiles().profiles]
    True
    """
    return Profiles(ask("profiles", os.getcwd(), {}))


def compare(
    profiles: Sequence[Profile | Name] | Mapping[str, Profile | Name],
    *,
    seed: int = 0,
    replications: int = 5,
    workers: int | None = None,
    interval: str = "none",
    explain: bool = False,
    on_done: OnDone | None = None,
) -> Compare:
    """Put two to six profiles side by side, all with the same chances; the first is the baseline.

    As a table of names they are called so; as a list, by the names of their profiles. With the `interval` "fast" or
    "full" each has a `prediction`, all under the same assumptions; with `explain` the differences to the first are
    shared among what differs, in `explained`.

    >>> import headroom
    >>> small = headroom.load("hdfs-terasort", {"workload.input": "10 GB"})
    >>> more = headroom.load("hdfs-terasort", {"workload.input": "10 GB", "cluster.groups.workers.count": 24})
    >>> answer = headroom.compare({"12 servers": small, "24 servers": more}, replications=1, workers=1)
    >>> [scenario.name for scenario in answer.scenarios]
    ['12 servers', '24 servers']
    """
    named = profiles.items() if isinstance(profiles, Mapping) else [(None, profile) for profile in profiles]
    sides = [
        (name, profile.name, profile.settings) if isinstance(profile, Profile) else (name, os.fspath(profile), {})
        for name, profile in named
    ]
    folders = {profile.folder for _, profile in named if isinstance(profile, Profile)} or {os.getcwd()}
    if len(folders) > 1:
        raise refused("compare", "the profiles were loaded in several folders", "load all of them in one")
    runs = {"seed": seed, "replications": replications, "workers": workers, "interval": interval}
    asked = {"study": None, "sides": sides, "explain": explain, **runs}
    return Compare(ask("compare", folders.pop(), asked, on_done))


def plan(
    name: Name,
    settings: Mapping[str, Value] | None = None,
    *,
    workers: int | None = None,
    interval: str = "none",
    on_done: OnDone | None = None,
) -> Plan:
    """Find which candidate of a plan, by shipped name or path, meets all that is required for the least money.

    Changes by key are of the profiles of all candidates. With the `interval` "fast" or "full" small runs, or all, are
    repeated for draws of what is assumed.

    Raises:
        HeadroomError: with all that is wrong with it.
    """
    changes = settings_of(settings or {})
    asked: dict[str, Any] = {"study": os.fspath(name), "set": changes, "workers": workers, "interval": interval}
    return Plan(ask("plan", os.getcwd(), asked, on_done))


def study(
    name: Name,
    settings: Mapping[str, Value] | None = None,
    *,
    workers: int | None = None,
    interval: str = "none",
    on_done: OnDone | None = None,
) -> Answer:
    """Carry out a study, by shipped name or path: a comparison, sweep, sizing, sensitivity, growth or plan.

    >>> import headroom
    >>> headroom.study("hdfs-outgrown", {"workload.reduces": 48}, workers=1).targets["missed"]["date"]
    '2027-01-01'
    """
    changes = settings_of(settings or {})
    asked: dict[str, Any] = {"study": os.fspath(name), "set": changes, "workers": workers, "interval": interval}
    told = ask("study", os.getcwd(), {**asked, "store": None, "scheduler": None}, on_done)
    return KINDS[told["kind"]](told)


def validate(
    family: str | None = None,
    *,
    leave_one_out: bool = False,
    workers: int | None = None,
    on_done: OnDone | None = None,
) -> Validation:
    """Simulate the documented benchmarks again, all of them or those of a family, and say how far off each is.

    >>> import headroom
    >>> headroom.validate("sizing", workers=1).families["sizing"]["within_targets"]
    True
    """
    asked = {"family": family, "leave_one_out": leave_one_out, "workers": workers}
    return Validation(ask("validate", os.getcwd(), asked, on_done))


def check(path: Name) -> str:
    """Return what a file is, a profile, a part of one or a study, if nothing is wrong with it; nothing is run.

    Raises:
        HeadroomError: with all that is wrong with it.

    >>> import headroom
    >>> headroom.check("hdd-10gbe")
    'a part for hardware/servers'
    """
    return str(ask("check", os.getcwd(), {"path": os.fspath(path)}))


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of an answer's `data`, by the word of its contract. `simulate schema NAME`.

    >>> import headroom
    >>> headroom.schema("run")["properties"]["schema"]["const"]
    'headroom.run/1'
    """
    answer: dict[str, Any] = json.loads(ask("schema", os.getcwd(), {"name": name}))
    return answer
