"""What the window shows, as a command to type in a terminal. Knows no Qt."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from functools import lru_cache

from app.reports.words import as_stated
from models.scenario import Scenario
from profiles.loading.loader import Loaded
from profiles.loading.overrides import canonical
from profiles.text.document import Document
from profiles.text.tree import dotted, leaves


def run_command(
    name: str, changes: Mapping[str, str], *, seed: int = 0, replications: int = 1, command: str = "--profile"
) -> str:
    """Return `simulate --profile NAME` with the changes and options that are not the default."""
    words = ["simulate", command, name]
    for key, value in changes.items():
        words += ["--set", f"{key}={value}"]
    words += ["--seed", f"{seed}"] if seed else []
    words += ["--replications", f"{replications}"] if replications != 1 else []
    return shlex.join(words)


def study_command(command: str, name: str, options: Sequence[tuple[str, object]]) -> str:
    """Return `simulate COMMAND --profile NAME` with options: True for one without a value, None to leave it out."""
    words = ["simulate", command, "--profile", name]
    for option, value in options:
        if value is not None and value is not False:
            words += [option] if value is True else [option, f"{value}"]
    return shlex.join(words)


def study_options(
    changed: Mapping[str, str], varied: Sequence[tuple[str, str]], seed: int, replications: int
) -> list[tuple[str, object]]:
    """Return the options that sweeps and sizings share; a key that varies is not set as well."""
    keys = {canonical(key) for key, _ in varied}
    options: list[tuple[str, object]] = [("--set", f"{k}={v}") for k, v in changed.items() if canonical(k) not in keys]
    options += [("--vary", f"{key}={values}") for key, values in varied]
    return [*options, ("--seed", seed or None), ("--replications", replications if replications != 1 else None)]


def changes(loaded: Loaded[Scenario] | None, baseline: Mapping[str, object], text: str = "") -> dict[str, str]:
    """Return what differs from the profile as it was opened, as `--set` takes it.

    Values that come with another part, which the profile's `text` names, are told by that part: "prices=list-2019".
    """
    values = loaded.values if loaded else {}
    differing = {key: value for key, value in values.items() if baseline.get(key) != value}
    stated = _stated(text) if differing else {}  # which takes as long as to read the text
    shown: dict[str, str] = {}
    for key, value in differing.items():
        above = [name for name in stated if key not in stated and key.startswith(f"{name}.")]
        name = max(above, key=len, default=key)
        shown[name] = stated.get(name, as_stated(value)) if above else as_stated(value)
    return shown


@lru_cache(maxsize=1)  # several views ask for the changes of one text
def _stated(text: str) -> Mapping[str, str]:
    """Return the values that a text itself states by key, a part that is named and changed under the part's key."""
    tree = Document(text, "").tree()
    rows = leaves(tree) if tree else ()
    return {dotted(key[:-1] if key[-1] == "use" and len(key) > 1 else key): as_stated(leaf.value) for key, leaf in rows}
