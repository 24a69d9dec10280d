"""A parameter, declared once: its unit, meaning, default and bounds stand in one line that everybody reads.

    class Drive(Model):
        read_bandwidth: Quantity = quantity("B/s", "Sequential read rate.", gt=0)
        seek_time: Quantity = quantity("s", "Mean time to turn to another stream.", default="8 ms", ge=0)
        count: int = setting("Drives in the server.", default=1, ge=1)

The loader reads text with the unit, the form shows it, the report prints with it, the reference page lists it.
In Python a quantity may be given as text ("205 MB/s") or as a number that is already in the declared unit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypeAlias, dataclass_transform

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo
from pydantic.fields import FieldInfo

from models import units
from models.problem import refusal

Quantity: TypeAlias = float  # a number in the unit that its field declares
UNITS_REQUIRED = {"units": "required"}  # validation context of text a user wrote: a bare number is refused
GROUP, PLACE = "group", "place"  # what a field can name of a cluster


def quantity(
    unit: str,
    description: str,
    *,
    default: Any = ...,
    gt: float | None = None,
    ge: float | None = None,
    lt: float | None = None,
    le: float | None = None,
    examples: Sequence[str] | None = None,
) -> Any:
    """Return a field that holds a number in `unit`; a default may be text ("128 MiB"). Bounds are in `unit`."""
    units.unit(unit)
    if isinstance(default, str):
        default = units.parse(default, unit)
    info = _field(description, default, {"unit": unit}, gt=gt, ge=ge, lt=lt, le=le, examples=examples)
    info.metadata.append(BeforeValidator(lambda value, info: _read(value, unit, info)))
    return info


def setting(
    description: str,
    *,
    default: Any = ...,
    gt: float | None = None,
    ge: float | None = None,
    lt: float | None = None,
    le: float | None = None,
    examples: Sequence[Any] | None = None,
    inherited: bool = True,
) -> Any:
    """Return a field without a unit: a count, a choice (Literal), a name, a yes or no, or a table of its own.

    A field that is not `inherited` belongs to the file that states it: a profile that extends the file leaves it out.
    """
    extra: dict[str, Any] = {} if inherited else {"inherited": False}
    return _field(description, default, extra, gt=gt, ge=ge, lt=lt, le=le, examples=examples)


def group(description: str, *, default: Any = ...) -> Any:
    """Return a field that names a server group of the cluster, or several."""
    return _field(description, default, {"names": GROUP})


def place(description: str, *, default: Any = ...) -> Any:
    """Return a field that names a bay or volume of servers."""
    return _field(description, default, {"names": PLACE})


def part(catalog: str, description: str, *, default: Any = ..., left_out: Callable[[Any], bool] | None = None) -> Any:
    """Return a field whose table, or each of whose tables, may also be named: a file in profiles/`catalog`.

    `left_out` tells of a value that it is no part of the data of its model.
    """
    return _field(description, default, {"catalog": catalog}, exclude_if=left_out)


def _field(description: str, default: Any, extra: dict[str, Any], **rules: Any) -> FieldInfo:
    stated = {name: value for name, value in rules.items() if value is not None}
    info: FieldInfo = Field(default, description=description, json_schema_extra=extra, **stated)
    return info


def _read(value: Any, unit: str, info: ValidationInfo) -> Any:
    """Return text as a number in `unit`; anything else as it is, for pydantic to judge."""
    if isinstance(value, str):
        return units.parse(value, unit)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number and info.context == UNITS_REQUIRED and units.unit(unit).dimension:
        raise refusal("", f"expected {units.expected(unit)} (got {value}): the unit is missing")
    return value


@dataclass_transform(
    kw_only_default=True, frozen_default=True, field_specifiers=(quantity, setting, group, place, part, Field)
)
class Model(BaseModel):
    """The root of every part of a profile: unknown keys refused, nothing coerced, nothing changed after it is made.

    `usual` names the parts, by the profile's key for them, that go with this one where the profile states none. Of the
    keys that are `exclusive` there is one: what a file states takes the place of another that it inherits.
    """

    usual: ClassVar[Mapping[str, str]] = MappingProxyType({})
    exclusive: ClassVar[tuple[str, ...]] = ()

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


def stated(data: Any) -> Any:
    """Return dumped data without infinite numbers and without None, which only ever stand for a default.

    What a model refuses to be given, it may have as a default; without them the data makes the same model again.
    """
    if isinstance(data, dict):
        return {key: stated(value) for key, value in data.items() if value is not None and value != math.inf}
    if isinstance(data, (list, tuple)):
        return type(data)(stated(value) for value in data)
    return data


class Parameter(NamedTuple):
    """What one declaration says. `default` is None where `required`; `catalog` is set for parts only."""

    key: str
    unit: str | None
    description: str
    default: Any
    required: bool
    catalog: str | None


def extra(info: FieldInfo) -> Mapping[str, Any]:
    """Return what a declaration says beyond pydantic's own attributes: "unit", "catalog", "inherited", "names"."""
    return info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}


def fields(model: type[BaseModel]) -> Iterator[Parameter]:
    """Yield the declarations of a model in their order, under the names that a file uses."""
    for name, info in model.model_fields.items():
        said = extra(info)
        default = None if info.is_required() else info.get_default(call_default_factory=True)
        yield Parameter(
            key=info.alias or name,
            unit=said.get("unit"),
            description=info.description or "",
            default=default,
            required=info.is_required(),
            catalog=said.get("catalog"),
        )


def named(model: Model, key: str, what: str) -> dict[str, str]:
    """Return the groups or places that a model and the models in it name, by the key path that begins with `key`."""
    found: dict[str, str] = {}
    for name, info in type(model).model_fields.items():
        value, path = getattr(model, name), f"{key}.{info.alias or name}"
        if isinstance(value, Model):
            found |= named(value, path, what)
        elif extra(info).get("names") != what or value is None:
            continue
        elif isinstance(value, tuple):
            found |= {f"{path}.{i}": item for i, item in enumerate(value)}
        else:
            found[path] = value
    return found
