"""What every report on one profile tells beside its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileReport:
    """A report on one profile; `settings` are the changes of `--set`, `resolved` the whole profile as TOML data."""

    profile: str
    title: str
    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    version: str = ""
    resolved: Mapping[str, Any] = field(default_factory=dict)
