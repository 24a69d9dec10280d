"""A part of a profile of which there are several kinds: which one a table states is told by a key, its tag.

Pydantic makes the validator of a union of all its kinds, with all parts of each, though a profile names one of them:
two thirds of the time in which a profile is read. Here the validator of a kind is made when a table first states it,
and that of a part which may be missing when one is stated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache, partial
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, core_schema


class Alternatives:
    """Says of a union of models that the choice `tag`, which each of them has, tells them apart.

    What is read is the model that is `made` of the one that a table states.
    """

    def __init__(self, tag: str, made: Callable[[Any], type[BaseModel]] = lambda kind: kind) -> None:
        self.tag = tag
        self._made = cache(made)

    def kinds(self, source: Any) -> tuple[type[BaseModel], ...]:
        """Return all that is made of the models of the union."""
        return tuple(map(self._made, get_args(source)))

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the union."""
        choices: dict[Any, CoreSchema] = {
            word: _read_late(partial(self._made, kind)) for kind in get_args(source) for word in _words(kind, self.tag)
        }
        return core_schema.tagged_union_schema(choices, self.tag)


class Late:
    """Says of a model, or of one that may be None, that its validator is made when one is first read."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return the schema of the model; of anything else what it is without this."""
        if _is_model(source):
            return _read_late(lambda: source)
        kinds = [kind for kind in get_args(source) if kind is not NoneType]
        if len(kinds) == 1 and NoneType in get_args(source) and _is_model(kinds[0]):
            return core_schema.nullable_schema(_read_late(lambda: kinds[0]))
        return handler(source)


def _read_late(kind: Callable[[], type[BaseModel]]) -> CoreSchema:
    """Return what reads a model as if it were part of another one: what it refuses is told with the key of the part."""

    def read(data: Any, info: ValidationInfo) -> BaseModel:
        if info.mode == "json":  # in which an array may become a tuple
            return kind().model_validate_json(json.dumps(data), context=info.context)
        return kind().model_validate(data, context=info.context)

    return core_schema.with_info_plain_validator_function(read)


def _words(kind: type[BaseModel], tag: str) -> Iterator[Any]:
    annotation = kind.model_fields[tag].annotation
    assert get_origin(annotation) is Literal, f"{kind.__name__}.{tag} is no choice"
    yield from get_args(annotation)


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
