"""Price lists ranked by a plan: what meets the customer's requirements at the least cost with each of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from app.planning.plans.plan_search import planned
from app.planning.progress import Counted
from app.reports.plan.plan_answer import PlanAnswer
from models.problem import Problem, ProblemError
from profiles.loading.reader import is_path
from profiles.plans.sheet import sheet


@dataclass(frozen=True, slots=True)
class Answered:
    """What a plan comes to with one price list."""

    prices: str
    answer: PlanAnswer

    @property
    def cost(self) -> float:
        """What the best candidate that meets all costs, infinite where none does."""
        best = self.answer.best
        return best.option.objective if best is not None and best.option is not None else float("inf")


def answered(name: str, lists: Sequence[str], workers: int | None, counted: Counted) -> list[Answered]:
    """Return what a plan comes to with each list in place of its own, the cheapest first.

    Raises:
        ProblemError: the plan or a list is wrong, or its candidates name lists of their own.
    """
    answers = []
    for prices in lists:
        text = os.path.abspath(prices) if is_path(prices) else prices
        asked = sheet(name, {"prices": text})
        if own := [candidate for candidate, stated in asked.plan.candidates.items() if stated.prices]:
            message = f"names prices of its own, which the offers are to stand for: remove candidates.{own[0]!r}.prices"
            raise ProblemError([Problem(f"{asked.path}", None, f"candidates.{own[0]}", message)])
        asked.check()
        answers.append(Answered(prices, planned(asked, workers, counted)))
    return sorted(answers, key=lambda entry: entry.cost)
