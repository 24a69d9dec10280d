"""How much is run to say how sure an answer is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Effort = Literal["none", "fast", "full"]
RUNS: Mapping[Effort, int] = {"none": 0, "fast": 8, "full": 48}
"""Runs besides that of the answer; fast costs at most 10."""
USUAL: Effort = "fast"
VARIABLE = "HEADROOM_INTERVAL"
"""The environment variable that says it where nobody else does, for the command line and the window."""
