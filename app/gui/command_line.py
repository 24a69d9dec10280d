"""What the window shows, as a command to type in a terminal. Knows no Qt."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from profiles.loader import Loaded


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


def changes(loaded: Loaded | None, baseline: Mapping[str, object]) -> dict[str, str]:
    """Return the values that differ from those of the profile as it was opened, as `--set` takes them."""
    values = loaded.values if loaded else {}
    return {key: _typed(value) for key, value in values.items() if baseline.get(key) != value}


def _typed(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value}"
