"""What is said of an option of a plan in one line: what is usable, what it survives, how long, for how much."""

from __future__ import annotations

import math
from collections.abc import Mapping

from app.reports.plan.plan_words import shown
from models.planning.grid import numbered
from models.target import plain, spelled
from simulator.studies.measures import Measure


def facts(known: Mapping[str, Measure], objective: str, times: Mapping[str, str]) -> dict[str, str]:
    """Return the facts of an option by their names; `times` are those of its runs, in words."""
    told = {}
    if (usable := known.get("usable")) is not None:
        told["usable"] = shown(usable)
    if (survived := known.get(plain("survives_reading_servers"))) is not None:
        count = f"{survived.value:.0f}" if math.isfinite(survived.value) else "any number of"
        told["survives"] = numbered(count, "servers")
    told |= times
    if (comes_to := known.get(plain(objective))) is not None:
        told[spelled(objective)] = shown(comes_to)
    return told
