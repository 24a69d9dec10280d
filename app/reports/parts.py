"""The parts of the planning report: each says its key, its title and, by where it stands here, its place."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from app.reports.document import Block, Section


class Part(Enum):
    """A part of the planning report, in the order of reading: the key that chooses it, and its title."""

    QUESTION = ("question", "The question")
    ANSWER = ("answer", "The answer")
    COMPARISON = ("comparison", "Beside the alternatives")
    WORKLOADS = ("workloads", "Workload by workload")
    LIMITS = ("limits", "What limits it, and when")
    REQUESTS = ("requests", "Rates and latencies")
    SENSITIVITY = ("sensitivity", "What it depends on")
    CAPACITY = ("capacity", "Capacity, from raw to effective")
    GROWTH = ("growth", "Growth")
    COST = ("cost", "Cost and power")
    POWER = ("power", "Power and carbon")
    MATERIALS = ("materials", "Bill of materials")
    FAILURES = ("failures", "Failures and durability")
    UPKEEP = ("upkeep", "Repairs and maintenance")
    ADVICE = ("advice", "Advice on the design")
    SOURCES = ("sources", "Assumptions and sources")
    VALIDATION = ("validation", "How far to trust it")
    PROFILE = ("profile", "The profile")

    def __init__(self, key: str, title: str) -> None:
        self.key = key
        self.title = title

    def section(self, blocks: Sequence[Block]) -> Section:
        """Return the part with its contents, which knows its place in the report."""
        return Section(self.key, self.title, blocks, place=list(Part).index(self))
