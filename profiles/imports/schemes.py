"""Storage systems behind paths: told by the scheme of a path alone, as names tell of the user's systems."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*)://?", re.IGNORECASE)


@cache
def library() -> Mapping[str, Any]:
    """Return what an imported profile is made of where no file says it."""
    return tomllib.loads(Path(__file__).with_name("assumed.toml").read_text(encoding="utf-8"))


@cache
def _of_any() -> re.Pattern[str]:
    schemes = (scheme for group in library()["schemes"].values() for scheme in group)
    return re.compile(rf"\b({'|'.join(sorted(schemes, key=len, reverse=True))}):/")


def schemes_in(text: str) -> list[str]:
    """Return the schemes of the paths in a text, as often as they stand there."""
    return _of_any().findall(text)


def storage_of(path: str) -> str | None:
    """Return the shipped storage system behind a path, or behind a scheme; None where it tells none."""
    match = _SCHEME.match(path if ":" in path else f"{path}:/")
    scheme = match[1].lower() if match else ""
    return next((kind for kind, schemes in library()["schemes"].items() if scheme in schemes), None)
