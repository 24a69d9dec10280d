"""The attributes of answers are those of the contracts: the same names, and None wherever a contract says null."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from typing import Any

import pytest

import headroom
from app.reports.contracts import CONTRACTS
from headroom import answers

ANSWERS = {
    "capacity": headroom.Capacity,
    "compare": headroom.Compare,
    "durability": headroom.Durability,
    "lint": headroom.Lint,
    "plan": headroom.Plan,
    "profile": headroom.Profile,
    "profiles": headroom.Profiles,
    "run": headroom.Run,
    "sensitivity": headroom.Sensitivity,
    "size": headroom.Size,
    "sweep": headroom.Sweep,
    "validation": headroom.Validation,
}

PRINTED = {
    "accept",
    "bill",
    "import",
    "offers",
    "plan-offers",
    "promise",
    "purchase",
    "replay",
    "report",
    "study",
    "track",
    "upkeep",
}
"""What the program prints, and `headroom` does not return."""


def test_every_answer_has_its_contract() -> None:
    assert ANSWERS.keys() | PRINTED == CONTRACTS.keys()


def parts(hint: Any) -> tuple[Any, bool]:
    """Return a type without None, and whether None is allowed."""
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        inner = [arg for arg in typing.get_args(hint) if arg is not type(None)]
        return inner[0], len(inner) < len(typing.get_args(hint))
    return hint, False


def differences(hint: Any, contract: Any, path: str) -> Iterator[str]:
    """Yield where an attribute does not say what the contract does."""
    (kind, may_lack), (described, may_be_null) = parts(hint), parts(contract)
    if may_be_null and not may_lack:
        yield f"{path}: None is missing"
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (tuple, dict) and typing.get_args(described):
        yield from differences(inner[0 if origin is tuple else 1], typing.get_args(described)[-1], path)
    elif origin is None and hasattr(described, "__total__") and kind is not dict:
        known = typing.get_type_hints(described)
        for name, below in answers._hints(kind).items():
            key = name if name in known else f"{name}_s"
            if key in known:
                yield from differences(below, known[key], f"{path}.{name}")
            elif name not in headroom.Answer.__annotations__:
                yield f"{path}.{name}: there is no such key"


@pytest.mark.parametrize("name", ANSWERS)
def test_attributes_are_keys_of_the_contract(name: str) -> None:
    assert list(differences(ANSWERS[name], CONTRACTS[name], name)) == []


def test_an_attribute_that_no_contract_has_is_found() -> None:
    class Wrong(headroom.Run):
        colour: str
        interval: tuple[float, ...]

    gaps = list(differences(Wrong, CONTRACTS["run"], "run"))
    assert gaps == ["run.interval: None is missing", "run.colour: there is no such key"]
