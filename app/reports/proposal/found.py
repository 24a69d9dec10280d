"""What a proposal tells, before it is put into words: the answer to a plan, and what is known of the design in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.reports.capacity_report import CapacityReport
from app.reports.durability_report import DurabilityReport
from app.reports.plan.plan_answer import Judged, PlanAnswer
from app.reports.purchase_document import PurchaseReport
from app.reports.run.run_report import SourceLine
from app.reports.upkeep_document import UpkeepReport
from models.advice import Advice
from models.planning.cost import Cost
from models.planning.materials import BillOfMaterials
from models.planning.prices import Prices
from models.scenario import Scenario

PLAN = "plan.toml"
"""The plan in the bundle of a report, wherever it stood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """An assumed number in words: what it means, of what it is, and which measurement would replace it."""

    what: str
    of: str
    key: str
    likely: str
    range: str
    kind: str
    source: str
    measurement: str
    spread: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """How far off answers of a kind were: for which workload, why, and the benchmarks of this kind with their errors.

    `is_inside`: the design lies within what was validated.
    """

    workload: str
    kind: str
    why: tuple[str, ...]
    is_inside: bool
    benchmarks: tuple[tuple[str, str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What is proposed, or comes nearest: what it costs, holds and survives, and what that rests on.

    `purchases` say what could be bought later, by room alone; None where that is not known. `file` is that of its first
    profile in the bundle, `toml` the profile with all workloads. `upkeep` is what contracts and maintenance come to.
    """

    judged: Judged
    scenario: Scenario
    capacity: CapacityReport
    cost: Cost | None = None
    prices: Prices | None = None
    materials: BillOfMaterials | None = None
    durability: DurabilityReport | None = None
    advice: Sequence[Advice] = ()
    assumed: Sequence[Assumed] = ()
    sources: Sequence[SourceLine] = ()
    trust: Sequence[Trust] = ()
    purchases: PurchaseReport | None = None
    upkeep: UpkeepReport | None = None
    file: str = ""
    toml: str = ""

    @property
    def name(self) -> str:
        """The candidate."""
        return self.judged.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """An answer with its design, None where no candidate can be set up at all; `logo` is a picture (PNG), or empty.

    `files` are the plan and the profiles of its candidates, by name.
    """

    answer: PlanAnswer
    design: Design | None
    logo: bytes = b""
    files: Mapping[str, str | bytes] = field(default_factory=dict)
