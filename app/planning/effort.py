"""How much is run to say how sure an answer is."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal

Effort = Literal["none", "fast", "full"]
RUNS: Mapping[Effort, int] = {"none": 0, "fast": 8, "full": 48}
"""Runs besides that of the answer; fast costs at most 10."""
USUAL: Effort = "fast"
VARIABLE = "HEADROOM_INTERVAL"
"""The environment variable that says it where nobody else does, for the command line and the window."""


def asked() -> Effort:
    """Return what the environment asks for, the usual effort where it asks for none that is known."""
    text = os.environ.get(VARIABLE)
    return next((effort for effort in RUNS if effort == text), USUAL)
