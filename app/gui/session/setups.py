"""What the pages of studies are asked, as a project keeps it: axes, targets, sides, the text of a study. No Qt."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from app.gui.session.plan_answer import ShownPlan


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SweepSetup(_Part):
    """Rows of keys and values as typed, and whether the values go side by side."""

    axes: tuple[tuple[str, str], ...] = ()
    is_zipped: bool = False


class SizeSetup(_Part):
    """Rows of measure, sense and value; rows of keys and values; what is minimized, "" for what is proposed.

    Targets for the run are to be met in a part of the cases, the `confidence`; 0: in the likely one.
    """

    targets: tuple[tuple[str, str, str], ...] = ()
    axes: tuple[tuple[str, str], ...] = ()
    minimize: str = ""
    confidence: float = Field(default=0.0, ge=0.0, lt=1.0, allow_inf_nan=False)


class CompareSetup(_Part):
    """The name of a study, "" for kept scenarios alone; the baseline's name, and the scenarios that are left out."""

    study: str = ""
    baseline: str = ""
    hidden: tuple[str, ...] = ()


class StudySetup(_Part):
    """The text of a study; `base` is the file as whose content its relative names are read."""

    text: str = ""
    base: str = ""


class PlanSetup(_Part):
    """The text of a plan, "" for none; the file as whose content it is read; the step that is shown; its answer.

    `locale` is how its report writes numbers.
    """

    text: str = ""
    base: str = ""
    step: int = 0
    answer: ShownPlan | None = None
    locale: str = "en"


class MeasuredSetup(_Part):
    """What was measured for a question of Delivery, and the page that answers it for the profile `asked`, "" for none.

    `files` are paths of files and folders, `elsewhere` the names of those that a project may not name: they are asked
    for again.
    """

    files: tuple[str, ...] = ()
    page: str = ""
    asked: str = ""
    elsewhere: tuple[str, ...] = ()


class DeliverySetup(_Part):
    """The question that is shown, and what both of them have."""

    question: Literal["accept", "track"] = "accept"
    accept: MeasuredSetup = MeasuredSetup()
    track: MeasuredSetup = MeasuredSetup()


class Setups(_Part):
    """What every page is asked; a page that has not been opened is asked nothing."""

    sweep: SweepSetup = SweepSetup()
    size: SizeSetup = SizeSetup()
    compare: CompareSetup = CompareSetup()
    study: StudySetup = StudySetup()
    plan: PlanSetup = PlanSetup()
    delivery: DeliverySetup = DeliverySetup()
