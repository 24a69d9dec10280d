"""A parameter, declared once: its unit, meaning, default and bounds stand in one line that everybody reads.

    class Drive(Model):
        read_bandwidth: Quantity = quantity("B/s", "Sequential read rate.", gt=0)
        seek_time: Quantity = quantity("s", "Mean time to turn to another stream.", default="8 ms", ge=0)
        byte_cpu: Quantity = quantity(
            "s/B", "Core-seconds a byte.", default="0.5 ns/B", source="prior: ...", between=("0.3 ns/B", "1 ns/B")
        )
        count: int = setting("Drives in the server.", default=1, ge=1)

The loader reads text with the unit, the form shows it, the report prints with it, the reference page lists it.
In Python a quantity may be given as text ("205 MB/s") or as a number that is already in the declared unit.

A default rests on a `source`, as a number of a profile does (profiles/provenance.py); what is assumed or a prior lies
`between` two values for 90 % of the world, and the default is the likely one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypedDict, Unpack, dataclass_transform

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo
from pydantic.fields import FieldInfo

from models import units
from models.problem import refusal

Quantity: TypeAlias = float  # a number in the unit that its field declares
UNITS_REQUIRED = {"units": "required"}  # validation context of text a user wrote: a bare number is refused
GROUP, PLACE = "group", "place"  # what a field can name of a cluster


class Rules(TypedDict, total=False):
    """What a value must be, and examples of it, as pydantic's `Field` takes them."""

    gt: float | None
    ge: float | None
    lt: float | None
    le: float | None
    examples: Sequence[Any] | None


def quantity(
    unit: str,
    description: str,
    *,
    default: Any = ...,
    source: str = "",
    between: tuple[float | str, float | str] | None = None,
    **rules: Unpack[Rules],
) -> Any:
    """Return a field that holds a number in `unit`; a default may be text ("128 MiB"). Bounds are in `unit`."""
    units.unit(unit)
    default = _number(default, unit)
    limits = (_number(between[0], unit), _number(between[1], unit)) if between else None
    extra = {"unit": unit, **_reasons(source, limits, default)}
    info = _field(description, default, extra, **rules)
    info.metadata.append(BeforeValidator(lambda value, info: _read(value, unit, info)))
    return info


def setting(
    description: str,
    *,
    default: Any = ...,
    inherited: bool = True,
    source: str = "",
    between: tuple[float, float] | None = None,
    **rules: Unpack[Rules],
) -> Any:
    """Return a field without a unit: a count, a choice (Literal), a name, a yes or no, or a table of its own.

    A field that is not `inherited` belongs to the file that states it: a profile that extends the file leaves it out.
    """
    extra = ({} if inherited else {"inherited": False}) | _reasons(source, between, default)
    return _field(description, default, extra, **rules)


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


def _number(value: Any, unit: str) -> Any:
    return units.parse(value, unit) if isinstance(value, str) else value


def _reasons(source: str, between: tuple[float, float] | None, default: Any) -> dict[str, Any]:
    """Return what a default rests on, checked; nothing where nothing is said.

    Raises:
        RefusalError: the default does not lie between the ends of its range.
    """
    if between and default is not ... and not between[0] <= default <= between[1]:
        raise refusal("between", f"must hold the default {default:g}", found=f"{between[0]:g} to {between[1]:g}")
    return ({"source": source} if source else {}) | ({"between": between} if between else {})


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
    """Return what a declaration says beyond pydantic's own attributes.

    These are "unit", "catalog", "inherited", "names", "source" and "between".
    """
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
