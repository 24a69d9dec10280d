"""JSON that the program prints, held against the schemas that it ships: strictly, with no key that they do not name."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

HINT = "describe it in app/reports/contracts"


def held(make: Callable[[Any], str]) -> Callable[[Any], str]:
    """Return a function that makes JSON text likewise, and fails where the text breaks its contract."""

    def checked(data: Any) -> str:
        text = make(data)
        if "$schema" not in data:
            check(text)
        return text

    return checked


def check(text: str) -> None:
    """Fail where a JSON text is not as its schema says."""
    from jsonschema.exceptions import best_match

    data = json.loads(text, parse_constant=_refused)
    wrong = best_match(validator(data["schema"]).iter_errors(data))
    assert wrong is None, f"{data['schema']}: {wrong.json_path}: {wrong.message[:300]}; {HINT}"
    if data["schema"] == "headroom.report/1" and "schema" in data["data"]:
        check(json.dumps(data["data"]))


@cache
def validator(name: str) -> Any:
    """Return what validates a contract, for which a key more is wrong, too."""
    from jsonschema import Draft202012Validator

    from app.reports import contracts

    return Draft202012Validator(_closed(contracts.schema(name)))


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(part) for key, part in schema.items()}
    is_table = schema.get("type") == "object" and "additionalProperties" not in schema
    return closed | {"additionalProperties": False} if is_table else closed


def _refused(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")
