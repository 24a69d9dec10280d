"""What tests of readers share."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from profiles.imports.finding import Finding
from profiles.imports.opening import sources
from profiles.imports.reading import findings


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Finding]:
    """Return a function that reads one file."""

    def one(content: str | bytes | Any) -> Finding:
        data = content if isinstance(content, (str, bytes)) else json.dumps(content)
        (tmp_path / "x").write_bytes(data.encode() if isinstance(data, str) else data)
        with sources([str(tmp_path / "x")]) as files:
            return findings(files)[0]

    return one
