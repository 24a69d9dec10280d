"""Advice on a design: what is allowed but unwise. Systems, workloads and general rules give it in the same words."""

from __future__ import annotations

from typing import Literal

from models.values import value

Severity = Literal["warning", "hint"]


@value()
class Advice:
    """One piece of advice: the rule, the key that it is about, what was found with the way out, and who says so."""

    rule: str
    severity: Severity
    key: str
    message: str
    source: str

    @property
    def is_warning(self) -> bool:
        """Whether it is more than a hint."""
        return self.severity == "warning"
