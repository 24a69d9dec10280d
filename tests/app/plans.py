"""Small plans: one to be filled in, and one with its answer and proposal, made once for all tests that read them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from app.planning.plans.plan_search import planned
from app.planning.progress import uncounted
from app.planning.proposing import proposed
from app.reports.document import Document
from app.reports.plan.plan_answer import PlanAnswer
from app.reports.proposal.document import document
from app.reports.proposal.found import Proposal
from profiles.plans.sheet import Sheet, sheet_of_text

HEAD = """
kind = "plan"
title = "A store"
prices = "on-premises-2024"

[requirements]
start = "2027-01-01"
"""
PLAN = """
kind = "plan"
title = "A small store"
prices = "on-premises-2024"

[requirements]
start = "2027-01-01"
years = 2
stored = "200 TB"
annual_growth = "50 %"
survives_reading = "2 servers"
budget = "{budget} USD"

[[requirements.workloads]]
name = "hourly"
use = "terasort"
input = "5 GB"
deadline = "{deadline}"
grows = true

[candidates.HDFS]
storage = "hdfs"
servers = "hdd-25gbe"
framework = {{ use = "yarn-h1", containers = 8, heap = "64 GiB" }}
count = "6..14:2"

[candidates.MinIO]
storage = "minio"
servers = "hdd-25gbe"
framework = {{ use = "yarn-h1", containers = 8, heap = "64 GiB" }}
count = "4,8,16"
"""
"""Of two stores, with room for a budget and a deadline."""
TEXT = """
kind = "plan"
title = "A <small> store & more"
customer = "ACME"
author = "A. Nobody"
offer = "1.2"
prices = { use = "on-premises-2024", discount = "10 %", discount_rate = "5 %" }

[requirements]
start = "2027-01-01"
years = 3
stored = "200 TB"
annual_growth = "50 %"
survives_reading = "2 servers"
budget = "400000 USD"

[[requirements.workloads]]
name = "hourly"
use = "terasort"
input = "2 GB"
deadline = "5 min"

[candidates.HDFS]
storage = "hdfs"
servers = "hdd-25gbe"
framework = { use = "yarn-h1", containers = 8, heap = "64 GiB" }
count = "6"

[candidates.MinIO]
storage = "minio"
servers = "hdd-25gbe"
framework = { use = "yarn-h1", containers = 8, heap = "64 GiB" }
count = "4,8"
"""


def written(folder: Path, text: str) -> str:
    """Write a plan into a folder, and return its path."""
    path = folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return f"{path}"


def plan_sheet() -> Sheet:
    """Return the plan as it is read."""
    return sheet_of_text(TEXT, Path("plan.toml"))


@cache
def answer() -> PlanAnswer:
    """Return the answer to the plan: MinIO meets all, HDFS misses."""
    return planned(plan_sheet(), 1, uncounted)


@cache
def proposal() -> Proposal:
    """Return the proposal that answers the plan."""
    return proposed(plan_sheet(), answer())


@cache
def signed() -> Document:
    """Return the report of the plan."""
    return document(proposal())
