"""What the window shows, as a command to type in a terminal. Knows no Qt."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from profiles.loader import Loaded
from profiles.overrides import canonical


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
    """Return what sweeps and sizings are asked alike; a key that varies is not set besides."""
    keys = {canonical(key) for key, _ in varied}
    found: list[tuple[str, object]] = [("--set", f"{k}={v}") for k, v in changed.items() if canonical(k) not in keys]
    found += [("--vary", f"{key}={values}") for key, values in varied]
    return [*found, ("--seed", seed or None), ("--replications", replications if replications != 1 else None)]


def changes(loaded: Loaded | None, baseline: Mapping[str, object]) -> dict[str, str]:
    """Return the values that differ from those of the profile as it was opened, as `--set` takes them."""
    values = loaded.values if loaded else {}
    return {key: _typed(value) for key, value in values.items() if baseline.get(key) != value}


def _typed(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value}"
